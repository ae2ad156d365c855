# A3, A12: both workers finish; one bestmove is said, the deeper line wins, then the higher score (Stockfish#1600, #7116).
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
> setoption name PvInterval value 0
> position startpos
> go depth 10
    [     0] 1 < job 1.1.1 depth 10
    [     0] 2 < job 1.2.1 depth 10
1 depth 9 cp 10 nodes 5000 pv 2g2f 8c8d
    [     0] info depth 9 seldepth 11 score cp 10 nodes 5000 nps 5000000 hashfull 10 time 1 pv 2g2f 8c8d
2 depth 9 cp 40 nodes 7000 pv 7g7f 3c3d
    [     0] info depth 9 seldepth 11 score cp 40 nodes 12000 nps 12000000 hashfull 15 time 1 pv 7g7f 3c3d
1 depth 9 cp 30 nodes 6000 pv 2g2f 3c3d
2 depth 8 cp 400 nodes 7100 pv 6g6f
1 depth 10 cp 12 nodes 9000 pv 2g2f 8c8d
    [     0] info depth 10 seldepth 12 score cp 12 nodes 16100 nps 16100000 hashfull 15 time 1 pv 2g2f 8c8d
1 result 2g2f ponder 8c8d depth 10 cp 12 nodes 9100
    [     0] info depth 10 seldepth 12 score cp 12 nodes 16200 nps 16200000 hashfull 15 time 1 pv 2g2f 8c8d
    [     0] bestmove 2g2f ponder 8c8d
    [     0] 2 < stop 1.2
2 result 7g7f depth 9 cp 40 nodes 8000 stopped
    [     0] (belongs to an earlier session, search or attempt)

# A9: what a slow worker says about the previous position is not taken for the new one.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
> setoption name PvInterval value 0
> position startpos
> go infinite
    [     0] 1 < job 1.1.1
    [     0] 2 < job 1.2.1
1 depth 5 cp 20 pv 7g7f 3c3d
    [     0] info depth 5 seldepth 7 score cp 20 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
> stop
    [     0] bestmove 7g7f ponder 3c3d
    [     0] 1 < stop 1.1
    [     0] 2 < stop 1.2
> position startpos moves 7g7f
> go infinite
    [     0] 1 < job 2.1.1 moves "7g7f"
    [     0] 2 < job 2.2.1 moves "7g7f"
2 old depth 20 cp 999 pv 3c3d 2g2f
    [     0] (belongs to an earlier session, search or attempt)
2 old result 3c3d depth 20 cp 999
    [     0] (belongs to an earlier session, search or attempt)
1 old result 7g7f depth 6 cp 25 stopped
    [     0] (belongs to an earlier session, search or attempt)
2 depth 3 cp -5 pv 8c8d 2g2f
    [     0] info depth 3 seldepth 5 score cp -5 nodes 1000 nps 1000000 hashfull 20 time 1 pv 8c8d 2g2f
> stop
    [     0] bestmove 8c8d ponder 2g2f
    [     0] 1 < stop 2.1
    [     0] 2 < stop 2.2

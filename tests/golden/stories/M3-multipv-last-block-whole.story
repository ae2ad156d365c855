# MultiPV: what came within PvInterval was not printed; before `bestmove` the last block is, all of its lines.
join 1
    [     0] 1 < configure 1
> setoption name MultiPV value 3
> position startpos
> go btime 10000 wtime 10000 byoyomi 1000
    [     0] 1 < job 1.1.1 multipv 3 limit_ms 6000
1 depth 3 cp 30 multipv 1 pv 7g7f 3c3d
    [     0] info depth 3 seldepth 5 multipv 1 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
1 depth 3 cp 25 multipv 2 pv 2g2f 8c8d
    [     0] info depth 3 seldepth 5 multipv 2 score cp 25 nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f 8c8d
1 depth 3 cp 20 multipv 3 pv 9g9f
    [     0] info depth 3 seldepth 5 multipv 3 score cp 20 nodes 1000 nps 1000000 hashfull 10 time 1 pv 9g9f
1 depth 4 cp 33 multipv 1 pv 2g2f 3c3d
1 depth 4 cp 22 multipv 2 pv 9g9f 8c8d
1 depth 4 cp 21 multipv 3 pv 7g7f
> stop
    [     0] info depth 4 seldepth 6 multipv 1 score cp 33 nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f 3c3d
    [     0] info depth 4 seldepth 6 multipv 2 score cp 22 nodes 1000 nps 1000000 hashfull 10 time 1 pv 9g9f 8c8d
    [     0] info depth 4 seldepth 6 multipv 3 score cp 21 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f
    [     0] bestmove 2g2f ponder 3c3d
    [     0] 1 < stop 1.1

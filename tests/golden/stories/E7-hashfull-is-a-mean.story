# E7: worker 1 says 10, worker 3 says 30.
join 1
    [     0] 1 < configure 1
join 3
    [     0] 3 < configure 1
> setoption name PvInterval value 0
> position startpos
> go infinite
    [     0] 1 < job 1.1.1
    [     0] 3 < job 1.2.1
1 depth 3 cp 30 pv 7g7f 3c3d
    [     0] info depth 3 seldepth 5 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
3 depth 4 cp 30 pv 7g7f 3c3d
    [     0] info depth 4 seldepth 6 score cp 30 nodes 2000 nps 2000000 hashfull 20 time 1 pv 7g7f 3c3d
> stop
    [     0] bestmove 7g7f ponder 3c3d
    [     0] 1 < stop 1.1
    [     0] 3 < stop 1.2

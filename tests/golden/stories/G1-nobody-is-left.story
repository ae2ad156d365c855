# G1: the last worker falls silent during a search without a clock: the user is told, and the go is answered after a while.
join 1
    [     0] 1 < configure 1
> position startpos
> go depth 30
    [     0] 1 < job 1.1.1 depth 30
1 depth 3 cp 30 pv 7g7f 3c3d
    [     0] info depth 3 seldepth 5 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
silent 1
+ 6000
    [  2000] evict 1
    [  2000] info string worker w1 is gone: silent for 2000 ms
    [  3800] bestmove 7g7f ponder 3c3d

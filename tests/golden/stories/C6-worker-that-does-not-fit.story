# C6: a worker with other data is refused with a reason that people can read; the others go on.
join 1
    [     0] 1 < configure 1
join 2 eval 8
    [     0] (the two sides do not hold the same data)
    [     0] 2 < refuse: evaluation 0000000000000008 differs from the cluster's 0000000000000007; give all workers the same evaluation file
    [     0] info string worker w2 refused: evaluation 0000000000000008 differs from the cluster's 0000000000000007; give all workers the same evaluation file
    [     0] evict 2
join 3 zobrist 1
    [     0] (the two sides do not hold the same data)
    [     0] 3 < refuse: position keys 0000000000000001 differ from the coordinator's 0809885eae3f3c51; install the same version on both machines
    [     0] info string worker w3 refused: position keys 0000000000000001 differ from the coordinator's 0809885eae3f3c51; install the same version on both machines
    [     0] evict 3
> position startpos
> go movetime 100
    [     0] 1 < job 1.1.1 limit_ms 2100
+ 100
    [   100] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 20180 hashfull 0 time 100 pv 3i3h
    [   100] bestmove 3i3h
    [   100] 1 < stop 1.1

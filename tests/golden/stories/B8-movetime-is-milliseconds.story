# B8
join 1
    [     0] 1 < configure 1
> position startpos
> go movetime 500
    [     0] 1 < job 1.1.1 limit_ms 2500
+ 499
+ 1
    [   500] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 4036 hashfull 0 time 500 pv 3i3h
    [   500] bestmove 3i3h
    [   500] 1 < stop 1.1

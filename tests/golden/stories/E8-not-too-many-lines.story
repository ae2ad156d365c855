# E8: PvInterval 300: within that time only the first line and the last one.
join 1
    [     0] 1 < configure 1
> position startpos
> go movetime 400
    [     0] 1 < job 1.1.1 limit_ms 2400
1 depth 1 cp 1 pv 7g7f
    [     0] info depth 1 seldepth 3 score cp 1 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f
+ 10
1 depth 2 cp 2 pv 7g7f
+ 10
1 depth 3 cp 3 pv 7g7f
+ 300
1 depth 4 cp 4 pv 7g7f
    [   320] info depth 4 seldepth 6 score cp 4 nodes 1000 nps 3125 hashfull 10 time 320 pv 7g7f
1 depth 5 cp 5 pv 7g7f
+ 80
    [   400] info depth 5 seldepth 7 score cp 5 nodes 1000 nps 2500 hashfull 10 time 400 pv 7g7f
    [   400] bestmove 7g7f
    [   400] 1 < stop 1.1

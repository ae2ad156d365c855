# A1, A5: a limit, the end of the search and a deadline that has passed do not end a ponder search; only stop does (rshogi#78, cutechess#180).
join 1
    [     0] 1 < configure 1
> setoption name PvInterval value 0
> position startpos
> go ponder depth 1
    [     0] 1 < job 1.1.1 depth 1
1 depth 1 cp 31 pv 7g7f 3c3d
    [     0] info depth 1 seldepth 3 score cp 31 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
1 result 7g7f ponder 3c3d depth 1 cp 31
+ 20000
> stop
    [ 20000] bestmove 7g7f ponder 3c3d
+ 5000

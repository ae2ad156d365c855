# B13, E4: 64 bits, and no division by time 0. The node count of a lost worker stays counted.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
> setoption name PvInterval value 0
> position startpos
> go infinite
    [     0] 1 < job 1.1.1
    [     0] 2 < job 1.2.1
1 depth 1 cp 0 nodes 7000000 pv 7g7f
    [     0] info depth 1 seldepth 3 score cp 0 nodes 7000000 nps 7000000000 hashfull 10 time 1 pv 7g7f
2 depth 2 cp 0 nodes 9000000000 pv 7g7f
    [     0] info depth 2 seldepth 4 score cp 0 nodes 9007000000 nps 9007000000000 hashfull 15 time 1 pv 7g7f
gone 2
    [     0] evict 2
    [     0] info string worker w2 is gone: connection lost
1 depth 3 cp 0 nodes 8000000 pv 7g7f
    [     0] info depth 3 seldepth 5 score cp 0 nodes 9008000000 nps 9008000000000 hashfull 15 time 1 pv 7g7f
> stop
    [     0] bestmove 7g7f
    [     0] 1 < stop 1.1

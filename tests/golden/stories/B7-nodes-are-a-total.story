# B7: go nodes is a total over the workers; every share has to come back, and the share of a lost worker goes to another.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
join 3
    [     0] 3 < configure 1
> position startpos
> go nodes 1000
    [     0] 1 < job 1.1.1 nodes 334
    [     0] 2 < job 1.2.1 nodes 333
    [     0] 3 < job 1.3.1 nodes 333
1 depth 2 cp 5 nodes 334 pv 2g2f 3c3d
    [     0] info depth 2 seldepth 4 score cp 5 nodes 334 nps 334000 hashfull 10 time 1 pv 2g2f 3c3d
1 result 2g2f depth 2 cp 5 nodes 334
gone 2
    [     0] evict 2
    [     0] info string worker w2 is gone: connection lost
    [     0] 1 < job 1.2.2 nodes 333
3 result 2g2f depth 2 cp 7 nodes 333
1 result 7g7f depth 3 cp 7 nodes 333
    [     0] info depth 3 seldepth 3 score cp 7 nodes 1000 nps 1000000 hashfull 5 time 1 pv 7g7f
    [     0] bestmove 7g7f

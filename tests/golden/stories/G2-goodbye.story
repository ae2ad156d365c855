# G2: SIGTERM at the worker: it hands the job back and says goodbye; the other one gets its share.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
> position startpos
> go nodes 1000
    [     0] 1 < job 1.1.1 nodes 500
    [     0] 2 < job 1.2.1 nodes 500
1 result 7g7f depth 3 cp 10 nodes 200 stopped
    [     0] 1 < job 1.1.2 nodes 500
bye 1
    [     0] evict 1
    [     0] info string worker w1 is gone: worker ends
2 result 2g2f depth 4 cp 20 nodes 500
    [     0] 2 < job 1.1.3 nodes 500
2 result 2g2f depth 4 cp 20 nodes 500
    [     0] info depth 4 seldepth 4 score cp 20 nodes 1200 nps 1200000 hashfull 0 time 1 pv 2g2f
    [     0] bestmove 2g2f

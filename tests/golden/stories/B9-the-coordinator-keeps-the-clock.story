# B9, B10: the worker hangs; the answer comes in time all the same. Its dead-man limit is later than ours.
join 1
    [     0] 1 < configure 1
> setoption name NetworkDelay2 value 200
> position startpos
> go btime 0 wtime 0 byoyomi 3000
    [     0] 1 < job 1.1.1 limit_ms 4790
1 depth 2 cp 5 pv 2g2f 3c3d
    [     0] info depth 2 seldepth 4 score cp 5 nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f 3c3d
silent 1
+ 3000
    [  2000] evict 1
    [  2000] info string worker w1 is gone: silent for 2000 ms
    [  2790] bestmove 2g2f ponder 3c3d
speaks 1
    [  3000] (unknown name or number)
    [  3000] 1 < reset: no session with this coordinator

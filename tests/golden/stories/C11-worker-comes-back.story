# locals 1
# C10, C11, G6: the local worker is killed in the middle of a search, is started again and gets the job with the time that is left.
+ 1
    [     0] start child 0
started 0
join 1 local 0
    [     1] 1 < configure 1 hash_mb 64 threads 2
> isready
    [     1] readyok
> setoption name MinimumThinkingTime value 10
> position startpos
> go btime 0 wtime 0 byoyomi 5000
    [     1] 1 < job 1.1.1 limit_ms 5870
1 depth 3 cp 30 pv 7g7f 3c3d
    [     1] info depth 3 seldepth 5 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
+ 1000
died 0
    [  1001] evict 1
    [  1001] info string worker w1 is gone: process ended: signal 9
+ 100
    [  1051] start child 0
started 0
join 1 local 0
    [  1101] 1 < configure 1 hash_mb 64 threads 2
    [  1101] 1 < job 1.1.2 limit_ms 4770
1 depth 5 cp 40 pv 2g2f 3c3d
    [  1101] info depth 5 seldepth 7 score cp 40 nodes 2000 nps 1818 hashfull 10 time 1100 pv 2g2f 3c3d
+ 4000
    [  3871] bestmove 2g2f ponder 3c3d
    [  3871] 1 < stop 1.1

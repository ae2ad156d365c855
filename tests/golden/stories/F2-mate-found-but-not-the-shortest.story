# A worker has shown a mate and looks for a shorter one: when the time ends, or stop comes, that mate is the answer.
join 1
    [     0] 1 < configure 1
> position sfen 8k/9/7+R1/9/9/9/9/9/9 b G 1
> go mate 500
    [     0] 1 < job 2.1.1 mate limit_ms 500
+ 100
1 depth 3 mate 3 pv 2c1c 1a2a G*3b
    [   100] info depth 3 seldepth 5 nodes 1000 nps 10000 hashfull 10 time 100
1 depth 3 mate 3 pv 2c1c 1a2a G*2b
    [   100] info depth 3 seldepth 5 score mate 3 nodes 1000 nps 10000 hashfull 10 time 100 pv 2c1c 1a2a G*2b
+ 400
    [   500] checkmate 2c1c 1a2a G*2b
    [   500] 1 < stop 2.1
> go mate infinite
    [   500] 1 < job 4.1.1 mate
1 depth 3 mate 3 pv 2c1c 1a2a G*2b
    [   500] info depth 3 seldepth 5 score mate 3 nodes 1000 nps 1000000 hashfull 10 time 1 pv 2c1c 1a2a G*2b
1 depth 1 mate 1 pv G*1b
    [   500] info depth 1 seldepth 3 score mate 1 nodes 1000 nps 1000000 hashfull 10 time 1 pv G*1b
1 depth 3 mate 3 pv 2c1c 1a2a G*2b
> stop
    [   500] checkmate G*1b
    [   500] 1 < stop 4.1
> go mate infinite
    [   500] 1 < job 6.1.1 mate
> stop
    [   500] checkmate timeout
    [   500] 1 < stop 6.1

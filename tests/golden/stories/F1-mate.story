# F2, F4: a mate is said only with a line that was replayed; otherwise timeout rather than a guess.
join 1
    [     0] 1 < configure 1
> position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1
> go mate infinite
    [     0] 1 < job 1.1.1 mate
1 mate G*5b
    [     0] info depth 1 score mate 1 nodes 1000 time 0
    [     0] checkmate G*5b
> go mate 1000
    [     0] 1 < job 2.1.1 mate limit_ms 3000
1 mate G*4b
    [     0] checkmate timeout
> go mate 1000
    [     0] 1 < job 3.1.1 mate limit_ms 3000
1 nomate
    [     0] checkmate nomate
> go mate 500
    [     0] 1 < job 4.1.1 mate limit_ms 2500
+ 500
    [   500] checkmate timeout
    [   500] 1 < stop 4.1
> go mate infinite
    [   500] 1 < job 5.1.1 mate
> stop
    [   500] checkmate timeout
    [   500] 1 < stop 5.1
> go mate infinite
    [   500] 1 < job 6.1.1 mate
1 result refused no mate solver
    [   500] 1 < job 6.1.2 mate
1 result refused no mate solver
    [   500] info string no mate solver
    [   500] checkmate notimplemented

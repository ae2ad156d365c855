# F2, F4: a mate is said only with a line that was replayed; otherwise timeout rather than a guess.
join 1
    [     0] 1 < configure 1
> position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1
> go mate infinite
    [     0] 1 < job 2.1.1 mate
1 mate G*5b
    [     0] info depth 1 score mate 1 nodes 1000 time 0
    [     0] checkmate G*5b
> go mate 1000
    [     0] 1 < job 4.1.1 mate limit_ms 1000
1 mate G*4b
    [     0] (the rules of shogi do not allow it)
    [     0] 1 < job 5.1.2 mate limit_ms 1000
1 mate G*4b
    [     0] (the rules of shogi do not allow it)
    [     0] 1 < job 6.1.3 mate limit_ms 1000
1 mate G*4b
    [     0] (the rules of shogi do not allow it)
    [     0] 1 < job 7.1.4 mate limit_ms 1000
1 mate G*4b
    [     0] (the rules of shogi do not allow it)
    [     0] info string the line does not mate
    [     0] checkmate timeout
> go mate 1000
    [     0] 1 < job 9.1.1 mate limit_ms 1000
1 nomate
    [     0] checkmate nomate
> go mate 500
    [     0] 1 < job 11.1.1 mate limit_ms 500
+ 500
    [   500] checkmate timeout
    [   500] 1 < stop 11.1
> go mate infinite
    [   500] 1 < job 13.1.1 mate
> stop
    [   500] checkmate timeout
    [   500] 1 < stop 13.1
> go mate infinite
    [   500] 1 < job 15.1.1 mate
1 result refused no mate solver
    [   500] 1 < job 16.1.2 mate
1 result refused no mate solver
    [   500] 1 < job 17.1.3 mate
1 result refused no mate solver
    [   500] 1 < job 18.1.4 mate
1 result refused no mate solver
    [   500] info string no mate solver
    [   500] checkmate timeout

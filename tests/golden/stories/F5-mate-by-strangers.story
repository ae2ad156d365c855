# Two workers of other machines: what one of them says without a proof the other has to confirm.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
> position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1
> go mate infinite
    [     0] 1 < job 2.1.1 mate
1 mate G*5b
    [     0] 2 < job 3.1.2 mate
2 mate G*5b
    [     0] info depth 1 score mate 1 nodes 2000 time 0
    [     0] checkmate G*5b
> go mate infinite
    [     0] 1 < job 5.1.1 mate
1 nomate
    [     0] 2 < job 6.1.2 mate
2 mate G*5b
    [     0] 1 < job 7.1.3 mate
> stop
    [     0] checkmate timeout
    [     0] 1 < stop 7.1

# F3: with MateShortest off the first mate found is good enough for `go mate`.
join 1
    [     0] 1 < configure 1
> position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1
> setoption name MateShortest value false
> go mate infinite
    [     0] 1 < job 2.1.1 mate any_length
1 mate G*5b
    [     0] info depth 1 score mate 1 nodes 1000 time 0
    [     0] checkmate G*5b
> setoption name MateShortest value true
> go mate infinite
    [     0] 1 < job 4.1.1 mate
1 mate G*5b
    [     0] info depth 1 score mate 1 nodes 1000 time 0
    [     0] checkmate G*5b

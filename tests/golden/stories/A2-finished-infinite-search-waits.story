# A2, A8: mate in one found in an infinite search: the result is held back until stop (rshogi#140, rodent-iv#15).
join 1
    [     0] 1 < configure 1
> position sfen k8/9/K8/9/9/9/9/9/9 b G 1
> go infinite
    [     0] 1 < job 1.1.1
1 depth 1 mate 1 pv G*9b
    [     0] info depth 1 seldepth 3 score mate 1 nodes 1000 nps 1000000 hashfull 10 time 1 pv G*9b
1 result G*9b depth 1 mate 1
+ 3000
> stop
    [  3000] bestmove G*9b
> stop

# D12, H6: a proven mate overrides a deeper line of another worker; bestmove is the first move of the last exact line (YaneuraOu#286).
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
> setoption name PvInterval value 0
> position sfen k8/9/K8/9/9/9/9/9/9 b G 1
> go nodes 100000
    [     0] 1 < job 1.1.1 nodes 50000
    [     0] 2 < job 1.2.1 nodes 50000
1 depth 12 cp 900 pv 9c8c 9a9b
    [     0] info depth 12 seldepth 14 score cp 900 nodes 1000 nps 1000000 hashfull 10 time 1 pv 9c8c
2 depth 3 mate 1 pv G*9b
    [     0] info depth 3 seldepth 5 score mate 1 nodes 2000 nps 2000000 hashfull 15 time 1 pv G*9b
1 depth 13 cp 950 pv 9c8c 9a9b
1 result 9c8c depth 13 cp 950 nodes 50000
2 result G*9b depth 3 mate 1 nodes 400
    [     0] info depth 3 seldepth 5 score mate 1 nodes 51000 nps 51000000 hashfull 15 time 1 pv G*9b
    [     0] bestmove G*9b

# B1: ponderhit when the search is over already, when it has just begun, and twice (shogihome#1685).
join 1
    [     0] 1 < configure 1
> setoption name MinimumThinkingTime value 10
> position startpos moves 7g7f 3c3d
> go ponder btime 60000 wtime 60000 byoyomi 1000
    [     0] 1 < job 1.1.1 moves "7g7f 3c3d"
1 depth 3 cp 50 pv 2g2f 8c8d
    [     0] info depth 3 seldepth 5 score cp 50 nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f 8c8d
1 result 2g2f ponder 8c8d depth 3 cp 50
> ponderhit
    [     0] bestmove 2g2f ponder 8c8d
> ponderhit
> position startpos moves 7g7f 8c8d
> go ponder btime 0 wtime 0 byoyomi 1000
    [     0] 1 < job 2.1.1 moves "7g7f 8c8d"
> ponderhit
+ 1000
    [   500] info depth 2 seldepth 2 score cp 4 nodes 2030 nps 4060 hashfull 0 time 500 pv 8i7g
    [   500] bestmove 8i7g
    [   500] 1 < stop 2.1

# B2: the times of ponderhit count, not those of go ponder; without any: those of go ponder; without both: soon (shogihome#722).
join 1
    [     0] 1 < configure 1
> setoption name NetworkDelay value 0
> setoption name NetworkDelay2 value 0
> setoption name MinimumThinkingTime value 300
> position startpos
> go ponder
    [     0] 1 < job 1.1.1
+ 5000
> ponderhit btime 0 wtime 0 byoyomi 700
+ 1000
    [  5690] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 354 hashfull 0 time 5690 pv 3i3h
    [  5690] bestmove 3i3h
    [  5690] 1 < stop 1.1
> go ponder btime 0 wtime 0 byoyomi 900
    [  6000] 1 < job 2.1.1
> ponderhit
+ 1000
    [  6890] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 2267 hashfull 0 time 890 pv 3i3h
    [  6890] bestmove 3i3h
    [  6890] 1 < stop 2.1
> go ponder
    [  7000] 1 < job 3.1.1
> ponderhit
+ 1000
    [  7300] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 6726 hashfull 0 time 300 pv 3i3h
    [  7300] bestmove 3i3h
    [  7300] 1 < stop 3.1

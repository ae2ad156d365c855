# B5: main time 0: nearly the whole byoyomi is used, never 0 ms (apery_rust#2). NetworkDelay2 is 1120.
join 1
    [     0] 1 < configure 1
> position startpos
> go btime 0 wtime 0 byoyomi 10000
    [     0] 1 < job 1.1.1 limit_ms 10870
+ 8800
+ 200
    [  8870] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 227 hashfull 0 time 8870 pv 3i3h
    [  8870] bestmove 3i3h
    [  8870] 1 < stop 1.1
# a byoyomi shorter than the worst delay
> go btime 0 wtime 0 byoyomi 100
    [  9000] 1 < job 2.1.1 limit_ms 2050
+ 49
+ 1
    [  9050] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 40360 hashfull 0 time 50 pv 3i3h
    [  9050] bestmove 3i3h
    [  9050] 1 < stop 2.1
# nothing left at all
> go btime 0 wtime 0 byoyomi 0
    [  9050] 1 < job 3.1.1 limit_ms 2001
+ 1
    [  9051] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 2018000 hashfull 0 time 1 pv 3i3h
    [  9051] bestmove 3i3h
    [  9051] 1 < stop 3.1

# locals 1
# C15: options go to every worker when it is idle; hash and threads only to our own. New ones get them, too.
+ 1
    [     0] start child 0
started 0
join 1 local 0
    [     1] 1 < configure 1 hash_mb 64 threads 2
join 2
    [     1] 2 < configure 1
> setoption name USI_Hash value 128
> setoption name Threads value 3
> isready
    [     1] 1 < configure 2 hash_mb 128 threads 3
    [     1] 2 < configure 2
    [     1] readyok
> position startpos
> go infinite
    [     1] 1 < job 1.1.1
    [     1] 2 < job 1.2.1
> setoption name MaxMovesToDraw value 256
> setoption name DrawValueBlack value -10
> stop
    [     1] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 2018000 hashfull 0 time 1 pv 3i3h
    [     1] bestmove 3i3h
    [     1] 1 < stop 1.1
    [     1] 2 < stop 1.2
1 result 7g7f stopped
    [     1] (belongs to an earlier session, search or attempt)
2 result 7g7f stopped
    [     1] (belongs to an earlier session, search or attempt)
> usinewgame
    [     1] 1 < configure 3 hash_mb 128 threads 3
    [     1] 2 < configure 3
join 3
    [     1] 3 < configure 3
> position startpos
> go movetime 10
    [     1] 1 < new_game
    [     1] 1 < job 2.1.1 limit_ms 2010
    [     1] 2 < new_game
    [     1] 2 < job 2.2.1 limit_ms 2010
    [     1] 3 < job 2.3.1 limit_ms 2010
+ 10
    [    11] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 201800 hashfull 0 time 10 pv 3i3h
    [    11] bestmove 3i3h
    [    11] 1 < stop 2.1
    [    11] 2 < stop 2.2
    [    11] 3 < stop 2.3

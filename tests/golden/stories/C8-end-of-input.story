# locals 1
# C8, C9: end of input is quit; a search that runs is answered first, the workers hear a goodbye.
started 0
    [     0] start child 0
join 1 local 0
    [     0] 1 < configure 1 hash_mb 64 threads 2
> position startpos
> go infinite
    [     0] 1 < job 1.1.1
eof
    [     0] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 2018000 hashfull 0 time 1 pv 3i3h
    [     0] bestmove 3i3h
    [     0] 1 < stop 1.1
    [     0] 1 < bye
    [     0] end child 0 kindly
    [     0] quit 0
eof
+ 150

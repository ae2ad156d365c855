# A7: stop within the same millisecond: a legal move all the same, from the coordinator itself (DeepLearningShogi#75).
join 1
    [     0] 1 < configure 1
> position startpos
> go infinite
    [     0] 1 < job 1.1.1
> stop
    [     0] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 2018000 hashfull 0 time 1 pv 3i3h
    [     0] bestmove 3i3h
    [     0] 1 < stop 1.1
# and with no worker at all
gone 1
    [     0] evict 1
> go infinite
> stop
    [     0] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 2018000 hashfull 0 time 1 pv 3i3h
    [     0] info string no worker is ready: this move comes from the coordinator's own short search
    [     0] bestmove 3i3h

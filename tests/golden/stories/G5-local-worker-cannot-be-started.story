# locals 1
# G5: the worker program is missing: the user is told, each time it is tried, ever more rarely; moves are made all the same.
> isready
    [     0] start child 0
died 0 cannot start: /opt/murakumo-worker: No such file or directory
    [     0] info string local worker 1: cannot start: /opt/murakumo-worker: No such file or directory
+ 4000
    [    50] start child 0
    [  4000] (an empty line)
died 0 cannot start: /opt/murakumo-worker: No such file or directory
    [  4000] info string local worker 1: cannot start: /opt/murakumo-worker: No such file or directory
+ 5000
    [  4100] start child 0
    [  8000] info string no worker is ready: until one comes, moves are made by the coordinator's own short search
    [  8000] readyok
> position startpos
> go nodes 100
+ 4000
    [ 12000] info depth 5 seldepth 5 score cp 6 nodes 89954 nps 29984 hashfull 0 time 3000 pv 1g1f
    [ 12000] info string no worker is ready: this move comes from the coordinator's own short search
    [ 12000] bestmove 1g1f

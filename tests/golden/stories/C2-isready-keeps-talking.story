# locals 1
# C2: nobody comes: an empty line at least every 5 s, then readyok with what is missing. Two isready, two readyok.
> isready
    [     0] start child 0
started 0
+ 6000
    [  4000] (an empty line)
> isready
+ 6000
    [  8000] info string no worker is ready: until one comes, moves are made by the coordinator's own short search
    [  8000] readyok
    [  8000] readyok
# the child has not said hello in 15 s: it is ended and started again
+ 4000
    [ 15000] end child 0 at once
died 0
+ 200
    [ 16050] start child 0

# G4: the worker says that it has nothing to do: its job was lost on the way. It is handed out again, as the next attempt.
join 1
    [     0] 1 < configure 1
> position startpos
> go nodes 500
    [     0] 1 < job 1.1.1 nodes 500
1 depth 3 cp 30 pv 7g7f 3c3d
    [     0] info depth 3 seldepth 5 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
1 old result 7g7f
    [     0] (belongs to an earlier session, search or attempt)
forgets 1
+ 1200
    [   400] 1 < job 1.1.2 nodes 500
1 result 7g7f depth 3 cp 30 nodes 500
    [  1200] info depth 3 seldepth 5 score cp 30 nodes 1500 nps 1250 hashfull 10 time 1200 pv 7g7f 3c3d
    [  1200] bestmove 7g7f ponder 3c3d

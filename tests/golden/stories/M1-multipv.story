# MultiPV: all lines of one worker's iteration, in one piece; searchmoves restrict what may be answered.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
> setoption name MultiPV value 2
> position startpos
> go infinite
    [     0] 1 < job 1.1.1 multipv 2
    [     0] 2 < job 1.1.2 multipv 2
1 depth 3 cp 30 multipv 1 pv 7g7f 3c3d
2 depth 3 cp 20 multipv 1 pv 2g2f 3c3d
1 depth 3 cp 25 multipv 2 pv 2g2f 8c8d
    [     0] info depth 3 seldepth 5 multipv 1 score cp 30 nodes 2000 nps 2000000 hashfull 15 time 1 pv 7g7f 3c3d
    [     0] info depth 3 seldepth 5 multipv 2 score cp 25 nodes 2000 nps 2000000 hashfull 15 time 1 pv 2g2f 8c8d
2 depth 3 cp 10 multipv 2 pv 1g1f
> stop
    [     0] bestmove 7g7f ponder 3c3d
    [     0] 1 < stop 1.1
    [     0] 2 < stop 1.1
1 result 7g7f stopped
    [     0] (belongs to an earlier session, search or attempt)
2 result 7g7f stopped
    [     0] (belongs to an earlier session, search or attempt)
> go depth 4 searchmoves 1g1f 9g9f nonsense 1g1f
    [     0] 1 < job 2.1.1 searchmoves "1g1f 9g9f" multipv 2 depth 4
    [     0] 2 < job 2.1.2 searchmoves "1g1f 9g9f" multipv 2 depth 4
1 depth 4 cp 30 multipv 1 pv 7g7f
    [     0] (the rules of shogi do not allow it)
1 depth 4 cp 5 multipv 1 pv 9g9f 3c3d
1 depth 4 cp 3 multipv 2 pv 1g1f
    [     0] info depth 4 seldepth 6 multipv 1 score cp 5 nodes 1000 nps 1000000 hashfull 10 time 1 pv 9g9f 3c3d
    [     0] info depth 4 seldepth 6 multipv 2 score cp 3 nodes 1000 nps 1000000 hashfull 10 time 1 pv 1g1f
1 result 7g7f depth 4 cp 30
    [     0] bestmove 9g9f ponder 3c3d
    [     0] 2 < stop 2.1

# MultiPV with the strategy `root`: the moves are dealt, the best lines of all parts are told as deep as all have come. A worker
# that is lost: its moves are dealt to the others. Three workers, four moves, two lines.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
join 3
    [     0] 3 < configure 1
> setoption name MultiPV value 2
> setoption name SplitStrategy value root
> position startpos
> go infinite searchmoves 7g7f 2g2f 1g1f 9g9f
    [     0] 1 < job 1.1.1 searchmoves "7g7f 2g2f" multipv 2
    [     0] 2 < job 1.2.1 searchmoves "1g1f"
    [     0] 3 < job 1.3.1 searchmoves "9g9f"
1 depth 3 cp 30 multipv 1 pv 7g7f 3c3d
1 depth 3 cp 5 multipv 2 pv 2g2f 3c3d
2 depth 3 cp 20 multipv 1 pv 1g1f 3c3d
2 depth 3 cp 99 multipv 1 pv 9g9f
3 depth 3 cp 35 multipv 1 pv 9g9f 8c8d
    [     0] info depth 3 seldepth 5 multipv 1 score cp 35 nodes 3000 nps 3000000 hashfull 20 time 1 pv 9g9f 8c8d
    [     0] info depth 3 seldepth 5 multipv 2 score cp 30 nodes 3000 nps 3000000 hashfull 20 time 1 pv 7g7f 3c3d
3 depth 4 cp 40 multipv 1 pv 9g9f 8c8d 7g7f
1 depth 4 cp 50 multipv 1 pv 2g2f 3c3d
1 depth 4 cp -40 multipv 2 pv 7g7f 3c3d
2 depth 4 lower cp 50 multipv 1 pv 1g1f
2 depth 4 cp -50 multipv 1 pv 1g1f 8c8d
    [     0] info depth 4 seldepth 6 multipv 1 score cp 50 nodes 3000 nps 3000000 hashfull 20 time 1 pv 2g2f 3c3d
    [     0] info depth 4 seldepth 6 multipv 2 score cp 40 nodes 3000 nps 3000000 hashfull 20 time 1 pv 9g9f 8c8d 7g7f
gone 2
    [     0] evict 2
    [     0] info string worker w2 is gone: connection lost
    [     0] 1 < stop 1.1
    [     0] 3 < stop 1.3
    [     0] 1 < job 1.1.2 searchmoves "7g7f 9g9f" multipv 2
    [     0] 3 < job 1.2.2 searchmoves "1g1f 2g2f" multipv 2
1 depth 4 cp 45 multipv 1 pv 7g7f 3c3d
1 depth 5 cp -35 multipv 1 pv 7g7f 3c3d
1 depth 5 cp -50 multipv 2 pv 9g9f 3c3d
3 depth 5 cp 60 multipv 1 pv 2g2f 8c8d
3 depth 5 cp 41 multipv 2 pv 1g1f 8c8d 7g7f
    [     0] info depth 5 seldepth 7 multipv 1 score cp 60 nodes 5000 nps 5000000 hashfull 20 time 1 pv 2g2f 8c8d
    [     0] info depth 5 seldepth 7 multipv 2 score cp 41 nodes 5000 nps 5000000 hashfull 20 time 1 pv 1g1f 8c8d 7g7f
> stop
    [     0] bestmove 2g2f ponder 8c8d
    [     0] 1 < stop 1.1
    [     0] 3 < stop 1.2
+ 10
> go depth 2 searchmoves 7g7f 2g2f 1g1f
    [    10] 1 < job 2.1.1 searchmoves "7g7f 2g2f" multipv 2 depth 2
    [    10] 3 < job 2.2.1 searchmoves "1g1f" depth 2
1 depth 2 cp 30 multipv 1 pv 7g7f
1 depth 2 cp 20 multipv 2 pv 2g2f
1 result 7g7f depth 2 cp 30
    [    10] 1 < job 2.2.2 searchmoves "1g1f" depth 2
3 depth 2 cp 25 multipv 1 pv 1g1f
    [    10] info depth 2 seldepth 4 multipv 1 score cp 30 nodes 2000 nps 2000000 hashfull 20 time 1 pv 7g7f
    [    10] info depth 2 seldepth 4 multipv 2 score cp 25 nodes 2000 nps 2000000 hashfull 20 time 1 pv 1g1f
3 result 1g1f depth 2 cp 25
    [    10] bestmove 7g7f
    [    10] 1 < stop 2.2

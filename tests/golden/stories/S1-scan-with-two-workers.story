# A game is scanned by two workers; one is lost, its position is done by the other; a go from the GUI comes first.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
scan 5 nodes 1000 multipv 2 moves 7g7f 3c3d
    [     0] 1 < job 1.1.1 multipv 2 nodes 1000
    [     0] 2 < job 2.2.1 moves "7g7f" multipv 2 nodes 1000
1 depth 3 cp 30 multipv 1 pv 7g7f 3c3d
1 depth 3 cp 20 multipv 2 pv 2g2f 3c3d
1 result 7g7f ponder 3c3d depth 3 cp 30 nodes 1000
    [     0] scan 5 ply 0 verdict 0 best 7g7f score 30 worker w1
             line 1: 30 7g7f 3c3d
             line 2: 20 2g2f 3c3d
    [     0] 1 < job 3.3.1 moves "7g7f 3c3d" multipv 2 nodes 1000
gone 2
    [     0] evict 2
> position startpos
> go movetime 100
    [     0] 1 < stop 3.3
    [     0] 1 < job 4.1.1 limit_ms 2100
1 result 2g2f stopped
    [     0] 1 < job 4.1.2 limit_ms 2100
+ 100
    [   100] info depth 2 seldepth 2 score cp 0 nodes 3018 nps 30180 hashfull 0 time 100 pv 3i3h
    [   100] bestmove 3i3h
    [   100] 1 < stop 4.1
1 result 2g2f stopped
    [   100] (belongs to an earlier session, search or attempt)
    [   100] 1 < job 5.2.2 moves "7g7f" multipv 2 nodes 1000
1 result 8h2b+ depth 2 cp 100 nodes 1000
    [   100] (the rules of shogi do not allow it)
    [   100] 1 < job 6.2.3 moves "7g7f" multipv 2 nodes 1000
1 old result 3c3d depth 2 cp -35 nodes 1000
    [   100] (belongs to an earlier session, search or attempt)
1 result 3c3d depth 2 cp -35 nodes 1000
    [   100] scan 5 ply 1 verdict 0 best 3c3d score -35 worker w1
             line 1: -35 3c3d
    [   100] 1 < job 7.3.2 moves "7g7f 3c3d" multipv 2 nodes 1000

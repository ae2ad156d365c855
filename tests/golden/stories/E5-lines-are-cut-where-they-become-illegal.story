# E5: an illegal move ends the line; an illegal first move ends the worker's credit for it. bestmove is never taken unseen.
join 1
    [     0] 1 < configure 1
> setoption name PvInterval value 0
> position startpos
> go depth 5
    [     0] 1 < job 1.1.1 depth 5
1 depth 3 cp 30 pv 7g7f 3c3d 8h2b+ 9i9a
    [     0] info depth 3 seldepth 5 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d 8h2b+
1 depth 4 cp 3000 pv 5i5a
    [     0] (the rules of shogi do not allow it)
1 depth 4 mate 1 pv 2g2f
    [     0] (the rules of shogi do not allow it)
1 result 5i5a depth 5 cp 5000
    [     0] bestmove 7g7f ponder 3c3d

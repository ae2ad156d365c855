# Resignation: no legal move; a score at or below -ResignValue. The line before it tells the score.
join 1
    [     0] 1 < configure 1
> position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2
> go btime 60000 wtime 60000
    [     0] bestmove resign
> setoption name ResignValue value 2000
> setoption name PvInterval value 0
> position startpos
> go depth 5
    [     0] 1 < job 2.1.1 depth 5
1 depth 5 cp -2000 pv 7g7f 3c3d
    [     0] info depth 5 seldepth 7 score cp -2000 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
1 result 7g7f depth 5 cp -2000
    [     0] bestmove resign

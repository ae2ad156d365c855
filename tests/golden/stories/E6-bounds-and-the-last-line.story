# E6: the word behind the number; a move that leads a deeper iteration is the answer, an upper bound is none; the last line before bestmove is the answer, though PvInterval had kept it back.
join 1
    [     0] 1 < configure 1
> position startpos
> go infinite
    [     0] 1 < job 1.1.1
1 depth 3 cp 30 pv 7g7f 3c3d
    [     0] info depth 3 seldepth 5 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
1 depth 4 cp 50 lower pv 2g2f
    [     0] info depth 4 seldepth 6 score cp 50 lowerbound nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f
1 depth 4 cp 10 upper pv 2g2f
    [     0] info depth 4 seldepth 6 score cp 10 upperbound nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f
> stop
    [     0] info depth 4 seldepth 6 score cp 50 lowerbound nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f
    [     0] bestmove 2g2f
    [     0] 1 < stop 1.1
1 result 7g7f stopped
    [     0] (belongs to an earlier session, search or attempt)
> go btime 0 wtime 0 byoyomi 3000
    [     0] 1 < job 2.1.1 limit_ms 3870
1 depth 3 cp 30 pv 7g7f 3c3d
    [     0] info depth 3 seldepth 5 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
1 depth 4 cp 50 lower pv 2g2f
1 depth 5 cp 45 pv 2g2f 8c8d
+ 2000
    [  1870] info depth 5 seldepth 7 score cp 45 nodes 1000 nps 534 hashfull 10 time 1870 pv 2g2f 8c8d
    [  1870] bestmove 2g2f ponder 8c8d
    [  1870] 1 < stop 2.1

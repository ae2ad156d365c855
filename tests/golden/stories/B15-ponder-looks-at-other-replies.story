# B15: while we ponder, the last worker looks at the position in which the opponent chooses. Then each likely reply gets
# workers by its probability: the expected one (3c3d) the first, the last worker what is left over. Nothing that they say is
# shown. On a hit the others go on as they are, and these join them; one that has ended by itself joins them at once.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
join 3
    [     0] 3 < configure 1
join 4
    [     0] 4 < configure 1
join 5
    [     0] 5 < configure 1
> setoption name MinimumThinkingTime value 10
> position startpos moves 7g7f 3c3d
> go ponder btime 60000 wtime 60000 byoyomi 1000
    [     0] 1 < job 1.1.1 moves "7g7f 3c3d"
    [     0] 2 < job 1.2.1 moves "7g7f 3c3d"
    [     0] 3 < job 1.3.1 moves "7g7f 3c3d"
    [     0] 4 < job 1.4.1 moves "7g7f 3c3d"
    [     0] 5 < job 1.1073743620.1 moves "7g7f" multipv 6 nodes 50000 limit_ms 300
1 depth 3 cp 50 pv 2g2f 8c8d
    [     0] info depth 3 seldepth 5 score cp 50 nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f 8c8d
5 depth 4 cp 20 multipv 1 pv 8c8d 2g2f
5 depth 4 cp 10 multipv 2 pv 3c3d 2g2f
5 depth 4 cp -40 multipv 3 pv 4a3b 2g2f
5 depth 4 cp -45 multipv 4 pv 1c1d 2g2f
5 depth 4 cp -300 multipv 5 pv 5a5b 2g2f
5 depth 4 cp -310 multipv 6 pv 5a4b 2g2f
5 result 8c8d depth 5 cp 20
    [     0] 4 < stop 1.4
    [     0] 4 < job 1.1073742083.1 moves "7g7f 8c8d"
    [     0] 5 < job 1.1073743364.1 moves "7g7f" searchmoves "1c1d 2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 9c9d 1a1b 9a9b 3a3b 3a4b 7a6b 7a7b 8b3b 8b4b 8b5b 8b6b 8b7b 8b9b 4a3b 4a4b 4a5b 6a5b 6a6b 6a7b 5a4b 5a5b 5a6b"
+ 100
4 depth 9 cp 30 pv 2g2f
4 result 2g2f depth 9 cp 30
    [   100] 4 < job 1.4.2 moves "7g7f 3c3d"
+ 100
> ponderhit
    [   200] 5 < stop 1.1073743364
    [   200] 5 < job 1.5.1 moves "7g7f 3c3d" limit_ms 11400
1 result 2g2f ponder 8c8d depth 9 cp 50
+ 1000
# The one that looks is lost: the next one looks. A hit that comes before the end of the look ends it.
> position startpos moves 7g7f 8c8d
> go ponder btime 60000 wtime 60000 byoyomi 1000
    [  1200] info depth 9 seldepth 9 score cp 50 nodes 3000 nps 2500 hashfull 33 time 1200 pv 2g2f 8c8d
    [  1200] bestmove 2g2f ponder 8c8d
    [  1200] 2 < stop 1.2
    [  1200] 3 < stop 1.3
    [  1200] 4 < stop 1.4
    [  1200] 5 < stop 1.5
    [  1200] 1 < job 2.1.1 moves "7g7f 8c8d"
    [  1200] 2 < job 2.2.1 moves "7g7f 8c8d"
    [  1200] 3 < job 2.3.1 moves "7g7f 8c8d"
    [  1200] 4 < job 2.4.1 moves "7g7f 8c8d"
    [  1200] 5 < job 2.1073743620.1 moves "7g7f" multipv 6 nodes 50000 limit_ms 300
gone 5
    [  1200] evict 5
    [  1200] info string worker w5 is gone: connection lost
    [  1200] 4 < stop 2.4
    [  1200] 4 < job 2.1073743619.1 moves "7g7f" multipv 6 nodes 50000 limit_ms 300
4 depth 4 cp 20 multipv 1 pv 3c3d 2g2f
> ponderhit
    [  1200] 4 < stop 2.1073743619
    [  1200] 4 < job 2.4.2 moves "7g7f 8c8d" limit_ms 11400
+ 100
> stop
    [  1300] info depth 2 seldepth 2 score cp 4 nodes 3030 nps 30300 hashfull 0 time 100 pv 8i7g
    [  1300] bestmove 8i7g
    [  1300] 1 < stop 2.1
    [  1300] 2 < stop 2.2
    [  1300] 3 < stop 2.3
    [  1300] 4 < stop 2.4
# With two workers one is at the expected reply, the other at all the rest.
gone 4
    [  1300] evict 4
gone 3
    [  1300] evict 3
> position startpos moves 7g7f 8c8d
> go ponder
    [  1300] 1 < job 3.1.1 moves "7g7f 8c8d"
    [  1300] 2 < job 3.1073743617.1 moves "7g7f" multipv 6 nodes 50000 limit_ms 300
2 depth 4 cp 20 multipv 1 pv 3c3d 2g2f
2 depth 4 cp 0 multipv 2 pv 8c8d 2g2f
2 result 3c3d depth 5 cp 20
    [  1300] 2 < job 3.1073743361.1 moves "7g7f" searchmoves "1c1d 2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 8c8d 9c9d 1a1b 9a9b 3a3b 3a4b 7a6b 7a7b 8b3b 8b4b 8b5b 8b6b 8b7b 8b9b 4a3b 4a4b 4a5b 6a5b 6a6b 6a7b 5a4b 5a5b 5a6b"
+ 100
> stop
    [  1400] info depth 2 seldepth 2 score cp 4 nodes 3030 nps 30300 hashfull 0 time 100 pv 8i7g
    [  1400] bestmove 8i7g
    [  1400] 1 < stop 3.1
    [  1400] 2 < stop 3.1073743361

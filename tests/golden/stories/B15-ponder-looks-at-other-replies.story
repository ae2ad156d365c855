# B15: of three workers one searches the position in which the opponent chooses. Nothing that it says is shown. On a hit the
# others go on as they are, and it joins them; an aside search that ends by itself is not begun again.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
join 3
    [     0] 3 < configure 1
> setoption name MinimumThinkingTime value 10
> position startpos moves 7g7f 3c3d
> go ponder btime 60000 wtime 60000 byoyomi 1000
    [     0] 1 < job 1.1.1 moves "7g7f 3c3d"
    [     0] 2 < job 1.2.1 moves "7g7f 3c3d"
    [     0] 3 < job 1.1073741826.1 moves "7g7f"
1 depth 3 cp 50 pv 2g2f 8c8d
    [     0] info depth 3 seldepth 5 score cp 50 nodes 1000 nps 1000000 hashfull 10 time 1 pv 2g2f 8c8d
> ponderhit
    [     0] 3 < stop 1.1073741826
    [     0] 3 < job 1.3.1 moves "7g7f 3c3d" limit_ms 11400
1 result 2g2f ponder 8c8d depth 9 cp 50
+ 1000
> position startpos moves 7g7f 8c8d
> go ponder btime 60000 wtime 60000 byoyomi 1000
    [  1000] info depth 9 seldepth 9 score cp 50 nodes 1000 nps 1000 hashfull 10 time 1000 pv 2g2f 8c8d
    [  1000] bestmove 2g2f ponder 8c8d
    [  1000] 2 < stop 1.2
    [  1000] 3 < stop 1.3
    [  1000] 1 < job 2.1.1 moves "7g7f 8c8d"
    [  1000] 2 < job 2.2.1 moves "7g7f 8c8d"
    [  1000] 3 < job 2.1073741826.1 moves "7g7f"
+ 100
> stop
    [  1100] info depth 2 seldepth 2 score cp 4 nodes 2030 nps 20300 hashfull 0 time 100 pv 8i7g
    [  1100] bestmove 8i7g
    [  1100] 1 < stop 2.1
    [  1100] 2 < stop 2.2
    [  1100] 3 < stop 2.1073741826

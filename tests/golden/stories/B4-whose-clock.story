# B4: btime is the clock of Sente, whoever is to move (Fairy-Stockfish#269). White has 60 s, Black 1 ms: the answer takes its share of that, not the one millisecond.
join 1
    [     0] 1 < configure 1
> setoption name MinimumThinkingTime value 1
> setoption name RoundUpToFullSecond value false
> position startpos moves 7g7f
> go btime 1 wtime 60000
    [     0] 1 < job 1.1.1 moves "7g7f" limit_ms 7000
+ 300
1 depth 4 cp 10 pv 3c3d 2g2f
    [   300] info depth 4 seldepth 6 score cp 10 nodes 1000 nps 3333 hashfull 10 time 300 pv 3c3d 2g2f
+ 5000
    [   700] bestmove 3c3d ponder 2g2f
    [   700] 1 < stop 1.1
# and the other way round: Black to move with 1 ms left
> position startpos
> go btime 1 wtime 60000
    [  5300] 1 < job 2.1.1 limit_ms 2001
+ 2
    [  5301] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 2018000 hashfull 0 time 1 pv 3i3h
    [  5301] bestmove 3i3h
    [  5301] 1 < stop 2.1

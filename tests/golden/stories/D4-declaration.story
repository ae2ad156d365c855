# D4, D5: 28 points, ten pieces and the king in the camp: declared before any search, under the rule that is set; not while pondering.
join 1
    [     0] 1 < configure 1
> position sfen +P+P+P+P1+P+P+P+P/7+P+P/4K4/9/9/9/9/9/4k4 b 2R2B 1
> go btime 0 wtime 0 byoyomi 1000
    [     0] bestmove win
> go ponder
+ 100
> ponderhit
    [   100] bestmove win
> go infinite
+ 100
> stop
    [   200] bestmove win
> setoption name EnteringKingRule value CSARule24
> go movetime 10
    [   200] 1 < configure 2
    [   200] 1 < job 4.1.1 limit_ms 2010
+ 10
    [   210] info depth 2 seldepth 2 score cp 9110 nodes 2188 nps 218800 hashfull 0 time 10 pv 5c4b
    [   210] bestmove 5c4b
    [   210] 1 < stop 4.1
> setoption name EnteringKingRule value NoEnteringKing
> go movetime 10
+ 10
    [   220] info depth 2 seldepth 2 score cp 9110 nodes 10457 nps 1045700 hashfull 0 time 10 pv 5c4b
    [   220] info string no worker is ready: this move comes from the coordinator's own short search
    [   220] bestmove 5c4b

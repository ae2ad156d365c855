# A GUI that sends the next go without stop: the first is answered at once, then the second begins. Also usinewgame and gameover.
join 1
    [     0] 1 < configure 1
> position startpos
> go infinite
    [     0] 1 < job 1.1.1
1 depth 3 cp 30 pv 7g7f 3c3d
    [     0] info depth 3 seldepth 5 score cp 30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 7g7f 3c3d
> position startpos moves 7g7f
> go infinite
    [     0] bestmove 7g7f ponder 3c3d
    [     0] 1 < stop 1.1
    [     0] 1 < job 2.1.1 moves "7g7f"
1 depth 3 cp -30 pv 3c3d 2g2f
    [     0] info depth 3 seldepth 5 score cp -30 nodes 1000 nps 1000000 hashfull 10 time 1 pv 3c3d 2g2f
> isready
    [     0] readyok
> gameover draw
    [     0] bestmove 3c3d ponder 2g2f
    [     0] 1 < stop 2.1
> gameover win
> usinewgame
1 result 3c3d stopped
    [     0] (belongs to an earlier session, search or attempt)
> position startpos
> go movetime 5
    [     0] 1 < new_game
    [     0] 1 < job 3.1.1 limit_ms 2005
+ 5
    [     5] info depth 2 seldepth 2 score cp 0 nodes 2018 nps 403600 hashfull 0 time 5 pv 3i3h
    [     5] bestmove 3i3h
    [     5] 1 < stop 3.1

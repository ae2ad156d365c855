# D10, F3: a tsume position without the attacker's king is for go mate; go refuses it politely.
join 1
    [     0] 1 < configure 1
> position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1
> go movetime 1000
    [     0] info string a king is missing: such a position can only be given to `go mate`
    [     0] bestmove resign
> go mate 1000
    [     0] 1 < job 3.1.1 mate limit_ms 1000
1 mate G*5b
    [     0] info depth 1 score mate 1 nodes 1000 time 0
    [     0] checkmate G*5b
# no king to mate
> position sfen 9/9/9/9/9/9/9/9/4K4 b G 1
> go mate infinite
    [     0] info string there is no king to mate
    [     0] checkmate nomate

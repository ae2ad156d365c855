# H1, D: startpos, sfen, without the word sfen, blanks and tabs; mistakes are told with their place and answered with resign.
join 1
    [     0] 1 < configure 1
> position   sfen  lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL   b  -  1   moves  7g7f
> d
    [     0] sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
> position lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d
> d
    [     0] sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
> position startpos moves 7g7f 7g7f
    [     0] info string position refused: move 2, '7g7f', is not legal
> go infinite
    [     0] info string the last position was refused, so there is nothing to search
> position sfen lnsgkgsnl/1r5b1/pppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
    [     0] info string position refused: sfen, character 25: rank 3 has only 8 squares; expected 9
> go depth 3
    [     0] bestmove resign
    [     0] info string the last position was refused, so there is nothing to search
    [     0] bestmove resign
> go ponder
    [     0] info string the last position was refused, so there is nothing to search
> ponderhit
    [     0] bestmove resign
> position
    [     0] info string position refused: expected startpos or an sfen
> position startpos extra
    [     0] info string position refused: 'extra' behind startpos, expected 'moves'
> position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 extra moves
    [     0] info string position refused: 'extra' behind the sfen, expected 'moves'
# a good one puts it right
> position startpos moves 7g7f
> go movetime 1
    [     0] 1 < job 4.1.1 moves "7g7f" limit_ms 2001
+ 1
    [     1] info depth 2 seldepth 2 score cp -8 nodes 2356 nps 2356000 hashfull 0 time 1 pv 3a3b
    [     1] bestmove 3a3b
    [     1] 1 < stop 4.1

# D6: under the try rule the king's move to 5a is the win; it is a real move, so it is played as one.
> setoption name EnteringKingRule value TryRule
> position sfen 9/5K3/9/9/9/9/9/9/4k4 b - 1
> go btime 0 wtime 0 byoyomi 1000
    [     0] bestmove win

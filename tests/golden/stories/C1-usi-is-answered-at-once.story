# C1: no worker is needed for usiok.
> usi
    [     0] id name Murakumo
    [     0] id author the Murakumo authors
    [     0] option name USI_Hash type spin default 64 min 1 max 33554432
    [     0] option name Threads type spin default 2 min 1 max 1024
    [     0] option name USI_Ponder type check default false
    [     0] option name MultiPV type spin default 1 min 1 max 600
    [     0] option name NetworkDelay type spin default 120 min 0 max 10000
    [     0] option name NetworkDelay2 type spin default 1120 min 0 max 10000
    [     0] option name MinimumThinkingTime type spin default 2000 min 1 max 100000
    [     0] option name SlowMover type spin default 100 min 1 max 1000
    [     0] option name RoundUpToFullSecond type check default true
    [     0] option name MaxMovesToDraw type spin default 0 min 0 max 100000
    [     0] option name DrawValueBlack type spin default -2 min -30000 max 30000
    [     0] option name DrawValueWhite type spin default -2 min -30000 max 30000
    [     0] option name ResignValue type spin default 99999 min 0 max 99999
    [     0] option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule24 var CSARule24H var CSARule27 var CSARule27H var TryRule
    [     0] option name PvInterval type spin default 300 min 0 max 10000
    [     0] option name OutputFailLHPV type check default true
    [     0] option name GenerateAllLegalMoves type check default false
    [     0] option name UseTsumero type check default false
    [     0] option name MateShortest type check default true
    [     0] option name DepthLimit type spin default 0 min 0 max 127
    [     0] option name NodesLimit type spin default 0 min 0 max 9223372036854775807
    [     0] option name SplitStrategy type combo default auto var auto var lazy var tree var root var majority var optimistic
    [     0] option name DebugLogFile type string default <empty>
    [     0] usiok

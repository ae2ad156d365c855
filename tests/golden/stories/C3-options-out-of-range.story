# C3, C5: names in any case, values out of range are refused, undeclared options of other engines are not an error.
> setoption name usi_hash value 99999999999
    [     0] info string option USI_Hash: 99999999999 is outside 1..33554432; it stays 64
> setoption name USI_Hash value many
    [     0] info string option USI_Hash: 'many' is not a number
> setoption name USI_Ponder value true
> setoption name usi_ponder value perhaps
    [     0] info string option USI_Ponder: 'perhaps' is neither true nor false
> setoption name USI_OwnBook value true
> setoption name Contempt value 3
    [     0] info string there is no option "Contempt"
> setoption name EnteringKingRule value tryrule
> getoption EnteringKingRule
    [     0] Options[EnteringKingRule] == TryRule
> setoption name DebugLogFile value /tmp/a b.log
    [     0] debug file "/tmp/a b.log"
> getoption debuglogfile
    [     0] Options[DebugLogFile] == /tmp/a b.log
> setoption name DebugLogFile value <empty>
    [     0] debug file ""
> register later
> debug on

>    	 
> bogus command
    [     0] info string unknown command "bogus"

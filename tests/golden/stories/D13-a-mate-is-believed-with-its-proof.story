# A mate that a worker of another machine claims overrides a deeper line only with a proof against every defence. Worker 2 claims without one, then with two false ones (one begins with another move), then it proves.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
> setoption name PvInterval value 0
> position sfen 7k1/9/5+R3/9/9/9/9/9/4K4 b G 1
> go infinite
    [     0] 1 < job 1.1.1
    [     0] 2 < job 1.2.1
1 depth 12 cp 900 pv 5i5h 2a1b
    [     0] info depth 12 seldepth 14 score cp 900 nodes 1000 nps 1000000 hashfull 10 time 1 pv 5i5h 2a1b
2 depth 5 mate 3 pv 4c2c 2a3a G*3b
2 depth 6 mate 1 pv G*2b
    [     0] (the rules of shogi do not allow it)
2 depth 7 mate 3 proof 055 pv 4c2c 2a1a G*1b
    [     0] (the rules of shogi do not allow it)
2 depth 7 mate 3 proof 057 pv G*2b 2a1a 4c4a
    [     0] (the rules of shogi do not allow it)
2 depth 7 mate 3 proof 057 pv 4c2c 2a1a G*1b
    [     0] info depth 7 seldepth 9 score mate 3 nodes 2000 nps 2000000 hashfull 15 time 1 pv 4c2c 2a1a G*1b
1 depth 13 cp 1000 pv 5i5h 2a1b
2 depth 8 cp 100 pv 5i5h 2a1b
> stop
    [     0] bestmove 4c2c ponder 2a1a
    [     0] 1 < stop 1.1
    [     0] 2 < stop 1.2
1 result 5i5h depth 13 cp 1000 stopped
    [     0] (belongs to an earlier session, search or attempt)
2 result 4c2c depth 8 mate 3 stopped
    [     0] (belongs to an earlier session, search or attempt)
> position sfen 7k1/9/5+R3/9/9/9/9/9/4K4 b G 1
> go infinite
    [     0] 1 < job 2.1.1
    [     0] 2 < job 2.2.1
1 depth 12 cp 900 pv 5i5h 2a1b
    [     0] info depth 12 seldepth 14 score cp 900 nodes 1000 nps 1000000 hashfull 10 time 1 pv 5i5h 2a1b
2 depth 5 mate 5 proof 057 pv 4c2c 2a1a G*1b
    [     0] info depth 5 seldepth 7 score mate 3 nodes 2000 nps 2000000 hashfull 15 time 1 pv 4c2c 2a1a G*1b
1 depth 30 mate 3 pv 4c2c 2a3a G*3b
> stop
    [     0] bestmove 4c2c ponder 2a1a
    [     0] 1 < stop 2.1
    [     0] 2 < stop 2.2
1 result 5i5h depth 13 cp 1000 stopped
    [     0] (belongs to an earlier session, search or attempt)
2 result 4c2c depth 8 mate 3 stopped
    [     0] (belongs to an earlier session, search or attempt)

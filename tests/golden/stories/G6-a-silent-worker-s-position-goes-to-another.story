# G6: a worker falls silent in the middle of a position. It is suspected after 0.8 s and gone after 2 s; its position goes
# to another in the same step, 1.2 s after the suspicion. What it says when it wakes up belongs to no session.
join 1
    [     0] 1 < configure 1
join 2
    [     0] 2 < configure 1
scan 7 nodes 1000 moves 7g7f
    [     0] 1 < job 1.1.1 nodes 1000
    [     0] 2 < job 2.2.1 moves "7g7f" nodes 1000
2 result 3c3d depth 5 cp 10 nodes 1000
    [     0] scan 7 ply 1 verdict 0 best 3c3d score 10 worker w2
             line 1: 10 3c3d
silent 1
+ 1990
+ 20
    [  2000] evict 1
    [  2000] 2 < job 3.1.2 nodes 1000
2 result 2g2f depth 5 cp 20 nodes 1000
    [  2010] scan 7 ply 0 verdict 0 best 2g2f score 20 worker w2
             line 1: 20 2g2f
    [  2010] scan 7 done: 2 positions
speaks 1
    [  2010] (unknown name or number)
    [  2010] 1 < reset: no session with this coordinator

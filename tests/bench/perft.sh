#!/bin/bash
# perft.sh - speed of move generation beside Debian's fairy-stockfish, position by position, both on one thread.
#
#   RUNS=3         runs of each program per position, in turns; the median counts
#   BUILD=build    where murakumo-bench is
#   RIVAL=/usr/games/fairy-stockfish
#
# Times are seconds of processor time, less those of the same program at depth 1, so a busy machine and the start of the
# program do not count. fairy-stockfish takes a pawn-drop mate for a legal move, so its count may be a little higher.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}" "${RUNS:=3}" "${RIVAL:=/usr/games/fairy-stockfish}"
bench=$BUILD/murakumo-bench
[ -x "$bench" ] || { echo "perft.sh: $bench is missing; run make" >&2; exit 1; }
command -v "$RIVAL" >/dev/null || { echo "perft.sh: $RIVAL is missing; apt-get install fairy-stockfish" >&2; exit 1; }

ours() { "$bench" perft "$1" "$2" | awk '{ print $2 }'; }
theirs() {
    case $1 in startpos) set -- startpos "$2" ;; *) set -- "sfen $1" "$2" ;; esac
    printf 'usi\nposition %s\ngo perft %s\nquit\n' "$1" "$2" | "$RIVAL" | awk '/^Nodes searched/ { print $3 }'
}
# timed PROGRAM SFEN DEPTH: "leaves seconds"
timed() {
    local leaves seconds
    TIMEFORMAT=%U
    { seconds=$( { time leaves=$("$@"; echo) && echo "$leaves" >&3; } 2>&1 ); } 3>"$scratch"
    echo "$(head -n 1 "$scratch") $seconds"
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT

printf '%-12s %5s %13s %10s %10s %9s %9s %7s\n' position depth leaves "ours s" "rival s" "ours M/s" "rival M/s" ratio
measure() {
    local name=$1 depth=$2 sfen=$3 our_leaves=0 their_leaves=0 our_start their_start seconds our_times="" their_times=""
    read -r _ our_start < <(timed ours "$sfen" 1)
    read -r _ their_start < <(timed theirs "$sfen" 1)
    for _ in $(seq "$RUNS"); do
        read -r our_leaves seconds < <(timed ours "$sfen" "$depth")
        our_times+="$seconds"$'\n'
        read -r their_leaves seconds < <(timed theirs "$sfen" "$depth")
        their_times+="$seconds"$'\n'
    done
    awk -v name="$name" -v depth="$depth" -v a="$our_leaves" -v b="$their_leaves" -v ta="$(printf %s "$our_times" | median)" \
        -v tb="$(printf %s "$their_times" | median)" -v sa="$our_start" -v sb="$their_start" 'BEGIN {
            ta -= sa; tb -= sb; if (ta < 0.001) ta = 0.001; if (tb < 0.001) tb = 0.001
            printf "%-12s %5d %13d %10.3f %10.3f %9.1f %9.1f %6.1fx%s\n", name, depth, a, ta, tb, a / ta / 1e6, b / tb / 1e6, (a / ta) / (b / tb),
                a == b ? "" : sprintf("  (rival counts %d)", b)
        }'
}

measure startpos 5 startpos
measure most-moves 3 "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
measure middlegame 5 "ln1gk3l/1r4g2/p1p1p3p/3psBsp1/1p3p1n1/2P2b1S1/PPSPP1P1P/2K1G2R1/LN1G3NL w 3p 40"
measure sharp 4 "l3sk1nl/4gs1g1/3r1p1pp/p1p1p4/1p1n1PS2/P1PSP4/1P1G1G1PP/3R5/LNK2b1NL w B4P 54"
measure startpos 6 startpos

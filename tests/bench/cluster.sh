#!/bin/sh
# cluster.sh - time to depth of real processes: one worker of one thread against two, by strategy.
#
#   tests/bench/cluster.sh [--positions N] [--skip N] [--depth D] [--hash MB] [--delay MS] [--multipv LINES]
#
# Prints, for each position, the milliseconds until depth D was finished and the nodes of all workers (ms:nodes), and at the
# end geometric means over the positions: the speed-up over one worker, and nodes of two / nodes of one. The latter do not
# depend on how fast the machine runs two processes; compare them with the simulator's. `majority` shares nothing: the control.
# Needs as many idle cores as workers; anything else that runs beside it makes the milliseconds worthless.
# --delay: the workers are behind a line that takes so long each way (build/e2e/slow_line), a round trip is twice that.
# --multipv: so many lines, and the strategy `root` in place of `tree`, which does not do several.
# What an ideal machine would show: murakumo simulate --workers 1,2 [--latency-ms 2*MS]
set -eu
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
positions=10
skip=0
depth=16
hash=64
delay=
lines=1
third=tree
while [ $# -gt 0 ]; do
    case $1 in
    --positions) positions=$2; shift 2 ;;
    --skip) skip=$2; shift 2 ;;
    --depth) depth=$2; shift 2 ;;
    --hash) hash=$2; shift 2 ;;
    --delay) delay=$2; shift 2 ;;
    --multipv) lines=$2 third=root; shift 2 ;;
    *) echo "usage: tests/bench/cluster.sh [--positions N] [--skip N] [--depth D] [--hash MB] [--delay MS]" \
            "[--multipv LINES]" >&2; exit 2 ;;
    esac
done
[ -x "$BUILD/murakumo" ] || make -s BUILD="$BUILD" all
[ -z "$delay" ] || [ -x "$BUILD/e2e/slow_line" ] || make -s BUILD="$BUILD" "$BUILD/e2e/slow_line"

# near WORKERS STRATEGY SFEN: local workers
near() {
    "$BUILD/murakumo" --workers "$1" --threads 1 --hash "$hash" "isready" "setoption name SplitStrategy value $2" \
        "setoption name MultiPV value $lines" "setoption name PvInterval value 0" "usinewgame" "isready" "position sfen $3" "go depth $depth" 2>/dev/null
}

# far WORKERS STRATEGY SFEN: workers that connect through the slow line
port=$((10000 + $$ % 10000 * 2)) # the hint relay has the one beside it
far() {
    dir=$(mktemp -d)
    mkfifo "$dir/in"
    "$BUILD/murakumo" --workers 0 --listen "tcp://127.0.0.1:$port" <"$dir/in" >"$dir/out" 2>/dev/null &
    exec 3>"$dir/in"
    "$BUILD/e2e/slow_line" "$delay" "$port" $((port + 1)) >/dev/null 3>&- &
    started=$!
    for _ in $(seq "$1"); do
        "$BUILD/murakumo-worker" --connect "tcp://127.0.0.2:$port" --threads 1 --hash "$hash" >/dev/null 2>&1 3>&- &
        started="$started $!"
    done
    sleep 2 # until all have joined
    printf '%s\n' "isready" "setoption name SplitStrategy value $2" "setoption name MultiPV value $lines" \
        "setoption name PvInterval value 0" usinewgame isready \
        "position sfen $3" "go depth $depth" >&3
    until grep -q '^bestmove' "$dir/out"; do sleep 0.2; done
    echo quit >&3
    exec 3>&-
    # shellcheck disable=SC2086
    kill $started 2>/dev/null || true
    wait
    cat "$dir/out"
    rm -r "$dir"
}

# time_to_depth WORKERS STRATEGY SFEN -> milliseconds:nodes
time_to_depth() {
    if [ -n "$delay" ]; then far "$@"; else near "$@"; fi |
        awk -v depth="$depth" '/^info depth/ && !/bound/ {
            for (i = 1; i < NF; i++) { if ($i == "depth") d = $(i + 1); if ($i == "time") t = $(i + 1)
                                       if ($i == "nodes") n = $(i + 1) }
            if (d >= depth && !found) { found = 1; print (t > 0 ? t : 1) ":" n } }'
}

echo "position one lazy2 majority2 ${third}2 (ms:nodes to depth $depth)"
grep -v '^#' tests/data/positions.tsv | cut -f 1 | tail -n +$((skip + 1)) | head -n "$positions" |
    while read -r sfen; do
        one=$(time_to_depth 1 lazy "$sfen" </dev/null)
        lazy=$(time_to_depth 2 lazy "$sfen" </dev/null)
        majority=$(time_to_depth 2 majority "$sfen" </dev/null)
        tree=$(time_to_depth 2 $third "$sfen" </dev/null)
        echo "${sfen%% *} $one $lazy $majority $tree"
    done | tee /dev/stderr |
    awk -F '[ :]' -v third=$third 'NF == 9 { n++; lazy += log($2 / $4); majority += log($2 / $6); tree += log($2 / $8)
                             lazy_nodes += log($5 / $3); majority_nodes += log($7 / $3); tree_nodes += log($9 / $3) }
         END { if (!n) exit 1
               printf "speed-up over one worker, %d positions: lazy %.2f, majority %.2f, %s %.2f\n", n,
                      exp(lazy / n), exp(majority / n), third, exp(tree / n)
               printf "nodes of two / nodes of one: lazy %.2f, majority %.2f, %s %.2f\n",
                      exp(lazy_nodes / n), exp(majority_nodes / n), third, exp(tree_nodes / n) }'

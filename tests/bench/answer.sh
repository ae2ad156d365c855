#!/bin/bash
# answer.sh - what the way through coordinator and worker costs, beside the bare engine in one process.
#
#   tests/bench/answer.sh [--depth N] [--positions N] [--stops N] [--joins N]
#
# Prints the nodes and the time of the first N bench positions to a depth, bare (`murakumo-bench search`) and through a
# coordinator with one worker: the nodes are the same, the times differ by what the way costs (repetitions count 0 in
# both). Then the time from `stop` to `bestmove`, N times, and that from the start of a worker's process in the middle
# of a search to its first line of depth 8, N times. Needs an idle machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
depth=12 positions=12 stops=100 joins=20
while [ $# -gt 0 ]; do
    case $1 in
    --depth) depth=$2; shift 2 ;;
    --positions) positions=$2; shift 2 ;;
    --stops) stops=$2; shift 2 ;;
    --joins) joins=$2; shift 2 ;;
    *) echo "usage: tests/bench/answer.sh [--depth N] [--positions N] [--stops N] [--joins N]" >&2; exit 2 ;;
    esac
done
[ -x "$BUILD/murakumo-bench" ] || make -s BUILD="$BUILD" all || exit 1
# shellcheck source=tests/bench/usi_pipe.sh
. tests/bench/usi_pipe.sh

# await ENGINE WORD
await() { usi_await "$1" "$2" || { echo "answer.sh: no $2 from $BUILD/murakumo ($1)" >&2; exit 1; }; }
ready() {
    usi_greet "$1" || { echo "answer.sh: no usiok from $BUILD/murakumo ($1)" >&2; exit 1; }
    usi_tell "$1" "setoption name "{PvInterval,DrawValueBlack,DrawValueWhite}" value 0" isready
    await "$1" readyok
}
# spread WHAT: the spread of microseconds, one a line
spread() {
    sort -n | awk -v what="$1" '{ ms[NR] = $1 / 1000 }
        END { most = int((NR * 19 + 19) / 20)
              if (NR) printf "%s, %d times: median %.1f ms, 95 %% %.1f ms, longest %.1f ms\n", what, NR, ms[int((NR + 1) / 2)], ms[most], ms[NR] }'
}

usi_start one "$BUILD/murakumo" --workers 1 --threads 1 --hash 16
ready one
sfens=$(sed -n 's/^    "\(.*\)",\{0,1\}$/\1/p' tests/bench/bench_positions.h | head -n "$positions")
"$BUILD/murakumo-bench" search --depth "$depth" --positions "$positions" | tail -n 3 | tr '\n' ' '
echo "(bare)"
sum=0 time_us=0
while read -r sfen; do
    usi_tell one usinewgame isready
    await one readyok
    begun=$(now_us)
    usi_tell one "position sfen $sfen" "go depth $depth"
    await one bestmove
    time_us=$((time_us + $(now_us) - begun)) sum=$((sum + nodes))
done <<<"$sfens"
awk -v n="$sum" -v t="$time_us" 'BEGIN { printf "nodes %d seconds %.3f nps %.0f (one worker)\n", n, t / 1e6, n * 1e6 / t }'

times=
for ((i = 0; i < stops; i++)); do
    usi_tell one 'position startpos' 'go infinite'
    await one "info depth 7 "
    begun=$(now_us)
    usi_tell one stop
    await one bestmove
    times+=$(($(now_us) - begun))$'\n'
done
usi_tell one quit
printf %s "$times" | spread "stop to bestmove"

usi_start host "$BUILD/murakumo" --workers 0 --listen "ipc://$usi_pipes/socket" --hash 16
ready host
times=
for ((i = 0; i < joins; i++)); do
    usi_tell host 'position startpos' 'go infinite'
    begun=$(now_us)
    "$BUILD/murakumo-worker" --connect "ipc://$usi_pipes/socket" --threads 1 --hash 64 >/dev/null 2>&1 &
    worker=$!
    await host "info depth 8 "
    times+=$(($(now_us) - begun))$'\n'
    usi_tell host stop
    await host bestmove
    kill "$worker"
    wait "$worker"
done
usi_tell host quit
printf %s "$times" | spread "start of a worker to its line of depth 8"

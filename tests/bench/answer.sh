#!/bin/bash
# answer.sh - what the way through coordinator and worker costs, beside the bare engine in one process.
#
#   tests/bench/answer.sh [--depth N] [--positions N] [--stops N]
#
# Prints the nodes and the time of the first N bench positions to a depth, bare (`murakumo-bench search`) and through a
# coordinator with one worker: the nodes are the same, the times differ by what the way costs (repetitions count 0 in
# both). Then the time from `stop` to `bestmove`, N times. Needs an idle machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
depth=12 positions=12 stops=100
while [ $# -gt 0 ]; do
    case $1 in
    --depth) depth=$2; shift 2 ;;
    --positions) positions=$2; shift 2 ;;
    --stops) stops=$2; shift 2 ;;
    *) echo "usage: tests/bench/answer.sh [--depth N] [--positions N] [--stops N]" >&2; exit 2 ;;
    esac
done
[ -x "$BUILD/murakumo-bench" ] || make -s BUILD="$BUILD" all || exit 1

pipes=$(mktemp -d) || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$pipes"' EXIT
mkfifo "$pipes/in" "$pipes/out"
"$BUILD/murakumo" --workers 1 --threads 1 --hash 16 <"$pipes/in" >"$pipes/out" 2>/dev/null &
exec 3>"$pipes/in" 4<"$pipes/out"

# await WORD -> the first line that begins with it, in $line; the nodes of the last info before, in $nodes
await() {
    nodes=0
    while read -r -t 600 -u 4 line; do
        case $line in
        "$1"*) return 0 ;;
        *" nodes "*) nodes=${line##* nodes } nodes=${nodes%% *} ;;
        esac
    done
    echo "answer.sh: no $1 from $BUILD/murakumo" >&2
    exit 1
}
now_us() { echo "${EPOCHREALTIME/./}"; }

printf 'setoption name %s value 0\n' PvInterval DrawValueBlack DrawValueWhite >&3
printf 'usi\nisready\n' >&3
await readyok
sfens=$(sed -n 's/^    "\(.*\)",\{0,1\}$/\1/p' tests/bench/bench_positions.h | head -n "$positions")

"$BUILD/murakumo-bench" search --depth "$depth" --positions "$positions" | tail -n 3 | tr '\n' ' '
echo "(bare)"
sum=0 time_us=0
while read -r sfen; do
    printf 'usinewgame\nisready\n' >&3
    await readyok
    begun=$(now_us)
    printf 'position sfen %s\ngo depth %s\n' "$sfen" "$depth" >&3
    await bestmove
    time_us=$((time_us + $(now_us) - begun)) sum=$((sum + nodes))
done <<<"$sfens"
awk -v n="$sum" -v t="$time_us" 'BEGIN { printf "nodes %d seconds %.3f nps %.0f (one worker)\n", n, t / 1e6, n * 1e6 / t }'

for ((i = 0; i < stops; i++)); do
    printf 'position startpos\ngo infinite\n' >&3
    await "info depth 7 "
    begun=$(now_us)
    printf 'stop\n' >&3
    await bestmove
    echo $(($(now_us) - begun))
done | sort -n | awk '{ t[NR] = $1 } END { printf "stop to bestmove, %d times: median %.2f ms, 95 %% %.2f ms, longest %.2f ms\n",
    NR, t[int((NR + 1) / 2)] / 1000, t[int(NR * 0.95)] / 1000, t[NR] / 1000 }'
echo quit >&3

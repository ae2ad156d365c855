#!/bin/sh
# search.sh - nodes per second of our search beside Debian's fairy-stockfish and gpsshogi, one thread each, the same positions.
#
# Needs build/murakumo-bench; measures those of /usr/games/fairy-stockfish and /usr/games/gpsusi that are installed (packages
# fairy-stockfish, gpsshogi). DEPTH (ours and fairy-stockfish's) and COUNT can be set; gpsusi knows no depth and gets a second a move.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${DEPTH:=10}" "${COUNT:=30}"
answer_s=120 # longest wait for one answer

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Waits until there are $2 lines that begin with $1.
wait_for() {
    tenths=0
    while [ "$(grep -c "^$1" "$work/out" || true)" -lt "$2" ]; do
        tenths=$((tenths + 1))
        [ "$tenths" -le $((answer_s * 10)) ] || { echo "search.sh: no $1 after $answer_s s" >&2; exit 1; }
        sleep 0.1
    done
}

# theirs OPTION GO COMMAND...: "NODES NODES_PER_SECOND", by the engine's own count and clock
theirs() {
    option=$1 go=$2
    shift 2
    rm -f "$work/in"
    mkfifo "$work/in"
    : >"$work/out"
    "$@" <"$work/in" >"$work/out" 2>/dev/null &
    exec 3>"$work/in"
    echo usi >&3
    wait_for usiok 1
    printf 'setoption name %s\nisready\n' "$option" >&3
    wait_for readyok 1
    moves=0
    grep -v '^#' tests/data/positions.tsv | cut -f1 | head -n "$COUNT" >"$work/positions"
    while read -r sfen; do
        printf 'position sfen %s\n%s\n' "$sfen" "$go" >&3
        moves=$((moves + 1))
        wait_for bestmove "$moves"
    done <"$work/positions"
    echo quit >&3
    exec 3>&-
    wait $! || true
    awk '/^info/ { for (i = 1; i < NF; i++) { if ($i == "nodes") n = $(i + 1); if ($i == "time") t = $(i + 1) } }
         /^bestmove/ { nodes += n; ms += t; n = t = 0 }
         END { printf "%d %d\n", nodes, (ms > 0 ? nodes * 1000 / ms : 0) }' "$work/out"
}

row() {
    printf '%-16s %12s nodes %10s nodes/s' "$1" "$2" "$3"
    [ "$1" = murakumo ] || awk -v a="$our_nps" -v b="$3" 'BEGIN { printf "  ours: %.2f times as many", (b > 0 ? a / b : 0) }'
    echo
}

ours=$("$BUILD"/murakumo-bench search --depth "$DEPTH" --positions "$COUNT")
our_nps=$(echo "$ours" | awk '/^nps/ { print $2 }')
row murakumo "$(echo "$ours" | awk '/^nodes/ { print $2 }')" "$our_nps"

measured=0
if [ -x /usr/games/fairy-stockfish ]; then
    sums=$(theirs 'Hash value 16' "go depth $DEPTH" /usr/games/fairy-stockfish)
    row fairy-stockfish "${sums% *}" "${sums#* }"
    measured=$((measured + 1))
fi
if [ -x /usr/games/gpsusi ]; then
    sums=$(theirs 'BookDepth value 0' 'go btime 0 wtime 0 byoyomi 1000' /usr/games/gpsusi --num-cpus 1)
    row gpsusi "${sums% *}" "${sums#* }"
    measured=$((measured + 1))
fi
[ "$measured" -gt 0 ] || { echo "search.sh: neither fairy-stockfish nor gpsshogi is installed (Debian packages of these names)" >&2; exit 3; }

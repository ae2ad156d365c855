#!/bin/sh
# search.sh - nodes per second of our search beside Debian's fairy-stockfish, one thread each, the same positions, taking turns.
#
# Needs build/murakumo-bench and /usr/games/fairy-stockfish (package fairy-stockfish). DEPTH and COUNT can be set.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${DEPTH:=10}" "${COUNT:=30}"
other=${OTHER:-/usr/games/fairy-stockfish}
[ -x "$other" ] || { echo "search.sh: $other is not installed (package fairy-stockfish)" >&2; exit 3; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A `go` waits for the search before it; only `quit` must wait for the last answer.
theirs() {
    mkfifo "$work/in"
    "$other" <"$work/in" >"$work/out" &
    exec 3>"$work/in"
    printf 'usi\nsetoption name Hash value 16\nisready\n' >&3
    grep -v '^#' tests/data/positions.tsv | cut -f1 | head -n "$COUNT" | while read -r sfen; do
        printf 'position sfen %s\ngo depth %s\n' "$sfen" "$DEPTH" >&3
    done
    while kill -0 $! 2>/dev/null && [ "$(grep -c '^bestmove' "$work/out" || true)" -lt "$COUNT" ]; do sleep 0.1; done
    echo quit >&3
    exec 3>&-
    wait $! || true
    awk '/^info/ { for (i = 1; i < NF; i++) { if ($i == "nodes") n = $(i + 1); if ($i == "time") t = $(i + 1) } }
         /^bestmove/ { nodes += n; ms += t } END { printf "%d %d\n", nodes, (ms > 0 ? nodes * 1000 / ms : 0) }' "$work/out" >"$work/sum"
}

ours=$("$BUILD"/murakumo-bench search --depth "$DEPTH" --positions "$COUNT")
our_nodes=$(echo "$ours" | awk '/^nodes/ { print $2 }')
our_nps=$(echo "$ours" | awk '/^nps/ { print $2 }')
theirs
read -r their_nodes their_nps <"$work/sum"
printf '%-16s %12s nodes %10s nodes/s\n' murakumo "$our_nodes" "$our_nps" "$(basename "$other")" "$their_nodes" "$their_nps"
awk -v a="$our_nps" -v b="$their_nps" 'BEGIN { printf "ratio %.2f\n", (b > 0 ? a / b : 0) }'

#!/bin/sh
# ponder.sh - what pondering is worth: how deep the search is a moment after the opponent has played the expected reply, the
# second likeliest, the third.
#
#   tests/bench/ponder.sh [--positions N] [--workers N] [--ponder S] [--think S]
#
# Replies are ranked by a search of several lines. BUILD names another build to compare with. Needs idle cores: with more
# workers than cores all of it is a matter of who is let run.
set -eu
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
positions=12 workers=6 ponder=5 think=0.4
while [ $# -gt 0 ]; do
    case $1 in
    --positions) positions=$2; shift 2 ;;
    --workers) workers=$2; shift 2 ;;
    --ponder) ponder=$2; shift 2 ;;
    --think) think=$2; shift 2 ;;
    *) echo "usage: tests/bench/ponder.sh [--positions N] [--workers N] [--ponder S] [--think S]" >&2; exit 2 ;;
    esac
done
[ -x "$BUILD/murakumo" ] || make -s BUILD="$BUILD" all

alone() { "$BUILD/murakumo" --threads 1 --hash 64 "setoption name MultiPV value 3" "$@" 2>/dev/null; }
engine() { "$BUILD/murakumo" --workers "$workers" --threads 1 --hash 64 2>/dev/null; }
deepest() {
    awk '/^info string/ { next } /^bestmove/ { n++ } n == past && /^info depth/ && !/bound/ { d = $3 } END { print d + 0 }' past="$1"
}

# after PLACE SFEN MOVES EXPECTED PLAYED
after() {
    {
        printf '%s\n' "setoption name PvInterval value 0" isready usinewgame isready \
            "position sfen $2 moves $3 $4" "go ponder"
        sleep "$ponder"
        if [ "$1" = 1 ]; then
            echo "ponderhit btime 0 wtime 0 byoyomi 60000"
        else
            printf '%s\n' stop "position sfen $2 moves $3 $5" "go infinite"
        fi
        sleep "$think"
        printf '%s\n' stop quit
    } | engine | deepest $(($1 > 1))
}

echo "sfen hit second third (plies)"
grep -v '^#' tests/data/openings.sfen | awk 'NR % 7 == 4' | head -n "$positions" |
    while read -r sfen; do
        ours=$(alone "position sfen $sfen" "go nodes 60000" </dev/null | sed -n 's/^bestmove \([^ ]*\).*/\1/p')
        lines=$(alone "position sfen $sfen moves $ours" "go nodes 200000" </dev/null |
            sed -n 's/.* multipv \([123]\) .* pv \([^ ]*\).*/\1 \2/p' | awk '{ m[$1] = $2 } END { print m[1], m[2], m[3] }')
        # shellcheck disable=SC2086
        set -- $lines
        echo "${sfen%% *} $(after 1 "$sfen" "$ours" "$1" "$1") $(after 2 "$sfen" "$ours" "$1" "$2")" \
            "$(after 3 "$sfen" "$ours" "$1" "$3")"
    done | tee /dev/stderr |
    awk '{ n++; hit += $2; second += $3; third += $4 }
         END { if (!n) exit 1
               printf "mean depth, %d positions: hit %.2f, second %.2f, third %.2f\n", n, hit / n, second / n, third / n }'

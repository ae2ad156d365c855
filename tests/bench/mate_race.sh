#!/bin/bash
# mate_race.sh - mate problems against another engine: `go mate` with the same time, one problem after the other.
#
#   tests/bench/mate_race.sh [--time MS] [--every N] [--offset N] [--count N] [--hash MB] [--threads N]
#                            [--workers N] [--opponent "COMMAND"] FILE...
#
# FILE has a SFEN in each line, before the first tab; `#` begins a remark. A problem counts as solved when the engine
# says a mate, the first it finds (MateShortest off: gpsshogi does not look for shorter ones either); the lines of this
# engine are proved, the other one's are taken as said. The opponent may be this engine too, with other settings. Prints the milliseconds of both
# for each problem and their sums. Debian's gpsshogi is the usual opponent. Anything that runs beside it makes the
# figures worthless.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
time_ms=10000 every=1 offset=0 count=0 hash=1024 threads=1 workers=1 opponent="/usr/games/gpsusi --num-cpus 1"
usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit "$1"
}
while [ $# -gt 0 ]; do
    case $1 in
    --time) time_ms=$2; shift 2 ;;
    --every) every=$2; shift 2 ;;
    --offset) offset=$2; shift 2 ;;
    --count) count=$2; shift 2 ;;
    --hash) hash=$2; shift 2 ;;
    --threads) threads=$2; shift 2 ;;
    --workers) workers=$2; shift 2 ;;
    --opponent) opponent=$2; shift 2 ;;
    --help) usage 0 ;;
    -*) usage 2 >&2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || usage 2 >&2
for file in "$@"; do
    [ -r "$file" ] || { echo "mate_race.sh: $file: cannot be read" >&2; exit 1; }
done
[ -x "$BUILD/murakumo" ] || make -s BUILD="$BUILD" all || exit 1

# shellcheck source=tests/bench/usi_pipe.sh
. tests/bench/usi_pipe.sh
usi_start us "$BUILD/murakumo" --workers "$workers" --threads "$threads" --hash "$hash"
# shellcheck disable=SC2086 # it may have arguments
usi_start they $opponent

# ready ENGINE COMMAND
ready() {
    usi_greet "$1" && case $options in
    *"name MateShortest "*) usi_tell "$1" 'setoption name MateShortest value false' ;;
    esac
    usi_tell "$1" isready
    usi_await "$1" readyok 60 || { echo "mate_race.sh: $2 does not answer" >&2; exit 1; }
}
# solve ENGINE SFEN -> $ms, and 0 if it says a mate
solve() {
    local begun
    usi_tell "$1" usinewgame isready
    usi_await "$1" readyok 60 || return 1
    begun=$(now_us)
    usi_tell "$1" "position sfen $2" "go mate $time_ms"
    usi_await "$1" checkmate $((time_ms / 1000 + 10))
    ms=$((($(now_us) - begun) / 1000))
    case $line in
    "checkmate "[1-9PLNSGBR]*) return 0 ;;
    esac
    return 1
}
ready us "$BUILD/murakumo"
ready they "$opponent"

number=0 tried=0 ours=0 theirs=0 our_ms=0 their_ms=0
while IFS= read -r sfen; do
    sfen=${sfen%%$'\t'*}
    case $sfen in '' | '#'* | sfen) continue ;; esac
    number=$((number + 1))
    [ $(((number - 1) % every)) -eq "$offset" ] || continue
    [ "$count" -eq 0 ] || [ "$tried" -lt "$count" ] || break
    tried=$((tried + 1))
    mine='-' his='-'
    solve us "$sfen" && ours=$((ours + 1)) && mine=mate
    our_ms=$((our_ms + ms))
    first=$ms
    solve they "$sfen" && theirs=$((theirs + 1)) && his=mate
    their_ms=$((their_ms + ms))
    printf '%4d  %6d ms %-5s %6d ms %-5s %s\n' "$number" "$first" "$mine" "$ms" "$his" "$sfen"
done < <(cat "$@")
usi_tell us quit
usi_tell they quit
[ "$tried" -gt 0 ] || exit 1
printf '%d problems, %d ms each: ours %d solved, %d ms; theirs %d solved, %d ms; ratio %d.%02d\n' "$tried" "$time_ms" \
    "$ours" "$our_ms" "$theirs" "$their_ms" $((our_ms / (their_ms ? their_ms : 1))) \
    $((our_ms * 100 / (their_ms ? their_ms : 1) % 100))

#!/bin/bash
# refute.sh - asks another engine about every move of every published puzzle, and counts those that it would not play.
#
#     tests/bench/refute.sh [--engine "/usr/games/fairy-stockfish"] [--nodes 3000000] PUZZLES.jsonl
#
# PUZZLES.jsonl is what `murakumo mine --format jsonl` wrote. The engine gets the bare position of each move of the
# solver, an empty table and so many nodes. A puzzle counts as refuted when the engine prefers another move anywhere in
# the solution; promoting or not is the same move (mine.h). A mate that is proved, and proved to be the only fastest one,
# cannot be refuted: when the engine wins otherwise there, it is said and counted apart. One line for each on stdout, the
# sum at the end; exit code 1 if the engine failed.
set -u
engine=/usr/games/fairy-stockfish
limit=3000000
while [ $# -gt 1 ]; do
    case $1 in
    --engine) engine=$2 ;;
    --nodes) limit=$2 ;;
    *) break ;;
    esac
    shift 2
done
if [ $# -ne 1 ] || [ ! -r "$1" ]; then
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

# shellcheck source=tests/bench/usi_pipe.sh
. "$(dirname "$0")/usi_pipe.sh"
# shellcheck disable=SC2086 # the engine may have arguments
usi_start it $engine
await() { usi_await it "$1" || { echo "refute.sh: $engine: no $1" >&2; exit 1; }; }
usi_greet it || { echo "refute.sh: $engine: no usiok" >&2; exit 1; }
usi_tell it 'setoption name USI_Variant value shogi' 'setoption name USI_Hash value 64' isready
await readyok

puzzles=0 moves=0 refuted=0 slower=0
while read -r row; do
    id=$(sed 's/.*"id":"\([^"]*\)".*/\1/' <<<"$row")
    sfen=$(sed 's/.*"sfen":"\([^"]*\)".*/\1/' <<<"$row")
    read -r -a solution <<<"$(sed 's/.*"solution":\[\([^]]*\)\].*/\1/; s/[",]/ /g' <<<"$row")"
    played="" bad=""
    puzzles=$((puzzles + 1))
    for ((i = 0; i < ${#solution[@]}; i++)); do
        if ((i % 2 == 0)); then
            usi_tell it usinewgame "position sfen $sfen${played:+ moves$played}" "go nodes $limit"
            await bestmove
            read -r _ best _ <<<"$line"
            moves=$((moves + 1))
            [ "${best%+}" = "${solution[i]%+}" ] || bad="$bad move $((i / 2 + 1)) ${solution[i]} it plays $best;"
        fi
        played="$played ${solution[i]}"
    done
    [ -z "$bad" ] && continue
    if grep -q '"mate_plies":0[,}]' <<<"$row"; then
        refuted=$((refuted + 1))
    else
        slower=$((slower + 1))
        bad=" proved mate;$bad"
    fi
    echo "$id sfen $sfen:$bad"
done < <(grep '^{"type":"puzzle"' "$1")
usi_tell it quit
echo "$puzzles puzzles, $moves moves, $limit nodes each: $refuted refuted, $slower proved mates begun otherwise"

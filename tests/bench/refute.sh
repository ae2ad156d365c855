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
nodes=3000000
while [ $# -gt 1 ]; do
    case $1 in
    --engine) engine=$2 ;;
    --nodes) nodes=$2 ;;
    *) break ;;
    esac
    shift 2
done
if [ $# -ne 1 ] || [ ! -r "$1" ]; then
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

# shellcheck disable=SC2086 # the engine may have arguments
coproc ENGINE { exec $engine 2>/dev/null; }
tell() { echo "$1" >&"${ENGINE[1]}"; }
await() { # the line that begins with the word, into `said`
    while read -r -t 600 said <&"${ENGINE[0]}"; do
        case $said in "$1"*) return 0 ;; esac
    done
    echo "refute.sh: $engine: no $1" >&2
    exit 1
}
tell usi
await usiok
tell "setoption name USI_Variant value shogi"
tell "setoption name USI_Hash value 64"
tell isready
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
            tell usinewgame
            tell "position sfen $sfen${played:+ moves$played}"
            tell "go nodes $nodes"
            await bestmove
            read -r _ best _ <<<"$said"
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
tell quit
echo "$puzzles puzzles, $moves moves, $nodes nodes each: $refuted refuted, $slower proved mates begun otherwise"

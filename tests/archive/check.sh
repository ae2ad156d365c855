#!/bin/sh
# check.sh FOLDER - reads every file of an archive of game records under ASan and UBSan, writes it in every format, reads that again and
# compares; with a golden.tsv in the folder (file, index, ..., usi_moves: see tests/golden/records/games.tsv) also with what an
# independent reader made of it; with a MANIFEST.tsv (first column: the files) the tests of tests/unit/check_record.c run over the folder
# in the place of tests/data/games: times, comments, names and variations through every format, every beginning of a file, damaged files.
# Prints counts. Exit code 1 on a crash, a sanitizer report or a game that changed.
#
#   tests/archive/check.sh tests/data/games         BUILD=build/asan and SAN=address,undefined unless set
set -eu
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build/asan}"
: "${SAN:=address,undefined}"
[ $# = 1 ] && [ -d "$1" ] || { echo "usage: tests/archive/check.sh FOLDER" >&2; exit 2; }
folder=${1%/}
make -s BUILD="$BUILD" SAN="$SAN" "$BUILD/murakumo" >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
bad=0

# convert CODE_MAX ARGUMENTS...: 0 = done, 1 = something was refused (said on stderr); anything else is a crash.
convert() {
    most=$1
    shift
    code=0
    "$BUILD/murakumo" convert "$@" 2>"$work/err" || code=$?
    if [ "$code" -gt "$most" ] || grep -qE 'Sanitizer|runtime error' "$work/err"; then
        echo "check.sh: murakumo convert $* ended with $code:" >&2
        tail -n 30 "$work/err" >&2
        exit 1
    fi
}

# Start and moves as USI, game for game. The number of the start position counts in USI alone; ends do not count here (USI has words for
# two of them only; tests/unit/check_record.c compares all).
moves_of() { sed 's/ resign$//; s/ win$//; s/ moves$//; s/^\(position sfen [^ ]* [bw] [^ ]*\) [0-9]*/\1/' "$1"; }

convert 1 --to jsonl "$folder" -o "$work/all.jsonl"
tail -n 1 "$work/err"
refused=$(grep -c 'expected a game record' "$work/err" || true)
whole=$(grep -c '"reject":false' "$work/all.jsonl" || true)
echo "files that are no record: $refused; games: $(wc -l <"$work/all.jsonl"), read to their end: $whole"

# Games of which moves are missing cannot be compared: what stands in the place of the gap is kept by some formats only.
convert 1 --strict --to usi "$folder" -o "$work/straight.usi"
moves_of "$work/straight.usi" >"$work/a"
for format in csa csa3 kif ki2 usi sfen jkf; do
    for encoding in utf-8 sjis; do
        [ "$format" = jkf ] && [ "$encoding" = sjis ] && continue
        convert 1 --strict --to "$format" --encoding "$encoding" "$folder" -o "$work/there"
        convert 0 --to usi "$work/there" -o "$work/back.usi"
        moves_of "$work/back.usi" >"$work/b"
        if cmp -s "$work/a" "$work/b"; then
            echo "$format $encoding: $(wc -l <"$work/b") games there and back"
        else
            echo "$format $encoding: games changed:"
            diff "$work/a" "$work/b" | head -n 6
            bad=1
        fi
    done
done

if [ -e "$folder/MANIFEST.tsv" ]; then
    make -s BUILD="$BUILD" SAN="$SAN" "$BUILD/tests/check_record" >/dev/null
    program=$(realpath "$BUILD/tests/check_record")
    mkdir -p "$work/root/tests/data"
    ln -s "$PWD/tests/golden" "$work/root/tests/golden"
    for part in tests/data/*; do ln -s "$PWD/$part" "$work/root/tests/data/"; done
    rm "$work/root/tests/data/games"
    ln -s "$(realpath "$folder")" "$work/root/tests/data/games"
    (cd "$work/root" && CK_DEFAULT_TIMEOUT=1200 "$program") || bad=1
fi

[ -e "$folder/golden.tsv" ] || exit $bad
awk -F'\t' -v folder="$folder/" '
# The text of a member: what stands behind "name": up to the closing character.
function member(name, close_with,    at, rest) {
    at = index($0, "\"" name "\":")
    if (!at) return ""
    rest = substr($0, at + length(name) + 4)
    return substr(rest, 1, index(rest, close_with) - 1)
}
FNR == NR {
    at = index($0, "\"index\":"); rest = substr($0, at + 8); key = member("file", "\"") "\t" substr(rest, 1, index(rest, ",") - 1)
    list = member("usi", "]"); gsub(/[",]+/, " ", list); gsub(/^ +| +$/, "", list)
    illegal = ""
    if (index($0, "\"illegal_at\":null") == 0) { illegal = member("illegal_move", "\""); if (list != "") illegal = " " illegal }
    moves[key] = list illegal; ends[key] = illegal == "" ? member("final_sfen", "\"") : "-"; starts[key] = member("initial_sfen", "\"")
    next
}
FNR == 1 { next }
/^#/ { next }
{
    key = folder $1 "\t" $2
    rows++
    if (!(key in moves)) { print $1 ": was not read"; wrong++; next }
    if (moves[key] == $10 && starts[key] == $8 && (ends[key] == "-" || ends[key] == $9)) { same++; next }
    print $1 ": differs from golden.tsv: " (moves[key] == $10 ? "" : "moves ") (starts[key] == $8 ? "" : "start ") (ends[key] == "-" || ends[key] == $9 ? "" : "final position")
    wrong++
}
END { printf "golden.tsv: %d of %d rows the same, %d differ\n", same, rows, wrong }' "$work/all.jsonl" "$folder/golden.tsv"
exit $bad

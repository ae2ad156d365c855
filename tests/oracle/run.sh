#!/bin/sh
# run.sh - compares our legal moves with those of tsshogi (npm, MIT) in random positions; for developers, needs node and npm.
#
#   POSITIONS=120000  lines to compare in all (somewhat fewer different positions)     SEED=1
#   JOBS=2            processes                                                        BUILD=build
#
# The library goes to $BUILD/oracle, never into the checkout; its version and checksum are pinned in package-lock.json.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${POSITIONS:=120000}" "${SEED:=1}" "${JOBS:=$(nproc)}" "${CC:=gcc}"
command -v npm >/dev/null || { echo "check-oracle: npm is missing; apt-get install nodejs npm" >&2; exit 1; }
work=$BUILD/oracle
mkdir -p "$work"
cp tests/oracle/package.json tests/oracle/package-lock.json "$work"
[ -d "$work/node_modules/tsshogi" ] || (cd "$work" && npm ci --no-audit --no-fund --ignore-scripts)
# shellcheck disable=SC2086
$CC -std=c17 -D_GNU_SOURCE -O2 -I. -o "$work/positions" tests/oracle/positions.c tests/model/playout.c ${ORACLE_C:-common/shogi/bitboard.c \
    common/shogi/attacks.c common/shogi/zobrist.c common/shogi/position.c common/shogi/movegen.c common/shogi/sfen.c common/shogi/movetext.c}
ORACLE_MODULES=$(cd "$work" && pwd)
export ORACLE_MODULES

job=1
pids=
while [ "$job" -le "$JOBS" ]; do
    "$work/positions" $((SEED * 100 + job)) $((POSITIONS / JOBS)) tests/data/perft.tsv tests/data/openings.sfen tests/data/rule-edge-legality.tsv |
        node tests/oracle/compare.mjs >"$work/$job.log" &
    pids="$pids $!"
    job=$((job + 1))
done
bad=0
for pid in $pids; do wait "$pid" || bad=1; done
grep -vh '^positions ' "$work"/[0-9]*.log | head -n 20 || true
cat "$work"/[0-9]*.log | awk '/^positions / { for (i = 1; i < NF; i += 2) sum[$i] += $(i + 1); n++ }
    END { printf "check-oracle: %d positions, %d moves, %d in check, %d pawn-drop mates, %d different (%d processes)\n",
                 sum["positions"], sum["moves"], sum["in-check"], sum["pawn-drop-mates"], sum["different"], n }'
exit $bad

#!/bin/sh
# run.sh FUZZER - runs one fuzzer for FUZZ_SECONDS, from its seeds and from what earlier runs found; one line of what it did, or
# its last words and exit code 1. BUILD is where the fuzzers were built; a crashing input is left there, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
name=$(basename "$1")
corpus=$BUILD/corpus/$name
seeds=tests/fuzz/seeds/$name
mkdir -p "$corpus"
[ -d "$seeds" ] || seeds=
# shellcheck disable=SC2086  # no seeds, no argument
if "$1" -max_total_time="$FUZZ_SECONDS" -print_final_stats=1 -artifact_prefix="$BUILD/" "$corpus" $seeds >"$BUILD/$name.log" 2>&1; then
    printf '%-18s %s\n' "$name" "$(grep -E 'number_of_executed_units' "$BUILD/$name.log")"
else
    printf '%-18s FAILED\n' "$name"
    tail -n 40 "$BUILD/$name.log"
    exit 1
fi

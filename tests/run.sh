#!/bin/sh
# run.sh PROGRAM... - runs test programs, JOBS at a time (default: number of cores), prints one line each, the whole output of those
# that fail, and the sum. Exit code 1 if any failed. Each program runs in the root of the checkout with BUILD set.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"
: "${JOBS:=$(nproc)}"
export BUILD
: "${CK_DEFAULT_TIMEOUT:=120}"
export CK_DEFAULT_TIMEOUT
logs=$BUILD/logs
mkdir -p "$logs"

one='
program=$0; name=$(basename "$program"); log=$1/$name.log; start=$(date +%s)
if "$program" >"$log" 2>&1; then verdict=ok; else verdict=FAILED; fi
seconds=$(($(date +%s) - start))
summary=$(grep -aE "^[0-9]+%: Checks" "$log" | tail -n 1)
printf "%-7s %4ds  %-28s %s\n" "$verdict" "$seconds" "$name" "$summary"
[ "$verdict" = ok ] || { tail -n 60 "$log"; exit 1; }
'
printf '%s\n' "$@" | xargs -r -n 1 -P "$JOBS" sh -c 'sh -c "$1" "$2" "$0"' "$logs" "$one"
failed=$?
total=$#
checks=$(cat "$logs"/check_*.log 2>/dev/null | grep -aE '^[0-9]+%: Checks' | sed -E 's/.*Checks: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+).*/\1 \2 \3/' |
    awk '{ n += $1; f += $2 + $3 } END { printf "%d passed, %d failed", n - f, f }')
echo "$total test programs run"
echo "$checks"
[ "$failed" = 0 ]

#!/bin/sh
# soak.sh - games and farm jobs for minutes or hours while daemon, front end, workers, farm and network fail at random; the last line is the summary.
#
#   tests/bench/soak.sh [--minutes N] [--seed S]        the seed decides the faults; times depend on the machine
set -eu
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
minutes=1
seed=1
while [ $# -gt 0 ]; do
    case $1 in
    --minutes) minutes=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    *) echo "usage: tests/bench/soak.sh [--minutes N] [--seed S]" >&2; exit 2 ;;
    esac
done
make -s BUILD="$BUILD" all "$BUILD/e2e/check_soak"
seconds=$(awk "BEGIN { printf \"%d\", $minutes * 60 }")
export BUILD SOAK_SECONDS="$seconds" SOAK_SEED="$seed" CK_DEFAULT_TIMEOUT=$((seconds + 120))
"$BUILD/e2e/check_soak"

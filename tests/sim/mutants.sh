#!/bin/sh
# mutants.sh - shows that the simulator notices planted bugs: each is built into the cores with -DMUTANT=n, and some seed must fail.
# usage: tests/sim/mutants.sh [SEEDS [N...]]    (default: 400 seeds, all bugs; BUILD and CC as for make)
set -eu
cd "$(dirname "$0")/../.."
seeds=${1:-400}
[ $# -eq 0 ] || shift
only=" $* "
build=${BUILD:-build}
cc=${CC:-gcc}
out=$build/mutants
mkdir -p "$out"
make -s BUILD="$build" "$build/murakumo-sim"
sim_objects= # of the sources that are there: an object may have outlived its source
for source in tests/sim/*.c; do sim_objects="$sim_objects $build/obj/${source%.c}.o"; done
libs="$(pkg-config --libs libzmq msgpack 2>/dev/null || pkg-config --libs libzmq msgpack-c) $(pkg-config --libs sqlite3 zlib libzstd)"

# $out/sim with bug $n in its cores: the files in which it is planted are built anew, everything else is as it was
build_simulator() {
    objects=
    for source in $(grep -l "MUTANT_IS($n)" coordinator/core/*.c coordinator/usi/*.c); do
        object=$out/$(basename "$source" .c).o
        "$cc" -std=c17 -O1 -I. -D_GNU_SOURCE -DMUTANT=$n -c -o "$object" "$source"
        objects="$objects $object"
    done
    # shellcheck disable=SC2086
    "$cc" -pthread -o "$out/sim" $sim_objects $objects -Wl,--start-group "$build/libmodel.a" "$build/libcoordinator.a" \
        "$build/libworker.a" "$build/libcommon.a" -Wl,--end-group $libs -lm
}

describe() {
    case $1 in
    1) echo "epoch and attempt of a report are not compared" ;;
    2) echo "a repeated frame is taken for a new one" ;;
    3) echo "a heartbeat is no sign of life" ;;
    4) echo "a silent worker never dies" ;;
    5) echo "lines of workers are believed without asking the rules" ;;
    6) echo "a proven mate is nothing special" ;;
    7) echo "every clock is taken for Black's" ;;
    8) echo "thinks 0.7 s past what the clock allows" ;;
    9) echo "the job of a lost worker is forgotten" ;;
    10) echo "a lost position of a scan is not handed out again" ;;
    11) echo "stop is ignored while pondering" ;;
    12) echo "workers are not stopped after the answer" ;;
    13) echo "a finished search is answered while pondering" ;;
    14) echo "a go that is overtaken by another is not answered" ;;
    15) echo "every worker gets all the nodes" ;;
    16) echo "a bound is taken for an exact score" ;;
    17) echo "a scan goes on while the GUI waits for a move" ;;
    18) echo "a lost job or result is never noticed" ;;
    *) return 1 ;;
    esac
}

missed=0
n=1
while what=$(describe $n); do
    if [ "$only" != "  " ] && [ "${only#* $n }" = "$only" ]; then
        n=$((n + 1))
        continue
    fi
    build_simulator
    if "$out/sim" --seeds "$seeds" --keep-going >"$out/log" 2>/dev/null; then
        printf 'MISSED  %2d  %s\n' $n "$what"
        missed=$((missed + 1))
    else
        printf 'caught  %2d  %-60s %4d of %d seeds: %s\n' $n "$what" "$(grep -c '^seed' "$out/log")" "$seeds" \
            "$(sed -n 's/^seed [0-9]* ([^)]*): //p' "$out/log" | head -1 | cut -c1-90)"
    fi
    n=$((n + 1))
done
test_libs=$(pkg-config --libs check)
# The queue of the farm has a simulation of its own, in its unit test.
for n in 30 31; do
    [ "$only" = "  " ] || [ "${only#* $n }" != "$only" ] || continue
    case $n in
    30) what="the farm tells its owner before the disk has the answer" ;;
    31) what="the farm believes one of two answers that differ" ;;
    esac
    make -s BUILD="$build" "$build/tests/check_farm" "$build/libcoordinator.a"
    "$cc" -std=c17 -O1 -I. -D_GNU_SOURCE -DMUTANT=$n -c -o "$out/farm.o" coordinator/core/farm.c
    # shellcheck disable=SC2046,SC2086  # lists that are meant to be split
    "$cc" -pthread -o "$out/farm" "$build/obj/tests/unit/check_farm.o" "$out/farm.o" -Wl,--start-group "$build/libcoordinator.a" \
        "$build/libworker.a" "$build/libcommon.a" -Wl,--end-group $libs $test_libs -lm
    if "$out/farm" >"$out/log" 2>&1; then
        printf 'MISSED  %2d  %s\n' $n "$what"
        missed=$((missed + 1))
    else
        printf 'caught  %2d  %-60s %s\n' $n "$what" "$(grep -E '^[0-9]+%' "$out/log")"
    fi
done
# Clusters that solve mate problems are simulated with real solvers.
for n in 40 41; do
    [ "$only" = "  " ] || [ "${only#* $n }" != "$only" ] || continue
    case $n in
    40) what="a line that mates is taken for a proof" ;;
    41) what="a stranger's word needs no second opinion" ;;
    esac
    build_simulator
    if "$out/sim" --mate-seeds 100 >"$out/log" 2>&1; then
        printf 'MISSED  %2d  %s\n' $n "$what"
        missed=$((missed + 1))
    else
        printf 'caught  %2d  %-60s %s\n' $n "$what" "$(head -1 "$out/log" | cut -c1-120)"
    fi
done
[ $missed -eq 0 ]

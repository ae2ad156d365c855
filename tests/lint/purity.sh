#!/bin/sh
# purity.sh - the pure layers may call no socket, clock, disk, thread or printing function and hold no writable global: asks `nm`.
# Exit code 1 with `object: symbol` lines if any does.
set -eu
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"

forbidden='^(time|clock|clock_gettime|gettimeofday|rand|srand|random|rand_r|getpid|socket|connect|bind|accept|send|sendto|recv|recvfrom|open|openat|fopen|fdopen|read|write|close|printf|puts|putchar|fprintf|vfprintf|vprintf|fputs|fwrite|fread|__printf_chk|__fprintf_chk|stdout|stderr|stdin|fork|execv|execve|system|getenv|signal|sigaction|sleep|usleep|nanosleep|poll|select|epoll_.*|zmq_.*|sqlite3_.*|pthread_.*|log|pow|sqrt|exp)$'
bad=0
for directory in common/base common/shogi proto worker/core coordinator/core coordinator/usi coordinator/view; do
    for object in "$BUILD"/obj/$directory/*.o; do
        [ -e "$object" ] || continue
        case $object in
        */common/base/log.o) continue ;; # the sink may be replaced; the default one writes to stderr
        esac
        source=${object#"$BUILD"/obj/}
        found=$(nm -u "$object" | awk '{ print $NF }' | sed 's/@.*//' | grep -E "$forbidden" || true)
        [ -z "$found" ] || { for symbol in $found; do echo "${source%.o}.c: calls $symbol: not in a pure layer"; done; bad=1; }
        # A constant table with pointers in it is `d` too, but in .data.rel.ro: the loader makes it read-only.
        found=$(nm -f sysv "$object" | awk -F'|' '{ gsub(/ /, "") } $3 ~ /^[bBdDC]$/ && $7 !~ /^\.data\.rel\.ro/ && $1 !~ /^(\.L|__|_ZZ)/ { print $1 }')
        [ -z "$found" ] || { for symbol in $found; do echo "${source%.o}.c: writable global $symbol: not in a pure layer"; done; bad=1; }
    done
done
exit $bad

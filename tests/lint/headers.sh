#!/bin/sh
# headers.sh - every header compiles on its own and opens with a comment that says what it is.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${CC:=gcc}"
bad=0
flags="-std=c17 -I. -D_GNU_SOURCE -Wall -Wextra -fsyntax-only $(pkg-config --cflags libzmq check 2>/dev/null)"
for header in $(git ls-files -co --exclude-standard '*.h'); do
    case $header in tests/fuzz/*) continue ;; esac
    # shellcheck disable=SC2086
    printf '#include "%s"\n' "$header" | $CC $flags -x c - || { echo "$header: does not compile alone"; bad=1; }
    head -c 2 "$header" | grep -q '^/\*' || { echo "$header:1: no opening comment that says what it is"; bad=1; }
done
exit $bad

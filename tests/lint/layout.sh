#!/bin/sh
# layout.sh - the sources are as `make format` leaves them.
cd "$(dirname "$0")/../.." || exit 1
git ls-files '*.c' '*.h' | xargs clang-format --dry-run --Werror 2>&1 | grep -E 'error' | head -n 20
[ -z "$(git ls-files '*.c' '*.h' | xargs clang-format --output-replacements-xml | grep '<replacement ' | head -n 1)" ]

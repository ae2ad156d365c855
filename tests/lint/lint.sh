#!/bin/sh
# lint.sh - what a machine can check about the structure: layers, purity, headers, layout, PROTOCOL.md.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0
check() {
    if "$@"; then echo "lint: $(basename "$1" .sh) ok"; else echo "lint: $(basename "$1" .sh) FAILED"; bad=1; fi
}
check tests/lint/layers.sh
check tests/lint/purity.sh
check tests/lint/headers.sh
[ ! -x tests/lint/protocol_current.sh ] || check tests/lint/protocol_current.sh
if command -v clang-format >/dev/null 2>&1 && clang-format --version | grep -q 'version 14'; then check tests/lint/layout.sh; else echo "lint: layout skipped (no clang-format 14)"; fi
if command -v shellcheck >/dev/null 2>&1; then check tests/lint/shell.sh; fi
exit $bad

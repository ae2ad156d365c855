#!/bin/sh
# shell.sh - shellcheck over every script.
cd "$(dirname "$0")/../.." || exit 1
git ls-files '*.sh' .ci/run | xargs shellcheck -x -S warning

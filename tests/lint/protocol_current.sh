#!/bin/sh
# protocol_current.sh - the generated parts of proto/PROTOCOL.md say what schema.h and the golden frames say.
# `protocol_current.sh --write` renews them.
set -eu
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
: "${CC:=gcc}"
mkdir -p "$BUILD/lint"
package=msgpack
pkg-config --exists msgpack || package=msgpack-c
# shellcheck disable=SC2046  # the flags are meant to be split
$CC -std=c17 -D_GNU_SOURCE -I. $(pkg-config --cflags $package) -o "$BUILD/lint/gen_protocol" tests/lint/gen_protocol.c \
    tests/model/wire_samples.c proto/*.c common/base/bytes.c common/base/utf8.c $(pkg-config --libs $package)
"$BUILD/lint/gen_protocol" proto/PROTOCOL.md tests/golden/wire >"$BUILD/lint/PROTOCOL.md"
if cmp -s proto/PROTOCOL.md "$BUILD/lint/PROTOCOL.md"; then exit 0; fi
if [ "${1:-}" = "--write" ]; then
    cp "$BUILD/lint/PROTOCOL.md" proto/PROTOCOL.md
    echo "proto/PROTOCOL.md renewed"
    exit 0
fi
diff -u proto/PROTOCOL.md "$BUILD/lint/PROTOCOL.md" | head -n 40
echo "proto/PROTOCOL.md is not current; tests/lint/protocol_current.sh --write renews it"
exit 1

#!/bin/sh
# deps.sh - installs the Debian packages that building and testing need; `--missing` only lists those that are not there.
# Uses apt-get, through sudo when not root. Says what it does.
set -eu

missing() {
    command -v gcc >/dev/null || echo gcc
    command -v pkg-config >/dev/null || { echo "pkg-config libzmq3-dev libmsgpack-dev check zlib1g-dev libzstd-dev"; return; }
    pkg-config --exists libzmq || echo libzmq3-dev
    pkg-config --exists msgpack || pkg-config --exists msgpack-c || echo libmsgpack-dev
    pkg-config --exists check || echo check
    pkg-config --exists zlib || echo zlib1g-dev
    pkg-config --exists libzstd || echo libzstd-dev
    pkg-config --exists sqlite3 || echo libsqlite3-dev
    command -v ar >/dev/null || echo binutils
    [ -e /usr/include/stdio.h ] || echo libc6-dev
}

packages=$(missing | tr '\n' ' ')
if [ "${1:-}" = "--missing" ]; then
    echo "$packages"
    exit 0
fi
[ -n "${packages% }" ] || { echo "all packages are installed"; exit 0; }

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
if ! command -v apt-get >/dev/null; then
    echo "deps.sh: no apt-get here; install these by hand: $packages" >&2
    exit 1
fi
if [ -n "$as_root" ] && ! command -v sudo >/dev/null; then
    echo "deps.sh: not root and no sudo; run as root: apt-get install $packages" >&2
    exit 1
fi
echo "Installing with apt-get: $packages"
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
# shellcheck disable=SC2086  # the list is meant to be split
$as_root apt-get install -y --no-install-recommends $packages >/dev/null 2>&1 || {
    $as_root apt-get update
    $as_root apt-get install -y --no-install-recommends $packages
}

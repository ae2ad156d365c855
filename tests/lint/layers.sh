#!/bin/sh
# layers.sh - who may include whom (the table of README.md, "Layers"). Prints `file:line: A may not include B`; exit code 1 if any.
set -eu
cd "$(dirname "$0")/../.." || exit 1

git ls-files -co --exclude-standard '*.c' '*.h' | grep -E '^(common|proto|worker|coordinator)/' | xargs grep -nE '^#[ \t]*include[ \t]*"' | awk -F: '
function layer(path) {
    if (path ~ /^common\/base\//) return "common/base"
    if (path ~ /^common\/shogi\//) return "common/shogi"
    if (path ~ /^common\/net\//) return "common/net"
    if (path ~ /^proto\//) return "proto"
    if (path ~ /^worker\/core\//) return "worker/core"
    if (path ~ /^worker\/engine\//) return "worker/engine"
    if (path ~ /^worker\/backend\//) return "worker/backend"
    if (path ~ /^worker\//) return "worker"
    if (path ~ /^coordinator\/core\//) return "coordinator/core"
    if (path ~ /^coordinator\/usi\//) return "coordinator/usi"
    if (path ~ /^coordinator\/view\//) return "coordinator/view"
    if (path ~ /^coordinator\/store\//) return "coordinator/store"
    if (path ~ /^coordinator\//) return "coordinator"
    return "?"
}
BEGIN {
    allowed["common/base"] = ""
    allowed["common/shogi"] = " common/base"
    allowed["common/net"] = " common/base"
    allowed["proto"] = " common/base"
    allowed["worker/core"] = " proto common/base"
    allowed["worker/engine"] = " common/shogi common/base"
    allowed["worker/backend"] = " worker/engine common/shogi common/base"
    allowed["coordinator/core"] = " proto common/shogi common/base"
    allowed["coordinator/usi"] = " coordinator/core proto common/shogi common/base"
    allowed["coordinator/view"] = " coordinator/core proto common/shogi common/base"
    allowed["coordinator/store"] = " coordinator/core common/base"
    allowed["worker"] = " worker/core worker/engine worker/backend common/net proto common/shogi common/base"
    allowed["coordinator"] = " coordinator/core coordinator/usi coordinator/view coordinator/store common/net proto common/shogi common/base"
    # The coordinator core speaks USI to the front end, so usi text functions may be used by it.
    allowed["coordinator/core"] = allowed["coordinator/core"] " coordinator/usi"
}
{
    file = $1; line = $2
    match($0, /"[^"]*"/); target = substr($0, RSTART + 1, RLENGTH - 2)
    from = layer(file); to = layer(target)
    if (from == to) next
    if (to == "?" ) { print file ":" line ": includes \"" target "\": write the path from the root"; bad = 1; next }
    if (index(allowed[from] " ", " " to " ") == 0) { print file ":" line ": " from " may not include " to; bad = 1 }
}
END { exit bad }'

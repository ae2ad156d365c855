# usi_pipe.sh - a USI engine behind two pipes, for the scripts of this folder that source it (bash).
#
#   usi_start NAME COMMAND...   starts it in the background; descriptors ${NAME}_in, ${NAME}_out, process ${NAME}_pid
#   usi_greet NAME              `usi`, up to usiok; false if it does not come. $options: the lines of its options
#   usi_tell NAME LINE...       lines to it
#   usi_await NAME WORD [S]     reads until a line begins with WORD, which is left in $line; false after S (600) silent
#                               seconds, or when the engine has gone. $nodes: what the last line before told of nodes
#   now_us                      the clock, microseconds
#
# All engines are stopped, and the pipes gone, when the script ends.
# shellcheck shell=bash
usi_pipes=$(mktemp -d) || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$usi_pipes"' EXIT

usi_start() {
    local name=$1 in out
    shift
    mkfifo "$usi_pipes/$name.in" "$usi_pipes/$name.out" || return 1
    "$@" <"$usi_pipes/$name.in" >"$usi_pipes/$name.out" 2>/dev/null &
    printf -v "${name}_pid" %s $!
    exec {in}>"$usi_pipes/$name.in" {out}<"$usi_pipes/$name.out"
    printf -v "${name}_in" %s "$in"
    printf -v "${name}_out" %s "$out"
}

usi_tell() {
    local in=${1}_in
    shift
    printf '%s\n' "$@" >&"${!in}"
}

usi_greet() {
    local out=${1}_out
    options=
    usi_tell "$1" usi
    while read -r -t 60 -u "${!out}" line && [ "$line" != usiok ]; do
        case $line in "option "*) options+=$line$'\n' ;; esac
    done
    [ "$line" = usiok ]
}

usi_await() {
    local out=${1}_out
    nodes=0
    while read -r -t "${3:-600}" -u "${!out}" line; do
        case $line in
        "$2"*) return 0 ;;
        *" nodes "*) nodes=${line##* nodes } nodes=${nodes%% *} ;;
        esac
    done
    line=
    return 1
}

now_us() { echo "${EPOCHREALTIME/./}"; }

# SPDX-License-Identifier: BSD-2-Clause
# expect.sh - for a script that runs a tool and judges it: `. tests/lib/expect.sh`, with
# its name in `gate` and a directory for scraps in `t`. bad is 1 once anything has failed.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
rm -rf "$t"
mkdir -p "$t"
n=0 bad=0

fail() {
    echo "$gate: $*"
    bad=1
}

# expect STATUS REGEX COMMAND...: the regex is for standard error, '' for nothing there.
expect() {
    want=$1 regex=$2
    shift 2
    n=$((n + 1)) rc=0
    "$@" > "$t/stdout" 2> "$t/stderr" < /dev/null || rc=$?
    if [ $rc != "$want" ]; then
        fail "$*: status $rc, expected $want"
        tail -n 3 "$t/stderr"
    elif [ -n "$regex" ] && ! grep -qE -- "$regex" "$t/stderr"; then
        fail "$*: no '$regex' in: $(head -n 3 "$t/stderr")"
    elif [ -z "$regex" ] && [ -s "$t/stderr" ]; then
        fail "$*: says $(head -n 3 "$t/stderr")"
    fi
}

# shown REGEX: in what the last command wrote.
shown() {
    grep -qE -- "$1" "$t/stdout" || fail "no '$1' in what the last command wrote"
}

# holds FILTER: of every object that the last command wrote, and there is one.
holds() {
    jq -e -n "[inputs | $1] | length > 0 and all" < "$t/stdout" > /dev/null ||
        fail "JSON: not $1"
}

# of N FILTER: of the object of frame N that the last command wrote.
of() {
    jq -e -n "[inputs | select(.frame == $1)][0] | $2" < "$t/stdout" > /dev/null ||
        fail "JSON of frame $1: not $2"
}

# peer TOOL...: whether it is there; if not, what is left out. CI has to have it.
peer() {
    for tool in "$@"; do
        command -v "$tool" > /dev/null && continue
        [ -z "${CI:-}" ] || fail "needs $tool"
        echo "$gate: without $tool: skipped in part"
        return 1
    done
}

# SPDX-License-Identifier: BSD-2-Clause
# expect.sh - for scripts that run a tool and check its output. Use `. tests/lib/expect.sh`
# after setting `gate` to a name and `t` to a scratch directory. bad is 1 after a failure.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
rm -rf "$t"
mkdir -p "$t"
n=0 bad=0

fail() {
    echo "$gate: $*"
    bad=1
}

# expect STATUS REGEX COMMAND... - checks the status and standard error. '' means that standard
# error must be empty.
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
        fail "$*: unexpected standard error: $(head -n 3 "$t/stderr")"
    fi
}

# shown REGEX - searches the output of the last command.
shown() {
    grep -qE -- "$1" "$t/stdout" || fail "no '$1' in the output of the last command"
}

# holds FILTER - checks every object of the last output, and that there is one.
holds() {
    jq -e -n "[inputs | $1] | length > 0 and all" < "$t/stdout" > /dev/null ||
        fail "JSON: not $1"
}

# of N FILTER - checks the object of frame N in the last output.
of() {
    jq -e -n "[inputs | select(.frame == $1)][0] | $2" < "$t/stdout" > /dev/null ||
        fail "JSON of frame $1: not $2"
}

# peer TOOL... - returns 1 and prints a skip if a tool is missing. In CI, this is a failure.
peer() {
    for tool in "$@"; do
        command -v "$tool" > /dev/null && continue
        [ -z "${CI:-}" ] || fail "needs $tool"
        echo "$gate: skipped in part, because $tool is missing"
        return 1
    done
}

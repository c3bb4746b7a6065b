# SPDX-License-Identifier: BSD-2-Clause
# Requirements of a gate, for scripts that set `gate` and then source this file.

# need NAME COMMAND...: ends the gate unless the command succeeds. This is a failure under
# CI, and a skip elsewhere.
need() {
    what=$1
    shift
    if "$@" > /dev/null 2>&1; then return; fi
    echo "$gate: skipped, because $what is missing"
    test -z "${CI:-}"
    exit
}

# SPDX-License-Identifier: BSD-2-Clause
# What a gate cannot do without, for scripts that source this file after they set gate.

# need NAME COMMAND...: unless the command succeeds, the gate ends: under CI as a failure,
# elsewhere as a skip.
need() {
    what=$1
    shift
    if "$@" > /dev/null 2>&1; then return; fi
    echo "$gate: no $what here: skipped"
    test -z "${CI:-}"
    exit
}

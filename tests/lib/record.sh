# SPDX-License-Identifier: BSD-2-Clause
# For scripts that source this file: which pieces of a gate have to run (record.py).
record() {
    "${PYTHON:-/usr/bin/python3}" -B tests/lib/record.py "$@"
}

# due GATE [PIECE...]: sets `pieces` to those that have to run, one per line, and says how
# many do not. An unknown piece ends the script.
due() {
    pieces=$(record due "$@") || exit 2
    gate_=$1
    shift
    [ $# -gt 0 ] || set -- $(record keys "$gate_" | cut -d ' ' -f 1)
    left=$(($# - $(echo "$pieces" | grep -c .)))
    [ $left = 0 ] || echo "$gate_: $left of $# pieces passed as they are now"
}

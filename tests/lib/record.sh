# SPDX-License-Identifier: BSD-2-Clause
# Selects the pieces of a gate that must run (record.py), for scripts that source this file.
record() {
    "${PYTHON:-/usr/bin/python3}" -B tests/lib/record.py "$@"
}

# due GATE [PIECE...]: sets `pieces` to the pieces that must run, one per line, and prints
# the number of the others. An unknown piece ends the script.
due() {
    pieces=$(record due "$@") || exit 2
    gate_=$1
    shift
    [ $# -gt 0 ] || set -- $(record keys "$gate_" | cut -d ' ' -f 1)
    left=$(($# - $(echo "$pieces" | grep -c .)))
    [ $left = 0 ] || echo "$gate_: $left of $# pieces have passed in their present state"
}

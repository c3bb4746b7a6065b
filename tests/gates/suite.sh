#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# suite.sh GATE 'FILE...' MAKE-ARGUMENT... builds and runs files of tests/ with another compiler
# or other options, by arguments of `make test`. Without FILE it takes the files that are due.
set -eu
. tests/lib/record.sh
gate=$1 files=$2
shift 2
due "$gate" $files
pieces=$(echo "$pieces" | sed -n 's|^test/||p')
[ -n "$pieces" ] || exit 0
log=build/$gate.log
mkdir -p build
${MAKE:-make} --no-print-directory test "$@" TEST="$(echo $pieces | tr ' ' '+')" > "$log" 2>&1 ||
    { grep -v '^ok' "$log"; exit 1; }
echo "$gate: $(tail -n 1 "$log")"
echo "$pieces" | sed 's|^|test/|' | record passed "$gate" -

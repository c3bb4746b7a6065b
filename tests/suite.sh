#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# suite.sh GATE 'FILE...' MAKE-ARGUMENT...: builds and runs the files of tests/ as another
# compiler or machine sees them: those given, or those that have to run. `make test` with
# these arguments says how.
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

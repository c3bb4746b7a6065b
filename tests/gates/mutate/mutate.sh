#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mutate.sh OUT makes one thing wrong at a time in the headers and expects a test to be red.
# MUTATE, CHANGED and FULL choose mutants (sample.py). Without them, a sample of all headers is
# judged, and each header that has changed since its record is judged whole.
set -eu
. tests/lib/record.sh
out=$1
python=${PYTHON:-/usr/bin/python3}

# judge: with MUTATE, CHANGED and FULL
judge() {
    "$python" -B tests/gates/mutate/schemata.py "$out"
    [ ! -s "$out/mutants.h" ] || ${MAKE:-make} -s -f tests/gates/mutate/Makefile OUT="$out"
    "$python" -B tests/gates/mutate/judge.py "$out"
}

if [ -n "${MUTATE:-}${CHANGED:-}${FULL:-}" ]; then
    judge
    exit
fi
due mutate
changed=
# Before the first record, no header counts as changed.
if [ -s tests/record/mutate ]; then
    changed=$(ONLY_DUE=1 record due mutate | grep -vx sample | paste -sd+)
fi
[ -z "$changed" ] || CHANGED=$changed judge
! echo "$pieces" | grep -qx sample || judge
echo "$pieces" | record passed mutate -

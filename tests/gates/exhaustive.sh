#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# exhaustive.sh [PIECE...] tries every NodeLen with every IOAM trace type ("ioam"), and runs the
# files of tests/ at -O3 ("test/FILE"), each with its own library functions.
set -eu
. tests/lib/record.sh
due exhaustive "$@"
if echo "$pieces" | grep -qx ioam; then
    mkdir -p "$OUT"
    $CC $FLAGS -O2 tests/gates/exhaustive/ioam.c -o "$OUT/exhaustive"
    "$OUT/exhaustive"
    record passed exhaustive ioam
fi
tests=$(echo "$pieces" | grep '^test/' || true)
[ -z "$tests" ] || sh tests/gates/suite.sh exhaustive "$tests" OUT="$OUT/o3" TEST_O=-O3 LINK= CFLAGS=-O3 SAN= \
    TEST_SCALE=1

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tsan.sh OUT runs the flow table and the pause table under ThreadSanitizer. Threads that keep
# the rule of guard/README.md must not be reported, and threads that break it must be.
set -eu
gate=tsan
out=$1/tsan
. tests/lib/need.sh
mkdir -p "$out"
echo 'int main(void) { return 0; }' > "$out/one.c"
need 'clang-19 with ThreadSanitizer' clang-19 -fsanitize=thread "$out/one.c" -o "$out/one"
clang-19 -std=c99 -Wall -Wextra -Wpedantic -O1 -g -fsanitize=thread -Iinclude \
    tests/gates/tsan/tables.c -o "$out/tables" -pthread
export TSAN_OPTIONS=exitcode=66
for t in flow pause; do
    "$out/tables" $t > "$out/log" 2>&1 || {
        grep -m 8 -E 'WARNING|tables:|#[0-9]' "$out/log"
        echo "tsan: the $t table under a lock is reported"
        exit 1
    }
    code=0
    "$out/tables" $t broken > "$out/log" 2>&1 || code=$?
    [ $code = 66 ] && grep -q 'data race' "$out/log" && grep -q " rocecc_${t}" "$out/log" || {
        echo "tsan: nothing is reported of readers of the $t table without a lock ($code)"
        exit 1
    }
done
echo 'tsan: 2 tables: nothing under a lock, a report of each without'

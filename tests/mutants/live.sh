#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Applies each known defect to a copy of the tree and expects its gate to go red, for
# the reason that the patch names: "gate: TARGET" and "expect: REGEX" in its head, and
# "with: NAME=VALUE" for make: the smallest piece of the gate that finds it. A dear one
# says "every: N": each commit picks one of N; FULL=1 and a patch by name run it always.
# live.sh [PATCH...]
set -eu
. tests/lib/due.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Most of what a mutant compiles, the one before it has compiled, too.
if command -v ccache > /dev/null; then
    mkdir "$tmp/bin"
    for cc in cc gcc clang; do
        ln -s "$(command -v ccache)" "$tmp/bin/$cc"
    done
    export CCACHE_DIR="$tmp/ccache" PATH="$tmp/bin:$PATH"
fi
live=0 bad=0 left=0
[ $# -gt 0 ] && named=1 || named=
[ -n "$named" ] || set -- tests/mutants/*.patch
for patch in "$@"; do
    gate=$(sed -n 's/^gate: //p' "$patch")
    expect=$(sed -n 's/^expect: //p' "$patch")
    with=$(sed -n 's/^with: //p' "$patch")
    every=$(sed -n 's/^every: //p' "$patch")
    # Some tests alone: the whole library need not be compiled for them.
    [ "${with#*TEST=}" = "$with" ] || with="$with LINK="
    start=$(date +%s)
    if [ -n "$every" ] && [ -z "$named" ] && ! turn "mutant ${patch##*/}" "$every"; then
        left=$((left + 1))
        continue
    fi
    rm -rf "$tmp/tree"
    mkdir "$tmp/tree"
    tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$tmp/tree"
    if ! patch -p1 -s --fuzz=0 -d "$tmp/tree" < "$patch"; then
        echo "gates-are-live: ${patch##*/} no longer applies"
        bad=1
    elif make -C "$tmp/tree" "$gate" FUZZ_SECONDS=10 $with MAKEFLAGS= > "$tmp/log" 2>&1; then
        if [ -z "${CI:-}" ] && grep -q ': skipped' "$tmp/log"; then
            echo "gates-are-live: ${patch##*/}: $gate is skipped here"
            continue
        fi
        echo "gates-are-live: ${patch##*/}: $gate stays green"
        bad=1
    elif ! grep -qE "$expect" "$tmp/log"; then
        echo "gates-are-live: ${patch##*/}: $gate is red, but not for '$expect':"
        tail -n 20 "$tmp/log"
        bad=1
    else
        echo "gates-are-live: $gate goes red on ${patch##*/}, $(($(date +%s) - start)) s"
        live=$((live + 1))
    fi
done
echo "gates-are-live: $live defects found, $left are not of this commit's turn"
exit $bad

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bpf.sh OUT [PROGRAM...]: the kernel's verifier loads each program, and its digest of
# every packet of the noun's rows is the host's; a program without rows only loads.
set -eu
out=$1
shift
for tool in clang bpftool; do
    command -v $tool > /dev/null && continue
    echo "bpf: no $tool here: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
done
if [ "$(id -u)" != 0 ]; then
    echo 'bpf: needs root: skipped'
    [ -z "${CI:-}" ] && exit 0 || exit 1
fi
fs=/sys/fs/bpf
grep -q " $fs bpf" /proc/mounts || mount -t bpf bpf $fs
pin=$fs/rocecc-$$
trap 'rm -f $pin' EXIT
mkdir -p "$out/bpf"
cc -O1 -Wall -Wextra tests/bpf/run.c -o "$out/bpf/run"
build() {
    clang -target bpf -mcpu=v3 -O2 -g -std=c99 -ffreestanding -Wall -Wextra -Iinclude -Itests \
        -c "$1" -o "$2"
}
programs=$(cd tests/bpf && ls *.c | sed 's/\.c$//' | grep -vx run)
for noun in ${*:-$programs}; do
    build tests/bpf/$noun.c "$out/bpf/$noun.o"
    if ! bpftool prog load "$out/bpf/$noun.o" $pin > "$out/bpf/$noun.log" 2>&1; then
        tail -n 30 "$out/bpf/$noun.log"
        echo "bpf: the verifier refuses $noun"
        exit 1
    fi
    digests=$out/rows/$noun.digests
    [ -e fuzz/$noun.c ] || digests=/dev/null # only to be loaded
    [ $digests = /dev/null ] || [ -s "$digests" ] || { echo "bpf: $noun: no packet"; exit 1; }
    n=$("$out/bpf/run" $pin < "$digests") ||
        { echo "bpf: $noun: ${n:-no packet}"; exit 1; }
    rm -f $pin
    echo "bpf: $noun: $n"
done

# Every public function, as the compiler lists them (a private one ends in _), is in a
# program that loaded, or
# is the one that a file of exempt/ is named after.
echo '#include "rocecc/rocecc.h"' |
    clang -x c -std=c99 -Iinclude "-DROCECC_FN=__attribute__((noinline))" -c - \
        -o "$out/bpf/all.o"
nm "$out/bpf/all.o" | awk '$2 == "T" && $3 !~ /_$/ {print $3}' | sort > "$out/bpf/public"
[ -s "$out/bpf/public" ] || { echo "bpf: the compiler lists no function"; exit 1; }
for noun in ${*:-$programs}; do
    clang -target bpf -O0 -std=c99 -ffreestanding -Iinclude -Itests -S -emit-llvm \
        "-DROCECC_FN=static __attribute__((noinline))" tests/bpf/$noun.c -o - |
        sed -n 's/^define internal .* @\(rocecc_[a-z0-9_]*\)(.*/\1/p'
done > "$out/bpf/loaded"
for c in tests/bpf/exempt/*.c; do
    echo "rocecc_$(basename "$c" .c)"
done >> "$out/bpf/loaded"
sort -u "$out/bpf/loaded" -o "$out/bpf/loaded"
missing=$(comm -23 "$out/bpf/public" "$out/bpf/loaded")
if [ -n "$missing" ]; then
    echo "bpf: in no program:" $missing
    exit 1
fi

# What is not promised to load: if one does by now, it belongs to the laws.
for c in tests/bpf/exempt/*.c; do
    name=$(basename "$c" .c)
    if ! build "$c" "$out/bpf/exempt.o" > "$out/bpf/exempt.log" 2>&1; then
        grep -q 'BPF stack limit' "$out/bpf/exempt.log" ||
            { tail -n 20 "$out/bpf/exempt.log"; exit 1; }
        echo "bpf: $name: exempt, and refused for its stack"
        continue
    fi
    if bpftool prog load "$out/bpf/exempt.o" $pin > "$out/bpf/exempt.log" 2>&1; then
        echo "bpf: $name loads, and is no longer exempt"
        exit 1
    fi
    if ! grep -qE 'too complex|too large' "$out/bpf/exempt.log"; then
        tail -n 20 "$out/bpf/exempt.log"
        echo "bpf: $name is refused, but not for its length"
        exit 1
    fi
    echo "bpf: $name: exempt, and refused for its length"
done

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sizes.sh OUT INCLUDE LIBRARY [FLAG...] prints the bytes of rocecc's code and constants in a
# program of one or two files that parse and check, with a copy in each or with librocecc.a. With
# two files, the library must take fewer bytes than the copies.
set -eu
out=$1 include=$2 library=$3
shift 3
uses=tests/gates/hosts/packages/uses.c
mkdir -p "$out"

compile() {
    ${CC:-cc} -std=c99 -Os -ffunction-sections -fdata-sections -I"$include" "$@"
}

# total FILES FLAG... prints the bytes of the program.
total() {
    files=$1
    shift
    compile "$@" -DNAME=first -c $uses -o "$out/first.o"
    compile "$@" -DNAME=second -c $uses -o "$out/second.o"
    compile -DFILES="$files" -c $uses -o "$out/main.o"
    ${CC:-cc} "$out"/first.o "$out"/second.o "$out"/main.o "$library" -Wl,--gc-sections \
        -o "$out/program"
    size -A "$out/program" | awk '/^[.](text|rodata)/ {n += $2} END {print n}'
}

none=$(total 0 "$@")
one=$(($(total 1 "$@") - none)) two=$(($(total 2 "$@") - none))
shared_one=$(($(total 1 -DROCECC_FN=inline "$@") - none))
shared_two=$(($(total 2 -DROCECC_FN=inline "$@") - none))
echo "sizes: a copy in each file: one $one bytes, two $two"
echo "sizes: of librocecc.a: one $shared_one bytes, two $shared_two"
[ "$shared_two" -lt "$two" ] || { echo 'sizes: librocecc.a saves nothing'; exit 1; }

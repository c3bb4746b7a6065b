#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bpf.sh OUT [PROGRAM...]: the kernel's verifier loads each program of tests/bpf, as two
# compilers make it, and its digest of every prefix of the noun's rows is the host's; a
# program without rows only loads. tests/live/bpf61.sh does the same on Debian's kernel;
# common.sh has the flags.
set -eu
gate=bpf out=$1
shift
. tests/bpf/common.sh
need clang-14 clang-19
[ "$(id -u)" = 0 ] || skip 'needs root'
echo '#include <bpf/libbpf.h>' | cc -E - > /dev/null 2>&1 || skip 'no <bpf/libbpf.h> here'
build_loader
: > "$out/bpf/$gate.keys"

# Every public function, as the compiler lists them (a private one ends in _), is in a
# program, or is the one that a file of exempt/ is named after.
covered() {
    echo '#include "rocecc/rocecc.h"' |
        clang-14 -x c -std=c99 -Iinclude "-DROCECC_FN=__attribute__((noinline))" -c - \
            -o "$out/bpf/all.o"
    nm "$out/bpf/all.o" | awk '$2 == "T" && $3 !~ /_$/ {print $3}' | sort > "$out/bpf/public"
    [ -s "$out/bpf/public" ] || { echo 'bpf: the compiler lists no function'; exit 1; }
    for name in $(bpf_programs); do
        clang-14 -target bpf -O0 -std=c99 -ffreestanding -Iinclude -Itests -S -emit-llvm \
            "-DROCECC_FN=static __attribute__((noinline))" "tests/bpf/$name.c" -o - |
            sed -n 's/^define internal .* @\(rocecc_[a-z0-9_]*\)(.*/\1/p'
    done > "$out/bpf/loaded"
    for c in tests/bpf/exempt/*.c; do
        echo "rocecc_$(basename "$c" .c)"
    done >> "$out/bpf/loaded"
    sort -u "$out/bpf/loaded" -o "$out/bpf/loaded"
    missing=$(comm -23 "$out/bpf/public" "$out/bpf/loaded")
    [ -z "$missing" ] || { echo "bpf: in no program:" $missing; exit 1; }
}

if [ $# = 0 ]; then
    covered
    set -- $(bpf_programs) gate_xdp
    for c in tests/bpf/exempt/*.c; do # not promised to load; the gate asserts it
        name=$(basename "$c" .c)
        set -- "$@" "exempt-$name"
    done
    all=$#
    set -- $(due_programs "$(uname -r)" "$@")
    echo "bpf: $((all - $#)) of $all programs are as they were when they passed"
    [ $# -gt 0 ] || exit 0
fi
build_all "$@"
list "$out" "$@" > "$out/bpf/list"
"$out/bpf/load" "$out/bpf/list" > "$out/bpf/results" || { echo 'bpf: the loader ends'; exit 1; }
judge "$out/bpf/results" "$@"

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bpf.sh OUT [PROGRAM...] - loads each program in tests/gates/bpf into the kernel, built by two
# compilers. For every packet in a program's rows, the digest must be the same as on the host. A
# program without rows is only loaded. Each public function must be in a program or in exempt/
# ("cover"). tests/gates/live/bpf61.sh does the same on Debian's kernel. common.sh has the flags.
set -eu
gate=bpf out=$1
shift
. tests/gates/bpf/common.sh
need clang-14 clang-19
[ "$(id -u)" = 0 ] || skip 'needs root'
echo '#include <bpf/libbpf.h>' | cc -E - > /dev/null 2>&1 || skip 'no <bpf/libbpf.h> here'
# Checks that every public function (its name does not end in _) is in a program, or that a
# file in exempt/ has its name. The compiler lists the functions.
covered() {
    mkdir -p "$out/$gate-bpf"
    echo '#include "rocecc/rocecc.h"' |
        clang-14 -x c -std=c99 -Iinclude "-DROCECC_FN=__attribute__((noinline))" -c - \
            -o "$out/$gate-bpf/all.o"
    nm "$out/$gate-bpf/all.o" | awk '$2 == "T" && $3 !~ /_$/ {print $3}' | sort > "$out/$gate-bpf/public"
    [ -s "$out/$gate-bpf/public" ] || { echo 'bpf: the compiler lists no function'; exit 1; }
    for name in $(bpf_programs); do
        clang-14 -target bpf -O0 -std=c99 -ffreestanding -Iinclude -Itests -S -emit-llvm \
            "-DROCECC_FN=static __attribute__((noinline))" "tests/gates/bpf/$name.c" -o - |
            sed -n 's/^define internal .* @\(rocecc_[a-z0-9_]*\)(.*/\1/p'
    done > "$out/$gate-bpf/loaded"
    for c in tests/gates/bpf/exempt/*.c; do
        echo "rocecc_$(basename "$c" .c)"
    done >> "$out/$gate-bpf/loaded"
    sort -u "$out/$gate-bpf/loaded" -o "$out/$gate-bpf/loaded"
    missing=$(comm -23 "$out/$gate-bpf/public" "$out/$gate-bpf/loaded")
    [ -z "$missing" ] || { echo "bpf: in no program:" $missing; exit 1; }
}

due bpf "$@"
if echo "$pieces" | grep -qx cover; then
    covered
    record passed bpf cover
fi
set -- $(echo "$pieces" | grep -vx cover || true)
[ $# -gt 0 ] || exit 0
rows_of "$@"
build_loader
build_all "$@"
list "$out" "$@" > "$out/$gate-bpf/list"
"$out/$gate-bpf/load" "$out/$gate-bpf/list" > "$out/$gate-bpf/results" || { echo 'bpf: the loader ends'; exit 1; }
judge "$out/$gate-bpf/results" "$@"

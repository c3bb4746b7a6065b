#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Each header alone, and all of them twice, under every compiler and standard.
set -eu
warn="$1 -Werror -Iinclude -fsyntax-only"
cxxwarn=$(echo "$warn" | sed 's/-Wstrict-prototypes//')
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
missing=0

have() {
    command -v "$1" > /dev/null && return 0
    echo "selfcontained: no $1 here${CI:+, and CI needs it}"
    [ -z "${CI:-}" ] || missing=1
    return 1
}

for h in $(cd include && find rocecc -name '*.h' | sort) twice; do
    printf '#include "%s"\n#include "%s"\n' "$h" "$h" > "$tmp/one.c"
    [ "$h" = twice ] && printf '#include "rocecc/rocecc.h"\n#include "rocecc/rocecc.h"\n' > "$tmp/one.c"
    cp "$tmp/one.c" "$tmp/one.cc"
    for cc in gcc clang clang-19; do
        have $cc || continue
        for std in c99 c11 c17 c2x; do
            $cc -std=$std -ffreestanding $warn "$tmp/one.c"
            n=$((n + 1))
        done
        $cc -std=c99 -m32 -ffreestanding $warn "$tmp/one.c"
    done
    for cxx in g++ clang++ clang++-19; do
        have $cxx || continue
        for std in c++11 c++14 c++17 c++20; do
            $cxx -std=$std -ffreestanding $cxxwarn "$tmp/one.cc"
            n=$((n + 1))
        done
    done
    if have clang; then
        clang -target bpf -std=c99 -O2 -ffreestanding $warn "$tmp/one.c"
    fi
done
[ $missing = 0 ] || exit 1
echo "selfcontained: $n builds without a warning"

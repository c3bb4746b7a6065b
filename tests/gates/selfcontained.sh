#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Compiles each header alone with every compiler, and all of them by every standard.
set -eu
warn="$1 -Werror -Iinclude -fsyntax-only"
cxxwarn=$(echo "$warn" | sed 's/-Wstrict-prototypes//')
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
missing=0
cores=$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)

have() {
    command -v "$1" > /dev/null && return 0
    echo "selfcontained: no $1 here${CI:+, and CI needs it}"
    [ -z "${CI:-}" ] || missing=1
    return 1
}

# A struct must not have a member of an enum's type, because the compiler chooses its size. An
# enumeration that ends with ROCECC_IN_8_BITS_ has 8 bits, but not under BPF. There a member is a
# uint8_t if it has ROCECC_ENUM8_().
if have clang-19; then
    grep -rhoE '[}] ROCECC_IN_8_BITS_[(]rocecc_[a-z0-9_]+' include | sed 's/.*(//' > "$tmp/bytes"
    enums=$(grep -rhoE '^typedef enum rocecc_[a-z0-9_]+' include | sed 's/.* //; s/_$//' |
        grep -vxFf "$tmp/bytes" | paste -sd'|')
    (cd include && find rocecc -name '*.h' | sort) | sed 's/.*/#include "&"/' > "$tmp/one.c"
    clang-19 -std=c99 -Iinclude -fsyntax-only -Xclang -fdump-record-layouts-complete \
        "$tmp/one.c" > "$tmp/layouts"
    grep -q ' rocecc_opcode_class$' "$tmp/layouts" || {
        echo 'selfcontained: clang-19 tells of no struct'
        exit 1
    }
    if grep -nE "\|   ($enums) " "$tmp/layouts"; then
        echo 'selfcontained: -fshort-enums would change that member'
        exit 1
    fi
    clang-19 -target bpf -ffreestanding -Iinclude -fsyntax-only \
        -Xclang -fdump-record-layouts-complete "$tmp/one.c" > "$tmp/layouts"
    enums=$(grep -rhoE '^typedef enum rocecc_[a-z0-9_]+' include | sed 's/.* //; s/_$//' | paste -sd'|')
    if grep -nE "\|   ($enums) " "$tmp/layouts" || ! grep -q ' rocecc_opcode_class$' "$tmp/layouts"; then
        echo 'selfcontained: that member is an int under BPF: it lacks ROCECC_ENUM8_()'
        exit 1
    fi
fi

# ROCECC_TYPES_H with exactly the names in the head of base.h.
names=$(sed -n '/ROCECC_TYPES_H/,/ROCECC_FN/s/^ \* \{24\}//p' include/rocecc/base.h)
[ -n "$names" ] || { echo 'selfcontained: base.h lists no names'; exit 1; }
for name in $names; do
    grep -rqw "$name" --include='*.h' --exclude=base.h include || {
        echo "selfcontained: base.h lists $name for ROCECC_TYPES_H, and nothing uses it"
        exit 1
    }
    case $name in
    true) echo '#define true 1' ;;
    false) echo '#define false 0' ;;
    bool) echo '#define bool _Bool' ;;
    NULL) echo '#define NULL ((void *)0)' ;;
    offsetof) echo '#define offsetof(T, member) __builtin_offsetof(T, member)' ;;
    UINT32_C) echo '#define UINT32_C(x) x##U' ;;
    UINT64_C) echo '#define UINT64_C(x) x##ULL' ;;
    *_MAX) echo "#define $name __${name}__" ;;
    *_t) echo "typedef __$(echo "$name" | tr a-z A-Z)YPE__ $name;" ;;
    esac
done > "$tmp/types.h"
types="-DROCECC_TYPES_H=\"$tmp/types.h\""

# An int of 16 bits must be refused, with this message first, with the compiler's types and with
# the host's.
if have avr-gcc; then
    echo '#include "rocecc/rocecc.h"' > "$tmp/one.c"
    for own in -DOWN= "$types"; do
        if avr-gcc -std=c99 -Wfatal-errors -ffreestanding "$own" -Iinclude -fsyntax-only \
            "$tmp/one.c" 2> "$tmp/refused"; then
            echo 'selfcontained: avr-gcc, with an int of 16 bits, is not refused'
            exit 1
        fi
        grep -E '(error|warning):' "$tmp/refused" | sed 1q |
            grep -q 'error: .*rocecc_int_has_32_bits_' || {
            cat "$tmp/refused"
            echo 'selfcontained: avr-gcc is refused, but not for its int'
            exit 1
        }
        n=$((n + 1))
    done
fi
if have tcc; then
    echo '#include "rocecc/rocecc.h"' > "$tmp/one.c"
    tcc -std=c99 -Wall -Werror -Iinclude -c "$tmp/one.c" -o "$tmp/one.o"
    n=$((n + 1))
fi

# A file per header includes it twice. each CC FLAG... compiles every such file.
mkdir "$tmp/each"
for h in $(cd include && find rocecc -name '*.h' | sort); do
    printf '#include "%s"\n#include "%s"\n' "$h" "$h" > "$tmp/each/$(echo "$h" | tr / _).c"
done
each() {
    find "$tmp/each" -name '*.c' | sort | xargs -P "$cores" -n 8 "$@"
    n=$((n + $(find "$tmp/each" -name '*.c' | wc -l)))
}

for cc in gcc clang clang-19; do
    have $cc || continue
    for bits in 32 64; do
        each $cc -std=c99 -m$bits -ffreestanding -nostdinc "$types" $warn
    done
done

# Linked, every function of every header may need only functions that the README names for a
# freestanding host, and ROCECC_DIV64 on a machine without 64-bit division.
for cc in gcc clang clang-19; do
    have $cc || continue
    printf '%s\n' '#include "rocecc/base.h"' 'uint64_t host_div64(uint64_t n, uint64_t d);' \
        '#include "rocecc/rocecc.h"' > "$tmp/one.c"
    $cc -std=c99 -m32 -O1 -ffreestanding -fno-pic -Iinclude -Wno-unused-function \
        -DROCECC_DIV64=host_div64 '-DROCECC_FN=static __attribute__((used))' \
        -c "$tmp/one.c" -o "$tmp/one.o"
    wants=$(nm -u "$tmp/one.o" | awk '{print $2}')
    echo "$wants" | grep -qx host_div64 || { echo "selfcontained: $cc divides nowhere"; exit 1; }
    for name in $wants; do
        case $name in
        host_div64 | memcmp | memcpy | memmove | memset) ;;
        *) echo "selfcontained: $cc -m32 wants $name"; exit 1 ;;
        esac
    done
    n=$((n + 1))
done

# build CC STANDARD... compiles $tmp/one.c, as C or as C++.
build() {
    cc=$1
    shift
    have "$cc" || return 0
    for std in "$@"; do
        case $std in
        c++*) "$cc" -std="$std" -ffreestanding $cxxwarn -x c++ "$tmp/one.c" ;;
        *) "$cc" -std="$std" -ffreestanding $warn "$tmp/one.c" ;;
        esac
        n=$((n + 1))
    done
}

# Each header alone, by the oldest standards, because later ones only add.
for cc in gcc clang clang-19; do
    ! have $cc || each $cc -std=c99 -ffreestanding $warn
done
for cxx in g++ clang++ clang++-19; do
    ! have $cxx || each $cxx -std=c++11 -ffreestanding $cxxwarn -x c++
done
! have clang || each clang -target bpf -std=c99 -O2 -ffreestanding $warn \
    -Wno-implicit-int-conversion # of enumerations to members: base.h

# All headers, twice, by every standard.
for _ in 1 2; do
    (cd include && find rocecc -name '*.h' | sort) | sed 's/.*/#include "&"/'
done > "$tmp/one.c"
for cc in gcc clang clang-19; do build $cc c99 c11 c17 c2x; done
for cxx in g++ clang++ clang++-19; do build $cxx c++11 c++14 c++17 c++20; done
[ $missing = 0 ] || exit 1
echo "selfcontained: $n builds without a warning"

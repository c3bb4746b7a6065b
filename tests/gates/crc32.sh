#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# crc32.sh OUT checks that every kernel of examples/crc32 computes the CRC-32 of the ICRC
# (tests/gates/crc32/crc32.c), here and, for other CPUs, under qemu.
set -eu
out=$1
mkdir -p "$out"
warn='-Wall -Wextra -Wpedantic -Wshadow -Werror'
skip() {
    echo "crc32: $1: skipped"
    [ -z "${CI:-}" ] || exit 1
}
have() { command -v "$1" > /dev/null || { skip "no $1 here"; return 1; }; }
# try NAME HEADER KERNEL RUN COMPILER... checks KERNEL.
try() {
    name=$1 header=$2 kernel=$3 run=$4
    shift 4
    "$@" -std=gnu99 $warn -Iinclude -Iexamples/crc32 -DHEADER="\"$header\"" \
        -DKERNEL="$kernel" tests/gates/crc32/crc32.c examples/lib/vec.c -o "$out/$name"
    $run "$out/$name"
}
san='-fsanitize=address,undefined -fno-sanitize-recover=all'
pclmul='__builtin_cpu_supports("pclmul")&&__builtin_cpu_supports("sse4.1")'
vpclmul='__builtin_cpu_supports("vpclmulqdq")&&__builtin_cpu_supports("avx2")'
avx512='__builtin_cpu_supports("vpclmulqdq")&&__builtin_cpu_supports("avx512vl")'
if [ "$(uname -m)" = x86_64 ]; then
    for cc in gcc clang-19; do
        have $cc || continue
        try "pclmul-$cc" x86.h crc32_pclmul '' $cc -O2 -DNEEDS="$pclmul"
        try "vpclmul-$cc" x86.h crc32_vpclmul '' $cc -O2 -DNEEDS="$vpclmul"
        try "avx512-$cc" x86.h crc32_avx512 '' $cc -O2 -DNEEDS="$avx512"
        try "nibbles-$cc" select.h crc32_nibbles '' $cc -O2
        try "select-$cc" select.h crc32_select '' $cc -O2
    done
    try pclmul-san x86.h crc32_pclmul '' gcc -O1 -g $san -DNEEDS="$pclmul"
    try vpclmul-san x86.h crc32_vpclmul '' gcc -O1 -g $san -DNEEDS="$vpclmul"
    try avx512-san x86.h crc32_avx512 '' gcc -O1 -g $san -DNEEDS="$avx512"
fi
if have aarch64-linux-gnu-gcc && have qemu-aarch64; then
    arm='aarch64-linux-gnu-gcc -O2 -static'
    try armv8 arm.h crc32_armv8 qemu-aarch64 $arm -march=armv8-a+crc
    try pmull arm.h crc32_pmull qemu-aarch64 $arm -march=armv8-a+crypto
fi
if have riscv64-linux-gnu-gcc && have qemu-riscv64; then
    try zbc riscv.h crc32_zbc 'qemu-riscv64 -cpu rv64,zbc=true' \
        riscv64-linux-gnu-gcc -O2 -static -march=rv64gc_zbc
fi

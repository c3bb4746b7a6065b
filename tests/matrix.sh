#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix.sh OUT 'FORMAT...' NOUN...: the digests of whatever computes are the same for every
# optimisation, ABI and machine here as in OUT/rows, which are of -O0 with sanitizers. Each
# commit picks one pair of noun and build of 8; FULL=1 runs all, BUILD=NAME of that build.
set -eu
gate=matrix
out=$1
formats=" $2 "
shift 2
. tests/lib/need.sh
. tests/lib/due.sh
need gcc gcc --version
need clang-19 clang-19 --version
for machine in arm-linux-gnueabihf:arm aarch64-linux-gnu:aarch64; do
    need "${machine%:*}-gcc" "${machine%:*}-gcc" --version
    need "qemu-${machine#*:}" "qemu-${machine#*:}" --version
done
mkdir -p "$out/matrix"

builds='O0 O3 Os lto unsigned-char short-enums clang arm aarch64'
# What a build compiles with, and runs on.
build() {
    run=
    case $1 in
    O0 | O3 | Os) cc="gcc -$1" ;;
    lto) cc='gcc -O2 -flto' ;;
    unsigned-char) cc='gcc -O2 -funsigned-char' ;;
    short-enums) cc='gcc -O2 -fshort-enums' ;;
    clang) cc='clang-19 -O3' ;;
    arm) cc='arm-linux-gnueabihf-gcc -O2 -static' run=qemu-arm ;;
    aarch64) cc='aarch64-linux-gnu-gcc -O2 -static' run=qemu-aarch64 ;;
    *) echo "matrix: no build $1" && exit 2 ;;
    esac
}

n=0 bad=0
for b in ${BUILD:-$builds}; do
    build "$b"
    start=$(date +%s) of=0
    for noun in "$@"; do
        turn "matrix $b $noun" 8 || continue
        $cc -std=c99 -w -Iinclude -Itests "tests/bpf/$noun.c" examples/lib/vec.c \
            -o "$out/matrix/$b"
        from=-
        [ "${formats#* "$noun" }" = "$formats" ] || from=vectors/$noun.vec
        $run "$out/matrix/$b" "$from" > "$out/matrix/$b.rows" || {
            echo "matrix: $noun ends with an error as $b"
            bad=1
        }
        cmp "$out/matrix/$b.rows" "$out/rows/$noun.rows" || {
            echo "matrix: $noun gives other bits as $b"
            bad=1
        }
        of=$((of + 1))
    done
    n=$((n + of))
    echo "matrix: $b: $of nouns, $(($(date +%s) - start)) s"
done
[ $n -gt 0 ] || { echo 'matrix: nothing has run'; exit 1; }
echo "matrix: $n of $(($(echo "${BUILD:-$builds}" | wc -w) * $#)) pairs of noun and build compared"
exit $bad

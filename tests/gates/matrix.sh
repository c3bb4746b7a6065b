#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix.sh OUT 'FORMAT...' [NOUN...] builds the law of each noun for every optimisation, ABI and
# machine below. Its digests must equal OUT/rows, from -O0 with sanitizers. BUILD=NAME takes one
# build.
set -eu
gate=matrix
out=$1 formats=" $2 "
shift 2
. tests/lib/need.sh
. tests/lib/record.sh
need gcc gcc --version
need clang-19 clang-19 --version
for machine in arm-linux-gnueabihf:arm aarch64-linux-gnu:aarch64; do
    need "${machine%:*}-gcc" "${machine%:*}-gcc" --version
    need "qemu-${machine#*:}" "qemu-${machine#*:}" --version
done
mkdir -p "$out/matrix"

builds='O0 O3 Os lto unsigned-char short-enums no-shortcuts clang arm aarch64'
# build NAME sets its compiler and emulator.
build() {
    run=
    case $1 in
    O0 | O3 | Os) cc="gcc -$1" ;;
    lto) cc='gcc -O2 -flto' ;;
    unsigned-char) cc='gcc -O2 -funsigned-char' ;;
    short-enums) cc='gcc -O2 -fshort-enums' ;;
    no-shortcuts) cc='gcc -O2 -DROCECC_SHORTCUTS=0' ;;
    clang) cc='clang-19 -O3' ;;
    arm) cc='arm-linux-gnueabihf-gcc -O2 -static' run=qemu-arm ;;
    aarch64) cc='aarch64-linux-gnu-gcc -O2 -static' run=qemu-aarch64 ;;
    *) echo "matrix: no build $1" && exit 2 ;;
    esac
}

for b in ${BUILD:-$builds}; do build "$b"; done
due matrix "$@"
[ -n "$pieces" ] || exit 0
${MAKE:-make} -s --no-print-directory OUT="$out" $(echo "$pieces" | sed "s|.*|$out/rows/&.rows|")

# same NOUN: every build must give the same bits.
same() {
    from=-
    [ "${formats#* "$1" }" = "$formats" ] || from=vectors/$1.vec
    for b in ${BUILD:-$builds}; do
        build "$b"
        $cc -std=c99 -w -Iinclude -Itests "tests/gates/bpf/$1.c" examples/lib/vec.c \
            -o "$out/matrix/$1.$b" &&
            $run "$out/matrix/$1.$b" "$from" > "$out/matrix/$1.$b.rows" || {
            echo "matrix: $1 ends with an error as $b"
            return 1
        }
        cmp "$out/matrix/$1.$b.rows" "$out/rows/$1.rows" || {
            echo "matrix: $1 gives other bits as $b"
            return 1
        }
        rm "$out/matrix/$1.$b" "$out/matrix/$1.$b.rows"
    done
}

bad=0
for noun in $pieces; do
    same "$noun" || { bad=1; continue; }
    [ -n "${BUILD:-}" ] || record passed matrix "$noun"
done
echo "matrix: $(echo "$pieces" | wc -l) nouns, as $(echo ${BUILD:-$builds} | wc -w) builds each"
exit $bad

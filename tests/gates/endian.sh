#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# endian.sh OUT [PIECE...] runs the tests ("test/FILE") on big-endian s390x and on i386. The
# digests of the steps ("rows/STEP") and the runs of the laboratory ("cclab") must be the same
# bits as on this machine.
set -eu
. tests/lib/record.sh
out=$1 gate=endian
shift
. tests/lib/need.sh
need s390x-linux-gnu-gcc s390x-linux-gnu-gcc --version
need qemu-s390x qemu-s390x --version
need qemu-i386 qemu-i386 --version
# Debian's gcc -m32 finds the headers of the kernel, which <errno.h> includes, only with the package
# gcc-multilib, which conflicts with the cross compilers. The headers of this machine are the same.
gcc32="gcc -m32 -idirafter /usr/include/$(gcc -print-multiarch)"
need 'gcc -m32' sh -c "printf '#include <errno.h>\nint main(void) {return errno;}' |
    $gcc32 -x c -o /dev/null -"
quiet=${MAKE:-make}' -s --no-print-directory'

# on MACHINE TARGET... makes targets for s390x or i386. qemu runs them, because not every 64-bit
# kernel runs 32-bit programs. Positions in a folder have 64 bits on some file systems.
on() {
    machine=$1
    shift
    case $machine in
    s390x) compiler=s390x-linux-gnu-gcc ;;
    i386) compiler=$gcc32 ;;
    esac
    $quiet OUT="build/$machine" CC="$compiler" LIBRARY_O= TEST_O='-O1 -fno-inline' \
        CFLAGS='-O1 -static -D_FILE_OFFSET_BITS=64' RUN="qemu-$machine" \
        SAN='-fsanitize=undefined -fsanitize-undefined-trap-on-error' "$@"
}

due endian "$@"
files=$(echo "$pieces" | sed -n 's|^test/||p')
if [ -n "$files" ]; then
    for machine in s390x i386; do
        TEST_SCALE=10 on $machine test TEST="$(echo $files | tr ' ' '+')" \
            > build/endian.log 2>&1 || { grep -v '^ok' build/endian.log; exit 1; }
        ran=$(grep -x '[1-9][0-9]* passed, 0 failed' build/endian.log) ||
            { echo "endian: no test ran on $machine"; exit 1; }
        echo "endian: $machine: $ran"
    done
    echo "$files" | sed 's|^|test/|' | record passed endian -
fi
nouns=$(echo "$pieces" | sed -n 's|^rows/||p')
if [ -n "$nouns" ]; then
    $quiet OUT="$out" $(echo "$nouns" | sed "s|.*|$out/rows/&.rows|")
    for machine in s390x i386; do
        on $machine $(echo "$nouns" | sed "s|.*|build/$machine/rows/&.rows|")
        for n in $nouns; do
            cmp "$out/rows/$n.rows" "build/$machine/rows/$n.rows" ||
                { echo "endian: $n gives other bits on $machine"; exit 1; }
        done
    done
    echo "$nouns" | sed 's|^|rows/|' | record passed endian -
    echo "endian: $(echo "$nouns" | wc -l) laws give the same bits on s390x and i386"
fi
if echo "$pieces" | grep -qx cclab; then
    $quiet OUT="$out" "$out/cclab"
    for machine in s390x i386; do on $machine "build/$machine/cclab"; done
    sh tests/tools/cclab/same.sh "$out/cclab" 'qemu-s390x build/s390x/cclab' \
        'qemu-i386 build/i386/cclab'
    record passed endian cclab
fi

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# packages.sh OUT PYTHON builds the same consumer in each way of examples/packages, from the archive
# of a release. Each consumer must read a CNP that a NIC has sent. FULL=1: the whole suite on the
# single header, too, and in the Debian package.
set -eu
gate=hosts-packages
. tests/lib/need.sh
for tool in cmake meson ninja pkg-config dpkg-buildpackage dh lintian clang-19 clang \
    arm-none-eabi-gcc; do
    need $tool command -v $tool
done
mkdir -p "$1"
out=$(cd "$1" && pwd) python=$2 parts=tests/gates/hosts/packages
tree=$out/rocecc recipes=$out/rocecc/examples/packages
version=$(sed -n 's/^#define ROCECC_VERSION "\(.*\)"/\1/p' include/rocecc/base.h)
rm -rf "${out:?}"/*

fail() {
    echo "$gate: $*"
    exit 1
}

# quiet COMMAND... shows the output only after a failure.
quiet() {
    "$@" > "$out/log" 2>&1 || { tail -n 20 "$out/log"; fail "red: $*"; }
}

# The archive of HEAD. A tree without git is taken as it is.
if [ -e .git ]; then
    git -c safe.directory="$(pwd)" archive --prefix=rocecc/ -o "$out/rocecc.tar.gz" HEAD
    tar xzf "$out/rocecc.tar.gz" -C "$out"
else
    mkdir "$tree"
    cp -r CHANGELOG.md LICENSE Makefile README.md examples fuzz include tests vectors "$tree"
    tar czf "$out/rocecc.tar.gz" -C "$out" rocecc
fi

# A frame from a ConnectX-4 Lx, and the QP that it slows down (vectors/frame.vec).
"$python" - > "$out/frame" << 'END'
import re, sys
row = re.search(r"^cx4-cnp call packet_parse ok\n([0-9a-f\s]+)", open("vectors/frame.vec").read(), re.M)
sys.stdout.buffer.write(bytes.fromhex(row.group(1)))
END
said='QP 0x118 slows down'

# reads WAY CONSUMER: it must read that frame, and refuse it with another ICRC.
ways=
reads() {
    [ "$("$2" < "$out/frame")" = "$said" ] || fail "$1: the consumer reads another CNP"
    tr '\052' '\053' < "$out/frame" > "$out/damaged"
    cmp -s "$out/frame" "$out/damaged" && fail 'the frame has no byte to damage'
    ! "$2" < "$out/damaged" > /dev/null || fail "$1: the consumer takes a damaged CNP"
    ways="$ways $1"
}

# The version in base.h must also be in files that cannot read it there.
for text in README.md:"Version $version has" CHANGELOG.md:"## $version" \
    examples/packages/debian/changelog:"rocecc ($version)"; do
    grep -qF "${text#*:}" "$tree/${text%%:*}" || fail "${text%%:*} is not of $version"
done

. $parts/single.sh
. $parts/make.sh
. $parts/cmake.sh
. $parts/meson.sh
. $parts/debian.sh
. $parts/msvc.sh

if [ -n "${FULL:-}" ]; then
    quiet make -C "$tree" test-single
    echo "packages: on the single header alone $(tail -n 1 "$out/log")"
fi
echo "packages: $version is had by$ways"

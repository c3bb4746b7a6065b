#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# install.sh PREFIX [DESTDIR]: installs the headers, and files for pkg-config and CMake.
# These files suit any machine, so they are below share.
set -eu
umask 022
recipes=$(dirname "$0") prefix=$1 to=${2:-}$1
version=$(sed -n 's/^#define ROCECC_VERSION "\(.*\)"/\1/p' include/rocecc/base.h)

put() {
    mkdir -p "${2%/*}"
    install -m 644 "$1" "$2"
}

fill() {
    mkdir -p "${2%/*}"
    sed "s|@PREFIX@|$prefix|; s|@VERSION@|$version|" "$recipes/$1" > "$2"
    chmod 644 "$2"
}

(cd include && find rocecc -name '*.h') | while read -r header; do
    put "include/$header" "$to/include/$header"
done
(cd include/rocecc && find . -name '*.md') | while read -r text; do
    put "include/rocecc/$text" "$to/share/doc/rocecc/$text"
done
fill rocecc.pc.in "$to/share/pkgconfig/rocecc.pc"
put "$recipes/rocecc-config.cmake" "$to/share/cmake/rocecc/rocecc-config.cmake"
fill rocecc-config-version.cmake.in "$to/share/cmake/rocecc/rocecc-config-version.cmake"
echo "install: rocecc $version in $to"

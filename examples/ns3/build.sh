#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# build.sh OUT: OUT/roce from these files, by Debian's ns-3. CXXFLAGS are added.
# Debian's ns3-*.pc have a stray -I/usr: only their libraries are taken, as the headers
# are in /usr/include.
set -eu
out=$1 here=$(dirname "$0")
mkdir -p "$out"
warn='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-align -Wundef'
objects=
for source in "$here"/*.cc; do
    object=$out/$(basename "$source" .cc).o
    # shellcheck disable=SC2086
    ${CXX:-c++} -std=c++17 -O1 -DROCECC_ICRC_TABLE_BYTES=16384 $warn -Werror ${CXXFLAGS:-} \
        -I"$here/../../include" -c -o "$object" "$source"
    objects="$objects $object"
done
# shellcheck disable=SC2046,SC2086
${CXX:-c++} -o "$out/roce" $objects $(pkg-config --libs ns3-network ns3-core)

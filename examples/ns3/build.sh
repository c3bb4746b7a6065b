#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# build.sh OUT: builds OUT/roce from these files, with Debian's ns-3. CXXFLAGS are
# added. All files are one translation unit, because ns-3's headers take longest to
# compile. cctrace's tables are C, and are one object. Debian's ns3-*.pc are not used,
# because they have a stray -I/usr, and need libgsl-dev and libsqlite3-dev, but nothing
# here does.
set -eu
out=$1 here=$(dirname "$0")
mkdir -p "$out"
for source in "$here"/*.cc; do
    echo "#include \"$source\""
done > "$out/roce.cc"
tables=$(ls "$here"/../cctrace/*.c "$here"/../lib/*.c | grep -v -e /main.c -e /play.c)
# shellcheck disable=SC2086
${CC:-cc} -std=c99 -O2 -I"$here/../../include" -r -nostdlib -o "$out/tables.o" $tables
# shellcheck disable=SC2086
${CXX:-c++} -std=c++17 -O2 -DROCECC_ICRC_TABLE_BYTES=16384 -Wall -Wextra -Wpedantic \
    -Wconversion -Wsign-conversion -Wshadow -Wcast-align -Wundef -Werror ${CXXFLAGS:-} \
    -I. -I"$here/../../include" -o "$out/roce" "$out/roce.cc" "$out/tables.o" \
    -lns3-network -lns3-core

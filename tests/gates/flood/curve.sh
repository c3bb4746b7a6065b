#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# curve.sh OUT checks that the table of losses in include/rocecc/role/README.md has curve.c's
# rows.
set -eu
out=$1
page=include/rocecc/role/README.md
mkdir -p "$out"
gcc -std=c99 -O2 -Wall -Wextra -Werror -Iinclude tests/gates/flood/curve.c -o "$out/curve"
"$out/curve" > "$out/curve.txt"
sed -n '/^<!-- curve:/,/^<!-- end of curve/s/^| [0-9].*/&/p' $page > "$out/curve.page"
if ! diff "$out/curve.page" "$out/curve.txt"; then
    echo "flood: <: $page; >: what tests/gates/flood/curve.c gives"
    exit 1
fi
echo "flood: $(wc -l < "$out/curve.txt") rows of $page are what curve.c gives"

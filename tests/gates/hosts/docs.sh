#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# docs.sh OUT PYTHON makes the reference (make docs) twice and expects the same, checks it with
# tests/gates/hosts/docs/check.py, and builds and runs its pages' examples.
set -eu
out=$1 python=$2
gate=hosts-docs
. tests/lib/need.sh
need doxygen doxygen --version
cc=${CC:-cc}
rm -rf "$out"
mkdir -p "$out"
make -s docs OUT="$out/1" PYTHON="$python"
make -s docs OUT="$out/2" PYTHON="$python" > /dev/null
diff -r "$out/1/docs" "$out/2/docs" || { echo 'docs: another time it is another one'; exit 1; }
"$python" -B tests/gates/hosts/docs/check.py "$out/1/docs"
for c in examples/docs/*.c; do
    name=$(basename -s .c "$c")
    grep -q "@include $name.c" examples/docs/*.md || { echo "docs: no page has $c"; exit 1; }
    $cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow \
        -Wcast-align -Wundef -Wstrict-prototypes -Werror -Iinclude "$c" -o "$out/$name"
    "$out/$name" || { echo "docs: $c is not as its page says"; exit 1; }
    echo "docs: $c does what it says"
done

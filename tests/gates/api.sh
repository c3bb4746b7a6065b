#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Compares the headers' public names with tests/gates/api.txt: each public function's declaration
# with its header, and then every other name. Fails on any difference. API=update writes the list
# again.
set -eu
list=tests/gates/api.txt
now=$(mktemp)
trap 'rm -f "$now" "$now.h"' EXIT

# code HEADER prints HEADER on one line, without comments.
code() { ${CC:-cc} -fpreprocessed -dD -E -P "$1" 2> /dev/null | tr -s ' \t\n' ' '; }

for h in $(cd include/rocecc && ls *.h */*.h | grep -vx rocecc.h); do
    code "include/rocecc/$h" > "$now.h"
    [ "$h" = bytes_bpf.h ] || # same as bytes.h
        grep -oE 'ROCECC_(FN|INLINE) [^{;]*[{;]' "$now.h" | grep -v '_(' |
        sed "s|^ROCECC_[A-Z]* |$h: |; s| *[{;]\$||; s|( |(|" >> "$now.fn" || true
    grep -oE '\b(rocecc|ROCECC)_[A-Za-z0-9_]*[A-Za-z0-9]\b' "$now.h" |
        grep -vE '^ROCECC_[A-Z0-9_]+_H$' >> "$now.name" || true # only includes others
done
LC_ALL=C sort "$now.fn" > "$now"
sed 's/(.*//; s/.*[ *]//' "$now.fn" | LC_ALL=C sort -u > "$now.h"
LC_ALL=C sort -u "$now.name" | LC_ALL=C comm -23 - "$now.h" >> "$now"
rm -f "$now.fn" "$now.name"
[ "${API:-}" != update ] || cp "$now" "$list"
if ! diff -u "$list" "$now"; then
    echo 'api: what users can name has changed; API=update says that it should'
    exit 1
fi
echo "api: $(grep -c '(' $list) functions and $(grep -vc '(' $list) other names, as listed"

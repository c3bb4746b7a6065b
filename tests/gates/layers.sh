#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Fails on an include against the one direction:
#     role -> telemetry -> {packet -> wire -> bytes, algo, guard -> fixed} -> net -> base
# fields may include any of these, but must not be included by them, because it is for tools.
set -eu
bad=0

# allow FOLDER-OR-FILE REGEX: its permitted includes with quotes
allow() {
    for h in $1; do
        [ -e "$h" ] || continue
        x=$(sed -n 's/^#[[:space:]]*include[[:space:]]*"\(.*\)".*/\1/p' "$h" | grep -vxE "$2" || true)
        if [ -n "$x" ]; then
            echo "$h: includes $(echo $x), against the direction"
            bad=1
        fi
    done
}
cd include/rocecc
allow 'base.h' 'nothing'
allow 'net.h bytes_bpf.h fixed.h' 'base\.h'
allow 'bytes.h' '(base|bytes_bpf)\.h'
allow 'wire/*.h' '\.\./(base|net|bytes)\.h|[a-z0-9]+\.h'
allow 'packet/*.h' '\.\./((base|net|bytes|fixed)|wire/[a-z0-9]+)\.h|[a-z0-9]+\.h'
allow 'algo/*.h guard/*.h' '\.\./(base|net|fixed)\.h|[a-z0-9_]+\.h'
allow 'telemetry/*.h' '\.\./((base|net|bytes|fixed)|(wire|packet|algo|guard)/[a-z0-9_]+)\.h|[a-z0-9]+\.h'
allow 'role/*.h' '\.\./((base|net|bytes|fixed)|(wire|packet|telemetry|algo|guard)/[a-z0-9_]+)\.h|[a-z0-9_]+\.h'
allow 'fields/*.h' '\.\./(base|(wire|packet|telemetry|algo|guard|role)/[a-z0-9_]+)\.h|[a-z0-9_]+\.h'
allow 'rocecc.h' '(base|net|bytes|fixed|(wire|packet|telemetry|algo|guard|role)/[a-z0-9_]+)\.h'
x=$(grep -rnE '^#[[:space:]]*include[[:space:]]*<' . | grep -vE '<(stdint|stddef|stdbool|limits)\.h>' || true)
if [ -n "$x" ]; then
    echo "$x: not freestanding"
    bad=1
fi
for h in *.h wire/*.h packet/*.h telemetry/*.h algo/*.h guard/*.h role/*.h; do
    [ -e "$h" ] || continue
    case $h in
    rocecc.h) continue ;;
    bytes_bpf.h) grep -q '"bytes_bpf.h"' bytes.h && continue ;; # included by bytes.h for BPF
    esac
    grep -q "\"$h\"" rocecc.h || { echo "rocecc.h lacks $h"; bad=1; }
done
cd ../..
"${PYTHON:-/usr/bin/python3}" -B tests/gates/members.py || bad=1
[ $bad = 0 ] && echo "layers: every include follows the direction"
exit $bad

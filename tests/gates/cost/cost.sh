#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cost.sh OUT [write] counts the instructions of each step (callgrind, gcc -O2) beside the same
# equations in double, and state sizes. A step more than 5 % off its row in cost.txt, another
# size, and a missing or extra row fail. write renews the rows. Nanoseconds are not judged,
# because they depend on the machine.
set -eu
out=$1/cost
for tool in valgrind callgrind_annotate gcc; do
    command -v $tool > /dev/null && continue
    echo "cost: no $tool here: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
done
case $(gcc -dumpversion) in
12*) ;;
*)
    echo 'cost: the rows are of gcc 12: skipped'
    [ -z "${CI:-}" ] && exit 0 || exit 1
    ;;
esac
mkdir -p "$out"
: > "$out/now"
printf '%-36s %8s %8s %8s %8s\n' 'per step' instr double ns double
for c in tests/gates/cost/*.c; do
    name=$(basename "$c" .c)
    gcc -std=gnu99 -O2 -Wall -Wextra -Iinclude -Itests "$c" -o "$out/$name"
    valgrind --tool=callgrind --callgrind-out-file="$out/$name.calls" "$out/$name" \
        > "$out/$name.sizes" 2> "$out/$name.log" || { cat "$out/$name.log"; exit 1; }
    callgrind_annotate --inclusive=yes --threshold=100 --show-percs=no \
        "$out/$name.calls" | sed -n 's/,//g; s/^ *\([0-9]*\) .*:\(\(cost\|plain\)_[a-z0-9_]*\) .*/\2 \1/p' |
        awk '!($1 in seen) {seen[$1]; printf "%s %.0f\n", $1, $2 / 1000}' \
        > "$out/$name.instr"
    "$out/$name" time | sed '/^size/d' > "$out/$name.ns"
    awk -v name="$name" '
        FILENAME ~ /ns$/ {ns[$1] = $2; next}
        {instr[$1] = $2}
        $1 ~ /^cost_/ {all[++n] = substr($1, 6)}
        END {
            for (i = 1; i <= n; i++) {
                c = "cost_" all[i]; p = "plain_" all[i]
                printf "%-36s %8s %8s %8s %8s\n", all[i], instr[c],
                    p in instr ? instr[p] : "-", ns[c], p in ns ? ns[p] : "-"
            }
            if (n == 0) exit 1
        }' "$out/$name.ns" "$out/$name.instr" | tee "$out/$name.table"
    awk '{print "step", $1, $2}' "$out/$name.table" >> "$out/now"
    sed -n 's/^size rocecc_/size /p' "$out/$name.sizes" >> "$out/now"
done
sort -o "$out/now" "$out/now"
if [ "${2:-}" = write ]; then
    { echo '# Instructions per step (gcc 12 -O2, callgrind) and bytes of state: make cost.'
        cat "$out/now"; } > tests/gates/cost/cost.txt
    exit 0
fi
grep '^size' "$out/now" | awk '{printf "%-36s %8s bytes\n", $2, $3}'
grep -v '^#' tests/gates/cost/cost.txt | awk '
    NR == FNR {was[$1 " " $2] = $3; next}
    !(($1 " " $2) in was) {print "cost: " $2 " has no row"; bad = 1; next}
    {w = was[$1 " " $2]; delete was[$1 " " $2]}
    $1 == "size" && $3 != w || $3 > w * 1.05 + 0.5 || $3 < w * 0.95 - 0.5 {
        print "cost: " $2 ": " $3 ", where cost.txt has " w; bad = 1}
    END {for (k in was) {print "cost: " k " is measured no more"; bad = 1} exit bad}' - "$out/now"

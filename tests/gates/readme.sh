#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# readme.sh [update] compares README.md's table of sizes with tests/gates/size/size.txt and
# tests/gates/cost/cost.txt, and include/rocecc/README.md's table of macros with those that a
# host may set. README.md has at most 200 lines.
set -eu
cd "$(dirname "$0")/../.."
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT

# noun, step in cost.txt, state in cost.txt; -: not measured
cat > "$t/nouns" << 'END'
cnp_path - -
packet/packet.h - -
algo/wred.h wred_decide -
algo/dcqcn.h dcqcn_cnp dcqcn
algo/hpcc.h hpcc_ack hpcc
algo/ldcp.h ldcp_ack ldcp
algo/qcn_rp.h qcn_rp_cnm qcn_rp
guard/flowtable.h flowtable_lookup flowtable_slot
role/reaction_point.h - -
END
awk '
    FILENAME ~ /size.txt/ { if ($1 == "cortex-m4") { code[$2] = $4; data[$2] = $5 } next }
    FILENAME ~ /cost.txt/ { if ($1 == "step") step[$2] = $3; if ($1 == "size") size[$2] = $3; next }
    !($1 in code) || ($2 != "-" && !($2 in step)) || ($3 != "-" && !($3 in size)) {
        print "readme: not measured: " $0 > "/dev/stderr"; exit 1 }
    { printf "| `%s` | %d | %d | %s | %s |\n", $1, code[$1], data[$1],
          $2 == "-" ? "-" : step[$2] " (`" $2 "`)", $3 == "-" ? "-" : size[$3] " (`" $3 "`)" }
' tests/gates/size/size.txt tests/gates/cost/cost.txt "$t/nouns" > "$t/rows"

first='<!-- sizes: sh tests/gates/readme.sh update -->' last='<!-- end of sizes -->'
awk -v first="$first" -v last="$last" -v rows="$t/rows" '
    $0 == last { while ((getline line < rows) > 0) print line; skip = 0; closed = 1 }
    !skip
    $0 == first { getline; print; getline; print; skip = 1 }
    END { exit !closed }
' README.md > "$t/README.md" || { echo 'readme: README.md has no table of sizes'; exit 1; }

bad=0
[ $(wc -l < README.md) -le 200 ] || { echo 'readme: README.md has more than 200 lines'; bad=1; }
if [ "${1:-}" = update ]; then
    cp "$t/README.md" README.md
else
    diff README.md "$t/README.md" || { echo "readme: $first"; bad=1; }
fi

# Macros with a default in #ifndef, and macros in #if defined().
{
    echo ROCECC_TYPES_H # ends like an include guard
    grep -rhoE '^#(ifndef|if|elif) .*ROCECC_[A-Z0-9_]+' include |
        grep -oE 'ROCECC_[A-Z0-9_]+' | grep -vE '(_H|_)$'
} | sort -u > "$t/macros"
sed -n 's/^| `\(ROCECC_[A-Z0-9_]*\)` |.*/\1/p' include/rocecc/README.md | sort > "$t/named"
diff "$t/macros" "$t/named" || { echo 'readme: <: the page does not name it; >: nothing has it'; bad=1; }
[ $bad = 0 ] && echo "readme: $(grep -c . "$t/nouns") sizes and $(grep -c . "$t/macros") macros"
exit $bad

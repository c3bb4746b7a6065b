#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# static.sh OUT runs gcc -fanalyzer on each header, clang-tidy's bugprone and cert, cppcheck, and
# cppcheck's MISRA addon. A finding is a failure unless static/deviations.md has it, and so is a
# deviation there without a finding. gcc's findings in a header are in the header's record, for a
# run that does not analyse the header again. STATIC=gcc: only gcc.
set -eu
gate=static
out=$1/static
python=${PYTHON:-/usr/bin/python3}
. tests/lib/need.sh
. tests/lib/record.sh
misra=$(find /usr/lib /usr/share -path '*/addons/misra.py' 2> /dev/null | head -n 1)
need 'gcc 12' sh -c 'gcc -dumpversion | grep -qx 12'
need clang-tidy-19 clang-tidy-19 --version
need cppcheck cppcheck --version
need 'misra.py of cppcheck' test -n "$misra"
need "$python" "$python" --version
rm -rf "$out"
mkdir -p "$out"
all=$(cd include && find rocecc -name '*.h' | sort)

# gcc's analysis starts only with the functions of this header, and follows their calls. The
# record has their number, because an analysis of none would find nothing, either.
analyse() {
    {
        [ "$1" = rocecc/base.h ] || echo '#include "rocecc/base.h"'
        sed -n 's/^#include "\([^"]*\)"/\1/p' "include/$1" | while read -r i; do
            case $i in rocecc/*) echo "#include \"$i\"" ;; *) echo "#include \"${1%/*}/$i\"" ;; esac
        done
        printf '%s\n' '#undef ROCECC_FN' '#define ROCECC_FN' "#include \"$1\""
    } > "$out/one.c"
    flags=$gcc piece=${1#rocecc/}
    ! echo "$reduced" | grep -qx "$piece" || flags="$gcc $fewer"
    if echo "$pieces" | grep -qx "$piece"; then
        (ulimit -t 600 && gcc $flags -S -o "$out/one.s" "$out/one.c") > "$out/one.log" 2>&1 || {
            tail -n 5 "$out/one.log"
            echo "static: gcc does not finish with $1 in ten minutes"
            exit 1
        }
        record passed static "$piece" "functions=$(grep -c '\.globl' "$out/one.s")" \
            $(sed -n 's/.*\[\(-W[a-zA-Z0-9-]*\)\]$/\1/p' "$out/one.log" | sort -u)
        cat "$out/one.log" >> "$out/said"
    fi
    [ "$flags" = "$gcc" ] || echo "$1 -reduced" >> "$out/gcc"
    record kept static "$piece" | sed "s,^,$1 ," >> "$out/gcc"
}

# The table names headers in which gcc looks at fewer states, because all would take minutes.
fewer='--param=analyzer-max-enodes-per-program-point=3 --param=analyzer-max-svalue-depth=6'
reduced=$(sed -n 's/^| [0-9]* | gcc | -reduced | \([^|]*\) |.*/\1/p' tests/gates/static/deviations.md |
    tr ' ' '\n')
gcc='-std=c99 -Iinclude -fanalyzer -Wno-attributes -fdiagnostics-path-format=none'
case ${STATIC:-} in '' | gcc) ;; *) echo "static: there is no $STATIC"; exit 2 ;; esac
due static
[ -n "$pieces" ] || exit 0
for h in $all; do
    analyse "$h"
done
n=$(sed -n 's/.* functions=//p' "$out/gcc" | awk '{n += $1} END {print n + 0}')
echo "static: gcc: $n functions"
echo "$all" | sed 's/.*/#include "&"/' > "$out/all.c"
gcc -std=c99 -Iinclude -Wno-attributes -DROCECC_FN= -S -o "$out/all.s" "$out/all.c"
[ "$n" = "$(grep -c '\.globl' "$out/all.s")" ] || {
    echo "static: the headers together have $(grep -c '\.globl' "$out/all.s")"
    exit 1
}

if [ "${STATIC:-}" = gcc ]; then
    "$python" -B tests/gates/static/judge.py "$out" tests/gates/static/deviations.md gcc
    exit
fi
clang-tidy-19 --quiet -checks='-*,bugprone-*,cert-*' -header-filter='.*' "$out/all.c" -- \
    -std=c99 -Iinclude -DROCECC_FN= > "$out/clang-tidy" 2> "$out/tidy.err" ||
    { tail -n 5 "$out/clang-tidy" "$out/tidy.err"; exit 1; }
cppcheck -q --std=c99 --enable=warning,style,performance,portability -Iinclude \
    -DROCECC_FN=static --template='{file}:{line}: {message} [{id}]' --dump "$out/all.c" \
    > "$out/cppcheck" 2>&1
"$python" -B tests/gates/static/misra_run.py "$misra" "$out/all.c.dump" > "$out/misra" 2>&1 || true
grep -q '^misra: all rules' "$out/misra" ||
    { tail -n 5 "$out/misra"; echo 'static: MISRA ends early'; exit 1; }
"$python" -B tests/gates/static/judge.py "$out" tests/gates/static/deviations.md \
    gcc clang-tidy cppcheck misra
record passed static tidy

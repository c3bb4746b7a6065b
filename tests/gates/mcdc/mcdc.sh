#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mcdc.sh OUT SOURCE... measures how much of the library the test program made of SOURCE...
# reaches, by clang: functions, lines, branches, and conditions that decide alone (MC/DC).
# OUT/mcdc/gaps has the rest, and a list must have it with its reason (judge.py).
set -eu
out=$1/mcdc
shift
python=${PYTHON:-/usr/bin/python3}
cov='-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc'
flags="-std=gnu99 -w $cov -Iinclude -Itests -I${out%/mcdc}"
for tool in clang-19 llvm-profdata-19 llvm-cov-19 "$python"; do
    command -v "$tool" > /dev/null && continue
    echo "mcdc: no $tool here: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
done
if ! echo 'int main(void) {return 0;}' | clang-19 $cov -x c -o /dev/null - 2> /dev/null; then
    echo 'mcdc: clang-19 has no libclang_rt.profile here: skipped'
    [ -z "${CI:-}" ] && exit 0 || exit 1
fi
rm -rf "$out"
mkdir -p "$out"

# The counters are set before the optimiser runs, so the library may be fast.
clang-19 $flags -O1 -c tests/lib/library.c -o "$out/library.o" \
    2> "$out/unfollowed" || { cat "$out/unfollowed"; exit 1; }

# A file that sets a cap of the library has its own library.
for c in "$@"; do
    link=-DROCECC_FN=inline
    ! grep -q '^#define ROCECC_' "$c" || link=
    echo "$flags -O0 $link -c $c -o $out/$(echo "${c%.c}" | tr / _).o"
done | xargs -P 2 -L 1 clang-19 2> "$out/log" || { cat "$out/log"; exit 1; }
clang-19 $cov "$out"/*.o -lm -o "$out/test"

# Processes of the tests add to one profile (%m) at exit(). After _exit() nothing is written, and
# the gaps show it.
LLVM_PROFILE_FILE="$out/%m.profraw" "$out/test" > "$out/log" 2>&1 || {
    grep -v '^ok ' "$out/log"; echo 'mcdc: a test fails'; exit 1; }
llvm-profdata-19 merge -o "$out/profile" "$out"/*.profraw
llvm-cov-19 export "$out/test" -instr-profile="$out/profile" include/rocecc > "$out/json"
$python -B tests/gates/mcdc/judge.py "$out/json" "$out/unfollowed" "$out/gaps" tests/gates/mcdc/excused*

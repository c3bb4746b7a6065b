#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# callers.sh OUT PYTHON [FUNCTION...] checks that every public function with an output, called as
# its comment says, builds without a warning. callers/callers.py writes each caller to its own
# file, because gcc's warnings depend on inlining.
set -eu
export LC_ALL=C
out=$1/callers
python=$2
shift 2
missing=0
rm -rf "$out"
mkdir -p "$out"
for cc in gcc clang clang-19; do
    command -v $cc > /dev/null && continue
    echo "callers: no $cc here: skipped"
    missing=1
done
[ $missing = 0 ] || [ -z "${CI:-}" ] || exit 1
n=$("$python" -B tests/gates/callers/callers.py "$out")
for f in "$@"; do
    [ -e "$out/$f.c" ] || { echo "callers: no function rocecc_$f has an output"; exit 2; }
done
[ $# -gt 0 ] || set -- $(cd "$out" && ls | sed -n 's/\.c$//p')
levels='-O1 -O2 -O3 -Os'
warn='-std=c99 -Wall -Wextra -Werror -Iinclude'

cat > "$out/gcc.sh" << EOF
for o in $levels; do
    gcc \$o $warn -c "$out/\$1.c" -o "$out/\$1.o" 2> "$out/\$1.log" && continue
    echo "callers: gcc \$o: rocecc_\$1:"
    grep -m 3 error: "$out/\$1.log"
    exit 1
done
EOF
printf '%s\n' "$@" | xargs -P "$(nproc 2> /dev/null || echo 1)" -I{} sh "$out/gcc.sh" {} || {
    echo 'callers: who calls it as its comment says gets a warning'
    exit 1
}

# clang's warnings do not depend on inlining, so its parser is enough.
for f in "$@"; do cat "$out/$f.c"; done > "$out/all"
for cc in clang clang-19; do
    command -v $cc > /dev/null || continue
    for o in $levels; do
        $cc $o $warn -x c -fsyntax-only "$out/all"
    done
done
echo "callers: $# of $n functions with an output are called without a warning"

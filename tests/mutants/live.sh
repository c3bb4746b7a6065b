#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# live.sh [NAME...]: makes each known defect in a copy of the tree and expects its gate to go
# red for the reason that the defect states (edit.py has the format). The copy has records:
# of the pieces that have to notice the defect it says that they passed before. So a gate
# whose key lacks an input stays green here, and keys that do not change are red at once.
set -eu
. tests/lib/record.sh
python=${PYTHON:-/usr/bin/python3}
here=$(pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Most of what a defect compiles, the one before it has compiled, too.
if command -v ccache > /dev/null; then
    mkdir "$tmp/bin"
    for cc in cc gcc clang; do
        ln -s "$(command -v ccache)" "$tmp/bin/$cc"
    done
    export CCACHE_DIR="$tmp/ccache" PATH="$tmp/bin:$PATH"
fi

# red NAME: whether its gate goes red, for the right reason.
red() {
    file=tests/mutants/$1.edit
    "$python" -B tests/mutants/edit.py head "$file" > "$tmp/head"
    { read -r gate && read -r with && read -r expect; } < "$tmp/head"
    noticing=$("$python" -B tests/mutants/edit.py keys "$file")
    # A test alone: the whole library need not be compiled for it.
    [ "${with#*TEST=}" = "$with" ] || with="$with LINK="
    rm -rf "$tmp/tree"
    mkdir "$tmp/tree"
    tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$tmp/tree"
    cd "$tmp/tree"
    record keys "$gate" $noticing | sort > "$tmp/before"
    mkdir -p build/record
    while read -r piece key; do
        grep -qs "^$piece $key" "tests/record/$gate" || echo "$piece $key"
    done < "$tmp/before" > "build/record/$gate"
    "$python" -B tests/mutants/edit.py apply "$file" ||
        { echo "gates-are-live: $1 no longer applies"; return 1; }
    record keys "$gate" $noticing | sort > "$tmp/after"
    if [ -n "$(comm -12 "$tmp/before" "$tmp/after")" ]; then
        echo "gates-are-live: $1 leaves these keys of $gate as they are: $(comm -12 \
            "$tmp/before" "$tmp/after" | cut -d ' ' -f 1 | head -n 5 | xargs)"
        return 1
    fi
    if ONLY_DUE=1 make "$gate" $with MAKEFLAGS= > "$tmp/log" 2>&1; then
        if [ -z "${CI:-}" ] && grep -q ': skipped' "$tmp/log"; then
            echo "gates-are-live: $1: $gate is skipped here"
            return 0
        fi
        echo "gates-are-live: $1: $gate stays green"
        return 1
    fi
    grep -qE "$expect" "$tmp/log" || {
        echo "gates-are-live: $1: $gate is red, but not for '$expect':"
        tail -n 20 "$tmp/log"
        return 1
    }
}

due gates-are-live "$@"
bad=0
for name in $pieces; do
    start=$(date +%s)
    if red "$name"; then
        cd "$here"
        record passed gates-are-live "$name"
        echo "gates-are-live: $gate goes red on $name, $(($(date +%s) - start)) s"
    else
        bad=1
    fi
    cd "$here"
done
echo "gates-are-live: $(echo "$pieces" | grep -c .) defects tried"
exit $bad

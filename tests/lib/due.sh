# SPDX-License-Identifier: BSD-2-Clause
# What a gate of many pieces has to run, for scripts that source this file.
#
# A piece's key is a hash of all that its result depends on: its preprocessed source, the
# script, the tool's version and flags. tests/record/GATE holds the key with which each
# piece passed last. A piece with that key is left out, except when it is its turn: each
# commit picks one of N anew. FULL=1 runs every piece.

# key FILE...: of these files and of standard input.
key() {
    cat "$@" - | sha256sum | cut -c 1-24
}

# turn PIECE N: whether this commit picks the piece, as one of N.
turn() {
    [ -z "${FULL:-}" ] || return 0
    commit=$(git rev-parse -q --verify HEAD 2> /dev/null || date +%F)
    [ $(($(printf '%s %s' "$1" "$commit" | cksum | cut -d ' ' -f 1) % $2)) = 0 ]
}

# due GATE PIECE KEY N: whether the piece has to run.
due() {
    ! grep -q "^$2 $3\( \|$\)" "tests/record/$1" 2> /dev/null || turn "$1 $2" "$4"
}

# passed GATE PIECE KEY [WORD...]: it ran, and passed. The words are kept with it.
passed() {
    gate=$1 piece=$2
    shift
    mkdir -p tests/record
    { grep -v "^$piece " "tests/record/$gate" 2> /dev/null || true
        echo "$*"; } | LC_ALL=C sort > "tests/record/$gate.$$"
    mv "tests/record/$gate.$$" "tests/record/$gate"
}

# kept GATE PIECE: the words that were kept with it, one in a line.
kept() {
    sed -n "s/^$2 [^ ]* *//p" "tests/record/$1" | tr ' ' '\n'
}

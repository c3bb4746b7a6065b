# SPDX-License-Identifier: BSD-2-Clause
# Functions for tests/gates/bpf/bpf.sh and tests/gates/live/bpf61.sh, which set $gate and $out.
#
# With these flags, one object loads on the kernels 6.1 to 6.18. Both clangs use -Os, because
# 6.1 takes some of their loops at -O1 and -O2 for endless. The others are -mcpu=v3, and -g
# for the types of maps and functions. A program adds flags with "bpf-flags:".
clangs='14 19'

. tests/lib/record.sh

# Skips the gate, but fails in CI.
skip() {
    echo "$gate: $1: skipped"
    [ -z "${CI:-}" ] && exit 0 || exit 1
}

need() {
    for tool in "$@"; do
        command -v "$tool" > /dev/null || skip "no $tool here"
    done
}

bpf_programs() {
    (cd tests/gates/bpf && ls *.c | sed 's/\.c$//' | grep -vx load)
}

# rows_of NAME... - makes the rows for these programs.
rows_of() {
    rows=
    for name in "$@"; do
        [ ! -e "fuzz/$name.c" ] || rows="$rows $out/rows/$name.rows"
    done
    [ -z "$rows" ] || ${MAKE:-make} -s --no-print-directory OUT="$out" $rows
}

# Builds the loader. In a virtual machine it is also process 1.
build_loader() {
    mkdir -p "$out/$gate-bpf"
    ${CC:-cc} -O1 -Wall -Wextra -static tests/gates/bpf/load.c -lbpf -lelf -lz -o "$out/$gate-bpf/load"
}

# source_of NAME - prints the program's source file.
source_of() {
    case $1 in
    exempt-*) echo "tests/gates/bpf/exempt/${1#exempt-}.c" ;;
    gate_xdp) echo examples/xdp/gate_xdp.c ;;
    *) echo "tests/gates/bpf/$1.c" ;;
    esac
}

bpf_cc() {
    c=$1
    shift
    "clang-$c" -target bpf -mcpu=v3 -Os -std=c99 -ffreestanding -Wall \
        -Wextra -Iinclude -Itests "-I/usr/include/$(gcc -print-multiarch)" "$@"
}

# flags_of NAME - prints the program's own flags, from a comment on its own line.
flags_of() {
    sed -n 's|.*bpf-flags: \(.*\) \*/|\1|p' "$(source_of "$1")"
}

# build CLANG NAME - makes $out/$gate-bpf/CLANG/NAME.o. If this fails, NAME.log has the reason.
build() {
    mkdir -p "$out/$gate-bpf/$1"
    rm -f "$out/$gate-bpf/$1/$2.o"
    bpf_cc "$1" $(flags_of "$2") -g -c "$(source_of "$2")" -o "$out/$gate-bpf/$1/$2.o" > "$out/$gate-bpf/$1/$2.log" 2>&1 ||
        rm -f "$out/$gate-bpf/$1/$2.o"
}

# build_all NAME... - builds two programs at a time.
build_all() {
    for name in "$@"; do
        for c in $clangs; do echo "$c $name"; done
    done > "$out/$gate-bpf/todo"
    awk 'NR % 2' "$out/$gate-bpf/todo" | while read -r c name; do build "$c" "$name"; done &
    awk 'NR % 2 == 0' "$out/$gate-bpf/todo" | while read -r c name; do build "$c" "$name"; done
    wait
}

# list AT NAME... - prints the loader's list. AT is the path at which the loader finds $out.
list() {
    at=$1
    shift
    for name in "$@"; do
        rows=-
        [ ! -e "fuzz/$name.c" ] || rows=$at/rows/$name.rows
        for c in $clangs; do
            [ ! -e "$out/$gate-bpf/$c/$name.o" ] || echo "$c/$name $at/$gate-bpf/$c/$name.o $rows"
        done
    done
}

# judge RESULTS NAME... - fails unless each object in exempt/list is refused, and each other object
# is ok. Of each exempt/*.c, at least one clang's object must be refused, and only for a limit of
# the verifier.
judge() {
    results=$1 red=0
    shift
    : > "$out/$gate-bpf/passed"
    for name in "$@"; do
        loads=0 bad=0
        for c in $clangs; do
            line=$(grep -a "^load: $c/$name " "$results" | tr -d '\r' || true)
            if [ ! -e "$out/$gate-bpf/$c/$name.o" ]; then
                line="load: $c/$name refused does not compile"
                grep -qi 'stack limit' "$out/$gate-bpf/$c/$name.log" || {
                    tail -n 20 "$out/$gate-bpf/$c/$name.log"
                    line="load: $c/$name error does not compile"
                }
            fi
            exempt=$(awk -v g="$gate" -v c="$c" -v n="$name" \
                '$1 == g && $2 == c && $3 == n' tests/gates/bpf/exempt/list)
            case $name in exempt-*) exempt=all ;; esac
            set_aside="${exempt:+exempt, and }"
            case $line in
            *" $c/$name ok "*)
                loads=$((loads + 1))
                echo "$gate: clang $c: $name: $(echo "$line" |
                    awk '{printf "%s instructions verified, ", $4
                          print ($5 > 0 ? $5 " digests agree" : "loaded")}')"
                case $name:$exempt in
                exempt-*) ;; # the other compiler's may be refused
                *:?*)
                    echo "$gate: clang $c: $name loads, and is no longer exempt"
                    bad=1
                    ;;
                esac
                ;;
            *" $c/$name refused "*)
                echo "$gate: clang $c: ${set_aside}the verifier refuses $name:" \
                    "${line#*refused }"
                [ -n "$exempt" ] || {
                    grep -a "^load|$c/$name|" "$results" | tail -n 30
                    bad=1
                }
                # A file in exempt/ must be refused for a limit of the verifier, because
                # a file with a fault would be refused, too.
                case $name:$line in
                exempt-*too\ complex* | exempt-*oo\ large* | exempt-*pkt_end* | \
                    exempt-*"mem access 'scalar'"* | exempt-*not\ compile*) ;;
                exempt-*)
                    echo "$gate: clang $c: $name is refused, but not for a limit"
                    bad=1
                    ;;
                esac
                ;;
            *)
                echo "$gate: clang $c: ${line:-load: $name: no result}"
                bad=1
                ;;
            esac
        done
        case $name:$loads in exempt-*:2)
            echo "$gate: $name loads, and is no longer exempt"
            bad=1
            ;;
        esac
        [ $bad = 0 ] && echo "$name" >> "$out/$gate-bpf/passed" || red=1
    done
    record passed "$gate" - < "$out/$gate-bpf/passed"
    return $red
}

# SPDX-License-Identifier: BSD-2-Clause
# What tests/gates/bpf/bpf.sh and tests/gates/live/bpf61.sh share; sourced with $gate and $out set.
#
# The flags with which one object loads on the kernels 6.1 to 6.18: -Os, for both clangs,
# as 6.1 takes some loops that they lay out at -O1 and -O2 for endless ones; -mcpu=v3; and
# -g, for the types of maps and functions. A program that is better off with others says
# so: "bpf-flags:".
clangs='14 19'

. tests/lib/record.sh

# Outside of CI, what cannot run is skipped.
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

# rows_of NAME...: makes the rows of these programs.
rows_of() {
    rows=
    for name in "$@"; do
        [ ! -e "fuzz/$name.c" ] || rows="$rows $out/rows/$name.rows"
    done
    [ -z "$rows" ] || ${MAKE:-make} -s --no-print-directory OUT="$out" $rows
}

# The loader, which is also process 1 of a machine of its own.
build_loader() {
    mkdir -p "$out/$gate-bpf"
    ${CC:-cc} -O1 -Wall -Wextra -static tests/gates/bpf/load.c -lbpf -lelf -lz -o "$out/$gate-bpf/load"
}

# source_of NAME
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

# flags_of NAME: what a program has besides, in a comment of its own line.
flags_of() {
    sed -n 's|.*bpf-flags: \(.*\) \*/|\1|p' "$(source_of "$1")"
}

# build CLANG NAME: $out/$gate-bpf/CLANG/NAME.o, or without it NAME.log, which says why not.
build() {
    mkdir -p "$out/$gate-bpf/$1"
    rm -f "$out/$gate-bpf/$1/$2.o"
    bpf_cc "$1" $(flags_of "$2") -g -c "$(source_of "$2")" -o "$out/$gate-bpf/$1/$2.o" > "$out/$gate-bpf/$1/$2.log" 2>&1 ||
        rm -f "$out/$gate-bpf/$1/$2.o"
}

# build_all NAME...: two at a time.
build_all() {
    for name in "$@"; do
        for c in $clangs; do echo "$c $name"; done
    done > "$out/$gate-bpf/todo"
    awk 'NR % 2' "$out/$gate-bpf/todo" | while read -r c name; do build "$c" "$name"; done &
    awk 'NR % 2 == 0' "$out/$gate-bpf/todo" | while read -r c name; do build "$c" "$name"; done
    wait
}

# list AT NAME...: what the loader is given; AT is where $out is for it.
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

# judge RESULTS NAME...: each program is ok, or is on the list exempt/list and refused.
# What exempt/*.c holds is refused everywhere, for its length or its stack.
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
                exempt-*) ;; # with the other compiler it may be refused
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
                # A file of exempt/ names a limit of the verifier's; a fault of its own
                # would be refused, too.
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

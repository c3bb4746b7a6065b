#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cctrace.sh OUT PYTHON: tests cctrace with the events of every algorithm's traces, and
# with invalid events.
set -eu
out=$1 python=$2
trace=$out/cctrace
t=$out/cctrace.t
gate=cctrace
. tests/lib/expect.sh

# Usage, help, version.
# expect, and one line of standard error without bytes that are not printable.
line() {
    expect "$@"
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$*: not one line"
    LC_ALL=C grep -q '[^ -~]' "$t/stderr" && fail "$*: a byte that is not printable"
    return 0
}
line 2 '^cctrace: an algorithm is missing: expected one of abw acl ' "$trace"
line 2 '^cctrace: nonsense: unknown algorithm: expected one of abw acl ' "$trace" nonsense
line 2 '^cctrace: --bogus: unknown option' "$trace" --bogus dcqcn
line 2 '^cctrace: --preset: requires an argument$' "$trace" dcqcn --preset
line 2 '^cctrace: --preset best: unknown preset: expected one of per_s$' \
    "$trace" tokenbucket --preset best
line 2 '^cctrace: nonsense=1: unknown parameter; see cctrace tokenbucket --params$' \
    "$trace" tokenbucket nonsense=1
line 2 '^cctrace: burst: expected PARAM=VALUE; see cctrace tokenbucket --params$' \
    "$trace" tokenbucket burst
for c in burst= burst=x burst=4294967296; do
    line 2 "^cctrace: $c: expected 1 \.\. 2\^32 - 1, in tokens; see cctrace tokenbucket --params\$" \
        "$trace" tokenbucket "$c"
done
for c in '' -1 x 1x 99999999999999999999; do
    line 2 "^cctrace: $c: expected --link-bps N, a whole number below 2\^64\$" \
        "$trace" tokenbucket --link-bps "$c"
done
line 1 '^cctrace: standard input cannot be read: Is a directory$' sh -c "'$trace' tokenbucket < /"
expect 0 '' "$trace" --help
shown '^usage: cctrace'
expect 0 '' "$trace" --version
shown "^cctrace $(sed -n 's/.*ROCECC_VERSION "\(.*\)"/\1/p' include/rocecc/base.h)\$"
expect 1 'refuses these parameters: burst=0, whose range is 1 \.\. 2\^32 - 1$' \
    "$trace" tokenbucket burst=0
expect 1 'refuses these parameters: mark_order; see the ranges in cctrace wred --params$' "$trace" wred mark.min_bytes=4000000000
if [ -c /dev/full ]; then
    for o in --help --version 'tokenbucket --params' tokenbucket; do
        expect 1 '^cctrace: standard output cannot be written: No space left' \
            sh -c "echo 'take n=1' | '$trace' $o > /dev/full"
    done
fi
expect 0 '' "$trace" tokenbucket --params
shown '^parameter +value +unit +range +source$'
shown '^burst +781 +tokens +1 \.\. 2\^32 - 1 +host$'
run() { printf '%s\n' "$1" | "$trace" tokenbucket rate_per_s=1000000000 burst=3; }
expect 0 '' run 'take n=2 now_ns=5 # two of three

take	n=0x2'
[ "$(cat "$t/stdout")" = 'taken=1 | level_e9=1000000000 last_ns=5
taken=0 | level_e9=1000000000 last_ns=0' ] || fail 'the lines differ from the expected ones'
line 1 '^cctrace: line 2: tike: unknown event: expected one of take$' run '#
tike n=1'
for a in m=1 n =1; do
    line 1 "^cctrace: line 1: $a: expected KEY=VALUE, with a KEY of take: n now_ns\$" run "take $a"
done
for a in n= n=-1 n=4294967296 n=1x; do
    line 1 "^cctrace: line 1: $a: expected a whole number from 0 to 4294967295\$" run "take $a"
done
for a in now_ns=-1 now_ns=18446744073709551616; do
    line 1 "^cctrace: line 1: $a: expected .* to 18446744073709551615\$" run "take $a"
done
# Hostile bytes do not reach the terminal.
hostile=$(printf '\033[31m\377\001')
for a in "$hostile" "take $hostile=1" "take n=$hostile"; do
    line 1 '^cctrace: line 1: .*[?]\[31m' run "$a"
done

# The DCQCN profile of Linux's ionic driver has g 1/2, initial alpha 1/16, and cuts 1 us
# after a CNP. Its gd is 1 to 11, and cut_shift is gd - 10. A cut takes alpha /
# 2^cut_shift of 100 Gb/s, but at most half, because of min_dec_q20.
profile='--preset nvidia g_q20=524288 alpha_timer_ns=1000 alpha_init_q20=65536
    cut_interval_ns=1000 min_bps=1000000 min_dec_q20=524288 clamp_target=0
    clamp_target_after_time=1 fast_recovery_stages=1 increase_timer_ns=1000
    line_bps=100000000000 byte_counter_bytes=431068 ai_bps=160000000 hai_bps=300000000'
gd() { # gd GD PARAM=VALUE...: plays a CNP and the cut timer
    gd=$1
    shift
    # shellcheck disable=SC2086
    printf 'cnp\ncut_timer\n' | "$trace" dcqcn $profile cut_shift=$((gd - 10)) "$@"
}
for c in 11:96875000000 10:93750000000 9:87500000000 8:75000000000 7:50000000000 \
    6:50000000000 1:50000000000; do
    expect 0 '' gd "${c%:*}"
    shown "^rate_bps=100000000000 arm=alpha\\+cut stop=- cut=0 "
    shown "^rate_bps=${c#*:} arm=cut\\+increase stop=- cut=1 .* alpha_q31=134217728 "
done
# Without min_dec_q20, gd 7 cuts by half, and gd 6 cuts to min_bps.
for c in 7:50000000000 6:1000000 2:1000000 1:1000000; do
    expect 0 '' gd "${c%:*}" min_dec_q20=0
    shown "^rate_bps=${c#*:} .* cut=1 "
done
for c in 12:2 0:-10 32777:32767 -32758:-32768; do
    expect 1 "dcqcn refuses these parameters: cut_shift=${c#*:}, whose range is -9 \.\. 1\$" \
        gd "${c%:*}"
done
for c in -32769 32768 1.5 -; do
    expect 2 "^cctrace: cut_shift=$c: expected -9 \.\. 1, in bits" "$trace" dcqcn cut_shift=$c
done
expect 0 '' "$trace" dcqcn --params
shown '^cut_shift +1 +bits +-9 \.\. 1 +rpg_gd - 10$'

# Traces without a file or an ID, and with two IDs.
line 1 '^cctrace: nothing-here cannot be read: No such file' "$trace" --trace nothing-here
line 1 '^cctrace: / cannot be read: Is a directory$' "$trace" --trace /
line 1 'dcqcn.vec: the file has no trace with the ID d99$' "$trace" --trace vectors/dcqcn.vec d99
line 1 'bth.vec: the file has no trace$' "$trace" --trace vectors/bth.vec
line 2 '^cctrace: d02: expected at most one ID$' "$trace" --trace vectors/dcqcn.vec d01 d02
# A refused link changes nothing, so the next event has the same answer.
printf '%s\n' 'dcqcn|cnp|relink line_bps=0|increase_timer' \
    'dcqcn_timed|cnp now_ns=5|relink line_bps=0 now_ns=6|advance now_ns=100000' \
    'ldcp|send now_ns=1|relink iw_packets=0|send now_ns=2' \
    'qcn_timed|cnm now_ns=1 qntz_fb=5|relink link_bps=0 now_ns=2|advance now_ns=90000000' |
    while IFS='|' read -r name first refused next; do
        printf '%s\n' "$first" "$refused" "$next" | "$trace" "$name" | tail -n 1
        printf '%s\n' "$first" "$next" | "$trace" "$name" | tail -n 1
    done > "$t/refused"
[ "$(wc -l < "$t/refused")" = 8 ] && [ "$(uniq "$t/refused" | wc -l)" = 4 ] ||
    fail "a refused link changes the next answer: $(cat "$t/refused")"

printf 'trace %s tokenbucket seed=1 preset=per_s\n 1: take n=1\n' a a2 > "$t/ids"
for i in a:1 a2:1 :2; do
    expect 0 '' "$trace" --trace "$t/ids" ${i%:*}
    [ "$(grep -c taken= "$t/stdout")" = "${i#*:}" ] || fail "--trace ids ${i%:*}: other traces"
done
expect 1 'no trace with the ID A$' "$trace" --trace "$t/ids" A
sed 1,2d "$t/ids" > "$t/id"
expect 1 'no trace with the ID a$' "$trace" --trace "$t/id" a
paste() { printf 'trace x tokenbucket seed=1 preset=per_s %s\n' "$1" |
    "$trace" --trace - x; }
for c in 'bust=1' 'burst=0' '
 1: tike' '
 1: take m=1' '
 0: take' '
 1: take n=9..1' '
 1: take n=@now_ns+1..2' '
 1: take n=+1..2%0' '
nonsense' '' "$hostile=1" "
 1: take $hostile=1" "
 1: $hostile" "
$hostile"; do
    line 1 '^cctrace: -: trace x: ' paste "$c"
done
# A trace's numbers are whole, below 2^64 and without a sign.
for c in '' x -1 1x 18446744073709551616; do
    for i in "seed=$c" "link_bps=$c" "
 1: take n=$c..99999999999999999999" "
 1: take n=0..$c" "
 1: take n=+1..2%$c" "
 1: take*$c" "
 $c: take"; do
        line 1 '^cctrace: -: trace x: ' paste "$i"
    done
done
line 1 '^cctrace: -: trace x: the weights of a phase exceed 32 bits$' paste '
 1: take*4294967295 | take'
expect 0 '' paste '
 1: take*4294967294 | take'

# For every algorithm, runs --params and the first trace with 200 states. These have the
# model's keys, and its values to 200 plus 0.1 %. The part after the second bar sums up
# states that are not shown.
"$python" -B - "$t" <<'PY'
import pathlib, sys
sys.path.insert(0, "vectors/model")
from trace import Generator, line
out, done = pathlib.Path(sys.argv[1]), set()
for path in sorted(pathlib.Path("vectors").glob("*.vec")):
    text = path.read_text().splitlines() + [""]
    for first in [i for i, l in enumerate(text) if l.startswith("trace ")]:
        trace, name, *head = text[first].split()[1:]
        rest = text[first + 1:text.index("", first)]
        phases = [l for l in rest if l.startswith(" ")]
        states = [l for l in rest if not l.startswith((" ", "0:"))][:200]
        if name in done or len(states) < 200:
            continue
        done.add(name)
        seed = int(next(h for h in head if h.startswith("seed="))[5:])
        args = [h.replace("link_bps=", "--link-bps=").replace("preset=", "--preset=")
                for h in head if not h.startswith("seed=")]
        events = zip(Generator(seed, phases).events(), states)
        (out / f"{name}.args").write_text(" ".join(args))
        (out / f"{name}.trace").write_text(f"{path} {trace}")
        (out / f"{name}.pasted").write_text("\n".join([text[first]] + phases))
        (out / f"{name}.events").write_text(
            "".join(f"{event} {line(values)}\n" for (event, values), _ in events))
        (out / f"{name}.want").write_text(
            "".join(" | ".join(s.split(": ", 1)[1].split(" | ")[:2]) + "\n" for s in states))
PY
algorithms=$("$trace" --help | sed -n 's/^ALGO is one of //p')
[ -n "$algorithms" ] || fail 'the help names no algorithm'
for a in $algorithms; do
    expect 0 '' "$trace" "$a" --params
    shown '^presets: [a-z]'
    shown '^event [a-z]'
    [ -s "$t/$a.events" ] || { fail "$a: no trace in vectors/"; continue; }
    # The pasted trace, the file's trace, its printed events and the model's events all
    # give the same answers.
    expect 0 '' sh -c "'$trace' --trace - < '$t/$a.pasted'"
    mv "$t/stdout" "$t/$a.played"
    expect 0 '' "$trace" --trace $(cat "$t/$a.trace")
    cmp -s "$t/stdout" "$t/$a.played" ||
        fail "$a: the file and its pasted lines give different answers"
    grep '^[a-z]' "$t/$a.played" | head -n 200 > "$t/$a.again"
    expect 0 '' sh -c "'$trace' $a $(cat "$t/$a.args") < '$t/$a.again'"
    mv "$t/stdout" "$t/$a.answers"
    expect 0 '' sh -c "'$trace' $a $(cat "$t/$a.args") < '$t/$a.events'"
    cmp -s "$t/stdout" "$t/$a.answers" || fail "$a: plays other events than the model"
    sed -n 's/^[1-9][0-9]*: //p' "$t/$a.played" | head -n 200 | cmp -s - "$t/stdout" ||
        fail "$a: the answers in a trace differ"
    "$python" - "$t/stdout" "$t/$a.want" <<'PY' || fail "$a: the answers differ from its trace"
import sys
ours, want = (open(f).read().splitlines() for f in sys.argv[1:])
assert len(ours) == len(want) == 200
for a, b in zip(ours, want):
    a, b = a.split(), b.split()
    assert [x.split("=")[0] for x in a] == [x.split("=")[0] for x in b], (a, b)
    for x, y in zip(a, b):
        x, y = x.split("=")[-1], y.split("=")[-1]
        same = x == y or abs(float(x) - float(y)) <= 200 + 1e-3 * float(y)
        assert same, (a, b)
PY
done
"$python" -B tests/tools/cctrace.py "$trace" || bad=1
[ $bad = 0 ] && echo "cctrace: as expected in $n runs"
exit $bad

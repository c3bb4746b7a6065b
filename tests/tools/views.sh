# SPDX-License-Identifier: BSD-2-Clause
# views.sh - a part of tools.sh: tests --flows, --timeline and --csv, the times, and the
# schema of the JSON.
views() { # views STATUS REGEX OPTION...: expects this for good.pcap
    views_status=$1 views_regex=$2
    shift 2
    expect "$views_status" "$views_regex" "$san" "$@" "$t/good.pcap"
}
views 2 'exclude each other' --flows --timeline
views 2 'exclude each other' --csv frame --flows
views 2 '--summary and --judge do not work' --flows --summary
views 2 '--summary and --judge do not work' --flows --judge border
views 2 '--json does not work with' --json --csv frame
views 2 'plot needs --timeline' --plot "$t/a.svg"
views 2 'ends in .svg or .png' --timeline --plot "$t/a.gif"
for i in 0us 1 us -1ms 1h 1000001s; do
    views 2 "^rocedump: --timeline=$i: expected a whole number" "--timeline=$i"
done
for k in nonsense bth bth.nonsense 'bth[0].psn' inner.frame frame, '' 'ipv4[x].src' \
    'ioam[0].nodes.node_id' bth.psnx; do
    views 2 '^rocedump: --csv: unknown key ' --csv "frame,$k"
done
views 2 "unknown key 'bth.nope';" --csv frame,bth.nope,bth.psn
views 2 '^rocedump: --time never: expected relative, ' --time never

# Keys count nodes from the first on the path, and name arrays and records within a layer.
expect 0 '' "$san" --csv 'frame,pfc.quanta[3],pause.quanta,arn.flow.src,stack' \
    vectors/pcap/notify.pcap
cp "$t/stdout" "$t/keys.csv"
expect 0 '' "$dump" --json vectors/pcap/notify.pcap
sed 1d "$t/keys.csv" > "$t/keys.ours"
jq -r '[.frame, .pfc.quanta[3], .pause.quanta, .arn.flow.src, (.stack | join(" "))] |
    map(. // "" | tostring) | join(",")' "$t/stdout" > "$t/keys.want"
cmp -s "$t/keys.want" "$t/keys.ours" || fail '--csv is not as --json'
expect 0 '' "$san" --csv 'ioam.nodes[0].node_id,ioam[0].nodes[1].node_id' "$t/ioam.pcap"
tail -n 1 "$t/stdout" > "$t/keys.ours"
"$dump" --json "$t/ioam.pcap" | jq -r '.ioam[0].nodes | [.[0].node_id, .[1].node_id] |
    map(. // "" | tostring) | join(",")' > "$t/keys.want"
cmp -s "$t/keys.want" "$t/keys.ours" || fail '--csv: nodes are not as in --json'
grep -q '[0-9]' "$t/keys.want" || fail 'ioam.pcap: no node'

# A CSV has one head, even without frames.
for i in '' '-Y frame>1' '-Y tcp' '-f tcp' '-c 1'; do
    views 0 '' --csv frame $i
    [ "$(grep -c frame "$t/stdout") $(head -n 1 "$t/stdout")" = '1 frame' ] ||
        fail "--csv $i: the first line is not the only head"
done
expect 0 '' "$san" --csv frame "$t/none.pcap" "$t/good.pcap"
[ "$(xargs < "$t/stdout")" = 'frame 1 2 3' ] || fail '--csv of two files: not one head'
expect 0 '' "$san" --csv frame "$t/none.pcap"
shown '^frame$'
expect 1 'No such file' "$san" --csv frame "$t/nowhere.pcap"
shown '^frame$'

# The frames of good.pcap are 1.000005, 2.000005 and 3.000005 s after the start of 1970.
for i in 'relative 2.000000000' 'delta +1.000000000' 'epoch 3.000005000' \
    'utc 1970-01-01T00:00:03.000005000Z'; do
    views 0 '' --time "${i% *}"
    grep -qF "frame 3  at ${i#* }  " "$t/stdout" || fail "--time ${i% *}: not ${i#* }"
done
views 0 ''
shown '^frame 1  at 0.000000000  74 bytes'

# -Y hides frames, but time 0 is that of the first frame.
expect 0 '' "$san" -Y 'frame == 3' "$t/good.pcap"
shown '^frame 3  at 2.000000000  '
expect 0 '' "$san" --time delta -Y 'frame == 3' "$t/good.pcap"
shown '^frame 3  at [+]0.000000000  '
expect 0 '' "$san" --timeline=1s -Y 'frame == 3' "$t/good.pcap"
[ "$(cut -d, -f1 "$t/stdout" | xargs)" = 'time_s 2.000000000' ] ||
    fail "--timeline -Y: times are $(cut -d, -f1 "$t/stdout" | xargs)"

# Pauses in notify.pcap, frames that go back in time, and an empty capture.
expect 0 '' "$san" --flows vectors/pcap/notify.pcap
shown '^PFC and PAUSE from 02:00:00:00:04:40: 2 pause, 1 resume$'
expect 0 '' "$san" --timeline=1s vectors/pcap/notify.pcap
[ "$(awk -F, 'NR > 1 {p += $10; r += $11} END {print p, r}' "$t/stdout")" = '2 1' ] ||
    fail '--timeline: pauses'
expect 0 '' "$san" --flows "$t/none.pcap"
shown '^no RoCE flows and no PFC$'
"$python" - "$t/good.pcap" "$t/back.pcap" <<'PY'
import sys
data = open(sys.argv[1], "rb").read()
head, rest, frames = data[:24], data[24:], []
while rest:
    n = 16 + int.from_bytes(rest[8:12], "little")
    frames, rest = frames + [rest[:n]], rest[n:]
open(sys.argv[2], "wb").write(head + b"".join(reversed(frames)) + frames[0])
PY
expect 0 '' "$san" --timeline=1s "$t/back.pcap"
cut -d, -f1 "$t/stdout" | xargs > "$t/times"
[ "$(cat "$t/times")" = 'time_s -2.000000000 -1.000000000 0.000000000' ] ||
    fail "--timeline: times are $(cat "$t/times")"
expect 0 '' "$san" --flows --json "$t/overlay.pcap"
expect 1 'cannot be written' sh -c "'$dump' --flows '$t/good.pcap' > /dev/full"
expect 1 'cannot be written' sh -c "'$dump' --csv frame '$t/good.pcap' > /dev/full"
expect 1 'cannot be written' sh -c "'$dump' --timeline '$t/good.pcap' > /dev/full"

# A picture with gnuplot, and an error without it.
expect 1 'needs gnuplot, which is not installed' env PATH=/nowhere "$(pwd)/$dump" --timeline \
    --plot "$t/a.svg" "$t/good.pcap"
if command -v gnuplot > /dev/null; then
    views 0 '' --timeline=100ms --plot "$t/it's.svg"
    grep -q '10.0.17.1 \(>\|&gt;\) 10.0.18.1 QP 0x000118' "$t/it's.svg" ||
        fail '--plot: no such flow in the picture'
    views 0 '' --timeline --plot "$t/a.png"
    [ -s "$t/a.png" ] || fail '--plot: no PNG'
    views 1 'could not draw' --timeline --plot "$t/none/a.svg"
    expect 1 'nothing to plot' "$san" --timeline --plot "$t/a.svg" "$t/none.pcap"
else
    echo "$gate: no gnuplot here: no pictures"
    [ -z "${CI:-}" ] || bad=1
fi

"$python" -B tests/tools/flows.py "$san" "$t" || bad=1
"$python" -B tests/tools/rocedump/laws.py "$dump" "$t" || bad=1
"$python" -B tests/tools/schema.py "$dump" "$t" || bad=1

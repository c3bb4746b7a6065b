#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cli.sh OUT PYTHON: tests cclab's options, exit status and messages. Its files must agree with its
# table, and be the same for the same seed. rocedump and tshark must read its captures, laws.py must
# find nothing, and the runs of examples/cclab/plots must not change.
set -eu
out=$1 python=$2
lab=$out/cclab-san dump=$out/rocedump
t=$out/cclab-cli
gate=cclab-cli
. tests/lib/expect.sh

# A usage error gives one line with the allowed values, and nothing runs.
refused() {
    says=$1
    shift
    expect 2 "$says" "$lab" --duration 10us "$@"
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$*: not one line"
    [ -s "$t/stdout" ] && fail "$*: it runs"
    return 0
}
for v in 0 4097 -1 1.5 1k x '' 99999999999999999999999; do
    refused "^cclab: --flows $v: expected a whole number from 1 to 4096\$" --flows "$v"
done
for v in 999k 1601G 2T 100g 100Gb G 1e9 0x10 -1G; do
    refused "^cclab: --rate $v: expected a whole number with k, M, G, T or no unit, from 1M to 1600G\$" --rate "$v"
done
for v in 999ns 2s 8 8m 0us 8us8; do
    refused "^cclab: --rtt $v: expected a whole number with ns, us, ms or s, from 1us to 1s\$" --rtt "$v"
done
for v in 9us 101s 4; do
    refused "duration $v: expected .* from 10us to 100s\$" --duration "$v"
done
for v in 1K 2G 1T 1ms; do
    refused "buffer $v: expected a whole number with K, M, G or no unit, from 2K to 1G\$" --buffer "$v"
done
refused 'size 0: expected .* from 1 to' --size 0
refused 'seed 18[0-9]*: expected a whole number from 0 to 18446744073709551614$' --seed 18446744073709551615
refused 'seed 18[0-9]*: expected a whole number from 0 to 18446744073709551614$' --seed 18446744073709551616
for v in lose=1001 lose lose= lose=-1 corrupt=x; do
    refused "fault $v: expected (a value: )?a whole number from 0 to 1000\$" --fault "$v"
done
refused '^cclab: --fault storm=1: expected storm without a value$' --fault storm=1
for v in nonsense '' lose=1,,liar los; do
    refused 'fault .*: unknown name: expected one of lose corrupt liar storm unfiltered open tick spray from until pause' \
        --fault "$v"
done
for v in pause=0us pause= pause=-1us sleep=101s sleep=1; do
    refused "fault $v: expected .* ns, us, ms or s, from 1ns to 100s\$" --fault "$v"
done
for v in clockstep=0us clockstep=901s clockstep=-901s clockstep=--1ms clockstep=5; do
    refused "fault $v: expected .* from 1ns to 900s, or with a minus sign\$" --fault "$v"
done
for v in speed=1 nic=2T; do
    refused "fault $v: expected .* from 1M to 1600G\$" --fault "$v"
done
refused 'fault nak=0: expected a whole number from 1 to 1000$' --fault nak=0
for v in reroute blind spray standclock unit; do
    refused "fault $v=1: expected $v without a value\$" --fault $v=1
done
for v in tick tick= tick=0us tick=1 tick=-1us tick=1001us tick=2ms; do
    refused "fault $v: expected .* ns, us, ms or s, from 1ns to 1ms\$" --fault $v
done
for v in star dumbbell wan; do
    refused 'fault: spray needs ports of equal cost, which clos, fattree and testbed have' \
        --fault spray --topology $v
done
refused 'fault: reroute and spray exclude each other' --fault spray,reroute --topology clos
refused 'fault: standclock and unit exclude each other$' --fault standclock,unit
refused 'set go_back_n=2: expected a whole number from 0 to 1$' --set go_back_n=2 --fault spray --topology clos
refused 'set go_back_n=1 has an effect only with --fault spray' --set go_back_n=1
for v in tick=1us standclock unit; do
    refused "fault ${v%=*} needs --scheme hpcc-\\*: not run: dcqcn\$" --scheme dcqcn --fault $v
done
refused 'fault: reroute needs ports of equal cost, so it needs --topology clos$' --fault reroute
for v in open unfiltered; do
    refused 'fault: open and unfiltered have an effect only with storm' --fault $v
done
refused 'fault blind needs --scheme hpcc-\*: not run: dcqcn$' --scheme dcqcn --fault blind
refused 'fault storm needs --scheme fastcnp: not run: dcqcn hpcc-int$' --fault storm
refused 'fault liar needs --scheme hpcc-\*, --fault storm needs --scheme fastcnp: not run: none fastcnp$' \
    --scheme none,fastcnp --fault storm,liar
refused 'fault liar needs --scheme hpcc-\*, --fault storm needs --scheme fastcnp: not run: hpcc-int fastcnp$' \
    --scheme hpcc-int,fastcnp --fault storm,liar
refused 'fault: from must be before until$' --fault pause,from=7us
refused 'fault: from must be before until$' --fault pause,from=2us,until=2us
refused 'fault: trouble must not end after the run' --fault pause,until=11us
refused 'fault: trouble must not end after the run' --fault sleep=8us
for v in lose=5 tick=1us; do
    refused 'fault: from and until need trouble' --fault $v,from=2us
done
refused 'fault: from and until need trouble' --fault spray,until=2us --topology clos
for v in nonsense=1 '' =1 k_min=1 preset k_min_bytes; do
    refused 'set .*: expected NAME=VALUE, with NAME one of ai_bps line_bps payload_bytes pfc mark_at jitter_ns np_delay_ns' \
        --set "$v"
done
refused '^cclab: --set : a value is missing: expected NAME=VALUE' --set k_min_bytes=9K,,ai_bps=1G
for v in 999k 1601G; do
    refused "set line_bps=$v: expected .* from 1M to 1600G\$" --set line_bps=$v
done
for v in 255 4097 5K; do
    refused "set payload_bytes=$v: expected .* from 256 to 4096\$" --set payload_bytes=$v
done
for v in enqueue '' 0; do
    refused "set mark_at=$v: expected one of departure arrival\$" --set mark_at=$v
done
for v in 5 5ms -1ns; do
    refused "set jitter_ns=$v: expected .* from 0ns to 4ms\$" --set jitter_ns=$v
done
refused 'set pfc=2: expected a whole number from 0 to 1$' --set pfc=2
for v in 101 -1 x 1K; do
    refused "set wred.mark.pmax_q32=$v%: expected 0 .. 2.32, in 2.-32\$" --set pmax_percent=$v
done
for v in 1us 5000000000 ''; do
    refused "set wred.mark.min_bytes=$v: expected 0 .. mark.max_bytes, in bytes\$" --set k_min_bytes=$v
done
refused 'set dcqcn.alpha_timer_ns=1K: expected 1 .. 2.31 - 1, in ns$' --set dcqcn.alpha_timer_ns=1K
refused 'set dcqcn.stage_rule=paper2: expected one of paper figure qau ns3$' --set dcqcn.stage_rule=paper2
refused 'set dcqcn.preset=x: unknown preset: expected one of paper nvidia ns3_hpcc$' --set dcqcn.preset=x
refused 'set preset=x: unknown preset: expected one of paper nvidia ns3_hpcc$' --set preset=x
refused 'scheme dcqcn:x: unknown preset: expected one of paper nvidia ns3_hpcc$' --scheme dcqcn:x
# Two names of a parameter must agree. The same name again changes the value.
refused 'scheme dcqcn:nvidia contradicts --set preset=paper$' --scheme dcqcn:nvidia --set preset=paper
refused 'scheme dcqcn:nvidia contradicts --set preset=paper$' --set preset=paper \
    --scheme none,dcqcn+dcqcn:nvidia
refused 'scheme fastcnp:paper contradicts --set wred.preset=nvidia$' --scheme fastcnp:paper \
    --set wred.preset=nvidia
refused 'set preset=paper contradicts --set cnpgate.preset=ns3$' --set preset=paper,cnpgate.preset=ns3
refused 'set wred.preset=nvidia contradicts --set preset=paper$' --set wred.preset=nvidia,preset=paper
refused 'set k_min_bytes=6K contradicts --set wred.mark.min_bytes=7K$' \
    --set k_min_bytes=6K,wred.mark.min_bytes=7K
refused 'set ai_bps=1G contradicts --set dcqcn.ai_bps=2G$' --set dcqcn.ai_bps=2G,ai_bps=1G
for v in preset=paper,dcqcn.preset=paper preset=nvidia,preset=paper k_min_bytes=6K,k_min_bytes=7K \
    k_min_bytes=6K,wred.mark.min_bytes=6000 preset=nvidia,preset=paper,dcqcn.preset=paper ai_bps=2G,dcqcn.ai_bps=2000M; do
    expect 0 '' "$lab" --duration 10us --scheme dcqcn --set "$v"
done
expect 0 '' "$lab" --duration 10us --scheme dcqcn:paper,dcqcn --set preset=paper
many=$(yes dcqcn.g_q20=4096 | head -n 64 | paste -sd, -)
expect 0 '' "$lab" --duration 10us --scheme dcqcn --set "$many"
for v in dcqcn.g_q20=5 k_min_bytes=6000 dcqcn.preset=paper preset=paper; do
    refused "set [a-z_0-9.]*=${v#*=}: one parameter too many: the limit is 64\$" --set "$many,$v"
done
expect 0 '' "$lab" --duration 10us --scheme dcqcn --set "${many#*,},preset=paper"
refused 'scheme dcqcn.dcqcn.dcqcn.dcqcn.reno: too many parts: the limit is 4$' --scheme dcqcn+dcqcn+dcqcn+dcqcn+reno
refused 'percent 0: expected a whole number from 1 to 100$' --percent 0
refused 'percent needs --load websearch, hadoop or a FILE with a distribution of sizes: not --load longlived$' --percent 50
for v in fattree testbed; do
    refused "load victim needs a second receiver, .* --topology $v" --topology $v --load victim
    for load in ring alltoall barrier websearch hadoop 'x --percent 5' x; do
        # shellcheck disable=SC2086
        refused "flows 16 has no effect on --load ${load%% *} in --topology $v, which has [12][60] hosts" \
            --topology $v --flows 16 --load $load
    done
done
for load in ring hadoop x; do
    refused "flows 65: too many hosts for --load $load: expected at most 64\$" \
        --flows 65 --load $load
done
for v in nonsense DCQCN dcqcn,nonsense '' dcqcn,; do
    refused 'scheme [a-zA-Z]*: unknown scheme: expected one of all none reno dcqcn fastcnp .*hpcc-int' --scheme "$v"
done
refused '^cclab: --topology sta: unknown topology: expected star, dumbbell, clos, wan, fattree or testbed$' --topology sta
expect 2 'is too large: the limit is 3.2 Tbit$' "$lab" --rate 1600G --duration 2001ms
expect 2 'is too large: the limit is 10 GB for 1 s$' "$lab" --rate 1G --buffer 1G --duration 10001ms
refused '^cclab: dcqcn: unexpected argument' dcqcn
for v in --bogus -x -xy --help=3; do
    refused "^cclab: $v: unknown option, or one that is not complete: see --help\$" $v
done
refused '^cclab: --seed: requires an argument$' --seed
refused '^cclab: --flows 1: too few hosts: expected at least 2 with --load ring$' --flows 1 --load ring
refused '^cclab: --topology wan has no hosts that send and also receive' --topology wan --load ring

# The help names each option and scheme. --version prints the library's version.
expect 0 '' "$lab" --version
shown "^cclab $(sed -n 's/.*ROCECC_VERSION "\(.*\)"/\1/p' include/rocecc/base.h)\$"
expect 0 '' "$lab" --help
shown '^usage: cclab'
for o in scheme topology flows rate rtt buffer load size percent duration seed fault set out pcap \
    help version; do
    shown "--$o( |,|\$)"
done
for o in star dumbbell clos wan fattree testbed longlived incast churn victim websearch hadoop \
    ring alltoall barrier lose corrupt liar storm unfiltered open pause sleep clockstep speed nic \
    reroute blind nak tick spray standclock unit least go_back_n from until recovery preset ns3_hpcc dcqcn cnpgate wred hpcc ldcp qcn_cp \
    ai_bps cnp_interval_ns k_min_bytes k_max_bytes pmax_percent mark_at pfc np_delay_ns \
    jitter_ns line_bps payload_bytes; do
    shown "(^|[^a-z])$o([^a-z]|\$)"
done
schemes=$(sed -n '/^Schemes:/,/^$/s/^  \([a-z0-9-]*\) .*[a-zA-Z].*/\1/p' "$t/stdout")
for s in none dcqcn fastcnp hpcc-int hpcc-ioam hpcc-ifa; do
    echo "$schemes" | grep -qx -- "$s" || fail "the help does not list $s"
done

# rows NAME...: checks that the table has these schemes, in this order.
rows() {
    awk 'NR > 2 && /[|]/ {exit} NR > 2 {print $1}' "$t/stdout" > "$t/rows"
    printf '%s\n' "$@" | cmp -s - "$t/rows" || fail "rows $(xargs < "$t/rows"), not $*"
}
short='--flows 2 --duration 100us'
expect 0 '' "$lab" $short
rows dcqcn hpcc-int
expect 0 '' "$lab" $short --topology wan --rtt 40us
rows dcqcn fastcnp
expect 0 '' "$lab" $short --scheme none,dcqcn --scheme fastcnp,none
rows none dcqcn fastcnp
shown '^[0-9]+ events in [0-9.]+ s: [0-9.]+ million per second$'
[ "$(grep -c '|$' "$t/stdout")" = 3 ] || fail 'not a sparkline for each scheme'
expect 0 '' "$lab" $short --scheme all
rows $schemes
# The caption of each scheme is a string for gnuplot.
if command -v gnuplot > /dev/null; then
    for s in $schemes; do
        expect 0 '' "$lab" $short --scheme "$s" --out "$t/caption"
        grep -q '</svg>' "$t/caption/queue-and-rate.svg" || fail "no plot of $s"
    done
fi
for topology in star dumbbell clos; do
    for load in longlived incast churn victim; do
        expect 0 '' "$lab" $short --topology $topology --load $load
        rows dcqcn hpcc-int
    done
done

# A scheme that does not fit the options has a row without results. If none is left, cclab fails.
# Warnings follow the table.
printf '0 0 0 0\n150 1 0 0\n' > "$t/late.load"
expect 1 'hpcc-int: hpcc refuses base_rtt_ns: hpcc.base_rtt_ns=9 ' "$lab" $short --set hpcc.base_rtt_ns=9 \
    --scheme hpcc-int,dcqcn
shown '^hpcc-int +was not run$'
shown '^dcqcn +[0-9]'
# A named scheme that does not run is a failure, even beside `all`, but one of `all` or a default is
# not.
expect 1 'qcn: routers do not forward CNMs' "$lab" $short --topology clos --scheme dcqcn,qcn
expect 0 'qcn: routers do not forward CNMs' "$lab" $short --topology clos --scheme all
shown '^qcn +was not run$'
expect 1 'qcn: routers do not forward CNMs' "$lab" $short --topology clos --scheme all,qcn
expect 1 'fault blind needs --scheme hpcc-\*: not run: dcqcn$' "$lab" $short --scheme dcqcn,hpcc-int \
    --fault blind
shown '^dcqcn +was not run$'
shown '^hpcc-int +[0-9]'
for s in '' '--scheme all'; do
    # shellcheck disable=SC2086
    expect 0 'fault blind needs --scheme hpcc-\*: not run: .*dcqcn' "$lab" $short $s --fault blind
done
shown '^none +was not run$'
expect 0 'not run: none ' "$lab" $short --scheme all --fault blind --pcap "$t/blind.pcap"
expect 0 '' "$lab" $short --scheme hpcc-int --fault blind --pcap "$t/first.pcap"
cmp -s "$t/blind.pcap" "$t/first.pcap" || fail '--pcap did not capture the first scheme that runs'
expect 1 'hpcc-int: the tunnel of --topology wan hides telemetry$' "$lab" $short --topology wan --scheme hpcc-int
expect 1 'dcqcn: wred.mark.min_bytes of 400K is above --buffer 200K' \
    "$lab" $short --buffer 200K --scheme dcqcn
expect 1 'wred refuses mark_order: wred.mark.min_bytes=500000 .* wred.mark.max_bytes=100000' \
    "$lab" $short --set k_min_bytes=500K,k_max_bytes=100K --scheme dcqcn
expect 1 'hpcc-int: wred refuses mark_order: .* wred.mark.max_bytes=0' \
    "$lab" $short --set wred.mark.max_bytes=0 --scheme hpcc-int
# Too many schemes for a run, each with another name.
schemes=none
for i in reno dcqcn fastcnp qcn arn pfc ldcp hpcc-int hpcc-ioam hpcc-ifa hpcc-csig; do
    schemes=$schemes,$i,none+$i,$i+none
done
expect 2 '--scheme [a-z+-]*: one scheme too many: the limit is 32$' "$lab" $short --scheme "$schemes"
expect 1 'dcqcn refuses min_bps: dcqcn.min_bps=200000000000 .*dcqcn.line_bps=100000000000' \
    "$lab" $short --set dcqcn.min_bps=200G --scheme dcqcn
expect 1 'dcqcn.alpha_timer_ns of 1us lowers .* cnpgate.interval_ns of 50us' \
    "$lab" $short --set cnp_interval_ns=50us --scheme dcqcn
expect 1 'dcqcn.increase_timer_ns of 50us is not above cnpgate.interval_ns of 50us' \
    "$lab" $short --set preset=paper,dcqcn.increase_timer_ns=50us --scheme dcqcn
expect 1 'pfc: a run can have only one of pfc, arn, l3qcn and --set pfc=1$' \
    "$lab" $short --set pfc=1 --scheme pfc
expect 1 'qcn: routers do not forward CNMs' "$lab" $short --topology clos --scheme qcn
expect 0 '' "$lab" $short --flows 1 --scheme dcqcn+reno
shown '^dcqcn.reno: warning: no packet was marked: the longest queue is '
expect 0 '' "$lab" $short --load "$t/late.load" --scheme none
shown '^none: warning: 1 of 2 flows never sent$'
expect 0 '' "$lab" --flows 64 --scheme hpcc-ifa --duration 100us
shown '^hpcc-ifa: warning: in [0-9]+ reports the queue was too long for its field$'

# Valid and invalid load files.
printf '# us from to bytes\n\n0 0 0 10000\n5 1 0 20000\n' > "$t/fine.load"
expect 0 '' "$lab" --flows 2 --scheme dcqcn --load "$t/fine.load" --out "$t/load"
# finished N: checks that N flows finished.
finished() {
    awk -F, -v n="$1" 'NR == 1 { while ($++i != "finished") {} next } $i != n { exit 1 }' \
        "$t/load/summary.csv"
}
finished 2 || fail 'the two flows of the load did not both finish'
broken() {
    printf "$1" > "$t/broken.load"
    expect 1 "^cclab: .*broken.load: (the file has no flow|line [1-9]: .*[A-Z])" \
        "$lab" --flows 2 --scheme dcqcn --load "$t/broken.load"
}
for b in '' '# nothing\n' 'x\n' '0 0 0\n' '0 2 0 1000\n' '0 0 1 1000\n' '0 0 0 9\n0 9 0 1\n' \
    '0 0 0 1K\n' '0 0 0 1 000\n' '0 0 0 -5\n' '0 4294967296 0 9\n' '0 0 0 1000000000001\n' \
    '100000000 0 0 9\n' '1.5.5 0 0 9\n' '. 0 0 9\n' '0 0. 0 9\n' '0 0 0 9 9\n' \
    '0000000000000005 0 0 9\n'; do
    broken "$b"
done
# Each reason, with its line. A line of the file is never shown.
reason() { # reason REASON LINES OPTION...
    says=$1
    printf "$2" > "$t/broken.load"
    shift 2
    expect 1 "^cclab: .*/broken.load: $says\$" "$lab" --scheme dcqcn --load "$t/broken.load" "$@"
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$says: not one line"
}
reason 'the file has no flow' '# nothing\n' --flows 2
reason 'line 2: expected four numbers, START_US SENDER RECEIVER BYTES' '0 0 0 9\n\033[31m\n' --flows 2
reason 'line 1: START_US is too large: expected less than 100000000' '100000000 0 0 9\n' --flows 2
reason 'line 1: SENDER is not a host: expected 0 to 1' '0 2 0 9\n' --flows 2
reason 'line 3: RECEIVER is not a host: expected 0 to 0' '#\n\n0 0 1 9\n' --flows 2
reason 'line 1: BYTES is too large: the limit is 1000000000000' '0 0 0 1000000000001\n' --flows 2
reason 'line 1: SENDER and RECEIVER are the same host' '0 3 3 9\n' --topology fattree
reason 'line 1: the line is too long: the limit is 198 bytes' '0%0200d 0 0 9\n' --flows 2
reason 'line 1: the line has a byte of value 0' '0 0 0 9\000\n' --flows 2
for b in 'line 1: expected two numbers, BYTES PERCENT@x\n' \
    'line 1: expected two numbers, BYTES PERCENT@9 0000000000000005\n' \
    'line 1: BYTES is too large: the limit is 1000000000000@1000000000001 0\n' \
    'line 1: PERCENT must be 0 in the first line@9 1\n' \
    'line 2: PERCENT is too large: the limit is 100@9 0\n19 101\n' \
    'line 2: BYTES must be larger than in the previous line@9 0\n9 100\n' \
    'line 3: PERCENT must not be smaller than in the previous line@9 0\n10 50\n11 49\n' \
    'expected at least two lines BYTES PERCENT, the last with 100@9 0\n10 99\n'; do
    reason "${b%%@*}" "${b#*@}" --percent 50
done
# A distribution without a flow in the first half of the run says why nothing runs.
for b in websearch hadoop; do
    expect 1 "^cclab: --load $b: no flow starts in the first half of --duration 10us, because one" \
        "$lab" --scheme none --load $b --flows 2 --duration 10us --rate 1M
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$b without a flow: not one line"
done
# A comment may be long, and the last line may lack a newline.
printf '#%0198d0 0 0 9\n0 0 0 200000' 0 > "$t/fine.load"
expect 0 '' "$lab" --flows 2 --scheme dcqcn --load "$t/fine.load" --out "$t/load"
finished 1 || fail 'the rest of a long comment is read as a flow'
expect 1 '^cclab: --load .*/nowhere: not a file that can be read .No such file.*longlived incast' \
    "$lab" --load "$t/nowhere"
expect 1 '^cclab: .* cannot be read: Is a directory$' "$lab" --load "$t"

# The script that compares cclab with another simulator.
expect 0 '' "$python" -B examples/cclab/compare/compare.py --help
shown '^usage: compare.py .*CCLAB'
for v in 3 x 'victim 2'; do
    # shellcheck disable=SC2086
    expect 2 'SENDERS must be from 2 4 8 16 32 48, or only .victim.' \
        "$python" -B examples/cclab/compare/compare.py "$lab" $v
done

# Files that cannot be written. (gnuplot would read /dev/full for ever.)
mkdir "$t/bin"
ln -s "$(command -v sh)" "$t/bin/sh"
expect 1 'nowhere/x cannot be created as a folder: No such' "$lab" $short --out "$t/nowhere/x"
expect 1 'cannot be created as a folder: File exists' "$lab" $short --out "$t/fine.load"
expect 1 'nowhere/x cannot be created: No such' "$lab" $short --pcap "$t/nowhere/x"
if [ -c /dev/full ]; then
    expect 1 '/dev/full cannot be written: No space left' "$lab" $short --pcap /dev/full
    ln -s /dev/full "$t/full.pcap.domain"
    expect 1 'full.pcap.domain cannot be written: No space left' "$lab" $short --pcap "$t/full.pcap"
    expect 0 '' "$lab" $short --pcap /dev/null
    [ -e /dev/null.domain ] && fail 'a domain file was written beside a device'
    for o in "$short" --help --version; do
        expect 1 '^cclab: standard output cannot be written: No space left' sh -c "'$lab' $o > /dev/full"
    done
    mkdir "$t/full"
    ln -s /dev/full "$t/full/dcqcn.csv"
    expect 1 'dcqcn.csv cannot be written: No space left' env PATH="$t/bin" "$lab" $short --out "$t/full"
fi

# The same seed gives the same files, even with a capture, and another seed gives others. The table
# agrees with the files.
incast='--scheme dcqcn,fastcnp,hpcc-int,none --load incast --size 50K --duration 2ms'
expect 0 '' "$lab" $incast --out "$t/a"
cp "$t/stdout" "$t/a.table"
expect 0 '' "$lab" $incast --seed 1 --out "$t/b" --pcap "$t/b.pcap"
expect 0 '' "$lab" $incast --seed 2 --out "$t/c"
for s in summary dcqcn fastcnp hpcc-int none; do
    cmp -s "$t/a/$s.csv" "$t/b/$s.csv" || fail "$s.csv: the same seed, another run"
    cmp -s "$t/a/$s.csv" "$t/c/$s.csv" && fail "$s.csv: another seed, the same run"
done
cmp -s "$t/a/plot.gp" "$t/b/plot.gp" || fail 'plot.gp: the same seed, another script'
if command -v gnuplot > /dev/null; then
    grep -q '</svg>' "$t/a/queue-and-rate.svg" || fail 'no plot'
    cmp -s "$t/a/queue-and-rate.svg" "$t/b/queue-and-rate.svg" || fail 'two plots differ'
    grep -q 'Plot: ' "$t/a.table" || fail 'the path of the plot is not printed'
fi
expect 0 '' env PATH="$t/bin" "$lab" $short --out "$t/plain"
shown '^No plot: install the package gnuplot, and run .gnuplot plot.gp. in .*plain[.]$'
[ -s "$t/plain/plot.gp" ] || fail 'without gnuplot no script'

"$python" - "$t/a" "$t/a.table" <<'PY' || fail 'table and files do not agree'
import csv, pathlib, sys
out, table = pathlib.Path(sys.argv[1]), open(sys.argv[2], encoding="utf-8").read().splitlines()
summary = list(csv.DictReader(open(out / "summary.csv")))
shown = {l.split()[0]: l.split()[1:] for l in table[2:6]}
columns = [("goodput_bps", 1e9, 3), ("utilisation_ppm", 1e4, 2)] + [
    (f"queue_{q}_bytes", 1e3, 1) for q in ("mean", "p99", "most")] + [
    (c, 1, 0) for c in ("passed_packets", "drops", "marks", "pauses", "notifications")] + [
    ("reaction_ps", 1e6, 1), ("jain_ppm", 1e6, 3), ("least_ppm", 1e6, 3), ("fct_p50_ps", 1e6, 1),
    ("fct_p99_ps", 1e6, 1), ("fct_last_ps", 1e6, 1), ("finished", 1, 0)]
assert [r["scheme"] for r in summary] == ["dcqcn", "fastcnp", "hpcc-int", "none"]
for r in summary:
    row = shown[r["scheme"]]
    assert all(v.isdigit() for k, v in r.items() if k != "scheme"), r
    assert len(row) == len(columns), row
    for text, (name, per, digits) in zip(row, columns):
        never = name == "reaction_ps" and r["reacted"] == "0"
        want = "-" if never else f"{int(r[name]) / per:.{digits}f}"
        assert text == want, (r["scheme"], name, text, want)
    assert r["finished"] == "16" and r["drops"] == "0", r
    series = list(csv.DictReader(open(out / (r["scheme"] + ".csv"))))
    assert list(series[0]) == ["time_ns", "queue_bytes", "goodput_bps"] + [
        f"flow{i}_bps" for i in range(4)], series[0]
    assert all(v.isdigit() for s in series for v in s.values())
    assert [int(s["time_ns"]) for s in series] == [
        5000 * (i + 1) for i in range(len(series))]
    assert max(int(s["queue_bytes"]) for s in series) <= int(r["queue_most_bytes"])
    mean, p99, most = (int(r[f"queue_{q}_bytes"]) for q in ("mean", "p99", "most"))
    assert mean < p99 <= most, r
    # 80 columns of 5 samples; a block more for each four times the queue, from 1 KB on
    longest = [0] * 80
    for i, sample in enumerate(series):
        longest[i // 5] = max(longest[i // 5], int(sample["queue_bytes"]))
    spark = "".join(" ▁▂▃▄▅▆▇█"[(b > 0) + sum(b >= 1000 * 4**k for k in range(7))]
                    for b in longest[:(len(series) + 4) // 5])
    assert f"{r['scheme']:10} |{spark:80}|" in table, spark
    # 16 flows of 50 KB. No sample contains the bytes that arrived after the last sample.
    got = sum(int(s["goodput_bps"]) for s in series) * 5000 // 8000000000
    assert 700000 <= got <= 800000, got
    # 800 frames of 1078 bytes, and 24 around each, at 100 Gb/s: 70.5 us at the least
    assert int(r["fct_p99_ps"]) > 70000000, r
events = sum(int(r["events"]) for r in summary)
assert any(l.startswith(f"{events} events in ") for l in table), events
PY

# Laws for every run.
"$python" -B tests/tools/cclab/laws.py "$lab" "$t/laws" || bad=1

# Each block of a sparkline means four times the queue of the block before. The last block means
# all longer queues.
expect 0 '' "$lab" --scheme none --flows 2 --duration 4ms --buffer 20K
shown '^none +[|](▄)+[|]$'
expect 0 '' "$lab" --scheme none --flows 2 --duration 4ms --buffer 5M
shown '^none +[|][^|]*▇(▇)*(█)+[|]$'
expect 0 '' "$lab" --scheme none --flows 1 --size 10K --duration 80us
shown '^none +\|[^|]+ +\|$'

# Each option changes the run.
base='--flows 40 --duration 2ms'
for o in 'dcqcn --flows 5' 'dcqcn --rate 50G' 'dcqcn --rtt 9us' 'dcqcn --buffer 900K' \
    'dcqcn --topology dumbbell' 'dcqcn --size 1K' 'dcqcn --load incast' \
    'dcqcn --load victim' 'dcqcn --duration 3ms' 'dcqcn --set dcqcn.g_q20=500000' \
    'dcqcn --set k_min_bytes=2K' 'dcqcn --set k_max_bytes=2M' 'dcqcn --set pmax_percent=90' \
    'dcqcn --set dcqcn.alpha_timer_ns=5us' 'dcqcn --set dcqcn.increase_timer_ns=5us' \
    'dcqcn --set dcqcn.min_bps=9G' 'dcqcn --set dcqcn.cut_shift=-3' 'qcn --set qcn_cp.preset=mlxreg' \
    'dcqcn --set cnp_interval_ns=5us' \
    'dcqcn --set preset=paper' 'dcqcn --set preset=nvidia' 'dcqcn --set mark_at=arrival' \
    'dcqcn --set jitter_ns=0ns' 'dcqcn --set np_delay_ns=9us' 'dcqcn --set pfc=1' \
    'hpcc-int --set hpcc.max_stage=0' 'hpcc-int --set hpcc.eta_q20=90%' \
    'dcqcn --set line_bps=50G' 'dcqcn --set payload_bytes=500' 'hpcc-int --set ai_bps=1G' 'dcqcn --fault lose=1000' \
    'dcqcn --fault corrupt=1000' 'hpcc-int --fault liar' \
    'hpcc-ioam --fault tick=64us' 'ldcp --set ldcp.gamma_q16=6249' \
    'ldcp --set ldcp.continuous=1'; do
    echo "$schemes" | grep -qx "${o%% *}" || continue
    [ -d "$t/base-${o%% *}" ] ||
        "$lab" $base --scheme ${o%% *} --out "$t/base-${o%% *}" > /dev/null
    expect 0 '' "$lab" $base --scheme $o --out "$t/option"
    cmp -s "$t/base-${o%% *}/summary.csv" "$t/option/summary.csv" && fail "$o changes nothing"
done
expect 0 '' "$lab" $base --scheme fastcnp --fault storm,open --out "$t/storm"
"$lab" $base --scheme fastcnp --fault storm --out "$t/gate" > /dev/null
cmp -s "$t/storm/fastcnp.csv" "$t/gate/fastcnp.csv" && fail 'open changes nothing'
"$lab" $base --scheme fastcnp --fault storm,unfiltered --out "$t/filter" > /dev/null
cmp -s "$t/filter/fastcnp.csv" "$t/gate/fastcnp.csv" && fail 'unfiltered changes nothing'
grep -q "^name = '.*, forged Fast CNPs, open'" "$t/storm/plot.gp" ||
    fail 'the title does not name forged Fast CNPs'
# Switch clocks have an effect only on reports with a counter. INT-MD and CSIG have none, so cclab
# warns.
for s in hpcc-int hpcc-csig; do
    "$lab" $short --scheme $s --out "$t/fine" > /dev/null
    for o in tick=64us clockstep=1us; do
        expect 0 '' "$lab" $short --scheme $s --fault $o --out "$t/tick"
        shown "^$s: warning: clocks of switches have no effect"
        cut -d, -f1-7 "$t/tick/$s.csv" > "$t/series"
        cut -d, -f1-5 "$t/series" > "$t/series-tick"
        cut -d, -f1-5 "$t/fine/$s.csv" | cmp -s - "$t/series-tick" || fail "$s: $o changes the run"
    done
done
expect 0 '' "$lab" $short --scheme hpcc-ioam --fault tick=64us
grep -q warning "$t/stdout" && fail 'hpcc-ioam: a needless warning about clocks'
clos="$short --topology clos --scheme hpcc-ioam"
"$lab" $clos --out "$t/fine" > /dev/null
expect 0 '' "$lab" $clos --fault spray,tick=1us --out "$t/spray"
cmp -s "$t/fine/hpcc-ioam.csv" "$t/spray/hpcc-ioam.csv" && fail 'spray changes nothing'
grep -q "^name = '.*, clock ticks of 1 us, sprayed'" "$t/spray/plot.gp" ||
    fail 'the title does not name clocks and spraying'
expect 0 '' "$lab" $clos --fault spray --set go_back_n=1 --out "$t/spray"
grep -q "^name = '.*, sprayed, go-back-N'" "$t/spray/plot.gp" ||
    fail 'the title does not name go-back-N'
expect 0 '' "$lab" $clos --fault spray,standclock,speed,tick=1us --out "$t/spray"
grep -q "'trouble: speed, standclock from " "$t/spray/plot.gp" ||
    fail 'the title does not name the trouble'

# Each kind of trouble changes the run, but only from its beginning on, and adds columns.
for o in 'dcqcn pause' 'dcqcn pause=100us' 'dcqcn sleep' 'dcqcn sleep=100us' 'dcqcn speed' \
    'dcqcn speed=50G' 'dcqcn nic=1G' 'ldcp nak' 'ldcp nak=100' 'hpcc-ioam clockstep' \
    'hpcc-ioam clockstep=3us' 'hpcc-ioam blind' 'hpcc-ioam reroute' 'hpcc-ioam standclock' \
    'hpcc-ioam unit'; do
    clos="$base --topology clos --scheme ${o%% *}"
    [ -d "$t/calm-${o%% *}" ] || "$lab" $clos --out "$t/calm-${o%% *}" > /dev/null
    expect 0 '' "$lab" $clos --fault from=1ms,until=1500us,${o#* } --out "$t/trouble"
    shown '^scheme .* us +us +then KB since KB$'
    cut -d, -f1-7 "$t/trouble/${o%% *}.csv" > "$t/series"
    head -n 200 "$t/series" > "$t/series-before"
    head -n 200 "$t/calm-${o%% *}/${o%% *}.csv" | cmp -s - "$t/series-before" ||
        fail "$o: the run changes before the trouble begins"
    cmp -s "$t/calm-${o%% *}/${o%% *}.csv" "$t/series" && fail "$o changes nothing"
    mv "$t/series" "$t/series-$(echo "$o" | tr ' ' -)"
done
for o in dcqcn-pause dcqcn-sleep ldcp-nak; do # with a value, and without
    cmp -s "$t/series-$o" "$t/series-$o=100"* && fail "$o: the value changes nothing"
done
"$python" - "$t" "$lab" <<'PY' || fail 'the trouble is shown at a wrong time, or with wrong values'
import csv, pathlib, subprocess, sys
t, lab = pathlib.Path(sys.argv[1]), sys.argv[2]
def run(faults):
    text = subprocess.run([lab, "--flows", "1", "--scheme", "none", "--duration", "2ms",
                           "--out", t / "when", "--fault", faults], check=True,
                          capture_output=True, text=True).stdout.splitlines()
    return (text, list(csv.DictReader(open(t / "when/none.csv"))),
            list(csv.DictReader(open(t / "when/summary.csv")))[0],
            (t / "when/plot.gp").read_text())
for faults, first, end in (("pause=500us,from=1ms", 1000, 1500), ("sleep", 666, 1333),
                           ("nak=1,from=1ms,until=1505us", 1000, 1505),
                           ("clockstep,from=1ms", 1000, 1000)):
    text, series, summary, script = run(faults)
    # samples are 5 us apart, and each covers the time before it
    want = [int(5 * i < max(end, first + 1) and first < 5 * (i + 1)) for i in range(400)]
    assert [int(s["trouble"]) for s in series] == want, faults
    line = next(l for l in text if l.startswith("trouble"))
    assert line == "trouble    |" + "".join(
        "^" if 25 * i < max(end, first + 1) and first < 25 * (i + 1) else " "
        for i in range(80)) + "|", line
    assert f"rectangle from {first}000 / 1e6, graph 0 to {end}000 / 1e6, graph 1" in script
    assert ("clockstep=-10ms at 1ms'" if end == first else "'trouble: ") in script
    row = next(l for l in text if l.startswith("none")).split()[-4:]
    for value, name, per in zip(row, ("recovery_ps", "drained_ps", "queue_during_bytes",
                                      "queue_after_bytes"), (1e6, 1e6, 1e3, 1e3)):
        v = summary[name]
        assert value == (v if v == "never" else f"{int(v) / per:.1f}"), (faults, name)
# 500 us at 100 Gb/s, 1078 of 1102 bytes
text, series, summary, script = run("pause=500us,from=1ms")
assert summary["recovery_ps"] == "0" and summary["drained_ps"] == "never", summary
assert 6.0e6 < int(summary["queue_during_bytes"]) < 6.25e6, summary
assert int(series[301]["goodput_bps"]) > 80e9 and series[250]["goodput_bps"] == "0"
PY

# The paper's R_AI of 40 Mb/s lifts 16 flows by 23 Gb/s in half of 4 ms. The warning names it, the
# link, and a --set with which at least 95 % of the link is in use. The runs of the second list have
# no warning.
of_ai() { # of_ai ARGUMENT...: prints link and --set of one scheme's warning about R_AI
    "$lab" "$@" > "$t/stdout"
    sed -n 's/^[a-z]*: warning: R_AI, dcqcn.ai_bps=[0-9]*M, is too small for a link of \([0-9]*G\) .* Use --set \([a-z.]*ai_bps=[0-9]*[MG]\) or .*/\1 \2/p' "$t/stdout"
}
for c in '25G,16,4ms' '25G,2,4ms' '40G,16,4ms' '40G,8,10ms' '100G,16,4ms' '400G,8,10ms' '800G,16,4ms'; do
    rate=${c%%,*} rest=${c#*,}
    ai="--scheme dcqcn --rate $rate --flows ${rest%,*} --duration ${rest#*,}"
    n=$((n + 2)) told=$(of_ai $ai --set preset=paper)
    [ "${told% *}" = "$rate" ] || fail "$c: no warning about R_AI: $told"
    [ -z "$(of_ai $ai --set "preset=paper,${told#* }")" ] ||
        fail "$c: the warning remains with ${told#* }"
    awk '$1 == "dcqcn" && NF > 10 { n++; good = $3 >= 95 } END { exit n != 1 || !good }' \
        "$t/stdout" || fail "$c: with ${told#* } the link is idle"
done
for c in '25G --duration 10ms' '40G --duration 10ms' 100G '100G --duration 10ms' \
    '40G --duration 10ms --set preset=paper' '100G --set preset=nvidia' \
    '400G --set preset=ns3_hpcc' '100G --set preset=paper,dcqcn.ai_bps=1G' \
    '100G --set preset=paper --load incast' '40G --fault sleep=200us' '40G --set line_bps=1G'; do
    n=$((n + 1))
    [ -z "$(of_ai --scheme dcqcn --rate $c)" ] || fail "$c: a needless warning about R_AI"
done
# The warning uses the name that was set, because two names would contradict each other.
told=$(of_ai --scheme dcqcn --set preset=paper,ai_bps=50M)
case $told in '100G ai_bps='*) ;; *) fail "ai_bps: told to set $told" ;; esac
told=$(of_ai --scheme fastcnp --rate 40G)
case $told in '40G dcqcn.ai_bps='*) ;; *) fail "fastcnp: told to set $told" ;; esac

# A parameter that no scheme of the run uses is refused. One scheme that uses it is enough.
unused() { # unused SCHEMES SETTING NEEDS
    refused "^cclab: --set $2 has an effect only with --scheme $3\$" --scheme "$1" --set "$2"
}
unused dcqcn ldcp.continuous=1 ldcp
unused ldcp,none,dcqcn hpcc.max_stage=0 'hpcc-[*]'
unused hpcc-int dcqcn.cut_shift=-3 'dcqcn or fastcnp'
unused reno k_min_bytes=10K 'dcqcn, fastcnp, hpcc-[*] or ldcp'
unused reno preset=paper 'dcqcn, fastcnp, hpcc-[*] or ldcp'
unused none,qcn cnp_interval_ns=4us 'dcqcn or fastcnp'
unused dcqcn qcn.min_dec_percent=40 'qcn or l3qcn'
unused dcqcn qcn_cp.preset=mlxreg 'qcn or l3qcn'
unused dcqcn pause.xoff_bytes=100K 'pfc or arn, or with --set pfc=1'
unused qcn ai_bps=1G 'dcqcn, fastcnp or hpcc-[*]'
unused fastcnp np_delay_ns=1us dcqcn
unused reno+none mark_at=arrival 'dcqcn, hpcc-[*] or ldcp'
refused '^cclab: --set pause.preset=flow has no effect, because pfc and arn have their own presets$' \
    --scheme arn --set pause.preset=flow
refused '^cclab: --set dcqcn.cut_shift=40000: expected -9 .. 1, in bits$' --set dcqcn.cut_shift=40000
for v in dcqcn,ldcp:ldcp.continuous=1 none+hpcc-csig:hpcc.max_stage=0 fastcnp:dcqcn.cut_shift=-3 \
    reno,ldcp:k_min_bytes=10K hpcc-ioam:preset=paper none:pfc=1,pause.xoff_bytes=300K \
    arn:pause.xoff_bytes=300K l3qcn:qcn_cp.preset=mlxreg none:np_delay_ns=0ns all:ldcp.continuous=1 \
    none:mark_at=departure; do
    expect 0 '' "$lab" --duration 10us --scheme "${v%%:*}" --set "${v#*:}"
done
expect 1 'dcqcn refuses cut_shift: dcqcn.cut_shift=-10 [(]-9 .. 1[)]' \
    "$lab" --duration 10us --scheme dcqcn --set dcqcn.cut_shift=-10

# Flows that end before or during the trouble do not recover, and flows that end after it are not
# compared. The table, summary.csv and the warning agree.
none="$lab --scheme none --flows 4 --topology dumbbell --duration 2ms"
recovers() { # recovers WORD QUEUE_DURING QUEUE_AFTER WARNING: checks the last run
    [ "$(tail -n 1 "$t/none/summary.csv" | cut -d, -f24,25)" = "$1,$1" ] ||
        fail "$4: summary.csv has another recovery"
    awk -v w="$1" '$1 == "none" && $2 !~ /^[|]/ { n++; bad = $(NF - 3) != w || $(NF - 2) != w }
        END { exit n != 1 || bad }' "$t/stdout" || fail "$4: the table has another recovery"
    tail -n 1 "$t/none/summary.csv" | cut -d, -f26,27 | grep -qE "^$2,$3\$" ||
        fail "$4: summary.csv has other queues"
    shown "^none: warning: $4\$"
}
# 4 flows of 50 KB need at most 17.6 us and half a round trip, and 4 of 500 KB need 176 us.
for c in '50K from=100us,until=200us' '50K from=1ms,pause=100us'; do
    expect 0 '' $none --load incast --size "${c% *}" --fault "nak=20,${c#* }" --out "$t/none"
    recovers no-flow 0 0 'every flow had ended by [1-9][0-9]us, before the trouble was over at [0-9]*us, so no flow could recover'
done
expect 0 '' $none --load incast --size 500K --fault from=100us,until=1ms,nak=1 --out "$t/none"
recovers no-flow '[1-9][0-9]*' 0 'every flow had ended by [0-9]*us, before the trouble was over at 1ms, so no flow could recover'
expect 0 '' $none --load incast --size 5M --fault from=100us,until=1ms,nak=1 --out "$t/none"
recovers - '[1-9][0-9]*' '[1-9][0-9]*' 'recovery is measured only with endless flows'

# If all hosts send and receive, `nic` still slows the senders' links. A sample is 10 us, or 1.1
# packets.
expect 0 '' "$lab" --topology fattree --flows 1 --duration 4ms --scheme none --out "$t/trouble" \
    --fault from=1ms,until=3ms,nic=1G
awk -F, 'NR == 202 && $4 > 0 && $4 < 2e9 { during = 1 } NR == 396 && $4 > 8e10 { after = 1 }
    END { exit !(during && after) }' "$t/trouble/none.csv" ||
    fail 'nic: the link in a fattree is not slowed down, or does not recover'

# A link set to its own rate changes nothing. Four senders at 25 Gb/s cause no congestion, so a
# restart by the NIC does not change their flows either.
for o in 'hpcc-int speed=100G' 'dcqcn speed=100G' 'dcqcn speed=100G --set line_bps=25G' \
    'dcqcn nic=25G --set line_bps=25G'; do
    scheme=${o%% *} faults=${o#* }
    set=${faults#* }
    [ "$set" = "$faults" ] && set=
    # shellcheck disable=SC2086
    "$lab" --flows 4 --duration 2ms --scheme $scheme $set --out "$t/calm-set" > /dev/null
    # shellcheck disable=SC2086
    expect 0 '' "$lab" --flows 4 --duration 2ms --scheme $scheme $set --out "$t/trouble" \
        --fault "from=500us,until=1ms,${faults%% *}"
    cut -d, -f1-7 "$t/trouble/$scheme.csv" | cmp -s - "$t/calm-set/$scheme.csv" ||
        fail "$o: the run changes"
done

# A run compared with itself recovers and drains at once. These runs do not, so their twins have no
# trouble.
for o in sleep=200us until=3ms,speed=25G until=3ms,nic=1G until=3ms,nak=100 \
    until=3ms,blind; do
    expect 0 '' "$lab" --flows 4 --duration 6ms --scheme hpcc-int --fault "from=2ms,$o" \
        --out "$t/twin"
    "$python" -c 'import csv, sys
row, = csv.DictReader(open(sys.argv[1]))
sys.exit(row["recovery_ps"] == "0" and row["drained_ps"] == "0")' "$t/twin/summary.csv" ||
        fail "$o: the run seems to be compared with itself"
done

for o in lose corrupt; do
    "$lab" $base --scheme dcqcn --fault $o=500 --out "$t/$o" > /dev/null
done
cmp -s "$t/lose/dcqcn.csv" "$t/corrupt/dcqcn.csv" && fail 'lose and corrupt are the same'

# One flow has 10 packets and 10 ACKs, each over two links.
echo '0 0 0 10000' > "$t/one.load"
expect 0 '' "$lab" --scheme none --flows 1 --load "$t/one.load" --pcap "$t/one.pcap" \
    --set jitter_ns=0ns
expect 0 '' "$dump" --summary "$t/one.pcap"
shown '^ +40  frames'
shown '^ +20  opcode 0x04 RC SEND Only'
shown '^ +20  ICRC ok'
expect 0 '' "$dump" --json "$t/one.pcap"
# 14 + 40 + 8 + 12 + 1000 + 4 bytes, written without payload and ICRC
head -n 1 "$t/stdout" | grep -q '"len":1078,"caplen":74,' || fail 'a frame has other lengths'
"$python" -B - "$t/one.pcap" <<'PY' || fail 'the comment, links or times of a capture are wrong'
import sys
sys.path.insert(0, "tests/tools/cclab")
import pcapng
comment, links, frames = pcapng.read(sys.argv[1])
assert comment == open(sys.argv[1] + ".domain").read(), comment
assert [link.name for link in links] == ["host0-switch0", "host1-switch0", "host2-switch0"], links
assert all(link.speed_bps == 10**11 for link in links), links
times = [f.ns for f in frames]
assert times == sorted(times) and len(times) == 40
# 100 Gb/s, 2 us per link, 24 bytes around a frame. The second frame follows at once. The
# first leaves the switch after its 88.16 ns and 2 us. The other frames end soon.
assert times[1] - times[0] == 88 and 2088 in [x - times[0] for x in times], times[:9]
assert times[-1] - times[0] < 8000 + 20 * 89, times
PY

expect 0 '' "$lab" --scheme none --flows 1 --load "$t/one.load" \
    --set payload_bytes=2048,line_bps=1G --pcap "$t/payload.pcap"
expect 0 '' "$dump" --json "$t/payload.pcap"
# 5 packets, the last with 10000 - 4 * 2048 bytes, and 5 ACKs, over two links each
[ "$(grep -c '"len":2126,' "$t/stdout")" = 8 ] && [ "$(grep -c '"len":1886,' "$t/stdout")" = 2 ] &&
    [ "$(grep -c . "$t/stdout")" = 20 ] || fail 'payload_bytes: other frames'

echo '1200001 0 0 1000' > "$t/late.load"
expect 0 '' "$lab" --scheme none --flows 1 --load "$t/late.load" --duration 2s \
    --pcap "$t/late.pcap"
expect 0 '' "$dump" --json "$t/late.pcap"
head -n 1 "$t/stdout" | grep -q '"time_ns":1200001000,' || fail 'a frame has another time'

# notices SCHEME: prints its notifications in a/summary.csv.
notices() {
    awk -F, -v s="$1" 'NR == 1 { while ($++i != "notifications") {} } $1 == s { print $i }' \
        "$t/a/summary.csv"
}
# kinds NAME: counts the frames of the last JSON with this layer.
kinds() {
    grep -c "\"stack\":\[[^]]*\"$1\"" "$t/stdout" || :
}
for s in dcqcn fastcnp hpcc-int hpcc-ioam hpcc-ifa; do
    expect 0 '' "$lab" $(echo "$incast" | sed "s/--scheme [^ ]*/--scheme $s/") \
        --pcap "$t/$s.pcap"
    expect 0 '' "$dump" --summary "$t/$s.pcap"
    # 16 flows of 50 packets and 50 ACKs, over two links each
    shown '^ +1600  opcode 0x04 RC SEND Only'
    shown '^ +1600  opcode 0x11 RC ACKNOWLEDGE'
    shown '^ +0  ICRC wrong'
    cp "$t/stdout" "$t/$s.summary"
    expect 0 '' "$dump" --json --domain "$t/$s.pcap.domain" "$t/$s.pcap"
    cp "$t/stdout" "$t/$s.json"
    expect 0 '' "$dump" --json "$t/$s.pcap"
    cmp -s "$t/stdout" "$t/$s.json" || fail "$s: the comment and the file are two domains"
    [ "$(kinds bth)" -ge 3200 ] || fail "$s: frames without a BTH"
done
cmp -s "$t/b.pcap" "$t/dcqcn.pcap" || fail '--pcap did not capture the first scheme'
# Each CNP is on two links, unless it is in flight at the end.
told=$(notices dcqcn) cnps=$(sed -n 's/^ *\([0-9]*\)    CNPs$/\1/p' "$t/dcqcn.summary")
[ "$told" -gt 0 ] && [ "$cnps" -le $((2 * told)) ] && [ "$cnps" -ge $((2 * told - 16)) ] ||
    fail "dcqcn: $told CNPs, $cnps on links"
told=$(notices fastcnp)
cnps=$(sed -n 's/^ *\([0-9]*\)      plain Fast CNPs$/\1/p' "$t/fastcnp.summary")
[ "$told" -gt 0 ] && [ "$cnps" = "$told" ] || fail "fastcnp: $told Fast CNPs, $cnps on links"
# 800 packets leave the switch, each with its record.
for kind in int:intmd ioam:ioam ifa:ifa; do
    cp "$t/hpcc-${kind%:*}.json" "$t/stdout"
    [ "$(kinds ${kind#*:})" -ge 800 ] || fail "hpcc-$kind: telemetry is not found"
    # Each ACK repeats it, over two links.
    [ "$(grep -c "\"echo\":{\"version\":1,\"format\":\"${kind#*:}\".*\"nodes\":\[{" \
        "$t/stdout")" = 1600 ] || fail "hpcc-$kind: ACKs without an echo"
done
grep -c '"intmd":{[^}]*"nodes":\[{' "$t/hpcc-int.json" > "$t/count" || :
[ "$(cat "$t/count")" = 800 ] || fail "hpcc-int: $(cat "$t/count") packets with a record"

# tshark decodes Ethernet to BTH and CNPs, but not Fast CNPs, IFA, INT-MD and CSIG.
if command -v tshark > /dev/null; then
    expect 0 '' "$dump" --summary "$t/dcqcn.pcap"
    frames=$(sed -n 's/^ *\([0-9]*\)  frames.*/\1/p' "$t/stdout")
    tshark -n -r "$t/dcqcn.pcap" -T fields -e infiniband.bth.opcode -e _ws.malformed \
        > "$t/tshark" 2> "$t/stderr" || fail "tshark: $(tail -n 1 "$t/stderr")"
    [ "$(wc -l < "$t/tshark")" = "$frames" ] || fail 'tshark reads another number of frames'
    # 16 hosts and a receiver, each with an interface. Frame 1 leaves a host.
    tshark -n -r "$t/dcqcn.pcap" -T fields -e frame.interface_name -e frame.packet_flags_direction \
        > "$t/links" 2> "$t/stderr" || fail "tshark: $(tail -n 1 "$t/stderr")"
    head -n 1 "$t/links" | grep -qE '^host[0-9]+-switch0.0x0*2$' ||
        fail "tshark: interface and direction of frame 1 are $(head -n 1 "$t/links")"
    [ "$(cut -f1 "$t/links" | sort -u | wc -l)" = 17 ] || fail 'tshark finds other interfaces'
    tshark -n -r "$t/dcqcn.pcap" -T fields -e ipv6.hlim -Y 'ipv6.dst == 2001:db8::10' \
        2> "$t/stderr" | sort | uniq -c | xargs > "$t/hops"
    [ "$(cat "$t/hops")" = '800 63 800 64' ] || fail "tshark: hop limits $(cat "$t/hops")"
    grep -qi malformed "$t/tshark" && fail 'tshark finds a malformed frame'
    [ "$(cut -f1 "$t/tshark" | grep -cx 4)" = 1600 ] || fail 'tshark finds other data'
    [ "$(cut -f1 "$t/tshark" | grep -cx 129)" = "$(sed -n \
        's/^ *\([0-9]*\)    CNPs$/\1/p' "$t/dcqcn.summary")" ] || fail 'tshark: other CNPs'
elif [ -n "${CI:-}" ]; then
    fail 'no tshark here'
fi

# The runs in examples/cclab/plots are reproducible.
expect 0 '' sh examples/cclab/plots/make.sh "$lab" "$t/plots"
for f in "$t"/plots/*/*.csv "$t"/plots/*/plot.gp; do
    kept=examples/cclab/plots/${f#"$t/plots/"}
    cmp "$f" "$kept" || fail "$kept is of another run: examples/cclab/plots/make.sh"
    [ "$(wc -c < "$f")" -lt 40000 ] || fail "$kept is too long"
done
"$python" - "$t/plots" examples/cclab/plots/sweep.csv <<'PY' || fail 'plots contradict their data'
import csv, pathlib, re, sys
plots, sweep = pathlib.Path(sys.argv[1]), list(csv.DictReader(open(sys.argv[2])))
def value(text):
    number, unit = text.split()
    return float(number) * {"KB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
for plot in ("incast", "wan"):
    script = (plots / plot / "plot.gp").read_text()
    summary = list(csv.DictReader(open(plots / plot / "summary.csv")))
    for i, row in enumerate(summary, 1):
        series = list(csv.DictReader(open(plots / plot / (row["scheme"] + ".csv"))))
        queue = [int(s["queue_bytes"]) for s in series]
        rate = [int(s["goodput_bps"]) for s in series]
        half = len(series) // 2
        said = re.search(rf"^queue\[{i}\] = 'mean (.*) \(shaded: (.*)\), at most (.*), (\d+) dropped'$",
                         script, re.M)
        mean, shaded, most = map(value, said.groups()[:3])
        assert abs(mean / (sum(queue) / len(queue)) - 1) < 0.05, (mean, sum(queue) / len(queue))
        # a queue of a few packets, looked at 200 times, is known by a tenth or so
        assert abs(shaded / (sum(queue[half:]) / half) - 1) < 0.15, (plot, shaded)
        assert max(queue) <= most * 1.05 and said[4] == row["drops"]
        said = re.search(rf"^rate\[{i}\] = 'mean ([\d.]+) Gbit/s \(shaded: ([\d.]+)\)", script, re.M)
        assert abs(float(said[1]) - sum(rate) / len(rate) / 1e9) <= 0.051, said[0]
        assert abs(float(said[2]) - sum(rate[half:]) / half / 1e9) <= 0.051, said[0]
        again = ", partly by retransmissions" if row["drops"] != "0" else ""
        use = int(row["utilisation_ppm"]) / 1e4
        assert f"use[{i}] = 'shaded: link {use:.1f} % in use{again}'\n" in script
        if plot == "incast": continue
        # the sweep has a row with the K_max of make.sh, which must equal this run's row
        swept = next(r for r in sweep if r["k_max_bytes"] == "10M" and r["scheme"] == row["scheme"])
        assert all(row[k] == swept[k] for k in swept if k in row), (row, swept)
PY
[ $bad = 0 ] && echo "cclab-cli: cclab does as expected in $n runs"
exit $bad

#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# domain.sh OUT PYTHON: tests --domain FILE (grammar in vectors/README) with accepted,
# refused and hostile files, the order of options, and --print-domain.
set -eu
out=$1 python=$2
dump=$out/rocedump san=$out/rocedump-san
t=$out/domain
gate=domain
. tests/lib/expect.sh

# given LINES...: writes a file with these lines, expanded by printf(1).
given() {
    printf '%b' "$*" > "$t/given"
}

# is LINES: checks that the domain in force has exactly these members.
is() {
    grep -v '^#' "$t/stdout" > "$t/is" || :
    printf '%b' "$1" | cmp -s - "$t/is" || fail "the domain is $(xargs < "$t/is")"
}

# refused REGEX LINES: expects one line on standard error with the file and the reason.
refused() {
    given "$2"
    expect 1 "^rocedump: $t/given: $1" "$san" --domain "$t/given" --print-domain
    [ "$(wc -l < "$t/stderr")" = 1 ] || fail "$1: more than one line of reasons"
    [ -s "$t/stdout" ] && fail "$1: a refused file prints a domain"
    return 0
}

# A file states the whole domain. Members that it does not name are off.
for file in '' '\n' '# nothing' '\n \t\r\n#\n  # rocev2_port=1\n'; do
    given "$file"
    expect 0 '' "$san" --domain "$t/given" --print-domain
    is ''
done
# Order, blanks around a line, CRLF and a missing last line end change nothing.
all='rocev2_port=4800\nintmd.udp_port=5000\nl3qcn.cnm.station=02:00:00:00:00:01\narn.layout=packed\n'
for file in "$all" 'arn.layout=packed\n\n# and\nl3qcn.cnm.station=02:00:00:00:00:01
rocev2_port=4800\nintmd.udp_port=5000' \
    'rocev2_port=0x12c0\r\nintmd.udp_port=5000\r\nl3qcn.cnm.station=02:00:00:00:00:01\r\narn.layout=packed\r\n' \
    ' rocev2_port=4800 \n\tintmd.udp_port=5000\t\nl3qcn.cnm.station=02:00:00:00:00:01\narn.layout=packed\nah=0\n'; do
    given "$file"
    expect 0 '' "$san" --domain "$t/given" --print-domain
    is "$all"
done
expect 0 '' "$san" --print-domain
cp "$t/stdout" "$t/usual"
expect 0 '' "$san" --domain "$t/usual" --print-domain
cmp -s "$t/stdout" "$t/usual" || fail 'the printed defaults give another domain'

# --domain and --config apply in the order given.
given 'rocev2_port=4800\n'
expect 0 '' "$san" --domain "$t/given" --config arn.port=9 --print-domain
is 'rocev2_port=4800\narn.port=9\n'
expect 0 '' "$san" --config arn.port=9 --domain "$t/given" --print-domain
is 'rocev2_port=4800\n'
expect 2 'rocev2_port and arn.port are the same UDP port' "$san" --domain "$t/given" \
    --config arn.port=4800 --print-domain

# Invalid lines are refused.
refused 'line 1: rocev2_port: expected NAME=VALUE$' 'rocev2_port\n'
refused 'line 2: nonsense: unknown member; ' '\nnonsense=1\n'
refused 'line 1: unknown member; ' '=1\n'
refused 'line 1: rocev2_port : unknown member; ' 'rocev2_port =1\n'
refused 'line 1: frame.rocev2_port: unknown member; ' 'frame.rocev2_port=1\n'
refused 'line 1: port: unknown member; ' 'port=1\n'
refused 'line 1: old_qinq: unknown member; ' 'old_qinq=1\n' # tag.vlan_tpid=0x9100
refused 'line 1: \?\[31mport: unknown member; ' '\033[31mport=1\n'
refused 'line 3: arn.port: the file sets this member twice$' 'arn.port=1\n#\narn.port=1\n'
for v in rocev2_port=65536 rocev2_port=-1 rocev2_port= 'rocev2_port= 1' 'rocev2_port=1 # no' \
    ah=2 overlay.own_ports=2 overlay.gre_port=65536 tag.etag_type=-1 link=token ifa.checksum=0 \
    l3qcn.cnm.station=1 intmd.source_words=00; do
    refused "line 1: $v: expected " "$v\n"
done
long=$(printf 'x%0254d' 0)
given "#${long#x}\n"
expect 0 '' "$san" --domain "$t/given" --print-domain
refused 'line 1: the line is longer than 255 bytes$' "#$long\n"
refused 'line 2: the line is longer than 255 bytes$' "\n$long$long"

# If rocecc_domain_init() refuses a domain, the reason names the member.
refused 'l3qcn.port is the UDP port of RoCEv2$' 'l3qcn.port=4791\n'
refused 'rocev2_port and intmd.udp_port are the same UDP port$' 'intmd.udp_port=4791\n'
refused 'arn.port is the UDP port of an overlay$' 'arn.port=4789\n'
refused 'csig.wide_tpid is a length or the EtherType of another header$' 'csig.wide_tpid=0x8100\n'
refused 'csig.compact_tpid is a length or the EtherType of another header$' 'csig.compact_tpid=9\n'
refused 'csig.compact_tpid and csig.wide_tpid are the same EtherType$' \
    'csig.wide_tpid=0x9900\ncsig.compact_tpid=0x9900'
for v in vlan_tpid=0x8100 vlan_tpid=0x88a8 etag_type=0x5ff vntag_type=0x800 arista_type=0x8909; do
    refused "tag.${v%=*} is a length or the EtherType of another header\$" "tag.$v"
done
refused 'csig.wide_tpid and tag.vlan_tpid are the same EtherType$' \
    'csig.wide_tpid=0x9100\ntag.vlan_tpid=0x9100'
refused 'tag.vlan_tpid and tag.etag_type are the same EtherType$' \
    'tag.etag_type=0x893f\ntag.vlan_tpid=0x893f'
refused 'tag.vntag_type and tag.arista_type are the same EtherType$' \
    'tag.arista_type=0xd28b\ntag.vntag_type=0xd28b'
# Overlays use IANA's ports, or only the ports that the file names. VXLAN may have two.
for v in vxlan vxlan_gpe geneve mpls gre; do
    refused "overlay.${v}_port needs overlay.own_ports=1\$" "overlay.${v}_port=9000"
done
refused 'overlay.vxlan_port_2 needs overlay.own_ports=1$' 'overlay.vxlan_port_2=8472'
own='overlay.own_ports=1\n'
refused 'overlay.vxlan_port and overlay.vxlan_gpe_port are the same UDP port$' \
    "${own}overlay.vxlan_port=4790\noverlay.vxlan_gpe_port=4790"
refused 'overlay.vxlan_port_2 and overlay.gre_port are the same UDP port$' \
    "${own}overlay.vxlan_port_2=4754\noverlay.gre_port=4754"
refused 'overlay.vxlan_port and overlay.gre_port are the same UDP port$' \
    "${own}overlay.vxlan_port=8472\noverlay.vxlan_port_2=8472\noverlay.gre_port=8472"
refused 'overlay.geneve_port and overlay.mpls_port are the same UDP port$' \
    "${own}overlay.mpls_port=6081\noverlay.geneve_port=6081"
refused 'rocev2_port and overlay.geneve_port are the same UDP port$' "${own}overlay.geneve_port=4791"
refused 'sflow_port and overlay.gre_port are the same UDP port$' "${own}overlay.gre_port=6343\nsflow_port=6343"
refused 'sflow_port is the UDP port of an overlay$' 'sflow_port=6081'
refused 'rocev2_port and sflow_port are the same UDP port$' 'sflow_port=4791'
given "sflow_port=4789\n${own}overlay.vxlan_port=8472\noverlay.vxlan_port_2=8472\n"
expect 0 '' "$san" --domain "$t/given" --print-domain
is "sflow_port=4789\n${own}overlay.vxlan_port=8472\noverlay.vxlan_port_2=8472\n"
refused 'ifa.protocol is the protocol number of another header$' 'ifa.protocol=17\nifa.layout_a=2'
refused 'ifa.layout_a and ifa.layout_b are 0, but ifa.protocol is not$' 'ifa.protocol=253'
refused 'ifa.protocol is the protocol number of a tunnel$' 'ifa.protocol=41\nifa.layout_a=2'
refused 'intmd.dscp_mask has more than 6 bits$' 'intmd.dscp_mask=64'
refused 'fastcnp.type_ioam may change on the path' 'fastcnp.type_ioam=0xbe'
refused 'roce.echo_bytes must be 0, or from 8 to 1024$' 'roce.echo_bytes=7'
refused 'arn.family must be 0, 4 or 6$' 'arn.port=1\narn.family=5'
refused 'arn.tail_unknown needs arn.bit_order=msb' 'arn.port=1\narn.tail_unknown=1\narn.bit_order=auto'

# Hostile files soon give a message.
expect 1 "$t/none: No such file" "$san" --domain "$t/none" --print-domain
expect 1 "$t: Is a directory" "$san" --domain "$t" --print-domain
refused 'line 1: the line contains a NUL byte$' '\0'
refused 'line 2: the line contains a NUL byte$' 'rocev2_port=4800\n# \0\n'
expect 1 'line 1: the line contains a NUL byte' timeout 60 "$san" --domain /dev/zero --print-domain
yes '#' | head -c 65536 > "$t/large"
expect 0 '' "$san" --domain "$t/large" --print-domain
echo >> "$t/large"
expect 1 'line 32769: the file is longer than 65536 bytes' "$san" --domain "$t/large" --print-domain
yes '' | head -c 300M > "$t/large"
expect 1 'line 65537: the file is longer than 65536 bytes' timeout 60 "$san" --domain "$t/large" \
    --print-domain
rm "$t/large"

# The file can name every member of the library's domain.
"$python" - "$t/members" <<'PY'
import pathlib, re, sys
def structs(path):
    text = re.sub(r"/\*.*?\*/", "", pathlib.Path("include/rocecc", path).read_text(), flags=re.S)
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, re.S):
        yield name, re.findall(r"([\w() ]+?)\s(\w+)(?:\[\d+\])?;", body)
files = ("wire/config.h", "wire/ether.h", "wire/overlay.h", "packet/domain.h")
known = dict(x for path in files for x in structs(path))
def members(name, group=""):
    for kind, member in known[name]:
        if kind.strip() in known:
            yield from members(kind.strip(), f"{group}{member}.")
        else:
            yield group + member
pathlib.Path(sys.argv[1]).write_text("".join(f"{m}\n" for m in members("rocecc_domain")))
PY
[ "$(wc -l < "$t/members")" -ge 60 ] || fail 'the members of the domain are not found'
while read -r name; do
    for v in 1 ip stack newest_last b C packed dscp lsb 02:00:00:00:00:01 \
        00000000000000000000000000000001; do
        given "$name=$v\n"
        "$dump" --domain "$t/given" --print-domain > "$t/stdout" 2> "$t/stderr" || :
        grep -q 'unknown member' "$t/stderr" && fail "a file cannot name $name" && break
        grep -q "^$name=" "$t/stdout" "$t/stderr" && break
        grep -q ': expected ' "$t/stderr" || break # it is the domain that is refused
        [ $v = 00000000000000000000000000000001 ] && fail "$name has no value"
    done
done < "$t/members"

# A section comment that begins as --print-domain does is the domain of the section.
if command -v editcap > /dev/null; then
    "$dump" --print-domain --config intmd.udp_port=5000 > "$t/lab"
    editcap -F pcapng --capture-comment "$(cat "$t/lab")" vectors/pcap/intmd.pcap "$t/lab.pcapng"
    editcap -F pcapng vectors/pcap/intmd.pcap "$t/plain.pcapng"
    "$dump" --json vectors/pcap/intmd.pcap > "$t/usual"
    "$dump" --json --domain "$t/lab" vectors/pcap/intmd.pcap > "$t/wanted"
    cmp -s "$t/usual" "$t/wanted" && fail 'the domain changes nothing'
    # as FILE OPTIONS...: checks that rocedump prints this file, except frame numbers and places.
    as() {
        of=$1
        shift
        expect 0 '' "$san" --json "$@"
        sed 's/^{"frame":[0-9]*/{"frame":/; s/"iface":[0-9]*/"iface":/' "$t/stdout" > "$t/ours"
        sed 's/^{"frame":[0-9]*/{"frame":/; s/"iface":[0-9]*/"iface":/' "$of" |
            cmp -s - "$t/ours" || fail "$*: not as $of"
    }
    as "$t/wanted" "$t/lab.pcapng"
    as "$t/usual" "$t/plain.pcapng"
    gzip -c "$t/lab.pcapng" > "$t/lab.gz"
    as "$t/wanted" "$t/lab.gz"
    # A domain ends with its section and its file.
    cat "$t/usual" "$t/wanted" "$t/usual" > "$t/three"
    cat "$t/plain.pcapng" "$t/lab.pcapng" "$t/plain.pcapng" > "$t/three.pcapng"
    as "$t/three" "$t/three.pcapng"
    as "$t/three" "$t/plain.pcapng" "$t/lab.pcapng" vectors/pcap/intmd.pcap
    "$san" --csv iface "$t/three.pcapng" | sort -u | xargs > "$t/ours"
    [ "$(cat "$t/ours")" = '0 1 2 iface' ] || fail "interfaces of three sections: $(cat "$t/ours")"
    # Options that set the domain win. Others do not matter.
    as "$t/usual" --config intmd.udp_port=0 "$t/lab.pcapng"
    as "$t/usual" --config ah=1 "$t/lab.pcapng"
    as "$t/usual" --config frame.rocev2_port=4791 "$t/lab.pcapng"
    "$dump" --print-domain > "$t/given"
    as "$t/usual" --domain "$t/given" "$t/lab.pcapng"
    as "$t/wanted" --config icrc.rule=auto "$t/lab.pcapng"
    # A comment that begins otherwise is not a domain. One that begins so must be valid.
    for comment in 'File created by merging' '# The domain' ' # The domain of a network' \
        'intmd.udp_port=5000'; do
        editcap -F pcapng --capture-comment "$comment" vectors/pcap/intmd.pcap "$t/other.pcapng"
        as "$t/usual" "$t/other.pcapng"
    done
    head='# The domain of a network'
    for line in 'nonsense=1:line 2: nonsense: unknown member; ' 'rocev2_port:line 2: rocev2_port: expected NAME=VALUE$' \
        'arn.port=65536:line 2: arn.port=65536: expected ' 'l3qcn.port=4791:l3qcn.port is the UDP port of RoCEv2$'; do
        editcap -F pcapng --capture-comment "$head
${line%%:*}" vectors/pcap/intmd.pcap "$t/bad.pcapng"
        expect 1 "^rocedump: $t/bad.pcapng: comment: ${line#*:}" "$san" --json "$t/bad.pcapng"
        [ -s "$t/stdout" ] && fail "$line: frames are shown"
        cat "$t/plain.pcapng" "$t/bad.pcapng" > "$t/two.pcapng"
        expect 1 "comment: ${line#*:}" "$san" --json "$t/two.pcapng" "$t/plain.pcapng"
        [ "$(wc -l < "$t/stdout")" = "$(($(wc -l < "$t/usual") * 2))" ] ||
            fail "$line: not the frames of the section before and of the next file"
        as "$t/usual" --config intmd.udp_port=0 "$t/bad.pcapng"
    done
else
    echo 'domain: no editcap here: no comments'
    [ -z "${CI:-}" ] || bad=1
fi

[ $bad = 0 ] && echo "domain: rocedump does as expected in $n runs"
exit $bad

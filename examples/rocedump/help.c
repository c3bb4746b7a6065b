/* SPDX-License-Identifier: BSD-2-Clause */

/* help.c - what --help says. */
#include "help.h"

#define USAGE                                                                          \
    "usage: rocedump [--json|--summary] [-l] [-c N] [-f EXPR] [-Y EXPR] [--no-icrc]\n" \
    "                [--time FORM] [--judge ROLE [--access LIST]]\n"                   \
    "                [--domain FILE] [--config NAME=VALUE]...\n"                       \
    "                FILE...|-|-i IFACE\n"                                             \
    "       rocedump --flows [--json]|--timeline[=INTERVAL] [--plot FILE]|--csv "      \
    "KEYS\n"                                                                           \
    "                [-l] [-c N] [-f EXPR] [-Y EXPR] [--domain FILE]\n"                \
    "                [--config NAME=VALUE]... FILE...|-|-i IFACE\n"                    \
    "       rocedump --fields [FORMAT] | --schema | --print-domain\n"

const char help_usage[] = USAGE;

static const char options[] = USAGE
    "Shows the RoCE packets of captures (pcap, pcapng, also .gz; - is standard input), "
    "of\n"
    "an interface, or of vector files of rocecc (*.vec). As text, members that are 0 "
    "are\n"
    "left out. Frames are counted through all files.\n"
    "\n"
    "  --json               one object per frame and line, with all members\n"
    "  --summary            counts only\n"
    "  --flows              a table: per source, destination and DestQP packets, "
    "bytes,\n"
    "                       CE, CNPs and what they answer, PSN gaps, late and doubled\n"
    "                       packets, NAKs, trimmed ones; --flows --json: an object "
    "each\n"
    "  --timeline[=INTERVAL]  CSV: the same per interval (100us, 1ms, ...; 1ms unless\n"
    "                       set) and flow, and PFC; with --plot FILE.svg or FILE.png\n"
    "                       gnuplot draws it too\n"
    "  --csv KEYS           CSV: a line per frame, a column per key, by the names of\n"
    "                       --json: frame,time_ns,ipv4[0].src,bth.psn,inner.bth.psn\n"
    "  --time FORM          in text: relative (seconds since the first frame; so "
    "unless\n"
    "                       set), delta (since the one before), utc, or epoch\n"
    "  -i IFACE             listen to an interface until a signal comes\n"
    "  -l                   write each frame at once; so it is without -l, too, if "
    "input\n"
    "                       is a pipe or an interface\n"
    "  -c N                 stop after N frames that are shown\n"
    "  -f, --filter EXPR    only frames that pass this filter of libpcap (see\n"
    "                       pcap-filter(7)); it looks at the outermost headers\n"
    "  -Y EXPR              only frames for which this is true, in the names of the\n"
    "                       JSON, in packets at any depth: 'cnp && "
    "bth.dest_qp==0x17'.\n"
    "                       A layer: there is one. A member alone: it is not 0.\n"
    "                       == < <= > >=: it is so for one, != for all there are.\n"
    "                       && || ! ( ). Also frame time_ns len caplen status at\n"
    "  --no-icrc            do not check the ICRC\n"
    "  --judge ROLE         what it would do with each packet, inner ones too, as its\n"
    "                       verdict: reaction (a sender's gate), border (a filter for\n"
    "                       Fast CNPs), end-con (of an SRv6 PE), arn, tor (of L3QCN:\n"
    "                       private CNMs come from the fabric, all else from hosts)\n"
    "  --access LIST        who may send Fast CNPs: a file with a prefix per line,\n"
    "                       and after it deny or tag=N; # begins a comment\n"
    "  --fields [FORMAT]    what the members of a format are: bits, unit, meaning\n"
    "  --schema             the JSON schema of the lines of --json\n"
    "  --domain FILE        the file states the whole domain of the network, one\n"
    "                       NAME=VALUE per line (vectors/README). It replaces the\n"
    "                       defaults below: a member that it does not name is 0.\n"
    "                       --domain and --config apply in the order given.\n"
    "  --print-domain       print the domain that the options give, as such a file\n";

static const char config[] =
    "  --config NAME=VALUE  frame.ip_first=0|1     frames begin with the IP header\n"
    "                       frame.rocev2_port=N    instead of UDP port 4791\n"
    "                       ah=0|1                 step over AH (RFC 4302)\n"
    "                       sflow_port=N           6343 unless set; 0 is off\n"
    "                       tag.vlan_tpid=N        0x9100, a third TPID of VLAN tags\n"
    "                       tag.etag_type=N        0x893f\n"
    "                       tag.vntag_type=N       0x8926\n"
    "                       tag.arista_type=N      0xd28b\n"
    "                       overlay.vxlan_port=N   4789, and\n"
    "                       overlay.vxlan_port_2=N 8472\n"
    "                       overlay.vxlan_gpe_port=N, geneve_port, mpls_port,\n"
    "                       overlay.gre_port=N     4790, 6081, 6635, 4754; 0 is off\n"
    "                       overlay.own_ports=0|1  0: those of IANA alone\n"
    "                       csig.compact_tpid=N    0x9900 and 0x9901 unless set\n"
    "                       csig.wide_tpid=N\n"
    "                       csig.uec=0|1           the last bit of LM is d\n"
    "                       roce.rd=0|1            take the opcodes of RD\n"
    "                       roce.short_cnp=0|1     take CNPs without reserved bytes\n"
    "                       roce.echo_bytes=N      the longest echo in an ACK; 0 is "
    "off\n"
    "                       fastcnp.type_plain=N   the option types of Fast CNPs; "
    "0x9e\n"
    "                       fastcnp.type_ioam=N    and 0x9f unless set, 0 is none\n"
    "                       fastcnp.form=a|b       with the IOAM option's first word, "
    "or\n"
    "                                              from Namespace-ID on\n"
    "                       fastcnp.address_first=0|1  the address before the trace\n"
    "                       fastcnp.align8=0|1     write the address at 8 n\n"
    "                       ioam.tx_bytes_bit=N    bits of the trace type that nobody "
    "has\n"
    "                       ioam.interface_bit=N   assigned: 12 unless set, and none\n"
    "                       ifa.protocol=N         253, for experiments, unless set: 0 "
    "is\n"
    "                                              none\n"
    "                       ifa.layout_a=N         bit n: the record with LNS n, "
    "2\n"
    "                       ifa.layout_b=N         and 4 unless set\n"
    "                       ifa.gns_a=N, ifa.gns_b=N  bit n: all records under GNS n\n"
    "                       ifa.checksum=stack|metadata  what C covers\n"
    "                       ifa.tail=newest_first|newest_last, ifa.fragments=0|1  TS, "
    "MF\n"
    "                       intmd.udp_port=N       INT is none unless set\n"
    "                       intmd.dscp=N, intmd.dscp_mask=N, intmd.probe_marker=N,\n"
    "                       intmd.before_options=0|1  INT without a port, and in TCP\n"
    "                       intmd.ds_id=N          the Domain Specific ID\n"
    "                       intmd.source_words=HEX  16 bytes, words per DS "
    "Instruction\n"
    "                       intmd.pad_unknown=0|1, intmd.complement=0|1  of "
    "transits\n"
    "                       ioam.namespace_id=N, ioam.leave_undefined=0|1  of a node\n";

static const char config_more[] =
    "                       telemetry.rate_bps=N   of links that do not tell theirs\n"
    "                       telemetry.queue_unit_bytes=N, telemetry.util_one=N\n"
    "                       telemetry.clock=ptp|posix|ntp, telemetry.ts_bits=N,\n"
    "                       telemetry.tx_bits=N    what records count\n"
    "                       l3qcn.port=N           of private CNMs and of ARNs: 51966\n"
    "                       arn.port=N             and 51967 unless set, 0 is none\n"
    "                       l3qcn.reserved_bit=0|1  private CNMs by a flag of IPv4, "
    "too\n"
    "                       cnm.signs=A|B|C        of cnmQOffset and cnmQDelta: A is "
    "802.1Q\n"
    "                       cnm.tolerate_long=0|1  an MSDU length above 64 is 64\n"
    "                       cnm.strict_version=0|1; l3qcn.cnm.signs and so on\n"
    "                       l3qcn.cnm.fixed_msdu=0|1, l3qcn.cnm.station=ADDRESS\n"
    "                       arn.bit_order=msb|lsb|auto  of Para-Type\n"
    "                       arn.time_unit_ps=N     1000000 unless set\n"
    "                       arn.layout=any|padded|packed, arn.family=0|4|6,\n"
    "                       arn.priority=8021p|dscp|any, arn.versions=N,\n"
    "                       arn.tail_unknown=0|1   what else the drafts leave open\n"
    "                       pfc.station=ADDRESS    PAUSE may come to it\n"
    "                       icrc.rule=auto|standard|masked|literal|stripped|none\n"
    "                                              what covers IPv6 extension headers\n"
    "                       reaction.NAME=VALUE    of the roles, by the names that\n"
    "                       srv6_pe.NAME=VALUE     --fields reaction_config and so on\n"
    "                       arn_gate.NAME=VALUE    lists; srv6_pe is of end-con\n"
    "                       l3qcn_tor.NAME=VALUE\n"
    "                       judge.peer=unknown|yes|no  whether QPs are connected to\n"
    "                                              the sources of CNPs\n"
    "                       judge.port=N           where frames came in\n"
    "  -h, --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 bad input or output, 2 usage.\n";

void help_print(FILE *out)
{
    fputs(options, out);
    fputs(config, out);
    fputs(config_more, out);
}

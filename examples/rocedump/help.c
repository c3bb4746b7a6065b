/* SPDX-License-Identifier: BSD-2-Clause */

/* help.c - the --help text. */
#include "help.h"

#define USAGE                                                                          \
    "usage: rocedump [--json|--summary] [-l] [-c N] [-f EXPR] [-Y EXPR] [--no-icrc]\n" \
    "                [--time FORM] [--judge ROLE [--access LIST]]\n"                   \
    "                [--domain FILE] [--config NAME=VALUE]...\n"                       \
    "                FILE...|-|-i IFACE\n"                                             \
    "       rocedump --flows[=INTERVAL] [--json]|--timeline[=INTERVAL]\n"              \
    "                [--plot FILE]|--csv KEYS\n"                                       \
    "                [-l] [-c N] [-f EXPR] [-Y EXPR] [--domain FILE]\n"                \
    "                [--config NAME=VALUE]... FILE...|-|-i IFACE\n"                    \
    "       rocedump --fields [FORMAT] | --schema | --print-domain\n"

const char help_usage[] = USAGE;

static const char options[] = USAGE
    "Shows the RoCE packets of captures (pcap and pcapng, also compressed as .gz; -\n"
    "is standard input), of an interface, or of vector files of rocecc (*.vec). The\n"
    "text leaves out members that are 0. Frames are numbered through all files.\n"
    "\n"
    "  --json               print an object per frame and line, with all members\n"
    "  --summary            print only counts, and with --judge the role's counters\n"
    "  --flows[=INTERVAL]   print a table with a row per source, destination and\n"
    "                       DestQP: packets, bytes, CE, CNPs and the flow that they\n"
    "                       answer, PSN gaps, late and doubled packets, NAKs,\n"
    "                       trimmed packets, parts, and the rates before and after\n"
    "                       the first CNP. Rates are measured in intervals (default\n"
    "                       100us). A packet that was captured at several places\n"
    "                       counts once. A * marks a flow that may miss frames. With\n"
    "                       --json, print an object per flow\n"
    "  --timeline[=INTERVAL]  print CSV: the same per flow and interval (100us, 1ms,\n"
    "                       ...; default 1ms), and PFC\n"
    "  --plot FILE          with --timeline, also let gnuplot draw a .svg or .png\n"
    "  --csv KEYS           print CSV: a line per frame, and a column per key. Keys\n"
    "                       are names in --json: frame,time_ns,ipv4[0].src,bth.psn,\n"
    "                       inner.bth.psn\n"
    "  --time FORM          times in the text: relative (seconds since the first\n"
    "                       frame that passes -f; default), delta (since the\n"
    "                       previous shown frame), utc, or epoch\n"
    "  -i IFACE             capture on an interface until a signal arrives\n"
    "  -l                   flush after each frame (always, if the input is a pipe or\n"
    "                       an interface)\n"
    "  -c N                 stop after N frames are shown\n"
    "  -f, --filter EXPR    show only frames that pass this filter of libpcap (see\n"
    "                       pcap-filter(7)), which examines the outermost headers\n"
    "  -Y EXPR              show only frames for which EXPR is true. Its names are\n"
    "                       those in --json, for packets at any depth:\n"
    "                       'cnp && bth.dest_qp==0x17'. A layer is true if it is\n"
    "                       present, and a number or flag alone if it is not 0.\n"
    "                       Addresses and names alone are always true. A comparison\n"
    "                       == < <= > >= must hold for one value, and != for all.\n"
    "                       && || ! ( ) combine them. There are also the names\n"
    "                       frame time_ns len caplen iface status at\n";

static const char options_more[] =
    "  --no-icrc            do not check the ICRC\n"
    "  --judge ROLE         print the role's verdict on each packet, including inner\n"
    "                       packets: reaction (a sender's gate), border (a filter for\n"
    "                       Fast CNPs), end-con (of an SRv6 PE), arn, or tor (of\n"
    "                       L3QCN: private CNMs come from the fabric, all else from\n"
    "                       hosts)\n"
    "  --access LIST        file with the sources of notifications: a prefix per\n"
    "                       line, then optionally deny or tag=N; # begins a comment\n"
    "  --fields [FORMAT]    print the bits, unit and meaning of a format's members\n"
    "  --schema             print the JSON schema of the lines of --json\n"
    "  --domain FILE        read the whole domain of the network from a file, one\n"
    "                       NAME=VALUE per line (vectors/README). It replaces the\n"
    "                       defaults below: a member that it does not name is 0.\n"
    "                       --domain and --config apply in the order given.\n"
    "                       Without --domain, and without --config for a member\n"
    "                       of the domain, a comment in a pcapng section header\n"
    "                       can set the section's domain (cclab writes such a\n"
    "                       comment)\n"
    "  --print-domain       print the domain that the options give, as such a file\n";

static const char config[] =
    "  --config NAME=VALUE  frame.ip_first=0|1     frames begin with the IP header\n"
    "                       frame.rocev2_port=N    instead of UDP port 4791\n"
    "                       ah=0|1                 skip AH (RFC 4302); default 1\n"
    "                       sflow_port=N           default 6343; 0 is off\n"
    "                       tag.vlan_tpid=N        a third TPID of VLAN tags;\n"
    "                                              default 0x9100\n"
    "                       tag.etag_type=N        default 0x893f\n"
    "                       tag.vntag_type=N       default 0x8926\n"
    "                       tag.arista_type=N      default 0xd28b\n"
    "                       overlay.vxlan_port=N   default 4789\n"
    "                       overlay.vxlan_port_2=N  default 8472\n"
    "                       overlay.vxlan_gpe_port=N, overlay.geneve_port=N,\n"
    "                       overlay.mpls_port=N, overlay.gre_port=N\n"
    "                                              defaults 4790, 6081, 6635 and\n"
    "                                              4754; 0 is off\n"
    "                       overlay.own_ports=0|1  0: only IANA's ports\n"
    "                       csig.compact_tpid=N    default 0x9900\n"
    "                       csig.wide_tpid=N       default 0x9901\n"
    "                       csig.uec=0|1           the last bit of LM is the flag d\n"
    "                       roce.rd=0|1            accept the opcodes of RD\n"
    "                       roce.short_cnp=0|1     accept CNPs without reserved bytes\n"
    "                       roce.echo_bytes=N      longest echo in an ACK; 0 is off\n"
    "                       fastcnp.type_plain=N   option types of Fast CNPs;\n"
    "                       fastcnp.type_ioam=N    defaults 0x9e and 0x9f; 0 is none\n"
    "                       fastcnp.form=a|b       a: with the IOAM option's first\n"
    "                                              word, b: from Namespace-ID on\n"
    "                       fastcnp.address_first=0|1  the address precedes the trace\n"
    "                       fastcnp.align8=0|1     align the address to 8 bytes\n"
    "                       ioam.tx_bytes_bit=N    unassigned bits of the trace type;\n"
    "                       ioam.interface_bit=N   defaults 12 and none\n"
    "                       ifa.protocol=N         default 253, experiments; 0\n"
    "                                              is none\n"
    "                       ifa.layout_a=N         bit n: the records with LNS n;\n"
    "                       ifa.layout_b=N         defaults 2 and 4\n"
    "                       ifa.gns_a=N, ifa.gns_b=N  bit n: all records under GNS n\n"
    "                       ifa.checksum=stack|metadata  what the checksum covers\n"
    "                       ifa.tail=newest_first|newest_last  order of tail stamps\n"
    "                       ifa.fragments=0|1      flag MF: stacks in fragments\n"
    "                       intmd.udp_port=N       UDP port of INT; default none\n"
    "                       intmd.dscp=N, intmd.dscp_mask=N, intmd.probe_marker=N,\n"
    "                       intmd.before_options=0|1  INT without a port, and in TCP\n"
    "                       intmd.ds_id=N          the Domain Specific ID\n"
    "                       intmd.source_words=HEX  16 bytes: the words per DS\n"
    "                                              Instruction\n"
    "                       intmd.pad_unknown=0|1, intmd.complement=0|1\n"
    "                                              for transit nodes\n"
    "                       ioam.namespace_id=N, ioam.leave_undefined=0|1\n"
    "                                              for a node\n";

static const char config_more[] =
    "                       telemetry.rate_bps=N   for links that report no rate\n"
    "                       telemetry.queue_unit_bytes=N, telemetry.util_one=N,\n"
    "                       telemetry.clock=ptp|posix|ntp, telemetry.ts_bits=N,\n"
    "                       telemetry.tx_bits=N    units and widths in records\n"
    "                       l3qcn.port=N           UDP ports of private CNMs and of\n"
    "                       arn.port=N             ARNs; defaults 51966 and 51967; 0\n"
    "                                              is none\n"
    "                       l3qcn.reserved_bit=0|1  a flag of IPv4 also identifies\n"
    "                                              private CNMs\n"
    "                       cnm.signs=A|B|C        signs of cnmQOffset and cnmQDelta;\n"
    "                                              A is 802.1Q\n"
    "                       cnm.tolerate_long=0|1  an MSDU length above 64 means 64\n"
    "                       cnm.strict_version=0|1; l3qcn.cnm.signs and so on\n"
    "                       l3qcn.cnm.fixed_msdu=0|1, l3qcn.cnm.station=ADDRESS\n"
    "                       arn.bit_order=msb|lsb|auto  bit order of Para-Type\n"
    "                       arn.time_unit_ps=N     default 1000000\n"
    "                       arn.layout=any|padded|packed, arn.family=0|4|6,\n"
    "                       arn.priority=8021p|dscp|any, arn.versions=N,\n"
    "                       arn.tail_unknown=0|1   other choices of the drafts\n"
    "                       pfc.station=ADDRESS    a station that also takes PAUSE\n"
    "                       icrc.rule=auto|standard|masked|literal|stripped|none\n"
    "                                              how the ICRC covers IPv6 extension\n"
    "                                              headers\n"
    "                       reaction.NAME=VALUE    settings of the roles of --judge;\n"
    "                       srv6_pe.NAME=VALUE     --fields reaction_config and so on\n"
    "                       arn_gate.NAME=VALUE    list the names; srv6_pe is for\n"
    "                       l3qcn_tor.NAME=VALUE   end-con, l3qcn_tor for tor\n"
    "                       judge.peer=unknown|yes|no  whether QPs are connected to\n"
    "                                              the sources of CNPs\n"
    "                       judge.port=N           port on which frames arrive\n"
    "  -h, --help           print this text\n"
    "  --version            print the version\n"
    "\n"
    "Exit status: 0 done, 1 bad input or output, 2 usage.\n";

void help_print(FILE *out)
{
    fputs(options, out);
    fputs(options_more, out);
    fputs(config, out);
    fputs(config_more, out);
}

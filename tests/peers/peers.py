# SPDX-License-Identifier: BSD-2-Clause
import itertools
import struct
import sys
import zlib

# Members and their bits, in wire order; "_" is filled below.
HEADERS = {
    "ether": "dst:48 src:48 type:16",
    "vlan": "pcp:3 dei:1 vid:12 type:16",
    "ipv4": "_version:4 _ihl:4 dscp:6 ecn:2 total_length:16 identification:16 reserved:1"
            " df:1 mf:1 fragment_offset:13 ttl:8 protocol:8 header_checksum:16 src:32"
            " dst:32",
    "ipv6": "_version:4 dscp:6 ecn:2 flow_label:20 payload_length:16 next_header:8"
            " hop_limit:8 src:128 dst:128",
    "fragment": "next_header:8 reserved:8 fragment_offset:13 res:2 m:1"
                " identification:32",
    "srh": "next_header:8 _len:8 _type:8 segments_left:8 _last:8 flags:8 tag:16",
    "grh": "_version:4 t_class:8 flow_label:20 pay_len:16 nxt_hdr:8 hop_lmt:8 sgid:128"
           " dgid:128",
    "tcp": "src_port:16 dst_port:16 seq:32 ack:32 _offset:4 reserved:4 flags:8"
           " window:16 checksum:16 urgent_pointer:16",
    "udp": "src_port:16 dst_port:16 length:16 checksum:16",
    "bth": "opcode:8 solicited:1 migreq:1 pad:2 tver:4 pkey:16 fecn:1 becn:1 resv6:6"
           " dest_qp:24 ack_req:1 resv7:7 psn:24",
    "rdeth": "reserved:8 ee_context:24",
    "deth": "q_key:32 reserved:8 src_qp:24",
    "xrceth": "reserved:8 xrcsrq:24",
    "feth": "reserved:26 selectivity:2 placement:4",
    "reth": "va:64 r_key:32 dma_length:32",
    "atomiceth": "va:64 r_key:32 swap_or_add:64 compare:64",
    "aeth": "syndrome:8 msn:24",
    "atomicacketh": "original:64",
    "immdt": "data:32",
    "ieth": "r_key:32",
    "cnp": "reserved:128",
}

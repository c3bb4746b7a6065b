# SPDX-License-Identifier: BSD-2-Clause
"""packets.py: frames of RoCEv2, IOAM and INT, and the output of a congested switch, written from
the specifications. Checksums are scapy's, and the CRC is zlib's."""
import ipaddress
import struct
import zlib

from scapy.layers.inet import IP, UDP, in4_chksum
from scapy.layers.inet6 import IPv6, in6_chksum
from scapy.utils import checksum

SWITCH = "2001:db8::5"
MAC_A, MAC_B, MAC_S = (bytes.fromhex(x) for x in
                       ("02000000000a", "02000000000b", "020000000005"))
HBH, DSTOPTS, UDP_PROTO, ROCE, INT = 0, 60, 17, 4791, 5000
ONES = 0xffffffff


def bth(qp, psn, opcode=0x04, b4=0):  # RC SEND Only
    return struct.pack("!BBHIB", opcode, 0, 0xffff, b4 << 24 | qp, 0) + \
        psn.to_bytes(3, "big")


def sixteen(text):
    return ipaddress.ip_address(text).packed


def udp(src, dst, sport, dport, payload, summed):
    """Returns a UDP datagram, with scapy's checksum or none."""
    head = struct.pack("!HHHH", sport, dport, 8 + len(payload), 0)
    if not summed:
        return head + payload
    if ":" in src:
        s = in6_chksum(17, IPv6(src=src, dst=dst), head + payload)
    else:
        s = in4_chksum(17, IP(src=src, dst=dst), head + payload)
    return head[:6] + struct.pack("!H", s or 0xffff) + payload


def ip4(src, dst, ecn, upper, ttl=61):
    h = struct.pack("!BBHHHBBH", 0x45, 26 << 2 | ecn, 20 + len(upper), 7, 0x4000, ttl,
                    17, 0) + sixteen(src) + sixteen(dst)
    return h[:10] + struct.pack("!H", checksum(h)) + h[12:] + upper


def ip6(src, dst, ecn, upper, nh=17, hops=61, dscp=26, label=0x12345):
    return struct.pack("!IHBB", 6 << 28 | (dscp << 2 | ecn) << 20 | label, len(upper),
                       nh, hops) + sixteen(src) + sixteen(dst) + upper


def ether(packet, to=MAC_B, of=MAC_A):
    kind = b"\x08\x00" if packet[0] >> 4 == 4 else b"\x86\xdd"
    return to + of + kind + packet


def with_ce(frame):
    b = bytearray(frame)
    if b[14] >> 4 == 6:
        b[15] |= 0x30
        return bytes(b)
    b[15] |= 3
    b[24:26] = b"\0\0"
    b[24:26] = struct.pack("!H", checksum(bytes(b[14:34])))
    return bytes(b)


def trace(kind, remaining, nodes, flags=0):
    """Returns a Hop-by-Hop header with an IOAM trace of type 0xd20800. Nodes have 20 bytes."""
    data = struct.pack("!HHI", 123, 5 << 11 | flags << 7 | remaining, 0xd20800 << 8)
    data += (b"\0" * 4 * remaining if kind == 0 else b"") + b"".join(nodes)
    option = struct.pack("!BBBB", 0x31, 2 + len(data), 0, kind) + data
    lead = 2 if (4 + len(option)) % 8 == 0 else 6
    body = bytes([1, lead - 2]) + bytes(lead - 2) + option
    assert (2 + len(body)) % 8 == 0
    return bytes([17, (2 + len(body)) // 8 - 1]) + body


def ioam_node(hops, left, sent, now_ns, node=0xa05, ports=(3, 7)):
    return struct.pack("!IHHIII", hops << 24 | node, *ports, now_ns % 10**9, left,
                       sent & ONES)


def int_md(hops, nodes, flags=0):
    return struct.pack("!BBHBBBBHHI", 0x14, 3 + 6 * len(nodes), ROCE,
                       0x20 | flags, 0, 6, hops, 0xd500, 0, 0) + b"".join(nodes)


def int_node(left, now_ns, node=0xa05, ports=(3, 7)):
    return struct.pack("!IHHIQI", node, *ports, left & 0xffffff, now_ns, ONES)


def icrc(packet, at):
    """Returns the ICRC of IPv6 with UDP at `at`. It covers extension headers unchanged, because
    no option here may change on the way. The last four bytes are its own."""
    b = bytearray(packet)
    b[0:4] = b"\x6f\xff\xff\xff"
    b[7] = b[at + 6] = b[at + 7] = b[at + 12] = 0xff
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(b[:-4])))


def fast_cnp(frame, hbh=b""):
    """Returns the Fast CNP for a RoCEv2 frame over IPv6: draft 3 and 4, laboratory types, no UDP
    checksum, as RoCEv2 sends none."""
    at = 54 + len(hbh)
    src, dst = frame[22:38], frame[38:54]
    if hbh:  # form A: Reserved, IOAM-Opt-Type and the trace, as in the packet
        at_option = hbh.index(b"\x31")
        body = hbh[at_option + 2:at_option + 2 + hbh[at_option + 1]]
        # two bytes of padding align the trace to 4
        options = b"\x01\x00" + bytes([0x9f, len(body) + 16]) + body + dst
    else:
        options = bytes([0x9e, 16]) + dst
    tail = -(2 + len(options)) % 8
    if tail:
        options += bytes([1, tail - 2]) + bytes(tail - 2)
    ext = bytes([17, (2 + len(options)) // 8 - 1]) + options
    qp = int.from_bytes(frame[at + 13:at + 16], "big")
    sport = int.from_bytes(frame[at:at + 2], "big")
    to = str(ipaddress.ip_address(src))
    u = udp(SWITCH, to, sport, ROCE, bth(qp, 0, 0x81, 0x40) + bytes(16 + 4), False)
    packet = ip6(SWITCH, to, 0, ext + u, DSTOPTS, 64, 48, 0)
    packet = packet[:-4] + icrc(packet, 40 + len(ext))
    return ether(packet, frame[6:12], MAC_S)

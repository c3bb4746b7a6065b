# SPDX-License-Identifier: BSD-2-Clause
"""cases.py DIR: captures of single situations, mostly from public bug reports. Their
frames were made for this project."""
import pathlib, struct, sys, zlib

out = pathlib.Path(sys.argv[1])


def captured(path):
    data, found = pathlib.Path(path).read_bytes()[24:], []
    while data:
        n = struct.unpack("<I", data[8:12])[0]
        found, data = found + [data[16:16 + n]], data[16 + n:]
    return found


def pcap(name, frames, link=1):
    data = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, link)
    for i, f in enumerate(frames):
        data += struct.pack("<IIII", 1 + i, 5, len(f), len(f)) + f
    (out / name).write_bytes(data)


def hexes(text):
    return [bytes.fromhex(frame) for frame in text.split("\n\n")]


# The CNP of a ConnectX-4, over IPv4 without options.
cnp = captured("vectors/pcap/frame.pcap")[0]
assert cnp[12:14] == b"\x08\0" and cnp[42] == 0x81


def icrc(frame):
    """The frame with the ICRC that IBTA A17.3.3 gives it: what routers may change
    counts as ones. RoCEv2 over IPv4 without options in Ethernet."""
    covered = bytearray(b"\xff" * 8 + frame[14:-4])
    for at in (1, 8, 10, 11, 26, 27, 32):  # TOS, TTL, two checksums, the BTH's byte 4
        covered[8 + at] = 0xff
    return frame[:-4] + struct.pack("<I", zlib.crc32(bytes(covered)))


assert icrc(cnp) == cnp

# linux-rdma 2024-06-24, rxe "Don't set BTH_ACK_MASK for UC or UD QPs": AckReq in UD and
# UC. Then what may have AckReq or Solicited Event, and what may not.
ackreq = hexes("""
02000000000202000000000108004502003c000040004011b6abc0000201c0000202c00012b7002800006440
ffff000000018000000380010000000000010000000000000000fea85010

020000000002020000000001080045020034000040004011b6b3c0000201c0000202c00012b7002000002440
ffff00000017800000030000000000000000d53cdfb7
""")
pcap("ackreq.pcap", ackreq)
uc = ackreq[1]  # its BTH is at 42, and 8 bytes of payload follow


def asks(opcode, solicited, ack):
    return icrc(uc[:42] + bytes([opcode, solicited << 7 | 0x40]) + uc[44:50] +
                bytes([ack << 7]) + uc[51:])


# RC SEND Only, Middle, RDMA WRITE Last, with immediate, READ response Middle; UC SEND
# Only; a CNP's BTH is odd in its own words.
pcap("asks.pcap", [asks(op, s, a) for op in (0x04, 0x01, 0x08, 0x09, 0x0e, 0x24)
                   for s, a in ((0, 0), (1, 0), (0, 1))] +
     [icrc(cnp[:50] + b"\x80" + cnp[51:])])

# RFC 9326 and RFC 9197: direct export, edge to edge and a trace of the incremental kind
# in Hop-by-Hop Options. Edge to edge has bit 0 of its type, and 4 bytes of the 8 that
# RFC 9197, 4.6, wants.
ioam = hexes("""
02000000000202000000000186dd602000000048004020010db800000000000000000000000120010db80000
000000000000000000021102010011120004000100c0c00000000000abcd00000001c00012b7003000000a40
ffff0000001700000001000000000000100000000077000000080000000000000000d7cd6eeb

02000000000202000000000186dd602000000040004020010db800000000000000000000000120010db80000
0000000000000000000211010100110a00030001800000000007c00012b7003000000a40ffff000000170000
0001000000000000100000000077000000080000000000000000d7cd6eeb

02000000000202000000000186dd602000000048004020010db800000000000000000000000120010db80000
00000000000000000002110201003112000100011006c00000004000000100010002c00012b7003000000a40
ffff0000001700000001000000000000100000000077000000080000000000000000d7cd6eeb
""")


def options(bytes_, kind=0):
    """Frame 2 with these options, a multiple of 8 bytes with 2 more; no ICRC covers it."""
    head = bytes([17, len(bytes_) // 8]) + bytes_
    frame = ioam[1][:54] + head + ioam[1][70:]
    return frame[:18] + struct.pack(">H", len(frame) - 54) + bytes([kind]) + frame[21:]


# As above with 8 bytes; proof of transit, of type 0, in 0x31 and then of type 9;
# direct export in Destination Options; nine options; what is not IOAM's.
e2e = bytes.fromhex("0100110e0003000180000000000100000007") + bytes(4)
pot = (bytes.fromhex("010031160002007b00000123456789abcdef00000000000000050100") +
       bytes.fromhex("3106000200010900") + bytes(2))
pot += bytes(-(len(pot) + 2) % 8)
dex = bytes.fromhex("0100110a00040001000080000100")
nine = bytes(2) + 9 * bytes.fromhex("1106000300010000") + bytes(4)
pcap("ioam.pcap", ioam + [options(e2e), options(pot), options(dex, 60), options(nine),
                          options(bytes.fromhex("0100110200ff") + bytes(8))])

# Where the walk ends at a number that it does not know: EtherTypes, IP protocols, UDP
# ports. The last two are of an answer, and of no name.
def typed(number):
    return cnp[:12] + struct.pack(">H", number) + cnp[14:]


pcap("types.pcap", [typed(n) for n in (
    0x88e5, 0x8926, 0x893f, 0xd28b, 0x0806, 0x88cc, 0x88f7, 0x8808, 0x1234,
    0x003c)] +
    [cnp[:12] + b"\x81\0\0\7" + typed(0x88e5)[12:], typed(0x1234)[:14]])
pcap("protocols.pcap", [cnp[:23] + bytes([p]) + cnp[24:] for p in (1, 89, 50, 132, 200)])
pcap("protocols6.pcap", [ioam[0][:20] + bytes([p]) + ioam[0][21:] for p in (50, 89, 59, 200)])
pcap("ports.pcap", [cnp[:34] + struct.pack(">HH", s, d) + cnp[38:] for s, d in (
    (9999, 4755), (9999, 53), (123, 9999), (9999, 9998))])

# Link types as tcpdump.org/linktypes describes them: a switch's tag between the addresses
# and the type, or before them; NFLOG, whose TLVs are of either order. 9 is the payload.
def nflog(order, family=2, version=0, tlvs=((1, 4), (10, 6)), payload=9):
    data = struct.pack(">BBH", family, version, 7)
    for kind, n in tlvs:
        data += struct.pack(order + "HH", 4 + n, kind) + bytes(n) + bytes(-n % 4)
    return data + struct.pack(order + "HH", 4 + len(cnp) - 14, payload) + cnp[14:] + bytes(2)


tagged = cnp[:12] + b"\x40\0\0\0" + cnp[12:]
edsa = cnp[:12] + b"\xda\xda\0\0\x40\0\0\0" + cnp[12:]
links = {"brcm": (281, cnp[:12] + b"\x20\0\0\1" + cnp[12:], 18),
         "prepend": (282, b"\x20\0\0\1" + cnp, 4), "dsa": (284, tagged, 18),
         "edsa": (285, edsa, 22), "nflog": (239, nflog("<"), 28),
         "nflog-big": (239, nflog(">"), 28)}
for name, (link, frame, header) in links.items():
    pcap(name + ".pcap", [frame, frame], link)
    pcap(name + "-cut.pcap", [frame[:i] for i in range(header)], link)
pcap("dsa-vlan.pcap", [tagged[:16] + b"\x81\0\0\7" + tagged[16:]], 284)
pcap("nflog-bad.pcap", [nflog("<", 7), nflog("<", 2, 1), nflog("<", payload=8),
                        b"\2\0\0\7\3\0\1\0" + cnp], 239)

# Length fields of 0, behind VLAN tags, too; a jumbogram's, and a header without a
# payload; then the capture ends inside.
zero = cnp[:16] + bytes(2) + cnp[18:]
zero6 = ioam[0][:18] + bytes(2) + b"\x11" + ioam[0][21:54] + ioam[0][78:]
pcap("offload.pcap", [zero, zero6, zero[:12] + b"\x81\0\0\7" + zero[12:], zero[:60],
                      ioam[0][:18] + bytes(2) + ioam[0][20:],
                      zero6[:20] + b"\x3b" + zero6[21:54], zero[:30]])

# Opcodes of which the library knows no more than the BTH, with the right ICRC. The last
# one has a wrong ICRC.
unknown = [icrc(cnp[:42] + bytes([op]) + cnp[43:])
           for op in (0xc0, 0xd1, 0xff, 0x18, 0x44)]
pcap("opcodes.pcap", unknown + [unknown[0][:-1] + bytes([unknown[0][-1] ^ 1])])

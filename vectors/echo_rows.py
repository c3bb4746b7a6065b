# SPDX-License-Identifier: BSD-2-Clause
"""
Composes the rows of echo.vec from fields: data packets with telemetry, the ACKs that return
it, and the results at the sender. The layout of the echo is rocecc's own, from the figure in
wire/echo.h. The rest follows RFC 8200, 9197 and 9486, draft-kumar-ippm-ifa, INT 2.1,
draft-ravi-ippm-csig and IBTA volume 1.

echo_rows.py          writes echo.vec next to this file, always the same
echo_rows.py --check  compares echo.vec instead
"""
import pathlib
import struct
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
MACS = bytes.fromhex("020000000001020000000002")
HERE6, THERE6 = bytes.fromhex("20010db8" + "00" * 11 + "0a"), bytes.fromhex(
    "20010db8" + "00" * 11 + "0b")
IOAM, IFA, INTMD, CSIG = "ioam", "ifa", "intmd", "csig"
FORMATS = [IOAM, IFA, INTMD, CSIG]
MOST = 160  # roce.echo_bytes by default


# ---- Records, from their fields -------------------------------------------------------

def trace(kind, space, trace_type, free, nodes, flags=0, remaining=None):
    """Builds an option with items of one word, from its type on (RFC 9486, 3; 9197, 4.4.1)."""
    length = bin(trace_type >> 2).count("1")
    data = struct.pack(">HHI", space,
                       length << 11 | flags << 7 | (free if remaining is None else remaining),
                       trace_type << 8) + bytes(4 * free) + b"".join(nodes)
    return bytes([0x31, 2 + len(data), 0, kind]) + data


def header(next_header, option):
    """Builds Hop-by-Hop options with PadN, the option at 4n, and padding to 8n (RFC 8200, 4.2)."""
    out = bytes([next_header, 0, 1, 0]) + option
    pad = -len(out) % 8
    out += bytes([1, pad - 2]) + bytes(pad - 2) if pad > 1 else bytes(pad)
    return out[:1] + bytes([len(out) // 8 - 1]) + out[2:]


def ioam_node(hop_limit, node, ingress, egress, frac, depth, tx):
    return struct.pack(">IHHIII", hop_limit << 24 | node, ingress, egress, frac, depth, tx)


IOAM_NODES = [  # in wire order, the last of the path first
    ioam_node(62, 0x000b02, 3, 4, 200_000_100, 7, 0x80000000),
    ioam_node(63, 0x000b01, 1, 2, 200_000_000, 0, 0xfffffff0)]
IOAM_HOPS = [dict(id=0xb01 << 32 | 2, ts_ns=200_000_000, tx_bytes=0xfffffff0, queue_bytes=0),
             dict(id=0xb02 << 32 | 4, ts_ns=200_000_100, tx_bytes=0x80000000,
                  queue_bytes=7 * 80)]
for h in IOAM_HOPS:
    h["valid"] = "id+queue+tx+ts"


def option(nodes=IOAM_NODES, free=0, space=0, kind=0, flags=0, **more):
    """Builds a whole option with its first 4 bytes, the trace header, free words and nodes."""
    return trace(kind, space, 0xd20800, free, nodes, flags, **more)


ODD = bytes([0x31, 11]) + option(nodes=[])[2:] + b"\0"  # a byte follows instead of a word


def ifa_b(device, ingress, egress, ns, tx, queue):
    """Builds a record of layout B (LNS 2)."""
    return struct.pack(">IBBBB", 2 << 28 | device, 2 << 5, tx >> 32, 63, 0) + bytes(6) + \
        struct.pack(">IIHHHI", ns, ns, queue, ingress, egress, tx & 0xffffffff)


def ifa_a(device, speed):
    """Builds the draft's example of layout A (LNS 1), with another Speed."""
    return struct.pack(">IIHHIIIHHI", 1 << 28 | device << 8 | 63, speed << 28 | 3 << 20 | 0x12345,
                       102, 101, 999_998_000, 1000, 0xfffff000, 0, 64, 0x1f400)


IFA_NODES = [ifa_b(0xc02, 5, 6, 999_999_999, 0xff_00000001, 65535),
             ifa_b(0xc01, 7, 8, 5, 6, 1)]
IFA_HOPS = [dict(id=0xc01 << 32 | 8, ts_ns=5, tx_bytes=6, queue_bytes=80),
            dict(id=0xc02 << 32 | 6, ts_ns=999_999_999, tx_bytes=1, queue_bytes=65535 * 80)]
for h in IFA_HOPS:
    h["valid"] = "id+queue+tx+ts"


def ifa(nodes=IFA_NODES, most=248, hops=8, udp_length=32, flags=0x04, version=2, extra=b""):
    """Builds the IFA, UDP and metadata headers, `extra` as `flags` announces it, and the stack."""
    stack = b"".join(nodes)
    return (struct.pack(">BBBB", version << 4 | 15, 17, flags, most) +
            struct.pack(">HHHH", 0xc001, 4791, udp_length, 0) +
            struct.pack(">BBBB", 0xff, 0, hops, len(stack) // 4) + extra + stack)


def int_node(node, ingress, egress, queue, depth, time, busy):
    return struct.pack(">IHHIQI", node, ingress, egress, queue << 24 | depth, time, busy)


INT_NODES = [int_node(0xd02, 9, 10, 3, 0x123456, 2**40, 10000),
             int_node(0xd01, 11, 12, 0, 2, 7, 2500)]
INT_HOPS = [dict(id=0xd01 << 32 | 12, ts_ns=7, queue_bytes=160, util_q20=2**20 // 4),
            dict(id=0xd02 << 32 | 10, ts_ns=2**40, queue_bytes=0x123456 * 80,
                 util_q20=2**20)]
for h in INT_HOPS:
    h["valid"] = "id+queue+ts+util"


def intmd(nodes=INT_NODES, hop_ml=6, left=6, ver=2, flags=0, ds=0, asked=0):
    return (struct.pack(">HBBHHHH", ver << 12 | flags, hop_ml, left, 0xd500, ds, asked, 0) +
            b"".join(nodes))


TAG = bytes.fromhex("99002b85")          # type 1, bucket 23, locator 5
WIDE = bytes.fromhex("9901012310000700")  # locator 0x123, type 1, bucket 7
TAG_SAYS = ["tag.tpid=0x9900", "tag.type=1", "tag.value=23", "tag.locator=5"]
WIDE_SAYS = ["tag.tpid=0x9901", "tag.wide=1", "tag.type=1", "tag.value=7",
             "tag.locator=0x123"]
RECORDS = {IOAM: option(), IFA: ifa(), INTMD: intmd(), CSIG: WIDE}
HOPS = {IOAM: IOAM_HOPS, IFA: IFA_HOPS, INTMD: INT_HOPS}


LIES = [  # invalid records
    ("option-type", IOAM, b"\x11" + option()[1:]),
    ("option-length", IOAM, option()[:1] + bytes([option()[1] - 4]) + option()[2:]),
    ("option-long", IOAM, option()[:1] + bytes([option()[1] + 1]) + option()[2:]),
    ("option-pad", IOAM, bytes(8)),
    ("option-kind", IOAM, option()[:3] + b"\4" + option()[4:]),
    ("option-word", IOAM, b"\x31\2\0\0"),
    ("node-len", IOAM, option()[:6] + bytes([option()[6] + 8]) + option()[7:]),
    ("remaining", IOAM, option()[:7] + b"\x0b" + option()[8:]),
    ("whole-nodes", IOAM, option(nodes=[IOAM_NODES[0] + bytes(4)])),
    ("ifa-max", IFA, ifa(most=8)),
    ("ifa-stack", IFA, ifa()[:-32]),
    ("ifa-after", IFA, ifa() + bytes(4)),
    ("ifa-words", IFA, ifa(nodes=[bytes(28)])),
    ("ifa-tiny", IFA, ifa()[:8]),
    ("ifa-udp", IFA, ifa(udp_length=7)),
    ("int-tiny", INTMD, intmd()[:8]),
    ("int-hop-ml", INTMD, intmd(hop_ml=5)),
    ("int-hop-ml-0", INTMD, intmd(hop_ml=0)),
    ("int-nodes", INTMD, intmd()[:-4]),
    ("option-after", IOAM, option() + bytes(4))]


def echo(form, record=b"", truncated=0, version=1, resv=0, length=None, psn=None):
    """Builds an echo. `form` is a name or 4 bits, `length` counts words, and `psn` is a READ
    response's PSN with the 8 bits before it."""
    code = FORMATS.index(form) if form in FORMATS else form
    if length is None:
        length = len(record) // 4
    read = psn is not None
    return struct.pack(">BHB", version << 4 | code, truncated << 15 | read << 14 | resv,
                       length) + (struct.pack(">I", psn) if read else b"") + record


# ---- Packets, from their fields -------------------------------------------------------

def bth(opcode, qp=0xabcd, psn=7, pad=0):
    return struct.pack(">BBHII", opcode, 0x40 | pad << 4, 0xffff, qp, psn)


def ipv6(proto, upper, tag=b""):
    return MACS + tag + b"\x86\xdd" + struct.pack(">IHBB", 0x60000000, len(upper), proto,
                                                  63) + HERE6 + THERE6 + upper


def udp(data, dport=4791, length=None):
    return struct.pack(">HHHH", 0xc001, dport, length or 8 + len(data), 0) + data


def body(opcode=0x04, ext=b"", payload=b"rocecc!!", **more):
    return bth(opcode, **more) + ext + payload + bytes(4)


def with_ioam(record, opcode=0x04, tag=b""):
    return ipv6(0, header(17, record) + udp(body(opcode)), tag)


def with_ifa(record=None, **more):
    """Builds a packet whose UDP Length does not include IFA: 8 + 12 + 8 + 4."""
    return ipv6(253, (record or ifa(**more)) + body())


def with_int(record, kind=1):
    shim = struct.pack(">BBH", kind << 4 | 1 << 2, len(record) // 4, 4791)
    return ipv6(17, udp(shim + record + body(), 5000))


def plain(opcode=0x04, tag=b"", **more):
    return ipv6(17, udp(body(opcode, **more)), tag)


DATA = {IOAM: with_ioam(option()), IFA: with_ifa(), INTMD: with_int(intmd()),
        CSIG: plain(tag=WIDE)}


def ack(after=b"", opcode=0x11, aeth=b"\x1f\0\0\x09", **more):
    return ipv6(17, udp(bth(opcode, **more) + aeth + after + bytes(4)))


# ---- Rows -----------------------------------------------------------------------------

def says(form, record=b"", truncated=0, resv=0, length=None, psn=None):
    values = ["version=1"]
    if form != IOAM:
        values.append(f"format={form}")
    if truncated:
        values.append("truncated=1")
    if psn is not None:
        values.append("read_response=1")
        values += [f"{k}={v}" for k, v in (("psn_resv", psn >> 24), ("psn", psn & 0xffffff))
                   if v]
    if resv:
        values.append(f"resv={resv}")
    values.append(f"length={len(record) // 4 if length is None else length}")
    if record:
        values.append(f"record={record.hex()}")
    return values


def codec():
    for form in FORMATS:
        record = RECORDS[form]
        yield form, "echo ok", echo(form, record), says(form, record)
        yield (f"{form}-truncated", "echo ok", echo(form, b"", 1, length=39),
               says(form, b"", 1, length=39))
    for name, form, record in LIES:  # the echo codec does not check records
        yield f"lie-{name}", "echo ok", echo(form, record), says(form, record)
    any4 = bytes.fromhex("deadbeef")
    yield "tag", "echo ok", echo(CSIG, TAG), says(CSIG, TAG)
    yield "one-word", "echo ok", echo(IOAM, any4), says(IOAM, any4)
    yield ("resv", "echo ok", echo(INTMD, any4, resv=0x3fff),
           says(INTMD, any4, resv=0x3fff))
    yield ("resv-high", "echo ok", echo(INTMD, any4, resv=0x2000),
           says(INTMD, any4, resv=0x2000))
    yield ("resv-truncated", "echo ok", echo(IFA, b"", 1, resv=0x3fff, length=255),
           says(IFA, b"", 1, resv=0x3fff, length=255))
    for psn in (0, 0x830, 0xffffff, 0xff000000, 0xffffffff):
        yield (f"read-{psn:x}", "echo ok", echo(CSIG, TAG, psn=psn),
               says(CSIG, TAG, psn=psn))
    yield ("read-truncated", "echo ok", echo(IFA, b"", 1, length=250, psn=9),
           says(IFA, b"", 1, length=250, psn=9))
    longest = bytes(i * 7 & 0xff for i in range(1020))
    yield "longest", "echo ok", echo(CSIG, longest), says(CSIG, longest)
    for v in (0, 2, 3, 8, 15):
        yield f"version-{v}", "echo unsupported", echo(IOAM, any4, version=v), []
    for f in (4, 7, 8, 15):
        yield f"format-{f}", "echo unsupported", echo(f, any4), []
    yield "version-before-length", "echo unsupported", echo(IOAM, version=2), []
    for t in (0, 1):
        yield f"length-0-{t}", "echo format", echo(CSIG, b"", t), []
    yield "zeros", "echo unsupported", bytes(8), []
    for n in range(4):
        yield f"short-{n}", "echo short", echo(CSIG, TAG)[:n], []
    for n in range(4, 12):
        yield f"short-read-{n}", "echo short", echo(CSIG, TAG, psn=9)[:n], []
    yield "short-read-truncated", "echo short", echo(CSIG, b"", 1, length=1, psn=9)[:7], []
    yield "short-record", "echo short", echo(CSIG, TAG)[:7], []
    yield "short-longest", "echo short", echo(CSIG, longest)[:-1], []
    for name, values in (("version-0", "length=1 record=00000000"),
                         ("version-2", "version=2 length=1 record=00000000"),
                         ("version-17", "version=17 length=1 record=00000000"),
                         ("resv", "version=1 resv=16384 length=1 record=00000000"),
                         ("psn", "version=1 read_response=1 psn=16777216 length=1 record=00000000"),
                         ("psn-not-read", "version=1 psn=1 length=1 record=00000000"),
                         ("psn-resv-not-read",
                          "version=1 psn_resv=1 length=1 record=00000000"),
                         ("length-0", "version=1"),
                         ("length-0-truncated", "version=1 truncated=1"),
                         ("record-short", "version=1 length=2 record=00000000"),
                         ("record-long", "version=1 length=1 record=0000000000000000"),
                         ("record-odd", "version=1 length=1 record=0000000000"),
                         ("record-none", "version=1 length=1"),
                         ("record-truncated",
                          "version=1 truncated=1 length=1 record=00000000")):
        yield f"range-{name}", "echo range", b"", values.split()


def of():
    """Yields the echo of data packets. `most` is the domain's echo_bytes."""
    def row(name, status, data, fields=(), most=MOST):
        return name, f"call echo_extract {status}", data, [f"echo_bytes={most}", "->", *fields]
    for form in FORMATS:
        record, n = RECORDS[form], 4 + len(RECORDS[form])
        yield row(f"of-{form}", "ok", DATA[form], says(form, record))
        yield row(f"of-{form}-fits", "ok", DATA[form], says(form, record), n)
        yield row(f"of-{form}-less", "ok", DATA[form],
                  says(form, b"", 1, length=len(record) // 4), n - 1)
        yield row(f"of-{form}-off", "no_match", DATA[form], most=0)
    for opcode in (0x0d, 0x0e, 0x0f, 0x10, 0xad, 0xae, 0xaf, 0xb0):
        yield row(f"of-read-{opcode:02x}", "ok", plain(opcode, tag=TAG, psn=0xfffffe),
                  says(CSIG, TAG, psn=0xfffffe))
    read = plain(0x0e, tag=TAG)
    yield row("of-read-fits", "ok", read, says(CSIG, TAG, psn=7), 12)
    yield row("of-read-less", "ok", read, says(CSIG, b"", 1, length=1, psn=7), 11)
    for opcode in (0x0c, 0x11, 0x2d, 0x4d, 0x8d):
        yield row(f"of-no-read-{opcode:02x}", "ok", plain(opcode, tag=TAG), says(CSIG, TAG))
    yield row("of-tag", "ok", plain(tag=TAG), says(CSIG, TAG))
    yield row("of-least", "ok", plain(tag=TAG), says(CSIG, TAG), 8)
    free = option(free=15)
    yield row("of-free", "ok", with_ioam(free), says(IOAM, free))
    full = option(flags=8)
    yield row("of-overflow", "ok", with_ioam(full), says(IOAM, full))
    grows = option(kind=1, remaining=10)
    yield row("of-incremental", "ok", with_ioam(grows), says(IOAM, grows))
    none = option(nodes=[])
    yield row("of-no-node", "ok", with_ioam(none), says(IOAM, none))
    yield row("of-namespace", "no_match", with_ioam(option(space=1)))
    yield row("of-odd", "format", with_ioam(ODD))
    yield row("of-ioam-and-tag", "ok", with_ioam(option(), tag=TAG), says(IOAM, option()))
    for name, record in (("checksum", ifa(flags=0x05, extra=bytes(4))),
                         ("fragment", ifa(flags=0x14, extra=bytes(4))),
                         ("empty", ifa(nodes=[]))):
        yield row(f"of-ifa-{name}", "ok", with_ifa(record), says(IFA, record))
    yield row("of-ifa-lns", "unsupported", with_ifa(nodes=[b"\x30" + bytes(31)]))
    yield row("of-ifa-version", "no_match", with_ifa(version=3))  # the walk finds no BTH
    yield row("of-int-mx", "no_match", with_int(intmd(), kind=3))
    yield row("of-int-empty", "ok", with_int(intmd(nodes=[])), says(INTMD, intmd(nodes=[])))
    yield row("of-none", "no_match", plain())
    for cut in (1, 11, 12):
        yield row(f"of-cut-{cut}", "ok", DATA[IOAM][:-cut], says(IOAM, option()))
    yield row("of-no-bth", "no_match", DATA[CSIG][:-17])


def find():
    def row(name, status, data, fields=(), most=MOST):
        return name, f"call echo_find {status}", data, [f"echo_bytes={most}", "->", *fields]
    for form in FORMATS:
        record = RECORDS[form]
        n = 4 + len(record)
        yield row(f"find-{form}", "ok", ack(echo(form, record)), says(form, record))
        yield row(f"find-{form}-fits", "ok", ack(echo(form, record)), says(form, record), n)
        yield row(f"find-{form}-long", "unsupported", ack(echo(form, record)), most=n - 1)
        yield row(f"find-{form}-off", "no_match", ack(echo(form, record)), most=0)
        yield row(f"find-{form}-xrc", "ok", ack(echo(form, record), 0xb1),
                  says(form, record))
        yield row(f"find-{form}-read", "ok", ack(echo(form, record, psn=0x830)),
                  says(form, record, psn=0x830))
        yield row(f"find-{form}-read-long", "unsupported", ack(echo(form, record, psn=0x830)),
                  most=n + 3)
    tag = echo(CSIG, TAG)
    yield row("find-nak", "ok", ack(tag, aeth=b"\x60\0\0\x09"), says(CSIG, TAG))
    yield row("find-truncated", "ok", ack(echo(IFA, b"", 1, length=250)),
              says(IFA, b"", 1, length=250))
    yield row("find-none", "no_match", ack())
    for opcode in (0x04, 0x0d, 0x0f, 0x10, 0x12, 0x51, 0x81, 0x31, 0x71, 0x91):
        yield row(f"find-opcode-{opcode:02x}", "no_match", ack(tag, opcode))
    yield row("find-no-aeth", "format", ack(aeth=b""))
    for pad in (1, 2, 3):
        yield row(f"find-pad-{pad}", "format", ack(tag, pad=pad))
    yield row("find-more", "format", ack(tag + bytes(4)))
    yield row("find-less", "format", ack(echo(CSIG, TAG, length=2)))
    yield row("find-odd", "format", ack(tag + b"\0"))
    yield row("find-tiny", "format", ack(tag[:2]))
    yield row("find-truncated-more", "format", ack(echo(CSIG, TAG, 1)))
    yield row("find-version", "unsupported", ack(echo(CSIG, TAG, version=2)))
    yield row("find-version-long", "unsupported", ack(echo(CSIG, TAG, version=2) + TAG))
    yield row("find-format", "unsupported", ack(echo(4, TAG)))
    yield row("find-lsn", "format", ack(bytes.fromhex("1280000200000830")))
    yield row("find-cut-icrc", "ok", ack(tag)[:-4], says(CSIG, TAG))
    for cut in (5, 9, 12, 15):
        yield row(f"find-cut-{cut}", "short", ack(tag)[:-cut])


def receive():
    def row(name, verdict, data, wrote=b"", most=MOST, room=1024):
        fields = ([] if verdict == "none" else [f"verdict={verdict}"]) + \
            ([f"wrote={wrote.hex()}"] if wrote else [])
        return (name, "call echo_receiver_step ok", data,
                [f"echo_bytes={most}", f"room={room}", "->", *fields])
    for form in FORMATS:
        back = echo(form, RECORDS[form])
        n = len(back)
        yield row(f"r-{form}", "written", DATA[form], back)
        yield row(f"r-{form}-room", "written", DATA[form], back, room=n)
        yield row(f"r-{form}-no-room", "no_space", DATA[form], room=n - 1)
        short = echo(form, b"", 1, length=len(RECORDS[form]) // 4)
        yield row(f"r-{form}-truncated", "truncated", DATA[form], short, most=n - 1)
        yield row(f"r-{form}-truncated-room", "no_space", DATA[form], most=n - 1, room=3)
        yield row(f"r-{form}-off", "none", DATA[form], most=0)
    yield row("r-none", "none", plain())
    for opcode in range(256):
        if opcode & 0x1f in (0, 3, 11, 12, 13, 14, 15, 16, 17, 18, 19, 23, 29):
            acked = opcode >> 5 in (0, 5) and opcode & 0x1f not in (17, 18)
            read = acked and 13 <= (opcode & 0x1f) <= 16
            yield row(f"r-opcode-{opcode:02x}", "written" if acked else "none",
                      plain(opcode, tag=TAG, psn=0x10203),
                      echo(CSIG, TAG, psn=0x10203 if read else None) if acked else b"")
    yield row("r-read-room", "written", plain(0x0e, tag=TAG), echo(CSIG, TAG, psn=7), room=12)
    yield row("r-read-no-room", "no_space", plain(0x0e, tag=TAG), room=11)
    yield row("r-read-truncated", "truncated", plain(0x0e, tag=TAG),
              echo(CSIG, b"", 1, length=1, psn=7), most=11)
    yield row("r-broken-ioam", "broken", with_ioam(ODD))
    yield row("r-broken-ifa", "broken", with_ifa(nodes=[b"\x30" + bytes(31)]))


def send():
    def row(name, verdict, data, fields=(), form=IOAM, most=MOST, psn=7, **e):
        e = {"qp": 0xabcd, "first_psn": 7, "n_psns": 1, "max_hops": 4, **e}
        asked = [] if form == IOAM else [f"format={form}"]
        return (name, "call echo_sender_step ok", data,
                [f"echo_bytes={most}", *(f"{k}={v}" for k, v in e.items()), *asked, "->",
                 *([] if verdict == "none" else [f"verdict={verdict}"]),
                 *([] if verdict in ("none", "stray") else [f"psn={psn}"]), *fields])

    def heard(form, hops=None, complete="yes", record=None):
        hops = HOPS[form] if hops is None else hops
        words = len(RECORDS[form] if record is None else record) // 4
        return ([f"length={words}", f"n={len(hops)}"] + ([f"complete={complete}"] if complete != "no" else []) +
                [f"hops[{i}].{k}={v}" for i, hop in enumerate(hops)
                 for k, v in hop.items() if v])

    for form in (IOAM, IFA, INTMD):
        back = ack(echo(form, RECORDS[form]))
        words = len(RECORDS[form]) // 4
        yield row(f"s-{form}", "hops", back, heard(form), form)
        yield row(f"s-{form}-room", "hops", back, heard(form), form, max_hops=2)
        yield row(f"s-{form}-many", "too_many_hops", back, [f"length={words}"], form, max_hops=1)
        yield row(f"s-{form}-off", "none", back, [], form, most=0)
        yield row(f"s-{form}-long", "unknown_format", back, [], form, most=RECORDS[form] and 40)
        for other in FORMATS:
            if other != form:
                yield row(f"s-{form}-for-{other}", "other_format", back, [f"length={words}"], other)
        yield row(f"s-{form}-truncated", "truncated", ack(echo(form, b"", 1, length=99)),
                  ["length=99"], form)
    for name, tag, told in (("csig", TAG, TAG_SAYS), ("csig-wide", WIDE, WIDE_SAYS)):
        yield row(f"s-{name}", "tag", ack(echo(CSIG, tag)),
                  [f"length={len(tag) // 4}", *told], CSIG)
    yield row("s-csig-truncated", "truncated", ack(echo(CSIG, b"", 1, length=2)),
              ["length=2"], CSIG)
    yield row("s-csig-tpid", "other_format", ack(echo(CSIG, b"\x99\x02\x2b\x85")), ["length=1"],
              CSIG)
    for n, tag in ((8, TAG + bytes(4)), (4, WIDE[:4])):
        yield row(f"s-csig-{n}", "broken", ack(echo(CSIG, tag)), [f"length={n // 4}"], CSIG)

    # "no" if a node added no record (O, E, M), "unknown" if a node may have added none.
    for name, form, record, complete in (
            ("overflow", IOAM, option(flags=8), "no"),
            ("e", INTMD, intmd(flags=0x400), "no"),
            ("m", INTMD, intmd(flags=0x200), "no"),
            # A node that does not know the Domain Specific ID may skip INT (INT 2.1, 5.8).
            ("ds-id", INTMD, intmd(ds=1), "unknown"),
            ("ds-instruction", INTMD, intmd(asked=0x8000), "unknown"),
            ("hop-limit", IFA, ifa(hops=0), "unknown"),
            ("max-length", IFA, ifa(most=16), "unknown")):
        yield row(f"s-{name}", "hops", ack(echo(form, record)),
                  heard(form, complete=complete, record=record), form)
    # IFA layout A has no Speed 7 or 15. The rate is not reported, even if one is configured.
    for code in (4, 7, 15):
        record = ifa(nodes=[ifa_a(0xa01, code)])
        hop = dict(id=0xa01 << 32 | 102, ts_ns=74565 * 10**9 + 999_999_000, tx_bytes=0xfffff000,
                   queue_bytes=64 * 80, valid="id+queue+tx+ts")
        if code == 4:
            hop.update(rate_bps=100 * 10**9, valid="id+rate+queue+tx+ts")
        yield row(f"s-ifa-speed-{code}", "hops", ack(echo(IFA, record)),
                  heard(IFA, [hop], record=record), IFA)
    free = option(free=15)
    yield row("s-free", "hops", ack(echo(IOAM, free)), heard(IOAM, record=free))
    grows = option(kind=1, remaining=10)
    yield row("s-incremental", "hops", ack(echo(IOAM, grows)), heard(IOAM, record=grows))
    none = option(nodes=[])
    yield row("s-no-node", "hops", ack(echo(IOAM, none)), heard(IOAM, [], record=none))
    back = ack(echo(IOAM, option(space=1)))
    yield row("s-namespace", "other_format", back, ["length=13"])

    # An ACK with a wrong QP or PSN is stray.
    back = ack(echo(CSIG, TAG), psn=2)
    told = ["length=1", *TAG_SAYS]
    yield row("s-qp", "stray", back, ["length=1"], CSIG, first_psn=2, qp=0xabce)
    yield row("s-qp-wide", "stray", back, ["length=1"], CSIG, first_psn=2, qp=0x100abcd)
    for name, first, n, in_flight in (
            ("one", 2, 1, 1), ("none", 2, 0, 0), ("last", 0, 3, 1), ("after", 0, 2, 0),
            ("before", 3, 9, 0), ("wrapped", 0xfffffe, 5, 1), ("wrapped-after", 0xfffffe, 4, 0),
            ("all", 3, 1 << 24, 1), ("all-but", 3, 0xffffff, 0)):
        yield row(f"s-psn-{name}", "tag" if in_flight else "stray", back,
                  told if in_flight else ["length=1"], CSIG, psn=2, first_psn=first, n_psns=n)
        # The echo has the PSN of the READ response. The ACK's own PSN is an older one.
        yield row(f"s-read-{name}", "tag" if in_flight else "stray",
                  ack(echo(CSIG, TAG, psn=0xff000002), psn=6),
                  ["read_response=1", *(told if in_flight else ["length=1"])], CSIG, psn=2,
                  first_read_psn=first, n_read_psns=n)
    yield row("s-read-qp", "stray", ack(echo(CSIG, TAG, psn=2), psn=2),
              ["length=1", "read_response=1"], CSIG, qp=0xabce, first_read_psn=2,
              n_read_psns=1)
    yield row("s-read-truncated", "truncated", ack(echo(IOAM, b"", 1, length=99, psn=2)),
              ["length=99", "read_response=1"], psn=2, first_read_psn=2, n_read_psns=1)
    yield row("s-no-read", "stray", back, ["length=1"], CSIG, first_read_psn=2, n_read_psns=9)
    resv = bytearray(back)
    resv[14 + 40 + 8 + 4] = resv[14 + 40 + 8 + 8] = 0xff  # F, B, Resv6; A, Resv7
    yield row("s-resv", "tag", bytes(resv), told, CSIG, psn=2, first_psn=2)
    broken = ack(echo(CSIG, TAG) + bytes(4), psn=2)
    yield row("s-stray-first", "stray", broken, [], CSIG, first_psn=3)

    # Invalid records from a misbehaving peer.
    for name, form, record in LIES:
        yield row(f"s-lie-{name}", "broken", ack(echo(form, record)),
                  [f"length={len(record) // 4}"], form)
    for name, form, record in (("ifa-version", IFA, ifa(version=3)),
                               ("ifa-lns", IFA, ifa(nodes=[b"\x30" + bytes(31)])),
                               ("int-ver", INTMD, intmd(ver=1))):
        yield row(f"s-later-{name}", "unknown_format", ack(echo(form, record)),
                  [f"length={len(record) // 4}"], form)
    yield row("s-broken", "broken", ack(echo(CSIG, TAG) + bytes(4)), [], CSIG)
    yield row("s-version", "unknown_format", ack(echo(CSIG, TAG, version=2)), [], CSIG)
    yield row("s-none", "none", ack())
    yield row("s-data", "none", plain())


BLOCKS = [("the figure in wire/echo.h, which is rocecc's own: composed by hand", codec),
          ("the same, and the records as RFC 9197, draft-kumar-ippm-ifa, INT 2.1 and "
           "draft-ravi-ippm-csig have them in packets: composed by hand", of),
          ("the same, after the AETH of IBTA volume 1, 9.7.5", find),
          ("the same: role/echo.h, at the receiver", receive),
          ("the same: role/echo.h, at the sender; a unit of queue is 80 bytes, a full link "
           "10000, clocks are of ns", send)]
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# The echo of telemetry in ACKs. Written by echo_rows.py."""


def split(data):
    return [data[i:i + 4].hex() for i in range(0, len(data), 4)] or ["-"]


def wrapped(text):
    return textwrap.fill(text, 88, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False)


def whole():
    text, ids = [HEAD], set()
    for source, rows in BLOCKS:
        text.append(f"\nsource: {source}")
        for name, noun, data, values in rows():
            assert name not in ids, name
            ids.add(name)
            text.append(wrapped(" ".join([name, noun, *split(data), "|", *values])))
    return "\n".join(text) + "\n", len(ids)


def main():
    text, rows = whole()
    path = HERE / "echo.vec"
    if "--check" not in sys.argv[1:]:
        path.write_text(text, "ascii")
        return
    if path.read_text("ascii") != text:
        sys.exit("echo.vec is not what echo_rows.py writes")
    print(f"vectors: echo: {rows} rows, as echo_rows.py writes them")


if __name__ == "__main__":
    main()

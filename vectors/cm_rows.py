# SPDX-License-Identifier: BSD-2-Clause
"""
Composes the rows of cm.vec from fields: messages of connection management (IBTA volume 1,
12.6), and the RoCEv2 packets that carry them. The bytes of the fields differ, so a field read
from a wrong place has a wrong value. No code here reads a message, but
tests/gates/peers/cm.py lets tshark read them.

cm_rows.py          writes cm.vec next to this file, always the same
cm_rows.py --check  compares cm.vec instead
"""
import pathlib
import struct
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "model")]
from arn_gate_rows import ip
from reaction_point import wrapped

REQ, MRA, REJ, REP, RTU, DREQ, DREP = 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16
NAME = {REQ: "req", REP: "rep", RTU: "rtu", DREQ: "dreq"}
A4, B4, A6, B6 = "::ffff:10.0.0.1", "::ffff:10.0.0.2", "2001:db8::a", "2001:db8::b"


# ---- Messages and packets, from their fields ----------------------------------------

def put(data, at, value):
    return data[:at] + value + data[at + len(value):]


def mad(attribute, local=0, remote=0, qpn=0, service=0, fill=0, base=1, cls=7, version=2,
        method=3):
    """Builds a MAD (13.4.3; from byte 24 on 12.6.5, 12.6.8 to 12.6.10). Other bytes are `fill`."""
    data = bytes([fill]) * 232
    data = put(data, 0, struct.pack(">I", local))
    if attribute != REQ:
        data = put(data, 4, struct.pack(">I", remote))
    at = {REQ: 32, REP: 12, DREQ: 8}.get(attribute)
    if at is not None:
        data = put(data, at, qpn.to_bytes(3, "big"))
    if attribute == REQ:
        data = put(data, 43, bytes([fill & ~6 & 0xff | service << 1]))
    head = struct.pack(">BBBBHHQHHI", base, cls, version, method, fill * 257, fill * 257,
                       fill * 0x0101010101010101, attribute, fill * 257, fill * 0x01010101)
    return head + data


def masked(head):
    if head[0] >> 4 == 4:
        return (head[:1] + b"\xff" + head[2:8] + b"\xff" + head[9:10] + b"\xff\xff" +
                head[12:])
    return bytes([head[0] | 15, 255, 255, 255]) + head[4:7] + b"\xff" + head[8:]


def packet(message, src=A4, dst=B4, opcode=0x64, dest=1, q_key=0x80010000, src_qp=1,
           tver=0, pad=0, exts=(), frag=0, dport=4791):
    """Builds a packet from IP on. Its ICRC (A17.3.2) covers extension headers as they are."""
    bth = struct.pack(">BBHII", opcode, 0x40 | pad << 4 | tver, 0xffff, dest, 7)
    body = bth + struct.pack(">II", q_key, src_qp) + message
    udp = struct.pack(">HHHH", 0xc0de, dport, 8 + len(body) + 4, 0)
    whole = ip(src, dst, 17, udp + body + bytes(4), hops=64, exts=exts, frag=frag)
    head = whole[:-len(udp) - len(body) - 4]
    crc = zlib.crc32(b"\xff" * 8 + masked(head) + udp[:6] + b"\xff\xff" + body[:4] +
                     b"\xff" + body[5:])
    return whole[:-4] + struct.pack("<I", crc)


def frame(data):
    kind = b"\x86\xdd" if data[0] >> 4 == 6 else b"\x08\x00"
    return bytes.fromhex("020000000001020000000002") + kind + data


def req(local=0xa1a2a3a4, qpn=0x123456, **more):
    return mad(REQ, local, 0, qpn, **more)


def rep(local=0xb1b2b3b4, remote=0xa1a2a3a4, qpn=0x789abc, **more):
    return mad(REP, local, remote, qpn, **more)


def rtu(local=0xa1a2a3a4, remote=0xb1b2b3b4, **more):
    return mad(RTU, local, remote, **more)


def dreq(local=0xa1a2a3a4, remote=0xb1b2b3b4, qpn=0x789abc, **more):
    return mad(DREQ, local, remote, qpn, **more)


# ---- Rows ---------------------------------------------------------------------------

def says(attribute, local, remote, qpn, service=0):
    values = {"attribute": attribute, "service": service, "local_id": local,
              "remote_id": remote, "qpn": qpn}
    return [f"{k}={v:#x}" for k, v in values.items() if v]


FOUR = [(req, REQ, (0xa1a2a3a4, 0, 0x123456)), (rep, REP, (0xb1b2b3b4, 0xa1a2a3a4, 0x789abc)),
        (rtu, RTU, (0xa1a2a3a4, 0xb1b2b3b4, 0)),
        (dreq, DREQ, (0xa1a2a3a4, 0xb1b2b3b4, 0x789abc))]


def messages():
    for make, attribute, fields in FOUR:
        name = NAME[attribute]
        yield name, "cm ok", make(), says(attribute, *fields)
        yield (f"{name}-filled", "cm ok", make(fill=0x5a),
               says(attribute, *fields) + ["emit=no"])
        yield f"{name}-after", "cm ok", make(fill=0xff), says(attribute, *fields) + ["emit=no"]
    yield "req-uc", "cm ok", req(service=1), says(REQ, 0xa1a2a3a4, 0, 0x123456, 1)
    yield "req-rd", "cm unsupported", req(service=2), []
    yield "req-xrc", "cm unsupported", req(service=3), []
    yield "req-max", "cm ok", req(2**32 - 1, 2**24 - 1), says(REQ, 2**32 - 1, 0, 2**24 - 1)
    for attribute, name in ((MRA, "mra"), (REJ, "rej"), (DREP, "drep"), (0x0f, "0f"),
                            (0x0110, "0110"), (0x1000, "1000"), (0x17, "sidr")):
        yield f"no-{name}", "cm no_match", mad(attribute, 1, 2, 3), []
    yield "no-class", "cm no_match", rep(cls=3), []
    yield "no-get", "cm no_match", rep(method=1), []
    yield "no-response", "cm no_match", rep(method=0x83), []
    yield "base-0", "cm unsupported", rep(base=0), []
    yield "base-2", "cm unsupported", rep(base=2), []
    yield "class-version-1", "cm unsupported", rep(version=1), []
    yield "short", "cm short", rep()[:255], []
    yield "none", "cm short", b"", []
    for name, values in (("attribute-0", "qpn=1"), ("attribute-mra", "attribute=0x11"),
                         ("attribute-drep", "attribute=0x16"),
                         ("rep-wide", "attribute=0x13 qpn=0x1000000"),
                         ("rtu-qpn", "attribute=0x14 qpn=1"),
                         ("req-remote", "attribute=0x10 remote_id=1"),
                         ("req-service", "attribute=0x10 service=2"),
                         ("rep-service", "attribute=0x13 service=1")):
        yield f"range-{name}", "cm range", b"", values.split()


def packets():
    def row(name, status, data, fields=()):
        return name, f"call cm_find {status}", frame(data), ["->", *fields]
    for make, attribute, fields in FOUR:
        name, told = NAME[attribute], says(attribute, *fields)
        yield row(f"find-{name}", "ok", packet(make(fill=0x5a)), told)
        yield row(f"find-{name}-6", "ok", packet(make(), A6, B6), told)
    yield row("find-class", "no_match", packet(rep(cls=3)))
    yield row("find-opcode-65", "no_match", packet(rep(), opcode=0x65))
    yield row("find-rc", "no_match", packet(rep(), opcode=0x04))
    yield row("find-qp-0", "no_match", packet(rep(), dest=0))
    yield row("find-qp-2", "no_match", packet(rep(), dest=2))
    yield row("find-qp-wide", "no_match", packet(rep(), dest=0x010001))
    yield row("find-resv", "ok", packet(rep(), dest=0xff000001),
              says(REP, 0xb1b2b3b4, 0xa1a2a3a4, 0x789abc))
    yield row("find-q-key", "no_match", packet(rep(), q_key=0x80010001))
    yield row("find-q-key-0", "no_match", packet(rep(), q_key=0x00010000))
    yield row("find-src-qp", "no_match", packet(rep(), src_qp=0x11))
    yield row("find-src-resv", "ok", packet(rep(), src_qp=0xff000001),
              says(REP, 0xb1b2b3b4, 0xa1a2a3a4, 0x789abc))
    yield row("find-tver", "unsupported", packet(rep(), tver=1))
    yield row("find-pad", "format", packet(rep(), pad=1))
    yield row("find-less", "format", packet(rep()[:-4]))
    yield row("find-more", "format", packet(rep() + bytes(4)))
    yield row("find-no-deth", "format", packet(b""))
    tiny = bytearray(packet(b"")[:20 + 8 + 12 + 4])  # UDP Length has no room for a DETH
    tiny[2:4], tiny[24:26] = (44).to_bytes(2, "big"), (24).to_bytes(2, "big")
    yield row("find-tiny", "format", bytes(tiny))
    yield row("find-tiny-cut", "format", bytes(tiny[:-2]))
    yield row("find-version", "unsupported", packet(rep(base=2)))
    yield row("find-xrc", "unsupported", packet(req(service=3)))
    yield row("find-port", "no_match", packet(rep(), dport=4790))
    yield row("find-cut", "short", packet(rep())[:-1])


BLOCKS = [("IBTA volume 1, 13.4.3 and 12.6.5, 12.6.8, 12.6.9, 12.6.10; composed by hand,"
           " and as tshark 4.0 reads them", messages),
          ("IBTA volume 1, 9.2, 9.6.2 and A17: what QP 1 takes; composed by hand",
           packets)]
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# Messages of connection management. Written by cm_rows.py."""


def split(data):
    return [data[i:i + 4].hex() for i in range(0, len(data), 4)] or ["-"]


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
    path = HERE / "cm.vec"
    if "--check" not in sys.argv[1:]:
        path.write_text(text, "ascii")
        return
    if path.read_text("ascii") != text:
        sys.exit("cm.vec is not what cm_rows.py writes")
    print(f"vectors: cm: {rows} rows, as cm_rows.py writes them")


if __name__ == "__main__":
    main()

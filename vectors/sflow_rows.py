# SPDX-License-Identifier: BSD-2-Clause
"""
Composes the rows of sflow.vec from fields, by the XDR description in sFlow Version 5
(sflow.org, July 2004), 5. No code here reads a datagram, but tests/gates/peers/sflow.py lets
tshark read them.

sflow_rows.py          writes sflow.vec next to this file, always the same
sflow_rows.py --check  compares sflow.vec instead
"""
import ipaddress
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "model")]
from cm_rows import frame, packet
from reaction_point import wrapped

A4, A6 = "198.51.100.1", "2001:db8::7"
SAMPLES_MAX, RECORDS_MAX = 128, 32  # limits of lists

FLOW = "sequence_number source_type source_index sampling_rate sample_pool drops " \
       "input_format input_value output_format output_value".split()


# ---- XDR: words of 32 bits ----------------------------------------------------------

def words(*numbers):
    return struct.pack(f">{len(numbers)}I", *numbers)


def opaque(data):
    """Builds the length, the bytes, and zeros up to a multiple of 4 (RFC 4506, 4.10)."""
    return words(len(data)) + data + bytes(-len(data) % 4)


def record(enterprise, form, body):
    return words(enterprise * 4096 + form) + opaque(body)


def flow(values, records=(), expanded=False, count=None):
    v = {name: 0 for name in FLOW} | values
    n = len(records) if count is None else count
    if expanded:
        head = words(*(v[name] for name in FLOW), n)
    else:
        head = words(v["sequence_number"], v["source_type"] * 2**24 + v["source_index"],
                     v["sampling_rate"], v["sample_pool"], v["drops"],
                     v["input_format"] * 2**30 + v["input_value"],
                     v["output_format"] * 2**30 + v["output_value"], n)
    return head + b"".join(records)


def raw(data, protocol=1, frame_length=None, stripped=4):
    length = len(data) + stripped if frame_length is None else frame_length
    return words(protocol, length, stripped) + opaque(data)


def datagram(samples=(), agent=A4, sub_agent=0, sequence=1, uptime=1000, count=None):
    if agent is None:
        address = words(0)
    else:
        ip = ipaddress.ip_address(agent)
        address = words(1 if ip.version == 4 else 2) + ip.packed
    n = len(samples) if count is None else count
    return (words(5) + address + words(sub_agent, sequence, uptime, n) +
            b"".join(samples))


# ---- The contents of samples --------------------------------------------------------

SAMPLED = frame(packet(bytes(64), opcode=0x0a, dest=0x17))
SWITCH = record(0, 1001, words(10, 3, 20, 0))  # VLAN and priority, in and out
ROUTER = record(0, 1002, words(1) + ipaddress.ip_address("192.0.2.9").packed + words(24, 16))
VENDOR = record(4413, 1, words(7, 8, 9))
COUNTERS = record(0, 2, words(1, 3, 1) + record(0, 1, bytes(88)))
COUNTERS_EXPANDED = record(0, 4, words(1, 0, 3, 1) + record(0, 2, bytes(52)))
USUAL = {"sequence_number": 8, "source_index": 3, "sampling_rate": 4096,
         "sample_pool": 32768, "drops": 2, "input_value": 3, "output_value": 4}
OTHER = {name: 0x01020304 * (i + 1) % 2**32 for i, name in enumerate(FLOW)}

# The first 128 of 138 bytes of an RDMA WRITE for QP 0x17, in IPv4 with CE.
MARKED = bytes.fromhex(
    "020000000002020000000001" "0800"
    "4503007c000040004011b66ac0000201c0000202" "c00012b700680000"
    "0a40ffff0000001700000001" "0000000000000000" "00000001" "00000040").ljust(128, b"\0")


def values_of(fields, zeros=False):
    return [f"{k}={v:#x}" for k, v in fields.items() if v or zeros]


def raw_values(data, protocol=1, frame_length=None, stripped=4):
    length = len(data) + stripped if frame_length is None else frame_length
    return values_of({"protocol": protocol, "frame_length": length, "stripped": stripped}) + \
        ([f"header={data.hex()}"] if data else [])


def header_values(agent=A4, sub_agent=0, sequence=1, uptime=1000, count=0):
    kind = [] if agent is None else \
        [f"address_type=ipv{ipaddress.ip_address(agent).version}"]
    if agent is not None:
        kind.append(f"agent={'::ffff:' if ':' not in agent else ''}{agent}")
    return kind + values_of({"sub_agent_id": sub_agent, "sequence_number": sequence,
                             "uptime_ms": uptime, "n_samples": count})


# ---- Rows ---------------------------------------------------------------------------

def headers():
    yield "v4", "sflow ok", datagram(), header_values()
    yield "v6", "sflow ok", datagram(agent=A6), header_values(A6)
    yield "unknown", "sflow ok", datagram(agent=None), header_values(None)
    for name, at in (("sub-agent", 0), ("sequence", 1), ("uptime", 2), ("samples", 3)):
        v = [0x81828384 if i == at else 0 for i in range(4)]
        yield (f"f-{name}", "sflow ok", datagram(agent=A6, sub_agent=v[0], sequence=v[1],
                                                 uptime=v[2], count=v[3]),
               header_values(A6, *v))
    ones = 2**32 - 1
    yield ("ones", "sflow ok", datagram((), "255.255.255.255", ones, ones, ones, ones),
           header_values("255.255.255.255", ones, ones, ones, ones))
    yield ("zeros", "sflow ok", datagram((), "0.0.0.0", 0, 0, 0),
           header_values("0.0.0.0", 0, 0, 0))
    # A mapped IPv6 address stays IPv6.
    yield ("v6-mapped", "sflow ok", words(5, 2, 0, 0, 0xffff, 0xc6336401, 0, 0, 0, 0),
           ["address_type=ipv6", f"agent=::ffff:{A4}"])
    for version in (0, 2, 4, 6, 0x500, 0x05000000, 0x10005):
        yield (f"version-{version:x}", "sflow unsupported", words(version) + datagram()[4:],
               [])
    for kind in (3, 0x100, 0x01000000, 0x80000001):
        yield (f"type-{kind:x}", "sflow format", words(5, kind) + datagram()[8:], [])
    yield "short-0", "sflow short", b"", []
    yield "short-7", "sflow short", words(4, 1)[:7], []
    yield "short-v4", "sflow short", datagram()[:27], []
    yield "short-v6", "sflow short", datagram(agent=A6)[:23], []
    yield "range-unknown", "sflow range", b"", ["agent=2001:db8::7"]
    yield "range-unknown-low", "sflow range", b"", ["agent=::1"]
    yield "range-v4", "sflow range", b"", ["address_type=ipv4", "agent=2001:db8::7"]
    yield "range-v4-zero", "sflow range", b"", ["address_type=ipv4"]
    yield "space", "sflow space", b"", header_values(A6)


def records():
    def row(name, enterprise, form, body, kept=()):
        return (name, "sflow_record ok", record(enterprise, form, body),
                values_of({"enterprise": enterprise, "format": form}) +
                ([f"body={body.hex()}"] if body else []) + list(kept))
    yield row("record", 0, 1, words(1, 2, 3, 4, 5))
    yield row("record-empty", 0, 2, b"")
    yield row("record-vendor", 4413, 3, words(7))
    yield row("record-ones", 2**20 - 1, 4095, words(2**32 - 1))
    yield row("record-enterprise", 2**19, 0, b"")
    yield row("record-format", 0, 2**11, b"")
    for n in (1, 2, 3, 5):
        body = bytes(range(0xa1, 0xa1 + n))
        told = ["->", "format=0x1", f"body={body.hex()}"]
        data = record(0, 1, body)
        yield f"record-pad-{n}", "call sflow_record_parse ok", data, told
        # At the end of the bytes, the padding may be missing.
        yield f"record-unpadded-{n}", "call sflow_record_parse ok", data[:8 + n], ["emit=no", *told]
        yield (f"record-cut-{n}", "call sflow_record_parse short", data[:8 + n - 1], ["->"])
        yield (f"record-emit-{n}", "call sflow_record_emit ok", data,
               ["format=0x1", f"body={body.hex()}", "->"])
    # Padding other than 0 is ignored.
    yield ("record-pad-other", "call sflow_record_parse ok", words(1, 2) + b"\xa1\xa2\x5a\x5a",
           ["emit=no", "->", "format=0x1", "body=a1a2"])
    yield "record-short", "sflow_record short", words(1, 0)[:7], []
    yield "record-long", "sflow_record short", words(1, 5, 0), []
    yield "record-huge", "sflow_record short", words(1, 2**32 - 1, 0, 0), []
    yield "record-huge-3", "sflow_record short", words(1, 2**32 - 3, 0, 0), []
    yield "record-half", "sflow_record short", words(1, 2**31, 0, 0), []
    yield "record-range-enterprise", "sflow_record range", b"", ["enterprise=0x100000"]
    yield "record-range-format", "sflow_record range", b"", ["format=0x1000"]
    yield "record-space", "sflow_record space", b"", ["format=0x1"]


def flows():
    def row(name, fields, expanded=False, records=(), count=None, more=b""):
        data = flow(fields, records, expanded, count) + more
        n = len(records) if count is None else count
        told = (["expanded=1"] if expanded else []) + \
            values_of(fields | {"n_records": n})
        if records or more:
            told.append(f"records={(b''.join(records) + more).hex()}")
        return (name, "call sflow_flow_parse ok", data,
                [f"format={3 if expanded else 1}", "->", *told])
    wide = {name: 2**32 - 1 for name in FLOW}
    most = wide | {"source_type": 2**8 - 1, "source_index": 2**24 - 1,
                   "input_format": 3, "output_format": 3, "input_value": 2**30 - 1,
                   "output_value": 2**30 - 1}
    yield row("flow", USUAL, records=(SWITCH, ROUTER))
    yield row("flow-expanded", USUAL, True, (SWITCH, ROUTER))
    yield row("flow-ones", most, count=2**32 - 1)
    yield row("flow-expanded-ones", wide, True, count=2**32 - 1)
    yield row("flow-expanded-each", OTHER, True)
    for name in FLOW:
        yield row(f"flow-f-{name}", {name: most[name]})
        yield row(f"flow-expanded-f-{name}", {name: 0x81828384}, True)
    # Packets discarded by an ACL, sent to seven interfaces, and sent by the switch itself.
    yield row("flow-discarded", {"input_value": 2, "output_format": 1, "output_value": 258})
    yield row("flow-multiple", {"input_value": 2, "output_format": 2, "output_value": 7})
    yield row("flow-internal", {"input_value": 0x3fffffff, "output_value": 2})
    # After the members are 3 bytes, or a record that is not counted.
    yield row("flow-more", USUAL, more=b"\1\2\3")
    yield row("flow-uncounted", USUAL, records=(SWITCH,), count=0)
    for name, form, data in (("flow", 1, flow(USUAL)), ("expanded", 3, flow(USUAL, (), True))):
        yield f"{name}-cut", "call sflow_flow_parse format", data[:-1], [f"format={form}", "->"]
        yield f"{name}-empty", "call sflow_flow_parse format", b"", [f"format={form}", "->"]
    yield "flow-32-of-44", "call sflow_flow_parse format", flow(USUAL), ["format=3", "->"]
    for enterprise, form in ((0, 0), (0, 2), (0, 4), (0, 5), (0, 4095), (1, 1), (2**19, 3)):
        yield (f"flow-no-{enterprise}-{form}", "call sflow_flow_parse no_match", flow(USUAL),
               [f"enterprise={enterprise}", f"format={form}", "->"])
    for name, value in (("source_type", 2**8), ("source_index", 2**24), ("input_format", 4),
                        ("input_value", 2**30), ("output_format", 4), ("output_value", 2**30)):
        yield f"flow-range-{name}", "call sflow_flow_emit range", b"", [f"{name}={value}", "->"]
    yield "flow-space", "call sflow_flow_emit space", b"", ["->"]


def raws():
    def row(name, data, *how, **named):
        return (name, "call sflow_raw_parse ok", raw(data, *how, **named),
                ["format=1", "->", *raw_values(data, *how, **named)])
    yield row("raw", SAMPLED[:64], 1, len(SAMPLED) + 4)
    yield row("raw-none", b"")
    for n in (1, 2, 3, 4):
        yield row(f"raw-{n}", bytes(range(0xb1, 0xb1 + n)))
    yield row("raw-ones", b"\xff" * 4, *[2**32 - 1] * 3)
    yield row("raw-protocol", b"", 0x81828384, 0, 0)
    yield row("raw-length", b"", 0, 0x81828384, 0)
    yield row("raw-stripped", b"", 0, 0, 0x81828384)
    yield row("raw-ipv4", SAMPLED[14:], 11, stripped=0)
    yield row("raw-ipv6", SAMPLED[:40], 12, stripped=0)
    # Some agents report a frame shorter than its bytes in the sample (fastnetmon 893).
    yield row("raw-shorter", SAMPLED[:64], frame_length=60)
    for n in (1, 2, 3):
        data = bytes(range(0xb1, 0xb1 + n))
        body = raw(data)
        yield (f"raw-unpadded-{n}", "call sflow_raw_parse ok", body[:16 + n],
               ["format=1", "emit=no", "->", *raw_values(data)])
        yield f"raw-cut-{n}", "call sflow_raw_parse format", body[:15 + n], ["format=1", "->"]
    # Later agents may append members.
    yield ("raw-more", "call sflow_raw_parse ok", raw(SAMPLED[:18]) + words(1, 2),
           ["format=1", "emit=no", "->", *raw_values(SAMPLED[:18])])
    yield "raw-short", "call sflow_raw_parse format", raw(b"")[:15], ["format=1", "->"]
    yield "raw-empty", "call sflow_raw_parse format", b"", ["format=1", "->"]
    for length in (1, 5, 2**31, 2**32 - 1):
        yield (f"raw-long-{length:x}", "call sflow_raw_parse format",
               words(1, 64, 4, length) + (bytes(4) if length == 5 else b""),
               ["format=1", "->"])
    for enterprise, form in ((0, 0), (0, 2), (0, 4095), (1, 1), (2**19, 1)):
        yield (f"raw-no-{enterprise}-{form}", "call sflow_raw_parse no_match", raw(b""),
               [f"enterprise={enterprise}", f"format={form}", "->"])
    yield "raw-space", "call sflow_raw_emit space", b"", ["protocol=1", "->"]


def sampled(*others, fields=None, expanded=False, data=SAMPLED[:64], count=None):
    """Builds a sample of a packet, after other flow records."""
    fields = USUAL if fields is None else fields
    return record(0, 3 if expanded else 1,
                  flow(fields, (*others, record(0, 1, raw(data))), expanded, count))


def walks():
    def row(name, status, samples, formats, **named):
        return (name, f"call sflow_next {status}", datagram(samples, **named),
                ["->", f"n={len(formats)}", "formats=" + "+".join(map(str, formats))])
    one, vendor = sampled(), record(4413, 1, words(7))
    yield row("walk-none", "ok", (), [])
    yield row("walk-one", "ok", (one,), [1])
    yield row("walk-v6", "ok", (one, sampled(expanded=True)), [1, 3], agent=A6)
    yield row("walk-others", "ok", (COUNTERS, vendor, one, COUNTERS_EXPANDED),
              [2, 4413 * 4096 + 1, 1, 4])
    # Bytes after the last counted sample are ignored.
    yield row("walk-behind", "ok", (one, COUNTERS), [1], count=1)
    yield row("walk-behind-3", "ok", (COUNTERS, b"\1\2\3"), [2], count=1)
    yield row("walk-missing", "short", (one, COUNTERS), [1, 2], count=3)
    yield row("walk-huge", "short", (vendor,), [4413 * 4096 + 1], count=2**32 - 1)
    yield row("walk-long", "short", (COUNTERS, words(1, 64) + bytes(63)), [2])
    yield row("walk-unpadded", "ok", (COUNTERS, record(0, 7, b"\1\2\3")[:-1]), [2, 7])
    empty = record(0, 9, b"")
    yield row("walk-most", "ok", (empty,) * SAMPLES_MAX, [9] * SAMPLES_MAX)
    yield row("walk-beyond", "unsupported", (empty,) * (SAMPLES_MAX + 1), [9] * SAMPLES_MAX)


def finds():
    def row(name, status, samples, told=(), sample=0, **named):
        return (name, f"call sflow_raw_find {status}", datagram(samples, **named),
                [f"sample={sample}", "->", *told])
    data, empty = SAMPLED[:64], record(0, 9, b"")
    told = raw_values(data)
    yield row("find", "ok", (sampled(),), told)
    yield row("find-expanded", "ok", (sampled(expanded=True),), told)
    yield row("find-v6", "ok", (sampled(),), told, agent=A6)
    yield row("find-second", "ok", (COUNTERS, sampled(SWITCH, ROUTER, VENDOR)), told, 1)
    yield row("find-first-of-two", "ok", (sampled(record(0, 1, raw(b"\1\2\3\4"))),),
              raw_values(b"\1\2\3\4"))
    # Another enterprise's format with the same number is different.
    yield row("find-vendor", "ok", (sampled(record(1, 1, raw(b"\1\2\3\4"))),), told)
    yield row("find-none", "no_match", (record(0, 1, flow(USUAL, (SWITCH, ROUTER))),))
    yield row("find-no-record", "no_match", (record(0, 1, flow(USUAL)),))
    yield row("find-uncounted", "no_match", (sampled(SWITCH, count=1),))
    yield row("find-missing", "format", (record(0, 1, flow(USUAL, (SWITCH,), count=2)),))
    overrun = flow(USUAL, (SWITCH, words(1, 32) + bytes(31)))
    yield row("find-overrun", "format", (record(0, 1, overrun), bytes(64)))
    inside = flow(USUAL, (record(0, 1, words(1, 64, 4, 65) + bytes(64)),))
    yield row("find-inside", "format", (record(0, 1, inside),))
    # Some switches add 4 bytes after the last flow record (sflowtool 8, fastnetmon 626).
    yield row("find-behind", "ok",
              (record(0, 1, flow(USUAL, (record(0, 1, raw(data)), bytes(4)), count=1)),
               sampled()), told)
    yield row("find-most", "ok", (sampled(*[empty] * (RECORDS_MAX - 1)),), told)
    yield row("find-beyond", "unsupported", (sampled(*[empty] * RECORDS_MAX),))
    yield row("find-most-none", "no_match",
              (record(0, 1, flow(USUAL, [empty] * RECORDS_MAX)),))


def sampled_as(fields, data, frame_length):
    return record(0, 1, flow(fields, (record(0, 1, raw(data, 1, frame_length)),)))


def marked():
    fields = {"sequence_number": 1, "source_index": 3, "sampling_rate": 1000,
              "sample_pool": 1000, "input_value": 1, "output_value": 2}
    yield ("roce-ce", "call sflow_raw_find ok",
           datagram((sampled_as(fields, MARKED, 138),)),
           ["sample=0", "->", *raw_values(MARKED, 1, 138, 4)])


TEXT = "sFlow Version 5, 5"
BLOCKS = [(f"{TEXT}, sample_datagram_v5; composed by hand", headers),
          (f"{TEXT}, sample_record and flow_record, and RFC 4506, 4.10; composed by hand",
           records),
          (f"{TEXT}, flow_sample and flow_sample_expanded; composed by hand", flows),
          (f"{TEXT}, sampled_header; composed by hand", raws),
          (f"{TEXT}: lists; composed by hand, {SAMPLES_MAX} samples at most", walks),
          (f"{TEXT}: lists; composed by hand, {RECORDS_MAX} flow records at most", finds),
          ("a datagram with a RoCE packet that has CE, for QP 0x17", marked)]
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# sFlow datagrams. Written by sflow_rows.py."""


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
    path = HERE / "sflow.vec"
    if "--check" not in sys.argv[1:]:
        path.write_text(text, "ascii")
        return
    if path.read_text("ascii") != text:
        sys.exit("sflow.vec is not what sflow_rows.py writes")
    print(f"vectors: sflow: {rows} rows, as sflow_rows.py writes them")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-2-Clause
"""
sflow.py ROCEDUMP DIR: tests rocedump with sFlow datagrams, which vectors/sflow_rows.py makes
from their fields. DIR/sflow.pcap is for schema.py.
"""
import json
import pathlib
import random
import struct
import subprocess
import sys

sys.path[:0] = ["vectors", "vectors/model"]
import sflow_rows as rows
from arn_gate_rows import ip

dump, out = sys.argv[1], pathlib.Path(sys.argv[2])
pick = random.Random(6343)
PATHS = [(f"::ffff:10.0.0.{a}", f"::ffff:10.0.0.{b}") for a, b in ((1, 2), (3, 4))]


def udp(data, port, src, dst):
    return ip(src, dst, 17, struct.pack(">HHHH", 50000, port, 8 + len(data), 0) + data,
              hops=64)


def frame(datagram, port=6343):
    return rows.frame(udp(datagram, port, *PATHS[0]))


def capture(frames, name="sflow.pcap"):
    """Writes frames. Each is its bytes, or the captured bytes and its length."""
    data = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
    for f in frames:
        f, n = f if isinstance(f, tuple) else (f, len(f))
        data += struct.pack("<IIII", 0, 0, len(f), n) + f
    (out / name).write_bytes(data)
    return str(out / name)


def run(*words, code=0):
    done = subprocess.run([dump, *words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stderr[-500:])
    return done.stdout


def shown(f, *options):
    return json.loads(run("--json", *options, capture([f], "one.pcap")))


def sample(data, protocol=1, expanded=False, **fields):
    body = rows.raw(data, protocol, len(data) + 10)
    flow = rows.flow(rows.USUAL | fields, (rows.SWITCH, rows.record(0, 1, body)), expanded)
    return rows.record(0, 3 if expanded else 1, flow)


# A frame as a collector gets it, with an RDMA WRITE to QP 0x17 with CE.
MARKED = rows.datagram((rows.sampled_as({"source_index": 3, "sampling_rate": 1000},
                                        rows.MARKED, 138),))
IP4, IP6 = rows.SAMPLED[14:], rows.packet(bytes(64), rows.A6, "2001:db8::8", dest=0x23)
VXLAN = rows.frame(udp(struct.pack(">II", 0x08000000, 0x12345600) + rows.SAMPLED, 4789,
                       *PATHS[1]))
frames = [frame(MARKED)]

o = shown(frames[0])
assert o["status"] == "ok" and o["stack"] == ["ether", "ipv4", "udp", "sflow", "sample"], o
assert o["sflow"] == {"address_type": "ipv4", "agent": "::ffff:198.51.100.1",
                      "sub_agent_id": 0, "sequence_number": 1, "uptime_ms": 1000,
                      "n_samples": 1, "others": 0}, o["sflow"]
one, = o["sample"]
assert one["sampling_rate"] == 1000 and one["protocol"] == 1 and not one["expanded"], one
assert one["header"] == rows.MARKED.hex() and one["frame_length"] == 138, one
assert one["inner"]["bth"]["dest_qp"] == 0x17 and one["inner"]["ipv4"][0]["ecn"] == 3, one
assert one["inner"]["stack"] == ["ether", "ipv4", "udp", "bth", "reth", "partial"], one
text = run(capture(frames))
assert "in sample 1, one packet of 1000: the first 128 of 138 bytes" in text, text
assert text.index("sampling_rate=1000") < text.index("dest_qp=0x000017"), text
assert "sFlow datagrams" in text and "1    sampled packets, 1 of them RoCE" in text, text
assert run("--csv", "sample.sampling_rate", "-Y", "bth.dest_qp==0x17",
           str(out / "sflow.pcap")) == "sample.sampling_rate\n1000\n"
assert run("--csv", "frame", "-Y", "bth.dest_qp==0x18", str(out / "sflow.pcap")) == "frame\n"

# Another port, and no port.
assert "sflow" not in shown(frames[0], "--config", "sflow_port=0")
assert "sflow" not in shown(frames[0], "--config", "sflow_port=7000")
assert shown(frame(MARKED, 7000), "--config", "sflow_port=7000")["sflow"]["n_samples"] == 1

# Several samples with counters between them, and every kind of packet inside.
frames.append(frame(rows.datagram((
    sample(rows.SAMPLED, expanded=True, output_format=2**31, sampling_rate=7),
    rows.COUNTERS, sample(IP4, 11), sample(IP6, 12), sample(VXLAN), sample(b"\0\x21" + IP4, 7),
    rows.record(4413, 1, b"abcd"), rows.record(0, 1, rows.flow(rows.USUAL, (rows.SWITCH,))),
    sample(b"")), rows.A6, 5, 6, 7)))
o = shown(frames[1])
assert o["status"] == "ok" and o["sflow"]["others"] == 2, o
assert o["sflow"]["agent"] == rows.A6 and o["sflow"]["sub_agent_id"] == 5, o
s = o["sample"]
assert len(s) == 7 and s[0]["expanded"] and s[0]["output_format"] == 2**31, s
assert s[0]["inner"]["bth"]["dest_qp"] == 0x17 and s[1]["inner"]["stack"][0] == "ipv4", s
assert s[2]["inner"]["stack"][0] == "ipv6" and s[2]["inner"]["bth"]["dest_qp"] == 0x23, s
assert s[3]["inner"]["vxlan"]["vni"] == 0x123456, s
assert s[3]["inner"]["inner"]["bth"]["dest_qp"] == 0x17, s
assert "inner" not in s[4] and s[4]["protocol"] == 7, s
assert "inner" not in s[5] and s[5]["protocol"] == 0 and s[5]["header"] == "", s
assert s[6]["inner"]["status"] == "short" and s[6]["inner"]["at"] == "ether", s
assert shown(frames[1], "-Y", "vxlan && bth.dest_qp==0x23")["frame"] == 1

# At most 32 samples are shown, and 128 others counted. Of 32 packets in VXLAN, only some are
# decoded.
for n, what in ((32, ("ok", None)), (33, ("unsupported", "sample"))):
    frames.append(frame(rows.datagram((sample(rows.SAMPLED[:64]),) * n)))
    o = shown(frames[-1])
    assert (o["status"], o.get("at")) == what, (n, o["status"], o.get("at"))
    assert len(o["sample"]) == 32 and all("bth" in x["inner"] for x in o["sample"]), n
frames.append(frame(rows.datagram((sample(VXLAN),) * 32)))
o = shown(frames[-1])
assert (o["status"], o["at"]) == ("unsupported", "inner"), o
assert 15 < sum("inner" in x for x in o["sample"]) < 32, o
frames.append(frame(rows.datagram((rows.record(0, 9, b""),) * 129)))
o = shown(frames[-1])
assert (o["status"], o["at"], o["sflow"]["others"]) == ("unsupported", "sflow", 128), o

# Bytes that do not fit give `format` within UDP's length, and `short` if the capture ends.
whole = frames[0]
cut = MARKED[:-1]
bad = rows.record(0, 1, rows.flow(rows.USUAL, (
    rows.record(0, 1, struct.pack(">IIII", 1, 64, 4, 65) + bytes(64)),)))
for f, status, at in ((frame(cut), "format", "sflow"), ((whole[:-1], len(whole)), "short", "sflow"),
                      ((whole[:60], len(whole)), "short", "sflow"),
                      (frame(MARKED[:20]), "format", "sflow"),
                      (frame(struct.pack(">I", 4) + MARKED[4:]), "unsupported", "sflow"),
                      (frame(struct.pack(">II", 5, 3) + MARKED[8:]), "format", "sflow"),
                      (frame(rows.datagram((bad,))), "format", "sample"),
                      (frame(rows.datagram((rows.record(0, 1, bytes(28)),))), "format",
                       "sample")):
    frames.append(f)
    o = shown(f)
    assert (o["status"], o["at"]) == (status, at), (status, at, o["status"], o.get("at"))

# With any bytes rocedump ends normally, and each line is an object.
hostile = []
for i in range(400):
    f = bytearray(frames[i % 2])
    for _ in range(pick.randrange(1, 6)):
        f[pick.randrange(42, len(f))] = pick.choice((0, 1, 3, 0x7f, 0xff, pick.randrange(256)))
    hostile.append((bytes(f[:pick.randrange(42, len(f) + 1)]), len(f)))
lines = run("--json", capture(hostile, "hostile.pcap")).splitlines()
assert len(lines) == len(hostile) and all(json.loads(x)["frame"] for x in lines)
run(str(out / "hostile.pcap"))
capture(frames)
print(f"sflow: {len(frames)} frames, and {len(hostile)} hostile ones")

# SPDX-License-Identifier: BSD-2-Clause
"""cm.py: tshark must read every valid message of vectors/cm.vec, in the frame of its row or in
one of its own, with each member at its place by IBTA."""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "vectors"
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import cm_rows

# tshark's field for a member, by the attribute. A DREQ's QPN has a field of REQ.
FIELDS = {
    0x10: {"local_id": "cm.req", "qpn": "cm.req.localqpn",
           "service": "cm.req.transpsvctype"},
    0x13: {"local_id": "cm.rep", "remote_id": "cm.rep.remotecommid",
           "qpn": "cm.rep.localqpn"},
    0x14: {"local_id": "cm.rtu.localcommid", "remote_id": "cm.rtu.remotecommid"},
    0x15: {"local_id": "cm.dreq.localcommid", "remote_id": "cm.dreq.remotecommid",
           "qpn": "cm.req.remoteqpneecn"},
}
MAD = ["mad.attributeid", "mad.mgmtclass", "mad.baseversion", "mad.classversion",
       "mad.method", "bth.destqp", "deth.q_key", "deth.srcqp"]


def rows():
    """Yields (id, frame, members) of each row with status ok."""
    text = (VECTORS / "cm.vec").read_text("ascii").replace("\n    ", " ")
    for line in text.split("\n"):
        m = re.match(r"(\S+) (cm|call cm_find) ok ([0-9a-f ]+) \| (.*)", line)
        if m is None:
            continue
        data = bytes.fromhex(m.group(3))
        if m.group(2) == "cm":
            data = cm_rows.frame(cm_rows.packet(data))
        yield m.group(1), data, {k: int(v, 16) for k, v in re.findall(
            r"(\w+)=(0x\w+)", m.group(4))}


def main():
    names = MAD + sorted({f for of in FIELDS.values() for f in of.values()})
    all_rows = list(rows())
    with tempfile.NamedTemporaryFile(suffix=".pcap") as capture:
        capture.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for _, data, _ in all_rows:
            capture.write(struct.pack("<IIII", 0, 0, len(data), len(data)) + data)
        capture.flush()
        out = subprocess.run(
            ["tshark", "-r", capture.name, "-T", "fields", "-E", "occurrence=f"] +
            [x for n in names for x in ("-e", "infiniband." + n)],
            check=True, capture_output=True, text=True).stdout
    lines = out.rstrip("\n").split("\n")
    if len(lines) != len(all_rows):
        sys.exit(f"cm: tshark reads {len(lines)} of {len(all_rows)} frames")
    compared = 0
    for (row, _, members), line in zip(all_rows, lines):
        values = dict(zip(names, line.split("\t")))
        number = {n: int(v, 16) for n, v in values.items() if v}
        of = FIELDS[members["attribute"]]
        should = {"mad.attributeid": members["attribute"], "mad.mgmtclass": 7,
                  "mad.baseversion": 1, "mad.classversion": 2, "mad.method": 3,
                  "bth.destqp": 1, "deth.q_key": 0x80010000, "deth.srcqp": 1}
        should.update({field: members.get(member, 0) for member, field in of.items()})
        for field, value in should.items():
            if number.get(field) != value:
                sys.exit(f"cm: {row}: tshark has {values.get(field)} for {field}, "
                         f"and not {value:#x}")
            compared += 1
    print(f"peers: tshark reads {compared} members of {len(all_rows)} messages of "
          "connection management as cm.vec has them")


if __name__ == "__main__":
    main()

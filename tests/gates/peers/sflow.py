# SPDX-License-Identifier: BSD-2-Clause
"""sflow.py: tshark must read every valid datagram, flow sample and raw header of
vectors/sflow.vec, in a frame of its own, with each member at its place in sFlow Version 5.
tshark shows the input interface of a compact sample as one word, the format of an expanded
output interface without its highest bit, and a header with its padding."""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "vectors"
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import sflow_rows
from arn_gate_rows import ip

HEADER = {"sub_agent_id": "sflow_245.sub_agent_id", "uptime_ms": "sflow_245.sysuptime",
          "sequence_number": "sflow_245.sequence_number", "n_samples": "sflow_245.numsamples"}
FLOW = {name: "sflow.flow_sample." + theirs for name, theirs in {
    "sequence_number": "sequence_number", "sampling_rate": "sampling_rate",
    "sample_pool": "sample_pool", "drops": "dropped_packets",
    "n_records": "flow_record"}.items()}
COMPACT = FLOW | {name: "sflow.flow_sample." + theirs for name, theirs in {
    "source_type": "source_id_class", "source_index": "index",
    "output_format": "output_interface_format",
    "output_value": "output_interface_value"}.items()}
EXPANDED = FLOW | {name: "sflow.flow_sample." + theirs for name, theirs in {
    "source_type": "source_id_type", "source_index": "source_id_index",
    "input_format": "input_interface_format", "input_value": "input_interface_value",
    "output_format": "output_interface.format",
    "output_value": "output_interface_value"}.items()}
RAW = {"protocol": "sflow_245.header_protocol", "frame_length": "sflow_245.header.frame_length",
       "stripped": "sflow_245.header.payload_stripped"}


def frame(datagram):
    udp = struct.pack(">HHHH", 50000, 6343, 8 + len(datagram), 0) + datagram
    packet = ip("::ffff:10.0.0.1", "::ffff:10.0.0.2", 17, udp, hops=64)
    return bytes.fromhex("020000000002020000000001") + b"\x08\x00" + packet


def whole(noun, data, members):
    """Returns the datagram with a row, and the values that tshark should show."""
    number = {k: int(v, 0) for k, v in members.items() if re.fullmatch(r"0x\w+|0|[1-9]\d*", v)}
    if noun == "sflow":
        return data, {f: number.get(m, 0) for m, f in HEADER.items()}
    if noun == "call sflow_flow_parse":
        of = EXPANDED if number["format"] == 3 else COMPACT
        should = {f: number.get(m, 0) for m, f in of.items()}
        if of is EXPANDED:
            should["sflow.flow_sample.output_interface.format"] &= 2**31 - 1
        else:
            should["sflow.flow_sample.input_interface"] = \
                number.get("input_format", 0) << 30 | number.get("input_value", 0)
        return sflow_rows.datagram((sflow_rows.record(0, number["format"], data),)), should
    should = {f: number.get(m, 0) for m, f in RAW.items()}
    should["sflow_245.header.sampled_header_length"] = len(members.get("header", "")) // 2
    if "header" in members:
        should["sflow_245.header"] = int(members["header"].ljust(
            (len(members["header"]) + 7) // 8 * 8, "0"), 16)
    if noun == "call sflow_raw_parse":
        flow = sflow_rows.flow({}, (sflow_rows.record(0, 1, data),))
        data = sflow_rows.datagram((sflow_rows.record(0, 1, flow),))
    return data, should


def rows():
    text = (VECTORS / "sflow.vec").read_text("ascii").replace("\n    ", " ")
    for line in text.split("\n"):
        m = re.match(r"(\S+) (sflow|call sflow_(?:flow_parse|raw_parse|raw_find)) ok "
                     r"([0-9a-f ]+) \| (.*)", line)
        if m:
            members = dict(x.split("=") for x in m[4].split() if "=" in x)
            yield m[1], *whole(m[2], bytes.fromhex(m[3]), members)


def main():
    all_rows = list(rows())
    with tempfile.NamedTemporaryFile(suffix=".pcap") as capture:
        capture.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for _, data, _ in all_rows:
            data = frame(data)
            capture.write(struct.pack("<IIII", 0, 0, len(data), len(data)) + data)
        capture.flush()
        out = subprocess.run(["tshark", "-r", capture.name, "-T", "pdml"], check=True,
                             capture_output=True).stdout
    packets = xml.etree.ElementTree.fromstring(out).findall("packet")
    if len(packets) != len(all_rows):
        sys.exit(f"sflow: tshark reads {len(packets)} of {len(all_rows)} frames")
    compared = 0
    for (row, _, should), packet in zip(all_rows, packets):
        values = {}
        for field in packet.iter("field"):
            if field.get("name", "").startswith("sflow") and field.get("value"):
                values.setdefault(field.get("name"), []).append(int(field.get("value"), 16))
        for field, value in should.items():
            if value not in values.get(field, ()):
                sys.exit(f"sflow: {row}: tshark has {values.get(field)} for {field}, "
                         f"and not {value:#x}")
            compared += 1
    print(f"peers: tshark reads {compared} members of {len(all_rows)} datagrams of sFlow as "
          "sflow.vec has them")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-2-Clause
"""run.py: runs the program on frames."""
import pathlib
import struct
import subprocess

from scapy.utils import RawPcapReader

bad = 0


def hold(holds, text):
    global bad
    if holds:
        return
    bad += 1
    if bad <= 10:
        print(f"hosts-switch: {text}")


def read(path):
    """Returns (time in ns, bytes) of each frame."""
    return [(m.sec * 10**9 + m.usec, bytes(b)) for b, m in RawPcapReader(str(path))]


def run(out, name, frames, headroom=64):
    """Gives frames (time_ns, depth, bytes). Returns the sent frames, and the Fast CNPs."""
    base = pathlib.Path(out)
    path = [base / f"{name}.{x}" for x in ("in.pcap", "depths", "out.pcap", "told.pcap")]
    with open(path[0], "wb") as f:
        f.write(struct.pack("<IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1))
        for t, _, b in frames:
            f.write(struct.pack("<IIII", t // 10**9, t % 10**9, len(b), len(b)) + b)
    path[1].write_text("".join(f"{depth}\n" for _, depth, _ in frames))
    subprocess.run([base / "switch", str(headroom), *path], check=True)
    return read(path[2]), read(path[3])

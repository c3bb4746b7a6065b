# SPDX-License-Identifier: BSD-2-Clause
"""A capture with known flows, made here, and -z rocecc,flows."""
import struct

import pdml

COLUMNS = ("packets", "bytes", "ce", "cnps", "gaps", "missing", "naks")


def roce(src, dst, qp, opcode, psn, ecn=2, rest=b""):
    """Returns a frame with an ICRC of 0, as it is not checked."""
    bth = struct.pack(">BBHII", opcode, 0, 0xffff, qp, psn)
    udp = struct.pack(">HHHH", 49152, 4791, 8 + len(bth + rest) + 4, 0) + bth + rest
    ip = struct.pack(">BBHIBBH4s4s", 0x45, 26 << 2 | ecn, 20 + len(udp) + 4, 0, 64, 17, 0,
                     src, dst)
    return bytes(12) + b"\x08\x00" + ip + udp + bytes(4)


def made():
    """Returns frames, and the expected row of each flow."""
    a, b, c = (bytes([192, 0, 2, i]) for i in (1, 2, 3))
    frames, flows = [], {}

    def add(src, dst, qp, opcode, psn, ecn=2, rest=b"", **more):
        frame = roce(src, dst, qp, opcode, psn, ecn, rest)
        key = (".".join(map(str, src)), ".".join(map(str, dst)), f"0x{qp:06x}")
        flow = flows.setdefault(key, dict.fromkeys(COLUMNS, 0))
        frames.append((len(frames), frame, len(frame)))
        flow["packets"] += 1
        flow["bytes"] += len(frame) - 14
        for name, n in more.items():
            flow[name] += n

    for psn in range(100):
        ce = psn % 7 == 0
        if psn not in (20, 21, 22, 50):  # lost: two gaps, four PSNs
            after_gap = psn in (23, 51)
            add(a, b, 0x11, 0x04, psn, 3 if ce else 2, bytes(64), ce=int(ce),
                gaps=int(after_gap), missing={23: 3, 51: 1}.get(psn, 0))
        if ce:
            add(b, a, 0x12, 0x81, 0, 0, bytes(16), cnps=1)
        if psn % 10 == 0:
            add(c, b, 0x13, 0x0a, psn // 10, 1, bytes(16 + 32))
    add(b, a, 0x12, 0x11, 20, 2, bytes.fromhex("60000000"), naks=1)
    add(b, a, 0x12, 0x11, 40, 2, bytes.fromhex("1f000000"))
    return frames, flows


def check(home, tshark, failed):
    """Checks each flow of the table, and returns their number."""
    frames, flows = made()
    path = home / "flows"
    pdml.write(path, frames)
    shown = {}
    for line in tshark("-q", "-z", "rocecc,flows", "-r", path).decode().splitlines():
        cells = [cell.strip() for cell in line.split("|")[:-1]]
        if len(cells) == 3 + len(COLUMNS) and cells[0] != "Source":
            shown[tuple(cells[:3])] = dict(zip(COLUMNS, map(int, cells[3:])))
    failed.extend(f"flows: {key}: {shown.get(key)} and not {flow}"
                  for key, flow in flows.items() if shown.get(key) != flow)
    if set(shown) != set(flows):
        failed.append(f"flows: {set(shown) ^ set(flows)}")
    return len(shown)

# SPDX-License-Identifier: BSD-2-Clause
"""Captures with known flows, made here, and -z rocecc,flows."""
import struct

import pdml

COLUMNS = ("packets", "copies", "bytes", "ce", "cnps", "gaps", "missing", "naks")


def roce(src, dst, qp, opcode, psn, ecn=2, rest=b"", hops=64):
    """Returns a frame with an ICRC of 0, as it is not checked."""
    bth = struct.pack(">BBHII", opcode, 0, 0xffff, qp, psn)
    udp = struct.pack(">HHHH", 49152, 4791, 8 + len(bth + rest) + 4, 0) + bth + rest
    ip = struct.pack(">BBHIBBH4s4s", 0x45, 26 << 2 | ecn, 20 + len(udp) + 4, 0, hops, 17, 0,
                     src, dst)
    return bytes(12) + b"\x08\x00" + ip + udp + bytes(4)


def vxlan(frame, hops):
    """Returns the frame in VXLAN. Only the outer hop limit changes."""
    udp = struct.pack(">HHHHQ", 50000, 4789, 16 + len(frame), 0, 0x0800000000000700) + frame
    return bytes(12) + b"\x08\x00" + struct.pack(">BBHIBBHII", 0x45, 2, 20 + len(udp), 0, hops,
                                                 17, 0, 1, 2) + udp


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


def places():
    """Returns sections of a capture at several places, and the expected row of its flow."""
    a, b = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])

    def data(psn, **more):
        return roce(a, b, 0x11, 0x04, psn, rest=bytes(64), **more)

    first = [(0, 0, data(0)), (1, 10, data(0, hops=63, ecn=3)),  # marked on the way
             (0, 20, data(1)), (1, 30, data(1)),  # both ends of a link
             (0, 40, data(2)), (0, 50, data(2, hops=63)),  # two ports on one interface
             (0, 60, data(3)), (0, 70, data(3)),  # no copy: the same place
             (0, 80, data(4)), (1, 2000, data(4)),  # no copy: too late
             (0, 2100, vxlan(data(5), 64)), (0, 2110, vxlan(data(5), 63)),
             (0, 2200, data(6))]
    second = [(0, 2210, data(6))]  # interface 0 of another section
    flow = dict.fromkeys(COLUMNS, 0)
    flow.update(packets=9, copies=5, bytes=9 * (len(data(0)) - 14), ce=1)
    return [(2, first), (1, second)], {("192.0.2.1", "192.0.2.2", "0x000011"): flow}


def check(home, tshark, failed):
    """Checks each flow of the tables, and returns their number."""
    frames, flows = made()
    pdml.write(home / "flows", frames)
    n = check_table(home / "flows", flows, tshark, failed)
    sections, flows = places()
    pdml.write_pcapng(home / "places", sections)
    return n + check_table(home / "places", flows, tshark, failed)


def check_table(path, flows, tshark, failed):
    shown = {}
    for line in tshark("-q", "-z", "rocecc,flows", "-r", path).decode().splitlines():
        cells = [cell.strip() for cell in line.split("|")[:-1]]
        if len(cells) == 3 + len(COLUMNS) and cells[0] != "Source":
            shown[tuple(cells[:3])] = dict(zip(COLUMNS, map(int, cells[3:])))
    failed.extend(f"{path.name}: {key}: {shown.get(key)} and not {flow}"
                  for key, flow in flows.items() if shown.get(key) != flow)
    if set(shown) != set(flows):
        failed.append(f"{path.name}: {set(shown) ^ set(flows)}")
    return len(shown)

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
    return [bytes.fromhex(line) for line in text.split()]


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

# Opcodes of which the library knows no more than the BTH, with the right ICRC. The last
# one has a wrong ICRC.
unknown = [icrc(cnp[:42] + bytes([op]) + cnp[43:])
           for op in (0xc0, 0xd1, 0xff, 0x18, 0x44)]
pcap("opcodes.pcap", unknown + [unknown[0][:-1] + bytes([unknown[0][-1] ^ 1])])

# SPDX-License-Identifier: BSD-2-Clause
"""pcapng.py: reads cclab's captures, and asserts that each block is well-formed.

    comment, interfaces, frames = pcapng.read(path)

Each interface is a Link, and each frame a Frame, in the order of the file.
"""
import pathlib
import struct
import typing

END, COMMENT, FLAGS, NAME, DESCRIPTION, SPEED, TIME_UNIT = 0, 1, 2, 2, 3, 8, 9


class Link(typing.NamedTuple):
    name: str
    description: str
    speed_bps: int


class Frame(typing.NamedTuple):
    ns: int
    length: int  # on the wire, without preamble, FCS and gap
    bytes: bytes
    link: int
    outbound: bool  # sent by the link's first-named end


def options(b):
    """Returns the options of a block by code."""
    found, at = {}, 0
    while True:
        code, n = struct.unpack("<HH", b[at:at + 4])
        at += 4
        if code == END:
            assert n == 0 and at == len(b), "bytes follow the last option"
            return found
        assert code not in found, f"option {code} stands twice"
        found[code], at = b[at:at + n], at + (n + 3) // 4 * 4


def blocks(b):
    at = 0
    while at < len(b):
        kind, n = struct.unpack("<II", b[at:at + 8])
        assert n % 4 == 0 and n >= 12 and at + n <= len(b), f"a block of {n} bytes at {at}"
        assert struct.unpack("<I", b[at + n - 4:at + n]) == (n,), "a block has two lengths"
        yield kind, b[at + 8:at + n - 4]
        at += n


def read(path):
    comment, links, frames = None, [], []
    for i, (kind, b) in enumerate(blocks(pathlib.Path(path).read_bytes())):
        assert (kind == 0x0a0d0d0a) == (i == 0), "the file has not exactly one section"
        if i == 0:
            assert struct.unpack("<IHHq", b[:16]) == (0x1a2b3c4d, 1, 0, -1)
            comment = options(b[16:])[COMMENT].decode()
        elif kind == 1:
            assert struct.unpack("<HHI", b[:8]) == (1, 0, 262144) and not frames
            o = options(b[8:])
            assert o[TIME_UNIT] == b"\x09", "times are not in ns"
            links.append(Link(o[NAME].decode(), o[DESCRIPTION].decode(),
                              struct.unpack("<Q", o[SPEED])[0]))
        else:
            link, high, low, n, length = struct.unpack("<IIIII", b[:20])
            flags, = struct.unpack("<I", options(b[20 + (n + 3) // 4 * 4:])[FLAGS])
            assert kind == 6 and link < len(links) and n <= length and flags in (1, 2)
            frames.append(Frame(high << 32 | low, length, b[20:20 + n], link, flags == 2))
    return comment, links, frames

# SPDX-License-Identifier: BSD-2-Clause
"""rocegen_wire.py NAMESPACE FILE N: writes the first N frames of RoCEv2 over IPv4 at
the interface w of a network namespace, each in a line of hex. FILE exists as soon as it
listens."""
import ctypes
import os
import socket
import sys

CLONE_NEWNET = 0x40000000
ETH_P_ALL = 0x0003
name, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])

with open(f"/var/run/netns/{name}", "rb") as namespace:
    if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
        sys.exit(f"setns: {os.strerror(ctypes.get_errno())}")
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
wire.bind(("w", 0))
wire.settimeout(20)
with open(path, "w", encoding="ascii") as out:
    while count > 0:
        frame = wire.recv(65536)
        if frame[12:14] == b"\x08\x00" and frame[36:38] == b"\x12\xb7":
            out.write(frame.hex() + "\n")
            count -= 1

# SPDX-License-Identifier: BSD-2-Clause
"""live.py IFACE N: sends a CNP N times, as an Ethernet frame."""
import pathlib, socket, struct, sys, time

data = pathlib.Path("vectors/pcap/frame.pcap").read_bytes()[24:]
cnp = data[16:16 + struct.unpack("<I", data[8:12])[0]]
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
link.bind((sys.argv[1], 0))
for _ in range(int(sys.argv[2])):
    link.send(cnp)
    time.sleep(0.02)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""soak.py ROCEDUMP SECONDS: sends spoofed RoCE traffic through a veth pair for that time, while
rocedump -i measures flows. Its memory must stay below its ceiling, and it must end with its
table. Needs root. The interfaces are in a network namespace of their own, made here."""
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import time

CEILING_KB = 300 << 10  # resident; the tables of --flows are at most about 200 MB
WRITE, ACK, CNP = 0x0a, 0x11, 0x81
dump, seconds = sys.argv[1], int(sys.argv[2])
pick = random.Random(1)

if "SOAK_NETNS" not in os.environ:
    os.environ["SOAK_NETNS"] = "1"
    os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])
for command in ("link add soak0 type veth peer name soak1", "link set soak0 up",
                "link set soak1 up"):
    subprocess.run(["ip", *command.split()], check=True)


def frame():
    """Returns a frame whose addresses, QP, PSN and hop limit are random. Every fourth source
    repeats, so that flows, CNPs, copies and gaps go on as well."""
    src = pick.getrandbits(32) if pick.random() < 0.75 else 0x0a000000 + pick.getrandbits(8)
    opcode = pick.choice([WRITE, WRITE, ACK, CNP])
    bth = struct.pack(">BBHII", opcode, 0x40, 0xffff, pick.getrandbits(10),
                      pick.getrandbits(24)) + bytes(pick.choice([16, 16, 32])) + bytes(4)
    udp = struct.pack(">HHHH", 49152, 4791, 8 + len(bth), 0) + bth
    ip = struct.pack(">BBHHHBBH", 0x45, pick.getrandbits(2), 20 + len(udp), 0, 0x4000,
                     pick.choice([63, 64]), 17, 0) + struct.pack(">II", src, 0x0a010001)
    return bytes.fromhex("020000000002020000000001") + b"\x08\0" + ip + udp


def resident_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1])


tool = subprocess.Popen([dump, "--flows", "-i", "soak1"], stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, text=True)
tool.stderr.readline()  # it listens
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
link.bind(("soak0", 0))
end, sent, most, shown = time.monotonic() + seconds, 0, 0, 0
while time.monotonic() < end:
    for _ in range(1000):
        link.send(frame())
    sent += 1000
    most = max(most, resident_kb(tool.pid))
    if seconds - (end - time.monotonic()) >= shown + 60:
        shown += 60
        print(f"soak: {shown} s, {sent} frames, {most // 1024} MB", flush=True)
    if most > CEILING_KB or tool.poll() is not None:
        break
time.sleep(1)
tool.send_signal(signal.SIGINT)
out, said = tool.communicate(timeout=120)
rows = len(re.findall(r"(?m)^ *[\d.]+ +10\.1\.0\.1 +0x", out))
others = re.search(r"(?m)^ *others +- +- +\S+ +(\d+)", out)
print(f"soak: {sent} frames in {seconds} s, at most {most // 1024} MB, {rows} rows, "
      f"{others[1] if others else 0} packets in others, status {tool.returncode}")
if said:
    print(f"soak: {said.strip()}")
if most > CEILING_KB or tool.returncode != 0 or rows == 0:
    sys.exit("soak: the memory, the status or the table is not as it must be")

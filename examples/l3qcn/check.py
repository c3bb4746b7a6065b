#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""check.py OUT: checks the captures and logs that run.sh has left in OUT.

It parses captures itself and with tshark, not with the library. Only the layout of the
private CNM is from wire/l3qcn.h, because no other source defines it."""
import collections
import ipaddress
import pathlib
import struct
import subprocess
import sys

out = pathlib.Path(sys.argv[1])
PORT, LINE_BPS, MIN_BPS = 51966, 8000000, 125000


def mac(text):
    return bytes.fromhex("02000000" + text)


HOST, TOR, SWITCH = mac("0101"), mac("0102"), mac("0302")
TOR_UP = mac("0201")  # the ToR's port to the fabric
Flow = collections.namedtuple("Flow", "id src dst sport dport tags")
FLOWS = [Flow(0x0a01, "192.0.2.10", "198.51.100.20", 50001, 6001,
              [(0x88a8, 100), (0x8100, 7)]),
         Flow(0x0b02, "2001:db8:a::10", "2001:db8:b::20", 50002, 6002, [(0x8100, 8)])]
bad = 0


def say(text):
    global bad
    bad += 1
    if bad <= 20:
        print(f"drop-ins: l3qcn: {text}")


def frames(name):
    """Returns the frames of a pcap file in this host's byte order."""
    data, at, found = (out / name).read_bytes(), 24, []
    while at < len(data):
        size = struct.unpack("=I", data[at + 8:at + 12])[0]
        found.append(data[at + 16:at + 16 + size])
        at += 16 + size
    return found


def ip_of(frame):
    """Returns (version, source, destination, hops, UDP ports, UDP payload), or None."""
    kind, p = frame[12:14], frame[14:]
    if kind == b"\x08\x00" and p[9] == 17:
        ends, hops, udp = (p[12:16], p[16:20]), p[8], p[20:]
    elif kind == b"\x86\xdd" and p[6] == 17:
        ends, hops, udp = (p[8:24], p[24:40]), p[7], p[40:]
    else:
        return None
    src, dst = (str(ipaddress.ip_address(a)) for a in ends)
    return p[0] >> 4, src, dst, hops, struct.unpack("!HH", udp[:4]), udp[8:]


def is_private(frame):
    ip = ip_of(frame)
    return ip is not None and ip[4][1] == PORT


def pdu_of(payload):
    """Returns (flow, PDU) of a private CNM, or a text with the error."""
    magic, first, proto, total, head, _, sport, dport = struct.unpack("!HBBHBBHH",
                                                                      payload[:12])
    if (magic, first >> 4, proto, total) != (0x4c51, 1, 17, len(payload)):
        return "has a wrong version, protocol or length"
    size = 16 if first & 8 else 4
    src, dst = (str(ipaddress.ip_address(payload[12 + i * size:12 + (i + 1) * size]))
                for i in (0, 1))
    for flow in FLOWS:
        if (src, dst, sport, dport) == flow[1:5] and head == 12 + 2 * size and first & 4:
            return flow, payload[head:]
    return f"does not belong to a flow: {src} {sport} {dst} {dport}"


def at_fabric():
    """Checks the private CNMs between ToR and fabric with tshark, and returns them."""
    fields = ["udp.checksum.status", "ip.checksum.status", "ip.ttl", "ipv6.hlim",
              "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "udp.payload"]
    text = subprocess.run(
        ["tshark", "-r", out / "fabric.pcap", "-o", "udp.check_checksum:TRUE", "-o",
         "ip.check_checksum:TRUE", "-Y", f"udp.dstport=={PORT}", "-T", "fields", "-E",
         "separator=,"] + [x for f in fields for x in ("-e", f)],
        capture_output=True, text=True, check=True).stdout
    found = []
    for line in text.splitlines():
        udp, ip, ttl, hlim, src, dst, src6, dst6, payload = line.split(",")
        made = pdu_of(bytes.fromhex(payload))
        if udp != "1" or ip not in ("", "1"):
            say("the fabric has a private CNM with a wrong checksum")
        if isinstance(made, str):
            say(f"the fabric has a private CNM that {made}")
            continue
        if (src or src6, dst or dst6) != (made[0].dst, made[0].src):
            say(f"the fabric has a private CNM from {src or src6} to {dst or dst6}, not "
                "from the flow's destination to its source")
        if (ttl or hlim) != "63":
            say(f"the fabric has a private CNM with {ttl or hlim} hops left, so it was not "
                "routed once")
        found.append(made)
    return found


def at_switch(private):
    """Checks these private CNMs at their switch. Returns their number."""
    seen = [f for f in frames("switch.pcap") if f[6:12] == SWITCH and is_private(f)]
    data = {f[12:76] for f in frames("switch.pcap") if f[:6] == SWITCH}
    if sorted(ip_of(f)[5] for f in seen) != sorted(raw_fabric):
        say("the private CNMs from the switch differ from those between fabric and ToR")
    if any(ip_of(f)[3] != 64 for f in seen):
        say("the switch does not send with a hop limit of 64")
    for _, pdu in private:
        zero, fb, cpid, _, _, pri, dst, size = struct.unpack("!BBQhhH6sH", pdu[:24])
        if (zero, cpid, pri, dst) != (0, int.from_bytes(SWITCH, "big") << 16 | 13, 0xa000,
                                      SWITCH) or not 1 <= fb <= 63:
            say(f"a PDU is not from the switch: {pdu[:24].hex()}")
        if size != 64 or pdu[24:] not in data:
            say(f"an MSDU matches no frame at the switch: {pdu[24:].hex()}")
    return len(seen)


def cnm(flow, pdu):
    """Returns the CNM for the host, with the priority and DA of its own frame."""
    tags = b"".join(struct.pack("!HH", tpid, 6 << 13 | vid) for tpid, vid in flow.tags)
    return (HOST + TOR + tags + struct.pack("!HHH", 0x22e9, flow.id, 0x22e7) + pdu[:14] +
            struct.pack("!H6s", 5 << 13, TOR) + pdu[22:])


def at_host(private):
    """Returns each flow's QntzFb at the host, and the number of answers."""
    expected = {f.id: [(cnm(f, pdu), pdu[1] & 63) for of, pdu in private if of == f]
                for f in FLOWS}
    got, answers = {f.id: [] for f in FLOWS}, 0
    for frame in frames("host.pcap"):
        if frame[:6] != HOST:
            continue
        ip = ip_of(frame)
        if is_private(frame):
            say("a private CNM reached the host")
        elif ip is not None:
            answers += 1
        else:
            for flow, waiting in expected.items():
                while waiting and waiting[0][0] != frame:
                    if not any(f == frame for f, _ in waiting):
                        break
                    waiting.pop(0)  # held by the gate
                if waiting and waiting[0][0] == frame:
                    got[flow].append(waiting.pop(0)[1])
                    break
            else:
                say(f"the host got a frame that is not a CNM for it: {frame[:60].hex()}")
    return got, answers


def counts(name):
    return {k: int(v) for k, v in (line.split() for line in
            (out / f"{name}.log").read_text().splitlines()
            if len(line.split()) == 2 and line.split()[1].isdigit())}


def rates(got):
    """Checks each CNM's rate by RP-5 (algo/README.md). Other changes must be increases."""
    rate, told = {f.id: LINE_BPS for f in FLOWS}, {f.id: [] for f in FLOWS}
    least, sent = dict(rate), 0
    for line in (out / "host.log").read_text().splitlines():
        pairs = dict(x.split("=") for x in line.split() if "=" in x)
        if "sent" in pairs:
            sent += int(pairs["sent"])
        if "rate_bps" not in pairs:
            continue
        flow, fb, was, now = (int(pairs[k], 0) for k in
                              ("flow_id", "qntz_fb", "before_bps", "rate_bps"))
        if was != rate[flow]:
            say(f"flow 0x{flow:04x} had {rate[flow]} bit/s, but its next line starts at {was}")
        if line.startswith("cnm "):
            told[flow].append(fb)
            right = max(was - (was * fb >> 7), was * 50 // 100, MIN_BPS)
            if now != right:
                say(f"QntzFb {fb} must leave {right} of {was} bit/s, not {now}")
        elif now <= was:
            say(f"without a CNM, {was} bit/s became {now}, not more")
        rate[flow] = now
        least[flow] = min(least[flow], now)
    for f in FLOWS:
        if told[f.id] != got[f.id]:
            say(f"flow 0x{f.id:04x} got CNMs {got[f.id]}, but the host printed {told[f.id]}")
        if not told[f.id] or least[f.id] > LINE_BPS // 2:
            say(f"flow 0x{f.id:04x} never slowed down")
    return sent


def same(what, a, b):
    if a != b:
        say(f"{what}: {a} and {b}")


raw_fabric = [ip_of(f)[5] for f in frames("fabric.pcap") if is_private(f)]
for f in frames("fabric.pcap"):
    if f[6:12] == TOR_UP and (ip_of(f) is None or ip_of(f)[3] != 63):
        say(f"the ToR routed a frame with tags, or with a wrong hop limit: {f[:60].hex()}")
private = at_fabric()
from_switch = at_switch(private)
got, answers = at_host(private)
sent = rates(got)
tor, switch, receiver = (counts(n) for n in ("tor", "switch", "receiver"))
for f in FLOWS:
    if sum(of == f for of, _ in private) < 3:
        say(f"too few private CNMs to {f.src} in the fabric")
same("the ToR converted or held back, and there were", tor["converted"] + tor["gate"],
     len(private))
same("the ToR converted, and the host got", tor["converted"],
     sum(len(g) for g in got.values()))
same("the switch sent private CNMs, and there were", switch["cnms"], from_switch)
same("the host sent data, and the ToR learned from", sent, tor["data"])
same("the host sent data, and the switch had", sent, switch["data"] + switch["dropped"])
same("the switch let pass, and the receiver got", switch["data"],
     receiver["ipv4"] + receiver["ipv6"])
same("answers of the receiver, at the ToR, at the host",
     (receiver["answers"], receiver["answers"]), (tor["other"], answers))
same("flows, and private CNMs from the host", (tor["flows"], tor["spoof"]), (2, 2))
same("those were on the host's link", 2,
     sum(f[6:12] == HOST and is_private(f) for f in frames("host.pcap")))
same("other verdicts of the ToR", 0, sum(tor[v] for v in (
    "untagged no_flow tags station limited crowded wrapped arrival checksum malformed "
    "no_entry aged mac msdu space cpid rate").split()))
same("the ToR admitted what it converted", tor["admission.admitted"], tor["converted"])
if tor["gate"] == 0:
    say("the ToR's gate held no CNM back")
if bad:
    sys.exit(1)
print(f"drop-ins: l3qcn: the kernel routed {len(private)} private CNMs, the host got "
      f"{tor['converted']} CNMs for its flows over IPv4 and IPv6, and slowed down as told")

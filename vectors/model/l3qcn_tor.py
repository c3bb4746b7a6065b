# SPDX-License-Identifier: BSD-2-Clause
"""
An independent model of the access ToR, by the statements of draft-yu-tsvwg-l3qcn-00 and the
steps of role/README.md. It reads the bytes of each frame, and its table is a dict. It writes
l3qcn_tor.vec. With --check, it compares the file instead. If a verdict or a frame differs from
the row by hand in tor_rows.py, it stops and writes nothing.
"""
import pathlib
import struct
import sys
import textwrap
from ipaddress import IPv6Network

VECTORS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import admission
import arrival
import tor_rows

PATH = VECTORS / "l3qcn_tor.vec"


# ---- Frames -------------------------------------------------------------------------

def u16(data, at):
    return struct.unpack_from(">H", data, at)[0]


class Frame:
    """A frame's MAC addresses, tags, CN-TAG and IP packet."""

    def __init__(self, data, ah):
        self.dst, self.src, at = data[:6], data[6:12], 12
        self.tags, self.cntag = [], None
        while u16(data, at) in (0x8100, 0x88a8):
            self.tags.append((u16(data, at), u16(data, at + 2)))
            at += 4
        if u16(data, at) == 0x22e9:
            self.cntag, at = u16(data, at + 2), at + 4
        self.type, self.at, self.packet = u16(data, at), at + 2, data[at + 2:]
        self.ip = Ip(self.type, self.packet, ah)


class Ip:
    """The addresses, ports and payload of an IPv4 or IPv6 packet. The payload is `body`."""

    def __init__(self, kind, p, ah=False):
        self.version = {0x0800: 4, 0x86dd: 6}.get(kind, 0)
        self.fragment = False
        self.ports = self.flow = None
        if not self.version:
            return
        if self.version == 4:
            self.src, self.dst, self.proto = p[12:16], p[16:20], p[9]
            at, end = 4 * (p[0] & 15), u16(p, 2)
            self.fragment = u16(p, 6) & 0x1fff != 0
            if self.proto == arrival.AH and ah:
                self.proto, at = p[at], at + 8 + 4 * p[at + 1]
        else:
            self.src, self.dst, self.proto = p[8:24], p[24:40], p[6]
            at, end = 40, 40 + u16(p, 4)
            for was, where, header, _ in arrival.chain(p[:end]):
                self.proto, at = header[0], where + len(header)
                if was == arrival.FRAGMENT and u16(header, 2) >> 3:
                    self.fragment = True
                if was == arrival.AH and not ah:
                    break  # the walk ends after AH, and the ports follow it
        self.body = p[at:end]
        if not self.fragment:
            self.ports = self.body[:4] if self.proto in (6, 17) else bytes(4)
            self.flow = self.src, self.dst, self.proto, self.ports

    def is_private(self, port):
        return self.flow is not None and self.proto == 17 and u16(self.ports, 2) == port

    def has_datagram(self):
        """Returns true if UDP Length covers at least the UDP header."""
        return u16(self.body, 4) >= 8

    def checksum_is_right(self):
        data = self.src + self.dst + struct.pack(">HH", len(self.body), 17) + self.body
        return u16(self.body, 6) and sum(
            u16(data + b"\0", i) for i in range(0, len(data), 2)) % 0xffff == 0


def private(ip):
    """Checks a private CNM. Returns (None, flow, PDU), or (first reason, None, None)."""
    if u16(ip.body, 4) > len(ip.body):
        return "cut", None, None
    b = ip.body[8:]
    if u16(b, 0) != 0x4c51:
        return "not_magic", None, None
    if b[2] >> 4 != 1:
        return "new_version", None, None
    size = 16 if b[2] & 8 else 4
    total, head = u16(b, 4), b[6]
    if head < 12 + 2 * size:
        return "bad_header_length", None, None
    if total < head + 24:
        return "bad_total_length", None, None
    if total > len(b):
        return "cut", None, None
    if size != len(ip.src):
        return "wrong_family", None, None
    src, dst = b[12:12 + size], b[12 + size:12 + 2 * size]
    if (src, dst) != (ip.dst, ip.src):
        return "spoofed", None, None
    pdu = b[head:total]
    if u16(pdu, 22) > 64:
        return "long_msdu", None, None
    if 24 + u16(pdu, 22) > len(pdu):
        return "cut_msdu", None, None
    return None, (src, dst, b[3], b[8:12] if b[2] & 4 else bytes(4)), pdu


# ---- The ToR ------------------------------------------------------------------------

class Bucket:
    """A bucket whose tokens have 10^9 parts. Each nanosecond adds `rate` parts. It
    starts empty at time 0."""

    def __init__(self, rate, burst):
        self.rate, self.full, self.level, self.last = rate, burst * 10**9, 0, 0

    def take(self, now):
        self.level = min(self.full, self.level + (now - self.last) * self.rate)
        self.last = now
        if self.level < 10**9:
            return False
        self.level -= 10**9
        return True


class Tor:
    def __init__(self, config):
        self.c, self.flows = config, {}
        self.ports = [Bucket(config["port_limit.rate_per_s"], config["port_limit.burst"])
                      for _ in range(8)]
        self.limiter = admission.Limiter(admission.params(config), config["sources"])

    def l3qcn_tor_learn(self, data, e):
        f = Frame(data, self.c["ah"])
        if f.ip.is_private(self.c["l3qcn.port"]):
            return {"what": "spoofed"}
        if f.cntag is None and not self.c["learn_untagged"]:
            return {"what": "untagged"}
        if len(f.tags) > 2:
            return {"what": "too_many_tags"}
        if f.src[0] & 1 or not any(f.src):
            return {"what": "bad_station"}
        if f.ip.flow is None:
            return {"what": "no_flow"}
        key, now = (e["vrf"], f.ip.flow), e["now_ns"] // 10**6
        came = {"mac": f.src, "gw": f.dst, "port": e["port"], "id": f.cntag or 0,
                "tags": [(kind, tci & 0xfff) for kind, tci in f.tags],
                "priority": f.tags[0][1] >> 13 if f.tags else 0}
        known = self.flows.get(key)
        if (known is None or known["from"]["port"] != e["port"]) and not self.c["unlimited"]:
            held = sum(x["from"]["port"] == e["port"] for x in self.flows.values())
            if e["port"] >= len(self.ports):
                return {"what": "new_flows_limited"}
            if held >= self.c["port_flows"]:
                return {"what": "crowded"}
            if not self.ports[e["port"]].take(e["now_ns"]):
                return {"what": "new_flows_limited"}
        table = ("learned" if known is None else
                 "refreshed" if known["from"] == came else "relearned")
        self.flows[key] = {"from": came, "seen": now, "sent": known and known["sent"]}
        return {"what": "learned", "table": table}

    def begin(self, pdu, now):
        """Runs S7 and the first half of S8. Returns (None, the CPID's tag) or (verdict, 0)."""
        entry = admission.lookup(self.c["access"], pdu[2:10] + bytes(8))
        said = self.limiter.begin(entry, now)
        if said == "admitted":
            return None, entry[2]
        return "unlisted_cpid" if said == "unlisted" else "rate_limited", 0

    def passes(self, known, now, fb):
        """Returns true for the first CNM in an interval and for a stronger one (S4)."""
        sent = known["sent"]
        if sent and now - sent[0] < self.c["gate.interval_ns"] and fb <= sent[1]:
            return False
        known["sent"] = now, fb
        return True

    def l3qcn_tor_convert(self, data, e):
        f, now = Frame(data, self.c["ah"]), e["now_ns"]
        if not f.ip.is_private(self.c["l3qcn.port"]):
            return {"verdict": "other"}
        reason, error = arrival.check(f.packet)
        if reason != "ok":
            return {"verdict": "bad_arrival", "arrival": reason,
                    **arrival.members(error, f.at)}
        if not f.ip.has_datagram():
            return {"verdict": "bad_checksum"}
        why, flow, pdu = private(f.ip)
        if why:
            return {"verdict": "malformed", "why": why}
        if self.c["listed"]:
            verdict, tag = self.begin(pdu, now)
            if verdict:
                return {"verdict": verdict}
        if not f.ip.checksum_is_right():
            return {"verdict": "bad_checksum"}
        known = self.flows.get((e["vrf"], flow))
        if known is None:
            return {"verdict": "no_entry"}
        if now // 10**6 - known["seen"] >= self.c["expiry_ms"]:
            return {"verdict": "aged"}
        msdu = pdu[24:24 + u16(pdu, 22)]
        if self.c["check_msdu"] and Ip(u16(msdu, 0), msdu[2:]).flow != flow:
            return {"verdict": "wrong_msdu"}
        was = known["sent"]
        if not self.passes(known, now, pdu[1] & 63):
            return {"verdict": "held"}
        if self.c["listed"] and self.limiter.finish(tag, now) != "admitted":
            known["sent"] = was
            return {"verdict": "rate_limited"}
        return {"verdict": "converted", "port": known["from"]["port"],
                "cnm": self.cnm(known["from"], pdu)}

    def cnm(self, origin, pdu):
        """Returns the CNM (C6 to C13)."""
        frame = origin["mac"] + tor_rows.MAC
        for kind, vid in origin["tags"]:
            frame += struct.pack(">HH", kind, 6 << 13 | vid)
        frame += struct.pack(">HHH", 0x22e9, origin["id"], 0x22e7)
        if self.c["rewrite_encap"]:
            pdu = pdu[:14] + struct.pack(">H", origin["priority"] << 13) + origin["gw"] + pdu[22:]
        frame += pdu[:24 + u16(pdu, 22)]
        return frame + bytes(max(0, 60 - len(frame)))

    def l3qcn_tor_forget(self, _, e):
        def goes(vrf, x):
            return e["by"] and (not e["by"] & 1 or x["port"] == e["port"]) and (
                not e["by"] & 2 or x["port"] != e["port"]) and (
                not e["by"] & 4 or x["mac"] == e["mac"]) and (
                not e["by"] & 8 or vrf == e["vrf"])
        return self.drop(lambda key, x: goes(key[0], x["from"]))

    def l3qcn_tor_sweep(self, _, e):
        return self.drop(lambda key, x:
                         e["now_ns"] // 10**6 - x["seen"] >= self.c["expiry_ms"])

    def drop(self, goes):
        gone = [key for key, x in self.flows.items() if goes(key, x)]
        for key in gone:
            del self.flows[key]
        return {"gone": len(gone)}


# ---- Configurations -----------------------------------------------------------------

NUMBERS = ["l3qcn.port", "ah", "check_msdu", "learn_untagged", "rewrite_encap", "expiry_ms",
           "gate.interval_ns", "unlimited", "port_limit.rate_per_s", "port_limit.burst",
           "port_flows", "listed", "sources",
           *(f"admission.{name}" for name in admission.SETTINGS)]


def configured(text):
    config, access = dict.fromkeys(NUMBERS, 0), {}
    for key, value in (word.split("=") for word in text.split()):
        if key.startswith("access["):
            entry, _, member = key.partition(".")
            access.setdefault(entry, {})[member] = int(value, 0)
        else:
            assert key in config, key
            config[key] = int(value, 0)
    config["access"] = [
        (IPv6Network((e["cpid"] << 64, e["length"])), bool(e.get("permit")), e.get("tag", 0))
        for e in access.values()]
    return config


def refusal(c):
    if c["l3qcn.port"] in (0, 4791):
        return "port"
    if c["gate.interval_ns"] >= 2**31:
        return "gate"
    port = c["port_limit.rate_per_s"] and c["port_limit.burst"] and c["port_flows"]
    if not c["unlimited"] and not port:
        return "limit"
    if c["listed"] and admission.refusal(admission.params(c), c["access"]) != "accepted":
        return "limit"
    return "accepted"


# ---- The row format -----------------------------------------------------------------

def split(data):
    return " ".join(data[i:i + 4].hex() for i in range(0, len(data), 4)) or "-"


def spelled(key, value):
    if key == "mac":
        return f"mac={value.hex(':')}"
    return f"{key}={value.hex() if isinstance(value, bytes) else value}"


def pairs(fields):
    """Returns the members that are not 0, as text."""
    return [spelled(k, v) for k, v in fields.items() if v != 0]


def row_text(row, call, frame, given, gives):
    text = " ".join([f"{row} call {call} ok", split(frame), "|", *given, "->", *gives])
    return textwrap.fill(text, 88, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False)


def comment(row, kept, says):
    number = "-".join(row.split("-")[:3])
    return f"# {number}{'' if kept is None else ' kept' if kept else ' broken'}: {says}"


def lines():
    seen = set()
    yield "# SPDX-License-Identifier: BSD-2-Clause"
    yield "# The access ToR of L3QCN. Written by model/l3qcn_tor.py."
    for source, settings, rows in tor_rows.BLOCKS:
        yield f"\nsource: {source}"
        yield from (f"config {setting}" for setting in settings.split())
        config = configured(settings)
        assert refusal(config) == "accepted", source
        tor = Tor(config)
        for row, kept, says, call, gives, frame, given in rows():
            assert row not in seen, row
            seen.add(row)
            given = {**given, "now_ns": given.get("now_ns", 0) + tor_rows.START_NS}
            if call == "l3qcn_tor_learn":
                given.setdefault("port", tor_rows.HOST)
            out = getattr(tor, call)(frame, {"vrf": 0, **given})
            if {k: v for k, v in out.items() if k != "icmp.offset"} != gives:
                sys.exit(f"{row}: by hand {gives}, and the model says {out}")
            yield comment(row, kept, says)
            yield row_text(row, call, frame, pairs(given), pairs(out))
    yield "\nsource: what a configuration must not be"
    for row, kept, says, should, text in tor_rows.REFUSALS:
        assert row not in seen, row
        seen.add(row)
        if refusal(configured(text)) != should:
            sys.exit(f"{row}: by hand {should}, and the model says {refusal(configured(text))}")
        yield comment(row, kept, says)
        yield row_text(row, "l3qcn_tor_init", b"", text.split(),
                       [f"refusal={should}"] if should != "accepted" else [])


def main():
    text = "\n".join(lines()) + "\n"
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, "ascii")
    elif PATH.read_text("ascii") != text:
        sys.exit("l3qcn_tor.vec is not what its model writes")
    else:
        print(f"vectors: l3qcn_tor: {text.count(' call ')} rows, each as by hand and as the "
              "model writes it")


if __name__ == "__main__":
    main()

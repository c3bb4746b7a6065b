# SPDX-License-Identifier: BSD-2-Clause
"""
An independent model of a congested switch (role/congestion_point.h). It writes
vectors/congestion_point.vec.

../congestion_rows.py composes the frames from their fields, each with a reason and outputs
written by hand from the statements of the drafts. The switch below reads the bytes, and must
come to the same reason and outputs. Its packets complete the rows. Nothing comes from
rocecc's C.

    python3 vectors/model/congestion_point.py            writes vectors/congestion_point.vec
    python3 vectors/model/congestion_point.py --check    compares it instead
"""
import pathlib
import re
import struct
import sys
from ipaddress import IPv6Address, IPv6Network

VECTORS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import admission
import congestion_rows
import reaction_rows as frames
from reaction_point import (Broken, Unknown, listed, node_words, pairs, split,
                            type_refused, wrapped)

PATH = VECTORS / "congestion_point.vec"
HOPOPTS, TCP, UDP, ROUTING, FRAGMENT, DSTOPTS = 0, 6, 17, 43, 44, 60
MAPPED = b"\0" * 10 + b"\xff\xff"


class Undecided(Exception):
    """The drafts and the switch may differ here, so that no row may depend on it."""


# ---- Frames -------------------------------------------------------------------------


class Ip:
    """One IP header and its extension headers, and the protocol and offset after them."""

    def __init__(self, data, at, version):
        self.version, self.at, self.exts, self.fragment = version, at, [], None
        head = data[at:]
        assert head[0] >> 4 == version
        if version == 4:
            self.src, self.dst = MAPPED + head[12:16], MAPPED + head[16:20]
            self.proto, self.next = head[9], at + 4 * (head[0] & 15)
            self.end = at + int.from_bytes(head[2:4], "big")
            self.shred(int.from_bytes(head[6:8], "big") & 0x3fff, 0x1fff)
            return
        self.src, self.dst = head[8:24], head[24:40]
        self.proto, self.next = head[6], at + 40
        self.end = self.next + int.from_bytes(head[4:6], "big")
        while self.proto in (HOPOPTS, ROUTING, FRAGMENT, DSTOPTS) and not self.fragment:
            body = data[self.next:]
            size = 8 if self.proto == FRAGMENT else 8 + 8 * body[1]
            self.exts.append((self.proto, body[:size]))
            if self.proto == FRAGMENT:
                self.shred(int.from_bytes(body[2:4], "big") & 0xfff9, 0xfff8)
            self.proto, self.next = body[0], self.next + size

    def shred(self, word, offset):
        if word:
            self.fragment = "later" if word & offset else "first"

    def final(self):
        """Returns the final destination. If segments are left, it is the first segment in the SRH's
        list (RFC 8754, 2)."""
        way = [body for kind, body in self.exts if kind == ROUTING]
        return way[0][8:24] if way and way[0][3] else self.dst

    def left(self):
        return any(kind == ROUTING and body[3] for kind, body in self.exts)


class Frame:
    """The parts of a frame that a switch reads: tunnel, inner packet, flow and BTH."""

    def __init__(self, data, config):
        self.data, self.outer, self.ip, self.flow, self.bth = data, None, None, None, None
        at, version = 0, data[0] >> 4
        self.type_at = None
        if config["link"] == "ether":
            at = 12
            while data[at:at + 2] in (b"\x81\0", b"\x88\xa8"):
                at += 4
            self.type_at = at
            version = {b"\x08\0": 4, b"\x86\xdd": 6}.get(data[at:at + 2])
            at += 2
            if version is None:
                return
        self.ip = Ip(data, at, version)
        if self.ip.proto in (4, 41) and not self.ip.fragment:
            self.outer = self.ip
            self.ip = Ip(data, self.outer.next, 4 if self.outer.proto == 4 else 6)
            if self.ip.proto in (4, 41):
                raise Undecided("a tunnel in a tunnel")
        self.look(config)

    def look(self, config):
        ip, data = self.ip, self.data
        if ip.fragment == "later":
            return
        ports = (0, 0)
        if ip.proto in (TCP, UDP):
            ports = struct.unpack(">HH", data[ip.next:ip.next + 4])
        self.flow = (ip.src, ip.dst, ip.proto, *ports)
        self.roce = ip.proto == UDP and ports[1] == (config["rocev2_port"] or 4791)
        if self.roce and not ip.fragment:
            self.bth = data[ip.next + 8:ip.next + 20]

    def opcode(self):
        return self.bth[0] if self.bth else None

    def outermost(self):
        return self.outer or self.ip


def of_ip6(address):
    """Returns true if a single IPv6 host can have this address (RFC 4291, 2)."""
    return (address[0] != 0xff and int.from_bytes(address, "big") > 1 and
            address[:12] != MAPPED)


def of_host(address, version):
    """Returns true if a single host can have this IPv4 or IPv6 address (RFC 1122, 3.2.1.3)."""
    if version == 6:
        return of_ip6(address)
    return address[:12] == MAPPED and address[12] not in (0, 127) and address[12] < 224


def permitted(entries, address):
    """Returns the entry with the longest matching prefix if it permits, or else None."""
    holding = [e for e in entries if IPv6Address(address) in e[0]]
    best = max(holding, key=lambda e: e[0].prefixlen, default=None)
    return best if best and best[1] else None


def trace_of(ip, plain):
    """
    Returns the first trace in the Hop-by-Hop options (RFC 9486, 3), or None. With
    plain_only, the trace is not checked, because it is not copied.
    """
    for kind, body in ip.exts[:1]:
        if kind != HOPOPTS:
            continue
        for o, _ in listed(body):
            if o[0] != 0x31:
                continue
            if plain == "plain_only":
                return o[2:]
            if len(o) < 12 or o[3] > 1:
                raise Broken
            each, words = o[6] >> 3, (len(o) - 12) // 4
            left = int.from_bytes(o[6:8], "big") & 0x7f if o[3] == 0 else 0
            kinds = int.from_bytes(o[8:11], "big")
            if kinds & 2:
                raise Undecided("an opaque snapshot")
            if (len(o) - 12) % 4 or each != node_words(kinds) or left > words or \
                    (words - left) % each:
                if plain == "plain_if_long":
                    raise Undecided("whether a broken trace is one that does not fit")
                raise Broken
            return o[2:]
    return None


# ---- The packets that the switch sends ----------------------------------------------

def text(address):
    mapped = address[:12] == MAPPED
    return "::ffff:" + ".".join(map(str, address[12:])) if mapped else \
        str(IPv6Address(address))


def units(offset):
    """Returns units of 64 bytes, rounded towards 0 and limited to 16 bits with a sign (IEEE 802.1Q,
    33.4.6 and 33.4.7)."""
    whole = abs(offset) // 64 * (-1 if offset < 0 else 1)
    return max(-0x8000, min(0x7fff, whole))


def udp_datagram(src, dst, outer, rest):
    """Returns an IP packet with a UDP datagram and its checksum. `outer` has the DSCP, the ports
    and the hop limit."""
    length = 8 + len(rest)
    head = struct.pack(">HHHH", outer["src_port"], outer["dst_port"], length, 0)
    sum16 = frames.checksum(src + dst + struct.pack(">II", length, UDP) + head + rest +
                            b"\0" * (len(rest) % 2))
    udp = head[:6] + (sum16 if any(sum16) else b"\xff\xff") + rest
    if src[:12] == MAPPED:
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, outer["dscp"] << 2, 20 + length, 0, 0x4000,
                         outer["hop_limit"], UDP, 0, src[12:], dst[12:])
        return ip[:10] + frames.checksum(ip) + ip[12:] + udp
    return struct.pack(">IHBB", 6 << 28 | outer["dscp"] << 22, length, UDP,
                       outer["hop_limit"]) + src + dst + udp


class Switch:
    """A switch with one configuration, its gates and its buckets."""

    def __init__(self, config):
        self.config, self.gates = config, {}
        self.limiter = admission.Limiter(admission.params(config), config["sources"])

    def admitted(self, src, now):
        """Takes a token from the sender's bucket, and then one from the shared bucket. Returns
        true if both had one, or if `unlimited` is set."""
        tag = permitted(self.config["access"], src)[2]
        if not self.limiter.unlimited and tag >= len(self.limiter.sources):
            return False
        return self.limiter.finish(tag, now) == "admitted"

    def passes(self, e, n, src):
        """Returns "sent" if gate, room and buckets allow n bytes to src now, and closes the gate.
        Otherwise returns the reason."""
        was = self.gates.get(e["gate"])
        if was is not None and e["now_ns"] - was < self.config["gate.interval_ns"]:
            return "held"
        if n > e["room"]:
            return "no_space"
        if not self.admitted(src, e["now_ns"]):
            return "rate_limited"
        self.gates[e["gate"]] = e["now_ns"]
        return "sent"

    def answers(self, f):
        return f.bth is not None and f.opcode() != 0x81 and \
            f.opcode() in self.config["answer"]

    def option(self, f):
        """Returns the Destination Options header of a Fast CNP (FC-08 to FC-15)."""
        c = self.config
        trace = trace_of(f.ip, next((name for name in ("plain_only", "plain_if_long")
                                     if c[name]), ""))
        long = trace is not None and \
            len(trace) - (0 if c["fastcnp.form"] == "a" else 2) + 16 > 255
        ioam = trace is not None and not c["plain_only"] and not (
            c["plain_if_long"] and (long or not c["fastcnp.type_ioam"]))
        address = f.ip.final()
        if not ioam:
            if not c["fastcnp.type_plain"]:
                raise Broken
            given = [frames.option(c["fastcnp.type_plain"], address)]
            if c["fastcnp.align8"]:
                given.insert(0, frames.padding(4))
            return frames.options(DSTOPTS, *given)
        if long or not c["fastcnp.type_ioam"]:
            raise Broken
        if c["fastcnp.form"] == "b" and trace[1]:
            raise Undecided("form B has no IOAM-Opt-Type, so a reader takes it for 0")
        copied = trace if c["fastcnp.form"] == "a" else trace[2:]
        both = (address, copied) if c["fastcnp.address_first"] else (copied, address)
        given = [frames.option(c["fastcnp.type_ioam"], b"".join(both))]
        if c["fastcnp.form"] == "a":
            given.insert(0, frames.padding(2))
        return frames.options(DSTOPTS, *given)

    def cnp(self, f, **given):
        """Returns a CNP with the P_Key and the source port of the data (IBTA A17.9.3)."""
        c = self.config
        return frames.datagram(**{
            "sport": f.flow[3], "pkey": int.from_bytes(f.bth[2:4], "big"),
            "dscp": c["cnp.dscp"], "ecn": c["cnp.ecn"], "hops": c["cnp.hop_limit"],
            "flow": c["cnp.flow_label"], "sum": bool(c["cnp.udp_checksum"]), **given})

    def back(self, inner, f, tag):
        """Adds the headers to END.CON around `inner` (R-CON-4, R-CON-9, R-CON-10)."""
        c, end_con = self.config, f.outer.src
        way = c["policies"][tag] if tag < len(c["policies"]) else []
        if len(way) < 2 or len(way) > 8 or way[0] != end_con:
            way = [end_con]
        rest, kind = inner, 41
        if len(way) > 1:
            n = len(way)
            rest = bytes([41, 2 * n, 4, n - 1, n - 1, 0, 0, 0]) + b"".join(way) + inner
            kind = ROUTING
        word = 6 << 28 | c["cnp.dscp"] << 22 | c["cnp.ecn"] << 20 | c["flow_label"]
        return struct.pack(">IHBB", word, len(rest), kind, 64) + c["cnp.src"] + way[-1] + \
            rest

    def fast(self, f, e):
        """Returns a reason, and the Fast CNP if the reason is "sent"."""
        c = self.config
        if f.ip is None or f.ip.version != 6 or not self.answers(f):
            return "not_data", None
        if not of_ip6(f.ip.src):
            return "bad_source", None
        if not of_ip6(f.ip.final()):
            return "bad_destination", None
        if not permitted(c["access"], f.ip.src):
            return "access_denied", None
        tag = None
        if f.outer:
            if f.outer.version != 6:
                return "unlisted_tunnel", None
            if not of_ip6(f.outer.src):
                return "bad_source", None
            entry = permitted(c["tunnels"], f.outer.src)
            if entry is None:
                return "unlisted_tunnel", None
            tag = entry[2]
        try:
            ext = self.option(f)
        except (Broken, Unknown):
            return "bad_options", None
        rule = {"auto": "masked", "none": "masked"}.get(c["icrc_rule"], c["icrc_rule"])
        out = self.cnp(f, src=text(c["cnp.src"]), dst=text(f.ip.src), ext=[ext], rule=rule,
                       qp=int.from_bytes(f.bth[5:8], "big"))
        if c["icrc_rule"] == "none":
            out = out[:-4] + bytes(4)
        if f.outer:
            out = self.back(out, f, tag)
        reason = self.passes(e, len(out), f.ip.src)
        return reason, out if reason == "sent" else None

    def who(self, f):
        """Returns "sent" if the switch can answer a flow in the name of its destination, or else
        the reason."""
        if f.flow is None:
            return "not_data"
        if not of_host(f.ip.src, f.ip.version):
            return "bad_source"
        if f.ip.left():
            raise Undecided("as if from a segment")
        if not of_host(f.ip.dst, f.ip.version):
            return "bad_destination"
        return "sent"

    def domain(self, f):
        """Returns "sent" if the access list permits an answer and the packet is not in a tunnel, or
        else the reason."""
        if not permitted(self.config["access"], f.ip.src):
            return "access_denied"
        return "unlisted_tunnel" if f.outer else "sent"

    def standard(self, f, e):
        """Returns a reason, and the CNP in the receiver's name if the reason is "sent"
        (R-L3-14)."""
        if not self.answers(f):
            return "not_data", None
        reason = self.who(f)
        if reason == "sent":
            reason = self.domain(f)
        if reason == "sent" and (e["qpn"] is None or e["qpn"] >> 24):
            reason = "needs_qpn"
        if reason != "sent":
            return reason, None
        out = self.cnp(f, src=text(f.ip.dst), dst=text(f.ip.src), qp=e["qpn"])
        reason = self.passes(e, len(out), f.ip.src)
        return reason, out if reason == "sent" else None

    def private(self, f, e):
        """Returns a reason, and the private CNM if the reason is "sent" (R-L3-6 to R-L3-9, R-L3-15,
        R-L3-16)."""
        c = self.config
        if not e["cnm"]:
            return "not_asked", None
        reason = self.who(f)
        if reason != "sent":
            return reason, None
        src, dst, proto, sport, dport = f.flow
        if f.type_at is None or proto == UDP and dport == c["l3qcn.port"] or \
                f.roce and not self.answers(f):
            return "not_data", None
        reason = self.domain(f)
        if reason != "sent":
            return reason, None
        msdu = f.data[f.type_at:f.outermost().end][:c["msdu_bytes"]]
        pdu = struct.pack(">H8shhH6sH", e["qntz_fb"], e["cpid"], units(e["offset_bytes"]),
                          units(e["delta_bytes"]), e["priority"] << 13, f.data[:6],
                          len(msdu)) + msdu
        v4, ports = f.ip.version == 4, proto in (TCP, UDP)
        n = 20 if v4 else 44
        head = struct.pack(">HBBHBBHH", 0x4c51, 0x10 | (0 if v4 else 8) | ports * 4, proto,
                           n + len(pdu), n, 0, sport, dport)
        rest = head + (src[12:] + dst[12:] if v4 else src + dst) + pdu
        out = udp_datagram(dst, src, {
            "src_port": c["l3qcn_outer.src_port"], "dst_port": c["l3qcn.port"],
            "dscp": 48, "hop_limit": 64}, rest)
        reason = self.passes(e, len(out), f.ip.src)
        return reason, out if reason == "sent" else None

    def marks(self, reason, alone):
        """Returns true if the switch marks the packet (FC-01, FC-02). With `alone` or
        mark_known_only, a sent notification replaces the mark. With `alone` and quiet_if_told,
        a held notification does so, too."""
        if reason == "sent":
            return not alone and not self.config["mark_known_only"]
        return not (reason == "held" and alone and self.config["quiet_if_told"])

    def step(self, data, e):
        """Returns the reason, the outputs and the packet to send for a frame."""
        c, f = self.config, Frame(data, self.config)
        drop = ["drop"] if e["verdict"] == "drop" else []
        if e["priority"] < 8 and c["qcn_priorities"] >> e["priority"] & 1:
            reason, out = self.private(f, e)
            return reason, drop + (["cnm"] if out else []), out
        if e["verdict"] != "mark":
            return "not_asked", drop, None
        reason, out, name, alone = "disabled", None, "fast_cnp", e["sender_support"] == "yes"
        if c["fastcnp_enabled"] and e["sender_support"] == "no":
            reason = "not_capable"
        elif c["fastcnp_enabled"]:
            reason, out = self.fast(f, e)
        if c["standard_cnp"] and reason in ("disabled", "not_capable", "not_data"):
            name, alone = "cnp", True
            reason, out = self.standard(f, e)
        given = ["mark"] if self.marks(reason, alone) else []
        return reason, given + ([name] if out else []), out


def marked(data, config):
    """Returns the outermost IP header's first 20 bytes with CE. Returns None if it is Not-ECT, or
    if the frame has no IP header."""
    ip = Frame(data, config).outermost()
    if ip is None:
        return None
    head = bytearray(data[ip.at:ip.at + 20])
    if ip.version == 4:
        if not head[1] & 3:
            return None
        head[1] |= 3
        assert len(head) == 20 and head[0] == 0x45
        head[10:12] = b"\0\0"
        head[10:12] = frames.checksum(bytes(head))
        return bytes(head)
    if not head[1] & 0x30:
        return None
    head[1] |= 0x30
    return bytes(head)


# ---- Configurations -----------------------------------------------------------------

NUMBERS = {**dict.fromkeys([
    "fastcnp_enabled", "mark_known_only", "quiet_if_told", "plain_only", "plain_if_long",
    "flow_label", "gate.interval_ns", "sources",
    *(f"admission.{name}" for name in admission.SETTINGS),
    "standard_cnp", "qcn_priorities", "l3qcn_outer.src_port", "msdu_bytes",
    "cnp.ecn", "cnp.flow_label", "cnp.udp_checksum", "fastcnp.type_plain",
    "fastcnp.type_ioam", "fastcnp.address_first", "fastcnp.align8", "l3qcn.port",
    "rocev2_port"], 0), "cnp.dscp": 48, "cnp.hop_limit": 64}
NAMES = {"fastcnp.form": "a", "icrc_rule": "auto", "link": "ether"}


def entries(given):
    return [(IPv6Network(f"{e['prefix']}/{e.get('length', 0)}"), e.get("permit") == "1",
             int(e.get("tag", 0))) for e in given.values()]


def answered(value):
    if value == "data":
        return congestion_rows.DATA
    return {int(word, 0) for word in value.split("+")}


def configured(words):
    """Returns NAME=VALUE ... as a dict, with lists of networks, permits, tags and segments."""
    config = {**NUMBERS, **NAMES, "answer": set(), "cnp.src": bytes(16)}
    lists, ways = {"access": {}, "tunnels": {}}, {}
    for key, value in (word.split("=") for word in words.split()):
        name, _, member = key.partition(".")
        if name[:-3] in lists:
            lists[name[:-3]].setdefault(name, {})[member] = value
        elif name.startswith("policies["):
            way = ways.setdefault(name, [])
            if member:  # adds zero segments up to this number, for too long a policy
                way += [bytes(16)] * (int(value) - len(way))
            else:
                way += [frames.packed(a) for a in value.split("+") if a]
        elif key == "answer":
            config[key] = answered(value)
        elif key == "cnp.src":
            config[key] = frames.packed(value)
        elif key in NAMES:
            config[key] = value
        else:
            assert key in NUMBERS, key
            config[key] = int(value, 0)
    config["policies"] = list(ways.values())
    return {**config, **{name: entries(lists[name]) for name in lists}}


def refusal(c):
    """Returns the first reason to reject a configuration, in the header's order, or "accepted"."""
    if not (c["fastcnp_enabled"] or c["standard_cnp"] or c["qcn_priorities"]):
        return "accepted"
    kinds = c["fastcnp.type_plain"], c["fastcnp.type_ioam"]
    if c["fastcnp_enabled"] and (any(map(type_refused, kinds)) or kinds[0] == kinds[1]):
        return "types"
    if c["fastcnp_enabled"] and not of_ip6(c["cnp.src"]):
        return "address"
    if c["fastcnp_enabled"] and c["icrc_rule"] == "standard":
        return "rule"
    if not c["access"]:
        return "access"
    if not c["answer"]:
        return "answer"
    if c["cnp.dscp"] > 63 or c["cnp.ecn"] > 3:
        return "cnp"
    if c["gate.interval_ns"] >= 1 << 31:
        return "gate"
    if c["qcn_priorities"] and not c["l3qcn.port"]:
        return "l3qcn"
    if admission.refusal(admission.params(c), c["access"]) != "accepted":
        return "limit"
    return "accepted"


def policy_refusal(c):
    way = c["policies"][0]
    return "policy" if len(way) > 8 or not all(map(of_ip6, way)) else "accepted"


# ---- The row format -----------------------------------------------------------------

def event(given):
    """Returns the event of a row. A value that the row does not give has README's default."""
    e = {"verdict": "mark", "sender_support": "unknown", "qpn": None, "priority": 0, "now_ns": 0,
         "gate": 0, "room": 1 << 30, "cnm": 0, "qntz_fb": 0, "offset_bytes": 0,
         "delta_bytes": 0, "cpid": "00" * 8, **given}
    e["cpid"] = bytes.fromhex(e["cpid"])
    e["qpn"] = e["qpn"] and int(e["qpn"], 0)
    return e


def told(switch, data, reason, outputs, out):
    """Yields the results that follow the arrow of a row."""
    order = ["mark", "drop", "fast_cnp", "cnp", "cnm"]
    yield f"reason={reason}"
    if outputs:
        yield "outputs=" + "+".join(sorted(outputs, key=order.index))
    if out:
        yield f"sent={out.hex()}"
    head = marked(data, switch.config) if "mark" in outputs else None
    if head:
        yield f"marked={head.hex()}"
    ip = Frame(data, switch.config).ip
    entry = permitted(switch.config["access"], ip.src) if ip else None
    state = switch.limiter.state(entry[2] if entry else 1 << 32)
    yield from pairs("", {k: v for k, v in state.items() if k != "verified_e9"})


def row_text(head, data, given, gives):
    return wrapped(" ".join([head, *(split(data) if data else "-"), "|", *given, "->",
                             *gives]))


def comment(row_id, says):
    number = re.match(r"(FC|R-\w+)-\d+", row_id)
    return f"# {number[0]}: {says}" if number else f"# {says}"


class Lines:
    """The lines of the file. Exits if the model differs from a result by hand."""

    def __init__(self):
        self.seen = set()

    def once(self, row_id, says):
        if row_id in self.seen:
            sys.exit(f"{row_id}: twice")
        self.seen.add(row_id)
        return comment(row_id, says)

    def steps(self):
        for source, settings, rows in congestion_rows.blocks():
            yield f"\nsource: {source}"
            yield from (f"config {setting}" for setting in settings.split())
            config = configured(settings)
            assert refusal(config) == "accepted", (source, refusal(config))
            switch = Switch(config)
            for row_id, says, reason, outputs, data, given in rows:
                yield self.once(row_id, says)
                try:
                    is_reason, is_outputs, out = switch.step(data, event(given))
                except Undecided as e:
                    sys.exit(f"{row_id}: no row rests on this: {e}")
                if (is_reason, set(is_outputs)) != (reason, set(outputs.split("+")) - {""}):
                    sys.exit(f"{row_id}: by hand {reason} {outputs}, and the model says "
                             f"{is_reason} {'+'.join(is_outputs)}")
                yield row_text(f"{row_id} call congestion_point ok", data,
                               [f"{k}={v}" for k, v in given.items()],
                               told(switch, data, reason, is_outputs, out))

    def refusals(self):
        source, rows = congestion_rows.REFUSALS
        yield f"\nsource: {source}"
        for row_id, says, should, words in rows:
            yield self.once(row_id, says)
            config = configured(words)
            if refusal(config) != should:
                sys.exit(f"{row_id}: by hand {should}, and the model says "
                         f"{refusal(config)}")
            on = config["fastcnp_enabled"] or config["standard_cnp"] or config["qcn_priorities"]
            limited = should == "accepted" and on
            full = admission.full_ns(admission.params(config)) if limited else {}
            yield row_text(f"{row_id} call congestion_point_init ok", b"", words.split(),
                           pairs("", {"refusal": should if should != "accepted" else 0,
                                      **{f"admission.{k}": v for k, v in full.items()}}))
        for row_id, says, should, words in congestion_rows.WAYS:
            yield self.once(row_id, says)
            if policy_refusal(configured(words)) != should:
                sys.exit(f"{row_id}: by hand {should}")
            yield row_text(f"{row_id} call congestion_policy_init ok", b"", words.split(),
                           pairs("", {"refusal": should if should != "accepted" else 0}))

    def all(self):
        yield "# SPDX-License-Identifier: BSD-2-Clause"
        yield "# A congested switch. Written by model/congestion_point.py."
        yield from self.steps()
        yield from self.refusals()
        for number in congestion_rows.STATEMENTS:
            if not any(row_id.startswith(number + "-") for row_id in self.seen):
                sys.exit(f"{number}: no row is about it")


# ---- Worked examples from elsewhere, which this switch must reproduce ---------------

def hexed(name, *ids):
    """Yields the bytes of rows of another vector file."""
    rows = re.sub(r"\s*\n[ \t]+(?=\S)", " ", (VECTORS / name).read_text("ascii"))
    for row_id in ids:
        line = re.search(rf"(?m)^{row_id}\s.*$", rows)[0]
        words = line.partition("|")[0].split()
        at = words.index("ok") + 1
        yield bytes.fromhex("".join(words[at:]))


def examples():
    """Yields examples from specifications and their tools: (name, settings, frame, event,
    expected packet)."""
    rows = congestion_rows
    fast = f"{rows.ON} {rows.FREE} "
    e9, e10, e11 = hexed("srv6.vec", "e9", "e10", "e11")
    con = (fast + rows.CON + " cnp.udp_checksum=1 flow_label=0x12345").replace(
        rows.SWITCH, "2001:db8:ffff::2")
    way = con.replace("tag=4294967295", "tag=0") + \
        f" policies[0]={rows.END_CON}+2001:db8:f1::e"
    yield "E10", con, e9, {}, e10[14:]
    yield "E11", way, e9, {}, e11[14:]
    plain, ioam = frames.fast(), frames.fast(frames.LEAD, frames.IOAM)
    yield "the plain kind", fast, rows.frame(rows.data()), {}, plain
    yield "the IOAM kind", fast, rows.frame(rows.traced()), {}, ioam
    v4, v6 = hexed("cnp.vec", "v4", "v6")
    cnp = f"standard_cnp=1 answer=data {rows.ANYBODY} {rows.FREE}"
    yield "a CNP", cnp, rows.frame(rows.data4()), {"qpn": "0x123456"}, v4
    yield "a CNP over IPv6", cnp, rows.frame(rows.data(
        src="2001:db8::2", dst="2001:db8::1")), {"qpn": "0x123456"}, v6
    e1, = hexed("frame.vec", "flow-e1")
    e4, e5 = hexed("l3qcn.vec", "p-e4", "p-e5")
    qcn = f"{rows.QCN} {rows.FREE}"
    yield "E4", qcn, e1[:20] + e1[24:], rows.SAMPLE, e4[14:]
    # The CNM of E5 holds 64 bytes of the frame, from the EtherType on. The BTH opcode
    # in them is 0.
    yield "E5", qcn, bytes.fromhex("0200000001fe02fd16783acd") + e5[-64:] + bytes(26), \
        rows.SAMPLE, e5[14:]


def main():
    for what, settings, data, given, should in examples():
        out = Switch(configured(settings)).step(data, event(given))[2]
        if out != should:
            sys.exit(f"congestion_point: {what} is {out and out.hex()}, and should be "
                     f"{should.hex()}")
    whole = "\n".join(Lines().all()) + "\n"
    if "--check" not in sys.argv[1:]:
        PATH.write_text(whole, "ascii")
        return
    is_now = PATH.read_text("ascii")
    if is_now != whole:
        old, new = is_now.split("\n"), whole.split("\n")
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), len(new))
        sys.exit(f"congestion_point.vec:{at + 1} is not what its model writes: "
                 f"{''.join(old[at:at + 1]).strip()}")
    print(f"vectors: congestion_point: {whole.count(' call ')} rows, each as by hand and "
          "as the model writes it")


if __name__ == "__main__":
    main()

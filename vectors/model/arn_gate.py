# SPDX-License-Identifier: BSD-2-Clause
"""
The gate of a node that ARNs come to (role/arn_gate.h), once more and slowly, and the rows
of vectors/arn_gate.vec. ../arn_gate_rows.py has the frames, composed from their fields,
each with a verdict that is written beside it by hand. The gate below reads the bytes and
judges: it has to come to the same verdict, and what else it gives makes the row. Nothing
comes from rocecc's C.

    python3 vectors/model/arn_gate.py            writes vectors/arn_gate.vec
    python3 vectors/model/arn_gate.py --check    compares it instead
"""
import pathlib
import sys
from ipaddress import IPv4Address, IPv6Address, IPv6Network

VECTORS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import arn_gate_rows
from reaction_point import pairs, row_text

PATH = VECTORS / "arn_gate.vec"
MAPPED = bytes(10) + b"\xff\xff"


class Final(Exception):
    """A verdict that no later question changes."""


def number(data):
    return int.from_bytes(data, "big")


def host(address, six):
    """RFC 4291, 2.5; RFC 1122, 3.2.1.3: an address that a node has."""
    if six:
        a = IPv6Address(address)
        return not (a.is_multicast or a.is_loopback or a.is_unspecified or
                    address[:12] == MAPPED)
    return address[0] not in (0, 127) and IPv4Address(address) < IPv4Address("224.0.0.0")


def skippable(body):
    """RFC 8200, 4.2, of a Hop-by-Hop header: raises the verdict of what is not."""
    at = run = seen = 0
    while at < len(body):
        kind = body[at]
        n = 1 if kind == 0 else 2 + body[at + 1] if at + 1 < len(body) else len(body) + 1
        if at + n > len(body):
            raise Final("malformed")
        if kind > 1:
            seen, run = seen + 1, 0
        else:
            run += n
        if seen > 8 or run > 7:
            raise Final("unsupported")
        if kind == 1 and any(body[at + 2:at + n]):
            raise Final("malformed")
        if kind > 1 and kind >> 6:
            raise Final("unsupported")
        at += n


class Ip:
    """One IP header: what it says, and what follows it; None: this is none."""

    def __init__(self, data):
        self.six = data[0] >> 4 == 6
        self.exts, self.more, self.later = [], False, False
        if self.six:
            self.end = 40 + number(data[4:6])
            self.hops, kind, at = data[7], data[6], 40
            self.src, self.dst = data[8:24], data[24:40]
            while kind in (0, 43, 44, 60) and not self.later:
                n = 8 if kind == 44 else 8 * (data[at + 1] + 1)
                self.exts.append((kind, data[at:at + n]))
                if kind == 44:
                    self.later = number(data[at + 2:at + 4]) >> 3 != 0
                    self.more |= data[at + 3] & 1
                kind, at = data[at], at + n
        else:
            self.end, self.hops, kind = number(data[2:4]), data[8], data[9]
            at = 4 * (data[0] & 15)
            self.options = at > 20
            self.src, self.dst = data[12:16], data[16:20]
            self.later = number(data[6:8]) & 0x1fff != 0
            self.more = data[6] & 0x20
        self.proto, self.upper = kind, data[at:self.end]
        self.beyond = data[self.end:]

    def who(self):
        return self.src if self.six else MAPPED + self.src

    def judge(self, config):
        """Whether a node may take it for its own."""
        to = self.dst if self.six else MAPPED + self.dst
        grouped = any(config["group"]) and to == config["group"] and (
            not self.six or to[0] == 0xff)
        if not host(self.dst, self.six) and not grouped:
            raise Final("bad_destination")
        if self.hops != 255 and not config["any_hops"]:
            raise Final("too_few_hops")
        if not self.six and self.options or any(k == 60 for k, _ in self.exts):
            raise Final("unsupported")
        for i, (kind, header) in enumerate(self.exts):
            if kind == 0:
                if i:
                    raise Final("malformed")
                skippable(header[2:])
            if kind == 43 and header[3]:
                raise Final("segments_left")
        if not host(self.src, self.six) or self.src == self.dst:
            raise Final("bad_source")


def message(data, config):
    """4.2 of the ARN: the members of a message."""
    if len(data) < 4:
        raise Final("malformed")
    versions = config["arn.versions"] or 3
    if not versions >> (data[1] >> 4) & 1:
        raise Final("unsupported")
    if not 1 <= data[0] <= 4:
        raise Final("malformed")
    lsb = config["arn.bit_order"] == "lsb"
    bits = [data[3] >> (i if lsb else 7 - i) & 1 for i in range(8)]
    if any(bits[4:]):
        raise Final("unsupported")
    n = len(data) - 4 - 4 * sum(bits[1:4])
    if n not in ((16, 40, 13, 37) if bits[0] else (0,)):
        raise Final("malformed")
    out = {"type": data[0], "version": data[1] >> 4, "resv": data[1] & 15,
           "metric": data[2], "para_type": data[3], "lsb": int(lsb), "tuple_bytes": n}
    if n:
        w = 4 if n < 20 else 16
        flow, rest = data[4:4 + n], data[4 + 2 * w:4 + n]
        front = MAPPED if w == 4 else b""
        out.update({"flow.src": front + flow[:w], "flow.dst": front + flow[w:2 * w],
                    "flow.src_port": number(rest[:2]), "flow.dst_port": number(rest[2:4]),
                    "flow.proto": rest[4], "flow_zero": number(rest[5:])})
    at = 4 + n
    for name, bit in zip(("path_id", "priority", "time"), bits[1:4]):
        if bit:
            out[name], at = number(data[at:at + 4]), at + 4
    if out.get("priority", 0) >= (64 if config["arn.priority"] == "dscp" else 8):
        raise Final("malformed")
    return out


class Gate:
    """One node's, over the rows of one source."""

    def __init__(self, config):
        self.config, self.last = config, 0
        self.level = config["limit.burst"] * 10**9

    def take(self, now):
        """The bucket: rules T-1 to T-5 of guard/tokenbucket.h."""
        rate, full = self.config["limit.rate_per_s"], self.config["limit.burst"] * 10**9
        if now >= self.last:
            self.level = min(full, self.level + (now - self.last) * rate)
            self.last = now
        elif self.last - now > full_ns(self.config):
            self.last = now
        if self.level < 10**9:
            return False
        self.level -= 10**9
        return True

    def judge(self, data, now):
        out = {}
        try:
            self.steps(data, now, out)
            out["verdict"] = "taken"
        except Final as e:
            out["verdict"] = str(e)
        return out

    def steps(self, data, now, out):
        config, outer, ip = self.config, None, Ip(data[14:])
        if ip.proto in (4, 41) and not ip.later:
            outer, ip = ip, Ip(ip.upper)
        port = config["arn.port"]
        if (ip.proto != 17 or ip.later or len(ip.upper) < 4 or not port or
                number(ip.upper[2:4]) != port):
            raise Final("not_an_arn")
        if outer:
            if not config["tunnels"]:
                raise Final("unexpected_tunnel")
            outer.judge(config)
        ip.judge(config)
        out["src"] = ip.who()
        if ip.more:
            raise Final("unsupported")
        size = number(ip.upper[4:6])
        if size < 8 or size > len(ip.upper):
            raise Final("malformed")
        if size > 128:
            raise Final("unsupported")
        out["arn"] = message(ip.upper[8:size], config)
        holding = [e for e in config["access"] if IPv6Address(out["src"]) in e[0]]
        entry = max(holding, key=lambda e: e[0].prefixlen, default=None)
        if entry:
            out["listed"], out["tag"] = 1, entry[2]
        if not entry or not entry[1]:
            raise Final("access_denied")
        self.sum(ip, size)
        if not config["unlimited"] and not self.take(now):
            raise Final("rate_limited")

    def sum(self, ip, size):
        """RFC 768: with the pseudo-header all words add to 0xffff."""
        if ip.upper[6:8] == b"\0\0":
            if ip.six or not self.config["no_checksum"]:
                raise Final("bad_checksum")
            return
        covered = ip.src + ip.dst + bytes([0, 17]) + size.to_bytes(2, "big")
        covered += ip.upper[:size] + bytes(size % 2)
        total = sum(number(covered[i:i + 2]) for i in range(0, len(covered), 2))
        if total % 0xffff:
            raise Final("bad_checksum")


# ---- Configurations -----------------------------------------------------------------

NUMBERS = ["tunnels", "any_hops", "no_checksum", "unlimited", "limit.rate_per_s",
           "limit.burst", "arn.port", "arn.versions", "arn.family"]
NAMES = {"arn.bit_order": "msb", "arn.priority": "8021p"}


def configured(text):
    """NAME=VALUE ... as a dict; access is a list of networks, permits and tags."""
    config, access = {**dict.fromkeys(NUMBERS, 0), **NAMES, "group": bytes(16)}, {}
    for key, value in (word.split("=") for word in text.split()):
        if key.startswith("access["):
            access.setdefault(key.partition(".")[0], {})[key.partition(".")[2]] = value
        elif key == "group":
            config[key] = IPv6Address(value).packed
        elif key in NAMES:
            config[key] = value
        else:
            assert key in config, key
            config[key] = int(value, 0)
    config["access"] = [(IPv6Network(f"{e['prefix']}/{e.get('length', 0)}"),
                         e.get("permit") == "1", int(e.get("tag", 0)))
                        for e in access.values()]
    return config


def full_ns(config):
    return -(-config["limit.burst"] * 10**9 // config["limit.rate_per_s"])


def refusal(c):
    """Why a configuration is none, the first reason in the order of the header."""
    group = c["group"]
    multicast = (IPv4Address(group[12:]) if group[:12] == MAPPED else
                 IPv6Address(group)).is_multicast
    if not c["arn.port"]:
        return "port"
    if c["arn.family"] not in (0, 4, 6):
        return "form"
    if any(group) and not multicast:
        return "group"
    if not c["access"]:
        return "access"
    if not c["unlimited"] and not (c["limit.rate_per_s"] and c["limit.burst"]):
        return "limit"
    return "accepted"


# ---- How rows are written -----------------------------------------------------------

def spelled(fields):
    """pairs() of reaction_point.py knows an address by its last word."""
    for key, value in fields.items():
        prefix, dot, name = key.rpartition(".")
        yield from pairs(f"arn.{prefix}{dot}", {name: value})


def told(gate, out):
    yield f"verdict={out['verdict']}"
    yield from pairs("", {key: out.get(key, 0) for key in ("listed", "tag")})
    yield from pairs("", {"src": out.get("src", bytes(16))})
    yield from spelled(out.get("arn", {}))
    yield from pairs("", {"level_e9": gate.level, "last_ns": gate.last})


def lines():
    """The whole file. Ends the program where the hand and the model disagree."""
    seen = set()
    yield "# SPDX-License-Identifier: BSD-2-Clause"
    yield "# The gate that ARNs come through. Written by model/arn_gate.py."
    for source, settings, rows in arn_gate_rows.blocks():
        assert source not in seen, source
        seen.add(source)
        yield f"\nsource: {source}"
        yield from (f"config {setting}" for setting in settings.split())
        config = configured(settings)
        assert refusal(config) in ("accepted", "port"), (source, refusal(config))
        gate = Gate(config)
        for row_id, says, verdict, data, given in rows:
            assert row_id not in seen, row_id
            seen.add(row_id)
            yield f"# {says}"
            out = gate.judge(data, given.get("now_ns", 0))
            if out["verdict"] != verdict:
                sys.exit(f"{row_id}: by hand {verdict}, and the model says {out['verdict']}")
            yield row_text(f"{row_id} call arn_gate ok", data,
                           [f"{k}={v}" for k, v in given.items()], told(gate, out))
    yield f"\nsource: {arn_gate_rows.REFUSALS[0]}"
    for row_id, says, should, text in arn_gate_rows.REFUSALS[1]:
        config = configured(text)
        if refusal(config) != should:
            sys.exit(f"{row_id}: by hand {should}, and the model says {refusal(config)}")
        limited = should == "accepted" and not config["unlimited"]
        yield f"# {says}"
        yield row_text(f"{row_id} call arn_gate_init ok", b"", text.split(),
                       pairs("", {"refusal": should if should != "accepted" else 0,
                                  "limit.full_ns": full_ns(config) if limited else 0}))


def main():
    for data, should in arn_gate_rows.ANCHORS:
        if data != bytes.fromhex(should):
            sys.exit(f"arn_gate: a datagram is {data.hex()}, and should be {should}")
    whole = list(lines())
    text = "\n".join(whole) + "\n"
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, "ascii")
        return
    is_now = PATH.read_text("ascii")
    if is_now != text:
        old, new = is_now.split("\n"), text.split("\n")
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), len(new))
        sys.exit(f"arn_gate.vec:{at + 1} is not what its model writes: "
                 f"{''.join(old[at:at + 1]).strip()}")
    print(f"vectors: arn_gate: {text.count(' call ')} rows, each as by hand and as the "
          "model writes it")


if __name__ == "__main__":
    main()

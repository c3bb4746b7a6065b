# SPDX-License-Identifier: BSD-2-Clause
"""
An independent model of the gate at a node that receives ARNs (role/arn_gate.h). It writes
vectors/arn_gate.vec. ../arn_gate_rows.py composes the frames from their fields, each with a
verdict written by hand. The gate below reads the bytes and must come to the same verdict. The
rest of its result completes the row. Nothing comes from rocecc's C.

    python3 vectors/model/arn_gate.py            writes vectors/arn_gate.vec
    python3 vectors/model/arn_gate.py --check    compares it instead
"""
import pathlib
import sys
from ipaddress import IPv4Address, IPv6Address, IPv6Network

VECTORS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import admission
import arn_gate_rows
import arrival
from reaction_point import arrived, by_hand, levels, limits, pairs, row_text

PATH = VECTORS / "arn_gate.vec"
MAPPED = bytes(10) + b"\xff\xff"


class Final(Exception):
    """A verdict that no later check changes."""


def number(data):
    return int.from_bytes(data, "big")


class Ip:
    """The IP header at `at`, with its addresses, hop limit and payload."""

    def __init__(self, data, at, ah):
        self.at, self.later, ip = at, False, data[at:]
        if ip[0] >> 4 == 6:
            end, self.hops, kind, n = 40 + number(ip[4:6]), ip[7], ip[6], 40
            self.src, self.dst = ip[8:24], ip[24:40]
            while kind in arrival.EXTENSIONS and not self.later:
                was, kind = kind, ip[n]
                if was == arrival.FRAGMENT:
                    self.later = number(ip[n + 2:n + 4]) >> 3 != 0
                    n += 8
                    continue
                n += 8 + (4 if was == arrival.AH else 8) * ip[n + 1]
                if was == arrival.AH and not ah:
                    break  # the walk ends after AH, and the ports follow it
        else:
            end, self.hops, kind = number(ip[2:4]), ip[8], ip[9]
            n = 4 * (ip[0] & 15)
            self.src, self.dst = ip[12:16], ip[16:20]
            self.later = number(ip[6:8]) & 0x1fff != 0
            if kind == arrival.AH and ah:
                kind, n = ip[n], n + 8 + 4 * ip[n + 1]
        self.proto, self.next, self.upper = kind, at + n, ip[n:end]

    def who(self):
        return widened(self.src)

    def judge(self, data, config, out):
        """Raises Final unless the node may accept a packet with this IP header."""
        joined = widened(self.dst) == config["group"]
        reason, error = arrival.check(data[self.at:], groups=joined)
        out["arrival"], out["icmp"], out["icmp_at"] = reason, error, self.at
        if reason != "ok":
            raise Final("bad_arrival")
        if self.hops != 255 and not config["any_hops"]:
            raise Final("too_few_hops")


def widened(address):
    """Returns an address with 16 bytes. An IPv4 address becomes an IPv4-mapped one."""
    return address if len(address) == 16 else MAPPED + address


def message(data, config):
    """Returns the members of an ARN message (4.2 of its draft), or raises Final."""
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
    """The gate of one node, for all rows of one source."""

    def __init__(self, config):
        self.config = config
        self.limiter = admission.Limiter(admission.params(config), config["sources"])

    def judge(self, data, now):
        out = {}
        try:
            self.steps(data, now, out)
            out["verdict"] = "taken"
        except Final as e:
            out["verdict"] = str(e)
        return out

    def steps(self, data, now, out):
        config, outer = self.config, None
        ip = Ip(data, 14, config["ah"])
        if ip.proto in (4, 41) and not ip.later:
            outer, ip = ip, Ip(data, ip.next, config["ah"])
        port = config["arn.port"]
        if (ip.proto != 17 or ip.later or len(ip.upper) < 4 or not port or
                number(ip.upper[2:4]) != port):
            raise Final("not_an_arn")
        if outer:
            if not config["tunnels"]:
                raise Final("unexpected_tunnel")
            outer.judge(data, config, out)
        ip.judge(data, config, out)
        out["src"] = ip.who()
        size = number(ip.upper[4:6])
        if size < 8 or size > len(ip.upper):
            raise Final("malformed")
        if size > 128:
            raise Final("unsupported")
        out["arn"] = message(ip.upper[8:size], config)
        entry = admission.lookup(config["access"], out["src"])
        if entry:
            out["listed"], out["tag"] = 1, entry[2]
        self.stop_unless_admitted(self.limiter.begin(entry, now), out)
        self.sum(ip, size)
        self.stop_unless_admitted(self.limiter.finish(out["tag"], now), out)

    def stop_unless_admitted(self, verdict, out):
        out["admission"] = verdict
        if verdict != "admitted":
            raise Final("access_denied" if verdict == "unlisted" else "rate_limited")

    def sum(self, ip, size):
        """Raises Final unless all words, with the pseudo-header, add up to 0xffff in one's
        complement (RFC 768). A checksum of 0 is accepted only over IPv4, and only if no_checksum is
        set."""
        if ip.upper[6:8] == b"\0\0":
            if len(ip.src) == 16 or not self.config["no_checksum"]:
                raise Final("bad_checksum")
            return
        covered = ip.src + ip.dst + bytes([0, 17]) + size.to_bytes(2, "big")
        covered += ip.upper[:size] + bytes(size % 2)
        total = sum(number(covered[i:i + 2]) for i in range(0, len(covered), 2))
        if total % 0xffff:
            raise Final("bad_checksum")


# ---- Configurations -----------------------------------------------------------------

NUMBERS = ["tunnels", "any_hops", "no_checksum", "ah", "arn.port", "arn.versions",
           "arn.family", "sources", *(f"admission.{name}" for name in admission.SETTINGS)]
NAMES = {"arn.bit_order": "msb", "arn.priority": "8021p"}


def configured(text):
    """Returns NAME=VALUE ... as a dict. `access` is a list of networks, permits and tags."""
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


def refusal(c):
    """Returns the first reason to reject a configuration, in the header's order, or "accepted"."""
    group = c["group"]
    multicast = (IPv4Address(group[12:]) if group[:12] == MAPPED else
                 IPv6Address(group)).is_multicast
    if not c["arn.port"]:
        return "port"
    if c["arn.family"] not in (0, 4, 6):
        return "form"
    if any(group) and not multicast:
        return "group"
    why = admission.refusal(admission.params(c), c["access"])
    return {"accepted": why, "list": "access"}.get(why, "limit")


# ---- The row format -----------------------------------------------------------------

def spelled(fields):
    """Yields the text of each member. pairs() gets the last part of the name, because it recognises
    addresses by this part."""
    for key, value in fields.items():
        prefix, dot, name = key.rpartition(".")
        yield from pairs(f"arn.{prefix}{dot}", {name: value})


def told(gate, out):
    yield f"verdict={out['verdict']}"
    yield from arrived(out)
    yield from pairs("", {key: out.get(key, 0) for key in ("listed", "tag")})
    yield from pairs("", {"src": out.get("src", bytes(16))})
    yield from spelled(out.get("arn", {}))
    yield from levels(gate, out)


def lines():
    """Yields all lines of the file. Exits if the model differs from a verdict by hand."""
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
            if by_hand(out) != verdict:
                sys.exit(f"{row_id}: by hand {verdict}, and the model says {by_hand(out)}")
            yield row_text(f"{row_id} call arn_gate ok", data,
                           [f"{k}={v}" for k, v in given.items()], told(gate, out))
    yield f"\nsource: {arn_gate_rows.REFUSALS[0]}"
    for row_id, says, should, text in arn_gate_rows.REFUSALS[1]:
        config = configured(text)
        if refusal(config) != should:
            sys.exit(f"{row_id}: by hand {should}, and the model says {refusal(config)}")
        yield f"# {says}"
        yield row_text(f"{row_id} call arn_gate_init ok", b"", text.split(),
                       [*pairs("", {"refusal": should if should != "accepted" else 0}),
                        *limits(config, should == "accepted")])


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

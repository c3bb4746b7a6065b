# SPDX-License-Identifier: BSD-2-Clause
"""
An independent model of the gate at a data sender (role/reaction_point.h). It writes
vectors/reaction_point.vec.

../reaction_rows.py composes the frames from their fields, each with a verdict written by hand
from a statement of draft-xiao-rtgwg-rocev2-fast-cnp-00. The gate below reads the bytes and
must come to the same verdict. The rest of its result completes the row. Nothing comes from
rocecc's C.

    python3 vectors/model/reaction_point.py            writes vectors/reaction_point.vec
    python3 vectors/model/reaction_point.py --check    compares it instead
"""
import pathlib
import re
import struct
import sys
import textwrap
import zlib
from ipaddress import IPv6Address, IPv6Network

VECTORS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import admission
import arrival
import reaction_rows
from arrival import AH, DSTOPTS, EXTENSIONS, FRAGMENT, ROUTING, Undecided

PATH = VECTORS / "reaction_point.vec"
IPV4, UDP, IPV6 = 4, 17, 41


# ---- The gate, from bytes -----------------------------------------------------------

class Short(Exception):
    """The frame ends too early."""


class Broken(Exception):
    """A header has an impossible value."""


class Unknown(Exception):
    """The gate does not process this kind of header or option, or so many of them."""


class Where:
    """The results of a walk. `outer` has the tunnel's header, or is None."""

    def __init__(self, outer=None):
        self.exts, self.ifa, self.outer = [], False, outer


def part(data, at, n):
    if at + n > len(data):
        raise Short
    return data[at:at + n]


def walk_tags(data):
    """Returns the offset and the version of IP."""
    at, tags = 12, 0
    part(data, 0, 14)
    while (kind := struct.unpack(">H", part(data, at, 2))[0]) in (0x8100, 0x88a8):
        at, tags = at + 4, tags + 1
        if tags > 3:
            raise Unknown
    if kind not in (0x0800, 0x86dd):
        raise Unknown
    return at + 2, 4 if kind == 0x0800 else 6


def walk_ip(w, data, at, version, ah):
    """Sets addresses, extension headers and the end of IP. Returns the payload's offset and
    protocol."""
    w.ip, w.version = at, version
    head = part(data, at, 20 if version == 4 else 40)
    if head[0] >> 4 != version:
        raise Broken
    if version == 4:
        w.upper = at + 4 * (head[0] & 15)
        w.end = at + struct.unpack(">H", head[2:4])[0]
        w.src, w.dst = (b"\0" * 10 + b"\xff\xff" + a for a in (head[12:16], head[16:20]))
        if w.upper < at + 20 or w.end < w.upper:
            raise Broken
        if struct.unpack(">H", head[6:8])[0] & 0x3fff:
            raise Unknown  # a fragment
        part(data, at, w.upper - at)
        kind = head[9]
        if kind == AH:
            kind = walk_ext(w, data, kind, ah)[0]
        if kind == AH:
            raise Unknown
        return w.upper, kind
    w.end = at + 40 + struct.unpack(">H", head[4:6])[0]
    w.src, w.dst = head[8:24], head[24:40]
    w.upper, kind = at + 40, head[6]
    while kind in EXTENSIONS:
        if len(w.exts) == 8:
            raise Unknown
        at = w.upper
        body = walk_ext(w, data, kind, ah)
        w.exts.append((kind, body, at))
        if kind == FRAGMENT and struct.unpack(">H", body[2:4])[0] & 0xfff9:
            raise Unknown
        kind = body[0]
    return w.upper, kind


def walk_ext(w, data, kind, ah):
    """Returns an extension header's bytes, and moves w.upper behind it. Raises Unknown for AH,
    unless `ah` is set."""
    if kind == AH and not ah:
        raise Unknown
    size = 8
    if kind != FRAGMENT:
        size += (4 if kind == AH else 8) * part(data, w.upper, 2)[1]
    if w.upper + size > w.end:
        raise Broken
    body = part(data, w.upper, size)
    w.upper += size
    return body


def walk(data, config):
    """Walks from the first byte to the BTH. Returns None if the packet is not RoCEv2, or if a
    header cannot be read."""
    w = Where()
    try:
        at, version = ((0, data[0] >> 4) if config["link"] == "ip" and data
                       else walk_tags(data))
        at, kind = walk_ip(w, data, at, version, config["ah"])
        if kind in (IPV4, IPV6):
            w = Where(w)
            at, kind = walk_ip(w, data, at, 4 if kind == IPV4 else 6, config["ah"])
            if w.end > w.outer.end:
                raise Broken
            if kind in (IPV4, IPV6):
                raise Unknown
        if kind == config["ifa.protocol"] != 0:
            w.ifa, kind, at = True, part(data, at, 4)[1], at + 4
        if kind != UDP:
            return None
        w.udp = at
        w.udp_head = part(data, at, 8)
        port, length = struct.unpack(">HH", w.udp_head[2:6])
        w.stop, at = at + length, at + 8
        if w.ifa:  # UDP Length excludes IFA's metadata header and stack
            size = 4 + 4 * part(data, at, 4)[3]
            w.stop, at = w.stop + size, at + size
        elif port == config["intmd.udp_port"] != 0:
            shim = part(data, at, 4)
            port = struct.unpack(">H", shim[2:4])[0]
            at += 4 + 4 * shim[1]
        if port != (config["rocev2_port"] or 4791):
            return None
        if w.stop > w.end or w.stop < at + 16:
            return None
        w.bth, w.bth_head, w.port = at, part(data, at, 12), port
    except (Short, Broken, Unknown):
        return None
    return w


def listed(header):
    """
    Yields up to 8 options of a header with their offsets, except padding. Raises Broken at an
    invalid option, and Unknown at a ninth option or at unsupported padding.
    """
    try:
        for n, (at, option) in enumerate(arrival.options(header)):
            if n == 8:
                raise Unknown
            yield option, at
    except arrival.Stop as e:
        raise Unknown if e.verdict == "unsupported" else Broken


def search(w, config):
    """Returns the only Fast CNP option in all Destination Options headers, or None. Raises Broken
    if there are several."""
    found, headers = [], [e for e in w.exts if e[0] == DSTOPTS]
    if len(headers) > 2:
        raise Unknown
    for _, body, at in headers:
        for o, offset in listed(body):
            if o[0] in config["types"]:
                found.append((o, at + offset))
            elif o[0] >> 6:
                raise Unknown  # not in a CNP, because arrives() has rejected it
    if len(found) > 1:
        raise Broken  # FC-08
    return taken(*found[0], config) if found else None


def node_words(kinds):
    """Returns NodeLen for a trace type (RFC 9197, 4.4.1)."""
    bits = f"{kinds:024b}"
    return sum(2 if i in (8, 9, 10) else 1 for i in range(22) if bits[i] == "1")


def taken(o, at, config):
    """Returns the members of the option (FC-12, FC-15)."""
    data, fields = o[2:], {"kind": "plain", "at": at}
    if o[0] == config["fastcnp.type_plain"]:
        if len(data) != 16:
            raise Broken
        return {**fields, "flow_dst": data}
    first, kind = config["fastcnp.address_first"], 0
    trace, address = (data[16:], data[:16]) if first else (data[:-16], data[-16:])
    if len(data) < 16:
        raise Broken
    if config["fastcnp.form"] == "a":
        if len(trace) < 2:
            raise Broken
        fields["reserved"], kind, trace = trace[0], trace[1], trace[2:]
    if len(trace) < 8 or len(trace) % 4 or kind > 1:
        raise Broken
    lengths = struct.unpack(">H", trace[2:4])[0]
    kinds, each = int.from_bytes(trace[4:7], "big"), lengths >> 11
    words = len(trace) // 4 - 2
    if each != node_words(kinds):
        raise Broken
    if kind == 0:
        words -= lengths & 0x7f
    whole = kinds & 2 or (words % each == 0 if each else words == 0)
    if words < 0 or not whole:  # a snapshot has a length of its own
        raise Broken
    fields.update(kind="ioam", flow_dst=address, opt_type=kind, trace=trace)
    return fields


def before_telemetry(data, w):
    """Returns IP and UDP as the sender wrote them, without the additions of IFA and INT."""
    ip, udp = bytearray(data[w.ip:w.upper]), bytearray(w.udp_head)
    added = w.udp - w.upper + w.bth - (w.udp + 8)
    at = 2 if w.version == 4 else 4
    ip[at:at + 2] = (int.from_bytes(ip[at:at + 2], "big") - added).to_bytes(2, "big")
    last = 9 if w.version == 4 else w.exts[-1][2] - w.ip if w.exts else 6
    ip[last] = UDP
    udp[2:6] = struct.pack(">HH", w.port, 8 + w.stop - w.bth)
    return ip, udp


def icrc_is(rule, data, w):
    """Returns true if the last four bytes are the ICRC by one rule."""
    masked = rule == "masked"
    ip, udp = before_telemetry(data, w)
    if w.version == 4:
        for i in (1, 8, 10, 11):
            ip[i] = 0xff
    else:
        for i in (1, 2, 3, 7):
            ip[i] = 0xff
        ip[0] = 0x6f
    for kind, body, at in w.exts if masked else ():
        at -= w.ip
        if kind == ROUTING:
            ip[at + 3] = ip[at + 6] = ip[at + 7] = 0xff
        elif kind == FRAGMENT:
            return False  # the rule does not cover it
        else:
            every = 2
            while every < len(body):  # padding has chg 0
                size = 1 if body[every] == 0 else 2 + body[every + 1]
                if body[every] & 0x20:
                    ip[at + every + 2:at + every + size] = b"\xff" * (size - 2)
                every += size
    if rule == "stripped":
        ip = ip[:40]
        ip[4:6], ip[6] = udp[4:6], UDP
    rest = udp + data[w.bth:w.stop - 4]
    rest[6:8], rest[12] = b"\xff\xff", 0xff
    crc = zlib.crc32(b"\xff" * 8 + ip + rest)
    return crc.to_bytes(4, "little") == data[w.stop - 4:w.stop]


def icrc_right(config, data, w):
    rule = config["icrc_rule"]
    if not config["check_icrc"]:
        return True
    if not w.exts:
        return icrc_is("standard", data, w)
    rules = ("masked", "literal", "stripped") if rule == "auto" else (rule,)
    return rule != "standard" and any(icrc_is(r, data, w) for r in rules)


def read_cnp(data, w, config):
    """Returns the members of a CNP, whose opcode is 0x81. It must have TVer 0, PadCnt 0 and 16
    reserved bytes, or none if roce.short_cnp is set (IBTA A17.9.3)."""
    b, length = w.bth_head, w.stop - w.bth
    if b[1] & 15:
        raise Unknown
    if b[1] & 0x30 or length not in ((32, 16) if config["roce.short_cnp"] else (32,)):
        raise Broken
    if w.stop > len(data):
        raise Short
    reserved, ip = data[w.bth + 12:w.stop - 4], data[w.ip:]
    word = int.from_bytes(ip[:4], "big")
    odd = {"solicited": b[1] & 0x80, "migreq": b[1] & 0x40, "ack_req": b[8] & 0x80,
           "psn": any(b[9:12]), "resv6": b[4] & 0x3f, "resv7": b[8] & 0x7f,
           "reserved": any(reserved), "short": not reserved}
    traffic = ip[1] if w.version == 4 else word >> 20 & 0xff
    return {
        "src": w.src, "dst": w.dst, "dscp": traffic >> 2, "ecn": traffic & 3,
        "hop_limit": ip[8] if w.version == 4 else ip[7],
        "flow_label": 0 if w.version == 4 else word & 0xfffff,
        "identification": int.from_bytes(ip[4:6], "big") if w.version == 4 else 0,
        "src_port": int.from_bytes(w.udp_head[:2], "big"), "pkey": b[2] << 8 | b[3],
        "fecn": b[4] >> 7, "becn": b[4] >> 6 & 1, "dest_qp": int.from_bytes(b[5:8], "big"),
        "udp_checksum": int(any(w.udp_head[6:8])),
        "odd": "+".join(name for name in odd if odd[name]),
        "reserved": reserved.ljust(16, b"\0"),
    }


def checksum_right(config, data, w):
    """Returns true if the UDP checksum is 0, or if all words, with the pseudo-header, add up to
    0xffff in one's complement (RFC 768). Also returns true if the checksum is not checked."""
    if config["ignore_udp_checksum"] or not any(w.udp_head[6:8]):
        return True
    if w.bth != w.udp + 8 or w.ifa:  # the checksum excludes what IFA or INT added
        return True
    size = w.stop - w.udp
    covered = w.src + w.dst + struct.pack(">II", size, UDP) + data[w.udp:w.stop]
    covered += bytes(size % 2)
    return sum(struct.unpack(f">{len(covered) // 2}H", covered)) % 0xffff == 0


class Gate:
    """A gate with one configuration and its buckets."""

    def __init__(self, config):
        self.config = config
        self.limiter = admission.Limiter(admission.params(config), config["sources"],
                                         config["start_ns"])

    def arrives(self, data, w, out):
        """Checks the tunnel's IP header and the CNP's own. Returns None if the CNP may end here, or
        else the verdict."""
        if w.outer and not self.config["tunnels"]:
            return "unexpected_tunnel"
        for ip in [w.outer, w] if w.outer else [w]:
            enabled = self.config["fastcnp_enabled"] and ip is w
            reason, error = arrival.check(data[ip.ip:],
                                          known=self.config["types"] if enabled else ())
            out["arrival"], out["icmp"], out["icmp_at"] = reason, error, ip.ip
            if ip is w and self.is_unknown(data, w, reason, error):
                return "disabled"
            if reason != "ok":
                return "bad_arrival"
            if sum(len(body) for _, body, _ in ip.exts) > 640:
                return "unsupported"
        return None

    def is_unknown(self, data, w, reason, error):
        """
        Returns true if Fast CNP is off, and arrival.check() stopped at a Fast CNP option, even a
        malformed one, with an ICMP error. This option is then the first unknown option whose act
        bits do not say skip. RFC 8200, 4.2; FC-03.
        """
        if reason != "unknown_option" or error is None:
            return False
        where = w.ip + error[2]
        return data[where] in self.config["types"] and any(
            kind == DSTOPTS and at < where < at + len(body) for kind, body, at in w.exts)

    def cnp(self, data, w, out):
        """Returns the kind of a CNP, or "malformed" or "unsupported"."""
        try:
            out["option"] = search(w, self.config)
            out["cnp"] = read_cnp(data, w, self.config)
        except (Broken, Short, Unknown) as e:
            return "unsupported" if isinstance(e, Unknown) else "malformed"
        if out["option"] and not arrival.is_host(out["option"]["flow_dst"]):
            return "malformed"  # a switch never writes it
        kind = out["option"] and out["option"]["kind"]
        return {None: "ordinary", "plain": "fast_plain", "ioam": "fast_ioam"}[kind]

    def admitted(self, data, w, now, limited, out):
        """Checks list, limits, checksum and ICRC (FC-17 to FC-19). Returns None or the
        verdict."""
        if limited:
            entry = admission.lookup(self.config["access"], out["cnp"]["src"])
            if entry:
                out["listed"], out["tag"] = 1, entry[2]
            out["admission"] = self.limiter.begin(entry, now)
            if out["admission"] != "admitted":
                return "access_denied" if out["admission"] == "unlisted" else "rate_limited"
        if not checksum_right(self.config, data, w):
            return "bad_checksum"
        if not icrc_right(self.config, data, w):
            return "bad_icrc"
        if limited:
            out["admission"] = self.limiter.finish(out["tag"], now)
        return "rate_limited" if out.get("admission", "admitted") != "admitted" else None

    def judge(self, data, now, peer):
        """Returns the results for a frame. The first failed check determines the verdict."""
        out = {}
        out["verdict"] = self.verdict(data, now, peer, out)
        return out

    def verdict(self, data, now, peer, out):
        w = walk(data, self.config)
        if w is None:
            return "not_a_cnp"
        if w.bth_head[0] != 0x81:
            try:
                out["option"] = search(w, self.config) if self.config["fastcnp_enabled"] else None
            except (Broken, Unknown):
                pass
            return "unexpected_opcode" if out.get("option") else "not_a_cnp"
        verdict = self.arrives(data, w, out) or self.cnp(data, w, out)
        if verdict not in ("ordinary", "fast_plain", "fast_ioam"):
            return verdict
        if verdict != "ordinary" and out["option"]["flow_dst"] == out["cnp"]["src"]:
            return "source_is_receiver"
        if out["cnp"]["dest_qp"] == 0:
            raise Undecided("DestQP 0")
        fast = verdict != "ordinary"
        if peer == ("yes" if fast else "no"):
            return "suspicious"  # FC-05
        limited = fast or self.config["ordinary_listed"]
        refused = self.admitted(data, w, now, limited, out)
        if refused is None and fast:
            out["key"] = out["option"]["flow_dst"], out["cnp"]["dest_qp"]  # FC-07, FC-16
        return refused or verdict


# ---- Configurations -----------------------------------------------------------------

NUMBERS = ["fastcnp_enabled", "tunnels", "ah", "check_icrc", "ignore_udp_checksum",
           "ordinary_listed", *(f"admission.{name}" for name in admission.SETTINGS),
           "sources", "fastcnp.type_plain", "fastcnp.type_ioam", "fastcnp.address_first",
           "fastcnp.align8", "roce.short_cnp", "roce.rd",
           "rocev2_port", "ifa.protocol", "intmd.udp_port", "start_ns"]
NAMES = {"fastcnp.form": "a", "icrc_rule": "auto", "link": "ether"}


def configured(text):
    """Returns NAME=VALUE ... as a dict. `access` is a list of networks, permits and tags."""
    config, access = {**dict.fromkeys(NUMBERS, 0), **NAMES}, {}
    for key, value in (word.split("=") for word in text.split()):
        if key.startswith("access["):
            access.setdefault(key.partition(".")[0], {})[key.partition(".")[2]] = value
        elif key in NAMES:
            config[key] = value
        else:
            assert key in config, key
            config[key] = int(value, 0)
    config["access"] = [(IPv6Network(f"{e['prefix']}/{e.get('length', 0)}"),
                         e.get("permit") == "1", int(e.get("tag", 0)))
                        for e in access.values()]
    config["types"] = {config["fastcnp.type_plain"], config["fastcnp.type_ioam"]} - {0}
    return config


def type_refused(kind):
    """Returns true for types that FC-10, FC-11, FC-13 or FC-14 exclude, and for the types with
    act 10 and chg 0 that IANA has assigned."""
    return kind != 0 and (kind >> 5 != 4 or kind in (0x8a, 0x8b, 0x8c))


def refusal(c):
    """Returns the first reason to reject a configuration, in the header's order, or "accepted"."""
    if c["check_icrc"] and (c["icrc_rule"] == "none" or
                            c["fastcnp_enabled"] and c["icrc_rule"] == "standard"):
        return "rule"
    kinds = c["fastcnp.type_plain"], c["fastcnp.type_ioam"]
    if c["fastcnp_enabled"] and (any(map(type_refused, kinds)) or kinds[0] == kinds[1]):
        return "types"
    if not is_limited(c):
        return "accepted"
    why = admission.refusal(admission.params(c), c["access"])
    return {"accepted": why, "list": "domain"}.get(why, "limit")


def is_limited(config):
    return config["fastcnp_enabled"] or config["ordinary_listed"]


# ---- The row format -----------------------------------------------------------------

def spelled(key, value):
    """Spells a member as README defines its kind. Returns "" if it is 0, empty or "plain"."""
    if isinstance(value, bytes) and not any(value) and key != "trace":
        return ""
    if key in ("remote", "src", "dst", "flow_dst"):
        mapped = value[:12] == b"\0" * 10 + b"\xff\xff"
        dotted = "::ffff:" + ".".join(map(str, value[12:]))
        return dotted if mapped else str(IPv6Address(value))
    if isinstance(value, bytes):
        return value.hex()
    if key in ("pkey", "dest_qp", "remote_qp"):
        return hex(value) if value else ""
    return str(value) if value and value != "plain" else ""


def pairs(prefix, fields):
    texts = ((key, spelled(key, value)) for key, value in fields.items())
    yield from (f"{prefix}{key}={text}" for key, text in texts if text)


def arrived(out):
    """Yields the reason of arrival.check() unless it is ok, the verdict of the limiter unless it is
    admitted, and the ICMP error."""
    for name, good in ("arrival", "ok"), ("admission", "admitted"):
        if out.get(name, good) != good:
            yield f"{name}={out[name]}"
    members = arrival.members(out.get("icmp"), out.get("icmp_at"))
    yield from (f"{name}={value}" for name, value in members.items())


def levels(gate, out):
    """Yields the shared bucket's level and time, and the levels of a listed source's buckets."""
    yield from pairs("", gate.limiter.state(out["tag"] if "tag" in out else 2**32))


def limits(config, limited):
    """Yields the values that init() derives."""
    full = admission.full_ns(admission.params(config)) if limited else {}
    yield from pairs("admission.", full)


def by_hand(out):
    """Spells a verdict as rows by hand do, e.g. bad_arrival unknown_option 4/2/42."""
    reason = {"bad_arrival": out.get("arrival"),
              "rate_limited": out.get("admission")}.get(out["verdict"], "ok")
    return arrival.spelled(out["verdict"], reason, out.get("icmp"))


def told(gate, out):
    """Yields the results that follow the arrow of a row."""
    yield f"verdict={out['verdict']}"
    yield from arrived(out)
    yield from pairs("", {key: out.get(key, 0) for key in ("listed", "tag")})
    remote, qp = out.get("key", (bytes(16), 0))
    yield from pairs("key.", {"remote": remote, "remote_qp": qp})
    yield from pairs("cnp.", out["cnp"]) if "cnp" in out else ["cnp=none"]
    yield from pairs("option.", out.get("option") or {})
    yield from levels(gate, out)


def wrapped(text):
    return textwrap.fill(text, 88, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False)


def split(data):
    """Yields hex in words of 4 bytes, from the IP header on."""
    sizes = []
    if data[:12] == reaction_rows.MACS:
        tags = re.match(rb"(?s).{12}((?:(?:\x81\0|\x88\xa8)..)*)", data)[1]
        sizes = [6, 6] + [4] * (len(tags) // 4) + [2]
    at = 0
    while at < len(data):
        size = sizes.pop(0) if sizes else 4
        yield data[at:at + size].hex()
        at += size


def row_text(head, data, given, gives):
    return wrapped(" ".join([head, *(split(data) if data else "-"), "|", *given, "->",
                             *gives]))


def comment(row_id, kept, says):
    """Returns a row's comment, with its statement and whether the sender kept it."""
    number = re.match(r"FC-\d\d", row_id)
    if number is None:
        assert kept is None, row_id
        return f"# {says}"
    return f"# {number[0]} {'kept' if kept else 'broken'}: {says}"


def lines():
    """Yields all lines of the file. Exits if the model differs from a verdict by hand."""
    seen, kept_of = set(), {}
    yield "# SPDX-License-Identifier: BSD-2-Clause"
    yield "# The gate of a data sender. Written by model/reaction_point.py."
    for source, settings, rows in reaction_rows.blocks():
        assert source not in seen, source
        seen.add(source)
        yield f"\nsource: {source}"
        yield from (f"config {setting}" for setting in settings.split())
        config = configured(settings)
        assert refusal(config) == "accepted", (source, refusal(config))
        gate = Gate(config)
        for row_id, kept, says, verdict, data, given in rows:
            assert row_id not in seen, row_id
            seen.add(row_id)
            kept_of.setdefault(row_id[:5], set()).add(kept)
            yield comment(row_id, kept, says)
            try:
                out = gate.judge(data, given.get("now_ns", 0), given.get("peer", "unknown"))
            except Undecided as e:
                sys.exit(f"{row_id}: no row rests on this: {e}")
            if by_hand(out) != verdict:
                sys.exit(f"{row_id}: by hand {verdict}, and the model says {by_hand(out)}")
            yield row_text(f"{row_id} call reaction_point ok", data,
                           [f"{k}={v}" for k, v in given.items()], told(gate, out))
    yield f"\nsource: {reaction_rows.REFUSALS[0]}"
    for row_id, kept, says, should, text in reaction_rows.REFUSALS[1]:
        assert row_id not in seen, row_id
        seen.add(row_id)
        kept_of.setdefault(row_id[:5], set()).add(kept)
        config = configured(text)
        if refusal(config) != should:
            sys.exit(f"{row_id}: by hand {should}, and the model says {refusal(config)}")
        yield comment(row_id, kept, says)
        yield row_text(f"{row_id} call reaction_point_init ok", b"", text.split(),
                       [*pairs("", {"refusal": should if should != "accepted" else 0}),
                        *limits(config, should == "accepted" and is_limited(config))])
    for number in reaction_rows.STATEMENTS:
        if kept_of.get(number) != {True, False} - reaction_rows.UNSEEN.get(number, set()):
            sys.exit(f"{number}: no row that keeps it, or none that breaks it")


def main():
    for ip, end in reaction_rows.ANCHORS:
        if ip[-4:].hex() != end:
            sys.exit(f"reaction_point: an ICRC is {ip[-4:].hex()}, and should be {end}")
    whole = list(lines())
    text = "\n".join(whole) + "\n"
    if "--check" not in sys.argv[1:]:
        PATH.write_text(text, "ascii")
        return
    is_now = PATH.read_text("ascii")
    if is_now != text:
        old, new = is_now.split("\n"), text.split("\n")
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), len(new))
        sys.exit(f"reaction_point.vec:{at + 1} is not what its model writes: "
                 f"{''.join(old[at:at + 1]).strip()}")
    print(f"vectors: reaction_point: {text.count(' call ')} rows, each as by hand and as "
          "the model writes it")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-2-Clause
"""Reads the .vec files, and is written from README alone.

    for entry in read("bth.vec"):     Rows in order, or Traces in an algorithm's file
        print(entry.id, entry.data, entry.keys)

read.py [FILE...]    checks these files, or all files: the grammar, simple headers, ICRCs,
                     checksums, and by the models of model/ traces and verdicts on arrival

Values are int, str (a name or MAC address), tuple (of parts joined by +), bytes, Decimal
(with a point), or addresses of ipaddress.
"""
import dataclasses
import decimal
import ipaddress
import pathlib
import re
import runpy
import struct
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
STATUS = set("ok end no_match short format unsupported range space".split())
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)|0x[0-9a-f]+")
BYTES = set("""body computed ds extension free_space l4 marked msdu nodes others policy
    record records rest segments sent snapshot tlvs trace wrote""".split())
WIDE = set("""compare cpid cumulative egress_timestamp ingress_timestamp
    namespace_data_wide node_id_wide original pkt_id probe_marker secret sequence_number swap_or_add va""".split())
BYTES_OF = {key: set(nouns.split()) for key, nouns in {
    "after": "ioam_update ioam_push ioam_insert ioam_strip",
    "cnm": "l3qcn_tor_convert", "cnp": "ext_parse",
    "data": "ioam_option_parse ioam_trace_find", "icrc": "icrc_emplace icrc_patch",
    "header": "sflow_raw_parse sflow_raw_find",
    "inner": "srv6_parse srv6_build srv6_decapsulate",
    "is": "icrc_patch", "was": "icrc_patch", "options": "ipv4 ip6opts ip6opts_emit tcp",
    "packet": "csig_insert csig_strip icmp_message icmp_quoted ifa_push ifa_insert ifa_strip "
              "ifa_fragment "
              "intmd_push intmd_insert intmd_strip ipv46_patch",
    "payload": "ifa_find",
    "reserved": "cnp cnp_parse reaction_point intmd_node intmd_node_emit",
    "source_words": "config", "tag": "csig_update", "value": "icrc_verify"}.items()}
OWN_FORM = {"chain", "ranges"}


class Bad(Exception):
    """A file, line or row that violates README, with the reason."""


def require(good, *message):
    if not good:
        raise Bad(" ".join(str(m) for m in message))


@dataclasses.dataclass
class Row:
    id: str
    noun: str  # or the function of a call
    call: bool
    status: str
    data: bytes
    keys: dict
    results: dict  # keys after ->
    emit: bool
    source: str
    config: dict
    line: int


@dataclasses.dataclass
class Trace:
    id: str
    algorithm: str
    settings: dict  # texts: seed, preset, link_bps, parameters
    phases: list  # texts
    states: dict  # by number of events: action, state
    all: dict  # by number of events: hash of all states or None, and sums
    source: str
    line: int


def value(text, key="", noun=""):
    """Converts a VALUE. The key and its noun decide whether it is hex."""
    last = re.sub(r"\[\d+\]", "", key).rpartition(".")[2]
    if noun == "trace":
        last = ""
    if last in BYTES or noun in BYTES_OF.get(last, ()):
        return b"" if text == "-" else bytes.fromhex(text)
    if last in WIDE and re.fullmatch("[0-9a-f]{16}", text):
        return int(text, 16)
    if NUMBER.fullmatch(text):
        return int(text, 0)
    if last in OWN_FORM or re.fullmatch("[0-9a-f]{2}(:[0-9a-f]{2}){5}", text):
        return text
    if text in ("", "-"):
        return ()
    if "+" in text:
        return tuple(value(part) for part in text.split("+"))
    if re.fullmatch(r"-?\d+\.\d+", text):
        return decimal.Decimal(text)
    if ":" in text or "." in text:
        return ipaddress.ip_address(text)
    require(re.fullmatch("[A-Za-z][A-Za-z0-9_]*", text), key, "is no value:", text)
    return text


def pairs(words, noun=""):
    out = {}
    for word in words:
        key, equals, text = word.partition("=")
        require(equals and key not in out, "no KEY=VALUE, or a second one:", word)
        try:
            out[key] = value(text, key, noun)
        except ValueError as e:
            raise Bad(f"{word}: {e}")
    return out


def logical_lines(path):
    """Yields each line's number and text, and the indented lines that continue it."""
    now = None
    for number, text in enumerate(path.read_text("ascii").splitlines(), 1):
        text = text.partition("#")[0].rstrip()
        if text.startswith((" ", "\t")):
            require(now, f"{path.name}:{number}: an indented line continues nothing")
            now[2].append(text.strip())
        elif text:
            if now:
                yield now
            now = number, text, []
    if now:
        yield now


def read_row(text, source, config, line):
    left, bar, right = text.partition("|")
    words = left.split()
    call = words[1:2] == ["call"]
    if call:
        del words[1]
    require(bar and len(words) >= 4, "no ID NOUN STATUS HEX |")
    row_id, noun, status = words[:3]
    require(status in STATUS, "no status:", status)
    require(words[3:] == ["-"] or all(len(w) % 2 == 0 for w in words[3:]),
            "HEX that is cut inside a byte")
    data = b"" if words[3:] == ["-"] else bytes.fromhex("".join(words[3:]))
    keys, arrow, results = (" " + right + " ").partition(" -> ")
    require(call or not arrow, "-> where there is no call")
    keys = pairs(keys.split(), noun)
    emit = keys.pop("emit", "yes")
    require(emit in ("yes", "no"), "emit is", emit)
    return Row(row_id, noun, call, status, data, keys, pairs(results.split(), noun),
               emit == "yes", source, dict(config), line)


def read_state(text, trace):
    number, _, rest = text.partition(":")
    action, state, *since = rest.split("|")
    require(len(since) <= 1 and int(number) not in trace.states, "no N: KEYS | KEYS")
    trace.states[int(number)] = pairs(action.split(), "trace"), pairs(state.split(), "trace")
    if since:
        words = since[0].split()
        has = words and re.fullmatch("all=([0-9a-f]{16})", words[0])
        trace.all[int(number)] = (int(has[1], 16) if has else None,
                                  pairs(words[1:] if has else words, "trace"))


def read(path):
    """Yields the Rows and Traces of a file. Raises Bad at a grammar error."""
    path = pathlib.Path(path)
    source, config, trace, seen = None, {}, None, set()
    for number, text, more in logical_lines(path):
        try:
            word = text.split()[0]
            if word == "trace":
                trace_id, algorithm, *settings = text.split()[1:]
                settings = dict(s.split("=", 1) for s in settings)
                entry = trace = Trace(trace_id, algorithm, settings, more, {}, {},
                                      source, number)
            else:
                text = " ".join([text] + more)
                entry = None
            if word == "source:":
                source, config, trace = text[len(word):].strip(), {}, None
            elif word == "config":
                config.update(pairs(text.split()[1:], "config"))
            elif re.fullmatch(r"\d+:", word):
                require(trace, "a state of no trace")
                read_state(text, trace)
            elif word != "trace":
                entry = read_row(text, source, config, number)
            if entry:
                require(source, "no source above")
                require(entry.id not in seen, "a second row of the same ID")
                seen.add(entry.id)
        except (Bad, ValueError) as e:
            raise Bad(f"{path.name}:{number}: {text[:40]}: {e}")
        if entry:
            yield entry


# The code below decodes the rows again by the figures of the standards. A field has a name, and
# bits or a kind. A name that begins with _ is not a member.
LAYOUTS = {noun: text.split() for noun, text in {
    "ether": "dst:mac src:mac type:16",
    "vlan": "pcp:3 dei:1 vid:12 type:16",
    "etag": "pcp:3 dei:1 ingress_ecid_base:12 reserved:2 grp:2 ecid_base:12 "
            "ingress_ecid_ext:8 ecid_ext:8 type:16",
    "vntag": "d:1 p:1 dst:14 l:1 r:1 ver:2 src:12 type:16",
    "arista": "subtype:16 version:16 seconds:32 ns:32 type:16",
    "ipv4": "_version:4 _ihl:4 dscp:6 ecn:2 total_length:16 identification:16 reserved:1 "
            "df:1 mf:1 fragment_offset:13 ttl:8 protocol:8 header_checksum:16 src:ip4 "
            "dst:ip4 options:rest",
    "ipv6": "_version:4 dscp:6 ecn:2 flow_label:20 payload_length:16 next_header:8 "
            "hop_limit:8 src:ip6 dst:ip6",
    "ip6frag": "next_header:8 reserved:8 fragment_offset:13 res:2 m:1 identification:32",
    "udp": "src_port:16 dst_port:16 length:16 checksum:16",
    "bth": "opcode:8 solicited:1 migreq:1 pad:2 tver:4 pkey:16 fecn:1 becn:1 resv6:6 "
           "dest_qp:24 ack_req:1 resv7:7 psn:24",
    "rdeth": "reserved:8 ee_context:24",
    "deth": "q_key:32 reserved:8 src_qp:24",
    "xrceth": "reserved:8 xrcsrq:24",
    "reth": "va:64 r_key:32 dma_length:32",
    "atomiceth": "va:64 r_key:32 swap_or_add:64 compare:64",
    "aeth": "syndrome:8 msn:24",
    "atomicacketh": "original:64",
    "feth": "reserved:26 selectivity:2 placement:4",
    "vxlan": "flags:8 reserved:24 vni:24 reserved2:8",
    "ioam_trace": "namespace_id:16 node_len:5 flags:4 remaining_len:7 trace_type:24 "
                  "reserved:8",
    "ifa_header": "version:4 gns:4 next_hdr:8 flags:8 max_length:8",
    "ifa_metadata": "request_vector:8 action_vector:8 hop_limit:8 current_length:8",
}.items()}
KINDS = {"mac": (48, lambda n: n.to_bytes(6, "big").hex(":")),
         "ip4": (32, ipaddress.IPv4Address), "ip6": (128, ipaddress.IPv6Address)}
# Compact and wide, by the TPIDs of csig.vec. The UEC uses the locator's last bit.
CSIG = {0x9900: "tpid:16 type:3 reserved:1 value:5 locator:7",
        0x9901: "tpid:16 locator:16 type:4 value:20 reserved:8"}


def decode(layout, data):
    """Returns the members in `data`."""
    bits, left, out = int.from_bytes(data, "big"), 8 * len(data), {}
    for part in layout:
        name, _, kind = part.partition(":")
        if kind == "rest":
            out[name] = data[len(data) - left // 8:]
            left = 0
            continue
        n, make = KINDS.get(kind) or (int(kind), int)
        left -= n
        require(left >= 0, "the bytes end inside", name)
        out[name] = make(bits >> left & (1 << n) - 1)
    require(left == 0, left, "bits are left")
    return {name: v for name, v in out.items() if not name.startswith("_")}


def nothing(of):
    """Returns the value of a member that a row does not name."""
    if isinstance(of, (int, bytes, tuple)):
        return type(of)()
    return "00:00:00:00:00:00" if isinstance(of, str) else type(of)(0)


def same(keys, decoded):
    for name in sorted(set(keys) - set(decoded)):
        raise Bad(f"{name} is no member here")
    for name, theirs in decoded.items():
        ours = keys.get(name, nothing(theirs))
        require(ours == theirs, name, "is", ours, "and its bytes have", theirs)


def sum16(data):
    """Returns the sum of 16-bit words for an Internet checksum."""
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return total


def icrc(ip, bth):
    """Returns the ICRC of a packet that begins with IP or GRH and ends before its ICRC."""
    b = bytearray(ip)
    masked = [1, 8, 10, 11]  # TOS, TTL, header checksum
    if b[0] >> 4 == 6:
        b[0], masked = 0x6f, [1, 2, 3, 7]  # traffic class, flow label, hop limit
    if b[0] >> 4 == 4 or b[6] != 27:  # not the GRH of RoCEv1
        masked += [bth - 2, bth - 1]  # UDP checksum
    for i in masked + [bth + 4]:  # FECN, BECN, Resv6
        b[i] = 0xff
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + b))


def walk(data, link_ip=False):
    """Returns a RoCE packet's headers as packet_parse does, or None if it cannot."""
    try:
        vlans, at = [], 0 if link_ip else 14
        kind = {4: 0x0800, 6: 0x86dd}[data[0] >> 4] if link_ip else \
            int.from_bytes(data[12:14], "big")
        while kind in (0x8100, 0x88a8) and len(vlans) < 3:
            vlans.append(at)
            kind, at = int.from_bytes(data[at + 2:at + 4], "big"), at + 4
        out = {"kind": "rocev2", "stopped": "bth", "next": 4791, "ip.offset": at}
        if kind == 0x8915:
            at, end = at + 40, at + 40 + int.from_bytes(data[at + 4:at + 6], "big")
            return {"kind": "rocev1", "stopped": "bth", "next": kind, "grh": at - 40,
                    "bth": at, "end": end} if not vlans and data[at - 34] == 27 else None
        partial = "none"
        if kind == 0x0800 and data[at] == 0x45 and not data[at + 6] & 0x1f | data[at + 7]:
            if data[at + 6] & 0x20:  # more fragments: this is the first one
                partial, out["ip.fragment"] = "fragment", 1
            upper, proto = at + 20, data[at + 9]
            end = at + int.from_bytes(data[at + 2:at + 4], "big")
        elif kind == 0x86dd and data[at] >> 4 == 6:
            upper, proto = at + 40, data[at + 6]
            end = upper + int.from_bytes(data[at + 4:at + 6], "big")
        else:
            return None
        if proto != 17 or data[upper + 2:upper + 4] != b"\x12\xb7" or end > len(data):
            return None
        udp_end = upper + int.from_bytes(data[upper + 4:upper + 6], "big")
        if udp_end > end and partial == "none":  # trimmed on its way
            partial = "trimmed"
        if partial != "none":
            out |= {"kind": "partial_rocev2", "partial": partial}
        out |= {f"vlan[{i}]": v for i, v in enumerate(vlans)}
        out |= {"n_vlan": len(vlans), "ip.version": data[at] >> 4, "ip.proto": 17,
                "ip.upper": upper, "ip.end": end, "udp": upper, "bth": upper + 8,
                "end": min(udp_end, end)}
        return out
    except (IndexError, KeyError):
        return None


def mapped(address):
    """Returns an IPv6 address, and for IPv4 a mapped one."""
    if len(address) == 4:
        address = bytes(10) + b"\xff\xff" + address
    return ipaddress.IPv6Address(address)


def check_cnp(row):
    """Checks a CNP in plain IP, without options and extensions."""
    w = walk(row.data, row.data[:1].hex()[:1] in ("4", "6"))
    if w is None or row.status != "ok":
        return False
    require("partial" not in w, "it is a part of a packet")
    ip, udp = row.data[w["ip.offset"]:w["end"]], row.data[w["udp"]:]
    b = decode(LAYOUTS["bth"], row.data[w["bth"]:w["bth"] + 12])
    require(b["opcode"] == 0x81, "its opcode is not that of a CNP")
    six = w["ip.version"] == 6
    h = decode(LAYOUTS["ipv6" if six else "ipv4"], ip[:40 if six else 20])
    odd = [k for k in "solicited migreq ack_req psn resv6 resv7".split() if b[k]]
    odd += ["reserved"] if any(ip[-20:-4]) else []
    keys = dict(row.keys)
    said = keys.pop("odd", ())
    require((said if isinstance(said, tuple) else (said,)) == tuple(odd), "odd is", said,
            "and its bytes have", odd)
    same(keys, {
        "src": mapped(ip[8:24] if six else ip[12:16]),
        "dst": mapped(ip[24:40] if six else ip[16:20]), "dscp": h["dscp"],
        "ecn": h["ecn"], "hop_limit": h["hop_limit" if six else "ttl"],
        "flow_label": h["flow_label"] if six else 0,
        "identification": 0 if six else h["identification"],
        "src_port": int.from_bytes(udp[:2], "big"), "udp_checksum": int(any(udp[6:8])),
        "pkey": b["pkey"], "fecn": b["fecn"], "becn": b["becn"],
        "dest_qp": b["dest_qp"], "reserved": ip[-20:-4] if any(ip[-20:-4]) else b""})
    require(icrc(ip[:-4], w["bth"] - w["ip.offset"]) == ip[-4:], "its ICRC is wrong")
    return True


def check_icrc(row):
    w = walk(row.data, row.keys.get("link") == "ip")
    if w is None or row.status != "ok" or row.results["rule"] != "standard":
        return False
    require("partial" not in w, "it is a part of a packet")
    start = w.get("ip.offset", w.get("grh"))
    d = row.data[start:w["end"]]
    computed = icrc(d[:-4], w["bth"] - start)
    same(row.results, {"value": d[-4:], "computed": computed, "rule": "standard",
                       "ok": int(computed == d[-4:])})
    return True


def check_packet_parse(row):
    w = walk(row.data, row.keys.get("link") == "ip")
    if w is None or row.status != "ok" or row.config or set(row.keys) - {"link"}:
        return False
    same(row.results, w)
    return True


def check_udp_checksum(row):
    src, dst = row.keys["src"].packed, row.keys["dst"].packed
    n = struct.pack(">I", len(row.data)) + bytes([0, 0, 0, 17])
    total = sum16(src + dst + n + row.data[:6] + bytes(2) + row.data[8:])
    same(row.results, {"checksum": 0xffff - total or 0xffff})
    return True


def check_ipv4_checksum(row):
    same(row.results, {"checksum": 0xffff - sum16(row.data[:10] + bytes(2) + row.data[12:])})
    return True


def check_csig(row):
    if row.status != "ok":
        return False
    layout = CSIG[int.from_bytes(row.data[:2], "big")]
    if row.noun == "csig_uec":
        layout = re.sub(r"locator:(\d+)",
                        lambda m: f"locator:{int(m[1]) - 1} no_update:1", layout)
    same(row.keys, decode(layout.split(), row.data) | {"wide": int(len(row.data) == 8)})
    return True


# Flow samples by format, compact (1) or expanded to words (3).
SFLOW = {1: "sequence_number:32 source_type:8 source_index:24 sampling_rate:32 "
            "sample_pool:32 drops:32 input_format:2 input_value:30 output_format:2 "
            "output_value:30 n_records:32 records:rest"}
SFLOW[3] = re.sub(r":\d+", ":32", SFLOW[1])


def check_sflow(row):
    if row.status != "ok":
        return False
    kind = row.data[7]
    layout = "_version:32 _type:32 " + ("", "agent:ip4 ", "agent:ip6 ")[kind] + \
        "sub_agent_id:32 sequence_number:32 uptime_ms:32 n_samples:32"
    out = decode(layout.split(), row.data)
    if kind == 1:
        out["agent"] = mapped(out["agent"].packed)
    same(row.keys, out | ({"address_type": ("", "ipv4", "ipv6")[kind]} if kind else {}))
    return True


def check_sflow_flow(row):
    if row.status != "ok":
        return False
    form = row.keys["format"]
    same(row.results, decode(SFLOW[form].split(), row.data) | {"expanded": int(form == 3)})
    return True


def check_sflow_raw(row):
    if row.status != "ok":
        return False
    end = 16 + int.from_bytes(row.data[12:16], "big")
    same(row.results, decode("protocol:32 frame_length:32 stripped:32 _length:32 "
                             "header:rest".split(), row.data[:end]))
    return True


def check_layout(row):
    if row.status == "ok":
        layout = LAYOUTS[row.noun]
        if row.noun == "arista" and row.data[3] == 0x20:
            layout = [part.replace("seconds:32", "seconds:16") for part in layout]
        same(row.keys, decode(layout, row.data))
    return row.status == "ok"


def check_arrival(row):
    """Checks by the model, which reads the packet again."""
    sys.path.insert(0, str(HERE / "model"))
    import arrival
    same(row.results, arrival.judge_row(row))
    return True


CHECKS = {noun: check_layout for noun in LAYOUTS} | {
    "cnp": check_cnp, "csig": check_csig, "csig_uec": check_csig, "call icrc_verify":
    check_icrc, "call packet_parse": check_packet_parse, "call udp_checksum":
    check_udp_checksum, "call ipv4_checksum": check_ipv4_checksum, "sflow": check_sflow,
    "call sflow_flow_parse": check_sflow_flow, "call sflow_raw_parse": check_sflow_raw,
    "call arrival_check": check_arrival}


def check_row(row, known):
    """Checks a row. Returns true if it was decoded again."""
    require(row.noun in known, row.noun, "is not in README")
    if not row.call and row.status in ("range", "space"):
        require(not row.data, "HEX, and nothing can be emitted")
    elif not row.call and row.status != "ok":
        require(not row.keys, "values, and nothing can be parsed")
    check = CHECKS.get("call " * row.call + row.noun)
    return check is not None and check(row)


class Draws:
    """The random numbers of README."""

    def __init__(self, seed):
        self.x = seed

    def of(self, n):
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.x >> 32) * n >> 32

    def between(self, text):
        low, high = (int(end, 0) for end in text.split(".."))
        require(0 <= high - low < 2**32, text, "is beyond 32 bits")
        return low + self.of(high - low + 1)


def argument(how, key, made, sums, draws):
    """Returns the number or text for HOW."""
    if how[0] == "+":
        span, percent, modulus = how[1:].partition("%")
        sums[key] = (sums.get(key, 0) + draws.between(span)) % 2**64
        if percent:
            sums[key] %= int(modulus, 0)
        return sums[key]
    if how[0] == "@":
        other, span = how[1:].split("+", 1)
        return (made[other] + draws.between(span)) % 2**64
    if ".." in how:
        return draws.between(how)
    if "/" in how:
        texts = how.split("/")
        how = texts[draws.of(len(texts))]
    return int(how, 0) if NUMBER.fullmatch(how) else how


def phase(text):
    """Returns a phase's COUNT, and the event, weight and arguments of each kind."""
    count, rest = text.split(":", 1)
    kinds = []
    for part in rest.split("|"):
        head, *arguments = part.split()
        event, _, weight = head.partition("*")
        kinds.append((event, int(weight or 1), [a.split("=", 1) for a in arguments]))
    return int(count), kinds


def events(trace):
    """Yields each event with its arguments."""
    draws, sums = Draws(int(trace.settings["seed"], 0)), {}
    for count, kinds in map(phase, trace.phases):
        of = [kind for kind in kinds for _ in range(kind[1])]
        for _ in range(count):
            event, _, arguments = of[draws.of(len(of))]
            made = {}
            for key, how in arguments:
                made[key] = argument(how, key, made, sums, draws)
            yield event, made


def model_of(name):
    """Returns model/trace.py, a file's model, and the traces that it would write."""
    sys.path.insert(0, str(HERE / "model"))
    import trace
    found, main = [], trace.main
    trace.main = lambda *given: found.append(given)
    runpy.run_path(str(HERE / "model" / (name.replace("-", "_") + ".py")),
                   run_name="__main__")
    trace.main = main
    require(len(found) == 1 and found[0][0] == name, name, "has no model")
    return trace, found[0][1], found[0][2]


def check_trace(t, machine, model):
    """Checks the states by the model, and returns the number of events."""
    m, n = machine.start(model, t.settings), 0
    typed, hashed, sums = {}, 0xcbf29ce484222325, {}
    last = sum(count for count, _ in map(phase, t.phases))
    require(last in t.all, t.id, "has no hash at its end")
    near = list(t.all[last][1])

    def text(values):
        out = {}
        for key, v in values.items():
            v = machine.text(v)
            if v not in typed:
                typed[v] = value(v)
            out[key] = typed[v]
        return out

    require(t.states.get(0) == ({}, text(m.state())), t.id, "event 0 is otherwise")
    for n, (event, made) in enumerate(events(t), 1):
        action, state = machine.step(m, event, made), m.state()
        for key, v in [*action.items(), *state.items()]:
            if key in near:
                sums[key] = v + sums.get(key, 0)
            else:
                for word in v.encode("ascii") if isinstance(v, str) else [int(v)]:
                    hashed = (hashed ^ word % 2**64) * 0x100000001b3 % 2**64
        if n in t.all:
            of_all = hashed if n % 500 == 0 or n == last else None, text(sums)
            require(t.all[n] == of_all, f"{t.id}: event {n}: the file has", t.all[n],
                    "of all states, and the model", of_all)
            sums = {}
        if n in t.states:
            said, is_now = t.states[n], (text(action), text(state))
            require(said == is_now, f"{t.id}: event {n}, {event} {made}: the file has",
                    said, "and the model", is_now)
    require(set(t.states) == {i for i in range(n + 1) if i <= 200 or i % 50 == 0},
            t.id, "has other states than the first 200 and every 50th")
    require(set(t.all) == {i for i in range(50, n + 1, 50) if near or i % 500 == 0} | {n},
            t.id, "has no hash or no sums somewhere")
    return n


def check_traces(name, traces):
    machine, model, written = model_of(name)
    require([(t.id, t.phases) for t in traces] ==
            [(head.split()[0], [p.strip() for p in phases]) for head, phases in written],
            "has other traces than its model writes")
    for t, (head, _) in zip(traces, written):
        said = [f"{k}={v}" for k, v in t.settings.items()]
        require([t.id, t.algorithm] + said == head.split(), t.id, "begins otherwise")
    return sum(check_trace(t, machine, model) for t in traces)


def check(paths):
    known = set(re.findall("[a-z0-9_]+", (HERE / "README").read_text("ascii")))
    decoded, rows, traces, drawn = {}, 0, 0, 0
    for path in paths:
        try:
            entries = list(read(path))
            require(entries, "no row")
            here = [e for e in entries if isinstance(e, Trace)]
            for row in entries:
                if isinstance(row, Row):
                    try:
                        noun = "call " * row.call + row.noun
                        decoded[noun] = decoded.get(noun, 0) + check_row(row, known)
                    except (Bad, ValueError) as e:
                        raise Bad(f"{row.id}: {e}")
            if here:
                drawn += check_traces(path.stem, here)
        except Bad as e:
            where = "" if str(e).startswith(path.name) else path.name + ": "
            sys.exit(f"vectors: {where}{e}")
        rows += len(entries) - len(here)
        traces += len(here)
    for noun in CHECKS:
        if noun in decoded and not decoded[noun]:
            sys.exit(f"vectors: no row of {noun} could be decoded")
    print(f"vectors: read.py: {len(paths)} files, {rows} rows, {sum(decoded.values())} of "
          f"them decoded once more; {traces} traces of {drawn} events as their models say")


if __name__ == "__main__":
    check([pathlib.Path(p) for p in sys.argv[1:]] or sorted(HERE.glob("*.vec")))

# SPDX-License-Identifier: BSD-2-Clause
"""Frames in tshark and scapy, in the names of rocedump by map.tsv."""
import collections
import fnmatch
import ipaddress
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import scapy.contrib.mac_control
import scapy.contrib.roce
import scapy.layers.inet6
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from scapy.packet import NoPayload, Packet

import telemetry

HERE = pathlib.Path(__file__).resolve().parent
# Layers of tshark that must have all fields in the map, and layers of scapy that need not.
TSHARK = {"eth", "vlan", "etag", "vntag", "avsp", "ieee8021ad", "macc", "ip", "ipv6", "icmpv6", "udp", "tcp",
          "infiniband"}
SCAPY_NOT = {"Raw", "Padding", "ARP", "DNS", "NoPayload"}
# Protocols that tshark may decode. Otherwise a source port such as 69 would go before 4791 (-d
# does not change that), and a payload of random bytes might look like iSER. eth_over_ib finds
# tags in a payload that begins with 81000000.
DECODERS = re.compile(r"eth|ethertype|vlan|etag|vntag|avsp|ieee8021ad|macc|ip|ip\.options\..*|ipv6|udp|"
                      r"tcp|ipv6\.(hopopts|dstopts|fraghdr|routing.*)|icmpv6|infiniband|"
                      r"arp|data")
PREFERENCES = """eth.fcs: Never
ip.defragment: FALSE
ipv6.defragment: FALSE
infiniband.try_heuristic_first: FALSE
udp.check_checksum: TRUE
"""


class Item:
    """A field in a peer's output: its name, and its value as number, hex and text."""

    def __init__(self, name, value=0, digits="", shown="", at=0, size=0):
        self.name, self.value, self.hex, self.text = name, value, digits, shown
        self.at, self.size = at, size


def populated(convert):
    """Converts a field for which all ones mean no value."""
    return lambda i: convert(i) if set(i.hex) != {"f"} else None


CONVERT = {
    "int": lambda i: i.value, "hex": lambda i: i.hex, "join": lambda i: i.hex,
    "text": lambda i: i.text, "last16": lambda i: str(ipaddress.IPv6Address(
        bytes.fromhex(i.hex)[-16:])), "low2": lambda i: i.value & 3,
    "low6": lambda i: i.value & 0x3f, "low8": lambda i: i.value & 0xff,
    "high4": lambda i: i.value >> 8, "high8": lambda i: i.value >> 8,
    "dscp": lambda i: i.value >> 2,
    "bit0": lambda i: i.value & 1, "bit1": lambda i: i.value >> 1 & 1,
    "bit2": lambda i: i.value >> 2 & 1, "bit6": lambda i: i.value >> 6 & 1,
    "bit7": lambda i: i.value >> 7 & 1, "hex32": lambda i: "%08x" % i.value,
    "ipv6": lambda i: str(ipaddress.IPv6Address(i.value)),
    "decimal": lambda i: int(i.text), "ns": lambda i: int(i.text.replace(".", "")),
    "record": None, "node": None, "item": populated(lambda i: i.value),
    "item64": populated(lambda i: "%016x" % i.value),
    "overflow": populated(lambda i: i.value >> 31),
    "low31": populated(lambda i: i.value & 0x7fffffff),
    "high6": lambda i: i.value >> 26 if i.value >> 26 != 0x3f else None,
    "low26": lambda i: i.value & 0x3ffffff if ~i.value & 0x3ffffff else None,
    "schema": lambda i: int(i.hex[2:8], 16) if i.hex != "00ffffff" else None,
    "behind4": lambda i: i.hex[8:] or None}


class Map:
    """The part of map.tsv for one peer."""

    def __init__(self, peer):
        self.rows = collections.defaultdict(list)  # field -> (member, conversion)
        self.reasons = {}  # field or pattern -> reason to skip it
        self.seen = set()
        for line in (HERE / "map.tsv").read_text("ascii").splitlines():
            if not line or line.startswith("#"):
                continue
            who, name, member, rest = (line + "\t\t\t").split("\t")[:4]
            if who == peer and member == "-":
                require(rest, "map.tsv: no reason:", line)
                self.reasons[name] = rest
            elif who == peer:
                self.rows[name].append((member, CONVERT[rest or "int"], rest))
        self.members = {m for row in self.rows.values() for m, _, _ in row}

    def find(self, parent, name):
        """Returns the rows of a field, [] if it is not compared, or None if unknown."""
        whole = parent + "/" + name
        for key in (whole, name):
            if key in self.rows:
                self.seen.add(key)
                return self.rows[key]
        for pattern in self.reasons:
            if fnmatch.fnmatchcase(whole if "/" in pattern else name, pattern):
                self.seen.add(pattern)
                return []
        return None

    def joined(self, parent):
        """Returns the members that several fields of a header make together."""
        return [row[0][0] for key, row in self.rows.items()
                if row[0][2] == "join" and key.startswith(parent + "/")]


class View:
    """A frame in a peer's view: the items, and their values by rocedump's names."""

    def __init__(self, table):
        self.map = table
        self.items = []
        self.unknown = []
        self.got = collections.defaultdict(list)
        self.nodes = collections.defaultdict(list)  # per record, a dict per node

    def layer(self, name):
        for member in self.map.joined(name):
            self.got[member].append("")

    def item(self, parent, item, gated):
        self.items.append(item)
        rows = self.map.find(parent, item.name)
        if rows is None and gated:
            self.unknown.append(parent + "/" + item.name)
        for member, convert, how in rows or ():
            if how == "join":
                self.got[member][-1] += convert(item)
            elif how == "record":
                self.nodes[member].append([])
            elif how == "node":
                self.nodes[member][-1].append({})
            elif ".nodes." in member:
                self.node_item(member, convert(item))
            else:
                self.got[member].append(convert(item))

    def node_item(self, member, value):
        """Adds an item to the last node. None: the node has no value."""
        layer, name = member.split(".nodes.")
        if value is not None:
            self.nodes[layer + ".nodes"][-1][-1][name] = value

    def end(self):
        """Adds the nodes by rocedump's names."""
        for name, records in self.nodes.items():
            self.got.update(telemetry.columns(name, records))
        return self

    def all(self, name):
        return [i for i in self.items if i.name == name]

    def offset(self, name, base):
        """Returns the place of a field, counted from another, or None."""
        both = self.all(name) and self.all(base)
        return self.all(name)[0].at - self.all(base)[0].at if both else None


def require(good, *message):
    if not good:
        sys.exit("peers: " + " ".join(str(m) for m in message))


def run(*command, **settings):
    """Runs a peer that must succeed, and returns its output."""
    done = subprocess.run(command, capture_output=True, **settings)
    require(done.returncode == 0, command[0], done.stderr.decode())
    return done.stdout.decode()


def configure_tshark(folder):
    """Writes a configuration by which tshark decodes the compared protocols."""
    lines = run("tshark", "-G", "protocols").splitlines()
    names = [line.split("\t")[2] for line in lines]
    folder.mkdir()
    (folder / "preferences").write_text(PREFERENCES)
    (folder / "heuristic_protos").write_text("eth_over_ib,0\n")
    (folder / "disabled_protos").write_text(
        "".join(name + "\n" for name in names if not DECODERS.fullmatch(name)))


def tshark(pcap, folder):
    """Yields tshark's PDML, frame by frame. Its configuration is in a folder."""
    environment = dict(os.environ, WIRESHARK_CONFIG_DIR=str(folder))
    with subprocess.Popen(["tshark", "-n", "-r", str(pcap), "-T", "pdml"],
                          env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        for _, node in ElementTree.iterparse(process.stdout):
            if node.tag == "packet":
                yield node
                node.clear()
    require(process.returncode == 0, "tshark failed")


def digits_of(parts):
    """Returns the bytes of parts, without overlaps."""
    out, end = "", 0
    for part in parts:
        if int(part.get("pos", 0)) >= end and part.get("value"):
            out += part.get("value")
            end = int(part.get("pos", 0)) + int(part.get("size", 0))
    return out


def undefined_bits(view, item):
    """Numbers the undefined bits of an IOAM node, by its trace type."""
    if item.name.endswith("ioam.trace.type"):
        view.asked = [bit for bit in range(12, 22) if item.value >> (23 - bit) & 1]
    if item.name == "Node":
        view.bits = iter(view.asked)
    if item.name.endswith("ioam.trace.node.undefined"):
        item.name += str(next(view.bits))


def tshark_items(view, node, parent, gated):
    for child in node:
        name = child.get("name")
        if child.tag == "proto":
            view.layer(name)
        else:
            at, size = int(child.get("pos", 0)), int(child.get("size", 0))
            shown, value = child.get("show", ""), child.get("value", "")
            name = name or re.split(r":| \((?!short|wide)", shown)[0].strip()
            name = re.sub(r"^Node \d+$", "Node", name)
            digits = value or digits_of(child)
            item = Item(name, int(value or "0", 16), digits, shown, at, size)
            item.line = child.get("showname", shown)
            undefined_bits(view, item)
            view.item(parent, item, gated)
        if name == "ipv6.opt" and re.search("0x9E|159", item.line):  # of a Fast CNP
            name = "fastcnp"
        tshark_items(view, child, parent if name == "data" else name, gated)


def tshark_view(table, packet):
    view, last = View(table), ""
    for proto in packet:
        name = proto.get("name")
        if name == "geninfo":
            continue
        if name == "fake-field-wrapper":  # a field without a name
            name = last
        else:
            view.layer(name)
        last = name
        view.items.append(Item("proto " + name))
        tshark_items(view, proto, name, name in TSHARK)
    return view.end()


def scapy_values(layer):
    """Returns a layer's fields, some of them as the bytes that they are made of."""
    fields = {f.name: layer.getfieldval(f.name) for f in layer.fields_desc}
    name = type(layer).__name__
    if name == "TCP":
        flags = int(fields.pop("flags"))
        fields["reserved+flags"] = fields.pop("reserved") << 9 | flags
    if name == "MACControlClassBasedFlowControl":
        fields["enabled"] = sum(fields.pop("c%d_enabled" % i) << i for i in range(8))
    if name == "CNPPadding":
        fields = {"reserved": b"".join(v.to_bytes(8, "big") for v in fields.values())}
    if name == "IPv6ExtHdrSegmentRouting":
        flags = 0
        for part, bits in (("unused1", 1), ("protected", 1), ("oam", 1), ("alert", 1),
                           ("hmac", 1), ("unused2", 3)):
            flags = flags << bits | fields.pop(part)
        fields["flags"] = flags
        fields["addresses"] = b"".join(ipaddress.IPv6Address(a).packed
                                       for a in fields["addresses"])
    return fields


def scapy_view(table, data):
    view = View(table)
    layer = view.packet = Ether(data)
    while not isinstance(layer, NoPayload):
        kind = type(layer).__name__
        view.items.append(Item("layer " + kind))
        for name, value in scapy_values(layer).items():
            if isinstance(value, list):
                value = b"".join(bytes(v) for v in value if isinstance(v, Packet))
            item = Item(kind + "." + name, shown=str(value))
            if isinstance(value, bytes):
                item.hex = value.hex()
            elif not isinstance(value, str) and value is not None:
                item.value = int(value)
            view.item(kind, item, kind not in SCAPY_NOT)
        if kind in ("ICMPv6ParamProblem", "ICMPv6PacketTooBig"):  # the rest is not the frame's own
            item = Item(kind + ".packet", digits=layer.payload.original.hex())
            view.item(kind, item, True)
            break
        if kind == "BTH" and layer.underlayer:
            item = Item("BTH.compute_icrc", digits=layer.compute_icrc(b"").hex())
            if isinstance(layer.underlayer.underlayer, IP):
                view.item(kind, item, True)
            else:
                view.items.append(item)
        layer = layer.payload
    return view

# SPDX-License-Identifier: BSD-2-Clause
"""What tshark and scapy say of a frame, in the names of rocedump by map.tsv."""
import collections
import fnmatch
import ipaddress
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import scapy.contrib.roce
import scapy.layers.inet6
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from scapy.packet import NoPayload, Packet

HERE = pathlib.Path(__file__).resolve().parent
# The layers of tshark and scapy whose every field has to be in the map.
TSHARK = {"eth", "vlan", "ieee8021ad", "ip", "ipv6", "icmpv6", "udp", "tcp",
          "infiniband"}
SCAPY_NOT = {"Raw", "Padding", "ARP", "DNS", "NoPayload"}
# What tshark may decode: without this list a source port such as 69 would go before
# 4791 (-d does not change that), and a payload of random bytes might look like iSER;
# eth_over_ib finds tags in a payload that begins with 81000000.
DECODERS = re.compile(r"eth|ethertype|vlan|ieee8021ad|ip|ip\.options\..*|ipv6|udp|tcp|"
                      r"ipv6\.(hopopts|dstopts|fraghdr|routing.*)|icmpv6|infiniband|"
                      r"arp|data")
PREFERENCES = """eth.fcs: Never
ip.defragment: FALSE
ipv6.defragment: FALSE
infiniband.try_heuristic_first: FALSE
"""


class Item:
    """A field as a peer shows it: its name, and its value as number, hex and text."""

    def __init__(self, name, value=0, digits="", shown="", at=0, size=0):
        self.name, self.value, self.hex, self.text = name, value, digits, shown
        self.at, self.size = at, size


CONVERT = {
    "int": lambda i: i.value, "hex": lambda i: i.hex, "join": lambda i: i.hex,
    "text": lambda i: i.text, "last16": lambda i: str(ipaddress.IPv6Address(
        bytes.fromhex(i.hex)[-16:])), "low2": lambda i: i.value & 3,
    "low6": lambda i: i.value & 0x3f, "low8": lambda i: i.value & 0xff,
    "high4": lambda i: i.value >> 8, "dscp": lambda i: i.value >> 2,
    "bit0": lambda i: i.value & 1, "bit1": lambda i: i.value >> 1 & 1,
    "bit2": lambda i: i.value >> 2 & 1, "bit6": lambda i: i.value >> 6 & 1,
    "bit7": lambda i: i.value >> 7 & 1, "hex32": lambda i: "%08x" % i.value,
    "ipv6": lambda i: str(ipaddress.IPv6Address(i.value)),
    "decimal": lambda i: int(i.text), "ns": lambda i: int(i.text.replace(".", ""))}


class Map:
    """What map.tsv says of one peer."""

    def __init__(self, peer):
        self.rows = collections.defaultdict(list)  # field -> (member, conversion)
        self.reasons = {}  # field or pattern -> why not
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
        """The rows of a field; none if it is not to be compared; None: not known."""
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
        """The members that all fields of one kind in a header make together."""
        return [row[0][0] for key, row in self.rows.items()
                if row[0][2] == "join" and key.startswith(parent + "/")]


class View:
    """A frame as a peer sees it: the items, and what they mean by rocedump's names."""

    def __init__(self, table):
        self.map = table
        self.items = []
        self.unknown = []
        self.got = collections.defaultdict(list)

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
            else:
                self.got[member].append(convert(item))

    def all(self, name):
        return [i for i in self.items if i.name == name]

    def offset(self, name, base):
        """Where a field begins, counted from another; None if it is not there."""
        both = self.all(name) and self.all(base)
        return self.all(name)[0].at - self.all(base)[0].at if both else None


def require(good, *message):
    if not good:
        sys.exit("peers: " + " ".join(str(m) for m in message))


def run(*command, **settings):
    """A peer that has to succeed; what it prints."""
    done = subprocess.run(command, capture_output=True, **settings)
    require(done.returncode == 0, command[0], done.stderr.decode())
    return done.stdout.decode()


def configure_tshark(folder):
    """A configuration of our own, by which it decodes what is compared."""
    lines = run("tshark", "-G", "protocols").splitlines()
    names = [line.split("\t")[2] for line in lines]
    folder.mkdir()
    (folder / "preferences").write_text(PREFERENCES)
    (folder / "heuristic_protos").write_text("eth_over_ib,0\n")
    (folder / "disabled_protos").write_text(
        "".join(name + "\n" for name in names if not DECODERS.fullmatch(name)))


def tshark(pcap, folder):
    """tshark's PDML, frame by frame; its configuration is in a folder."""
    environment = dict(os.environ, WIRESHARK_CONFIG_DIR=str(folder))
    with subprocess.Popen(["tshark", "-n", "-r", str(pcap), "-T", "pdml"],
                          env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        for _, node in ElementTree.iterparse(process.stdout):
            if node.tag == "packet":
                yield node
                node.clear()
    require(process.returncode == 0, "tshark failed")


def tshark_items(view, node, parent, gated):
    for child in node:
        name = child.get("name")
        if child.tag == "proto":
            view.layer(name)
        else:
            at, size = int(child.get("pos", 0)), int(child.get("size", 0))
            shown, value = child.get("show", ""), child.get("value", "")
            name = name or re.split("[:(]", shown)[0].strip()
            digits = value or "".join(part.get("value", "") for part in child)
            item = Item(name, int(value or "0", 16), digits, shown, at, size)
            item.line = child.get("showname", shown)
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
        if name == "fake-field-wrapper":  # what it could not name
            name = last
        last = name
        view.items.append(Item("proto " + name))
        view.layer(name)
        tshark_items(view, proto, name, name in TSHARK)
    return view


def scapy_values(layer):
    """A layer's fields, some of them as the bytes that they are made of."""
    fields = {f.name: layer.getfieldval(f.name) for f in layer.fields_desc}
    name = type(layer).__name__
    if name == "TCP":
        flags = int(fields.pop("flags"))
        fields["reserved+flags"] = fields.pop("reserved") << 9 | flags
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
        if kind == "ICMPv6ParamProblem":  # and what follows is not the frame's own
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

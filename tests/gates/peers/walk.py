# SPDX-License-Identifier: BSD-2-Clause
"""walk.py: tshark must find the headers of the frames in packet.vec at their rows' places, as
far as it knows them, and read the members of the tags in ether.vec.

The tests compare the library with the same rows."""
import collections
import pathlib
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[3] / "vectors"))
import read

VECTORS = HERE.parents[3] / "vectors"
OPTIONS = ["-n", "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE",
           "-o", "infiniband.try_heuristic_first:FALSE"]
# Numbers of a domain that tshark has itself, or takes as options.
OWN = {"tag.vlan_tpid": (0x9100,), "tag.etag_type": (0x893f,), "tag.vntag_type": (0x8926,),
       "tag.arista_type": (0xd28b,), "ah": (1,), "overlay.own_ports": (1,)}
PORTS = {"overlay.vxlan_port": "vxlan", "overlay.vxlan_port_2": "vxlan",
         "overlay.vxlan_gpe_port": "vxlan_gpe", "overlay.geneve_port": "geneve",
         "overlay.mpls_port": "mpls", "overlay.gre_port": "gre", "rocev2_port": "infiniband"}
TUNNELS = {"vxlan": "vxlan", "vxlan_gpe": "vxlan", "geneve": "geneve", "gre": "gre",
           "nvgre": "gre", "erspan1": "gre", "erspan2": "gre", "erspan3": "gre"}
# Rows that tshark 4.0 reads in another way, and the source that confirms the row.
KNOWN = {
    "etag-snap-behind": "a length stands where a type may; IEEE 802.3, 3.2.6",
    "arista-64-snap-behind": "the same", "arista-48-snap-behind": "the same",
    "snap-length-7": "a length declares no end of IP; vectors/README",
    "cntag": "IEEE 802.1Qau; tshark has no CN-TAG",
    "ext-135": "a header may follow; RFC 6275, 6.1.1",
    "ext-139": "a header may follow; RFC 7401, 5.1",
    "ext-8": "with a header of type 135 in it", "ext-2048": "of type 139",
    "gpe-p-clear-next": "P is clear, so Next Protocol is not there",
}
# tshark's field for each member of a tag.
MEMBERS = {
    "etag": {"pcp": "pcp", "dei": "dei", "ingress_ecid_base": "iecid_base",
             "reserved": "resv", "grp": "group", "ecid_base": "ecid_base",
             "ingress_ecid_ext": "iecid_ext", "ecid_ext": "ecid_ext", "type": "etype"},
    "vntag": {"d": "dir", "p": "ptr", "dst": "dst", "l": "looped", "r": "r",
              "ver": "version", "src": "src", "type": "etype"},
    "arista": {"subtype": "sub_type", "version": "ver", "seconds": "*sec", "ns": "*ns",
               "type": "etype"},
}
PROTO = {"etag": ("etag", 0x893f), "vntag": ("vntag", 0x8926), "arista": ("avsp", 0xd28b)}


def packets(frames, decodes, link=1):
    """Returns tshark's PDML of each frame."""
    with tempfile.NamedTemporaryFile(suffix=".pcap") as capture:
        capture.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, link))
        for data in frames:
            capture.write(struct.pack("<IIII", 0, 0, len(data), len(data)) + data)
        capture.flush()
        more = [x for d in decodes for x in ("-d", d)]
        out = subprocess.run(["tshark", *OPTIONS, *more, "-r", capture.name, "-T", "pdml"],
                             check=True, capture_output=True).stdout
    found = [p for p in ElementTree.fromstring(out) if p.tag == "packet"]
    if len(found) != len(frames):
        sys.exit(f"peers: tshark reads {len(found)} of {len(frames)} frames")
    return found


def places(packet):
    """Returns the places of each header, by its name; of an infiniband its BTH."""
    at = collections.defaultdict(list)
    for proto in packet:
        at[proto.get("name")].append(int(proto.get("pos", 0)))
    at["bth"] = [int(f.get("pos")) for f in packet.iter("field")
                 if f.get("name") == "infiniband.bth"]
    at["ah"] = [int(f.get("pos")) for f in packet.iter("proto") if f.get("name") == "ah"]
    return at


def fragment_of(packet):
    """Returns ip.fragment of the outermost IP header that is a fragment."""
    for field in packet.iter("field"):
        name, value = field.get("name"), field.get("show")
        if name in ("ip.frag_offset", "ipv6.fraghdr.offset") and int(value, 0):
            return 2
        if name in ("ip.flags.mf", "ipv6.fraghdr.more") and value in ("1", "True"):
            return 1
    return 0


def claims(row):
    """Yields (name, place) of each header that tshark can show."""
    is_ = row.results
    if row.status == "ok":
        yield "bth", is_["bth"]
        if "grh" in is_:
            return
        yield "udp", is_["udp"]
    if row.status == "ok" or "inner" in is_:
        ips = [(is_[k + "version"], is_.get(k + "offset", 0)) for k in ("outer.", "ip.")
               if k + "version" in is_]
        for version, at in ips:
            yield "ip" if version == 4 else "ipv6", at
        for i in range(is_.get("n_vlan", 0)):
            yield "vlan", is_[f"vlan[{i}]"]
    if "inner" in is_ and is_["tunnel"] in TUNNELS:
        yield TUNNELS[is_["tunnel"]], is_["overlay"]
        if is_["inner_type"] == 0x6558 and is_["inner"] + 14 <= len(row.data):
            yield "eth", is_["inner"]


def readable(row):
    """Returns the options for ports if tshark knows the row's numbers, or None."""
    decodes = []
    for key, value in row.keys.items():
        if key in PORTS:
            decodes.append(f"udp.port=={value},{PORTS[key]}")
        elif key not in OWN or value not in OWN[key]:
            return None
    return tuple(sorted(decodes))


def check_walk():
    groups = collections.defaultdict(list)
    for row in read.read(VECTORS / "packet.vec"):
        decodes = readable(row) if row.noun == "packet_parse" else None
        if decodes is not None and any(claims(row)):
            groups[decodes].append(row)
    compared = rows = 0
    kinds = collections.Counter()
    differ = {}
    for decodes, of in groups.items():
        for row, packet in zip(of, packets([r.data for r in of], decodes)):
            at = places(packet)
            at["vlan"] += at["ieee8021ad"]
            rows += 1
            for name, place in claims(row):
                if place not in at[name]:
                    differ[row.id] = f"{name} is at {place}, and tshark has it at {at[name]}"
                    break
                compared += 1
            else:
                mine = row.results.get("ip.fragment", 0) or row.results.get(
                    "outer.fragment", 0)
                if mine != fragment_of(packet) and row.status == "ok":
                    differ[row.id] = f"it is fragment {mine}, and not for tshark"
                kinds[row.results["kind"]] += 1
    return rows, compared, kinds, differ


def check_tags():
    compared = 0
    rows = [r for r in read.read(VECTORS / "ether.vec")
            if r.noun in PROTO and not r.call and r.status == "ok"]
    frames = [bytes(12) + struct.pack(">H", PROTO[r.noun][1]) + r.data + bytes(46)
              for r in rows]
    for row, packet in zip(rows, packets(frames, ())):
        proto = PROTO[row.noun][0]
        fields = {}
        for field in packet.iter("field"):
            fields.setdefault(field.get("name"), field.get("show"))
        for member, name in MEMBERS[row.noun].items():
            if name[0] == "*":
                name = ("48" if row.data[3] == 0x20 else "64") + name[1:]
            if f"{proto}.len" in fields and member == "type":
                name = "len"  # a length in place of the type
            is_ = fields.get(f"{proto}.{name}", "0")
            is_ = {"True": 1, "False": 0}[is_] if is_ in ("True", "False") else int(is_, 0)
            if is_ != row.keys.get(member, 0):
                sys.exit(f"peers: {row.id}: tshark has {is_} for {member}")
            compared += 1
    return len(rows), compared


def main():
    rows, compared, kinds, differ = check_walk()
    for row in sorted(set(differ) - set(KNOWN)):
        print(f"peers: {row}: {differ[row]}")
    for row in sorted(set(KNOWN) - set(differ)):
        print(f"peers: {row}: tshark now reads it: update tests/gates/peers/walk.py")
    if set(differ) != set(KNOWN):
        sys.exit("peers: tshark and packet.vec differ")
    tags, members = check_tags()
    if kinds["partial_rocev2"] < 30 or kinds["overlay"] < 60 or kinds["rocev2"] < 90:
        sys.exit(f"peers: walk: too few rows of a kind: {kinds}")
    print(f"peers: tshark finds {compared} headers of {rows} rows where packet.vec has them, "
          f"and reads {members} members of {tags} tags")


if __name__ == "__main__":
    main()

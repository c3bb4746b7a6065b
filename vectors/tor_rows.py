# SPDX-License-Identifier: BSD-2-Clause
"""
Defines the rows of l3qcn_tor.vec by hand. Each row has a frame composed from its fields, and
an access ToR's results by draft-yu-tsvwg-l3qcn-00, 3.2.2, and the steps C1 to C14 and S3 to
S8 of role/README.md. model/l3qcn_tor.py judges the bytes again with its own table, and writes
the file. After bad_arrival come its reason, and the type, code and value of the ICMP error to
send.

An ID begins with the statement that the row is about. `kept` is True if the frame keeps it. A
row is (ID, kept, says, call, results, frame, other members of the event).
"""
import struct
from ipaddress import ip_address

from reaction_rows import (AH, DSTOPTS, HIP, HOPOPTS, MOBILITY, SHIM6, auth, chain, first,
                           odd_header, option, options, routing)

PORT, HOST, MAC = 0xcafe, 7, bytes.fromhex("020000000210")
GATEWAY, SPINE = bytes.fromhex("0200000001fe"), bytes.fromhex("02000000aa01")
A, B = bytes.fromhex("02fd16783acd"), bytes.fromhex("02fd16783ace")
BOTH, CPID = ((0x88a8, 100), (0x8100, 1024)), 0x0200000004400305
MS = 1000000
START_NS = 100000 * MS  # added to each row's now_ns, so that buckets of zeros are full


def checksum(data):
    total = sum(struct.unpack(f">{len(data + bytes(len(data) % 2)) // 2}H",
                              data + bytes(len(data) % 2)))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return total ^ 0xffff


def ip(src, dst, proto, body, fragment=0x4000, exts=(), opts=b"", spoil=0):
    src, dst = ip_address(src).packed, ip_address(dst).packed
    if len(src) == 16:
        body = chain(exts, proto, 1) + body
        return struct.pack(">IHBB", 6 << 28, len(body), first(exts, proto),
                           64) + src + dst + body
    n = 20 + len(opts)
    head = struct.pack(">BBHHHBBH", 0x40 + n // 4, 0, n + len(body), 0x1234, fragment, 64,
                       proto, 0) + src + dst + opts
    return head[:10] + struct.pack(">H", checksum(head) ^ spoil) + head[12:] + body


def udp(src, dst, sport, dport, body, spoil=0, length=0):
    """Builds UDP. `length` is added to UDP Length."""
    head = struct.pack(">HHHH", sport, dport, 8 + len(body) + length, 0)
    src, dst = ip_address(src).packed, ip_address(dst).packed
    total = checksum(src + dst + struct.pack(">II", 8 + len(body), 17) + head + body)
    return head[:6] + struct.pack(">H", (total or 0xffff) ^ spoil) + body


class Flow:
    """A flow, by default TCP 8957 -> 21, as in the second row of Table 1."""

    def __init__(self, n=0, src="10.1.10.2", dst="10.2.20.1", proto=6):
        self.src, self.dst, self.proto, self.n = src, dst, proto, n
        self.ports = struct.pack(">HH", 8957 + n, 21)

    def packet(self):
        body = self.ports + bytes.fromhex("1122334400000000 5010200000000000")
        return ip(self.src, self.dst, self.proto, body + bytes(range(40)))

    def kind(self):
        return 0x86dd if ":" in self.src else 0x0800


def tagged(tags, priority):
    return b"".join(struct.pack(">HH", t, priority << 13 | v) for t, v in tags)


def data(flow, mac=A, tags=BOTH, flow_id=0xc9a0, packet=None, priority=5):
    """Builds a host's frame, without a CN-TAG if `flow_id` is None."""
    mark = b"" if flow_id is None else struct.pack(">HH", 0x22e9, flow_id)
    return GATEWAY + mac + tagged(tags, priority) + mark + struct.pack(
        ">H", flow.kind()) + (packet or flow.packet())


def pdu(flow, cpid=CPID, fb=26, length=None, of=None):
    msdu = (struct.pack(">H", flow.kind()) + (of or flow).packet())[:64]
    n = len(msdu) if length is None else length
    return struct.pack(">HQhhH", fb, cpid, -531, 156, 5 << 13) + GATEWAY + struct.pack(
        ">H", n) + msdu


def private(flow, magic=0x4c51, version=1, spoil=0, swap=False, dport=PORT, src=None, dst=None,
            ah4=False, of_ip=None, udp_length=0, **of_pdu):
    """Builds a private CNM about a flow. `src` and `dst` override the outer addresses."""
    v6 = ":" in flow.src
    addresses = ip_address(flow.src).packed + ip_address(flow.dst).packed
    body, n = pdu(flow, **of_pdu), 12 + len(addresses)
    head = struct.pack(">HBBHBB", magic, version << 4 | 8 * v6 | 4, flow.proto,
                       n + len(body), n, 0) + flow.ports + addresses
    ends = (flow.src, flow.dst) if swap else (flow.dst, flow.src)
    src, dst = src or ends[0], dst or ends[1]
    proto, upper = 17, udp(src, dst, 49374, dport, head + body, spoil, udp_length)
    if ah4:  # AH over IPv4
        proto, upper = AH, bytes([17]) + auth()[1] + upper
    return SPINE + bytes.fromhex("020000000440") + struct.pack(">H", flow.kind()) + ip(
        src, dst, proto, upper, **(of_ip or {}))


def cnm(flow, mac=A, tags=BOTH, flow_id=0xc9a0, **of_pdu):
    """Builds the CNM for the host."""
    frame = mac + MAC + tagged(tags, 6) + struct.pack(">HHH", 0x22e9, flow_id, 0x22e7)
    return (frame + pdu(flow, **of_pdu)).ljust(60, b"\0")


F = [Flow(n) for n in range(20)]
F6 = Flow(0, "2001:db8:1::2", "2001:db8:2::1")


def learn(row, kept, says, what, frame, table=None, **event):
    return (row, kept, says, "l3qcn_tor_learn",
            {"what": what, **({"table": table} if table else {})}, frame, event)


def convert(row, kept, says, verdict, frame, out=b"", why=None, **event):
    verdict, *arrival = verdict.split()
    gives = {"verdict": verdict, **({"why": why} if why else {})}
    gives |= dict(zip(("arrival", "icmp"), arrival))
    if "icmp" in gives:
        error = map(int, gives.pop("icmp").split("/"))
        gives |= {f"icmp.{name}": n for name, n in zip(("type", "code", "value"), error) if n}
    if out:
        gives.update(port=event.pop("to", HOST), cnm=out)
    return (row, kept, says, "l3qcn_tor_convert", gives, frame, event)


def gone(row, kept, says, call, n, **event):
    return (row, kept, says, "l3qcn_tor_" + call, {"gone": n}, b"", event)


def table():
    yield learn("R-L3-3-learn", True, "MAC, FLOW-ID, VLAN tags and 5-tuple, before routing",
                "learned", data(F[0]), "learned")
    yield learn("R-L3-3-again", True, "a known flow is refreshed", "learned", data(F[0]),
                "refreshed")
    yield convert("R-L3-12-figure-5", True, "the sampled frame's SA, tags, CN-TAG; own MAC",
                  "converted", private(F[0]), cnm(F[0]))
    yield convert("R-L3-9-swapped", False, "from the flow's source to its destination",
                  "malformed", private(F[0], swap=True), why="spoofed")
    yield convert("R-L3-11-port", False, "to another port: it is no private CNM", "other",
                  private(F[0], dport=0xcaff))
    yield convert("R-L3-11-unknown", True, "of a flow that is in no table", "no_entry",
                  private(F[1]))
    yield learn("R-L3-18-C1-spoof", False, "a host that sends a private CNM", "spoofed",
                private(F[0]))
    yield convert("R-L3-18-C2-checksum", False, "one bit of its checksum", "bad_checksum",
                  private(F[0], spoil=1))
    yield convert("R-L3-18-C2-fragment", False, "a first fragment", "bad_arrival partial",
                  private(F[0], of_ip={"fragment": 0x2000}))
    yield convert("R-L3-18-C2-udp-7", False, "a UDP Length that has no room for UDP",
                  "bad_checksum", private(F[0], udp_length=7 - 116))
    yield convert("R-L3-18-C3-udp-long", False, "a UDP Length that IP has no room for",
                  "malformed", private(F[0], udp_length=1), why="cut")
    yield convert("R-L3-18-C3-first", False, "the form before the checksum", "malformed",
                  private(F[0], magic=0x4c52, spoil=1), why="not_magic")
    yield convert("R-L3-18-C3-magic", False, "other magic", "malformed",
                  private(F[0], magic=0x4c52), why="not_magic")
    yield convert("R-L3-18-C3-version", False, "a version of tomorrow", "malformed",
                  private(F[0], version=2), why="new_version")
    yield convert("R-L3-18-C3-long", False, "an MSDU of 65 bytes", "malformed",
                  private(F[0], length=65), why="long_msdu")
    yield convert("R-L3-18-S3-other", False, "an MSDU of another flow", "wrong_msdu",
                  private(F[0], of=F[3]))
    yield learn("R-L3-2-untagged", False, "no CN-TAG: nothing to learn", "untagged",
                data(F[1], flow_id=None))
    yield learn("R-L3-2-one-tag", True, "FLOW-ID 1 of another host, one VLAN tag",
                "learned", data(F6, B, BOTH[1:], 1), "learned")
    yield convert("R-L3-12-ipv6", True, "the same over IPv6, with one tag", "converted",
                  private(F6), cnm(F6, B, BOTH[1:], 1))
    yield learn("R-L3-2-no-vlan", True, "without any VLAN tag", "learned",
                data(F[2], B, (), 2), "learned")
    yield convert("R-L3-12-no-vlan", True, "nor has its CNM", "converted", private(F[2]),
                  cnm(F[2], B, (), 2))
    yield learn("R-L3-3-third-tag", False, "three VLAN tags", "too_many_tags",
                data(F[4], tags=BOTH + BOTH[:1]))
    yield learn("R-L3-3-group", False, "from a group address", "bad_station",
                data(F[4], bytes.fromhex("03fd16783acd")))
    yield learn("R-L3-3-arp", False, "what is no IP", "no_flow",
                data(F[4])[:24] + bytes.fromhex("0806") + F[4].packet())
    yield learn("R-L3-3-fragment", False, "a later fragment has no ports", "no_flow",
                data(F[4], packet=ip(F[4].src, F[4].dst, 6, bytes(24), 0x4001)))
    yield learn("R-L3-3-new-id", True, "hosts give their ids anew", "learned",
                data(F[0], flow_id=7), "relearned", now_ns=MS)
    yield convert("R-L3-12-new-id", True, "the last frame counts", "converted",
                  private(F[0]), cnm(F[0], flow_id=7), now_ns=MS)
    yield convert("R-L3-18-S4-soon", False, "the second CNM in 10 us", "held",
                  private(F[0]), now_ns=MS + 9999)
    yield convert("R-L3-18-S4-later", True, "and after 10 us", "converted", private(F[0]),
                  cnm(F[0], flow_id=7), now_ns=MS + 10000)
    yield convert("R-L3-18-S4-stronger", True, "a stronger one does not wait", "converted",
                  private(F[0], fb=27), cnm(F[0], flow_id=7, fb=27), now_ns=MS + 10001)
    yield convert("R-L3-18-S4-equal", False, "an equal one does", "held",
                  private(F[0], fb=27), now_ns=MS + 10002)
    yield convert("R-L3-18-S4-begins", False, "10 us begin again with the stronger one",
                  "held", private(F[0], fb=27), now_ns=MS + 20000)
    yield convert("R-L3-18-S4-weak", True, "after them a weak one", "converted",
                  private(F[0], fb=1), cnm(F[0], flow_id=7, fb=1), now_ns=MS + 20001)
    yield convert("R-L3-18-S4-holds-none", True, "which holds back no strong one",
                  "converted", private(F[0], fb=63), cnm(F[0], flow_id=7, fb=63),
                  now_ns=MS + 20001)
    yield convert("R-L3-18-C5-last-ms", True, "9,999 ms after the last frame", "converted",
                  private(F[0]), cnm(F[0], flow_id=7), now_ns=10000 * MS)
    yield convert("R-L3-18-C5-aged", False, "10,000 ms after it", "aged", private(F[0]),
                  now_ns=10001 * MS)


def arrivals():
    """Packets that may not end at their host (C2; RFC 1122, RFC 4291, RFC 8200)."""
    def one(name, says, verdict, flow=F[0], **given):
        return convert("R-L3-18-C2-" + name, False, says, verdict, private(flow, **given))

    def six(name, says, verdict, *exts):
        return one(name, says, verdict, F6, of_ip={"exts": exts})

    def four(name, says, verdict, opts):
        return one(name, says, verdict, of_ip={"opts": bytes.fromhex(opts)})

    source, destination = "bad_arrival bad_source", "bad_arrival bad_destination"
    unknown, route = "bad_arrival unknown_header 4/1/6", "bad_arrival segments_left 3/5/0"
    yield learn("R-L3-3-arrival-4", True, "a flow over IPv4", "learned", data(F[0]), "learned")
    yield learn("R-L3-3-arrival-6", True, "and over IPv6", "learned", data(F6), "learned")
    yield one("ip-checksum", "a bit of the IPv4 header checksum", "bad_arrival bad_checksum",
              of_ip={"spoil": 1})
    for name, address in (("net-0", "0.0.0.0"), ("loopback", "127.0.0.1"),
                          ("group", "224.0.0.1"), ("reserved", "240.0.0.1"),
                          ("broadcast", "255.255.255.255")):
        yield one(f"from-{name}-4", f"from {address}", source, src=address)
        yield one(f"to-{name}-4", f"to {address}", destination, dst=address)
    for name, address in (("zero", "::"), ("loopback", "::1"), ("group", "ff02::1"),
                          ("mapped", "::ffff:a01:a02")):
        yield one(f"from-{name}", f"from {address}", source, F6, src=address)
        yield one(f"to-{name}", f"to {address}", destination, F6, dst=address)
    yield one("from-itself-4", "from the host that it is for", source, src=F[0].src)
    yield one("from-itself", "the same over IPv6", source, F6, src=F6.src)
    yield four("route", "a source route that has not ended", route, "83070409090901 00")
    yield four("route-strict", "a strict one", route, "0189070409090901")
    yield four("option-overrun", "an option beyond the header",
               "bad_arrival bad_options 12/0/21", "01440400")
    yield six("mobility", "a header that no host steps over", unknown, odd_header(MOBILITY))
    yield six("hip", "the same", unknown, odd_header(HIP))
    yield six("shim6", "the same", unknown, odd_header(SHIM6))
    yield six("ah", "AH, whether or not the walk follows it", unknown, auth())
    yield one("ah-4", "over IPv4 the walk does not see the port behind it", "other", ah4=True)
    yield six("option", "an option that nobody knows", "bad_arrival unknown_option 4/2/42",
              options(DSTOPTS, option(0x9e)))
    yield six("option-hbh", "the same of Hop-by-Hop", "bad_arrival unknown_option 4/2/42",
              options(HOPOPTS, option(0xde)))
    yield six("option-silent", "act 01: no answer", "bad_arrival unknown_option",
              options(HOPOPTS, option(0x5e)))
    yield six("left", "a segment is left", "bad_arrival segments_left 4/0/42",
              routing(1, 7, F6.src, F6.dst))
    for name, flow in (("cut-4", F[0]), ("cut", F6)):
        yield convert("R-L3-18-C2-" + name, False, "IP goes beyond the bytes",
                      "bad_arrival partial", private(flow)[:-1])
    yield convert("R-L3-12-route-ended", True, "a source route that has ended", "converted",
                  private(F[0], of_ip={"opts": bytes.fromhex("83070809090901 00")}),
                  cnm(F[0]))
    yield convert("R-L3-12-skip", True, "an option to be skipped, and an SRH at its end",
                  "converted", private(F6, of_ip={"exts": [
                      options(HOPOPTS, option(0x1e)), routing(0, 7, F6.src)]}), cnm(F6))


def follows_ah():
    unknown = "bad_arrival unknown_header "
    yield convert("R-L3-18-C2-ah-on", False, "AH over IPv6", unknown + "4/1/6",
                  private(F6, of_ip={"exts": [auth()]}))
    yield convert("R-L3-18-C2-ah-on-second", False, "behind options", unknown + "4/1/40",
                  private(F6, of_ip={"exts": [options(HOPOPTS), auth()]}))
    yield convert("R-L3-18-C2-ah-on-4", False, "over IPv4: protocol unreachable",
                  unknown + "3/2/0", private(F[0], ah4=True))


def tenants():
    other = {"mac": B, "flow_id": 9}
    yield learn("R-L3-3-red", True, "a tenant's flow", "learned", data(F[0]), "learned",
                vrf=1)
    yield convert("R-L3-12-no-tenant", True, "the same 5-tuple, in no VRF that has it",
                  "no_entry", private(F[0]), vrf=2)
    yield learn("R-L3-3-blue", True, "another tenant's, of the same 5-tuple", "learned",
                data(F[0], **other), "learned", vrf=2, port=3)
    yield convert("R-L3-12-red", True, "each host its own", "converted", private(F[0]),
                  cnm(F[0]), vrf=1)
    yield convert("R-L3-12-blue", True, "each host its own", "converted", private(F[0]),
                  cnm(F[0], **other), vrf=2, to=3)
    yield gone("R-L3-3-no-blue", None, "the second VRF is deleted", "forget", 1, by=8, vrf=2)
    yield convert("R-L3-12-blue-no-more", True, "and its flow with it", "no_entry",
                  private(F[0]), vrf=2)
    yield convert("R-L3-12-still-red", True, "the first is as it was", "converted",
                  private(F[0]), cnm(F[0]), vrf=1, now_ns=MS)


def moved():
    for n, port in ((0, 3), (1, 3), (2, HOST), (3, 4)):
        yield learn(f"R-L3-3-at-{n}", True, f"port {port}", "learned",
                    data(F[n], B if n == 1 else A), "learned", port=port)
    yield gone("R-L3-3-nothing", None, "what names no flow takes none", "forget", 0, by=0)
    yield gone("R-L3-3-moved", None, "a MAC is at port 4 now: at others it goes", "forget",
               2, by=6, port=4, mac=A)
    yield convert("R-L3-12-moved", True, "nothing goes to the old port", "no_entry",
                  private(F[0]))
    yield convert("R-L3-12-at-4", True, "what it has at the new one stays", "converted",
                  private(F[3]), cnm(F[3]), to=4)
    yield gone("R-L3-3-down", None, "port 3 went down", "forget", 1, by=1, port=3)
    yield convert("R-L3-12-down", True, "no CNM for a port that is down", "no_entry",
                  private(F[1]))
    yield learn("R-L3-3-up", True, "it is back", "learned", data(F[0]), "learned", port=4)
    yield gone("R-L3-3-early", None, "nothing has expired", "sweep", 0, now_ns=9999 * MS)
    yield gone("R-L3-3-expired", None, "both have", "sweep", 2, now_ns=10000 * MS)


def crowd():
    """A port may learn 3 flows at once and one per second, and have 5 flows."""
    for n in range(3):
        yield learn(f"R-L3-18-S5-{n}", True, "the burst", "learned", data(F[n]), "learned")
    yield learn("R-L3-18-S5-burst", False, "one more at once", "new_flows_limited", data(F[3]))
    yield learn("R-L3-18-S5-known", True, "what is known costs nothing", "learned",
                data(F[0]), "refreshed")
    yield learn("R-L3-18-S5-other", True, "another port has its own", "learned", data(F[9]),
                "learned", port=0)
    yield learn("R-L3-18-S5-thief", True, "another port's flow is new to this one",
                "learned", data(F[9], B), "relearned", port=1)
    yield learn("R-L3-18-S5-nowhere", False, "a port that has no bucket", "new_flows_limited",
                data(F[10]), port=8)
    for n, s in ((3, 1), (4, 2)):
        yield learn(f"R-L3-18-S5-{n}", True, "a second later", "learned", data(F[n]),
                    "learned", now_ns=1000 * s * MS)
    yield learn("R-L3-18-S6-full", False, "a sixth flow, though it has a token", "crowded",
                data(F[5]), now_ns=4000 * MS)
    yield learn("R-L3-18-S6-other", True, "the others have room", "learned", data(F[5], B),
                "learned", port=0, now_ns=4000 * MS)
    yield gone("R-L3-18-S6-sweep", None, "what the burst brought has expired", "sweep", 4,
               now_ns=10000 * MS)
    yield learn("R-L3-18-S6-again", True, "and the port has room again", "learned",
                data(F[6]), "learned", now_ns=10000 * MS)


def switches():
    """
    Each switch has 2 tokens, and gets one per second. Its bucket for verification has twice as
    many. So has the shared bucket, for one misbehaving switch. The third switch has tag 2, and
    the fourth a tag without buckets.
    """
    other, third, fourth = (0x0200000004410001 + (n << 16) for n in range(3))
    outside = 0x02aa000004410001
    for n in range(9):
        yield learn(f"R-L3-3-s{n}", True, "a flow", "learned", data(F[n]), "learned")
    yield convert("R-L3-15-outside", False, "a MAC address of no switch here", "unlisted_cpid",
                  private(F[0], cpid=outside))
    yield convert("R-L3-15-first", False, "the list before the checksum", "unlisted_cpid",
                  private(F[0], cpid=outside, spoil=1))
    yield convert("R-L3-15-denied", False, "a queue that the list denies", "unlisted_cpid",
                  private(F[0], cpid=0x0200000004410777))
    for n in range(2):
        yield convert(f"R-L3-15-one-{n}", True, "a switch of the list, port and priority",
                      "converted", private(F[n], cpid=CPID + n), cnm(F[n], cpid=CPID + n))
    yield convert("R-L3-18-S8-misbehaves", False, "it says so too often", "rate_limited",
                  private(F[2]))
    for n in (3, 4):
        yield convert(f"R-L3-18-S8-other-{n}", True, "and takes from no other", "converted",
                      private(F[n], cpid=other), cnm(F[n], cpid=other))
    yield convert("R-L3-18-S8-all", False, "a third one misbehaves, too: a fifth of all",
                  "rate_limited", private(F[5], cpid=third))
    yield convert("R-L3-18-S8-tag", False, "a tag that has no buckets", "rate_limited",
                  private(F[5], cpid=fourth), now_ns=1000 * MS)
    yield convert("R-L3-18-S8-no-entry", False, "what is not converted takes no token",
                  "no_entry", private(F[10], cpid=third), now_ns=1000 * MS)
    yield convert("R-L3-18-S8-checksum", False, "nor does a wrong checksum", "bad_checksum",
                  private(F[5], cpid=third, spoil=1), now_ns=1000 * MS)
    yield convert("R-L3-18-S8-second", True, "after a second", "converted",
                  private(F[5], cpid=third), cnm(F[5], cpid=third), now_ns=1000 * MS)
    yield convert("R-L3-18-S8-held", False, "nor what is held back", "held",
                  private(F[5], cpid=third), now_ns=1000 * MS)
    yield convert("R-L3-18-S8-verified", False, "and four have been verified", "rate_limited",
                  private(F[6], cpid=third), now_ns=1000 * MS)
    yield convert("R-L3-18-S8-last", True, "all have one more", "converted",
                  private(F[7], cpid=CPID), cnm(F[7], cpid=CPID), now_ns=1000 * MS)
    yield convert("R-L3-18-S8-no-more", False, "and no other", "rate_limited",
                  private(F[8], cpid=other), now_ns=1000 * MS)


def unlimited_switches():
    yield learn("R-L3-3-u", True, "a flow", "learned", data(F[0]), "learned")
    for n in range(3):
        yield convert(f"R-L3-15-free-{n}", True, "the list alone decides", "converted",
                      private(F[0]), cnm(F[0]), now_ns=n * MS)
    yield convert("R-L3-15-free-outside", False, "and does", "unlisted_cpid",
                  private(F[0], cpid=0x02aa000004410001))


def as_sent(frame, priority):
    """Sets priority and destination as in the host's frame, behind two VLAN tags."""
    return frame[:40] + struct.pack(">H", priority << 13) + GATEWAY + frame[48:]


def rewritten():
    yield learn("R-L3-2-asked", True, "no CN-TAG, but asked for: FLOW-ID 0", "learned",
                data(F[0], flow_id=None, priority=3), "learned")
    yield convert("R-L3-16-rewritten", True, "the priority and destination of that frame",
                  "converted", private(F[0]), as_sent(cnm(F[0], flow_id=0), 3))
    yield convert("R-L3-16-most", True, "QntzFb 63 is the host's to judge", "converted",
                  private(F[0], fb=63), as_sent(cnm(F[0], flow_id=0, fb=63), 3), now_ns=MS)


BASE = "l3qcn.port=0xcafe check_msdu=1 gate.interval_ns=10000 expiry_ms=10000 "
LIMIT = ("admission.misbehaving=1 admission.source.rate_per_s=1 admission.source.burst=2 "
         "admission.verify.rate_per_s=2 admission.verify.burst=4 "
         "admission.shared.rate_per_s=2 admission.shared.burst=4")
SWITCHES = " ".join(
    f"access[{i}].cpid={cpid:#018x} access[{i}].length=48 access[{i}].permit=1 "
    f"access[{i}].tag={tag}" for i, (cpid, tag) in enumerate(
        [(0x0200000004400000, 0), (0x0200000004410000, 1), (0x0200000004420000, 2),
         (0x0200000004430000, 7)])) + " access[4].cpid=0x0200000004410777 access[4].length=64"
BLOCKS = [
    ("draft-yu-tsvwg-l3qcn-00, 3.2.2, steps 1 and 4: one host", BASE + "unlimited=1", table),
    ("RFC 791, RFC 1122, RFC 4291, RFC 8200: what may end at a host", BASE + "unlimited=1",
     arrivals),
    ("RFC 4302: the same, where AH is followed", BASE + "unlimited=1 ah=1", follows_ah),
    ("the same draft: two tenants with one 5-tuple", BASE + "unlimited=1", tenants),
    ("the same draft: hosts that move, ports that go down", BASE + "unlimited=1", moved),
    ("rocecc's own, where 5 is empty: what a port may have", BASE +
     "port_limit.rate_per_s=1 port_limit.burst=3 port_flows=5", crowd),
    ("rocecc's own, where 5 is empty: which switches are believed", BASE +
     f"unlimited=1 listed=1 {LIMIT} sources=3 {SWITCHES}", switches),
    ("the same without limits", BASE +
     f"unlimited=1 listed=1 admission.unlimited=1 {SWITCHES}", unlimited_switches),
    ("draft-yu-tsvwg-l3qcn-00, 2.1.1, fields 7 and 8, as the host's frame had them", BASE +
     "unlimited=1 learn_untagged=1 rewrite_encap=1", rewritten),
]

GOOD = BASE + "port_limit.rate_per_s=1 port_limit.burst=1 port_flows=1 "
REFUSALS = [
    ("R-L3-17-port", False, "no port is assigned: it is to be said", "port",
     GOOD.replace("0xcafe", "0")),
    ("R-L3-17-rocev2", False, "nor may it be RoCEv2's", "port",
     GOOD.replace("0xcafe", "4791")),
    ("R-L3-17-said", True, "any other will do", "accepted", GOOD),
    ("R-L3-18-no-rate", False, "a rate of 0 is no rate", "limit",
     GOOD.replace("rate_per_s=1", "rate_per_s=0")),
    ("R-L3-18-no-burst", False, "nor a burst of 0", "limit", GOOD.replace("burst=1", "burst=0")),
    ("R-L3-18-no-flows", False, "nor 0 flows", "limit", GOOD.replace("flows=1", "flows=0")),
    ("R-L3-18-unlimited", True, "unless the host says so", "accepted",
     BASE + "unlimited=1"),
    ("R-L3-18-no-list", False, "listed, and no list", "limit", f"{GOOD}listed=1 {LIMIT}"),
    ("R-L3-18-no-list-free", False, "nor without limits", "limit",
     f"{GOOD}listed=1 admission.unlimited=1"),
    ("R-L3-18-list", True, "with one", "accepted", f"{GOOD}listed=1 {LIMIT} {SWITCHES}"),
    ("R-L3-18-list-free", True, "without limits, by its name", "accepted",
     f"{GOOD}listed=1 admission.unlimited=1 {SWITCHES}"),
    ("R-L3-18-forgotten", False, "limits are not off by default", "limit",
     f"{GOOD}listed=1 {SWITCHES}"),
    ("R-L3-18-not-asked", True, "of a ToR that has no list they are not asked", "accepted",
     f"{GOOD}{LIMIT.replace('shared.burst=4', 'shared.burst=0')}"),
    *((f"R-L3-18-{name}", False, says, "limit",
       f"{GOOD}listed=1 {LIMIT.replace(*now)} {SWITCHES}") for name, says, now in (
           ("source", "a rate without a burst", ("source.burst=2", "source.burst=0")),
           ("nobody", "for no misbehaving switch", ("misbehaving=1", "misbehaving=0")),
           ("all", "AD-4: of two at once, tokens for one", ("misbehaving=1", "misbehaving=2")),
           ("verify", "fewer verified than converted", ("verify.burst=4", "verify.burst=1")))),
    ("R-L3-18-gate", False, "a gate of 2.1 s and more", "gate",
     GOOD.replace("interval_ns=10000", "interval_ns=0x80000000")),
]

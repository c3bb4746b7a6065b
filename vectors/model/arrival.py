# SPDX-License-Identifier: BSD-2-Clause
"""
Whether a packet may end at a node, or be forwarded by it after a tunnel: packet/arrival.h,
once more and slowly, from RFC 791, 792, 1122, 4291, 4302, 4443, 5771, 8200 and 8754, and
the figure of that header. The models of the roles ask it. Nothing comes from rocecc's C.

    python3 vectors/model/arrival.py --check    compares it with vectors/arrival.vec

The rows of arrival.vec were judged by hand, so this model writes no file: without --check
it does the same.
"""
import pathlib
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent
PATH = VECTORS / "arrival.vec"

HOPOPTS, ROUTING, FRAGMENT, AH, DSTOPTS, MOBILITY, HIP, SHIM6 = (
    0, 43, 44, 51, 60, 135, 139, 140)
EXTENSIONS = (HOPOPTS, ROUTING, FRAGMENT, AH, DSTOPTS, MOBILITY, HIP, SHIM6)
SRH = 4  # Routing Type, RFC 8754

# Prefixes in hex, by the bytes of an address: RFC 1122, 3.2.1.3, RFC 1112, 4, and
# RFC 3927, 2.7; RFC 4291, 2.5.2, 2.5.3, 2.5.5.2, 2.5.6 and 2.7.
NO_HOST = {4: ("00", "7f", "f"), 16: ("0" * 32, "0" * 31 + "1", "0" * 20 + "ffff")}
GROUP = {4: ("e",), 16: ("ff",)}
ON_LINK = {4: ("a9fe", "e00000"), 16: ("fe8", "fe9", "fea", "feb", *(
    f"ff{flags:x}{scope}" for flags in range(16) for scope in range(3)))}

# The library's caps: of all headers together; of padding between two options.
OPTIONS_MAX, PADDING_MAX, HEADERS_MAX = 8, 7, 8

# ICMPv6 and ICMP errors: type, code and value, without the pointers.
PROBLEM, PROBLEM4 = 4, 12
PROTOCOL, SOURCE_ROUTE = (3, 2, 0), (3, 5, 0)


class Stop(Exception):
    """A verdict that no later check changes, and the ICMP error that it asks for."""

    def __init__(self, verdict, error=None):
        super().__init__(verdict)
        self.verdict, self.error = verdict, error


class Undecided(Exception):
    """The RFCs and the library may part here, so that no row may rest on it."""


def number(data):
    return int.from_bytes(data, "big")


def is_any(prefixes, address):
    return address.hex().startswith(prefixes[len(address)])


def is_host(address):
    """Whether an address, as its IP version has it, may be a host's."""
    return not is_any(NO_HOST, address) and not is_any(GROUP, address)


def check_addresses(src, dst, forwards, groups):
    """RFC 1122, 3.2.1.3; RFC 4291, 2.5 to 2.7. Routers drop what belongs on a link."""
    if not is_host(src) or src == dst:
        raise Stop("bad_source")
    if forwards and is_any(ON_LINK, src):
        raise Stop("bad_source")
    if not is_host(dst) and not (groups and is_any(GROUP, dst)):
        raise Stop("bad_destination")
    if forwards and is_any(ON_LINK, dst):
        raise Stop("bad_destination")


def ip4_options(header):
    """RFC 791, 3.1: type and bytes of each option that has a length."""
    at = 20
    while at < len(header) and header[at] != 0:
        size = 1
        if header[at] != 1:
            size = header[at + 1] if at + 1 < len(header) else 0
            if size < 2 or at + size > len(header):
                raise Stop("bad_options", (PROBLEM4, 0, at))
            yield header[at], header[at:at + size]
        at += size


def check_ip4(packet, node, groups, partial):
    """An IPv4 header. Gives its destination when nothing stops the packet."""
    size, total = 4 * (packet[0] & 15), number(packet[2:4])
    if len(packet) < max(20, size) or size < 20 or total < size:
        raise Stop("no_ip")
    host, header = node == "host", packet[:size]
    if total > len(packet) or host and (partial or number(header[6:8]) & 0x3fff):
        raise Stop("partial")
    if sum(number(header[i:i + 2]) for i in range(0, size, 2)) % 0xffff:
        raise Stop("bad_checksum")
    check_addresses(header[12:16], header[16:20], not host, groups)
    for kind, option in ip4_options(header):  # the pointer counts from 1
        if host and kind in (131, 137) and len(option) > 2 and option[2] <= len(option):
            raise Stop("segments_left", SOURCE_ROUTE)
    if host and header[9] == AH:
        raise Stop("unknown_header", PROTOCOL)


def chain(packet):
    """
    The extension headers of an IPv6 packet that are not in a later fragment: type, offset,
    bytes, and the offset of the field that has the type.
    """
    at, said = 40, 6
    while packet[said] in EXTENSIONS:
        kind = packet[said]
        if at + 2 > len(packet):
            raise Undecided("a header beyond IP")
        units, unit = packet[at + 1], 8
        if kind == FRAGMENT:
            units = 0
        if kind == AH:  # RFC 4302, 2.2: in 4 bytes, minus 2
            unit = 4
        size = 8 + unit * units
        if at + size > len(packet):
            raise Undecided("a header beyond IP")
        yield kind, at, packet[at:at + size], said
        if kind == FRAGMENT and number(packet[at + 2:at + 4]) >> 3:
            return
        at, said = at + size, at


def options(header, at=0, room=256):
    """
    RFC 8200, 4.2: offset and bytes of each option of a Hop-by-Hop or Destination Options
    header but padding. `at` is where the header begins; `room` options are read.
    """
    i, padding = 2, 0
    while i < len(header):
        size = 1
        if header[i]:
            size = 2 + header[i + 1] if i + 1 < len(header) else len(header)
        option = header[i:i + size]
        if len(option) < size:
            raise Stop("bad_options", (PROBLEM, 0, at + i))
        if option[0] > 1 and not room:
            raise Stop("unsupported")
        if option[0] > 1:
            yield at + i, option
            padding, room = 0, room - 1
        else:
            padding += size
            if padding > PADDING_MAX:
                raise Stop("unsupported")
            if any(option[2:]):
                raise Stop("bad_options", (PROBLEM, 0, at + i))
        i += size


def check_option(at, option, known):
    """What the act bits of an option ask for that this node does not know."""
    act = option[0] >> 6
    if act and option[0] not in known:
        raise Stop("unknown_option", (PROBLEM, 2, at) if act > 1 else None)


def check_exts(headers, node, known):
    """
    RFC 8200, 4: each header in its order, as the destination of the IPv6 header processes
    it. What follows segments that are left is for the next of them: RFC 8754, 4.3.1.1.
    """
    n_options = 0
    for i, (kind, at, header, said) in enumerate(headers):
        if kind == DSTOPTS or kind == HOPOPTS and i == 0:
            for where, option in options(header, at, OPTIONS_MAX - n_options):
                check_option(where, option, known if kind == DSTOPTS else ())
                n_options += 1
        elif kind == ROUTING:
            if header[3] and node == "sid" and header[2] == SRH:
                return
            if header[3]:
                raise Stop("segments_left", (PROBLEM, 0, at + 2))
        elif kind != FRAGMENT:
            raise Stop("unknown_header", (PROBLEM, 1, said))


def check_ip6(packet, node, groups, known, partial):
    """An IPv6 header, and those after it that are for this node."""
    if len(packet) < 40:
        raise Stop("no_ip")
    end = 40 + number(packet[4:6])
    if end > len(packet):
        raise Stop("partial")
    if end == 40 and packet[6] == HOPOPTS:
        raise Undecided("a jumbogram")
    headers = list(chain(packet[:end]))
    if len(headers) > HEADERS_MAX:
        raise Undecided("more headers than the library reads")
    cut = any(kind == FRAGMENT and number(header[2:4]) & 0xfff9  # RFC 6946: whole
              for kind, _, header, _ in headers)
    if node == "host" and (partial or cut):
        raise Stop("partial")
    check_addresses(packet[8:24], packet[24:40], node != "host", groups)
    if node != "forwarder":
        check_exts(headers, node, known)


def is_silent(packet, error):
    """RFC 1122, 3.2.2; RFC 4443, 2.4 (e.3): what to a group gets no answer."""
    if packet[0] >> 4 == 4:
        return is_any(GROUP, packet[16:20])
    asked = error[:2] == (PROBLEM, 2) and packet[error[2]] >> 6 == 2
    return is_any(GROUP, packet[24:40]) and not asked


def check(packet, node="host", groups=False, known=(), partial=False):
    """
    The verdict on a packet, whose bytes begin with the IP header in question, and the ICMP
    error that the verdict asks for: type, code and value, or None. node: host, sid or
    forwarder. groups: it may go to a group. known: the types of Destination Options that
    the node knows. partial: the end of the packet is not there, as its UDP or overlay says.
    """
    try:
        version = packet[0] >> 4 if packet else 0
        if version == 4 and len(packet) >= 4:
            check_ip4(packet, node, groups, partial)
        elif version == 6:
            check_ip6(packet, node, groups, known, partial)
        else:
            raise Stop("no_ip")
    except Stop as e:
        return e.verdict, e.error and (None if is_silent(packet, e.error) else e.error)
    return "ok", None


# ---- How rows have it ----------------------------------------------------------------

def members(error, at=0):
    """An ICMP error about the IP header at an offset, by the names of its members."""
    fields = zip(("icmp.type", "icmp.code", "icmp.value", "icmp.offset"),
                 (*error, at) if error else ())
    return {name: value for name, value in fields if value}


def spelled(verdict, reason="ok", error=None):
    """A verdict with what it asks for, as rows by hand have it."""
    words = [verdict] + ([reason] if reason != "ok" else [])
    return " ".join(words + (["/".join(map(str, error))] if error else []))


def judge_row(row):
    """What a row of arrival.vec says behind its arrow."""
    given = row.keys
    types = (row.config.get("fastcnp.type_plain", 0), row.config.get("fastcnp.type_ioam", 0))
    verdict, error = check(row.data, given["node"], bool(given.get("groups")),
                           {t for t in types if t} if given.get("fastcnp") else ())
    return {"verdict": verdict, "icmp.type": 0, "icmp.code": 0, "icmp.value": 0,
            **members(error)}


def main():
    sys.path.insert(0, str(VECTORS))
    import read
    rows = list(read.read(PATH))
    for row in rows:
        try:
            read.same(row.results, judge_row(row))
        except read.Bad as e:
            sys.exit(f"arrival.vec: {row.id}: {e}")
    print(f"vectors: arrival: {len(rows)} rows, each as the model judges it")


if __name__ == "__main__":
    main()

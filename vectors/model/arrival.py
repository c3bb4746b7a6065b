# SPDX-License-Identifier: BSD-2-Clause
"""
An independent model of packet/arrival.h. It decides whether a packet may end at a node, or
may be forwarded after a tunnel. It follows RFC 791, 792, 1122, 4291, 4302, 4443, 5771, 8200
and 8754, and that header's figure. The models of the roles use it. Nothing comes from
rocecc's C.

    python3 vectors/model/arrival.py --check    compares it with vectors/arrival.vec

The verdicts in arrival.vec were written by hand, so this model writes no file. It does the
same without --check.
"""
import pathlib
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent
PATH = VECTORS / "arrival.vec"

HOPOPTS, ROUTING, FRAGMENT, AH, DSTOPTS, MOBILITY, HIP, SHIM6 = (
    0, 43, 44, 51, 60, 135, 139, 140)
EXTENSIONS = (HOPOPTS, ROUTING, FRAGMENT, AH, DSTOPTS, MOBILITY, HIP, SHIM6)
SRH = 4  # Routing Type, RFC 8754

# Address prefixes in hex, by address length (RFC 1122, 3.2.1.3, RFC 1112, 4, RFC 3927, 2.7, and
# RFC 4291, 2.5.2, 2.5.3, 2.5.5.2, 2.5.6 and 2.7).
NO_HOST = {4: ("00", "7f", "f"), 16: ("0" * 32, "0" * 31 + "1", "0" * 20 + "ffff")}
GROUP = {4: ("e",), 16: ("ff",)}
ON_LINK = {4: ("a9fe", "e00000"), 16: ("fe8", "fe9", "fea", "feb", *(
    f"ff{flags:x}{scope}" for flags in range(16) for scope in range(3)))}

# The library's limits: options in all headers together, bytes of padding in a row, and headers.
OPTIONS_MAX, PADDING_MAX, HEADERS_MAX = 8, 7, 8

# ICMPv6 and ICMP error types, and two whole errors as type, code and value.
PROBLEM, PROBLEM4 = 4, 12
PROTOCOL, SOURCE_ROUTE = (3, 2, 0), (3, 5, 0)


class Stop(Exception):
    """A verdict that no later check changes, and its ICMP error."""

    def __init__(self, verdict, error=None):
        super().__init__(verdict)
        self.verdict, self.error = verdict, error


class Undecided(Exception):
    """The RFCs and the library may differ here, so that no row may depend on it."""


def number(data):
    return int.from_bytes(data, "big")


def is_any(prefixes, address):
    return address.hex().startswith(prefixes[len(address)])


def is_host(address):
    """Returns true if the address, which has 4 or 16 bytes, may belong to a host."""
    return not is_any(NO_HOST, address) and not is_any(GROUP, address)


def check_addresses(src, dst, forwards, groups):
    """Checks both addresses (RFC 1122, 3.2.1.3; RFC 4291, 2.5 to 2.7). Routers drop packets
    from or to addresses that are valid on only one link."""
    if not is_host(src) or src == dst:
        raise Stop("bad_source")
    if forwards and is_any(ON_LINK, src):
        raise Stop("bad_source")
    if not is_host(dst) and not (groups and is_any(GROUP, dst)):
        raise Stop("bad_destination")
    if forwards and is_any(ON_LINK, dst):
        raise Stop("bad_destination")


def ip4_options(header):
    """Yields the type and the bytes of each option that has a length (RFC 791, 3.1)."""
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
    """Checks an IPv4 header. Raises Stop if a check fails."""
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
    Yields the type, the offset and the bytes of each extension header of an IPv6 packet, and
    the offset of the field that has the type. A later fragment's
    Fragment header is the last one.
    """
    at, said = 40, 6
    while packet[said] in EXTENSIONS:
        kind = packet[said]
        if at + 2 > len(packet):
            raise Undecided("a header beyond IP")
        units, unit = packet[at + 1], 8
        if kind == FRAGMENT:
            units = 0
        if kind == AH:  # RFC 4302, 2.2: 4-byte units, minus 2
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
    Yields the offset and the bytes of each option in a Hop-by-Hop or Destination Options
    header at `at`, except padding (RFC 8200, 4.2). More than `room` options are unsupported.
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
    """Raises Stop if this node does not know the option and its act bits do not say skip."""
    act = option[0] >> 6
    if act and option[0] not in known:
        raise Stop("unknown_option", (PROBLEM, 2, at) if act > 1 else None)


def check_exts(headers, node, known):
    """
    Checks the headers in order, as the destination of the IPv6 header does (RFC 8200, 4). At a
    SID, headers after an SRH with segments left are for the next segment (RFC 8754, 4.3.1.1).
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
    """Checks an IPv6 header and the extension headers that are for this node."""
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
    cut = any(kind == FRAGMENT and number(header[2:4]) & 0xfff9  # RFC 6946: not atomic
              for kind, _, header, _ in headers)
    if node == "host" and (partial or cut):
        raise Stop("partial")
    check_addresses(packet[8:24], packet[24:40], node != "host", groups)
    if node != "forwarder":
        check_exts(headers, node, known)


def is_silent(packet, error):
    """Returns true if a packet gets no error, because it goes to a group (RFC 1122, 3.2.2;
    RFC 4443, 2.4 (e.3)). For an unknown option with act bits 10, even such a packet gets one."""
    if packet[0] >> 4 == 4:
        return is_any(GROUP, packet[16:20])
    asked = error[:2] == (PROBLEM, 2) and packet[error[2]] >> 6 == 2
    return is_any(GROUP, packet[24:40]) and not asked


def check(packet, node="host", groups=False, known=(), partial=False):
    """
    Returns the verdict on a packet, which begins with the IP header in question, and the ICMP
    error for this verdict as type, code and value, or None. node: host, sid or forwarder.
    groups: the destination may be a group. known: the Destination Options types that the node
    knows. partial: the packet's end is missing, according to its UDP or overlay header.
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


# ---- The row format ------------------------------------------------------------------

def members(error, at=0):
    """Returns the non-zero members of an ICMP error about the IP header at offset `at`."""
    fields = zip(("icmp.type", "icmp.code", "icmp.value", "icmp.offset"),
                 (*error, at) if error else ())
    return {name: value for name, value in fields if value}


def spelled(verdict, reason="ok", error=None):
    """Spells a verdict with its reason and ICMP error, in the form of verdicts by hand."""
    words = [verdict] + ([reason] if reason != "ok" else [])
    return " ".join(words + (["/".join(map(str, error))] if error else []))


def judge_row(row):
    """Returns the results that the model gives for a row of arrival.vec."""
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

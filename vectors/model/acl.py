# SPDX-License-Identifier: BSD-2-Clause
"""The access list with Python's ipaddress. A lookup compares the address with every prefix."""
from ipaddress import IPv6Address, IPv6Network

from trace import main

ENTRIES = 16384  # number of entries in cctrace's table


def drawn(text, *words):
    """Returns an address, XORed with the four 32-bit words of a trace event."""
    mask = 0
    for w in words:
        mask = mask << 32 | w
    return int(IPv6Address(text)) ^ mask


class List:
    PRESETS = {"empty": lambda link_bps: {}}

    def __init__(self, params):
        self.added = []  # (address, length, permit, tag)
        self.list = []
        self.permitted = 0
        self.tag_sum = 0

    @staticmethod
    def action(refusal="accepted", at=0, permit=False, found=False, length=0, tag=0):
        return {"refusal": refusal, "at": at, "permit": permit, "found": found,
                "length": length, "tag": tag}

    def add(self, prefix="::", length=0, permit=0, tag=0, cut=0, w0=0, w1=0, w2=0, w3=0):
        at = len(self.added)
        if at == ENTRIES:
            return self.action("many", at)
        address = drawn(prefix, w0, w1, w2, w3)
        if cut:
            address = address >> (128 - length) << (128 - length)
        self.added.append((address, length, permit, tag))
        return self.action(at=at)

    @staticmethod
    def refusal(entry):
        address, length, permit, _ = entry
        if length > 128:
            return "length"
        try:
            IPv6Network((address, length))  # strict: rejects host bits
        except ValueError:
            return "host_bits"
        return "permit" if permit > 1 else None

    def build(self):
        for at, entry in enumerate(self.added):
            refusal = self.refusal(entry)
            if refusal:
                return self.action(refusal, at)
        ordered = sorted(e[:2] for e in self.added)
        for at in range(1, len(ordered)):
            if ordered[at] == ordered[at - 1]:
                return self.action("twice", at)
        self.list = [(IPv6Network(e[:2]), e) for e in self.added]
        return self.action()

    def clear(self):
        self.added = []
        return self.action()

    def lookup(self, address="::", w0=0, w1=0, w2=0, w3=0):
        address = IPv6Address(drawn(address, w0, w1, w2, w3))
        holding = [e for network, e in self.list if address in network]
        if not holding:
            return self.action()
        _, length, permit, tag = max(holding, key=lambda e: e[1])
        self.permitted += permit
        self.tag_sum = (self.tag_sum + tag) % 2**32
        return self.action(permit=permit == 1, found=True, length=length, tag=tag)

    def state(self):
        return {"added": len(self.added), "listed": len(self.list),
                "permitted": self.permitted, "tag_sum": self.tag_sum}


ANY = " ".join(f"w{i}=0..4294967295" for i in range(4))
TAG = "permit=0..1 tag=0..4294967295"
HOST = "w2=0..4294967295 w3=0..4294967295"
DEEP = "5555:3333:0f0f:00ff:aaaa:cccc:f0f0:ff01"
# Addresses that differ in only a few bits, so that they share long prefixes.
FEW = ("w0=0/0/1/2147483648 w1=0/0/0/1/65536 w2=0/0/1/1073741824 w3=0/1/2/3/128/32768")

TRACES = [
    # An empty list, before and after a build.
    ("a01 acl seed=1 preset=empty",
     [f"500: lookup {ANY}", "1: build", f"9499: lookup {ANY} | lookup address=::1"]),
    # One entry that covers every address, and lookups of any IPv6 and some IPv4 addresses.
    ("a02 acl seed=2 preset=empty",
     ["1: add prefix=:: length=0 permit=1 tag=7", "1: build",
      f"9998: lookup {ANY} | lookup address=::ffff:192.0.2.0 w3=0..255"]),
    # Five nested prefixes. From the shortest to the longest, they permit, deny, permit, permit and
    # deny.
    ("a03 acl seed=3 preset=empty",
     ["1: add prefix=2001:db8:: length=32 permit=1 tag=1",
      "1: add prefix=2001:db8:1:: length=48 permit=0 tag=2",
      "1: add prefix=2001:db8:1:8:: length=64 permit=1 tag=3",
      "1: add prefix=2001:db8:1:8::8 length=128 permit=0 tag=4",
      "1: add prefix=2001:db8:1:8::8 length=125 permit=1 tag=5", "1: build",
      "9994: lookup address=2001:db8:1:8:: w1=0..65540 w3=0..17"
      " | lookup address=2001:db8:1:8:: w1=0/8/65536 w3=0..9"
      " | lookup address=2001:db8:: w0=0..1 w1=0..4294967295"]),
    # All 129 prefix lengths of one address. Lookups of this address, or with changes in one of its
    # four 32-bit words.
    ("a04 acl seed=4 preset=empty",
     [f"129: add prefix={DEEP} length=+1..1%129 cut=1 {TAG}", "1: build",
      f"9870: lookup address={DEEP} w0=0..4294967295 | lookup address={DEEP} w1=0..65535"
      f" | lookup address={DEEP} w1=0..4294967295 | lookup address={DEEP} w2=0..65535"
      f" | lookup address={DEEP} w2=0..4294967295 | lookup address={DEEP} w3=0..7"
      f" | lookup address={DEEP} w3=0..1000000 | lookup address={DEEP}"]),
    # The four IPv4 /10 in 10.0.0.0/8, and 300 prefixes from /21 to single hosts.
    ("a05 acl seed=5 preset=empty",
     ["4: add prefix=::ffff:10.0.0.0 length=106 cut=1 w3=+4194304..4194304%16777216"
      f" {TAG}", f"300: add prefix=::ffff:10.0.0.0 length=117..128 cut=1 w3=0..16777215"
      f" {TAG}", "1: build",
      "9695: lookup*5 address=::ffff:10.0.0.0 w3=0..16777215"
      " | lookup address=::ffff:10.0.0.0 w3=0..33554431"
      " | lookup address=::10.0.0.0 w3=0..255"]),
    # 16 /48s, and 300 prefixes from /59 to /64 in one of them. Later builds use the same
    # entries again.
    ("a06 acl seed=6 preset=empty",
     [f"16: add prefix=fd00:: length=48 w1=+65536..65536%1048576 {TAG}",
      f"300: add prefix=fd00:: length=59..64 cut=1 w1=+50..50 {TAG}", "1: build",
      f"9683: lookup*30 address=fd00:: w1=0..16383 {HOST}"
      f" | lookup*20 address=fd00:: w1=0..1048575 {HOST} | lookup {ANY} | build"]),
    # Overlapping prefixes that differ in a few bits, so that some are added twice.
    ("a07 acl seed=7 preset=empty",
     [f"40: add length=100..128 cut=1 {FEW} {TAG}", "1: build",
      f"9959: lookup*40 {FEW} | add*4 length=0..128 cut=1 {FEW} {TAG} | build*2 | clear"]),
    # Valid entries, and invalid ones with lengths above 128, host bits, or a permit of 2 or 255.
    ("a08 acl seed=8 preset=empty",
     [f"10000: add*20 length=0..8 cut=1 {ANY} {TAG} | add length=129/255/200 {TAG}"
      f" | add length=96..127 {FEW} {TAG} | add length=0..128 cut=1 {ANY} permit=2/255"
      f" | build*8 | clear*4 | lookup*20 {ANY}"]),
    # Overlapping prefixes in the upper half of the address.
    ("a09 acl seed=9 preset=empty",
     [f"10000: lookup*30 w0=0/1/2/3 w1=0..7 w2=0..4294967295"
      f" | add*4 length=30..65 cut=1 w0=0/1/2/3 w1=0..7 {TAG} | build*2 | clear"]),
    # A list with 4016 entries. The entries that are added later are not built into it.
    ("a10 acl seed=10 preset=empty",
     [f"16: add prefix=2001:db8:: length=48 w1=+65536..65536%1048576 {TAG}",
      f"400: add prefix=2001:db8:: length=55..64 cut=1 w1=+600..600 {TAG}",
      f"3600: add prefix=2001:db8:: length=77..96 cut=1 w2=+1000000..1000000 {TAG}",
      "1: build",
      f"1000: lookup address=2001:db8:: w1=0..262143 {HOST}"
      f" | lookup*2 address=2001:db8:: {HOST}",
      f"4983: add*20 length=48..128 cut=1 {ANY} {TAG} | lookup address=::1"
      " | lookup address=2001:db8::"]),
    # More entries than cctrace's table can hold.
    ("a11 acl seed=11 preset=empty", [f"17000: add length=40..128 cut=1 {ANY} {TAG}"]),
]

if __name__ == "__main__":
    main("acl", List, TRACES)

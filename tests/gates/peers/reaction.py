# SPDX-License-Identifier: BSD-2-Clause
"""Random frames, and the results of the gate's second implementation
(vectors/model/reaction_point.py): rows for tests/role/reaction_point_vectors.c.

reaction.py N [SEED] writes N rows, 50 for each gate. A frame is composed as in
vectors/reaction_point.vec, from random fields and headers, and then perhaps cut, or one bit
flipped. Frames that the model does not decide are left out."""
import pathlib
import random
import sys

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "vectors"
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import reaction_point as model
import reaction_rows as rows

SOURCES = ["2001:db8:ffff::1", "2001:db8:ffff:1::1", "2001:db8:ffff:1::2", rows.REMOTE,
           "2001:db8:fffe::1", "::1", "::2", "ff02::1", "::ffff:192.0.2.1"]


def access(r):
    """The domain, and prefixes within it that may be permitted or denied."""
    inside = [("2001:db8:ffff:1::", 64), ("2001:db8:ffff:1::2", 128)]
    entries = [("2001:db8:ffff::", 48, 1)] + [(*prefix, r.randrange(2)) for prefix in
                                              inside[:r.randrange(3)]]
    return " ".join(f"access[{i}].prefix={prefix} access[{i}].length={length}"
                    f" access[{i}].permit={permit} access[{i}].tag={i}"
                    for i, (prefix, length, permit) in enumerate(entries))


def limits(r):
    """Buckets that may be larger than necessary, for all sources or some."""
    n, rate, burst = r.choice([1, 1, 2, 5]), r.choice([1, 3, 999, 10**6]), r.randint(1, 9)
    text = f"admission.misbehaving={n} sources={r.choice([0, 2, 3, 3, 3])}"
    for name, least in ("source", 1), ("verify", 1), ("shared", n + 1):
        text += (f" admission.{name}.rate_per_s={least * rate + r.choice([0, 0, 1, rate])}"
                 f" admission.{name}.burst={least * burst + r.choice([0, 0, 1, 5])}"
                 if name != "source" else
                 f" admission.source.rate_per_s={rate} admission.source.burst={burst}")
    return f"{text} start_ns={r.randrange(10**9)}"


def settings(r):
    """Returns a configuration that init accepts, mostly one that lets frames in."""
    while True:
        text = " ".join(filter(None, (
            r.choice(["fastcnp_enabled=1"] * 5 + [""]),
            r.choice([rows.TYPES] * 4 + ["fastcnp.type_plain=0x9e",
                                         "fastcnp.type_ioam=0x9f",
                                         "fastcnp.type_plain=0x9f fastcnp.type_ioam=0x9e"]),
            r.choice([""] * 4 + ["fastcnp.form=b", "fastcnp.address_first=1"]),
            r.choice(["", "check_icrc=1"]),
            "icrc_rule=" + r.choice(["auto"] * 3 + ["masked", "literal", "stripped",
                                                    "standard"]),
            r.choice(["admission.unlimited=1", limits(r)]),
            r.choice(["", "", "roce.short_cnp=1"]),
            r.choice(["", "", "ordinary_listed=1"]),
            r.choice(["", "", "ignore_udp_checksum=1"]),
            access(r))))
        if model.refusal(model.configured(text)) == "accepted":
            return text


def options(r):
    """Returns a Destination Options header."""
    pool = [rows.PLAIN, rows.IOAM, rows.option(0x9f, rows.TRACE + rows.ADDRESS),
            rows.option(0x9f, rows.ADDRESS + bytes(2) + rows.TRACE), rows.FIXED,
            rows.CHANGING, rows.padding(r.randint(1, 9)), rows.option(0x1e),
            rows.option(r.randrange(2, 256), r.randbytes(r.randrange(20))),
            rows.trace(r.choice([0x820000, 0x800000, 0x00fffe, 2]), r.randrange(4),
                       *range(r.randrange(9)), flags_left=r.choice([0, 0, 1, 2, 9]),
                       kind=r.choice([0, 0, 1, 2]), reserved=r.choice([0, 7]))]
    common = [rows.PLAIN, rows.IOAM]
    return rows.options(rows.DSTOPTS, *(r.choice(common if r.random() < .8 else pool)
                                        for _ in range(r.choice([1] * 16 + [0, 2, 2, 3, 9]))))


def headers(r):
    """Returns a chain of extension headers."""
    if r.random() < .8:
        return [options(r)]
    pool = [lambda: rows.options(rows.HOPOPTS, *(r.choice([
                rows.FIXED, rows.CHANGING, rows.option(r.choice([0x1e, 0x5e, 0x9e, 0xde])),
                rows.padding(r.randint(1, 9))]) for _ in range(r.choice([1, 1, 2, 9])))),
            lambda: rows.routing(r.choice([0, 0, 1, 9]), r.randrange(1 << 16), rows.HOST, rows.REMOTE),
            lambda: rows.fragment(r.choice([0, 0, 0, 1]), r.choice([0, 0, 0, 1]))]
    chain = [r.choice(pool)() for _ in range(r.choice([0, 0, 1, 1, 2, 9]))]
    return chain + [options(r) for _ in range(r.choice([0, 1, 1, 1, 2, 3]))]


def drawn(r):
    """Returns a frame."""
    odd = {"src": r.choice(SOURCES), "qp": r.randrange(1, 1 << 24), "opcode": r.choice([
        0x80, 0x04, 0x11]), "byte1": r.randrange(256), "byte4": r.randrange(256),
           "byte8": r.randrange(256), "psn": r.randrange(1 << 24),
           "pkey": r.randrange(1 << 16), "dscp": r.randrange(64), "ecn": r.randrange(4),
           "hops": r.randrange(256), "flow": r.randrange(1 << 20),
           "sport": r.randrange(1 << 16), "dport": r.randrange(1 << 16),
           "body": r.randbytes(r.choice([0, 16, 16, 16, 20, 1])),
           "udp_length": r.choice([24, 36, 40, 44, r.randrange(60)]),
           "flip": r.randrange(256), "rule": r.choice(["masked", "literal", "stripped"])}
    if r.random() < .03:
        odd["dst"] = r.choice(["ff02::1", "::", "::1", "::2", "::ffff:10.0.0.1"])
    fields = {k: v for k, v in odd.items() if k == "dst" or r.random() < .03}
    if r.random() < .3 and len(fields.get("body", b"")) % 2 == 0:
        fields.update(sum=True, sum_more=r.choice([0, 0, 0, 1, 0x100]))
    kind = r.randrange(8)
    if kind == 0:
        fields.pop("src", None)
        fields.pop("dst", None)
        ip = rows.ordinary4(**fields)
    else:
        fields.setdefault("src", r.choice(SOURCES[:4] + SOURCES[:3]))
        ip = rows.datagram(**fields, ext=headers(r) if kind > 2 else [])
    tags = [(r.choice([0x8100, 0x88a8]), r.randrange(1 << 16))
            for _ in range(r.choice([0] * 12 + [1, 2, 3, 4]))]
    data = bytearray(rows.frame(ip, *tags))
    if r.random() < .1:
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
    return bytes(data[:r.randrange(len(data)) if r.random() < .03 else None])


def main(n, seed):
    r, made = random.Random(seed), 0
    while made < n:
        text = settings(r)
        gate, now = model.Gate(model.configured(text)), 0
        print(f"source: tests/gates/peers/reaction.py, gate {made // 50}")
        print("".join(f"config {setting}\n" for setting in text.split()), end="")
        for _ in range(min(50, n - made)):
            out = None
            while out is None:
                data, peer = drawn(r), r.choice(["unknown"] * 3 + ["yes", "no"])
                now += r.choice([0, 1, 10**6, r.randrange(10**9), -1])
                now = max(now, 0)
                try:
                    out = gate.judge(data, now, peer)
                    where = model.walk(data, gate.config)
                except model.Undecided:
                    pass
            trailer = max(0, len(data) - where.stop) if where else 0
            print(model.row_text(f"r{made} call reaction_point ok", data,
                                 [f"now_ns={now}", f"peer={peer}", f"trailer={trailer}"],
                                 model.told(gate, out)))
            made += 1


if __name__ == "__main__":
    main(int(sys.argv[1]), int((sys.argv + ["1"])[2]))

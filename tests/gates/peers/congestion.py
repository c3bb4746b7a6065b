# SPDX-License-Identifier: BSD-2-Clause
"""Random frames, and the results of the second implementation of a congested switch
(vectors/model/congestion_point.py): rows for tests/role/congestion_point_vectors.c.

congestion.py N [SEED] writes N rows, 50 for each switch. A frame is composed as in
vectors/congestion_point.vec, from random fields and headers. Frames that the model does not
decide are left out."""
import pathlib
import random
import struct
import sys

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "vectors"
sys.path[:0] = [str(VECTORS), str(VECTORS / "model")]
import congestion_point as model
import congestion_rows as rows
import reaction_rows as frames

SOURCES = ["2001:db8:1::10", "2001:db8:1:bad::8", "2001:db8:1:bad::7", "2001:db8:2::1",
           "2620::1", "::", "::1", "::2", "ff02::1"]
SOURCES4 = ["::ffff:192.0.2.2", "::ffff:192.0.3.2", "::ffff:0.0.0.1", "::ffff:127.0.0.1",
            "::ffff:224.0.0.1", "::ffff:255.255.255.255"]
CONS = [rows.END_CON, "2001:db8:c3::1", "2001:db8:c3::bad", "2001:db8:c6::1",
        "2001:db8:c7::1", "2001:db8:c8::1", "::1", "ff02::1"]


def tunnels(r):
    """Returns a list of END.CONs with tags of any policy, or none, and the policies."""
    tags = [r.choice([0, 1, 2, 3, 4294967295]) for _ in range(3)]
    ways = [[r.choice(CONS[:5])] + [f"2001:db8:f{i}::e" for i in range(r.randrange(8))]
            for _ in range(3)]
    return "".join([rows.permit(0, rows.END_CON, tags[0]),
                    rows.permit(1, "2001:db8:c3::", tags[1], 48, r.randrange(2)),
                    rows.permit(2, "2001:db8:c6::", tags[2], 47),
                    *(f"policies[{i}]={'+'.join(way)}\n" for i, way in enumerate(ways))])


def one(r, *choices):
    return r.choice(choices)


def limits(r):
    """Limits for some misbehaving senders, and the number of tags with buckets."""
    rate, burst, n = r.choice([1, 999, 10**6]), r.randint(1, 9), r.randint(1, 3)
    return " ".join([f"admission.misbehaving={n}"] + [
        f"admission.{bucket}.rate_per_s={times * rate} admission.{bucket}.burst={times * burst}"
        for bucket, times in (("source", 1), ("verify", 1), ("shared", n + 1))] + [
        f"sources={r.randrange(5)}"])


def settings(r):
    """Returns a configuration that init accepts."""
    while True:
        text = " ".join(filter(None, (
            one(r, "fastcnp_enabled=1", "fastcnp_enabled=1", "fastcnp_enabled=1", ""),
            one(r, "standard_cnp=1", ""), one(r, "qcn_priorities=0x2c", ""),
            one(r, rows.TYPES, rows.TYPES, rows.TYPES, "fastcnp.type_plain=0x9e",
                "fastcnp.type_ioam=0x85"),
            one(r, *["answer=data"] * 7,
                "answer=" + "+".join(hex(r.randrange(256)) for _ in range(9)) + "+0x81"),
            one(r, "", "", "fastcnp.form=b"), one(r, "", "", "fastcnp.address_first=1"),
            one(r, "", "fastcnp.align8=1"), one(r, "", "mark_known_only=1"),
            one(r, "", "quiet_if_told=1"), one(r, "", "", "plain_only=1"),
            one(r, "", "plain_if_long=1"),
            "icrc_rule=" + one(r, "auto", "auto", "masked", "literal", "stripped"),
            f"cnp.src={one(r, frames.SWITCH, '2001:db8:ffff::2')}",
            f"cnp.dscp={r.randrange(64)} cnp.ecn={r.randrange(4)}"
            f" cnp.hop_limit={r.randrange(1, 256)} flow_label={r.randrange(1 << 20)}",
            one(r, "", f"cnp.flow_label={r.randrange(1 << 20)}"),
            one(r, "", "cnp.udp_checksum=1"),
            one(r, "", f"gate.interval_ns={r.choice([1, 1000, 50000])}"),
            one(r, "admission.unlimited=1", limits(r)),
            f"l3qcn.port=0xcafe l3qcn_outer.src_port={r.randrange(1, 1 << 16)}"
            f" msdu_bytes={r.randrange(65)}",
            one(r, rows.DOMAIN, rows.DOMAIN, rows.ANYBODY),
            one(r, tunnels(r), tunnels(r), ""),
            one(r, "", "", "link=ip"))))
        if model.refusal(model.configured(text)) == "accepted":
            return text


def trace(r):
    """Returns a trace, mostly a well-formed one."""
    kinds = r.choice([0x820000, 0x800000, 0x00c000])
    each = model.node_words(kinds) if r.random() < .9 else r.randrange(8)
    words = model.node_words(kinds) * r.randrange(6) + (r.random() < .1)
    left = r.choice([0, 0, 1, 3])
    return bytes([0, r.choice([0, 0, 1])]) + \
        struct.pack(">HHI", 1, each << 11 | left, kinds << 8) + r.randbytes(4 * words)


def headers(r):
    """Returns extension headers. A trace is first, in Hop-by-Hop."""
    chain = []
    if r.random() < .4:
        given = [frames.padding(2), frames.option(0x31, trace(r))]
        if r.random() < .2:
            given += [frames.padding(1), frames.option(0x1e, r.randbytes(3))]
        chain.append(frames.options(frames.HOPOPTS, *given))
    if r.random() < .1:
        chain.append(frames.routing(r.choice([0, 0, 1]), 0, r.choice(SOURCES[:4] +
                                                                     SOURCES[8:]),
                                    rows.EGRESS))
    if r.random() < .1:
        chain.append(frames.options(frames.DSTOPTS, frames.option(0x1e, r.randbytes(4))))
    if r.random() < .05:
        chain.append(frames.fragment(r.choice([0, 0, 3]), r.choice([0, 1])))
    return chain


def drawn(r, link):
    """Returns a frame."""
    v4 = r.random() < .25
    src = r.choice(SOURCES4 if v4 else SOURCES) if r.random() < .4 else \
        (SOURCES4 if v4 else SOURCES)[0]
    dst = (SOURCES4 if v4 else SOURCES)[r.choice([0] * 9 + [-1])]
    kind = r.randrange(16)
    if kind < 14:
        ip = frames.datagram(
            src=src, dst=dst, opcode=r.choice([0x04, 0x0a, 0x64, 0x0d, 0x17, 0xa4] * 3 +
                                                    [r.randrange(256), 0x11, 0x81]),
            byte1=r.randrange(256), byte4=r.randrange(256), byte8=r.randrange(256),
            psn=r.randrange(1 << 24), pkey=r.randrange(1 << 16), qp=r.randrange(1 << 24),
            dscp=r.randrange(64), ecn=r.randrange(4), sport=r.randrange(1 << 16),
            dport=r.choice([4791] * 9 + [4793]), flow=r.randrange(1 << 20),
            flags=r.choice([2] * 9 + [1]), body=r.randbytes(r.randrange(40)),
            ext=[] if v4 else headers(r), rule="literal")
    elif kind == 14:
        ip = rows.tcp(src=src, dst=dst)
    else:
        ip = rows.udp(r.choice([7000, 0xcafe]), r.randrange(40), src=src, dst=dst)
    if r.random() < .35:
        ip = rows.tunnel(ip, src=r.choice(CONS), ecn=r.randrange(4),
                         segments=r.choice([(), (), (rows.EGRESS, "2001:db8:f1::e")]))
    elif r.random() < .03 and not v4:
        ip = rows.tunnel4(ip)
    if link == "ip":
        return ip
    tags = [(r.choice([0x8100, 0x88a8]), r.randrange(1 << 16))
            for _ in range(r.choice([0] * 6 + [1, 2]))]
    return rows.frame(ip, *tags)


def event(r, now):
    e = {"now_ns": now, "gate": r.randrange(4),
         "verdict": r.choice(["mark"] * 16 + ["pass", "drop"]),
         "sender_support": r.choice(["unknown"] * 3 + ["yes"] * 3 + ["no"]),
         "priority": r.choice([0, 0, 1, 4, 6, 5, 3, 8]),
         "cnm": r.choice([0, 1, 1]), "qntz_fb": r.randrange(64),
         "offset_bytes": r.randrange(-3 * 10**6, 10**5),
         "delta_bytes": r.randrange(-10**5, 3 * 10**6), "cpid": r.randbytes(8).hex()}
    if r.random() < .7:
        e["qpn"] = hex(r.choice([r.randrange(1 << 24), 1 << 24]))
    if r.random() < .05:
        e["room"] = r.randrange(200)
    return e


def main(n, seed):
    r, made = random.Random(seed), 0
    while made < n:
        text = settings(r)
        switch, now = model.Switch(model.configured(text)), 0
        print(f"source: tests/gates/peers/congestion.py, switch {made // 50}")
        print("".join(f"config {setting}\n" for setting in text.split()), end="")
        for _ in range(min(50, n - made)):
            now += r.choice([0, 1, 1000, 50000, r.randrange(10**7)])
            while True:
                data, given = drawn(r, switch.config["link"]), event(r, now)
                try:
                    reason, outputs, out = switch.step(data, model.event(given))
                    break
                except model.Undecided:
                    pass
            print(model.row_text(f"r{made} call congestion_point ok", data,
                                 [f"{k}={v}" for k, v in given.items()],
                                 model.told(switch, data, reason, outputs, out)))
            made += 1


if __name__ == "__main__":
    main(int(sys.argv[1]), int((sys.argv + ["1"])[2]))

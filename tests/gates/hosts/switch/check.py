# SPDX-License-Identifier: BSD-2-Clause
"""check.py OUT: compares examples/switch with packets.py, byte for byte."""
import math
import random
import sys

import packets as p
import run as r

OUT = sys.argv[1]
hold = r.hold
SENDERS = {"unknown": "2001:db8:a::1", "capable": "2001:db8:b::1",
           "stranger": "2001:db8:c::1", "v4": "192.0.2.1"}
GAP_NS = 60000  # more than the gate's 50 us


def roce(sender, ecn, tag, sport):
    """Returns a frame with its number in the last four bytes."""
    src, v4 = SENDERS[sender], sender == "v4"
    dst = "192.0.2.9" if v4 else "2001:db8:f::9"
    u = p.udp(src, dst, sport, p.ROCE, p.bth(0x1000 + sport % 256, tag) + bytes(20) +
              tag.to_bytes(4, "big"), False)
    return p.ether((p.ip4 if v4 else p.ip6)(src, dst, ecn, u))


def line(ecn, depth):
    """Returns WRED's chance of a mark, and of a drop."""
    if depth > 1000000:
        return 0, 1
    low, high, most = (100000, 400000, .2) if ecn else (200000, 300000, .5)
    x = 0 if depth < low else 1 if depth >= high else most * (depth - low) / (high - low)
    return (x, 0) if ecn else (0, x)


def likely(n, k, chance):
    """Returns whether k of n is within the exact two-sided interval of 99.9999 %."""
    if chance in (0, 1):
        return k == n * chance

    def term(i):
        return math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) +
                        i * math.log(chance) + (n - i) * math.log(1 - chance))
    return min(sum(map(term, range(k + 1))), sum(map(term, range(k, n + 1)))) > 5e-7


def wred():
    groups = [(s, ecn, d, n) for s in SENDERS for ecn, d, n in (
        (2, 60000, 200), (2, 150000, 2000), (1, 250000, 2000), (2, 390000, 2000),
        (1, 400000, 200), (2, 700000, 200), (2, 1000001, 100), (3, 250000, 300),
        (0, 150000, 200), (0, 250000, 2000), (0, 300000, 200))]
    order = [g for g in groups for _ in range(g[3])]
    random.Random(1).shuffle(order)
    frames = [(i * GAP_NS, g[2], roce(g[0], g[1], i, 49152 + i % 97))
              for i, g in enumerate(order)]
    out, told = r.run(OUT, "wred", frames)
    sent = {int.from_bytes(b[-4:], "big"): b for _, b in out}
    told = {t // GAP_NS: b for t, b in told}
    hold(len(sent) == len(out), "a frame was sent twice")
    count = {g: [0, 0] for g in groups}  # marked or notified, dropped
    for i, (g, (_, _, b)) in enumerate(zip(order, frames)):
        sender, ecn, _, _ = g
        if i not in sent:
            count[g][1] += 1
            hold(i not in told, f"frame {i} was dropped, and a Fast CNP sent")
            continue
        ce = sent[i] != b
        if ce:
            hold(ecn != 0 and sent[i] == p.with_ce(b), f"frame {i} {g}: not CE alone")
        hold(ce <= (sender != "capable"), f"frame {i}: CE and a capable sender")
        if i in told:
            hold(told[i] == p.fast_cnp(b), f"frame {i}: not the Fast CNP for it")
            hold(sender in ("unknown", "capable"), f"frame {i} {g}: told")
        if ecn in (1, 2) and sender == "unknown":
            hold(ce == (i in told), f"frame {i}: either CE or a Fast CNP")
        count[g][0] += ce or i in told
    for g, (marked, dropped) in count.items():
        mark, drop = line(g[1], g[2])
        if g[1] == 3 and g[0] in ("stranger", "v4"):
            mark = 0  # CE stays CE
        hold(likely(g[3], marked, mark), f"{g}: {marked} marked, not {mark * g[3]:.0f}")
        hold(likely(g[3], dropped, drop), f"{g}: {dropped} dropped, not {drop * g[3]:.0f}")
    print(f"hosts-switch: WRED: {len(frames)} frames, {sum(c[0] for c in count.values())} "
          f"marked or told, {sum(c[1] for c in count.values())} dropped, "
          f"{len(told)} Fast CNPs byte for byte")
    return len(told)


def gate():
    """A burst of one flow gets a Fast CNP at most every 50 us."""
    for sender in ("unknown", "capable"):
        frames = [(10000 * i, 700000, roce(sender, 2, i, 50000)) for i in range(20)]
        out, told = r.run(OUT, "gate", frames)
        hold([t for t, _ in told] == [0, 50000, 100000, 150000], f"{sender}: the gate")
        for (_, _, b), (_, o) in zip(frames, out):
            hold(o == (p.with_ce(b) if sender == "unknown" else b), f"{sender}: CE")


A, B = "2001:db8:a::1", "2001:db8:f::9"
OLD = p.ioam_node(62, 5, 6, 7, 0xa01, (1, 2))
WAS = p.int_node(5, 6, 0xa01, (1, 2))
TAIL = p.bth(0x77, 5) + b"payload." + b"icrc"


def six(hbh, md):
    """Returns RoCEv2 over IPv6 with a trace, with INT, or both, and ECT(0)."""
    u = p.udp(A, B, 49999, p.INT if md else p.ROCE, md + TAIL, True)
    return p.ether(p.ip6(A, B, 2, hbh + u, p.HBH if hbh else 17))


def four(md, summed):
    src, dst = "192.0.2.1", "192.0.2.9"
    u = p.udp(src, dst, 49999, p.INT, md + TAIL, summed)
    return p.ether(p.ip4(src, dst, 2, u))


def telemetry(t, left):
    """Returns a name, the headroom for a record, and frames before and after it."""
    new, has = p.ioam_node(61, left, 0, t), p.int_node(left, t)
    none, tr, md = b"", p.trace, p.int_md
    return [
        ("pre-allocated", 0, six(tr(0, 15, [OLD]), none), six(tr(0, 10, [new, OLD]), none)),
        ("pre-allocated, full", 0, six(tr(0, 4, [OLD]), none),
         six(tr(0, 4, [OLD], 8), none)),
        ("incremental", 16, six(tr(1, 20, [OLD]), none), six(tr(1, 15, [new, OLD]), none)),
        ("incremental, even", 24, six(tr(1, 20, [OLD] * 2), none),
         six(tr(1, 15, [new, OLD, OLD]), none)),
        ("incremental, full", 0, six(tr(1, 4, [OLD]), none), six(tr(1, 4, [OLD], 8), none)),
        ("INT, IPv6", 24, six(none, md(5, [WAS])), six(none, md(4, [has, WAS]))),
        ("INT, no hop left", 0, six(none, md(0, [WAS])), six(none, md(0, [WAS], 4))),
        ("INT, IPv4", 24, four(md(5, [WAS]), True), four(md(4, [has, WAS]), True)),
        ("INT, no checksum", 24, four(md(5, []), False), four(md(4, [has]), False)),
        ("IOAM and INT", 40, six(tr(1, 20, [OLD]), md(5, [])),
         six(tr(1, 15, [new, OLD]), md(4, [has])))]


def records():
    """Checks each record with the headroom that it needs, with more, and with a byte less."""
    t, frames = 1700000000123456789, 0
    for i, (name, need, before, _) in enumerate(telemetry(t, 0)):
        for headroom in {need, need + 100, max(need - 1, 0)}:
            for depth in (0, len(before) + 1, 99999):
                left = max(0, depth - len(before))
                after = telemetry(t, left)[i][3]
                if headroom < need:
                    after = before
                    if name == "IOAM and INT":  # one of two has room
                        after = six(p.trace(1, 15, [p.ioam_node(61, left, 0, t), OLD]),
                                    p.int_md(5, []))
                out, told = r.run(OUT, "record", [(t, depth, before)], headroom)
                hold([b for _, b in out] == [after] and not told,
                     f"{name}: headroom {headroom}, depth {depth}")
                frames += 1
    _, _, before, _ = telemetry(t, 0)[0]
    after = telemetry(t, 700000 - len(before))[0][3]
    out, told = r.run(OUT, "record", [(t, 700000, before)])
    hold([b for _, b in out] == [p.with_ce(after)], "a record and CE")
    hold([b for _, b in told] == [p.fast_cnp(before, before[54:54 + 8 * before[55] + 8])],
         "the Fast CNP with a trace")
    # for tshark.sh, all with a checksum
    r.run(OUT, "sums", [(t, 0, x[2]) for x in telemetry(t, 0) if x[0] != "INT, no checksum"])
    print(f"hosts-switch: telemetry: {frames + 1} frames byte for byte")


def malformed():
    """Checks every prefix of each frame from 15 bytes on, and frames with contradictory lengths.
    They must not change, even in a queue that would mark them (`calm`: in an empty queue)."""
    frames = []
    for _, _, b, _ in telemetry(0, 0):
        frames += [(0, 700000, b[:n]) for n in range(15, len(b))]
    v4, v6 = roce("v4", 2, 1, 49152), roce("unknown", 2, 2, 49152)
    option, md = six(p.trace(0, 15, [OLD]), b""), six(b"", p.int_md(5, [WAS]))

    def patched(b, at, *values):
        return b[:at] + bytes(values) + b[at + len(values):]
    for b in (patched(v4, 14, 0x44), patched(v4, 14, 0x4f), patched(v4, 16, 0, 19),
              patched(v4, 16, 0xff, 0xff), patched(v6, 18, 0xff, 0xff),
              patched(v4, 38, 0, 7), patched(option, 55, 0xff), patched(md, 63, 0xff)):
        frames.append((0, 700000, b))
    # IP and UDP are right, or UDP is longer than IP and cut. These can be marked, but must not
    # get a record.
    calm = [patched(md, 58, 0xff, 0xff), patched(md, 63, 2), patched(option, 59, 0xff),
            patched(option, 59, 9), patched(option, 64, 0),
            patched(option, 64, 0xf8), patched(option, 65, 0x7f),
            patched(option, 66, 0, 0, 0), patched(md, 68, 7), patched(md, 66, 0),
            patched(md, 62, 0xf4)]
    frames += [(0, 0, b) for b in calm]
    out, told = r.run(OUT, "malformed", frames)
    hold(len(out) == len(frames) and not told, "malformed: dropped, or told")
    for i, ((_, _, b), (_, o)) in enumerate(zip(frames, out)):
        hold(b == o, f"malformed {i} has changed: {b.hex()}")
    # If UDP alone is longer than IP, a switch has trimmed the packet: it is marked.
    trimmed = patched(v4, 38, 0xff, 0xff)
    out, _ = r.run(OUT, "trimmed", [(0, 700000, trimmed)])
    hold([b for _, b in out] == [p.with_ce(trimmed)], "a trimmed packet")
    print(f"hosts-switch: malformed: {len(frames)} frames left as they were")


wred()
gate()
records()
malformed()
print(f"hosts-switch: {r.bad} checks failed")
sys.exit(r.bad != 0)

# SPDX-License-Identifier: BSD-2-Clause
"""sequence.py make FILE: writes the frames for examples/firmware as a C table, with ICRCs from
zlib. sequence.py check FILE...: compares the example's outputs with the exact models."""
import re
import sys
import zlib

sys.path[:0] = ["vectors/model"]
sys.dont_write_bytecode = True
import dcqcn_timed  # noqa: E402
import hpcc  # noqa: E402

QPS, FIRST, TICKS, LINE = 8, 0x100, 40, 100 * 10**9
# s-ioam of echo.vec: two hops, the last of the path first, with time, queue and bytes. The first
# hop follows 20 bytes later.
ETHER = "02000000000102000000000286dd"
# Offsets from the BTH. AETH, echo, the option's and the trace's headers follow it.
DEST, PSN, TIME, QUEUE, TX = 5, 9, 40, 44, 48


def row(file, name):
    text = re.sub(r"\n +", " ", re.sub("#.*", "", open(file, encoding="utf-8").read()))
    found = re.search(rf"^{name} [^|]*? ok ([0-9a-f ]+)\|", text, re.M)
    return bytearray.fromhex(found[1])


def icrc(ip):
    """Returns the ICRC of a packet from IPv6 on, with changing fields as ones."""
    b = bytearray(ip[:-4])
    b[0] |= 0x0f
    b[1:4], b[7], b[46:48], b[52] = b"\xff" * 3, 0xff, b"\xff" * 2, 0xff
    return zlib.crc32(b"\xff" * 8 + b).to_bytes(4, "little")


def finish(frame, qp, psn):
    bth = 14 + 48
    frame[bth + DEST:bth + DEST + 3] = (FIRST + qp).to_bytes(3, "big")
    frame[bth + PSN:bth + PSN + 3] = psn.to_bytes(3, "big")
    frame[-4:] = icrc(frame[14:])
    return frame


def events():
    """Yields (ns, qp, kind, ms): each QP gets 4 ACKs and a CNP in 5 ms."""
    for tick in range(TICKS):
        for qp in range(QPS):
            at = tick * 10**6 + 1000 * (qp + 1)
            if tick % 5 == qp % 5:
                yield at, qp, "cnp", None
            else:
                yield at, qp, "ack", tick


def hop(tick, qp, which):
    """Returns ns, units of 50 bytes, bytes: a link with a load of 50 to 115 %, and queues at
    times."""
    load = 50 + 13 * ((tick // 8 + qp) % 6)
    tx = sum((50 + 13 * ((t // 8 + qp) % 6)) * 125000 for t in range(tick))
    ns = tick * 10**6 + 500 * which
    return ns, (40 * (qp + 1) if load > 90 and which else 0), tx % 2**32


def frames():
    ack, cnp = row("vectors/echo.vec", "s-ioam"), row("vectors/cnp.vec", "v6")
    seen = [0] * QPS
    for at, qp, kind, tick in events():
        if kind == "cnp":
            yield at, finish(ether(cnp), qp, 0)
            yield from forged(at, cnp, qp)
            continue
        frame = bytearray(ether(ack))
        for which in (1, 0):
            base = 62 + 20 * (1 - which)
            ns, queue, tx = hop(tick, qp, which)
            for place, value in ((TIME, ns), (QUEUE, queue), (TX, tx)):
                frame[base + place:base + place + 4] = value.to_bytes(4, "big")
        yield at, finish(frame, qp, seen[qp])
        seen[qp] += 1


def forged(at, cnp, qp):
    """CNPs that must not slow down anything: from an unlisted host, from a group (RFC 4291,
    2.7), and with a wrong ICRC."""
    stranger, group, wrong = ether(cnp), ether(cnp), finish(ether(cnp), qp, 0)
    stranger[14 + 23] ^= 0x40
    group[14 + 8:14 + 10] = b"\xff\x0e"
    wrong[-1] ^= 1
    for frame in finish(stranger, qp, 0), finish(group, qp, 0), wrong:
        yield at, frame


def ether(ip):
    return bytearray.fromhex(ETHER) + ip if ip[0] >> 4 == 6 else bytearray(ip)


def make(file):
    rows = list(frames())
    with open(file, "w", encoding="utf-8") as f:
        f.write("typedef struct sequence_frame {\n    uint64_t at_ns;\n    size_t n;\n"
                "    uint8_t bytes[REACTION_FRAME];\n} sequence_frame;\n\n"
                f"#define SEQUENCE_FIRST_QP {FIRST}\n#define SEQUENCE_TICKS {TICKS}\n"
                f"#define SEQUENCE_FRAMES {len(rows)}\n"
                "#define SEQUENCE_PEER {%s}\n\n"
                % ", ".join("0x%02x" % b for b in row("vectors/cnp.vec", "v6")[8:24])
                +
                "static const sequence_frame sequence[SEQUENCE_FRAMES] = {\n")
        for at, frame in rows:
            f.write("    {%d, %d, {%s}},\n" % (at, len(frame), ", ".join("0x%02x" % b for b in frame)))
        f.write("};\n")


def models():
    """Returns {qp: (rate and window of HPCC, rate of DCQCN)} from the exact models."""
    params = hpcc.paper(LINE)
    params.update(max_hops=4, ts_mod_ns=10**9, tx_mod_bytes=2**32, dt_max_ns=85 * 10**6)
    flows = [hpcc.Hpcc(params) for _ in range(QPS)]
    timed = [dcqcn_timed.DcqcnTimed(dcqcn_timed.DcqcnTimed.PRESETS["paper"](LINE)) for _ in range(QPS)]
    acts, seen = [None] * QPS, [0] * QPS
    for at, qp, kind, tick in events():
        if kind == "cnp":
            timed[qp].cnp(at)
            continue
        seen[qp] += 1
        args = {}
        for which in (0, 1):
            ns, queue, tx = hop(tick, qp, which)
            args.update({f"hop_{which}_id": which, f"hop_{which}_rate_bps": LINE,
                         f"hop_{which}_ts_ns": ns, f"hop_{which}_tx_bytes": tx,
                         f"hop_{which}_queue_bytes": 50 * queue,
                         f"hop_{which}_valid": "id+rate+queue+tx+ts"})
        acts[qp] = flows[qp].ack(seq=seen[qp], snd_nxt=seen[qp] + 128, now_ns=at, n_hops=2, **args)
    return {q: (acts[q]["rate_bps"], acts[q]["window_bytes"],
                timed[q].advance(TICKS * 10**6)["rate_bps"]) for q in range(QPS)}


def check(files):
    texts = [open(f, encoding="utf-8").read() for f in files]
    if len(set(texts)) != 1:
        sys.exit("firmware: the machines do not print the same")
    rows = re.findall(r"^qp (\d+) hpcc_bps (\d+) window_bytes (\d+) dcqcn_bps (\d+)$", texts[0], re.M)
    cnps = sum(kind == "cnp" for _, _, kind, _ in events())
    counted = f"cnps {cnps} bad_arrival {cnps} access_denied {cnps} bad_icrc {cnps}\n"
    if not texts[0].endswith(counted):
        sys.exit(f"firmware: the gate does not say {counted}, but\n" + texts[0])
    exact, worst = models(), 0.0
    if [int(r[0]) for r in rows] != [FIRST + q for q in range(QPS)]:
        sys.exit("firmware: not a line for each QP:\n" + texts[0])
    for q, r in enumerate(rows):
        for ours, model in zip(r[1:], exact[q]):
            error = abs(int(ours) - float(model)) / float(model)
            worst = max(worst, error)
            if error > 1e-4:
                sys.exit(f"firmware: QP {r[0]}: {ours}, the model says {float(model):.1f}")
    print(f"firmware: {QPS} QPs on {len(files)} machines are within {worst:.1e} of the exact models")


make(sys.argv[2]) if sys.argv[1] == "make" else check(sys.argv[2:])

# SPDX-License-Identifier: BSD-2-Clause
"""model.py CURVES: the curves' first flow by the exact models of vectors/model. The same events
must give the same rates and windows."""
import subprocess
import sys

sys.path.insert(0, "vectors/model")
import dcqcn_timed
import hpcc
import ldcp

G, FRAME = 10**9, 1086


def events(*args):
    """Yields (name, numbers) of flow 0."""
    out = subprocess.run([sys.argv[1], *args, "events"], check=True, capture_output=True,
                         text=True).stdout
    for line in out.splitlines():
        name, *rest = line.split()
        yield name, {k: int(v) for k, v in (word.split("=") for word in rest)}


def run_dcqcn():
    """Takes the page's defaults, in the parameters' own units."""
    params = dcqcn_timed.dcqcn.paper(100 * G)
    params.update(g_q20=16 << 10, ai_bps=400 * 10**6, hai_bps=G, fast_recovery_stages=1)
    model = dcqcn_timed.DcqcnTimed(params)
    for name, e in events("dcqcn"):
        if name == "cnp":
            model.cnp(e["now_ns"])
        else:
            model.sent(e["now_ns"], e["bytes"])
        yield int(model.rc), e["result"], 1000


def run_hpcc():
    t = 12000 + 86880 // 1000
    params = hpcc.paper(100 * G)
    window = 100 * G // 8000 * t // 10**6
    params.update(base_rtt_ns=t, eta_q20=(95 << 20) // 100, w_init_bytes=window,
                  w_max_bytes=window, w_ai_q8=400 << 8, w_blind_bytes=window // 20,
                  reorder_ns=4 * t)
    model = hpcc.Hpcc(params)
    for name, e in events("hpcc", "time=4000"):
        if name != "ack":
            continue
        model.ack(seq=e["seq"], snd_nxt=e["snd_nxt"], now_ns=e["now_ns"], n_hops=1,
                  hop_0_id=1, hop_0_rate_bps=100 * G, hop_0_tx_bytes=e["tx"],
                  hop_0_ts_ns=e["ts"], hop_0_queue_bytes=e["queue"],
                  hop_0_valid="id+rate+queue+tx+ts")
        yield int(model.W * 2**20), e["result"], 2**20


def run_ldcp():
    params = ldcp.hns(G)
    params.update(iw_packets=150000 // FRAME + 2, beta_q16=(50 << 16) // 100,
                  gamma_q16=(25 << 16) // 100)
    model = ldcp.Ldcp(params)
    for name, e in events("ldcp"):
        if name == "sent":
            model.send(0, e["now_ns"])
        elif name == "nak":
            model.nak()
        else:
            model.ack(1, e["ece"], e["limited"])
        yield model.state()["cw_q32"], e["result"], 2**18


for algo, run in ("dcqcn", run_dcqcn), ("hpcc", run_hpcc), ("ldcp", run_ldcp):
    n, most, values = 0, 0, set()
    for exact, ours, unit in run():
        off = abs(exact - ours)
        assert off <= unit + exact // 10**5, f"{algo}: event {n}: {ours}, exactly {exact}"
        n, most = n + 1, max(most, off / max(exact, 1))
        values.add(ours)
    assert n > 1000 and len(values) > 50, f"{algo}: {n} events, {len(values)} values"
    print(f"web: {algo}: {n} events by the exact model, {len(values)} values, off by {most:.1e} at most")

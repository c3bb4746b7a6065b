# SPDX-License-Identifier: BSD-2-Clause
"""check.py OUT CCLAB: runs OUT/roce, and holds its results to what is known without it."""
import csv
import subprocess
import sys
from pathlib import Path

OUT, CCLAB = Path(sys.argv[1]), sys.argv[2]
SCHEMES = ("dcqcn", "fastcnp", "hpcc", "ldcp", "qcn")
failures = []


def expect(ok, what):
    if not ok:
        failures.append(what)
        print("hosts-ns3: " + what)


def run(name, **options):
    """A run: its summary, name to number, and its flows, a dict each."""
    base = OUT / name
    args = [f"--{k}={v}" for k, v in options.items()]
    subprocess.run([OUT / "roce", *args, f"--out={base}"], check=True)
    with open(f"{base}.tsv") as f:
        summary = {k: float(v) for k, v in csv.reader(f, delimiter="\t")}
    with open(f"{base}.flows.tsv") as f:
        flows = [{k: float(v) for k, v in row.items()}
                 for row in csv.DictReader(f, delimiter="\t")]
    return summary, flows


def ledger(name, s):
    """Every frame and byte that was made is somewhere, and once."""
    for unit in ("packets", "bytes"):
        made = s["made_" + unit] + s["told_" + unit]
        known = sum(s[f"{place}_{unit}"] for place in
                    ("delivered", "dropped", "flying", "queued"))
        expect(made == known, f"{name}: {unit}: {made:.0f} made, {known:.0f} found")
    expect(s["astray_packets"] == 0, f"{name}: frames without a way")
    expect(s["broken"] == 0, f"{name}: {s['broken']:.0f} frames are broken, or for nobody")


def complete(name, s, flows):
    """All flows ended, with their bytes and no others, and nothing is left on the way."""
    ledger(name, s)
    expect(s["finished"] == s["flows"] == len(flows), f"{name}: flows did not end")
    expect(all(f["got"] == f["bytes"] for f in flows), f"{name}: bytes of a flow")
    expect(s["flying_packets"] == s["queued_packets"] == 0, f"{name}: frames are left")


def alone():
    """
    1,000,000 bytes over two links of 100 Gb/s and 2 us, alone, in 1000 packets. A packet
    of DCQCN has 14 Ethernet + 40 IPv6 + 8 UDP + 12 BTH + 1000 + 4 ICRC and 24 bytes
    around: 1102 bytes, 88.16 ns. All of them leave one after another, the last one is
    sent twice, its ACK of 106 bytes (8.48 ns) twice, and there are four times 2 us:
    1001 * 88.16 + 2 * 8.48 + 8000 = 96265.12 ns. QCN's packets have a CN-TAG of 4 bytes,
    LDCP's 8 bytes of LSN, and so has its ACK. HPCC++ keeps 5 % of the link free.
    """
    for scheme, data, ack in (("dcqcn", 1102, 106), ("fastcnp", 1102, 106),
                              ("qcn", 1106, 106), ("ldcp", 1110, 114)):
        s, flows = run("alone-" + scheme, scheme=scheme, load="incast", senders=1,
                       size=1000000)
        complete("alone " + scheme, s, flows)
        ns = 1001 * data * 0.08 + 2 * ack * 0.08 + 8000
        off = flows[0]["fct_ns"] - ns
        expect(abs(off) <= data * 0.08, f"alone {scheme}: {off:.2f} ns off {ns:.2f}")


def incast():
    for scheme in SCHEMES:
        s, flows = run("incast-" + scheme, scheme=scheme, load="incast")
        complete("incast " + scheme, s, flows)
        expect(s["notifications"] > 0, f"incast {scheme}: nobody was notified")


alone()
incast()
print(f"hosts-ns3: {len(failures)} failures")
sys.exit(bool(failures))

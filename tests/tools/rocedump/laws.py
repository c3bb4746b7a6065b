#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""laws.py ROCEDUMP SCRAPS: checks laws of rocedump's views on a capture of many kinds of
packets, which tools.sh made. --csv and -Y have the members of --json. The summary, the
times and the timeline are counted from --json here. Some options, the split into files and
the order of frames change nothing."""
import collections
import datetime
import gzip
import itertools
import json
import pathlib
import random
import re
import struct
import subprocess
import sys

dump, scraps = sys.argv[1], pathlib.Path(sys.argv[2])
pick = random.Random(7)
bad = runs = 0


def fail(text):
    global bad
    print("laws: " + text)
    bad += 1


def same(name, a, b):
    """Compares two texts or lists. Reports only the first difference."""
    if a == b:
        return
    lines = [x.splitlines() if isinstance(x, str) else list(x) for x in (a, b)]
    for i, (x, y) in enumerate(itertools.zip_longest(*lines)):
        if x != y:
            fail(f"{name}: line {i + 1} is {str(x)[:200]!r}, expected {str(y)[:200]!r}")
            return
    fail(f"{name}: other ends of lines")


def ours(*words):
    global runs
    runs += 1
    done = subprocess.run([dump, *map(str, words)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode or done.stderr:
        fail(f"{words}: status {done.returncode}, {done.stderr[:200]}")
    return done.stdout


# ---- captures

def captured(path):
    data, found = pathlib.Path(path).read_bytes()[24:], []
    while data:
        n, length = struct.unpack("<II", data[8:16])
        found, data = found + [(data[16:16 + n], length)], data[16 + n:]
    return found


def pcap(name, frames):
    """Writes frames with time in ns, bytes, and length on the wire."""
    data = struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1)
    for now, f, n in frames:
        data += struct.pack("<IIII", now // 10 ** 9, now % 10 ** 9, len(f), n) + f
    (scraps / name).write_bytes(data)
    return scraps / name


def packets():
    """Yields frames at random times, more than 1 ms apart, so that no packet is a copy of
    another. Most times advance, some go back, even before the first, and one gap lasts more
    than a day."""
    every = captured("vectors/pcap/notify.pcap") + captured("vectors/pcap/frame.pcap")
    for name in ("overlay", "e10", "fc-ioam", "ioam", "problem", "arn-more", "judge-one",
                 "problem-other", "icmp", "l3qcn-sum", "aeth", "ext", "flows-mixed",
                 "../captures/tap1"):
        found = captured(scraps / f"{name}.pcap")
        every += pick.sample(found, min(len(found), 150)) * (5 if len(found) < 9 else 1)
    for name in ("rows", "mutated"):
        every += pick.sample(captured(scraps / f"{name}.pcap"), 150)
    pick.shuffle(every)
    slots = [10 * i + pick.choice([0, 0, 0, 1, 2, -13, 5, 17]) * 2 for i in range(len(every))]
    for i, (f, n) in enumerate(every):
        now = 1_700_000_000_999_999_999 + 2_000_000 * slots[i] + pick.choice([0, 1, 999, 1000, 5001])
        yield now + 10 ** 14 * (i > len(every) // 2) - 10 ** 11 * (i == 3), f, n


# ---- members

def leaves(value, path="", quotes=False):
    """Yields each key of --csv and its text. Keys of quoted packets are only for -Y, with
    `quotes`."""
    if isinstance(value, dict):
        for k, v in value.items():
            if k == "stack":
                yield path + k, " ".join(v)
            elif quotes or k != "inner" or not path.endswith("icmp_error."):
                yield from leaves(v, f"{path}{k}.", quotes)
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from leaves(v, f"{path[:-1]}[{i}].", quotes)
    elif isinstance(value, bool):
        yield path[:-1], str(value).lower()
    elif value is not None:
        yield path[:-1], str(value)


def notes(x):
    """Returns an object without the members that --csv and -Y cannot name."""
    return {k: v for k, v in x.items() if k not in ("next", "frame_length")}


def decoded(path, *more):
    return [json.loads(x, object_hook=notes)
            for x in ours("--json", *more, path).splitlines()]


def columns(path, frames, *more):
    """Checks --csv with every member of any frame in one table."""
    rows = [dict(leaves(f)) for f in frames]
    keys = list(dict.fromkeys(k for r in rows for k in r))
    text = ours("--csv", ",".join(keys), *more, path)
    want = [",".join(keys)] + [",".join(r.get(k, "") for k in keys) for r in rows]
    same("--csv of every member", text, "".join(w + "\n" for w in want))
    return len(keys)


OPS = {"==": lambda a, b: a == b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
       ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def levels(frame):
    while frame is not None:
        yield frame
        frame = frame.get("inner")


def packets_of(frame):
    """Yields the packets that -Y checks, including packets in ICMP errors."""
    for x in levels(frame):
        yield x
        yield from levels(x.get("icmp_error", {}).get("inner"))


def filters(path, frames):
    """Checks -Y by comparing every member with one of its values."""
    of = [collections.defaultdict(list) for _ in frames]
    for row, frame in zip(of, frames):
        for key, value in leaves(frame, quotes=True):
            key = re.sub(r"\[\d+\]|(icmp_error\.)?inner\.", "", key)
            if key not in ("stack", "at"):
                row[key].append(value)
    for key in dict.fromkeys(k for r in of for k in r):
        values = sorted({v for r in of for v in r.get(key, [])})
        words = [v for v in values if re.fullmatch(r"[\w.:+-]{1,60}", v)]
        if not words:
            continue
        value = pick.choice(words)
        number = all(re.fullmatch(r"-?\d+", v) for v in values) and not any(
            isinstance(x, str) for f in frames for x in raw(f, key))
        typed = (lambda v: int(v)) if number else (lambda v: v)
        for op in pick.sample(sorted(OPS), 2) if number else ["=="]:
            for negated in (False, True):
                sign = "!=" if negated and op == "==" else op
                want = []
                for row, frame in zip(of, frames):
                    met = [OPS[op](typed(v), typed(value)) for v in row.get(key, [])]
                    if (bool(met) and not any(met)) if sign == "!=" else \
                            any(met) != negated:
                        want.append(frame["frame"])
                text = f"{key}{sign}{value}"
                if negated and sign != "!=":
                    text = f"!({text})"
                got = ours("-Y", text, "--csv", "frame", path).splitlines()
                same(f"-Y {text}", got, ["frame", *map(str, want)])


def raw(value, key, path=""):
    """Yields JSON's values of a key, to see if they are strings."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield from raw(v, key, "" if k == "inner" else f"{path}.{k}" if path else k)
    elif isinstance(value, list):
        for v in value:
            yield from raw(v, key, path)
    elif path == key and value is not None:
        yield value


def plain(text, value):
    """Returns a value of the text in the form of JSON."""
    if isinstance(value, bool):
        return {"1": True, "0": False}.get(text, text)
    if isinstance(value, int):
        return int(text, 0)
    if text.endswith("bytes)"):
        head, n = re.fullmatch(r"(?:0x)?(\w+)\.\.\.\((\d+) bytes\)", text).groups()
        return value if value.startswith(head) and len(value) == 2 * int(n) else text
    return f"::ffff:{text}" if value == f"::ffff:{text}" else re.sub("^0x", "", text)


def members(path, frames):
    """Checks that the text has each layer's members that are not 0, in their order."""
    blocks = re.split(r"(?m)^frame \d+  at .*\n", ours(path))[1:]
    got, want = [], []
    for block, frame in zip(blocks, frames):
        records = []
        for x in levels(frame):
            seen = collections.Counter()
            for name in x["stack"]:
                r = x[name][seen[name]] if isinstance(x[name], list) else x[name]
                seen[name] += 1
                flat = {}
                for k, v in r.items():
                    if isinstance(v, list) and k != "nodes":
                        flat.update((f"{k}[{i}]", w) for i, w in enumerate(v))
                    elif not isinstance(v, (dict, list)):
                        flat[k] = v
                records.append((name, flat))
        lines = [x for x in re.findall(r"(?m)^  (\w+) *(.*)",
                                        re.split(r"\n\n|\n  quoted by", block)[0])
                 if x[0] not in ("in", "stops", "fails", "then", "verdict")]
        got.append((frame["frame"], [x[0] for x in lines]))
        want.append((frame["frame"], [x[0] for x in records]))
        for (name, text), (_, r) in zip(lines, records):
            if name in ("icrc", "payload", "partial"):
                continue
            pairs = re.findall(r"(\S+)=((?:\S|(?<=\d) (?=bytes\)))*)", text)
            got.append((frame["frame"], name, [(k, plain(v, r.get(k))) for k, v in pairs]))
            want.append((frame["frame"], name, [(k, v) for k, v in r.items()
                                                if v not in (0, None, "", "-")]))
    same("members of the text", got, want)


# ---- views

GATE = ("--judge", "reaction", "--access", scraps / "anybody", "--config",
        "reaction.fastcnp_enabled=1", *(w for m in (
            "misbehaving=1", "source.rate_per_s=1", "source.burst=1", "verify.rate_per_s=1",
            "verify.burst=1", "shared.rate_per_s=2", "shared.burst=2")
            for w in ("--config", f"reaction.admission.{m}")))
KEYS = "time_ns,len,stack,bth.psn,inner.bth.dest_qp,status,at"
VIEWS = ([], ["--time", "delta"], ["--time", "utc"], ["--json"], ["--summary"],
         ["--flows"], ["--flows", "--json"], ["--timeline=7us"], ["--csv", KEYS],
         ["--json", *GATE], ["--summary", *GATE], [*GATE])
NEUTRAL = (["-l"], ["-c", "1000000"], ["-Y", "frame>=1"], ["-f", "greater 0"],
           ["--config", "frame.rocev2_port=4791"], ["--time", "relative"])


def neutral(path, frames):
    """Checks that some options and a split into files of several kinds change nothing."""
    a, b, c = (pcap(f"laws-{i}.pcap", f) for i, f in enumerate(
        (frames[:100], frames[100:101], frames[101:])))
    c.with_suffix(".gz").write_bytes(gzip.compress(c.read_bytes()))
    split = [a, pcap("laws-none.pcap", []), b, c.with_suffix(".gz")]
    for view in VIEWS:
        want = ours(*view, path)
        same(f"{view} of several files", ours(*view, *split), want)
        for more in NEUTRAL:
            if more[0] != "--time" or "--time" not in view:
                same(f"{view} {more}", ours(*view, *more, path), want)
        for n in (100, 102):  # -c counts over all files
            few = pcap("laws-few.pcap", frames[:n])
            same(f"{view} -c {n}", ours(*view, "-c", n, *split), ours(*view, few))


def numberless(text):
    return re.sub(r'(?m)^(frame|{"frame":) ?\d+', r"\1", text)


def vectors(path, frames):
    """Checks that a row's settings do not apply to later frames, that -c counts rows too,
    and that the last line names a single file of rows."""
    rows = "vectors/frame.vec"
    a, b = (ours("--json", p) for p in (rows, path))
    n = a.count("\n")
    for files, want in (((rows, path), a + b), ((path, rows), b + a)):
        got = ours("--json", *files)
        same(f"{files}", numberless(got), numberless(want))
        numbers = [json.loads(x)["frame"] for x in got.splitlines()]
        same(f"{files}: frames", numbers, list(range(1, n + len(frames) + 1)))
        for most in (1, n - 1, n, n + 1):
            same(f"{files} -c {most}", ours("--json", "-c", most, *files),
                 "".join(got.splitlines(True)[:most]))
    counted = dict(reversed(x.split(None, 1)) for x in ours("--summary", rows).splitlines())
    roce = int(counted["RoCEv1"]) + int(counted["RoCEv2"])
    same("the last line of a file of rows", ours(rows).splitlines()[-1],
         f"{rows}: {n} frames shown, {roce} of them RoCE, {counted['CNPs']} CNPs")
    same("the last line of a capture", ours(rows, path).splitlines()[-1],
         ours("--summary", rows, path).splitlines()[-1])


def selected(frames, all_shown):
    """Checks that -Y shows the same as a capture of these frames alone, except for their
    numbers. Time 0 is that of the first frame, even if it is hidden. So the text has times since
    1970 here, and the capture for --timeline and --flows begins with an ARP frame at time 0."""
    arp = bytes([255] * 6) + bytes.fromhex("020000000001" "0806") + bytes(46)
    for text, passes in (("bth", lambda d: any("bth" in x for x in packets_of(d))),
                         ("frame>3", lambda d: d["frame"] > 3),
                         ("pfc || pause", lambda d: "pfc" in d or "pause" in d),
                         ("ipv4.ttl==64", lambda d: any(  # summaries do not need it
                             i["ttl"] == 64 for x in packets_of(d) for i in x.get("ipv4", []))),
                         ("frame<1", lambda d: False)):
        chosen = [f for f, d in zip(frames, all_shown) if passes(d)]
        few = pcap("laws-few.pcap", chosen)
        later = pcap("laws-later.pcap", [(frames[0][0], arp, len(arp)), *chosen])
        for view in VIEWS:
            if GATE[0] not in view:  # it judges every frame
                view = view or ["--time", "epoch"]
                alone = later if view[0].startswith(("--timeline", "--flows")) else few
                same(f"{view} -Y '{text}'",
                     *(numberless(ours(*view, *words)) for words in
                       (("-Y", text, scraps / "laws.pcap"), (alone,))))


def reversed_frames(frames):
    """Checks that no frame's decoding depends on another frame."""
    back = pcap("laws-back.pcap", frames[::-1])
    for view in (["--json"], ["--time", "epoch"]):
        one, other = (numberless(ours(*view, p)) for p in (scraps / "laws.pcap", back))
        parts = [re.split(r'(?m)^(?=frame|{"frame")', t)[1:] for t in (one, other)]
        if view != ["--json"]:  # the summary follows the last frame
            parts = [[re.sub(r"\n\n(?s:.*)", "\n", x) for x in p] for p in parts]
        same(f"{view} of reversed frames", parts[0], parts[1][::-1])
    # Failures are listed in order of occurrence.
    same("--summary of reversed frames", *(sorted(ours("--summary", p).splitlines())
                                           for p in (scraps / "laws.pcap", back)))


def clock(path, frames):
    """Checks --time against time_ns."""
    def seconds(ns, plus=""):
        return f"{'-' if ns < 0 else plus}{abs(ns) // 10**9}.{abs(ns) % 10**9:09}"

    times = [f["time_ns"] for f in frames]
    day = datetime.datetime(1970, 1, 1)
    forms = {
        "relative": [seconds(t - times[0]) for t in times],
        "delta": [seconds(b - a, "+") for a, b in zip(times[:1] + times, times)],
        "epoch": [seconds(t) for t in times],
        "utc": [f"{day + datetime.timedelta(seconds=t // 10**9):%Y-%m-%dT%H:%M:%S}"
                f".{t % 10**9:09}Z" for t in times]}
    for form, want in forms.items():
        text = ours("--time", form, path)
        same(f"--time {form}", re.findall(r"(?m)^frame \d+  at (\S+)", text), want)


# ---- counts

PARTIAL = {"fragment": "first fragments", "trimmed": "trimmed by a switch",
           "mirrored": "cut by a mirror session", "sampled": "sampled", "quoted": "quoted",
           "captured": "cut by the capture"}


def summary(path, frames):
    """Checks --summary with counts from the JSON."""
    n = collections.Counter({"ICRC ok": 0, "ICRC wrong": 0, "ICRC not checked": 0,
                             "RoCEv1": 0, "RoCEv2": 0, "CNPs": 0})
    for f in frames:
        for x in levels(f):
            if x["status"] != "ok":
                n[f"{x['status']} at {x['at']}"] += 1
        *_, x = levels(f)
        if "bth" in x:
            v1, cnp = "grh" in x["stack"], x["bth"]["opcode"] == 129
            n["RoCEv1" if v1 else "RoCEv2"] += 1
            n[f"opcode 0x{x['bth']['opcode']:02x}"] += 1
            if not v1:
                ip = [k for k in x["stack"] if k in ("ipv4", "ipv6")][-1]
                n["ECN " + ("Not-ECT", "ECT(1)", "ECT(0)", "CE")[x[ip][-1]["ecn"]]] += 1
                if "partial" in x:
                    n[PARTIAL[x["partial"]["why"]]] += 1
                n["CNPs"] += cnp
                if "fastcnp" in x:
                    n["plain Fast CNPs" if x["fastcnp"]["kind"] == "plain"
                      else "Fast CNPs with IOAM"] += 1
            icrc = x.get("icrc", {"ok": None})
            n["ICRC " + {True: "ok", False: "wrong", None: "not checked"}[icrc["ok"]]] += 1
            if icrc["ok"]:
                n["rule " + icrc["rule"]] += 1
        else:
            last = x["stack"][-1:]
            n["PFC"] += last == ["pfc"]
            n["PAUSE"] += last == ["pause"]
            n["ARNs"] += last == ["arn"]
            n["private CNMs"] += x["stack"][-2:] == ["l3qcn", "cnm"]
            n["CNMs of QCN"] += last == ["cnm"] and "l3qcn" not in x
            n["ICMPv6 Parameter Problems of a Fast CNP"] += \
                "problem" in x and x["problem"]["fastcnp"]
    zero = {"ICRC ok", "ICRC wrong", "ICRC not checked", "RoCEv1", "RoCEv2", "CNPs"}
    lines = ours("--summary", path).splitlines()
    same("--summary", lines[0].split(),
         [str(len(frames)), "frames,", str(sum(f["len"] for f in frames)), "bytes"])
    got, kinds = {}, {}
    for line in lines[1:]:
        number, what = line.split(None, 1)
        what = re.sub(r"^(opcode \S+) .*", r"\1", what)
        if what in ("TCP", "UDP", "other") or what.startswith("in "):
            kinds[what] = int(number)
        else:
            got[what] = int(number)
    same("--summary", sorted(got.items()),
         sorted((k, v) for k, v in n.items() if v or k in zero))
    same("--summary: the frames are", [sum(v for k, v in kinds.items() if k[:3] != "in ")
                                       + got["RoCEv1"] + got["RoCEv2"]], [len(frames)])
    same("--summary: overlays", {k: v for k, v in kinds.items() if k[:3] == "in "},
         dict(collections.Counter(re.findall(r"(?m)^  (in .+), from byte", ours(path)))))


def verdicts(path, *more):
    """Checks that the summary of a role counts the packets that are shown."""
    n = collections.Counter(
        x["judge"]["verdict"] for f in decoded(path, *GATE, *more) for x in levels(f))
    for view in ([], ["--summary"]):
        text = ours(*view, *GATE, *more, path)
        same(f"{view} --judge {more}", sorted(re.findall(
            r"(?m)^ +(\d+)  judge reaction: (\S+)", text)),
            sorted((str(v), k) for k, v in n.items()))


def unseen(path):
    """Checks that a role also judges hidden frames, so a CNP after them stays limited."""
    every = decoded(path, *GATE)
    first = next(f["frame"] for f in every if f["judge"]["verdict"] == "RATE_LIMITED")
    same("--judge -Y", decoded(path, *GATE, "-Y", f"frame>={first}"), every[first - 1:])


# ---- flows

def flow_packets(frames):
    """Yields each packet's time, its flow, and what it adds to the counts."""
    for f in frames:
        for x in levels(f):
            n = dict.fromkeys(("packets", "bytes", "ce", "cnps", "fast_cnps", "pauses",
                               "resumes"), 0)
            n["packets"] = 1
            if "bth" in x:
                if "grh" in x:
                    g = x["grh"]
                    src, dst = (re.sub(r"^::ffff:(?=.*[.])", "", a)
                                for a in (g["sgid"], g["dgid"]))
                    ecn = g["t_class"] & 3
                    n["bytes"] = 40 + g["pay_len"]
                else:
                    version = [k for k in x["stack"] if k in ("ipv4", "ipv6")][-1]
                    ip = x[version][-1]
                    src, dst, ecn = ip["src"], ip["dst"], ip["ecn"]
                    n["bytes"] = ip["total_length"] if version == "ipv4" else \
                        40 + ip["payload_length"]
                    if x.get("partial", {}).get("why") == "fragment":  # UDP covers all
                        udp = x["udp"][-1]["length"]
                        if version == "ipv4" and ip["mf"]:
                            # an IFA header that is not read in a part has 4 bytes
                            udp += 20 + len(ip["options"]) // 2 + 4 * (x.get("at") == "ifa")
                            udp += sum(len(a["header"]) // 2 for a in x.get("ah", []))
                            n["bytes"] = max(n["bytes"], udp)
                        elif version == "ipv6" and ip["payload_length"] < udp:
                            n["bytes"] += x["partial"]["missing"]
                cnp = x["bth"]["opcode"] == 129 and "grh" not in x
                fast = x["fastcnp"]["flow_dst"] if "fastcnp" in x else None
                n["fast_cnps" if fast else "cnps"] = int(cnp)
                n["ce"] = int(ecn == 3 and not cnp)
                yield f["time_ns"], (src, dst, str(x["bth"]["dest_qp"]), fast), n
            elif "pfc" in x or "pause" in x:
                p = x.get("pfc")
                on = x["pause"]["quanta"] if p is None else any(
                    q and p["enable"] >> i & 1 for i, q in enumerate(p["quanta"]))
                n["pauses" if on else "resumes"] = 1
                yield f["time_ns"], (x["ether"]["src"], "", "", None), n


def timeline(path, frames):
    """Checks each row of --timeline, except for the delay."""
    first = frames[0]["time_ns"]
    for name, ns in (("1ns", 1), ("7us", 7000), ("1ms", 10 ** 6), (None, 10 ** 6),
                     ("2s", 2 * 10 ** 9)):
        rows, want, known = {}, {}, {}  # sorted by interval, then by the flow's arrival
        for now, flow, n in flow_packets(frames):
            key = ((now - first) // ns, known.setdefault(flow, len(known)), flow)
            rows.setdefault(key, collections.Counter()).update(n)
        for (interval, _, flow), n in sorted(rows.items(), key=lambda r: r[0][:2]):
            t = interval * ns
            at = f"{'-' * (t < 0)}{abs(t) // 10 ** 9}.{abs(t) % 10 ** 9:09}"
            want.setdefault(interval, []).append(
                ",".join([at, *flow[:3], *(str(n[k]) for k in (
                    "packets", "bytes", "ce", "cnps", "fast_cnps", "pauses",
                    "resumes"))]))
        text = ours("--timeline" + (f"={name}" if name else ""), path).splitlines()
        same(f"--timeline={name}", [re.sub(r",[^,]*$", "", r) for r in text[1:]],
             [r for i in sorted(want) for r in want[i]])


def flow_sums(path, frames):
    """Checks --flows --json and the order of flows."""
    sums = {}
    for _, flow, n in flow_packets(frames):
        sums.setdefault(flow, collections.Counter()).update(n)
    *got, rest = [json.loads(x) for x in ours("--flows", "--json", path).splitlines()]
    same("the last object of --flows", list(rest), ["unplaced"])
    rows = []
    for f in got:
        if "mac" in f:
            rows.append(f"{f['mac']} {f['pauses']} {f['resumes']}")
        else:
            fast, cnp = (f["cnp"] or {}).get("fast"), (f["cnp"] or {}).get("packets", 0)
            rows.append(f"{f['src']} {f['dst']} {f['dest_qp']} {f['packets']} "
                        f"{f['bytes']} {f['ce']} {0 if fast else cnp} {cnp if fast else 0}")
    want = [f"{k[0]} {n['pauses']} {n['resumes']}" if k[1] == "" else
            f"{k[0]} {k[1]} {k[2]} {n['packets']} {n['bytes']} {n['ce']} {n['cnps']} "
            f"{n['fast_cnps']}" for k, n in sums.items()]
    same("--flows --json", sorted(rows), sorted(want))
    sizes = [f.get("bytes", 0) for f in got]
    same("order of --flows", sizes, sorted(sizes, reverse=True))


(scraps / "anybody").write_text("0.0.0.0/0\n::/0 tag=1\n")
all_frames = list(packets())
whole = pcap("laws.pcap", all_frames)
shown = decoded(whole)
same("frames", [f["frame"] for f in shown], list(range(1, len(all_frames) + 1)))
same("times", [f["time_ns"] for f in shown], [f[0] for f in all_frames])
count = columns(whole, shown)
unchecked = ("--config", "icrc.rule=none")  # icrc.ok is null
columns(whole, decoded(whole, *unchecked), *unchecked)
few = pcap("laws-y.pcap", all_frames[::3])
members(whole, shown)
filters(few, decoded(few))
neutral(whole, all_frames)
vectors(whole, shown)
selected(all_frames, shown)
reversed_frames(all_frames)
clock(whole, shown)
summary(whole, shown)
verdicts(whole)
verdicts(whole, "-Y", "cnp")
unseen(whole)
verdicts(whole, "-c", "70")
timeline(whole, shown)
flow_sums(whole, shown)
print(f"laws: {len(shown)} frames with {count} members, {runs} runs")
sys.exit(bad != 0)

# SPDX-License-Identifier: BSD-2-Clause
"""cctrace.py CCTRACE: compares cctrace's options and traces with each other, with
vectors/model and with vectors/README, for every algorithm.

presets  --params lists the model's parameters of every preset on three links, and the
         same parameters if each is named; its names of actions and states are a trace's
heads    a trace's head means the same as --preset, --link-bps and PARAM=VALUE
files    a file of traces gives the same as its traces one by one, in any order
grammar  every form of an argument draws the same as the model's generator
limits   as many phases, kinds and so on as fit are accepted, and one more is refused
"""
import importlib
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, "vectors/model")
from trace import Generator, line, text  # pylint: disable=wrong-import-position

LINKS = 100000000000, 25000000000, 12345678901
trace_tool = sys.argv[1]


def fail(*what):
    sys.exit("cctrace: " + " ".join(map(str, what)))


def call(*args, feed=""):
    return subprocess.run([trace_tool, *map(str, args)], input=feed, text=True,
                          capture_output=True, check=False)


def run(*args, feed="", status=0):
    got = call(*args, feed=feed)
    if got.returncode != status:
        fail(*args, feed[:200], "status", got.returncode, got.stderr)
    return got.stdout


def listed(*args):
    """Returns the presets, the parameters with their values, and the names of action and
    state."""
    lines = run(*args, "--params").splitlines()
    end = next(i for i, l in enumerate(lines) if l.startswith("event "))
    names = {l.split()[0]: l.split()[1:] for l in lines[end:] if not l.startswith("event ")}
    # A value may be empty, such as an empty list's. It still takes the 16 columns.
    params = {l.split()[0]: l[29:].split(" ")[0] for l in lines[3:end]}
    return lines[1].split()[1:], params, names


def presets_of(algorithm):
    """Returns the model's functions from link_bps to parameters, by preset."""
    module = importlib.import_module({"qcn_cp": "qcn"}.get(algorithm, algorithm.replace("-", "_")))
    return {k: v for c in vars(module).values() for k, v in getattr(c, "PRESETS", {}).items()}


def first_traces():
    """Returns the settings and the phases of each algorithm's first trace."""
    found = {}
    for path in sorted(pathlib.Path("vectors").glob("*.vec")):
        lines = path.read_text().splitlines() + [""]
        for i, head in enumerate(lines):
            if head.startswith("trace "):
                phases = [l for l in lines[i + 1:lines.index("", i)] if l.startswith(" ")]
                found.setdefault(head.split()[2], (head.split()[3:], phases))
    return found


def check_presets(algorithm):
    names, _, keys = listed(algorithm)
    models = presets_of(algorithm)
    for name in names:
        for link in LINKS:
            at = "--preset", name, "--link-bps", link
            _, params, _ = listed(algorithm, *at)
            want = {k: text(v) for k, v in models[name](link).items()}
            if params != want:
                fail(algorithm, *at, [(k, params.get(k), want.get(k)) for k in {**params, **want}
                                      if params.get(k) != want.get(k)])
            named = [f"{k}={v}" for k, v in params.items()]
            if listed(algorithm, *named)[1] != params:
                fail(algorithm, *named, "are not the parameters of", *at)
    if listed(algorithm, "--link-bps", LINKS[1])[1] != \
       listed(algorithm, "--link-bps", LINKS[1], "--preset", names[0])[1]:
        fail(algorithm, "does not start from its first preset")
    return names, keys


def options(head):
    """Returns the settings of a trace's head as options."""
    return [re.sub("^(preset|link_bps)=", lambda m: f"--{m[1].replace('_', '-')}=", w)
            for w in head if not w.startswith("seed=")]


def check_heads(algorithm, names, keys, own, phases):
    """Checks a trace's head, and heads with other presets and links, which init may refuse."""
    few = "".join(re.sub(r"^ +\d+:", " 300:", p) + "\n" for p in phases)
    params = [w for w in own if w.split("=")[0] not in ("seed", "preset", "link_bps")]
    heads = [own] + [["seed=7", f"preset={name}", f"link_bps={link}", *params]
                     for name in names for link in LINKS[:2]]
    for head in heads:
        at = options(head)
        paste = f"trace x {algorithm} {' '.join(head)}\n{few}"
        got = call("--trace", "-", feed=paste)
        if got.returncode != 0 and head is not own:
            run(algorithm, *at, status=1)
            continue
        played = got.stdout.splitlines()
        answers = [l.partition(": ")[2] for l in played[2::2]]
        if not answers or run(algorithm, *at, feed="\n".join(played[1::2])).splitlines() != answers:
            fail(algorithm, *at, "gives other answers than", paste)
        if "dropped" in keys["state"]:  # wred and red count their verdicts
            said = [a.split()[0][8:] for event, a in zip(played[1::2], answers)
                    if not event.startswith("idle")]
            if not answers[-1].endswith("passed={} marked={} dropped={}".format(
                    *map(said.count, ("pass", "mark", "drop")))):
                fail(algorithm, "counts other verdicts than", said)
        for part, side in zip(("action", "state"), answers[0].split("|")):
            if [w.split("=")[0] for w in side.split()] != keys[part]:
                fail(algorithm, "--params names another", part, "than", side)


TRACES = ["""\
trace b1 tokenbucket seed=1 preset=per_s link_bps=40000000000 burst=7
 9: take n=1..9 now_ns=+1..1000000
""", """\
trace b2 tokenbucket preset=per_s
 5: take n=1..99 now_ns=+0..9
 6: take*3 now_ns=+1..9 | take n=3
""", """\
trace l1 acl seed=3 preset=empty
 40: add*3 prefix=::ffff:10.0.0.0 w0=0..4294967295 w1=@w0+1..2 length=+1..50%129 permit=0/1 \
tag=+7..9 cut=1 | lookup address=2001:db8::/::1 w3=+5..6 | build*2
 3: clear
 9: add prefix=::1 tag=+0..1 length=128 w3=9 w2=@tag+18446744073709551615..18446744073709551615
 2: build | lookup*0 address=::1
""", """\
trace w1 wred seed=18446744073709551615 preset=ldcp buf_max_bytes=300000
 50: decide*7 queue_bytes=0..0x60000 ecn=ect0/not_ect/ce random=0..4294967295 \
| decide queue_bytes=+9..99%50 ecn=ect1
 9: decide queue_bytes=+1..1
"""]


def check_files():
    alone = [run("--trace", "-", feed=t) for t in TRACES]
    for order in [0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 0, 2]:
        if run("--trace", "-", feed="\n# next\n".join(TRACES[i] for i in order)) != \
           "".join(alone[i] for i in order):
            fail("the traces", order, "of a file give other answers than each trace alone")
    for t, out in zip(TRACES, alone):
        if run("--trace", "-", t.split()[1], feed="".join(TRACES)) != out:
            fail("--trace FILE ID differs from the trace alone:", t)


def check_grammar():
    for t in TRACES:
        head, *phases = t.splitlines()
        seed = int((re.findall(r"seed=(\d+)", head) or [0])[0])
        want = [f"{event} {line(args)}".strip() for event, args in Generator(seed, phases).events()]
        played = run("--trace", "-", feed=t).splitlines()
        got = played[1::2]
        if run(*head.split()[2:3], *options(head.split()[3:]), feed="\n".join(got)).splitlines() \
           != [l.partition(": ")[2] for l in played[2::2]]:
            fail(head, "has other answers than its events on standard input")
        if got != want:
            fail(head, "draws other events than the model:",
                 [(g, w) for g, w in zip(got, want) if g != w][:2], len(got), len(want))


def check_limits():
    head = "trace x tokenbucket preset=per_s"
    for n, build in ((16, lambda n: head + "\n 1: take n=1" * n),
                     (16, lambda n: head + "\n 1: take" + " | take" * (n - 1)),
                     (64, lambda n: head + "\n 1: take" + " n=1" * n),
                     (32, lambda n: head + " burst=9" * n + "\n 1: take"),
                     (127, lambda n: head + "\n 1: take n=" + "1".zfill(n)),
                     (4294967295, lambda n: head + f"\n 1: take now_ns=1..{n + 1}")):
        run("--trace", "-", feed=build(n) + "\n")
        run("--trace", "-", feed=build(n + 1) + "\n", status=1)
    # A phase follows each of these heads, so only the head can be refused.
    for bad in "bust=1", "burst=x", "burst=0", "preset=best":
        run("--trace", "-", feed=f"{head} {bad}\n 1: take\n", status=1)
    entries = 16384  # acl's limit, enough for an operator's file
    added = run("acl", feed="add prefix=::1 length=128\n" * (entries + 1)).splitlines()
    full = [l.split()[0] for l in added]
    if full != ["refusal=accepted"] * entries + ["refusal=many"]:
        fail("acl takes another number of entries:", full.count("refusal=accepted"))


if __name__ == "__main__":
    algorithms = re.search(r"^ALGO is one of (.*)$", run("--help"), re.M)[1].split()
    found = first_traces()
    for a in algorithms:
        check_heads(a, *check_presets(a), *found[a])
    check_files()
    check_grammar()
    check_limits()
    print(f"cctrace: presets, heads, files and limits of {len(algorithms)} algorithms are as "
          "models and README have them")

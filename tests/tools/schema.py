#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""schema.py ROCEDUMP SCRAPS: checks that examples/rocedump/schema.json is the output of
--schema, and describes --json for all vector files with frames, vectors/pcap, the
captures in SCRAPS (from tools.sh) and every role of --judge. Then the output is
altered, one member at a time, and the schema must reject it."""
import json
import os
import pathlib
import random
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("schema: no jsonschema here: skipped")
    sys.exit(1 if os.environ.get("CI") else 0)

MOST = 400  # frames per capture, because they are alike
pick = random.Random(1)
dump, scraps = sys.argv[1], pathlib.Path(sys.argv[2])
text = pathlib.Path("examples/rocedump/schema.json").read_text()
made = subprocess.run([dump, "--schema"], capture_output=True, text=True, check=True)
if made.stdout != text:
    sys.exit("schema: rocedump --schema prints another one than "
             "examples/rocedump/schema.json: write it there, and look at the change")
schema = json.loads(text)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def frames(path, *options):
    done = subprocess.run([dump, "--json", *options, str(path)], capture_output=True,
                          text=True)
    lines = done.stdout.splitlines()
    return [json.loads(x) for x in (lines if len(lines) <= MOST else
                                    pick.sample(lines, MOST))]


def records(value, found):
    """Returns all objects in a value."""
    if isinstance(value, dict):
        found.append(value)
        for v in value.values():
            records(v, found)
    elif isinstance(value, list):
        for v in value:
            records(v, found)
    return found


def altered(frame):
    """Returns a copy with something that --json never prints, and a description of it."""
    copy = json.loads(json.dumps(frame))
    inside = pick.choice(records(copy, []))
    key = pick.choice(list(inside))
    what = pick.choice(["more", "type"])
    if what == "more":
        inside["surplus"] = 1
    elif isinstance(inside[key], str):
        inside[key] = ["text"]
    else:
        inside[key] = "!"
    return copy, f"{what} {key}"


def lacking(frame):
    """Returns a copy without a member that every such frame or layer has, and a description."""
    copy = json.loads(json.dumps(frame))
    layers = [v for k, v in copy.items() if isinstance(v, dict) and
              k not in ("inner", "judge", "next")]
    inside = pick.choice(layers + [copy])
    key = pick.choice(["frame", "time_ns", "len", "caplen", "stack", "status"]
                      if inside is copy else list(inside))
    del inside[key]
    return copy, f"without {key}"


every = []
for path in sorted(pathlib.Path("vectors").glob("*.vec")):
    every += frames(path)
with_vectors = len(every)
for path in [*sorted(pathlib.Path("vectors/pcap").glob("*.pcap")),
             scraps / "rows.pcap", scraps / "mutated.pcap", scraps / "overlay.pcap",
             scraps / "ioam.pcap", scraps / "aeth.pcap", scraps / "icmp.pcap",
             scraps / "problem.pcap"]:
    found = frames(path)
    assert found, path
    every += found
for path in sorted((scraps.parent / "cases").glob("*.pcap")):
    every += frames(path)
every += frames("vectors/pcap/frame.pcap", "--config", "icrc.rule=none")
every += frames(scraps / "rows.pcap", "--config", "intmd.udp_port=5000")
(scraps / "anybody").write_text("0.0.0.0/0\n::/0 tag=1\n")
for role, more in (("reaction", ["reaction.fastcnp_enabled=1"]), ("border", []), ("tor", []),
                   ("arn", []),
                   ("end-con", ["srv6_pe.end_con=2001:db8::c"])):
    for path in ("vectors/pcap/frame.pcap", "vectors/pcap/notify.pcap",
                 scraps / "judge-arrival.pcap", scraps / "judge-one.pcap"):
        found = frames(path, "--judge", role, "--access", str(scraps / "anybody"),
                       *[w for m in more for w in ("--config", m)])
        assert found and all("judge" in f for f in found), (role, path)
        every += found

bad = 0
for frame in every:
    error = next(validator.iter_errors(frame), None)
    if error is not None:
        where = ".".join(map(str, error.absolute_path))
        print(f"schema: frame {frame['frame']} {frame['stack']}: {where}: "
              f"{error.message[:200]}")
        bad += 1
for alter in (altered, lacking):
    for frame in pick.sample(every, 300):
        copy, what = alter(frame)
        if validator.is_valid(copy):
            print(f"schema: does not notice {what}: {json.dumps(copy)[:300]}")
            bad += 1
layers = {name for f in every for name in f["stack"]}
print(f"schema: {len(every)} frames ({with_vectors} of vector files), "
      f"{len(layers)} layers, 600 alterations")
sys.exit(bad != 0)

# SPDX-License-Identifier: BSD-2-Clause
"""check.py HOME: the plugin in tshark beside rocedump, on the captures of HOME."""
import collections
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pdml

home = pathlib.Path(sys.argv[1])
failed = []


def tshark(*arguments, lenient=False):
    """What it prints; what it complains of is a failure."""
    done = subprocess.run([home / "nobody", "tshark", *arguments], capture_output=True,
                          cwd=home)
    said = done.stderr.decode(errors="replace")
    if done.returncode != 0 or said.strip() or b"Dissector bug" in done.stdout:
        failed.append(f"tshark {' '.join(map(str, arguments))}: {said[:300]}")
    return done.stdout


def rocedump(*arguments):
    return [json.loads(line) for line in
            subprocess.run([home / "rocedump", "--json", *arguments], check=True,
                           stdout=subprocess.PIPE).stdout.splitlines()]


def protos(path, *options):
    """The rocecc of each frame."""
    tree = ElementTree.fromstring(tshark("-r", path, "-T", "pdml", *options))
    return [packet.find("proto[@name='rocecc']") for packet in tree]


def same(path, *options, config=()):
    """All frames of a capture: values, order and places."""
    frames = pdml.frames(path)
    shown = protos(path, *options)
    said = rocedump(*config, path)
    counts = collections.Counter(frames=len(frames))
    if not len(frames) == len(shown) == len(said) > 0:
        failed.append(f"{path.name}: {len(frames)}, {len(shown)}, {len(said)} frames")
    for i, (frame, proto, packet) in enumerate(zip(frames, shown, said), 1):
        placed = []
        if proto is None:
            failed.append(f"{path.name} {i}: nothing is shown")
            continue
        wrong = pdml.compare(pdml.of_json(packet), pdml.of_pdml(proto, placed))
        failed.extend(f"{path.name} {i}: {line}" for line in wrong)
        for field in placed:
            is_wrong = pdml.misplaced(field, frame[0])
            counts["values"] += 1
            counts["placed"] += is_wrong is not None
            if is_wrong:
                failed.append(f"{path.name} {i}: {field.get('name')} is not at "
                              f"{field.get('pos')}: {field.get('showname')}")
    return counts


def main():
    total = collections.Counter()
    for path in sorted(home.glob("*.pcap")):
        total += same(path)
    print(f"wireshark: {total['frames']} frames as rocedump has them, {total['values']} "
          f"values, {total['placed']} of them compared with the bits at their place")
    for line in failed[:40]:
        print("wireshark:", line)
    sys.exit(bool(failed))


main()

# SPDX-License-Identifier: BSD-2-Clause
"""judge.py JSON UNFOLLOWED GAPS FLOOR: the figures of llvm-cov for each header beside
the floor, which is never passed downwards; with MCDC=update the floor is written anew.
"""
import json
import os
import re
import sys

KINDS = ("functions", "branches", "mcdc")
HEAD = """\
# What make test reaches of the library (clang 19): functions run, branches taken both
# ways, conditions seen to decide alone (MC/DC), each of how many. A floor: make mcdc is
# red below it, MCDC=update writes it anew. unfollowed: decisions that clang cannot follow.
"""


def name_of(path):
    return path.split("include/rocecc/", 1)[1]


def figures(data, warnings):
    rows = {name_of(f["filename"]): f["summary"] for f in data["files"]}
    rows["total"] = data["totals"]
    now = {n: [(s[k]["covered"], s[k]["count"]) for k in KINDS] for n, s in rows.items()}
    return now, len(re.findall("unsupported MC/DC", warnings))


def read_floor(path):
    was, unfollowed = {}, 0
    for line in open(path, encoding="utf-8"):
        if line.startswith("#"):
            continue
        words = line.split()
        if words[0] == "unfollowed":
            unfollowed = int(words[1])
        else:
            was[words[0]] = [tuple(map(int, w.split("/"))) for w in words[1:]]
    return was, unfollowed


def write_floor(path, now, unfollowed):
    with open(path, "w", encoding="utf-8") as f:
        f.write(HEAD + "%-25s %9s %11s %11s\n" % ("#", *KINDS))
        for name in sorted(now, key=lambda n: (n != "total", n)):
            f.write("%-25s %9s %11s %11s\n" % (name, *("%d/%d" % r for r in now[name])))
        f.write("unfollowed %d\n" % unfollowed)


def judge(now, unfollowed, was, was_unfollowed):
    """Prints what fell and what rose; whether nothing fell. A share that is smaller only
    because code that was reached is gone has not fallen: no more is missing."""
    fell = rose = 0
    for name in sorted(set(now) | set(was)):
        if name not in now or name not in was:
            print("mcdc: %s has no row %s: make mcdc MCDC=update" %
                  (name, "in floor.txt" if name in now else "any more"))
            fell += 1
            continue
        for kind, (a, n), (b, m) in zip(KINDS, now[name], was[name]):
            if a * m < b * n and n - a > m - b:
                print("mcdc: %s: %s %d of %d, where the floor is %d of %d" %
                      (name, kind, a, n, b, m))
                fell += 1
            rose += a * m > b * n or n - a < m - b
    if unfollowed > was_unfollowed:
        print("mcdc: %d decisions that clang cannot follow, where the floor has %d" %
              (unfollowed, was_unfollowed))
        fell += 1
    if rose:
        print("mcdc: %d figures are above their floor: make mcdc MCDC=update" % rose)
    return not fell


def missing(data):
    """{header: {(line, column, what)}} of what no test reached, united over the places
    where a function was compiled."""
    seen = {}
    for f in data["functions"]:
        files = f["filenames"]
        start = f["regions"][0]
        if "include/rocecc/" not in files[start[5]]:
            continue
        put = seen.setdefault
        name = f["name"].split(":")[-1]
        key = (files[start[5]], start[0], start[1], name + "() is not run")
        put(key, False)
        seen[key] |= f["count"] > 0
        for b in f["branches"]:
            text = source(files[b[6]], b)
            for count, way in ((b[4], "true"), (b[5], "false")):
                key = (files[b[6]], b[0], b[1], "never %s: %s" % (way, text))
                put(key, False)
                seen[key] |= count > 0
        for d in f["mcdc_records"]:
            inside = sorted((b for b in f["branches"]
                             if b[8] == 6 and b[6] == d[4] and d[:2] <= b[:2] and b[2:4] <= d[2:4]),
                            key=lambda b: b[:2])
            for i, pair in enumerate(d[6]):
                at = inside[i] if len(inside) == len(d[6]) else d
                text = source(files[d[4]], at)
                key = (files[d[4]], at[0], at[1], "never decides alone: " + text)
                put(key, False)
                seen[key] |= pair
    gaps = {}
    for (path, line, column, what), reached in seen.items():
        if not reached and "include/rocecc/" in path:
            gaps.setdefault(name_of(path), set()).add((line, column, what))
    return gaps


def source(path, at, lines={}):
    if path not in lines:
        lines[path] = open(path, encoding="utf-8").read().split("\n")
    text = lines[path][at[0] - 1:at[2]]
    text[-1] = text[-1][:at[3] - 1]
    return " ".join(t.strip() for t in [text[0][at[1] - 1:]] + text[1:])


def percent(a, n):
    return "%.1f %%" % (100 * a / n) if n else "-"


def main():
    json_path, warnings_path, gaps_path, floor_path = sys.argv[1:]
    data = json.load(open(json_path, encoding="utf-8"))["data"][0]
    now, unfollowed = figures(data, open(warnings_path, encoding="utf-8").read())
    gaps = missing(data)
    with open(gaps_path, "w", encoding="utf-8") as f:
        for name in sorted(gaps):
            for gap in sorted(gaps[name]):
                f.write("%s:%d:%d: %s\n" % (name, *gap))

    for name in sorted(gaps):
        for line, _, what in sorted(gaps[name]):
            if what.endswith("() is not run"):
                print("mcdc: %s:%d: %s" % (name, line, what))
    low = [n for n in now if n != "total" and now[n][2][1]]
    low.sort(key=lambda n: now[n][2][0] / now[n][2][1])
    print("%-26s %10s %10s %10s" % ("the ten lowest", *KINDS))
    for name in low[:10] + ["total"]:
        print("%-26s %10s %10s %10s" % (name, *(percent(*r) for r in now[name])))

    if os.environ.get("MCDC") == "update":
        write_floor(floor_path, now, unfollowed)
    good = judge(now, unfollowed, *read_floor(floor_path))
    print("mcdc: %d of %d functions run, branches %s, MC/DC %s, lines %s; %d decisions are "
          "not followed; what is missing: %s" %
          (*now["total"][0], percent(*now["total"][1]), percent(*now["total"][2]),
           "%.1f %%" % data["totals"]["lines"]["percent"], unfollowed, gaps_path))
    sys.exit(not good)


main()

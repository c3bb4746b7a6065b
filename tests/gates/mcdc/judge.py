# SPDX-License-Identifier: BSD-2-Clause
"""judge.py JSON UNFOLLOWED GAPS LIST...: judges library code that make test does not reach, by
the figures of llvm-cov. A gap must be in a LIST with its reason, and an entry there must be a
gap. Only some gaps of MC/DC may lack a reason (MCDC_SHARE).

A reason is a paragraph at the margin of a LIST. Its gaps are below it, each a line indented by
four spaces, in the words of the file GAPS without line and column:
    wire/ext.h:rocecc_ext_parse: never false: i < n"""
import json
import os
import re
import sys

HEADERS = "include/rocecc/"
KINDS = ("functions", "lines", "branches", "MC/DC")
UNFOLLOWED = r"(\S+):(\d+):(\d+): warning: unsupported MC/DC"
MCDC_SHARE = 98  # percent
SHOWN = 20  # errors


def header(path):
    return os.path.normpath(path).split(HEADERS, 1)[1]


def source(path, lines={}):
    if path not in lines:
        lines[path] = open(path, encoding="utf-8").read().split("\n")
    return lines[path]


def text_at(path, at):
    """Returns the text of a region: first line, first column, last line, last column."""
    text = source(path)[at[0] - 1:at[2]]
    text[-1] = text[-1][:at[3] - 1]
    return " ".join(t.strip() for t in [text[0][at[1] - 1:]] + text[1:])


def decisions(function):
    """Yields (words, place, file, reached) for each condition of each decision."""
    for d in function["mcdc_records"]:
        inside = sorted((b for b in function["branches"] if b[8] == 6 and b[6] == d[4] and
                         d[:2] <= b[:2] and b[2:4] <= d[2:4]), key=lambda b: b[:2])
        for i, pair in enumerate(d[6]):
            path = function["filenames"][d[4]]
            if len(inside) == len(d[6]):
                yield text_at(path, inside[i]), inside[i], d[4], pair
            else:
                yield "condition %d of %s" % (i + 1, text_at(path, d)), d, d[4], pair


def measured(function):
    """Yields (kind, words, path, place, number of the macro's expansion, reached) for everything
    measured in a function except its lines."""
    files = function["filenames"]
    first = function["regions"][0]
    yield "functions", "not run", files[first[5]], first, 0, function["count"] > 0
    for b in function["branches"]:
        for count, way in ((b[4], "true"), (b[5], "false")):
            words = "never %s: %s" % (way, text_at(files[b[6]], b))
            yield "branches", words, files[b[6]], b, b[6], count > 0
    for text, at, file, pair in decisions(function):
        yield "MC/DC", "never decides alone: " + text, files[file], at, file, pair


def line_counts(segments):
    """Returns {line: how often it ran} from the segments of a file, as llvm-cov counts lines."""
    counts = {}
    for (line, _, count, has, *_), after in zip(segments, segments[1:] + [None]):
        last = after[0] if after else line
        for n in range(line + 1, last + 1) if has else ():
            counts[n] = count
    for line, _, count, has, entry, gap in segments:
        if has and entry and not gap:
            counts[line] = max(count, counts.get(line, 0))
    return counts


def everything(data):
    """Returns {(kind, header, function, line, column, expansion, words): reached}, united over a
    function's compilations, and {header: [(first line, last line, function)]}."""
    seen, extents = {}, {}
    for f in data["functions"]:
        start = f["regions"][0]
        path = f["filenames"][start[5]]
        if HEADERS not in path:
            continue
        name = f["name"].split(":")[-1]
        extents.setdefault(header(path), set()).add((start[0], start[2], name))
        for kind, words, where, at, expansion, reached in measured(f):
            if HEADERS in where:
                key = (kind, header(where), name, at[0], at[1], expansion, words)
                seen[key] = seen.get(key, False) or reached
    for f in data["files"]:
        path = header(f["filename"])
        for line, count in line_counts(f["segments"]).items():
            code = source(f["filename"])[line - 1].partition("/*")[0]
            words = "line not reached: " + code.strip()
            key = ("lines", path, owner(extents, path, line), line, 1, 0, words)
            seen[key] = count > 0
    return seen, extents


def owner(extents, path, line):
    return next((n for a, b, n in extents.get(path, ()) if a <= line <= b), "-")


def unfollowed(warnings, extents):
    """Yields the decisions that clang cannot follow, from its warnings."""
    for path, line, column in re.findall(UNFOLLOWED, warnings):
        text = source(path)[int(line) - 1].strip()
        path = header(path)
        yield ("branches", path, owner(extents, path, int(line)), int(line), int(column), 0,
               "not followed: " + text)


def gaps_of(seen):
    """Returns [(kind, line, column, entry)]. The second of equal words in a function is #2."""
    times, gaps = {}, []
    for key in sorted(seen):
        kind, path, name, line, column, _, words = key
        entry = "%s:%s: %s" % (path, name, words)
        times[entry] = times.get(entry, 0) + 1
        if not seen[key]:
            number = " #%d" % times[entry] if times[entry] > 1 else ""
            gaps.append((kind, line, column, entry + number))
    return gaps


def read_lists(paths):
    """Returns {entry: its place}, and errors in the lists."""
    entries, wrong = {}, []
    for path in paths:
        reason = listed = False
        for n, line in enumerate(open(path, encoding="utf-8"), 1):
            entry, at = line.strip(), "%s:%d" % (path, n)
            if not entry:
                reason, listed = reason and not listed, False
            elif line.startswith("    "):
                listed = True
                if not reason:
                    wrong.append("%s: no reason above this entry" % at)
                if entry in entries:
                    wrong.append("%s: %s has it, too" % (at, entries[entry]))
                entries[entry] = at
            elif not entry.startswith("#"):
                reason = True
    return entries, wrong


def judge(gaps, listed, shares):
    """Returns errors: gaps without a reason, and reasons without a gap."""
    found = {entry for _, _, _, entry in gaps}
    wrong = ["%s: stale: %s" % (at, e) for e, at in listed.items() if e not in found]
    for kind, line, _, entry in gaps:
        if entry not in listed and kind != "MC/DC":
            wrong.append("line %d of %s" % (line, entry))
    good, n = shares["MC/DC"]
    if 100 * good < MCDC_SHARE * n:
        wrong.append("MC/DC %s, where %d %% is asked for" % (percent(good, n), MCDC_SHARE))
    return wrong


def shares_of(seen, gaps, listed):
    """Returns {kind: [reached or excused, all]}."""
    shares = {kind: [0, 0] for kind in KINDS}
    for kind, *_ in seen:
        shares[kind][0] += 1
        shares[kind][1] += 1
    for kind, _, _, entry in gaps:
        shares[kind][0] -= entry not in listed
    return shares


def percent(a, n):
    return "%.2f %%" % (100 * a / n)


def main():
    json_path, warnings_path, gaps_path, *lists = sys.argv[1:]
    data = json.load(open(json_path, encoding="utf-8"))["data"][0]
    seen, extents = everything(data)
    for key in unfollowed(open(warnings_path, encoding="utf-8").read(), extents):
        seen[key] = False
    gaps = gaps_of(seen)
    listed, wrong = read_lists(lists)
    with open(gaps_path, "w", encoding="utf-8") as f:
        for kind, line, column, entry in sorted(gaps, key=lambda g: (g[3].split(":")[0], g)):
            mark = "excused" if entry in listed else "open"
            f.write("%s %d:%d %s\n" % (mark, line, column, entry))
    raw, shares = shares_of(seen, gaps, ()), shares_of(seen, gaps, listed)
    wrong += judge(gaps, listed, shares)
    for w in wrong[:SHOWN]:
        print("mcdc: " + w)
    if len(wrong) > SHOWN:
        print("mcdc: and %d more: %s" % (len(wrong) - SHOWN, gaps_path))
    print("%-22s" % "" + "".join("%12s" % k for k in KINDS))
    for name, rows in (("reached", raw), ("reached or excused", shares)):
        print("%-22s" % name + "".join("%12s" % percent(*rows[k]) for k in KINDS))
    print("mcdc: of %s; %d gaps are excused" %
          (", ".join("%d %s" % (shares[k][1], k) for k in KINDS), len(listed)))
    sys.exit(bool(wrong))


main()

#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""judge.py ROWS MISSED TSV [--all] [--no-times]: holds the rows that bench.sh measured
to their goals, and writes them to TSV.

A row in ROWS is: operation, ours, the peer's name, the peer's, unit, goal. A time has a
row for each of its five runs. Its ratio is the ratio of the two least times of all runs. If
the ratios of the runs differ by more than SPREAD, the row is not measured, which fails.

Instructions and bytes are held to their goal as they are, times with TIME_SLACK. A time
without a peer is shown only, because it is of one machine. A goal of 0 marks a part,
which is shown only, too.

A row that is known to miss its goal is in MISSED: operation, unit, the ratio that is held
instead (without a peer the number), the reason. Instructions fail if they exceed this by
HELD_SLACK, and an entry that reaches its goal fails until it is removed.

A reason names at least one count that was measured, as "NUMBER [NAME]". NAME is "ours" or
"theirs" of this operation, or another operation of the same compiler (its ours), or
"OPERATION: theirs". All are instructions, bytes in an entry of bytes, and ns in an entry
of ns whose operation has no instructions. If NUMBER differs from the measured count by more
than COUNT_SLACK and by more than 0.5 (ns: by the factor SPREAD), the reason is stale and
fails.

With --write it puts the measured numbers into MISSED, for somebody who has changed the
code: the words of each reason that changes are to be read again."""
import re
import sys

SPREAD = 1.5
TIME_SLACK = 1.25  # a core shares its units with a neighbour, who slows some code more
HELD_SLACK = 1.02
COUNT_SLACK = 0.02
COMPILER = re.compile(r", (?:gcc|clang-19|g\+\+|clang\+\+-19) -O[2s]$")
COUNT = re.compile(r"([\d,.]*\d) \[([^\]]+)\]")


class Row:
    def __init__(self, operation, peer, unit, goal):
        self.operation, self.peer, self.unit, self.goal = operation, peer, unit, float(goal)
        self.runs = []

    def theirs(self):
        return min(t for _, t in self.runs) if self.peer != "-" else None

    def ours(self):
        return min(o for o, _ in self.runs)

    def value(self):
        """The ratio of the two least; without a peer the least itself."""
        return self.ours() if self.peer == "-" else ratio(self.ours(), self.theirs())

    def spread(self):
        ratios = [ratio(o, t) if self.peer != "-" else o for o, t in self.runs]
        return ratio(max(ratios), min(ratios))

    def is_measured(self):
        return self.unit != "ns" or (self.value() > 0 and self.spread() <= SPREAD)

    def is_judged(self):
        return self.goal != 0 and (self.unit != "ns" or self.peer != "-")


def ratio(a, b):
    return a / b if b > 0 else float("inf")


def read_rows(path):
    rows = {}
    for line in open(path, encoding="utf-8"):
        operation, ours, peer, theirs, unit, goal = line.rstrip("\n").split("\t")
        row = rows.setdefault((operation, unit), Row(operation, peer, unit, goal))
        assert row.peer == peer, f"{operation}: two peers"
        assert unit == "ns" or not row.runs, f"{operation}: twice"
        row.runs.append((float(ours), float(theirs) if peer != "-" else None))
    return rows


def read_missed(path):
    missed = {}
    for line in open(path, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        operation, unit, held, reason = line.rstrip("\n").split("\t")
        assert (operation, unit) not in missed, f"{path}: {operation} twice"
        missed[operation, unit] = float(held), reason
    return missed


def count_of(rows, operation, unit, name):
    """What NAME in the reason of this operation is now, and its unit; None: unknown."""
    compiler = COMPILER.search(operation)
    side = "theirs" if name.endswith("theirs") else "ours"
    name = name.removesuffix(": theirs")
    if name == side:
        name = operation
    elif compiler:
        name += compiler[0]
    for unit in ("bytes",) if unit == "bytes" else ("instructions", unit):
        row = rows.get((name, unit))
        if row is not None:
            return row.theirs() if side == "theirs" else row.ours(), unit
    return None


def is_stale(said, now, unit):
    if unit == "ns":
        return not now / SPREAD <= said <= now * SPREAD
    return abs(said - now) > max(COUNT_SLACK * now, 0.5)


def stale_counts(rows, operation, unit, reason, times):
    counts = COUNT.findall(reason)
    if not counts:
        yield "its reason names no count that is measured"
    for number, name in counts:
        count = count_of(rows, operation, unit, name)
        if count is not None and is_stale(float(number.replace(",", "")), *count):
            yield f"its reason is stale: {number} [{name}] is {count[0]:.1f} now"
        elif count is None and (times or unit != "ns"):
            yield f"its reason names [{name}], which is not measured"


def judge_row(row, held):
    """What is wrong with a row; held is its ratio in MISSED, or None."""
    value, slack = row.value(), TIME_SLACK if row.unit == "ns" else 1
    if not row.is_judged():
        return
    if not row.is_measured():
        runs = ", ".join(f"{ratio(o, t):.3f}" for o, t in row.runs)
        yield f"not measured: the ratios of its runs are {runs}"
    elif held is not None:
        if value > held * (TIME_SLACK if row.unit == "ns" else HELD_SLACK):
            yield f"{value:.3f}, where tests/gates/bench/missed has {held:g}"
        elif row.unit != "ns" and value <= row.goal:
            yield "reaches its goal, and is to leave tests/gates/bench/missed"
    elif value > row.goal * slack:
        yield f"{value:.3f}, and the goal is {row.goal:g}"


def judge(rows, missed, everything, times):
    for key, row in rows.items():
        for said in judge_row(row, missed.get(key, (None,))[0]):
            yield row, said
    for key, (_, reason) in missed.items():
        row = rows.get(key)
        if row is None and everything and (times or key[1] != "ns"):
            yield Row(*key[:1], "-", key[1], 0), "is in tests/gates/bench/missed and was not measured"
        if row is not None or (everything and key[1] == "ns"):
            for said in stale_counts(rows, *key, reason, times):
                yield Row(*key[:1], "-", key[1], 0), said


def shown(number):
    return f"{number:.3f}".rstrip("0").rstrip(".")


def write_missed(rows, path):
    """The measured numbers into each entry; a time keeps the ratio that it holds."""
    def mended(operation, unit, match):
        count = count_of(rows, operation, unit, match[2])
        if count is None:
            return match[0]
        now = count[0]
        return (f"{now:,.0f}" if now >= 100 else shown(round(now, 1))) + f" [{match[2]}]"

    lines = []
    for line in open(path, encoding="utf-8"):
        if not line.startswith("#") and line.strip():
            operation, unit, held, reason = line.rstrip("\n").split("\t")
            row = rows.get((operation, unit))
            if row is not None and unit != "ns":
                held = f"{row.value():.2f}" if row.peer != "-" else f"{row.value():.0f}"
            reason = COUNT.sub(lambda m, o=operation, u=unit: mended(o, u, m), reason)
            line = f"{operation}\t{unit}\t{held}\t{reason}\n"
        lines.append(line)
    with open(path, "w", encoding="utf-8") as missed:
        missed.writelines(lines)


def main(rows_path, missed_path, tsv_path, *options):
    rows = read_rows(rows_path)
    if "--write" in options:
        write_missed(rows, missed_path)
    wrong = list(judge(rows, read_missed(missed_path), "--all" in options,
                       "--no-times" not in options))
    with open(tsv_path, "w", encoding="utf-8") as tsv:
        for row in rows.values():
            theirs = "-" if row.peer == "-" else shown(row.theirs())
            value = "-" if row.peer == "-" else f"{row.value():.3f}"
            if row.peer != "-" and not row.is_measured():
                value = "not measured"
            goal = f"<= {row.goal:.4g}" if row.goal != 0 else ""
            print(row.operation, shown(row.ours()), row.peer, theirs, row.unit, value,
                  f"{row.goal:.4g}", sep="\t", file=tsv)
            print(f"{value:>7}  {row.operation:<58} {shown(row.ours()):>10} {row.unit:<13} "
                  f"{theirs:>10}  {row.peer:<22} {goal}".rstrip())
    for row, said in wrong:
        print(f"bench: {row.operation}, {row.unit}: {said}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""judge.py ROWS MISSED TSV [--all] [--no-times]: compares the rows that bench.sh measured with
their goals, and writes them to TSV.

A row in ROWS is: operation, ours, the peer's name, the peer's, unit, goal. A time has a row for
each of its five runs. Its ratio is our least time divided by the peer's least time. If the
ratios of the runs differ by more than SPREAD, the row is not measured, and fails.

Instructions and bytes must reach their goal, and times must reach it within TIME_SLACK. A time
without a peer is only shown, because it depends on the machine. A goal of 0 marks a part, which
is also only shown.

MISSED has the rows that are known to miss their goal. An entry has an operation without its
compiler, the held ratios and the reason, with tabs between them. There is one ratio (without a
peer, the number) for each compiler and unit that misses the goal, with "; " between: "gcc -O2
1.74; ns gcc -O2 1.52" holds two rows. A row fails if it exceeds its ratio by HELD_SLACK (a time
by TIME_SLACK). Except for times, it also fails if it reaches its goal, until it is removed.

A reason names at least one measured count as "NUMBER [NAME]", for the first compiler and unit of
the entry. NAME is "ours" or "theirs" of this operation, another operation (for its ours), or
"OPERATION: theirs". All are instructions, bytes in an entry of bytes, and ns in an entry of ns
if the operation has no instructions. If NUMBER differs from the measured count by more than
COUNT_SLACK and by more than 0.5 (ns: by the factor SPREAD), the reason is stale and fails.

--write puts the measured numbers into MISSED after a change of the code. Each reason that
changes must then be read again."""
import re
import sys

SPREAD = 1.5
TIME_SLACK = 1.25  # a neighbour on the core slows some code more
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
        """Returns the ratio of the least values; without a peer, our least value."""
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


class Entry:
    """An entry of MISSED: its rows with the held ratios, and the reason."""

    def __init__(self, line):
        self.operation, held, self.reason = line.rstrip("\n").split("\t")
        self.held = {}
        for item in held.split("; "):
            words = item.split(" ")
            unit = words.pop(0) if words[0] in ("ns", "bytes") else "instructions"
            name = ", ".join([self.operation] + [" ".join(words[:-1])] * (len(words) > 1))
            assert (name, unit) not in self.held, f"{name}: held twice"
            self.held[name, unit] = float(words[-1])

    def line(self):
        items = []
        for (name, unit), held in self.held.items():
            compiler = name[len(self.operation) + 2:]
            items.append(" ".join([unit] * (unit != "instructions") + [compiler] * (compiler != "")
                                  + [f"{held:.2f}" if 1 <= held < 100 else f"{held:.3g}" if held < 1
                                     else f"{held:.0f}"]))
        return "\t".join((self.operation, "; ".join(items), self.reason)) + "\n"

    def first(self):
        return next(iter(self.held))


def read_missed(path):
    """Returns the comment at the head of MISSED, and its entries."""
    lines = open(path, encoding="utf-8").readlines()
    entries = [Entry(line) for line in lines if not line.startswith("#") and line.strip()]
    return [line for line in lines if line.startswith("#")], entries


def count_of(rows, operation, unit, name):
    """Returns the present count for NAME in a reason, and its unit, or None if unknown."""
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
    """Yields the faults of a row. `held` is its ratio in MISSED, or None."""
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


def judge(rows, entries, everything, times):
    held = {key: ratio for entry in entries for key, ratio in entry.held.items()}
    assert len(held) == sum(len(entry.held) for entry in entries), "a row is held twice"
    for key, row in rows.items():
        for said in judge_row(row, held.get(key)):
            yield row, said
    for key in held:
        if key not in rows and everything and (times or key[1] != "ns"):
            yield Row(*key[:1], "-", key[1], 0), "is in tests/gates/bench/missed and was not measured"
    for entry in entries:
        key = entry.first()
        if key in rows or (everything and key[1] == "ns"):
            for said in stale_counts(rows, *key, entry.reason, times):
                yield Row(*key[:1], "-", key[1], 0), said


def shown(number):
    return f"{number:.3f}".rstrip("0").rstrip(".")


def write_missed(rows, path):
    """Puts the measured numbers into each entry. A time keeps its held ratio."""
    def mended(key, match):
        count = count_of(rows, *key, match[2])
        if count is None:
            return match[0]
        now = count[0]
        return (f"{now:,.0f}" if now >= 100 else shown(round(now, 1))) + f" [{match[2]}]"

    head, entries = read_missed(path)
    for entry in entries:
        for key in entry.held:
            if key in rows and key[1] != "ns":
                entry.held[key] = rows[key].value()
        entry.reason = COUNT.sub(lambda m, k=entry.first(): mended(k, m), entry.reason)
    with open(path, "w", encoding="utf-8") as missed:
        missed.writelines(head + [entry.line() for entry in entries])


def main(rows_path, missed_path, tsv_path, *options):
    rows = read_rows(rows_path)
    if "--write" in options:
        write_missed(rows, missed_path)
    wrong = list(judge(rows, read_missed(missed_path)[1], "--all" in options,
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

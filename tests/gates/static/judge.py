# SPDX-License-Identifier: BSD-2-Clause
"""judge.py OUT TABLE TOOL...: compares findings of static.sh's tools with the table of
deviations. A finding needs a row, and a row needs a finding."""
import collections
import pathlib
import re
import sys

FINDING = {
    "gcc": r"(?P<file>\S+) (?P<check>-[a-zA-Z]\S+)$",
    "clang-tidy": r"(?P<file>\S+?):\d+:\d+: (?:warning|error): .*\[(?P<check>[^]]+)\]$",
    "cppcheck": r"(?P<file>\S+?):\d+: .*\[(?P<check>[^]]+)\]$",
    "misra": r"\[(?P<file>\S+?):\d+\] .*\[misra-c2012-(?P<check>[\d.]+)\]$"
             r"|unchecked: (?P<rule>[\d.]+)$",
}


def findings(out, tools):
    """Returns (tool, check, header) -> its lines."""
    found = collections.defaultdict(list)
    for tool in tools:
        pattern = FINDING[tool]
        for line in dict.fromkeys((out / tool).read_text().splitlines()):
            at = re.match(pattern, line)
            if not at:
                continue
            of = at.groupdict()
            header = re.sub(r"^(.*include/)?rocecc/|[^/]+/[.][.]/", "", of["file"] or "-")
            for check in (of["check"] or of["rule"] + " unchecked").split(","):
                found[tool, check, header].append(line)
    # Findings of a rule in which the addon breaks off vary.
    broken = {check.split()[0] for _, check, _ in found if check.endswith(" unchecked")}
    return {key: lines for key, lines in found.items() if key[1] not in broken}


def rows(table):
    """Yields number, tool, check and places of each row."""
    for line in table.read_text().splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].isdigit():
            if len(cells) != 5 or cells[1] not in FINDING or not cells[4]:
                sys.exit(f"static: no number, tool, check, where, reason: {line}")
            yield int(cells[0]), cells[1], cells[2], cells[3].split()


def main(out, table, *tools):
    found, bad, allowed = findings(out, tools), 0, collections.Counter()
    numbers, matched = [], set()
    for number, tool, check, where in rows(table):
        numbers.append(number)
        for place in where if tool in tools else ():
            hit = [k for k in found if k[:2] == (tool, check) and place in ("all", k[2])]
            if not hit:
                print(f"static: deviation {number} matches nothing: {tool} {check} {place}")
                bad += 1
            matched.update(hit)
            allowed[tool] += sum(len(found[k]) for k in hit)
    if numbers != list(range(1, len(numbers) + 1)):
        sys.exit("static: the deviations are not numbered 1, 2, 3 ...")
    for key in sorted(found.keys() - matched):
        bad += 1
        print("static: %s %s %s is no deviation:" % key)
        print("\n".join("    " + line for line in found[key][:2]))
    print("static: %d deviations allow %s findings" % (
        len(numbers), ", ".join(f"{allowed[t]} {t}" for t in tools)))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:])

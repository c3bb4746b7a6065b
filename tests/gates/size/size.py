# SPDX-License-Identifier: BSD-2-Clause
"""size.py OUT: compares bytes of code and constants, and the deepest stack, of each noun in
firmware with size.txt. More than 2 % off its row, in either direction, is red. In the
environment, SIZE=update writes the rows again, SIZE=wire/icrc.h measures only this header.

Each header is compiled alone, as it ships (static inline), with a table of its public functions
that keeps them. The compiler drops the rest."""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TARGETS = (
    ("cortex-m4", "arm-none-eabi-", "-mcpu=cortex-m4 -mthumb"),
    ("cortex-m0+", "arm-none-eabi-", "-mcpu=cortex-m0plus -mthumb"),
    ("rv32imac", "riscv64-unknown-elf-", "-march=rv32imac -mabi=ilp32"),
)
PACKAGES = {"arm-none-eabi-": "gcc-arm-none-eabi", "riscv64-unknown-elf-": "gcc-riscv64-unknown-elf"}
VERSION = "12.2"
# Identical functions, merged by icf, would have one frame and two names.
FLAGS = "-std=c99 -Os -ffreestanding -ffunction-sections -fno-ipa-icf"
PATHS = ("match_path", "qp_path", "cnp_path", "receive_path")
TABLE = "tests/gates/size/size.txt"
NUMBERS = ("own", "all", "const", "stack")
HEAD = """\
# Bytes of each noun on small machines, by make size; SIZE=update writes this file anew.
# gcc %s (Debian 12: gcc-arm-none-eabi, gcc-riscv64-unknown-elf), %s.
#   own      code of the functions of this header, with what is inlined into them
#   all      and of what they call: what a firmware has that uses all its public functions
#   const    tables and other constants that go with it
#   stack    the deepest chain of calls from a public function, frames added up, without
#            those of the helpers in the last column
#   helpers  what libgcc and libc are asked for: 64-bit division, multiplication and
#            shifts, memcpy
# A noun that several others need is in "all" of each. rocecc.h is the library;
# Of tests/gates/size: match_path asks whether a frame is a CNP, qp_path for the QP of one
# whose ICRC is right; cnp_path is a CNP with all its members, to the cut of DCQCN; and
# receive_path is RoCEv2, CNP and Fast CNP, where the hardware has checked the ICRC.
"""


class Unit:
    """An object: its code, and the frame and the calls of each function."""

    def __init__(self, target, source, obj):
        name, prefix, machine = target
        run(f"{prefix}gcc {machine} {FLAGS} -Iinclude -fcallgraph-info=su -c {source} -o {obj}")
        self.sections, self.frame, self.where, self.calls = {}, {}, {}, {}
        for line in run(f"{prefix}size -A {obj}").split("\n"):
            words = line.split()
            if line.startswith("."):
                self.sections[words[0]] = int(words[1])
        self.helpers = re.findall(r" U (\S+)", run(f"{prefix}nm {obj}"))
        if self.sum(r"\.s?(data|bss)"):
            sys.exit("size: %s: %s has a state that nobody passed in" % (name, source))
        self.read_graph(open(obj[:-2] + ".ci", encoding="utf-8").read())

    def sum(self, pattern):
        return sum(n for name, n in self.sections.items() if re.match(pattern, name))

    def read_graph(self, text):
        title = r'"(?:[^":]*:)?([^":]+)"'
        for f, label in re.findall(r"node: \{ title: " + title + ' label: "([^"]*)"', text):
            frame = re.search(r"\\n([^\\]*):\d+:\d+\\n(\d+) bytes \(([^)]*)\)", label)
            if frame:
                if frame[3] != "static":
                    sys.exit("size: %s: a frame of no fixed size" % f)
                self.where[f], self.frame[f] = frame[1], int(frame[2])
        for f, to in re.findall(r"edge: \{ sourcename: %s targetname: %s" % (title, title), text):
            if to == "__indirect_call":
                sys.exit("size: %s calls through a pointer: its stack has no bound" % f)
            if to.startswith("rocecc_") and to not in self.frame:
                sys.exit("size: %s calls %s, whose frame is not known" % (f, to))
            self.calls.setdefault(f, set()).add(to)

    def depth(self, f, above=()):
        if f in above:
            sys.exit("size: %s calls itself: its stack has no bound" % f)
        below = [self.depth(to, above + (f,)) for to in self.calls.get(f, ()) if to in self.frame]
        return self.frame[f] + max(below, default=0)

    def row(self, file, public):
        """Returns own, all, const, stack; the deepest public function and the helpers."""
        own = [f for f, where in self.where.items() if file in where]
        deepest = min(public, key=lambda f: (-self.depth(f), f))
        return ([sum(self.sections[".text." + f] for f in own), self.sum(r"\.text"),
                 self.sum(r"\.s?rodata"), self.depth(deepest)],
                deepest, ",".join(sorted(self.helpers)) or "-")


def run(command):
    done = subprocess.run(command.split(), capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def missing():
    for _, prefix, _ in TARGETS:
        try:
            version = run(prefix + "gcc -dumpversion").strip()
        except FileNotFoundError:
            return "no %s here" % PACKAGES[prefix]
        if not version.startswith(VERSION):
            return "the rows are of gcc %s, here is %s" % (VERSION, version)
    return None


def headers():
    text = open("include/rocecc/rocecc.h", encoding="utf-8").read()
    return re.findall(r'#include "(.*)"', text)


def public_functions(out):
    """Returns {header: functions without a final underscore}, as the compiler sees them."""
    with open(f"{out}/extern.c", "w", encoding="utf-8") as f:
        f.write('#include "rocecc/rocecc.h"\n')
    _, prefix, machine = TARGETS[0]
    run(f"{prefix}gcc {machine} -O0 -std=c99 -ffreestanding -DROCECC_FN=extern -Iinclude "
        f"-fcallgraph-info=su -c {out}/extern.c -o {out}/extern.o")
    found = {}
    for name, header in re.findall(r'label: "(rocecc_\w+)\\ninclude/rocecc/([^:"]+):',
                                   open(f"{out}/extern.ci", encoding="utf-8").read()):
        if not name.endswith("_"):
            found.setdefault(header, []).append(name)
    found["rocecc.h"] = sum(found.values(), [])
    return found


def measure(job):
    target, out, noun, public = job
    here = f"{out}/{target[0]}/{noun.replace('/', '-')}"
    if noun in PATHS:
        unit = Unit(target, f"tests/gates/size/{noun}.c", here + ".o")
        return unit.row("tests/gates/size/", [f for f in unit.where if "tests/gates/size/" in unit.where[f]])
    with open(here + ".c", "w", encoding="utf-8") as f:
        f.write('#include "rocecc/%s"\nextern void (*const keep[])(void);\n'
                '__attribute__((section("kept"))) void (*const keep[])(void) = {\n' % noun)
        f.write("".join("    (void (*)(void))%s,\n" % n for n in public) + "};\n")
    unit = Unit(target, here + ".c", here + ".o")
    return unit.row("include/rocecc/" if noun == "rocecc.h" else "include/rocecc/" + noun, public)


def only():
    wish = os.environ.get("SIZE", "")
    return wish if wish != "update" else ""


def show(now):
    print("%-26s" % "code B / stack B" + "".join("%22s" % t[0] for t in TARGETS))
    print("%-26s" % "" + "%8s %7s %5s" % ("own", "all", "stack") * len(TARGETS))
    for noun in now[TARGETS[0][0]]:
        print("%-26s" % noun + "".join(
            "%8d %7d %5d" % tuple(now[t[0]][noun][0][i] for i in (0, 1, 3)) for t in TARGETS))


def write(now):
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write(HEAD % (VERSION, FLAGS))
        for name, _, machine in TARGETS:
            f.write("\n# %s\n%-10s %-26s %6s %6s %6s %6s  %-40s %s\n" %
                    (machine, "#", "noun", *NUMBERS, "deepest", "helpers"))
            for noun, (numbers, deepest, helpers) in now[name].items():
                f.write("%-10s %-26s %6d %6d %6d %6d  %-40s %s\n" %
                        (name, noun, *numbers, deepest, helpers))


def judge(now):
    """Prints differences from size.txt, and returns whether there are none."""
    was = {}
    for line in open(TABLE, encoding="utf-8"):
        words = line.split()
        if words and words[0] != "#":
            was[words[0], words[1]] = [int(w) for w in words[2:6]], words[6], words[7]
    rows = {(t, noun): row for t in now for noun, row in now[t].items()}
    bad = 0
    gone = [] if only() else [k for k in was if k not in rows]
    for key in list(rows) + gone:
        name = "size: %s: %s" % key
        if key not in was or key not in rows:
            print(name, "has no row" if key in rows else "is measured no more")
            bad += 1
            continue
        for what, a, b in zip(NUMBERS, rows[key][0], was[key][0]):
            if 100 * abs(a - b) > 2 * b:
                print("%s: %s is %d, where size.txt has %d" % (name, what, a, b))
                bad += 1
        for what, a, b in zip(("deepest", "helpers"), rows[key][1:], was[key][1:]):
            if a != b:
                print("%s: %s: %s, where size.txt has %s" % (name, what, a, b))
                bad += 1
    if bad:
        print("size: %d figures are not what they were; if they should be so: make size SIZE=update" % bad)
    return not bad


def main():
    why = missing()
    if why:
        print("size: %s: skipped" % why)
        sys.exit(1 if os.environ.get("CI") else 0)
    out = sys.argv[1] + "/size"
    for t in TARGETS:
        os.makedirs(f"{out}/{t[0]}", exist_ok=True)
    public = public_functions(out)
    nouns = [h for h in headers() if h in public] + ["rocecc.h", *PATHS]
    if only():
        nouns = [n for n in nouns if n == only()] or sys.exit("size: no noun " + only())
    jobs = [(t, out, n, public.get(n)) for t in TARGETS for n in nouns]
    with ThreadPoolExecutor(2) as pool:
        now = {t[0]: {} for t in TARGETS}
        for (t, _, noun, _), row in zip(jobs, pool.map(measure, jobs)):
            now[t[0]][noun] = row
    show(now)
    if os.environ.get("SIZE") == "update":
        write(now)
    good = judge(now)
    print("size: %d public functions on %d machines" % (len(public["rocecc.h"]), len(TARGETS)))
    sys.exit(not good)


main()

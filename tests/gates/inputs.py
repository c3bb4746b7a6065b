# SPDX-License-Identifier: BSD-2-Clause
"""inputs.py GATE [PIECE [MAKE-ARGUMENT...]]: makes a gate, or one piece of it, in a copy of the
tree, and prints the files that it read without an entry in tests/gates/gates.py. Access times of
the copy show this, so its file system must keep them."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = ['tests/gates', 'tests', 'tests/lib']
import gates  # noqa: E402
import record  # noqa: E402

# Files that decide what runs.
ASIDE = ('tests/gates/gates.py', 'tests/lib/record.py', 'tests/lib/record.sh', 'tests/mutants/',
         'tests/record/', 'Makefile', 'tests/lib/__pycache__')


def listed(inputs):
    """Returns the files that a piece depends on."""
    out = set()
    for what in inputs:
        kind, _, rest = what.partition(':')
        if kind == 'of':
            out.add(rest.split(':')[1])
        elif kind not in ('run', 'text', 'rule', 'but'):
            out |= set(record.paths_of(what))
    return out


def main(gate, piece=None, *arguments):
    table = gates.GATES[gate]
    wanted = set().union(*(listed(table[p]) for p in ([piece] if piece else table)))
    with tempfile.TemporaryDirectory() as tree:
        names = subprocess.run(['git', 'ls-files'], capture_output=True, text=True,
                               check=True).stdout.split('\n')[:-1]
        for name in names:
            os.makedirs(os.path.dirname(f'{tree}/{name}'), exist_ok=True)
            shutil.copy(name, f'{tree}/{name}')
            os.utime(f'{tree}/{name}', (1, os.stat(f'{tree}/{name}').st_mtime))
        done = subprocess.run(['make', gate, *arguments], cwd=tree, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            sys.exit(f'{done.stdout[-2000:]}\ninputs: {gate} is red')
        read = {n for n in names if os.stat(f'{tree}/{n}').st_atime > 1}
    if not read:
        sys.exit('inputs: this file system keeps no access times')
    lacks = sorted(n for n in read - wanted if not n.startswith(ASIDE))
    for name in lacks:
        print(f'inputs: {gate} {piece or ""} reads {name}')
    print(f'inputs: {gate} {piece or ""}: {len(read)} files read, {len(lacks)} of them not '
          f'listed; {len(wanted)} listed, {len(wanted - read)} of them not read')
    sys.exit(bool(lacks))


main(*sys.argv[1:])

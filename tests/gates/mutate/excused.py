# SPDX-License-Identifier: BSD-2-Clause
"""Mutants that no test can find, by the lists of tests/gates/mcdc with a reason for each gap of
coverage. They are on a line that is never reached, or behind a condition that is never true. Or
they make that condition false, or leave out a condition that never decides alone. If a condition
has a call, the call's effects can show its mutants, so these are not excused. Excused mutants are
made and counted, but need not be found."""
import glob
import re

from header import bare

LISTS = 'tests/gates/mcdc/excused*'
KINDS = 'never true|line not reached|never decides alone'
GAP = re.compile(f'    (.*?): ({KINDS}): (.*?)(?: #([0-9]+))?$')


def entries():
    """Returns each gap: kind, place, text without spaces, its number among equal texts."""
    out = set()
    for path in glob.glob(LISTS):
        with open(path, encoding='utf-8') as f:
            for where, gap, text, k in filter(None, map(parts, f)):
                out.add((gap, where, ''.join(bare(text).split()), int(k or 1)))
    if not out:
        raise SystemExit(f'mutate: nothing stands in {LISTS}')
    return out


def parts(line):
    match = GAP.match(line)
    return match and match.groups()


def gap(mutant, header, listed):
    """Returns whether a list says that no test can find a mutant."""
    where = f'{header.short}:{mutant["function"]}'
    if mutant['calls'] is None:
        if mutant['kind'] in ('left', 'right'):
            return ('never decides alone', where, *mutant['condition']) in listed
        if mutant['kind'] == 'never' and ('never true', where, *mutant['condition']) in listed:
            return True
    if any(('never true', where, *c) in listed for c in mutant['under']):
        return True
    lines = [''.join(t.split()) for t in header.code[mutant['first_line'] - 1:mutant['line']]]
    return ('line not reached', where, lines[-1], lines.count(lines[-1])) in listed

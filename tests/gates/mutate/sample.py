# SPDX-License-Identifier: BSD-2-Clause
"""Chooses the mutants to judge.

MUTATE=HEADER[+HEADER...] in the environment: all of these headers, as role/echo.h, and each must
be found. HEADER:START names the mutants of a header with names that start so.
CHANGED=HEADER[+HEADER...], or FULL=1 for all headers: every mutant. Mutants of outputs must be
found, and all mutants count for the score. Otherwise, by the number in tests/record/round: about
SAMPLE of all, some of each header, for the score; and one in OUTPUTS of the outputs' mutants,
which must be found. OUTPUTS successive rounds take each of them once."""
import hashlib
import os
import sys
import zlib

from header import SRC
from outputs import KINDS

SAMPLE = 1000
OUTPUTS = 10
ROUND = 'tests/record/round'


def refuse(text):
    print(f'mutate: {text}')
    sys.exit(2)


def the_round():
    with open(ROUND, encoding='utf-8') as f:
        text = f.read().strip()
    return int(text) if text.isdigit() else refuse(f'{ROUND} is no number: {text}')


def by_header(names):
    out = {}
    for name in names:
        out.setdefault(name.split(':')[0], []).append(name)
    return out


def stratified(names, n, number):
    """Yields each header's share of n mutants, and at least one. The order of choice depends only
    on the number and on that header's mutants."""
    for mine in by_header(names).values():
        mine = sorted(mine, key=lambda m: hashlib.sha256(f'{number} {m}'.encode()).digest())
        yield from mine[:max(1, round(n * len(mine) / len(names)))]


def asked(names, parts):
    """Yields the mutants of some headers. A header without a function has none."""
    headers = by_header(names)
    for part in parts:
        header, colon, _ = part.partition(':')
        if not os.path.isfile(SRC + header):
            refuse(f'there is no header {header}')
        mine = [n for n in headers.get(header, []) if n.startswith(part)]
        if colon and not mine:
            refuse(f'no mutant is called {part}...')
        if not mine:
            print(f'mutate: {header} has no mutants')
        yield from mine


def chosen(mutants):
    """Returns {name: why}: 'sample' counts for the score, 'strict' must be found, or both."""
    names = [m['name'] for m in mutants]
    outputs = {m['name'] for m in mutants if m['kind'] in KINDS}
    if os.environ.get('MUTATE'):
        drawn = strict = set(asked(names, os.environ['MUTATE'].split('+')))
    elif os.environ.get('CHANGED'):
        drawn = set(asked(names, os.environ['CHANGED'].split('+')))
        strict = drawn & outputs
    elif os.environ.get('FULL'):
        drawn, strict = set(names), outputs
    else:
        number = the_round()
        drawn = set(stratified(names, SAMPLE, number))
        strict = {n for n in outputs if zlib.crc32(n.encode()) % OUTPUTS == number % OUTPUTS}
    return {n: '+'.join(['sample'] * (n in drawn) + ['strict'] * (n in strict))
            for n in drawn | strict}

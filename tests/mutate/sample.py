# SPDX-License-Identifier: BSD-2-Clause
"""Which of all mutants are judged.

MUTATE=PREFIX in the environment: those whose name begins so, as role/flow_control.h, and
each has to be found. FULL=1: all; those of outputs have to be found, the others count for
the score. Else, by the commit's hash or by SEED: SAMPLE of all, some of each header, for
the score; and one of OUTPUTS of the outputs' mutants, which have to be found.
"""
import os
import random
import subprocess
import zlib

from outputs import KINDS

SAMPLE = 1000
OUTPUTS = 10


def stratified(names, n, seed):
    """As many of each header as it has of all, and at least one."""
    pick = random.Random(seed)
    by = {}
    for name in names:
        by.setdefault(name.split(':')[0], []).append(name)
    left, out = len(names), []
    for header in sorted(by):
        k = max(1, round((n - len(out)) * len(by[header]) / left))
        left -= len(by[header])
        out += pick.sample(by[header], min(k, len(by[header])))
    return out


def chosen(mutants):
    """{name: why}: 'sample' counts for the score, 'strict' has to be found."""
    names = [m['name'] for m in mutants]
    if os.environ.get('MUTATE'):
        return {n: 'strict' for n in names if n.startswith(os.environ['MUTATE'])}
    if os.environ.get('FULL'):
        return {m['name']: 'strict' if m['kind'] in KINDS else 'sample' for m in mutants}
    git = subprocess.run(['git', 'rev-parse', 'HEAD'], capture_output=True, text=True,
                         check=False).stdout.strip()
    seed = os.environ.get('SEED') or git
    part = zlib.crc32(seed.encode()) % OUTPUTS
    out = {m['name']: 'strict' for m in mutants if m['kind'] in KINDS and
           zlib.crc32(m['name'].encode()) % OUTPUTS == part}
    return {**dict.fromkeys(stratified(names, SAMPLE, seed), 'sample'), **out}

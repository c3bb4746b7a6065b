# SPDX-License-Identifier: BSD-2-Clause
"""Runs the mutants that OUT/run holds, and compares what lives with `equivalent`.

judge.py OUT [TEST...]    MUTATE=PREFIX in the environment: those whose name begins so,
                          as role/flow_control.h; FULL=1: all; else a tenth, by the
                          commit's hash, without those that are listed as equivalent:
                          every test runs for each of them, which takes the longest.
                          With no tests but those with such a name
"""
import os
import subprocess
import sys
import zlib

LIST = 'tests/mutate/equivalent'


def listed():
    """{name: reason}: a reason's lines begin at the margin, its mutants do not."""
    out, reason, fresh = {}, '', False
    with open(LIST, encoding='utf-8') as f:
        for line in f:
            if line.startswith('#') or not line.strip():
                continue
            if line[0] != ' ':
                reason = line.strip() if fresh is False else f'{reason} {line.strip()}'
                fresh = True
                continue
            name = line.strip()
            if not reason or name in out:
                sys.exit(f'mutate: {LIST}: {name} is there twice, or without a reason')
            out[name] = reason
            fresh = False
    return out


def chosen(names, equivalent):
    if os.environ.get('MUTATE'):
        return [i for i, n in enumerate(names) if n.startswith(os.environ['MUTATE'])]
    if os.environ.get('FULL'):
        return list(range(len(names)))
    git = subprocess.run(['git', 'rev-parse', 'HEAD'], capture_output=True, text=True)
    part = zlib.crc32(git.stdout.encode()) % 10
    return [i for i, n in enumerate(names)
            if n not in equivalent and zlib.crc32(n.encode()) % 10 == part]


def main():
    out = sys.argv[1]
    with open(f'{out}/mutants.h', encoding='utf-8') as f:
        names = [line.split('"')[1] for line in f]
    equivalent = listed()
    bad = [f'{n} is in {LIST}, and no mutant' for n in equivalent if n not in names]
    numbers = chosen(names, equivalent)
    with open(f'{out}/chosen', 'w', encoding='utf-8') as f:
        f.writelines(f'{i}\n' for i in numbers)
    run = subprocess.Popen([f'{out}/run', f'{out}/chosen', *sys.argv[2:]], stdout=subprocess.PIPE,
                           text=True)
    count = {'killed': 0, 'survived': 0, 'unreached': 0}
    with open(f'{out}/result', 'w', encoding='utf-8', buffering=1) as result:
        for line in run.stdout:
            result.write(line)
            if line.split(' ')[0] not in count:
                sys.stdout.write(line)
                continue
            what, name, where, by = line.split()
            count[what] += 1
            if what == 'killed' and name in equivalent:
                bad.append(f'{name} is in {LIST}, and {by} finds it')
            elif what != 'killed' and name not in equivalent:
                bad.append(f'{what}: {name}, {where}')
    if run.wait() != 0 or not numbers or sum(count.values()) != len(numbers):
        sys.exit(f'mutate: {sum(count.values())} of {len(numbers)} mutants were judged')
    for line in sorted(bad):
        print(f'mutate: {line}')
    print(f'mutate: {len(numbers)} of {len(names)} mutants: {count["killed"]} killed, '
          f'{count["survived"]} survived, {count["unreached"]} unreached; '
          f'{len(equivalent)} are listed as equivalent')
    sys.exit(bool(bad))


main()

# SPDX-License-Identifier: BSD-2-Clause
"""Runs the mutants that OUT/run holds, and compares what lives with `equivalent`.

judge.py OUT [TEST...]    with no tests but those with such a name

sample.py says which mutants have to be found, unless they are listed: one that lives is
red. The others count for the score, whether or not they are listed as equivalent; only a
score below FLOOR is red, since each commit has another sample.
"""
import os
import subprocess
import sys

LIST = 'tests/mutate/equivalent'
FLOOR = 95.0  # per cent: of all mutants 97.0 are killed, of a sample by luck within 2 of that


def listed():
    """{name: mark}: a reason's lines begin at the margin, its mutants do not."""
    out, reason = {}, False
    with open(LIST, encoding='utf-8') as f:
        for line in f:
            if line.startswith('#') or not line.strip():
                continue
            if line[0] != ' ':
                reason = True
                continue
            words = line.split()
            if not reason or words[0] in out or len(words) != 2:
                sys.exit(f'mutate: {LIST}: {words[0]} is there twice, or without a reason '
                         'or a mark')
            out[words[0]] = words[1]
    return out


def table(path):
    with open(path, encoding='utf-8') as f:
        rows = [line.split() for line in f]
    return {r[0]: r[1] for r in rows}, {r[0]: r[3] for r in rows if r[3] != '-'}


def stale(equivalent, marks):
    for name, mark in equivalent.items():
        if name not in marks:
            yield f'{name} is in {LIST}, and no mutant'
        elif mark != marks[name]:
            yield f'{name} is in {LIST}, and its line has changed: {marks[name]} now'


def main():
    out = sys.argv[1]
    marks, why = table(f'{out}/mutants.tsv')
    with open(f'{out}/mutants.h', encoding='utf-8') as f:
        names = [line.split('"')[1] for line in f]
    equivalent = listed()
    bad = list(stale(equivalent, marks))
    # Every test runs for one that none can find, which takes the longest.
    full = os.environ.get('FULL') or os.environ.get('MUTATE')
    judged = [i for i, n in enumerate(names)
              if full or why[n] == 'sample' or n not in equivalent]
    with open(f'{out}/chosen', 'w', encoding='utf-8') as f:
        f.writelines(f'{i}\n' for i in judged)
    run = subprocess.Popen([f'{out}/run', f'{out}/chosen', *sys.argv[2:]], stdout=subprocess.PIPE,
                           text=True)
    count = {'killed': 0, 'survived': 0, 'unreached': 0}
    score, n_sample = 0, sum(why[names[i]] == 'sample' for i in judged)
    with open(f'{out}/result', 'w', encoding='utf-8', buffering=1) as result:
        for line in run.stdout:
            result.write(line)
            if line.split(' ')[0] not in count:
                sys.stdout.write(line)
                continue
            what, name, where, by = line.split()
            count[what] += 1
            sampled = why[name] == 'sample'
            score += sampled and what == 'killed'
            if what == 'killed' and name in equivalent:
                bad.append(f'{name} is in {LIST}, and {by} finds it')
            elif what != 'killed' and name not in equivalent:
                text = f'{what}: {name} {marks[name]}, {where}'
                if sampled:
                    print(f'mutate: {text}')
                else:
                    bad.append(text)
    if run.wait() != 0 or not judged or sum(count.values()) != len(judged):
        sys.exit(f'mutate: {sum(count.values())} of {len(judged)} mutants were judged')
    percent = 100 * score / n_sample if n_sample else 100
    if percent < FLOOR:
        bad.append(f'{score} of the {n_sample} sampled are killed, below {FLOOR} %')
    for line in sorted(bad):
        print(f'mutate: {line}')
    print(f'mutate: {len(judged)} of {len(marks)} mutants: {count["killed"]} killed, '
          f'{count["survived"]} survived, {count["unreached"]} unreached; '
          f'{len(equivalent)} are listed as equivalent')
    if n_sample:
        print(f'mutate: of the sample {score} of {n_sample} are killed: {percent:.1f} %')
    sys.exit(bool(bad))


main()

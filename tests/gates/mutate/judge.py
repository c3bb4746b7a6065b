# SPDX-License-Identifier: BSD-2-Clause
"""Runs the mutants in OUT/run, and compares the results with `equivalent`.

judge.py OUT [TEST...]    with only tests that have such a name

sample.py says which mutants must be found. If one of them lives, this is red, unless it is
listed in `equivalent`, or excused by coverage. Drawn mutants count for the score, which has two
figures. In both every drawn mutant counts, and one that lives is not killed, even if it is
listed or excused. By mutant, each mutant counts the same. By header, each header does, even if
it has few mutants. A figure below its floor is red, except with MUTATE or CHANGED. Changed
headers may be few and small, so there it is red if the mutants that live without a reason are
more than one plus a tenth of all.

OUT/headers.tsv has the results of each header's drawn mutants: killed, survived (a test reaches
the site) or unreached; and how many of the living are listed, excused, or neither."""
import os
import subprocess
import sys

LIST = 'tests/gates/mutate/equivalent'
# Per cent. The first round's draw has 96.5 and 97.4, plus or minus 0.6, and another round may
# differ as much.
FLOOR = {'mutant': 95.0, 'header': 95.0}
RESULTS = ('killed', 'survived', 'unreached')
REASONS = ('listed', 'excused', 'neither')


def listed():
    """Returns {name: mark}. A reason's lines begin at the margin, its mutants do not."""
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
    """Returns {name: (mark, why it is judged, whether coverage excuses it)}."""
    with open(path, encoding='utf-8') as f:
        rows = [line.split() for line in f]
    return {name: (mark, why, gap == 'excused') for name, mark, why, gap in rows}


def stale(equivalent, mutants):
    for name, mark in equivalent.items():
        if name not in mutants:
            yield f'{name} is in {LIST}, and no mutant'
        elif mark != mutants[name][0]:
            yield f'{name} is in {LIST}, and its line has changed: {mutants[name][0]} now'


class Score:
    """Results of the drawn mutants: numbers for each header."""

    def __init__(self):
        self.headers = {}

    def add(self, name, what, reason):
        count = self.headers.setdefault(name.split(':')[0],
                                        dict.fromkeys(RESULTS + REASONS, 0))
        count[what] += 1
        if what != 'killed':
            count[reason] += 1

    def sum(self, *kinds):
        return sum(count[k] for count in self.headers.values() for k in kinds)

    def shares(self):
        """Returns both figures, in per cent."""
        each = [count['killed'] / sum(count[k] for k in RESULTS)
                for count in self.headers.values()]
        return {'mutant': 100 * self.sum('killed') / self.sum(*RESULTS),
                'header': 100 * sum(each) / len(each)}

    def write(self, path):
        with open(path, 'w', encoding='utf-8') as f:
            f.write('\t'.join(('header', *RESULTS, *REASONS)) + '\n')
            for header, count in sorted(self.headers.items()):
                f.write('\t'.join((header, *map(str, count.values()))) + '\n')


def judged_of(names, mutants, equivalent):
    """Yields the mutants to judge. A listed or excused one takes the longest, because every
    test runs, so it is judged only for the score."""
    for i, name in enumerate(names):
        _, why, excused = mutants[name]
        if 'sample' in why or not (excused or name in equivalent):
            yield i


def main():
    out = sys.argv[1]
    mutants, equivalent = table(f'{out}/mutants.tsv'), listed()
    with open(f'{out}/mutants.h', encoding='utf-8') as f:
        names = [line.split('"')[1] for line in f]
    bad = list(stale(equivalent, mutants))
    judged = list(judged_of(names, mutants, equivalent))
    with open(f'{out}/chosen', 'w', encoding='utf-8') as f:
        f.writelines(f'{i}\n' for i in judged)
    run = subprocess.Popen([f'{out}/run', f'{out}/chosen', *sys.argv[2:]] if judged else 'true',
                           stdout=subprocess.PIPE, text=True)
    score, total = Score(), dict.fromkeys(RESULTS, 0)
    with open(f'{out}/result', 'w', encoding='utf-8', buffering=1) as result:
        for line in run.stdout:
            result.write(line)
            if line.split(' ')[0] not in RESULTS:
                sys.stdout.write(line)
                continue
            what, name, where, by = line.split()
            mark, why, excused = mutants[name]
            reason = 'listed' if name in equivalent else 'excused' if excused else 'neither'
            total[what] += 1
            if 'sample' in why:
                score.add(name, what, reason)
            if what == 'killed' and name in equivalent:
                bad.append(f'{name} is in {LIST}, and {by} finds it')
            elif what != 'killed' and reason == 'neither':
                text = f'{what}: {name} {mark}, {where}'
                if 'strict' in why:
                    bad.append(text)
                else:
                    print(f'mutate: {text}')
    if run.wait() != 0 or sum(total.values()) != len(judged):
        sys.exit(f'mutate: {sum(total.values())} of {len(judged)} mutants were judged')
    if judged:
        bad += report(score)
        score.write(f'{out}/headers.tsv')
    for line in sorted(bad):
        print(f'mutate: {line}')
    print(f'mutate: {len(judged)} of {len(mutants)} mutants: ' +
          ', '.join(f'{n} {what}' for what, n in total.items()) +
          f'; {len(equivalent)} are listed as equivalent, '
          f'{sum(m[2] for m in mutants.values())} excused by coverage')
    sys.exit(bool(bad))


def report(score):
    """Prints both figures, and yields errors."""
    share, alive = score.shares(), score.sum(*RESULTS) - score.sum('killed')
    print(f'mutate: by mutant {share["mutant"]:.1f} % are killed: {score.sum("killed")} of '
          f'{score.sum(*RESULTS)}, each of which counts the same')
    print(f'mutate: by header {share["header"]:.1f} % are killed: the mean of '
          f'{len(score.headers)} headers, each of which counts the same')
    print(f'mutate: in both nothing is excused: of {alive} that live, {score.sum("listed")} '
          f'are listed as equivalent, {score.sum("excused")} are excused by coverage, '
          f'{score.sum("neither")} are neither')
    if os.environ.get('CHANGED'):
        if score.sum('neither') > 1 + score.sum(*RESULTS) // 10:
            yield f'{score.sum("neither")} live and nothing excuses them: more than a tenth'
        return
    for by, floor in FLOOR.items():
        if share[by] < floor and not os.environ.get('MUTATE'):
            yield f'by {by} {share[by]:.1f} % are killed, below {floor} %'


main()

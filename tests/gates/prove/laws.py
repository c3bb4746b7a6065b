# SPDX-License-Identifier: BSD-2-Clause
"""laws.py NOUN CSV - compares the laws that Eva proved for every input with the list.

CSV is Frama-C's report about a harness. A LAW(x) is proved if Eva never enters the branch for
a false x, which is "Dead" in the report. For each noun, tests/gates/prove/tested has the numbers
of proved laws, of all laws and of proved assertions, and the text of each unproved law. An
unproved law is only tested, by vectors, fuzz drivers and in the kernel. The gate fails if the
section differs, for example because a law is no longer proved, or is now proved. PROVE=... with
TESTED=update rewrites the section.

laws.py total - prints the sums over all nouns.
"""
import collections
import csv
import os
import re
import sys

LIST = 'tests/gates/prove/tested'
HEAD = """\
# SPDX-License-Identifier: BSD-2-Clause
# What Frama-C's Eva proves of the laws (tests/law) and assertions (tests/gates/prove) of each
# harness, for every input: how many, of how many. Below it, the laws that it does not
# prove: they are tested, by vectors, fuzz drivers and in the kernel. Also how many bytes a
# packet may have, of any value, and which limits of the headers are lower than a host's, so
# that their loops end in time. Written by laws.py.
"""


def text_of(path, line):
    """Returns x of the LAW(x) that starts in `line`, as one line. For another macro with
    LAWs in it, returns its name and x."""
    with open(path, encoding='utf-8') as f:
        text = ''.join(f.readlines()[line - 1:line + 30])
    macro = re.search(r'\b(LAW\w*)\(', text)
    depth = 1
    for at in range(macro.end(), len(text)):
        depth += (text[at] == '(') - (text[at] == ')')
        if depth == 0:
            x = re.sub(r'/\*.*?\*/', ' ', text[macro.end():at], flags=re.S)
            return ' '.join(([] if macro[1] == 'LAW' else [macro[1]]) + x.split())
    raise ValueError(f'{path}:{line}: {macro[1]}( is not closed')


def section_of(path):
    """Returns the numbers of proved laws, of all laws and of proved assertions, and the unproved
    laws."""
    laws = collections.OrderedDict()
    assertions = 0
    with open(path, encoding='utf-8') as f:
        for row in csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE):
            kind, valid = row['property kind'], row['status'] == 'Valid'
            if kind == 'user assertion':
                assertions += valid
            where = (row['directory'], row['file'], int(row['line']), row['function'])
            if kind == 'precondition of law_asked' and valid:
                laws.setdefault(where, True)
            elif kind == 'precondition of law_unproved' and row['status'] != 'Dead':
                laws[where] = False
    tested = collections.Counter()
    for (folder, name, line, function), proved in sorted(laws.items()):
        if not proved:
            tested[f'{function}: {text_of(os.path.join(folder, name), line)}'] += 1
    lines = [f'    {what}' + (f' (x{n})' if n > 1 else '') for what, n in tested.items()]
    return sum(laws.values()), len(laws), assertions, lines


def limits_of(noun):
    """Returns the number of bytes of a harness, and the limits that it defines, as text."""
    with open(f'tests/gates/prove/{noun}.c', encoding='utf-8') as f:
        text = f.read()
    limits = re.findall(r'^#define (ROCECC_\w+ \d+)', text, re.M)
    size = re.search(r'^#define PROVE_BYTES (\d+)', text, re.M)
    if re.search(r'\b(PROVE|prove_reader|prove_writer)\(', text):
        limits.insert(0, f'{size[1] if size else 64} bytes')
    return ''.join('; ' + limit for limit in limits)


def read_list():
    sections = {}
    with open(LIST, encoding='utf-8') as f:
        for line in f.read().splitlines():
            if line and line[0] not in '# ':
                lines = sections[line.split(':')[0]] = [line]
            elif line.startswith('    '):
                lines.append(line)
    return sections


def write_list(sections):
    with open(LIST, 'w', encoding='utf-8') as f:
        f.write(HEAD)
        for noun in sorted(sections):
            f.write('\n' + '\n'.join(sections[noun]) + '\n')


def total():
    sums = [0, 0, 0]
    for lines in read_list().values():
        for k, n in enumerate(re.findall(r'\d+', lines[0].split(':', 1)[1])[:3]):
            sums[k] += int(n)
    proved, asked, assertions = sums
    print(f'prove: {proved} of {asked} laws and {assertions} assertions hold for every '
          f'input; the other {asked - proved} laws are tested ({LIST})')


def judge(noun, report):
    proved, asked, assertions, lines = section_of(report)
    now = [f'{noun}: {proved} of {asked} laws, {assertions} assertions'
           + limits_of(noun)] + lines
    sections = read_list()
    was = sections.get(noun, [])
    if now == was:
        return True
    if os.environ.get('TESTED') == 'update':
        sections[noun] = now
        write_list(sections)
        return True
    for line in was:
        if line not in now:
            print(f'prove: {LIST} has, of {noun}, and it is so no more: {line.strip()}')
    for line in now:
        if line not in was:
            print(f'prove: {LIST} lacks, of {noun}: {line.strip()}')
    return False


def main():
    if sys.argv[1] == 'total':
        return total()
    return 0 if judge(sys.argv[1], sys.argv[2]) else 1


if __name__ == '__main__':
    sys.exit(main())

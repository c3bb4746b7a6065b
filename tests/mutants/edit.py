# SPDX-License-Identifier: BSD-2-Clause
"""edit.py apply FILE.edit [TREE]   makes the change that a known defect describes
edit.py head FILE.edit           prints its gate, its make arguments, what it expects
edit.py keys FILE.edit           prints the pieces of the gate that must notice it

An .edit has a sentence about the defect, "gate:", "with:" (arguments for make), "expect:"
(a regular expression that the gate must print), and then for each change "file:", the old
text below "<<<<" and the new text below "====", up to ">>>>". The old text must occur
exactly once in the file. White space does not count, and neither do the comments of C, so
that an edit outlives a change of words.
"""
import os
import re
import sys

C_COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)


class Edit:
    def __init__(self, path):
        self.gate = self.make = self.expect = self.pieces = ''
        self.changes = []  # (file, old, new)
        file, old, new, part = '', None, None, 'head'
        with open(path, encoding='utf-8') as f:
            for line in f:
                if part == 'head' and line == '<<<<\n':
                    old, part = '', 'old'
                elif part == 'old' and line == '====\n':
                    new, part = '', 'new'
                elif part == 'new' and line == '>>>>\n':
                    self.changes.append((file, old.strip(), new.strip()))
                    part = 'head'
                elif part == 'old':
                    old += line
                elif part == 'new':
                    new += line
                elif line.startswith('file: '):
                    file = line[6:].strip()
                else:
                    self.head(line)
        if part != 'head' or not self.changes or not self.gate or not self.expect:
            raise SystemExit(f'{path}: not a whole edit')

    def head(self, line):
        word, _, rest = line.strip().partition(': ')
        if word == 'gate':
            self.gate = rest
        elif word == 'with':
            self.make = rest
        elif word == 'expect':
            self.expect = rest
        elif word == 'pieces':
            self.pieces = rest

    def files(self):
        return sorted({file for file, _, _ in self.changes})

    def pieces_of(self, gates):
        """The pieces of the gate that the arguments of make name, or all of them."""
        table = gates[self.gate]
        given = re.split(r'[ +]', self.pieces) if self.pieces else \
            [w for a in self.make.split() for w in re.split(r'[+:]', a.partition('=')[2])]
        named = [w for w in given if w in table]
        return named or list(table)

    def apply(self, tree='.'):
        for file, old, new in self.changes:
            path = os.path.join(tree, file)
            with open(path, encoding='utf-8') as f:
                text = f.read()
            start, end = place(text, old, file)
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text[:start] + new + text[end:])


def squeezed(text, is_c):
    """The text without white space and comments, and where each character stood."""
    if is_c:
        text = C_COMMENT.sub(lambda m: re.sub(r'[^\n]', ' ', m[0]), text)
    out, where, gap = [], [], False
    for i, c in enumerate(text):
        if c.isspace():
            gap = True
            continue
        if gap and out and re.match(r'\w', out[-1]) and re.match(r'\w', c):
            out.append(' ')
            where.append(i)
        gap = False
        out.append(c)
        where.append(i)
    return ''.join(out), where


def place(text, old, file):
    n = 0
    for is_c in ([True] if file.endswith(('.c', '.h', '.cc')) else []) + [False]:
        sought, (all_of, where) = squeezed(old, is_c)[0], squeezed(text, is_c)
        n = n or (all_of.count(sought) if sought else 0)
        if n:
            break
    if n != 1:
        raise SystemExit(f'{file} has the old text {n} times')
    at = all_of.index(sought)
    return where[at], where[at + len(sought) - 1] + 1


read = Edit

if __name__ == '__main__':
    sys.path[:0] = ['tests/gates', 'tests']
    edit = read(sys.argv[2])
    if sys.argv[1] == 'apply':
        edit.apply(*sys.argv[3:])
    elif sys.argv[1] == 'head':
        print(edit.gate, edit.make, edit.expect, sep='\n')
    else:
        import gates
        print('\n'.join(edit.pieces_of(gates.GATES)))

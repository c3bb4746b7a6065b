# SPDX-License-Identifier: BSD-2-Clause
"""A header to rewrite: its text, the sites in it, and the text with them."""
import bisect
import re
import zlib
from clang.cindex import CursorKind as C

SRC = 'include/rocecc/'


def naked(node):
    """Returns a node without the parentheses and conversions around it."""
    while node.kind in (C.UNEXPOSED_EXPR, C.PAREN_EXPR, C.CSTYLE_CAST_EXPR):
        inner = [c for c in node.get_children() if c.kind.is_expression()]
        if not inner:
            break
        node = inner[-1]
    return node


def local(node):
    """Returns the local variable if an expression is only its name, otherwise None."""
    node = naked(node)
    if node.kind == C.DECL_REF_EXPR and node.referenced is not None and \
            node.referenced.kind == C.VAR_DECL:
        return node.referenced
    return None


def bare(text):
    """Returns C without its comments, line for line."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'',
                  lambda m: '\n' * m[0].count('\n') if m[0][0] == '/' else m[0], text,
                  flags=re.S)


class Site:
    """A place that can go wrong, in one way or in several.

    mutants: the dicts from add(), with the numbers that the program needs. make(first, n): adds
    the edits for the n mutants in the program, numbered from first."""

    def __init__(self, mutants, make):
        self.mutants = mutants
        self.make = make


class Header:
    def __init__(self, path, names):
        self.path = path
        self.short = path[len(SRC):]
        with open(path, 'rb') as f:
            self.text = f.read()
        self.code = bare(self.text.decode()).splitlines()
        self.edits = []
        self.macros = []
        self.sites = []
        self.names = names

    def cut(self, start, end):
        return self.text[start:end].decode()

    def of(self, node):
        return node.extent.start.offset, node.extent.end.offset

    def name_of(self, start, end):
        return ''.join(bare(self.cut(start, end)).split())

    def macro_at(self, start):
        """Returns the range of the outermost macro that is expanded at a place, or None."""
        i = bisect.bisect_right(self.macros, (start, len(self.text))) - 1
        while i > 0 and self.macros[i - 1][1] > start:
            i -= 1
        return self.macros[i] if i >= 0 and self.macros[i][1] > start else None

    def in_macro(self, start, end=None):
        """Returns whether a range is made by a macro, or is one."""
        at = self.macro_at(start)
        return at is not None and (end is None or end <= at[1])

    def add(self, node, kinds, make):
        """Adds a site with its mutants: (kind, what, offset, the twin's offset, its size)."""
        if not kinds:
            return
        first, last = node.extent.start.line, node.extent.end.line
        words = ''.join(''.join(self.code[first - 1:last]).split())
        mark = f'{zlib.crc32(words.encode()) & 0xffff:04x}'
        mutants = []
        for kind, what, offset, *other in kinds:
            name = f'{self.short}:{self.function}:{kind}:{what}'
            k = self.names[name] = self.names.get(name, 0) + 1
            mutants.append({'name': f'{name}#{k}', 'kind': kind, 'path': self.path,
                            'line': node.location.line, 'mark': mark,
                            'function': self.function, 'first_line': self.first_line,
                            'condition': self.condition_of(node, kind), 'under': self.under,
                            'calls': re.search(r'\w\(', self.name_of(*self.of(node))),
                            'numbers': (offset if kind != 'kept' else -1,
                                        *(other or (0, 0)))})
        self.sites.append(Site(mutants, make))

    def condition_of(self, node, kind):
        """Returns the text that a mutant leaves out, and its number among equal texts."""
        if kind in ('left', 'right'):
            node = list(node.get_children())[kind == 'right']
        here = self.of(node)
        text = self.name_of(*here)
        among = self.joined if kind in ('left', 'right') else self.conditions
        return text, sum(a <= here[0] and self.name_of(a, b) == text for a, b in among)

    def edit(self, start, end, *parts):
        """Adds an edit. A part is text, or a range of the header, to be rewritten too."""
        self.edits.append((start, -end, len(self.edits), end, parts))

    # --- the rewritten text ---

    def render(self, start, end, after=-1):
        out, at = [], start
        for i in range(after + 1, len(self.edits)):
            a, _, _, b, parts = self.edits[i]
            if a < at or b > end or a > end:
                continue
            out.append(self.cut(at, a))
            for part in parts:
                out.append(part if isinstance(part, str) else self.render(*part, i))
            at = b
        out.append(self.cut(at, end))
        return ''.join(out)

    def rewritten(self):
        self.edits.sort(key=lambda e: e[:3])
        return self.render(0, len(self.text))

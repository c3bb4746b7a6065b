# SPDX-License-Identifier: BSD-2-Clause
"""Mutants of operators: a function's calculations and decisions.

    opO:E      the operator of E becomes O: < <= > >= == !=, + - * / %, & | ^ << >>,
               and && becomes ||, || becomes &&
    left:E     the left side of &&, || or | is left out; right:E the right one
    more:C     a constant is one more; less:C one less; not:C true for false
    enum:N     another enumerator of the same enum
    never:E    the statement after if (E) never runs, such as an early return;
               not:E a condition before ? or after ! is inverted
    drop:S     a call, or an assignment to a local variable, is left out
    offset:A   a load or store in network byte order is one byte later
    field:E    E reads the next member of the same type instead
"""
from clang.cindex import CursorKind as C, TypeKind as T

from header import naked
from outputs import Outputs, members

OTHER = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==',
         '+': '-', '-': '+', '*': '/', '/': '*', '%': '/',
         '&': '|', '|': '&', '^': '|', '<<': '>>', '>>': '<<'}
INTEGERS = (T.BOOL, T.CHAR_U, T.UCHAR, T.USHORT, T.UINT, T.ULONG, T.ULONGLONG, T.CHAR_S,
            T.SCHAR, T.SHORT, T.INT, T.LONG, T.LONGLONG, T.ENUM)


def integer(node):
    return node.type.get_canonical().kind in INTEGERS


def constant(node):
    """Returns whether no part of an expression can change while the program runs."""
    if node.kind in (C.CALL_EXPR, C.MEMBER_REF_EXPR):
        return False
    if node.kind == C.DECL_REF_EXPR and (node.referenced is None or
                                         node.referenced.kind != C.ENUM_CONSTANT_DECL):
        return False
    return all(constant(c) for c in node.get_children())


def capped(node):
    """Returns whether a loop's bound is a constant, for the BPF verifier, beside another one."""
    sides = list(node.get_children())
    return node.kind == C.BINARY_OPERATOR and constant(sides[1])


class Operators(Outputs):
    def what(self, node):
        return self.name_of(*self.of(node))[:60]

    def wrap(self, node, kind, before, after, what=None):
        """Adds a mutant that is text around an expression; {} in it is its number."""
        start, end = self.of(node)
        self.add(node, [(kind, what or self.what(node), 0)],
                 lambda first, n: self.edit(start, end, before.format(first), (start, end),
                                            after.format(first)))

    def binary(self, node, left, right, op):
        start, end = self.of(node)
        numbers = integer(left) and integer(right)
        if op not in OTHER or not (numbers or op in ('==', '!=')) or (start, end) in self.caps:
            return

        # If bits are joined from two sides, either may be left out.
        kinds = ['op' + OTHER[op], *(('left', 'right') if op == '|' else ())]

        def make(first, n):
            k, a, b = f'm_k{first}', f'm_a{first}', f'm_b{first}'
            self.edit(start, end, f'({{ const unsigned {k} = mutate_which({first}, {n}); '
                      f'const __auto_type {a} = (', self.of(left),
                      f'); const __auto_type {b} = (', self.of(right),
                      f'); {k} == 0 ? {a} {OTHER[op]} {b} : {k} == 1 ? {b} : '
                      f'{k} == 2 ? {a} : {a} {op} {b}; }})')

        self.add(node, [(kind, self.what(node), i) for i, kind in enumerate(kinds)], make)

    def logical(self, node, left, right, op):
        start, end = self.of(node)
        swapped, both = ('||', 1) if op == '&&' else ('&&', 0)
        kinds = [('op' + swapped, 0), ('left', 1), ('right', 2)]
        if (start, end) in self.loops and op == '&&' and capped(left):
            kinds.remove(('left', 1))
            self.caps.add(self.of(left))

        def make(first, n):
            k, a = f'm_k{first}', f'm_a{first}'
            self.edit(start, end, f'({{ const unsigned {k} = mutate_which({first}, {n}); '
                      f'const _Bool {a} = (', self.of(left),
                      f'); {k} == 2 ? {a} : {k} == 1 || ({a} ^ ({k} == 0)) == {both} ? (_Bool)(',
                      self.of(right), f') : {a}; }})')

        self.add(node, [(kind, self.what(node), i) for kind, i in kinds], make)

    def number(self, node):
        """Handles a constant, written as a number or as a macro."""
        start, end = self.of(node)
        text = self.cut(start, end)
        if text in ('true', 'false'):
            return self.wrap(node, 'not', '(mutate_on_at({}) ^ ', ')')
        if text == 'NULL' or not integer(node):
            return None
        kinds = [('more', self.what(node), 0)]
        if any(a <= start and end <= b for a, b in self.caps):
            kinds = []  # one more round changes nothing, as the other bound ends the loop
        if text.rstrip('uUlL') != '0':
            kinds.append(('less', self.what(node), 1))
        return self.add(node, kinds, lambda first, n: self.edit(
            start, end, f'({text} + mutate_one({first}, {n}))'))

    def enumerator(self, node):
        names = [c.spelling for c in node.referenced.semantic_parent.get_children()]
        i = names.index(node.spelling)
        if len(names) > 1 and self.cut(*self.of(node)) == node.spelling:
            other = names[i + 1] if i + 1 < len(names) else names[i - 1]
            self.wrap(node, 'enum', f'(mutate_on_at({{}}) ? {other} : ', ')')

    def statement(self, node):
        """Handles an expression that is a whole statement."""
        if self.in_macro(*self.of(node)):
            return
        assigns = node.kind in (C.BINARY_OPERATOR, C.COMPOUND_ASSIGNMENT_OPERATOR) and \
            naked(next(node.get_children())).kind == C.DECL_REF_EXPR
        if node.kind == C.CALL_EXPR or assigns:
            self.wrap(node, 'drop', '(mutate_on_at({}) ? (void)0 : (void)(', '))')

    def added(self, value, op):
        """Handles the right side of += and -=."""
        start, end = self.of(value)
        self.add(value, [('op-=' if op == '+=' else 'op+=', self.what(value), 0)],
                 lambda first, _: self.edit(
                     start, end, f'({{ const __auto_type m_v{first} = (', (start, end),
                     f'); mutate_on_at({first}) ? -m_v{first} : m_v{first}; }})'))

    def other_field(self, node):
        """Handles the read of a member without a twin."""
        start, end = self.of(node)
        base = [c for c in node.get_children() if c.kind.is_expression()]
        if not base or not integer(node) or self.in_macro(start):
            return
        of = base[0].type.get_canonical()
        of = of.get_pointee().get_canonical() if of.kind == T.POINTER else of
        if of.get_declaration().kind == C.UNION_DECL:
            return
        same = [f.spelling for f in members(of) if f.spelling and
                f.type.get_canonical().spelling == node.type.get_canonical().spelling
                .replace('const ', '')]
        if node.spelling not in same or len(same) < 2:
            return
        other = same[(same.index(node.spelling) + 1) % len(same)]
        stem = self.cut(start, end)[:-len(node.spelling)]
        self.wrap(node, 'field', f'(mutate_on_at({{}}) ? {stem}{other} : ', ')')

    def loaded(self, where):
        if not self.in_macro(*self.of(where)):
            self.wrap(where, 'offset', '((', ') + mutate_on_at({}))')

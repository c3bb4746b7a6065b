# SPDX-License-Identifier: BSD-2-Clause
"""Mutants of outputs: a function's output is wrong in one member.

    flip:M    the lowest bit of the value assigned to M changes (of a struct: of each
              of its members, in turn)
    kept:M    the assignment to M is left out
    init:M    the same bit of a struct that is initialised as an output
    return:M  the same bit of a public function's result
    store:A   the same bit of a value stored at A in network byte order
    swap:E    E reads the member's twin instead: src for dst, inner for outer
    twin:M    a struct is assigned, and its member M has its twin's value
"""
import re
from clang.cindex import CursorKind as C, TypeKind as T

from header import Header, local, naked

KINDS = ('flip', 'kept', 'init', 'return', 'store', 'swap', 'twin')
TWINS = (('src', 'dst'), ('inner', 'outer'), ('in', 'out'), ('ingress', 'egress'),
         ('rx', 'tx'), ('inner', 'packet'), ('min', 'max'))
CURSORS = ('rocecc_reader', 'rocecc_writer')


def twin(name):
    """Yields names that a member could be mistaken for: dst_port for src_port."""
    words = name.split('_')
    for pair in TWINS:
        for one, other in (pair, pair[::-1]):
            if one in words:
                yield '_'.join(other if w == one else w for w in words)


def leaves(of, prefix='', at=0):
    """Yields name and offset of each scalar of a type; of an array, the first and last element."""
    of = of.get_canonical()
    if of.kind == T.RECORD:
        if of.spelling.split()[-1] in CURSORS:
            yield prefix + '.at', at + of.get_offset('at') // 8
            return
        for field in of.get_fields():
            name = f'{prefix}.{field.spelling}' if field.spelling else prefix
            yield from leaves(field.type, name, at + field.get_field_offsetof() // 8)
            if of.get_declaration().kind == C.UNION_DECL:
                return
    elif of.kind == T.CONSTANTARRAY:
        ends = sorted({0, of.element_count - 1})
        for i in ends:
            yield from leaves(of.element_type, f'{prefix}[{i}]',
                              at + i * of.element_type.get_size())
    else:
        yield prefix, at


def twins(of, prefix='', at=0):
    """Yields each member of a type with its twin: its name, its offset, the twin's offset, and
    their size."""
    of = of.get_canonical()
    if of.kind != T.RECORD:
        return
    fields = {f.spelling: f for f in of.get_fields()}
    for name, field in fields.items():
        here = at + field.get_field_offsetof() // 8
        for other in twin(name):
            if other in fields and other > name and \
                    fields[other].type.spelling == field.type.spelling:
                yield (f'{prefix}.{name}', here,
                       at + fields[other].get_field_offsetof() // 8, field.type.get_size())
        yield from twins(field.type, f'{prefix}.{name}', here)


def members(of):
    """Returns the members of a struct, or of a pointer's target."""
    record = of.get_canonical()
    if record.kind == T.POINTER:
        record = record.get_pointee().get_canonical()
    return list(record.get_fields())


class Outputs(Header):
    def set_again(self, start, name):
        """Returns whether a later statement of the function always sets a member before it is
        handed out."""
        root = re.match(r'\w*', name).group()
        own = root and not name.startswith(root + '->')
        for at, target in self.set_later:
            if at > start and any((name + c).startswith(target + c) for c in '.['):
                return not any(start < r < at and (not own or root in text)
                               for r, text in self.returns)
        return False

    def assigned(self, node, target, op, value):
        start, end = self.of(node)
        a, b = self.of(target)
        if self.in_macro(start):
            return
        name = self.name_of(a, b)
        fields = list(leaves(target.type))
        pairs = list(twins(target.type))
        if value is not None and local(value) is not None and \
                target.type.get_canonical().kind == T.RECORD:
            fields = fields[:1]  # the others are set where the local variable is
            pairs = []
        lvalue = self.cut(a, b)
        # Reads the old value by its name, because one element beyond an array may be pointed to,
        # but its name traps. The name is not used if it would call or count something twice.
        old = '*m_p' if re.search(r'\+\+|--|\w\(', lvalue) else lvalue
        head = f'({{ __typeof__({lvalue}) *m_p = &({lvalue}), m_old = {old}; '

        def make(first, n):
            tail = f'; mutate_at({first}, {n}, m_p, &m_old, sizeof m_old); '
            if value is not None:
                self.edit(start, end, f'{head}*m_p {op} ', self.of(value), f'{tail}*m_p; }})')
            elif op.startswith('post'):
                self.edit(start, end, f'{head}(*m_p){op[4:]}{tail}m_old; }})')
            else:
                self.edit(start, end, f'{head}{op}*m_p{tail}*m_p; }})')

        self.add(node, [('flip', name + what, offset) for what, offset in fields
                        if not self.set_again(start, name + what)] +
                 [('twin', name + what, *where) for what, *where in pairs] +
                 [('kept', name, 0)], make)

    def returned(self, node, value, of):
        start, end = self.of(value)
        if self.in_macro(start) and not self.cut(start, end).isidentifier():
            return
        kind = of.get_canonical().kind
        if kind in (T.POINTER, T.VOID):
            return
        if kind == T.RECORD and (local(value) is not None or
                                 naked(value).kind == C.CALL_EXPR):
            return  # its members are set elsewhere, and mutated there
        name = self.name_of(start, end)
        self.add(node, [('return', name[:60] + what, offset) for what, offset in leaves(of)],
                 lambda first, n: self.edit(
                     start, end, f'({{ {of.spelling} m_r = ', (start, end),
                     f'; mutate_at({first}, {n}, &m_r, &m_r, sizeof m_r); m_r; }})'))

    def initialised(self, statement, var):
        start, end = self.of(statement)
        if self.in_macro(start):
            return

        def make(first, n):
            if self.cut(start, start + 6) == 'const ':
                self.edit(start, start + 6, '')
            self.edit(end, end, f' mutate_at({first}, {n}, &{var.spelling}, '
                      f'&{var.spelling}, sizeof {var.spelling});')

        self.add(var, [('init', var.spelling + what, offset)
                       for what, offset in leaves(var.type)
                       if not self.set_again(start, var.spelling + what)], make)

    def stored(self, node, where, value):
        start, end = self.of(value)
        if self.in_macro(self.of(node)[0]):
            return
        self.add(node, [('store', self.name_of(*self.of(where)), 0)],
                 lambda first, n: self.edit(
                     start, end, f'(({value.type.spelling})mutate_on_at({first}) ^ (',
                     (start, end), '))'))

    def read(self, node):
        """Mutates the read of a member to its twin. Returns False without a twin."""
        start, end = self.of(node)
        base = [c for c in node.get_children() if c.kind.is_expression()]
        if not base or self.in_macro(start):
            return True
        types = {f.spelling: f.type.get_canonical().spelling for f in members(base[0].type)}
        mine = node.spelling
        text = self.cut(start, end)
        stem = text[:-len(mine)]
        for other in twin(mine):
            if other not in types or types[other] != types.get(mine):
                continue
            self.add(node, [('swap', ''.join(text.split()), 0)],
                     lambda first, n: self.edit(
                         start, end,
                         f'(*(mutate_on_at({first}) ? &({stem}{other}) : &({text})))'))
            return True
        return False

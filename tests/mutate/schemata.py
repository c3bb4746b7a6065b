# SPDX-License-Identifier: BSD-2-Clause
"""Rewrites a copy of include/rocecc so that one program holds every mutant of it.

schemata.py DIR   DIR/include/rocecc: the headers; DIR/mutants.h: what each mutant is

A site is where a function gives something to its caller. The mutants at it:
    flip:M    the lowest bit of what was assigned to M changes (of a struct: of each
              of its members, in turn)
    kept:M    the assignment to M is left out
    init:M    the same bit of a struct that is initialised in order to be handed out
    return:M  the same bit of what a public function returns
    store:A   the same bit of what is stored at A in network byte order
    swap:E    E reads the member's twin instead: src for dst, inner for outer
    twin:M    a struct is assigned, and its member M has its twin's value

A name, HEADER:FUNCTION:KIND:WHAT#K, has no line in it, so that it outlives edits
elsewhere; K counts what would have the same name.
"""
import os
import re
import sys
import clang.cindex
from clang.cindex import CursorKind as C, TypeKind as T

SRC = 'include/rocecc/'
ARGS = ['-std=gnu99', '-Iinclude', '-I/usr/lib/llvm-14/lib/clang/14.0.6/include']
TWINS = (('src', 'dst'), ('inner', 'outer'), ('in', 'out'), ('ingress', 'egress'),
         ('rx', 'tx'), ('inner', 'packet'), ('min', 'max'))
CURSORS = ('rocecc_reader', 'rocecc_writer')


def twin(name):
    """What a member could be mistaken for: dst_port for src_port."""
    words = name.split('_')
    for pair in TWINS:
        for one, other in (pair, pair[::-1]):
            if one in words:
                yield '_'.join(other if w == one else w for w in words)


def leaves(of, prefix='', at=0):
    """Each scalar of a type, an array by its ends: what it is called, and its offset."""
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
    """Each member that a type has with its twin: what it is called, the offset of the
    one, of the other, and their size."""
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


def naked(node):
    """Without the parentheses and conversions around it."""
    while node.kind in (C.UNEXPOSED_EXPR, C.PAREN_EXPR, C.CSTYLE_CAST_EXPR):
        inner = [c for c in node.get_children() if c.kind.is_expression()]
        if not inner:
            break
        node = inner[-1]
    return node


def local(node):
    """The local variable that an expression names, and nothing more."""
    node = naked(node)
    if node.kind == C.DECL_REF_EXPR and node.referenced is not None and \
            node.referenced.kind == C.VAR_DECL:
        return node.referenced
    return None


class Header:
    """One header: its text, its sites, and the text that has them all."""

    def __init__(self, path, mutants, names):
        self.path = path
        self.short = path[len(SRC):]
        with open(path, 'rb') as f:
            self.text = f.read()
        self.edits = []
        self.macros = []
        self.mutants = mutants
        self.names = names

    def cut(self, start, end):
        return self.text[start:end].decode()

    def of(self, node):
        return node.extent.start.offset, node.extent.end.offset

    def name_of(self, start, end):
        return ''.join(self.cut(start, end).split())

    def in_macro(self, start):
        return any(a <= start < b for a, b in self.macros)

    def add(self, node, kinds):
        """Numbers the mutants of a site: (kind, what, offset, of the twin, its size)."""
        first = len(self.mutants)
        for kind, what, offset, *other in kinds:
            name = f'{self.short}:{self.function}:{kind}:{what}'
            k = self.names[name] = self.names.get(name, 0) + 1
            self.mutants.append((f'{name}#{k}', self.path, node.location.line,
                                 offset if kind != 'kept' else -1, first,
                                 *(other or (0, 0))))
        return first, len(self.mutants) - first

    def edit(self, start, end, *parts):
        """A part is text, or a range of the header, to be rewritten in its turn."""
        self.edits.append((start, -end, len(self.edits), end, parts))

    def set_again(self, start, name):
        """Whether a later statement of the function sets a member in any case: what is
        not handed out before does not matter."""
        root = re.match(r'\w*', name).group()
        own = root and not name.startswith(root + '->')
        for at, target in self.set_later:
            if at > start and any((name + c).startswith(target + c) for c in '.['):
                return not any(start < r < at and (not own or root in text)
                               for r, text in self.returns)
        return False

    # --- the kinds of site ---

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
        first, n = self.add(node, [('flip', name + what, offset)
                                   for what, offset in fields
                                   if not self.set_again(start, name + what)] +
                            [('twin', name + what, *where) for what, *where in pairs] +
                            [('kept', name, 0)])
        lvalue = self.cut(a, b)
        head = f'({{ __typeof__({lvalue}) *m_p = &({lvalue}), m_old = *m_p; '
        tail = f'; mutate_at({first}, {n}, m_p, &m_old, sizeof m_old); '
        if value is not None:
            self.edit(start, end, head + f'*m_p {op} ', self.of(value), tail + '*m_p; })')
        elif op.startswith('post'):
            self.edit(start, end, head + f'(*m_p){op[4:]}' + tail + 'm_old; })')
        else:
            self.edit(start, end, head + f'{op}*m_p' + tail + '*m_p; })')

    def returned(self, node, value, of):
        start, end = self.of(value)
        if self.in_macro(start) and not self.cut(start, end).isidentifier():
            return
        kind = of.get_canonical().kind
        if kind in (T.POINTER, T.VOID):
            return
        fields = list(leaves(of))
        if kind == T.RECORD and (local(value) is not None or
                                 naked(value).kind == C.CALL_EXPR):
            return  # its members are set elsewhere, and mutated there
        name = self.name_of(start, end)
        first, n = self.add(node, [('return', name[:60] + what, offset)
                                   for what, offset in fields])
        self.edit(start, end, f'({{ {of.spelling} m_r = ', (start, end),
                  f'; mutate_at({first}, {n}, &m_r, &m_r, sizeof m_r); m_r; }})')

    def initialised(self, statement, var):
        start, end = self.of(statement)
        fields = [('init', var.spelling + what, offset)
                  for what, offset in leaves(var.type)
                  if not self.set_again(start, var.spelling + what)]
        if not fields or self.in_macro(start):
            return
        first, n = self.add(var, fields)
        if self.cut(start, start + 6) == 'const ':
            self.edit(start, start + 6, '')
        self.edit(end, end, f' mutate_at({first}, {n}, &{var.spelling}, '
                  f'&{var.spelling}, sizeof {var.spelling});')

    def stored(self, node, where, value):
        start, end = self.of(value)
        if self.in_macro(self.of(node)[0]):
            return
        first, _ = self.add(node, [('store', self.name_of(*self.of(where)), 0)])
        self.edit(start, end, f'(({value.type.spelling})mutate_on_at({first}) ^ (',
                  (start, end), '))')

    def read(self, node):
        start, end = self.of(node)
        base = [c for c in node.get_children() if c.kind.is_expression()]
        if not base or self.in_macro(start):
            return
        record = base[0].type.get_canonical()
        if record.kind == T.POINTER:
            record = record.get_pointee().get_canonical()
        types = {f.spelling: f.type.get_canonical().spelling for f in record.get_fields()}
        mine = node.spelling
        for other in twin(mine):
            if other not in types or types[other] != types.get(mine):
                continue
            text = self.cut(start, end)
            stem = text[:-len(mine)]
            first, _ = self.add(node, [('swap', ''.join(text.split()), 0)])
            self.edit(start, end,
                      f'(*(mutate_on_at({first}) ? &({stem}{other}) : &({text})))')
            return

    # --- the walk ---

    def visit(self, node):
        children = list(node.get_children())
        if node.kind in (C.BINARY_OPERATOR, C.COMPOUND_ASSIGNMENT_OPERATOR):
            left, right = children
            op = self.cut(self.of(left)[1], self.of(right)[0]).strip()
            if node.kind == C.COMPOUND_ASSIGNMENT_OPERATOR or op == '=':
                if local(left) is None and naked(left).kind != C.DECL_REF_EXPR:
                    self.assigned(node, left, op, right)
                return self.visit(right)
        elif node.kind == C.UNARY_OPERATOR:
            text = self.cut(*self.of(node))
            op = text[:2] if text[:2] in ('++', '--') else 'post' + text[-2:]
            if op[-2:] in ('++', '--'):
                if naked(children[0]).kind != C.DECL_REF_EXPR:
                    self.assigned(node, children[0], op, None)
                return
        elif node.kind == C.RETURN_STMT and children:
            if not self.function.endswith('_'):
                self.returned(node, children[0], self.result)
        elif node.kind == C.CALL_EXPR and node.spelling.startswith('rocecc_store') and \
                node.spelling[12:].isdigit():
            args = list(node.get_arguments())
            self.stored(node, args[0], args[1])
            return self.visit(args[1])
        elif node.kind == C.MEMBER_REF_EXPR:
            self.read(node)
            return
        elif node.kind == C.DECL_STMT:
            for var in children:
                if var.kind == C.VAR_DECL and var.spelling in self.outputs and \
                        var.storage_class.name != 'STATIC' and \
                        any(c.kind == C.INIT_LIST_EXPR for c in var.get_children()):
                    self.initialised(node, var)
            if any(v.storage_class.name == 'STATIC' for v in children):
                return
        elif node.kind == C.ARRAY_SUBSCRIPT_EXPR and len(children) == 2:
            return
        for child in children:
            self.visit(child)

    def gather(self, node):
        """Locals that are handed out, and what of them is always set afterwards."""
        children = list(node.get_children())
        if node.kind == C.RETURN_STMT:
            self.returns.append((self.of(node)[0],
                                 re.findall(r'\w+', self.cut(*self.of(node)))))
        if node.kind == C.RETURN_STMT and children and local(children[0]) is not None:
            self.outputs.add(local(children[0]).spelling)
        elif node.kind == C.BINARY_OPERATOR:
            left, right = children
            if self.cut(self.of(left)[1], self.of(right)[0]).strip() == '=':
                if local(right) is not None and local(left) is None:
                    self.outputs.add(local(right).spelling)
        elif node.kind == C.CALL_EXPR and node.referenced is not None:
            types = list(node.referenced.type.argument_types())
            for arg, of in zip(node.get_arguments(), types):
                arg = naked(arg)
                if of.kind != T.POINTER or arg.kind != C.UNARY_OPERATOR:
                    continue
                inner = local(list(arg.get_children())[0])
                if inner is not None and of.get_pointee().is_const_qualified():
                    self.outputs.add(inner.spelling)
                elif inner is not None:
                    self.filled.add(inner.spelling)
        for child in children:
            self.gather(child)

    def define(self, function):
        body = [c for c in function.get_children() if c.kind == C.COMPOUND_STMT]
        if not body:
            return
        self.function = function.spelling
        self.result = function.result_type
        self.outputs = set()
        self.returns = []
        self.filled = set()  # by another function: what it starts with is not handed out
        self.gather(body[0])
        self.outputs -= self.filled
        self.set_later = []
        for s in body[0].get_children():
            while s.kind == C.BINARY_OPERATOR:  # a = b = c sets both
                left, s = s.get_children()
                a, b = self.of(left)
                self.set_later.append((a, self.name_of(a, b)))
        self.visit(body[0])

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


def write(path, text):
    """Only what changed, so that make builds no more than it must."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding='utf-8') as f:
            if f.read() == text:
                return
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def main():
    out = sys.argv[1]
    unit = clang.cindex.Index.create().parse(
        'all.c', ARGS, [('all.c', '#include "rocecc/rocecc.h"\n')],
        options=clang.cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    for d in unit.diagnostics:
        sys.exit(f'schemata: {d}')
    mutants, names, headers = [], {}, {}
    for folder, _, files in sorted(os.walk(SRC)):
        for name in sorted(f for f in files if f.endswith('.h')):
            path = os.path.join(folder, name)
            headers[path] = Header(path, mutants, names)
    functions = []
    for node in unit.cursor.get_children():
        where = node.location.file
        if where is None:
            continue
        header = headers.get(os.path.normpath(where.name))
        if header is None:
            continue
        if node.kind == C.MACRO_INSTANTIATION:
            header.macros.append(header.of(node))
        elif node.kind == C.FUNCTION_DECL and node.is_definition():
            functions.append((header, node))
    for header, node in functions:
        header.define(node)
    for path, header in headers.items():
        write(os.path.join(out, 'include', path[len('include/'):]), header.rewritten())
    rows = ''.join(f'    {{"{m[0]}", "{m[1]}", {", ".join(map(str, m[2:]))}}},\n'
                   for m in mutants)
    write(os.path.join(out, 'mutants.h'), rows)
    print(f'mutate: {len(mutants)} mutants at {len({m[4] for m in mutants})} sites')


main()

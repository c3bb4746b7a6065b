# SPDX-License-Identifier: BSD-2-Clause
"""Rewrites a copy of include/rocecc so that one program holds its mutants.

schemata.py DIR   DIR/include/rocecc: the headers; DIR/mutants.h: each mutant;
                  DIR/mutants.tsv: for judge.py. sample.py chooses mutants, and
                  excused.py marks mutants that no test can find, by coverage.

A site is a place that can go wrong in the ways of outputs.py and operators.py. A mutant's name,
HEADER:FUNCTION:KIND:WHAT#K, has no line in it, so it outlives edits elsewhere. K counts equal
names. Beside it is a mark, a hash of the lines that hold the site, so an edit there changes the
mark. Comments and white space are in neither.

Arguments of function-like macros are left alone, and so are expressions that C wants constant.
"""
import os
import re
import sys
import clang.cindex
from clang.cindex import CursorKind as C, TypeKind as T

import excused
import sample
from header import SRC, local, naked
from operators import Operators, constant, integer

ARGS = ['-std=gnu99', '-Iinclude', '-I/usr/lib/llvm-14/lib/clang/14.0.6/include']
STATEMENTS = (C.COMPOUND_STMT, C.IF_STMT, C.FOR_STMT, C.WHILE_STMT, C.DO_STMT, C.CASE_STMT,
              C.DEFAULT_STMT, C.SWITCH_STMT)
LEFT_ALONE = (C.CXX_UNARY_EXPR, C.STATIC_ASSERT, C.ASM_STMT, C.MEMBER_REF, C.TYPE_REF)


class Walk(Operators):
    """Walks through functions, and makes the mutants for each node."""

    def operator(self, node, left, right):
        op = self.name_of(self.of(left)[1], self.of(right)[0])
        if node.kind == C.COMPOUND_ASSIGNMENT_OPERATOR or op == '=':
            if local(left) is None and naked(left).kind != C.DECL_REF_EXPR:
                self.assigned(node, left, op, right)
            if op in ('+=', '-=') and integer(left):
                self.added(right, op)
            return self.visit(right)
        if op in ('&&', '||'):
            self.logical(node, left, right, op)
        else:
            self.binary(node, left, right, op)
        self.visit(left)
        return self.visit(right)

    def step(self, node, inner):
        """Handles an operator with one operand. & and ++ need the operand unchanged."""
        text = self.cut(*self.of(node))
        op = text[:2] if text[:2] in ('++', '--') else 'post' + text[-2:]
        if op[-2:] in ('++', '--'):
            if naked(inner).kind != C.DECL_REF_EXPR:
                self.assigned(node, inner, op, None)
            return
        if text[0] == '!':
            self.wrap(node, 'not', '(mutate_on_at({}) ^ ', ')')
        if text[0] == '&' and inner.kind == C.MEMBER_REF_EXPR:
            self.read(inner)
        else:
            self.visit(inner)

    def call(self, node):
        name, args = node.spelling, list(node.get_arguments())
        if re.fullmatch(r'rocecc_(load|store)\d+', name):
            self.loaded(args[0])
            if name.startswith('rocecc_store'):
                self.stored(node, args[0], args[1])
        for arg in args:
            self.visit(arg)

    def declared(self, node, variables):
        if any(v.storage_class.name == 'STATIC' for v in variables):
            return
        for var in variables:
            inner = [c for c in var.get_children() if c.kind.is_expression()]
            if var.kind != C.VAR_DECL or not inner or \
                    '=' not in self.cut(self.of(var)[0], self.of(inner[-1])[0]):
                continue
            if var.spelling in self.outputs and \
                    any(c.kind == C.INIT_LIST_EXPR for c in inner):
                self.initialised(node, var)
            self.visit(inner[-1])

    def member(self, node):
        if not self.read(node):
            self.other_field(node)

    def visit(self, node):
        children = list(node.get_children())
        start, end = self.of(node)
        if node.kind in LEFT_ALONE:
            return
        if node.kind.is_expression() and self.in_macro(start, end):
            if self.macro_at(start) == (start, end) and constant(node):
                self.number(node)
            return
        if node.kind in (C.INTEGER_LITERAL, C.CHARACTER_LITERAL):
            self.number(node)
        elif node.kind == C.DECL_REF_EXPR:
            if node.referenced is not None and node.referenced.kind == C.ENUM_CONSTANT_DECL:
                self.enumerator(node)
        elif node.kind in (C.BINARY_OPERATOR, C.COMPOUND_ASSIGNMENT_OPERATOR):
            self.operator(node, *children)
        elif node.kind == C.UNARY_OPERATOR:
            self.step(node, children[0])
        elif node.kind == C.CALL_EXPR:
            self.call(node)
        elif node.kind == C.MEMBER_REF_EXPR:
            self.member(node)
        elif node.kind == C.DECL_STMT:
            self.declared(node, children)
        elif node.kind == C.ARRAY_SUBSCRIPT_EXPR:
            self.visit(children[1])
        elif node.kind == C.INIT_LIST_EXPR:
            for child in children:  # outputs.py mutates cleared members
                if self.name_of(*self.of(child)) not in ('0', 'false', 'NULL'):
                    self.visit(child)
        else:
            self.descend(node, children)

    def descend(self, node, children):
        if node.kind == C.RETURN_STMT and children and not self.function.endswith('_'):
            self.returned(node, children[0], self.result)
        if node.kind == C.IF_STMT:
            self.wrap(children[0], 'never', '(!mutate_on_at({}) && (', '))')
        if node.kind == C.CONDITIONAL_OPERATOR and \
                not self.in_macro(*self.of(children[0])):
            self.wrap(children[0], 'not', '(mutate_on_at({}) ^ !!(', '))')
        if node.kind == C.CASE_STMT:
            children = children[1:]
        if node.kind == C.FOR_STMT:
            self.loops = self.loops | {self.of(c) for c in children[:-1]}
        for i, child in enumerate(children):
            whole = node.kind in (C.COMPOUND_STMT, C.CASE_STMT, C.DEFAULT_STMT) or \
                node.kind in STATEMENTS and i > 0 and child is children[-1]
            if whole or node.kind == C.IF_STMT and i > 0:
                self.statement(child)
            under = self.under
            if node.kind == C.IF_STMT and i == 1:
                self.under = (*under, self.condition_of(children[0], 'never'))
            self.visit(child)
            self.under = under

    def gather(self, node):
        """Collects locals that are handed out, locals that a call fills, and return statements."""
        children = list(node.get_children())
        if node.kind == C.RETURN_STMT:
            self.returns.append((self.of(node)[0],
                                 re.findall(r'\w+', self.cut(*self.of(node)))))
        if node.kind == C.RETURN_STMT and children and local(children[0]) is not None:
            self.outputs.add(local(children[0]).spelling)
        elif node.kind == C.BINARY_OPERATOR:
            left, right = children
            if self.name_of(self.of(left)[1], self.of(right)[0]) == '=':
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

    def decides(self, node, joined=False):
        """Collects the ranges of a decision's conditions, joined by && and ||."""
        inner, children = naked(node), list(naked(node).get_children())
        if inner.kind == C.UNARY_OPERATOR and self.cut(*self.of(inner))[0] == '!' and \
                self.is_joined(naked(children[0])):
            self.decides(children[0], joined)
        elif self.is_joined(inner):
            for child in children:
                self.decides(child, True)
        else:
            self.conditions.add(self.of(node))
            if joined:
                self.joined.add(self.of(node))

    def is_joined(self, node):
        if node.kind != C.BINARY_OPERATOR:
            return False
        left, right = node.get_children()
        return self.name_of(self.of(left)[1], self.of(right)[0]) in ('&&', '||')

    def decisions(self, node):
        children = list(node.get_children())
        if node.kind in (C.IF_STMT, C.CONDITIONAL_OPERATOR, C.WHILE_STMT):
            self.decides(children[0])
        if node.kind == C.FOR_STMT and len(children) > 2:
            self.decides(children[-3])
        if self.is_joined(node):
            self.decides(node)
        for child in children:
            self.decisions(child)

    def define(self, function):
        body = [c for c in function.get_children() if c.kind == C.COMPOUND_STMT]
        if not body:
            return
        self.function = function.spelling
        self.first_line = function.extent.start.line
        self.loops = set()  # ranges of their heads
        self.conditions = set()  # ranges
        self.joined = set()  # ranges of conditions beside others
        self.under = ()  # the conditions that hold here
        self.decisions(body[0])
        self.caps = set()  # ranges of loop bounds beside another bound
        self.result = function.result_type
        self.outputs = set()
        self.returns = []
        self.filled = set()  # by another function, so the start value is not handed out
        self.gather(body[0])
        self.outputs -= self.filled
        self.set_later = []
        for s in body[0].get_children():
            while s.kind == C.BINARY_OPERATOR:  # a = b = c sets both
                left, s = s.get_children()
                a, b = self.of(left)
                self.set_later.append((a, self.name_of(a, b)))
        self.visit(body[0])


def write(path, text):
    """Writes a file only if its text changes, so that make builds no more than it must."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding='utf-8') as f:
            if f.read() == text:
                return
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def walked():
    """Returns every header, with all its sites."""
    unit = clang.cindex.Index.create().parse(
        'all.c', ARGS, [('all.c', '#include "rocecc/rocecc.h"\n')],
        options=clang.cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    for d in unit.diagnostics:
        sys.exit(f'schemata: {d}')
    names, headers, functions = {}, {}, []
    for folder, _, files in sorted(os.walk(SRC)):
        for name in sorted(f for f in files if f.endswith('.h')):
            path = os.path.join(folder, name)
            headers[path] = Walk(path, names)
    for node in unit.cursor.get_children():
        where = node.location.file
        header = headers.get(os.path.normpath(where.name)) if where is not None else None
        if header is None:
            continue
        if node.kind == C.MACRO_INSTANTIATION:
            header.macros.append(header.of(node))
        elif node.kind == C.FUNCTION_DECL and node.is_definition():
            functions.append((header, node))
    for header in headers.values():
        header.macros.sort()
    for header, node in functions:
        header.define(node)
    return headers


def main():
    out = sys.argv[1]
    headers = walked()
    sites = [(h, s) for h in headers.values() for s in h.sites]
    listed = excused.entries()
    every = [m for _, s in sites for m in s.mutants]
    for header, site in sites:
        for m in site.mutants:
            m['excused'] = excused.gap(m, header, listed)
    chosen = sample.chosen(every)
    held = []
    for header, site in sites:
        mine = [m for m in site.mutants if m['name'] in chosen]
        if mine:
            site.make(len(held), len(mine))
            for m in mine:
                m['first'] = len(held)
            held += mine
    for path, header in headers.items():
        write(os.path.join(out, 'include', path[len('include/'):]), header.rewritten())
    write(os.path.join(out, 'mutants.h'), ''.join(
        f'    {{"{m["name"]}", "{m["path"]}", {m["line"]}, {m["numbers"][0]}, {m["first"]}, '
        f'{m["numbers"][1]}, {m["numbers"][2]}}},\n' for m in held))
    write(os.path.join(out, 'mutants.tsv'), ''.join(
        f'{m["name"]}\t{m["mark"]}\t{chosen.get(m["name"], "-")}\t'
        f'{"excused" if m["excused"] else "-"}\n' for m in every))
    print(f'mutate: {len(every)} mutants, {len(held)} of them in this program')


main()

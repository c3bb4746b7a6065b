# SPDX-License-Identifier: BSD-2-Clause
"""record.py - prints and notes the pieces of gates that have passed as they are now.

record.py due GATE [PIECE...]     prints the pieces that must run
record.py passed GATE PIECE [WORD...]
                                  notes in build/record that the piece passed, or with
                                  "-" each piece that standard input lists
record.py kept GATE PIECE         prints the words that the last pass noted, one per line
record.py gates GATE...           prints the gates with a piece that must run
record.py keys GATE [PIECE...]    prints each piece with its key
record.py news                    prints what `make record` would copy
record.py copy                    copies it to tests/record

tests/gates/gates.py lists the pieces of each gate and the inputs of each piece. A key is a hash
of these inputs. With ONLY_DUE in the environment, a piece that passed with its present key
need not run. Without ONLY_DUE every piece must run, so that a user can run a gate by name.
Only `copy` writes to tests/record.

An input has one of these forms. PATH may be a folder or have wildcards, and must match a
file unless a question mark is before it.
    PATH           each file, without comments
    raw:PATH       each file as it is
    +PATH          C sources, with everything that they include
    link:PATH      the same, with the C file beside each included header of tests and examples
    named:PATH:GLOB  each file that matches GLOB, if a string of `link:PATH` has its name
    of:WORD:PATH   the entries of a list with WORD among their first three words
    rule:TARGET    a rule of the Makefile, with the variables and rules that it uses
    run:COMMAND    the output of a command, such as a version
    text:WORDS     the words
    but:FOLDER     all other inputs of the piece, without the files of the folder that are
                   neither raw: nor own:
    own:PATH       each file, without comments, even in a folder of but:
"""
import functools
import glob
import hashlib
import os
import re
import subprocess
import sys

sys.path[:0] = ['tests/gates', 'tests']

NOTED, TRACKED = 'build/record', 'tests/record'
# If the user sets one of these on the command line of make, or one of EFFORT also in the
# environment, a piece does other work, and its pass is not noted.
EFFORT = {'FUZZ_RUNS', 'FUZZ_PLAIN', 'TEST_SCALE', 'SEEDS', 'NAMES', 'TARGETS', 'BUILD'}
CHANGES = EFFORT | {'CC', 'CFLAGS', 'FLAGS', 'WARN', 'SAN', 'TEST_O', 'LINK', 'LIBRARY_O',
                    'PYTHON'}


# --- a file without its comments ---

C_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
# Comments that tools read, such as annotations of Frama-C and options of a gate.
READ = re.compile(r'/\*@|//@|\b(prove|wp|fuzz|bpf)-[a-z]+: |\bbench: ')


def bare_c(text):
    return C_TOKEN.sub(lambda m: ' ' if m[0][0] == '/' and not READ.search(m[0]) else m[0],
                       text)


def bare_script(text):
    """Returns a script without comment lines, but with all here-documents."""
    out, ends = [], []
    for line in text.splitlines():
        if ends:
            if line.strip('\t') == ends[0]:
                ends.pop(0)
        elif re.match(r'\s*#( |!|$)', line):
            continue
        else:
            ends = re.findall(r'(?<!<)<<-?\s*[\'"]?(\w+)[\'"]?', line)
        out.append(line)
    return '\n'.join(out)


def bare_page(text):
    """Returns only the code blocks and tables of a page, because programs read them."""
    out, block = [], False
    for line in text.splitlines():
        if line.startswith('```'):
            block = not block
        if block or line.startswith(('|', '```')):
            out.append(line)
    return '\n'.join(out)


def bare_python(text):
    """Returns the code without comments, and without docstrings if no __doc__ is in it."""
    import ast
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, 'body', None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and \
                isinstance(getattr(body[0], 'value', None), ast.Constant) and \
                isinstance(body[0].value.value, str) and '__doc__' not in text:
            body[0] = ast.Pass()
    return ast.dump(tree)


def kind_of(path):
    name = os.path.basename(path)
    if name.endswith(('.c', '.h', '.cc', '.def', '.ld', '.sv')):
        return bare_c
    if name.endswith('.py'):
        return bare_python
    if name.endswith('.md'):
        return bare_page
    if name.endswith(('.sh', '.mk')) or name in ('Makefile', 'run', 'init'):
        return bare_script
    return None


@functools.lru_cache(None)
def read(path):
    with open(path, 'rb') as f:
        return f.read()


@functools.lru_cache(None)
def bare(path):
    kind = kind_of(path)
    if kind is None:
        return read(path)
    text = kind(read(path).decode())
    return '\n'.join(filter(None, map(str.rstrip, text.splitlines()))).encode()


# --- the content of an input ---

@functools.lru_cache(None)
def files(pattern):
    """Returns the files that match a pattern, with all files of a folder."""
    optional = pattern.startswith('?')
    out = []
    for path in glob.glob(pattern.lstrip('?')):
        if os.path.isdir(path):
            out += [os.path.join(d, f) for d, _, names in os.walk(path) for f in names]
        else:
            out.append(path)
    out = [p for p in out if '__pycache__' not in p]
    if not out and not optional:
        raise SystemExit(f'record: no file matches {pattern}')
    return tuple(sorted(out))


INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)
FOLDERS = ('include', 'tests', 'examples/cclab', 'examples/softroce', 'tests/gates/bench')


@functools.lru_cache(None)
def includes(path):
    """Returns the files of this tree that a file includes under any condition."""
    out = set()
    for name in INCLUDE.findall(read(path)):
        name = name.decode()
        if name == 'readme_block.h':
            out |= {'README.md', 'include/rocecc/README.md'}
        for folder in (os.path.dirname(path), *FOLDERS):
            found = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(found):
                out.add(found)
                break
    return out


@functools.lru_cache(None)
def closure(path, linked=False):
    """Returns a source and its includes, and if linked the sources of these headers."""
    out, todo = set(), [path]
    while todo:
        path = todo.pop()
        if path in out:
            continue
        out.add(path)
        todo += includes(path)
        if linked and path.endswith('.h') and not path.startswith('include/'):
            todo += glob.glob(path[:-2] + '.c') + glob.glob(path[:-2] + '_*.c')
        if linked and path.startswith('examples/cctrace/'):
            todo += [p for p in glob.glob('examples/cctrace/*.c') if 'main.c' not in p]
    return frozenset(out)


def named(source, pattern):
    words = set()
    for path in closure(source, True):
        if not path.startswith('include/'):
            for string in re.findall(rb'"((?:\\.|[^"\\\n])*)"', read(path)):
                words.update(re.findall(r'[\w-]+', string.decode(errors='replace')))
    stem = os.path.basename(pattern).split('*')
    return [p for p in files(pattern)
            if os.path.basename(p)[len(stem[0]):-len(stem[1])] in words]


def entries(word, path):
    """Returns the lines of a list with the word among their first three words, and the
    indented lines below them."""
    out, inside = [], False
    for line in read(path).decode().splitlines():
        if not line.startswith((' ', '#')):
            inside = word in re.split(r'[\s:]+', line)[:3]
        if inside:
            out.append(line)
    return '\n'.join(out)


@functools.lru_cache(None)
def makefile():
    """Returns the variables and rules of the Makefile, as texts by name."""
    variables, rules, name = {}, {}, None
    text = bare('Makefile').decode().replace('\\\n', ' ')
    for line in text.splitlines():
        assigned = re.match(r'(?:override )?([\w.]+)\s*[:?+]?=', line)
        rule = re.match(r'([^\s:#=][^:=]*):(?!=)', line)
        if line.startswith('\t') and name:
            rules[name] += '\n' + line
        elif assigned:
            variables[assigned[1]] = variables.get(assigned[1], '') + '\n' + line
            name = None
        elif rule and not line.startswith(('.PHONY', 'if', 'endif', 'else', '-include')):
            name = rule[1].strip()
            rules[name] = rules.get(name, '') + '\n' + line
    return variables, rules


@functools.lru_cache(None)
def rule(target):
    variables, rules = makefile()
    if target not in rules:
        raise SystemExit(f'record: the Makefile has no rule {target}')
    used, size = {('rule', target)}, 0
    text = ''
    while len(used) > size:
        size = len(used)
        text = '\n'.join(sorted((rules if k == 'rule' else variables)[n] for k, n in used))
        used.update(('variable', n) for n in re.findall(r'\$\(?(?:call )?(\w+)', text)
                    if n in variables)
        used.update(('rule', n) for n in rules
                    if n.startswith('$(OUT)/') and n.split('%')[0] in text)
    return text


@functools.lru_cache(None)
def said(command):
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, check=False)
    return done.stdout


def paths_of(what):
    """Returns the files of an input."""
    kind, _, rest = what.partition(':')
    if what[0] != '+' and kind not in ('link', 'named'):
        return files(rest if kind in ('raw', 'own') else what)
    source, _, pattern = (what[1:] if what[0] == '+' else rest).partition(':')
    if pattern:
        return named(source, pattern)
    return frozenset().union(*(closure(s, kind == 'link') for s in files(source)))


def hashed(what, but):
    kind, _, rest = what.partition(':')
    out = hashlib.sha256()
    if kind == 'run':
        out.update(said(rest).encode())
    elif kind == 'text':
        out.update(rest.encode())
    elif kind == 'rule':
        out.update(rule(rest).encode())
    elif kind == 'of':
        word, path = rest.split(':')
        out.update(entries(word, path).encode())
    else:
        for path in sorted(p for p in paths_of(what)
                           if kind in ('raw', 'own') or not but or not p.startswith(but)):
            out.update(path.encode() + b'\0')
            out.update(hashlib.sha256((read if kind == 'raw' else bare)(path)).digest())
    return out.digest()


hashed = functools.lru_cache(None)(hashed)


def key(inputs):
    but = tuple(i[4:] for i in inputs if i.startswith('but:'))
    return hashlib.sha256(b''.join(hashed(i, but) for i in inputs if i[:4] != 'but:')
                          ).hexdigest()[:24]


# --- the records ---

def pieces(gate):
    import gates
    if gate not in gates.GATES:
        raise SystemExit(f'record: tests/gates/gates.py has no gate {gate}')
    return gates.GATES[gate]


def keys(gate, names=()):
    table = pieces(gate)
    unknown = [n for n in names if n not in table]
    if unknown:
        print(f'{gate}: unknown piece: {" ".join(unknown)}', file=sys.stderr)
        raise SystemExit(2)
    return {n: key(table[n]) for n in names or table}


def lines(path):
    """Returns {piece: (key, words)} from the last line of each piece."""
    out = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as f:
            for line in f:
                piece, its_key, *words = line.split()
                out[piece] = (its_key, words)
    return out


def noted(gate, piece, its_key):
    """Returns the words of the pass with this key, or None."""
    for folder in (NOTED, TRACKED):
        was = lines(f'{folder}/{gate}').get(piece)
        if was and was[0] == its_key:
            return was[1]
    return None


def is_due(gate, piece, its_key):
    return not os.environ.get('ONLY_DUE') or noted(gate, piece, its_key) is None


def due(gate, *names):
    now = keys(gate, names)
    os.makedirs(NOTED, exist_ok=True)
    was = {p: k for p, (k, _) in lines(f'{NOTED}/{gate}.keys').items()}
    with open(f'{NOTED}/{gate}.keys', 'w', encoding='utf-8') as f:
        f.writelines(f'{p} {k}\n' for p, k in {**was, **now}.items())
    for piece, its_key in now.items():
        if is_due(gate, piece, its_key):
            print(piece)


def passed(gate, piece, *words):
    if piece == '-':
        for line in sys.stdin.read().split():
            passed(gate, line)
        return
    overridden = set(re.findall(r'(?:^|\s)(\w+)=', os.environ.get('MAKEFLAGS', '')))
    if overridden & CHANGES or any(os.environ.get(name) for name in EFFORT):
        return
    its_key = lines(f'{NOTED}/{gate}.keys')[piece][0]
    line = ' '.join((piece, its_key, *words)) + '\n'
    with open(f'{NOTED}/{gate}', 'a', encoding='utf-8') as f:  # one write, as others add lines
        f.write(line)


def kept(gate, piece):
    for word in noted(gate, piece, keys(gate, [piece])[piece]) or ():
        print(word)


def due_gates(*names):
    for gate in names:
        if any(is_due(gate, p, k) for p, k in keys(gate).items()):
            print(gate)


def print_keys(gate, *names):
    for piece, its_key in keys(gate, names).items():
        print(piece, its_key)


def merged(gate):
    """Returns the passes of a gate with the present keys, for tests/record."""
    out = {}
    for piece, its_key in keys(gate).items():
        words = noted(gate, piece, its_key)
        if words is not None:
            out[piece] = (its_key, words)
    return dict(sorted(out.items()))


def all_gates():
    import gates
    return sorted(gates.GATES)


def news():
    n = 0
    for gate in all_gates():
        was, now = lines(f'{TRACKED}/{gate}'), merged(gate)
        changed = [p for p in now if now[p] != was.get(p)]
        n += len(changed)
        if changed:
            print(f'record: {gate}: {len(changed)} pieces passed that are not on record: '
                  f'{" ".join(changed[:8])}{" ..." if len(changed) > 8 else ""}')
    print(f'record: {n} passes to copy: make record' if n else 'record: up to date')


def copy():
    news()
    for gate in all_gates():
        table, path = merged(gate), f'{TRACKED}/{gate}'
        if table:
            with open(path, 'w', encoding='utf-8') as f:
                f.writelines(' '.join((p, k, *w)) + '\n' for p, (k, w) in table.items())
        elif os.path.exists(path):
            os.remove(path)
    copy_minutes()


def copy_minutes():
    """Copies the minutes of each gate's last full run (FULL=1), one row per gate."""
    rows = {}
    for path in (f'{TRACKED}/minutes', f'{NOTED}/minutes'):
        if os.path.exists(path):
            with open(path, encoding='utf-8') as f:
                rows.update((row.split()[0], row) for row in f)
    if rows:
        with open(f'{TRACKED}/minutes', 'w', encoding='utf-8') as f:
            f.writelines(rows[gate] for gate in sorted(rows))


VERBS = {'due': due, 'passed': passed, 'kept': kept, 'gates': due_gates, 'keys': print_keys,
         'news': news, 'copy': copy}

if __name__ == '__main__':
    VERBS[sys.argv[1]](*sys.argv[2:])

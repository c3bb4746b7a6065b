# SPDX-License-Identifier: BSD-2-Clause
"""The inputs of each gate's verdict: GATES[gate][piece] is a list of inputs, as
tests/lib/record.py reads them. A gate without narrower inputs here depends on the whole tree.
CLOCKED lists the gates in which something waits for a clock. If one of them is red, it runs once
more, alone, before its verdict counts.

If an input is missing here, a broken tree can pass. So tests/mutants has a defect for each kind of
input, and gates-are-live fails if a defect leaves its gate's keys unchanged."""
import glob
import os

from mutants import edit

CLOCKED = ['drop-ins', 'hosts', 'live', 'live-rxe', 'live-softroce', 'peers', 'softroce-test', 'tools-test']


def names(*patterns, but=()):
    """Returns the stems of the files that match, without files that match `but`."""
    def stems(patterns):
        return {os.path.splitext(os.path.basename(p))[0] for q in patterns for p in glob.glob(q)}
    return sorted(stems(patterns) - stems(but))


def each(stems, *inputs, prefix=''):
    """Returns a piece for each stem. The stem replaces % in the inputs, except in make rules."""
    return {prefix + s: filled(inputs, s) for s in stems}


def filled(inputs, stem):
    return [i if i.startswith('rule:') else i.replace('%', stem) for i in inputs]


def whole(*inputs):
    return {'all': list(inputs)}


LIBRARY = ['include', 'run:gcc --version']
# Inputs of a test in tests/NAME.c, which runs in a program with others.
TEST = ['link:tests/%.c', '+tests/lib/test.c', '+tests/lib/domain.c', '+tests/lib/guard.c',
        'named:tests/%.c:vectors/*.vec', '?vectors/pcap', 'run:gcc --version']
# Tests that read the headers as text.
READERS = ['constants', 'names', 'statements']
# statements.c asks for tests of every file, so it runs only in the whole suite.
SUITE = ['tests/*.c', *(f'tests/{r}/*.c' for r in ('wire', 'packet', 'telemetry', 'algo', 'guard', 'role', 'tools'))]
TESTS = sorted({os.path.relpath(p, 'tests')[:-2] for q in SUITE for p in glob.glob(q)} - set(READERS))
NOUNS = names('fuzz/*.c')
FORMATS = names('include/rocecc/wire/*.h', 'include/rocecc/packet/*.h')
STEPS = [n for n in NOUNS if n not in FORMATS]
HEADERS = sorted(os.path.relpath(p, 'include/rocecc')
                 for p in glob.glob('include/rocecc/*.h') + glob.glob('include/rocecc/*/*.h'))

# Rows of a noun with the host's digests: OUT/rows/NOUN.rows.
ROWS = ['+tests/gates/bpf/%.c', '?vectors/%.vec', '+examples/lib/vec.c',
        'rule:$(OUT)/rows/%.rows', 'run:gcc --version']
BPF = ['+tests/gates/bpf/load.c', 'tests/gates/bpf/common.sh', 'run:clang-14 --version',
       'run:clang-19 --version', 'run:dpkg-query -W libbpf-dev']
DEBIAN_KERNEL = 'run:apt-cache depends linux-image-amd64'
PROGRAMS = names('tests/gates/bpf/*.c', but=['tests/gates/bpf/load.c'])


def programs(gate, *inputs):
    """Returns the BPF programs: tests/gates/bpf, the gate of examples/xdp, refused programs."""
    out = {}
    for p in PROGRAMS:
        rows = filled(ROWS, p) if p in NOUNS else []
        out[p] = [f'+tests/gates/bpf/{p}.c', f'of:{p}:tests/gates/bpf/exempt/list', *rows, *BPF, *inputs]
    out['gate_xdp'] = ['+examples/xdp/gate_xdp.c', *BPF, *inputs]
    if gate == 'bpf':
        for p in names('tests/gates/bpf/exempt/*.c'):
            out[f'exempt-{p}'] = [f'+tests/gates/bpf/exempt/{p}.c', *BPF, *inputs]
        out['cover'] = ['include', '+tests/gates/bpf/*.c', 'tests/gates/bpf/bpf.sh', 'tests/gates/bpf/exempt',
                        'run:clang-14 --version']
    return out


def suite(*inputs, prefix=''):
    return {**each(TESTS, *TEST, *inputs, prefix=prefix),
            **each(['constants', 'names'], *TEST, *inputs, 'include', 'tests/constants.def',
                   prefix=prefix)}


def fuzz():
    common = ['tests/gates/fuzz.sh', 'run:clang --version', 'rule:fuzz']
    out = each(NOUNS, '+fuzz/%.c', *ROWS, '?fuzz/corpus/%', *common)
    for d in names('fuzz/diff/*.c'):
        out[f'diff/{d}'] = [f'+fuzz/diff/{d}.c', 'vectors/*.vec', f'?fuzz/corpus/diff/{d}',
                            '+tests/gates/bpf/*.c', *common]
    return out


def hosts():
    def host(name, *inputs):
        return ['+?examples/{0}/*.c'.format(name), 'examples/' + name,
                'tests/gates/hosts/' + name + '.sh', '?tests/gates/hosts/' + name,
                '+?tests/gates/hosts/{0}/*.c'.format(name), 'tests/lib/record.sh', 'tests/gates/hosts.sh', 'tests/lib/need.sh',
                'run:gcc --version', *inputs]
    dump = ['+examples/rocedump/*.c', '+examples/lib/*.c', 'rule:$(OUT)/rocedump']
    scapy = 'run:dpkg-query -W python3-scapy'
    return {
        'docs': host('docs', 'raw:include', 'tests/gates/docs', 'rule:docs', 'raw:examples/docs', 'tests/gates/api.txt',
                     'run:doxygen --version', 'raw:README.md', 'raw:include/rocecc/README.md'),
        'dpdk': host('dpdk', '+examples/lib/prefix.c', 'vectors/pcap',
                     'run:dpkg-query -W libdpdk-dev', scapy),
        'firmware': host('firmware', 'include', 'tests/lib/*.[ch]', 'examples/lib', 'examples/cctrace',
                         'tests/law', 'vectors/*.vec', '+tests/wire/bth.c', '+tests/packet/cnp.c',
                         '+tests/algo/abw.c', '+tests/algo/dcqcn.c', 'run:arm-none-eabi-gcc --version',
                         'run:riscv64-unknown-elf-gcc --version',
                         'run:qemu-system-arm --version'),
        'ns3': host('ns3', '+examples/ns3/*.cc', *LAB,
                    'run:dpkg-query -W libns3-dev', 'run:g++ --version'),
        'packages': host('packages', 'include', 'Makefile', 'LICENSE', 'raw:CHANGELOG.md',
                         'raw:README.md', 'raw:include/rocecc/README.md', 'vectors/frame.vec', 'tests/lib/*.[ch]', 'tests/gates/size',
                         'run:cmake --version', 'run:meson --version'),
        'pcc': host('pcc'),
        'switch': host('switch', '+examples/lib/*.c', 'run:dpkg-query -W tshark', scapy),
        'web': host('web', *dump, 'tests/tools/rocedump/captures.py', 'vectors', 'include',
                    'run:node --version', 'run:clang-14 --version'),
        'wireshark': host('wireshark', *dump, 'vectors/pcap', 'fuzz/corpus',
                          'run:dpkg-query -W tshark'),
    }


def mutants():
    """Returns for each known defect its files and the inputs of its gate, without the other
    headers, because only the gate decides whether it finds the defect."""
    out = {}
    for path in sorted(glob.glob('tests/mutants/*.edit')):
        defect = edit.read(path)
        inputs = ['raw:' + path, 'tests/mutants/live.sh', 'tests/mutants/edit.py',
                  *('own:' + f for f in defect.files())]
        for piece in defect.pieces_of(GATES):
            inputs += [i for i in GATES[defect.gate][piece] if i not in ('include', 'raw:include')]
        out[names(path)[0]] = ['but:include/', *dict.fromkeys(inputs)]
    return out


LIVE_RIG = ['tests/gates/live', 'tests/gates/bpf/common.sh', DEBIAN_KERNEL, 'run:qemu-system-x86_64 --version']
TOOL_SCRIPTS = ['tests/tools/flows.py', 'tests/tools/judge_frames.py', 'tests/tools/rocegen*.py', 'tests/tools/schema.py']
DUMP = ['+examples/rocedump/*.c', '+examples/lib/*.c']
LAB = ['+examples/cclab/*.c', '+examples/cctrace/*.c', '+examples/lib/*.c']
CALLERS_OF = ['run:gcc --version', 'run:clang --version', 'run:clang-19 --version']

GATES = {
    'test': {**suite(), **each(['statements'], *TEST, 'raw:include', *SUITE)},
    'selfcontained': whole('include', 'raw:include/rocecc/base.h', 'tests/gates/selfcontained.sh',
                           'rule:selfcontained', 'run:g++ --version', 'run:avr-gcc --version',
                           'run:tcc -v', *CALLERS_OF),
    'callers': whole('include', 'tests/gates/callers', 'tests/gates/callers.sh', *CALLERS_OF),
    'vectors': whole('vectors', 'rule:vectors', 'run:dpkg-query -W python3-scapy'),
    'prove': {
        **each(names('tests/gates/prove/*.c'), '+tests/gates/prove/%.c', 'of:%:tests/gates/prove/tested',
               'tests/gates/prove/prove.sh', 'tests/gates/prove/laws.py', 'rule:prove',
               'run:frama-c -version'),
        **each(names('tests/gates/prove/wp/*.c'), '+tests/gates/prove/wp/%.c', 'tests/gates/prove/prove.sh',
               'run:frama-c -version', 'run:z3 --version', 'run:cvc4 --version',
               'run:why3 --version', prefix='wp/'),
        'reach': ['include', '+tests/gates/prove/*.c', 'tests/gates/prove/prove.sh',
                  'run:frama-c -version', 'run:gcc --version'],
    },
    'fuzz': fuzz(),
    'bpf': programs('bpf', 'tests/gates/bpf/bpf.sh', 'run:uname -r'),
    'live': programs('live', 'tests/gates/live/bpf61.sh', 'tests/gates/live/common.sh', DEBIAN_KERNEL,
                     'run:qemu-system-x86_64 --version'),
    'live-rxe': whole(*LIVE_RIG, *DUMP, '+examples/rocegen/*.c', 'rule:live-rxe', 'tests/law',
                      'include', 'vectors/*.vec', '+tests/gates/bpf/*.c'),
    'live-softroce': whole(*LIVE_RIG, *DUMP, '+examples/rocegen/*.c', 'examples/softroce',
                           '+examples/softroce/*.c', 'rule:live-softroce', 'rule:softroce'),
    'static': {
        **each(HEADERS, '+include/rocecc/%', 'tests/gates/static.sh', 'tests/gates/static',
               'run:gcc --version'),
        'tidy': ['include', 'tests/gates/static.sh', 'tests/gates/static', 'run:clang-tidy-19 --version',
                 'run:cppcheck --version'],
    },
    'matrix': each(NOUNS, *ROWS, 'tests/gates/matrix.sh', 'tests/lib/need.sh', 'rule:matrix', 'run:clang-19 --version',
                   'run:arm-linux-gnueabihf-gcc --version', 'run:aarch64-linux-gnu-gcc --version',
                   'run:qemu-arm --version'),
    'endian': {
        **suite('tests/gates/endian.sh', 'rule:test', 'run:s390x-linux-gnu-gcc --version',
                'run:qemu-s390x --version', prefix='test/'),
        **each(STEPS, *ROWS, 'tests/gates/endian.sh', 'run:s390x-linux-gnu-gcc --version',
               'run:qemu-s390x --version', prefix='rows/'),
        'cclab': [*LAB, 'tests/tools/cclab/same.sh', 'tests/gates/endian.sh',
                  'run:s390x-linux-gnu-gcc --version', 'run:qemu-s390x --version'],
    },
    'msan': suite('tests/gates/suite.sh', 'rule:msan', 'rule:test', 'run:clang-19 --version',
                  prefix='test/'),
    'exhaustive': {
        **suite('tests/gates/suite.sh', 'tests/gates/exhaustive.sh', 'rule:exhaustive', 'rule:test',
                prefix='test/'),
        'ioam': ['+tests/gates/exhaustive/ioam.c', 'tests/gates/exhaustive.sh', 'rule:exhaustive',
                 'run:gcc --version'],
    },
    'tools-test': {
        'tools': [*DUMP, 'rule:tools-test', 'rule:$(OUT)/rocedump', 'tests/tools/tools.sh',
                  'tests/tools/views.sh', 'tests/tools/rocedump', *TOOL_SCRIPTS, 'tests/lib/expect.sh',
                  'vectors', 'examples/rocedump', '+examples/exchange/*.c', 'run:gcc --version'],
        'domain': [*DUMP, 'rule:tools-test', 'rule:$(OUT)/rocedump', 'tests/tools/domain.sh',
                   'tests/lib/expect.sh', 'vectors/pcap/intmd.pcap', 'run:gcc --version',
                   'run:dpkg-query -W tshark'],
        'flows': [*DUMP, 'rule:tools-test', 'rule:$(OUT)/rocedump', 'tests/tools/flows.sh',
                  'tests/tools/copies.py', 'tests/tools/rates.py', 'tests/tools/headers.py',
                  'run:gcc --version', 'run:dpkg-query -W tshark'],
        'rocegen': [*DUMP, '+examples/rocegen/*.c', 'rule:tools-test', 'tests/tools/rocegen.sh',
                    *TOOL_SCRIPTS, 'tests/lib/expect.sh', 'vectors', 'run:gcc --version',
                    'run:dpkg-query -W tshark python3-scapy'],
        'cctrace': ['+examples/cctrace/*.c', '+examples/lib/*.c', 'rule:tools-test',
                    'tests/tools/cctrace.sh', 'tests/tools/cctrace.py', 'tests/lib/expect.sh', 'vectors',
                    'run:gcc --version'],
        'bounds': [*DUMP, 'rule:tools-test', 'rule:$(OUT)/rocedump', 'tests/tools/bounds.sh',
                   'tests/tools/bounds.py', 'tests/lib/need.sh', 'run:gcc --version',
                   'run:valgrind --version'],
    },
    'softroce-test': whole('examples/softroce', '+examples/softroce/*.c', '+tests/tools/softroce/*.c',
                           *DUMP, '+examples/rocegen/*.c', 'tests/tools/softroce', 'tests/gates/live',
                           'rule:softroce-test', 'run:clang-19 --version', 'run:uname -r'),
    'peers': whole('include', *DUMP, 'tests/gates/peers', 'tests/law', *SUITE, 'vectors',
                   'rule:peers', 'run:dpkg-query -W tshark', 'run:dpkg-query -W python3-scapy',
                   'run:uname -r'),
    'claims': whole(*LAB, 'examples/cclab', '+tests/tools/cclab/*.c', 'tests/tools/cclab',
                    '+tests/lib/test.c', *DUMP, 'rule:claims', 'run:gcc --version',
                    'run:dpkg-query -W tshark', 'run:gnuplot --version'),
    'mcdc': whole('include', *SUITE, 'tests/lib/*.[ch]', 'tests/law', 'tests/gates/mcdc', 'vectors',
                  'examples/lib', 'examples/cctrace', 'README.md', 'include/rocecc/README.md', 'tests/constants.def',
                  'rule:mcdc', 'run:clang-19 --version'),
    # All mutants of a changed header are judged. The sample shows the effect of changed tests,
    # lists or scripts on other mutants.
    'mutate': {
        **each(HEADERS, 'include/rocecc/%'),
        'sample': ['include', *SUITE, 'tests/lib/*.[ch]', 'tests/law', 'tests/gates/mutate', 'vectors',
                   'examples/lib', 'examples/cctrace', 'README.md', 'include/rocecc/README.md', 'tests/gates/mcdc',
                   'tests/constants.def', 'tests/record/round', 'rule:mutate',
                   'run:gcc --version'],
    },
    'hosts': hosts(),
    'drop-ins': whole('examples/l3qcn', '+examples/l3qcn/*.c', 'examples/xdp',
                      '+examples/xdp/*.c', '+examples/lib/*.c', 'examples/crc32',
                      'tests/gates/crc32', 'tests/gates/crc32.sh', 'tests/gates/flood',
                      '+tests/gates/flood/*.c', '+tests/lib/flood.c', '+examples/dpdk/*.c',
                      'raw:include/rocecc/role/README.md', 'tests/gates/dropins.sh', 'rule:drop-ins',
                      'run:clang --version', 'run:uname -r', 'run:dpkg-query -W libdpdk-dev'),
    'bench': whole('include', 'tests/gates/bench', 'tests/gates/size/size.txt', 'vectors', 'README.md', 'include/rocecc/README.md',
                   'examples/lib', 'examples/crc32', '+examples/lib/*.c', 'rule:bench',
                   'tests/gates/cost', 'tests/law', 'tests/lib/*.[ch]', 'run:gcc --version', 'run:clang-19 --version',
                   'run:valgrind --version', 'run:dpkg-query -W libdpdk-dev libtins-dev zlib1g-dev'),
    'cost': whole('include', 'tests/gates/cost', 'link:tests/gates/cost/*.c', 'rule:cost', 'run:gcc --version',
                  'run:valgrind --version'),
    'size': whole('include', 'tests/gates/size', 'rule:size', 'run:arm-none-eabi-gcc --version',
                  'run:riscv64-unknown-elf-gcc --version'),
    'tsan': whole('+tests/gates/tsan/*.c', 'tests/gates/tsan.sh', 'tests/lib/need.sh', 'run:clang-19 --version'),
    'layers': whole('raw:README.md', 'raw:include/rocecc/README.md', 'raw:include', 'tests/gates/layers.sh', 'tests/gates/members.py', 'tests/gates/readme.sh',
                    'tests/gates/api.sh', 'tests/gates/api.txt', 'tests/gates/size/size.txt',
                    'tests/gates/cost/cost.txt', 'rule:layers'),
    'demo': whole('rule:demo', 'tests/tools/demo.sh', *DUMP, '+examples/exchange/*.c', *LAB,
                  'vectors/frame.vec'),
}
GATES['gates-are-live'] = mutants()

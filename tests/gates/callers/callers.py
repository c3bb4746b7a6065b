# SPDX-License-Identifier: BSD-2-Clause
"""callers.py OUT: writes OUT/<function>.c for each public function with an output. The file
calls it as its comment says: outputs have no value before, and each member is used only after
success. Functions come from the headers. An unknown output type or return type is an error."""
import re
import subprocess
import sys

# Types with a value before the call: states, parameters to check, cursors. main() adds the
# states and the parameters of the algorithms.
IN_OUT = '''reader writer congestion_config notification_config reaction_config
    l3qcn_tor_config flowtable ask backlog ldcp_receiver ldcp_space congestion_point
    reaction_point l3qcn_tor report_layout sflow_list walk arn_gate arn_gate_config qpn
    dcqcn_deployment admission admission_params'''.split()
# Parameters that are outputs in spite of their type, or the other way round.
OUT_PARAMS = {('split', 'body'), ('acl_init', 'acl')}
IN_OUT_PARAMS = {('icrc_patch', 'icrc'), ('ip6ext_next', 'type'),
                 ('reaction_point_admit', 'out'), ('reaction_point_find_cnp', 'out'),
                 ('reaction_point_find_option', 'out'), ('reaction_point_find_host', 'out'),
                 ('arn_gate_admit', 'out'), ('arn_gate_find_arn', 'out'), ('arn_gate_find_host', 'out'),
                 ('flow_control_priority', 'traffic'),
                 ('telemetry_ioam_store', 'node'), ('ioam_set', 'node'), ('ioam_clear', 'node'),
                 ('csig_fold', 'tag'),
                 ('telemetry_ifa_emit', 'node'), ('telemetry_rates_apply', 'hop'),
                 ('telemetry_intmd_store', 'node'), ('vxlan_inner', 'out'), ('gpe_inner', 'out'),
                 ('geneve_inner', 'out'), ('gre_inner', 'out'), ('headers_clear', 'headers'),
                 ('edit_add_splice', 'edit'), ('edit_set_word', 'edit'), ('edit_grow_ip', 'edit'),
                 ('edit_set_proto', 'edit'), ('edit_set_dscp', 'edit'), ('edit_grow_upper', 'edit'),
                 ('intmd_set', 'node'), ('intmd_clear', 'node'), ('ip6opt_step', 'count'),
                 ('srv6_pe_decapsulate', 'out'), ('srv6_pe_check_inner', 'out'), ('srv6_pe_check_sources', 'out'),
                 ('srv6_pe_check_cnp', 'out'),
                 ('srv6_pe_merge', 'out'), ('srv6_pe_next', 'out'), ('walk_link', 'headers'),
                 ('walk_link', 'type'), ('walk_set_partial', 'headers'),
                 ('walk_set_inner', 'headers')}
# Arrays of the host.
ARRAYS = {('acl_init', 'entries'), ('aclindex_init', 'cells'),
          ('ask_queue', 'slots'), ('backlog_add', 'slots'), ('backlog_sub', 'slots'),
          ('qpnlearner_start', 'slots'), ('qpnlearner_learn', 'half'),
          ('qpnlearner_learn', 'known'),
          ('hpcc_ack', 'records'),
          ('hpcc_fastcnp', 'records'), ('report_item_set', 'report'), ('report_item_clear', 'report'),
          ('report_init', 'report'), ('report_layout_load', 'report'),
          ('telemetry_ioam_path', 'hops'), ('telemetry_ifa_path', 'hops'),
          ('telemetry_intmd_path', 'hops'), ('echo_sender_step', 'hops'),
          ('writer_of', 'begin'), ('writer_of', 'end')}
# Functions that change bytes in place.
IN_PLACE = '''ipv4_ecn_store ipv4_ttl_store ipv6_ecn_store ipv6_hop_limit_store'''.split()
# Outputs that say themselves whether the rest of them has values.
VALID_IF = {'srv6_pe_egress': 'out.verdict == ROCECC_SRV6_PE_FORWARD',
            'srv6_pe_end_con': 'out.verdict == ROCECC_SRV6_PE_FORWARD'}
# Return types that always leave values in the outputs, and values that mean success.
ALWAYS = re.compile(r'void|u?int\d+_t|size_t|const uint8_t \*|uint8_t \*|'
                    r'rocecc_(\w+_)?(action|result|outcome|verdict|acks|ecn|learned|congestion|'
                    r'notification|writer|flowtable|pause|ask|backlog|l3qcn_tor|reader)$')
SUCCESS = {'rocecc_status': '== ROCECC_OK', '_Bool': '',
           'rocecc_cnm_verdict': '== ROCECC_CNM_TAKEN',
           'rocecc_qpn_verdict': '== ROCECC_QPN_LEARNED',
           'rocecc_l3qcn_verdict': '== ROCECC_L3QCN_TAKEN', 'rocecc_srv6_verdict':
           '== ROCECC_SRV6_DECAPSULATE'}


def fail(text):
    sys.exit('callers: ' + text)


def headers():
    """Returns (header, line) pairs after the preprocessor, with @ for ROCECC_FN."""
    text = subprocess.run(
        ['gcc', '-E', '-std=c99', '-DROCECC_FN=@', '-Iinclude', 'include/rocecc/rocecc.h'],
        check=True, capture_output=True, text=True).stdout
    of, now = [], ''
    for line in text.split('\n'):
        marker = re.match(r'# \d+ "(.*)"', line)
        if marker:
            now = re.sub(r'[^/]+/\.\./', '', marker.group(1)).replace('include/', '', 1)
        elif now.startswith('rocecc/'):
            of.append((now, line))
    return of


def algorithms():
    """Returns the names of the algorithms' states and parameters."""
    table = '#include "rocecc/fields/algorithms.h"\n' \
            '#define ROW(NAME, name, ...) @name\nROCECC_ALGORITHMS(ROW)\n'
    text = subprocess.run(['gcc', '-E', '-std=c99', '-Iinclude', '-'], input=table,
                          check=True, capture_output=True, text=True).stdout
    names = re.findall(r'@(\w+)', text)
    if not names:
        fail('the table of algorithms has no rows')
    return names + [n + '_params' for n in names]


def types(text):
    """Returns the members of each struct, [(type, name, [n])]. Enumerations are numbers."""
    structs = {}
    for body, name in re.findall(r'struct rocecc_\w+ \{([^{}]*)\} (rocecc_\w+);', text):
        members = []
        for decl in body.split(';'):
            m = re.match(r'(.*?)(\**)(\w+)(?:\[(\w+)\])?$', ' '.join(decl.split()))
            if m:
                members.append((m.group(1).strip() + m.group(2), m.group(3), m.group(4)))
        structs[name] = members
    return structs


def functions(of):
    """Returns (header, return type, name, [(type, stars, name)]) for each public function."""
    out = []
    text, starts = '', []
    for header, line in of:
        starts.append((len(text), header))
        text += line + '\n'
    found = list(re.finditer(
        r'@\s+([^(){};]*?)\s*(\**)rocecc_(\w+)\(([^{};]*)\)\s*\{', text))
    if len(found) != text.count('@'):
        fail('%d of %d functions are read' % (len(found), text.count('@')))
    for m in found:
        if m.group(3).endswith('_'):
            continue
        header = max(s for s in starts if s[0] <= m.start())[1]
        params = []
        for p in m.group(4).split(','):
            q = re.match(r'(.*?)(\**)(\w+)$', ' '.join(p.split()))
            if q is None:
                fail('rocecc_%s: a parameter that is not understood: %s' % (m.group(3), p))
            params.append((q.group(1).strip(), q.group(2), q.group(3)))
        out.append((header, (m.group(1) + ' ' + m.group(2)).strip(), m.group(3), params))
    return out


def use(structs, t, v, n=None):
    """Returns statements that use every member of v, of type t or an array of n of them."""
    if n is not None:
        index = 'i%d' % v.count('[')
        return ['for (int %s = 0; %s < %s; %s++) {' % (index, index, n, index)] + \
            use(structs, t, '%s[%s]' % (v, index)) + ['}']
    if t.endswith('*'):
        return ['total += %s != NULL;' % v]
    if t in structs:
        return [line for mt, m, mn in structs[t]
                for line in use(structs, mt, '%s.%s' % (v, m), mn)]
    return ['total += (uint32_t)%s;' % v]


def caller(structs, header, answer, name, params):
    takes, has, gives, after, used = [], [], [], [], False
    for t, stars, p in params:
        short = t.replace('rocecc_', '', 1)
        is_out = stars and not t.startswith('const')
        used |= bool(is_out)
        if not is_out or (name, p) in ARRAYS:
            if t != 'void' or stars:
                takes.append('%s %s%s' % (t, stars, p))
                gives.append(p)
        elif t == 'rocecc_writer':
            has += ['uint8_t %s_bytes[512];' % p,
                    'rocecc_writer %s = rocecc_writer_of(%s_bytes, %s_bytes + 512);'
                    % (p, p, p)]
            if name not in ('put', 'datagram_reserve', 'arn_reserve'):  # the caller fills them
                after.append('for (size_t i = 0; i < %s.at; i++) total += %s_bytes[i];'
                             % (p, p))
            gives.append('&' + p)
        elif t == 'uint8_t' and 'store' in name:
            if name in IN_PLACE:
                takes.append('uint8_t *' + p)
            else:
                has.append('uint8_t %s[64];' % p)
            gives.append(p)
            after.append('total += %s[0];' % p)
        elif (short in IN_OUT and (name, p) not in OUT_PARAMS) or (name, p) in IN_OUT_PARAMS:
            takes.append('%s %s' % (t, p))
            gives.append('&' + p)
            after += use(structs, t, p)
        else:
            if t.startswith('rocecc_') and t not in structs and not \
                    re.search(r'_(verdict|place)$', t):
                fail('%s: nobody knows the output type %s' % (name, t))
            has.append('%s %s;' % (t, p))
            gives.append('&' + p)
            after += use(structs, t, p)
    if not used:
        return None
    call = 'rocecc_%s(%s)' % (name, ', '.join(gives))
    if answer in SUCCESS or answer.endswith('_refusal'):
        call = ('if (!(%s %s)) return 0;' % (call, SUCCESS.get(answer, '== 0')))
    elif ALWAYS.match(answer):
        call = '(void)%s;' % call
        if name in VALID_IF:
            call += ' if (!(%s)) return 0;' % VALID_IF[name]
    else:
        fail('%s: nobody knows when its answer %s means success' % (name, answer))
    proto = 'uint32_t call_%s(%s)' % (name, ', '.join(takes) or 'void')
    lines = ['#include "%s"' % header, proto + ';', proto, '{'] + has + \
        ['uint32_t total = 0;', call] + after + ['return total;', '}', '']
    return '\n'.join(lines)


def main(out):
    IN_OUT.extend(algorithms())
    of = headers()
    structs = types('\n'.join(line for _, line in of))
    n = 0
    for header, answer, name, params in functions(of):
        text = caller(structs, header, answer, name, params)
        if text is not None:
            with open('%s/%s.c' % (out, name), 'w') as f:
                f.write(text)
            n += 1
    print(n)


main(sys.argv[1])

/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-slevel 60 -eva-auto-loop-unroll 0 */
/* prove-options: -eva-slevel-function rocecc_packet_ip:300 */
/* prove-options: -eva-slevel-function rocecc_flow_read_:300,rocecc_packet_flow:600 */
/* prove-options: -eva-slevel-function rocecc_packet_ip_flow:600 */
/* prove-options: -eva-slevel-function rocecc_flow_original_port_:300 */
/* prove-options: -eva-slevel-function rocecc_flow_without_telemetry_:300 */
/* prove-options: -eva-slevel-function rocecc_headers_parse_as:1 */
/* prove-options: -eva-slevel-function rocecc_walk_from_type_:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_header_parse:300 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_match:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_find_:3000,rocecc_l3qcn_find:3000 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_pdu_parse:300 */
/* prove-options: -eva-slevel-function rocecc_udp_verify:300 */
/* prove-options: -eva-slevel-function rocecc_ip6_is_ip4:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_is_station_:1 */
/* prove-options: -eva-slevel-function rocecc_flow_match:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_is_l3qcn_:2000 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_read_tag_:1 */
/* prove-options: -eva-slevel-function rocecc_packet_vlan:1,rocecc_packet_outermost:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_make_head_:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_mend_pdu_:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_write_cnm_:1 */
/* prove-options: -eva-slevel-function rocecc_cnm_head_emit:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_read_origin_:2000 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_learn:4000,any_learn:2000 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_msdu_fits_flow_:1 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_find_:600 */
/* prove-options: -eva-slevel-function rocecc_arrival_check_ipv4_:1 */
/* prove-options: -eva-slevel-function rocecc_arrival_check_ipv6_:1 */
/* prove-options: -eva-slevel-function rocecc_arrival_check:1 */
/* prove-options: -eva-slevel-function rocecc_ip6opt_next:100 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_make_cnm_:100 */
/* prove-options: -eva-slevel-function rocecc_l3qcn_tor_convert:1500 */
/* prove-options: -eva-slevel-function rocecc_flowtable_find_slot_:1000 */
/* prove-options: -eva-slevel-function rocecc_flowtable_add_:100 */
/* prove-options: -eva-slevel-function rocecc_flowtable_learn:100 */
/* prove-options: -eva-slevel-function rocecc_flowtable_lookup:1000 */
/* prove-options: -eva-slevel-function rocecc_flowtable_write_:100 */
/* prove-options: -eva-slevel-function rocecc_flowtable_refresh:1000 */
#define PROVE_BYTES 160
#define ROCECC_CHECKSUM_MAX_BYTES 64 /* low, so that the loop also reaches it */
#define ROCECC_IP6EXT_MAX 1          /* low, for the same reason */
#include "any.h"
#include "rocecc/role/l3qcn_tor_learn.h"

#define BUCKETS 4

static rocecc_l3qcn_tor_config configs[2];
static rocecc_l3qcn_tor s;
static rocecc_flowtable_bucket bucket[BUCKETS];
static rocecc_flowtable_slot slot[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static const rocecc_flowtable_memory memory = {bucket, slot};
static rocecc_l3qcn_tor_gate gate[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static rocecc_l3qcn_tor_port ports[2];
static rocecc_admission_source sources[2];
static rocecc_acl_entry entries[2];
static rocecc_acl list;
static rocecc_headers wheres[2];

/*
 * Makes any accepted configuration, with one of the two sizes for which there is
 * memory.
 */
static bool make_config(rocecc_l3qcn_tor_config *c)
{
    *c = rocecc_l3qcn_tor_default();
    Frama_C_make_unknown((char *)c, sizeof *c); /* all members and padding */
    c->priority = (uint8_t)Frama_C_interval(0, 255);
    c->learn_untagged = Frama_C_interval(0, 1) != 0;
    c->rewrite_encap = Frama_C_interval(0, 1) != 0;
    c->check_msdu = Frama_C_interval(0, 1) != 0;
    c->unlimited = Frama_C_interval(0, 1) != 0;
    c->listed = Frama_C_interval(0, 1) != 0;
    c->admission.unlimited = Frama_C_interval(0, 1) != 0;
    list = rocecc_acl_attach(entries, (uint32_t)Frama_C_interval(0, 2));
    if (rocecc_l3qcn_tor_init(c, &prove_domain,
                              Frama_C_interval(0, 1) != 0 ? &list : NULL) !=
        ROCECC_L3QCN_TOR_ACCEPTED)
        return false;
    c->table.buckets = Frama_C_interval(0, 1) != 0 ? 2 : BUCKETS;
    return true;
}

/*
 * Returns one of two configurations. A packet likewise has one of two `where`, with any
 * values and even with offsets beyond the buffer. Eva then forgets the result of each
 * test before the next one. Otherwise every path through all tests would be a state.
 */
static const rocecc_l3qcn_tor_config *any_config(void)
{
    return &configs[Frama_C_interval(0, 1)];
}

static rocecc_packet any_packet(void)
{
    Frama_C_make_unknown((char *)wheres, sizeof wheres);
    wheres[0].cut = wheres[1].cut = false; /* not read here */
    return rocecc_packet_attach(&prove_domain, prove_reader(),
                                &wheres[Frama_C_interval(0, 1)]);
}

/* Sets a table and gates of any bits, as if start() had not run. */
static void any_table(void)
{
    s = rocecc_l3qcn_tor_start(any_config(), &memory);
    Frama_C_make_unknown((char *)bucket, sizeof bucket);
    Frama_C_make_unknown((char *)slot, sizeof slot);
    Frama_C_make_unknown((char *)gate, sizeof gate);
    Frama_C_make_unknown((char *)ports, sizeof ports);
    Frama_C_make_unknown((char *)sources, sizeof sources);
    Frama_C_make_unknown((char *)entries, sizeof entries);
    Frama_C_make_unknown((char *)&s.admission, sizeof s.admission);
    list = rocecc_acl_attach(entries, (uint32_t)Frama_C_interval(0, 2));
    s.table.used = (uint32_t)prove_any();
    s.table.next = (uint32_t)prove_any();
}

static rocecc_l3qcn_tor_event any_event(void)
{
    static uint8_t bytes[PROVE_BYTES];
    rocecc_l3qcn_tor_event e;
    e.admission.now_ns = prove_any();
    e.admission.list = &list;
    e.admission.index = NULL;
    e.admission.sources = sources;
    e.admission.n_sources = (uint32_t)Frama_C_interval(0, 2);
    e.memory = memory;
    e.gate = Frama_C_interval(0, 1) != 0 ? gate : NULL;
    e.port = (uint32_t)prove_any();
    e.vrf = (uint16_t)prove_any();
    e.ports = ports;
    e.n_ports = (uint32_t)Frama_C_interval(0, 2);
    e.writer = rocecc_writer_of(bytes, bytes + PROVE_BYTES);
    e.writer.end = (size_t)Frama_C_interval(0, PROVE_BYTES);
    return e;
}

static void any_learn(void)
{
    const rocecc_packet p = any_packet();
    const rocecc_l3qcn_tor_event e = any_event();
    rocecc_l3qcn_tor_learn_result out;
    any_table();
    out = rocecc_l3qcn_tor_learn(any_config(), &s, &p, &e);
    /*@ assert out.what < ROCECC_L3QCN_TOR_LEARNINGS; */
    /*@ assert out.table.what < ROCECC_FLOWTABLE_ACTIONS; */
    /*@ assert out.table.slot < 32 || out.table.slot == 0xffffffff; */
}

/* Removes flows from any table. The bucket may be out of range. */
static void any_idle(void)
{
    const rocecc_l3qcn_tor_event e = any_event();
    static rocecc_flowforget_filter f;
    uint32_t n;
    Frama_C_make_unknown((char *)&f, sizeof f);
    any_table();
    n = rocecc_l3qcn_tor_sweep(any_config(), &s, &e);
    n += rocecc_l3qcn_tor_forget(any_config(), &s, &f, &e, (uint32_t)prove_any());
    /*@ assert n <= 16; */
}

static void any_convert(void)
{
    const rocecc_packet p = any_packet();
    const rocecc_l3qcn_tor_event e = any_event();
    rocecc_l3qcn_tor_convert_result out;
    any_table();
    rocecc_l3qcn_tor_convert(any_config(), &s, &p, &e, &out);
    (void)rocecc_l3qcn_tor_needs_action(out.verdict);
    /*@ assert out.verdict < ROCECC_L3QCN_TOR_VERDICTS; */
    /*@ assert out.why < ROCECC_L3QCN_VERDICTS; */
    /*@ assert out.arrival < ROCECC_ARRIVAL_VERDICTS; */
    /*@ assert out.cnm.end <= PROVE_BYTES; */
}

void main(void)
{
    prove_agree();
    if (!make_config(&configs[0])) return;
    /*@ slevel merge; */ /* otherwise the second init() has too many states */
    if (!make_config(&configs[1])) return;
    /*@ slevel merge; */
    any_convert(); /* first, as Eva does not see that learn() writes whole entries */
    /*@ slevel merge; */
    any_learn();
    /*@ slevel merge; */
    any_idle();
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 */
/* prove-options: -eva-slevel-function any_learn:100,any_lookup:1000 */
/* prove-options: -eva-slevel-function rocecc_flowtable_find_slot_:1000 */
/* prove-options: -eva-slevel-function rocecc_flowtable_lookup_burst:1000 */
/* prove-options: -eva-slevel-function rocecc_flowtable_add_:100 */
/* prove-options: -eva-slevel-function rocecc_flowtable_learn:100 */
/* prove-options: -eva-slevel-function rocecc_flowtable_lookup:1000 */
/* prove-options: -eva-slevel-function rocecc_flowtable_write_:100 */
/* prove-options: -eva-slevel-function rocecc_flowtable_refresh:1000 */
#define ROCECC_FLOWTABLE_BURST_MAX 3 /* low, so that the loops also reach it */
#include "prove.h"
#include "rocecc/guard/flowforget.h"

#define BUCKETS 4

/* Any accepted parameters, with one of the two sizes for which there is memory. */
static rocecc_flowtable_params p;
static rocecc_flowtable_bucket bucket[BUCKETS];
static rocecc_flowtable_slot slot[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static const rocecc_flowtable_memory memory = {bucket, slot};

/* Returns a table of any bits, as if start() had not run. */
static rocecc_flowtable any_table(void)
{
    rocecc_flowtable t;
    Frama_C_make_unknown((char *)bucket, sizeof bucket);
    Frama_C_make_unknown((char *)slot, sizeof slot);
    t.used = (uint32_t)prove_any();
    t.next = (uint32_t)prove_any();
    return t;
}

static void any_learn(const rocecc_flowtable_entry *came)
{
    rocecc_flowtable t = any_table();
    const rocecc_flowtable_learn_result act =
        rocecc_flowtable_learn(&p, &t, &memory, came, (uint32_t)prove_any());
    /*@ assert act.slot < 32 || act.slot == 0xffffffff; */
    /*@ assert act.what <= 5; */
    (void)rocecc_flowtable_refresh(&p, &memory, came, (uint32_t)prove_any());
}

static void any_lookup(const rocecc_flow *flow)
{
    const rocecc_flowtable_lookup_result m = rocecc_flowtable_lookup(
        &p, &memory, flow, (uint16_t)prove_any(), (uint32_t)prove_any());
    /*@ assert m.slot < 32 || m.slot == 0xffffffff; */
    /*@ assert m.what <= 2; */
}

/* Looks up bursts of 0 to 4 queries. A burst may have at most 3. */
static void any_burst(void)
{
    static rocecc_flowtable_query query[ROCECC_FLOWTABLE_BURST_MAX + 1];
    const uint32_t now_ms = (uint32_t)prove_any();
    size_t n;
    Frama_C_make_unknown((char *)query, sizeof query);
    for (n = 0; n <= ROCECC_FLOWTABLE_BURST_MAX + 1; n++) {
        const size_t did = rocecc_flowtable_lookup_burst(&p, &memory, query, n, now_ms);
        /*@ assert did <= n && did <= 3; */
    }
}

static void any_sweep(void)
{
    rocecc_flowtable t = any_table();
    static rocecc_flowforget_filter f;
    const uint32_t emptied =
        rocecc_flowtable_sweep(&p, &t, &memory, (uint32_t)prove_any());
    /*@ assert emptied <= 8; */
    /*@ assert t.next < 4; */
    Frama_C_make_unknown((char *)&f, sizeof f);
    (void)rocecc_flowforget_step(&f, &t, &memory, Frama_C_interval(0, BUCKETS - 1));
}

void main(void)
{
    static rocecc_flowtable_entry came;
    rocecc_flowtable t;
    (void)rocecc_flowtable_l3qcn();
    (void)rocecc_flowtable_buckets((uint32_t)prove_any());
    Frama_C_make_unknown((char *)&came, sizeof came);
    Frama_C_make_unknown((char *)&p, sizeof p);
    if (rocecc_flowtable_init(&p) != ROCECC_FLOWTABLE_ACCEPTED) return;
    p.buckets = Frama_C_interval(0, 1) != 0 ? 2 : BUCKETS;
    t = rocecc_flowtable_start(&p, &memory);
    /*@ assert t.used == 0 && t.next == 0; */
    any_learn(&came);
    (void)any_table();
    any_lookup(&came.flow);
    any_burst();
    any_sweep();
}

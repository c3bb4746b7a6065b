/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fault.c - trouble that begins and ends in the middle of a run, and the recovery from
 * it. The same run without trouble, its twin, gives the goodput and the queue length
 * for comparison.
 *
 *   goodput ----.          .--._.------   twin's, less 10 %: - - - -
 *               '----------'   :
 *             from        end  : recovery, from the end on
 */
#include "lab.h"

#include <stdio.h>
#include <string.h>

#define HOLD 16         /* slots over which goodput and queue are averaged */
#define HOLD_RTTS 4     /* they take at least this many round trips, ... */
#define HOLD_PACKETS 64 /* ... and at least the bottleneck's time for these */
#define SLOTS 100000    /* at most; otherwise slots are longer */
#define BURST 8         /* consecutive packets that are lost */

bool lab_troubled(const lab_options *o)
{
    return o->pause != 0 || o->sleep != 0 || o->clock_step != 0 || o->speed_bps != 0 ||
           o->nic_bps != 0 || o->reroute || o->blind || o->nak_permille != 0 ||
           o->stand_clock || o->unit_clock;
}

/* Returns the start of the trouble. By default, trouble lasts for the middle third of
 * the run, with start and end rounded down to whole us. */
lab_ps lab_trouble_from(const lab_options *o)
{
    return o->from != 0 ? o->from : o->duration / 3 / LAB_US * LAB_US;
}

lab_ps lab_trouble_until(const lab_options *o)
{
    return o->until != 0 ? o->until : 2 * o->duration / 3 / LAB_US * LAB_US;
}

static lab_ps span(const lab_options *o, lab_ps time)
{
    const lab_ps from = lab_trouble_from(o);
    return time == 0 ? from : time == LAB_NEVER ? lab_trouble_until(o) : from + time;
}

/* Returns the end of the last trouble. Permanent changes end when they begin. */
lab_ps lab_trouble_end(const lab_options *o)
{
    const bool lasts = o->speed_bps != 0 || o->nic_bps != 0 || o->blind ||
                       o->nak_permille != 0 || o->stand_clock || o->unit_clock;
    return rocecc_max(rocecc_max(span(o, o->pause), span(o, o->sleep)),
                      span(o, lasts ? LAB_NEVER : 0));
}

const char *lab_trouble_refused(const lab_options *o)
{
    if ((o->open || o->unfiltered) && !o->storm)
        return "open and unfiltered have an effect only with storm";
    if (o->spray && lab_topologies[o->topology].pods == 0 && o->topology != LAB_CLOS)
        return "spray needs ports of equal cost, which clos, fattree and testbed have";
    if (o->spray && o->reroute)
        return "reroute and spray exclude each other, as spray uses all ports";
    if (o->stand_clock && o->unit_clock)
        return "standclock and unit exclude each other";
    if (!lab_troubled(o))
        return o->from != 0 || o->until != 0
                   ? "from and until need trouble; other faults last for the whole run"
                   : NULL;
    if (lab_trouble_from(o) >= lab_trouble_until(o)) return "from must be before until";
    if (lab_trouble_until(o) > o->duration || lab_trouble_end(o) > o->duration)
        return "trouble must not end after the run (--duration)";
    if (o->reroute && o->topology != LAB_CLOS)
        return "reroute needs ports of equal cost, so it needs --topology clos";
    return NULL;
}

/* Faults that affect only schemes with this name prefix. */
static const struct {
    const char *scheme, *need;
} needs[LAB_NEEDS] = {{"hpcc-", "liar needs --scheme hpcc-*"},
                      {"fastcnp", "storm needs --scheme fastcnp"},
                      {"hpcc-", "blind needs --scheme hpcc-*"},
                      {"hpcc-", "tick needs --scheme hpcc-*"},
                      {"hpcc-", "standclock needs --scheme hpcc-*"},
                      {"hpcc-", "unit needs --scheme hpcc-*"}};

unsigned lab_fault_misfits(const lab_options *o, const lab_part *part, uint32_t n)
{
    const bool named[LAB_NEEDS] = {o->liar,      o->storm,       o->blind,
                                   o->tick != 0, o->stand_clock, o->unit_clock};
    unsigned misfits = 0, i;
    for (i = 0; i < LAB_NEEDS; i++) {
        const size_t len = strlen(needs[i].scheme);
        uint32_t k = 0;
        while (k < n && strncmp(part[k].s->name, needs[i].scheme, len) != 0)
            k++;
        if (named[i] && k == n) misfits |= 1u << i;
    }
    return misfits;
}

const char *lab_fault_need(unsigned i)
{
    return needs[i].need;
}

void lab_trouble_text(const lab_options *o, char *text, size_t bytes)
{
    const struct {
        const char *name;
        char kind;
        uint64_t value; /* 0: none; flags: 1; LAB_NEVER: the default */
    } item[] = {{"pause", 't', o->pause},
                {"sleep", 't', o->sleep},
                {"clockstep", 's', (uint64_t)o->clock_step},
                {"speed", 'r', o->speed_bps},
                {"nic", 'r', o->nic_bps},
                {"reroute", 0, o->reroute},
                {"blind", 0, o->blind},
                {"nak", 'n', o->nak_permille},
                {"standclock", 0, o->stand_clock},
                {"unit", 0, o->unit_clock}};
    const lab_ps from = lab_trouble_from(o), last = lab_trouble_end(o);
    size_t at = 0, i;
    for (i = 0; i < sizeof item / sizeof item[0]; i++) {
        const bool plain = item[i].kind == 0 || item[i].value == LAB_NEVER;
        if (item[i].value == 0 || at >= bytes) continue;
        at += (size_t)snprintf(text + at, bytes - at, "%s%s%s%s", at == 0 ? "" : ", ",
                               item[i].name, plain ? "" : "=",
                               plain ? "" : lab_text(item[i].kind, item[i].value));
    }
    if (at >= bytes) return;
    if (from == last)
        (void)snprintf(text + at, bytes - at, " at %s", lab_text('t', from));
    else
        (void)snprintf(text + at, bytes - at, " from %s until %s", lab_text('t', from),
                       lab_text('t', last));
}

/* ---- what happens */

bool lab_trouble_now(const lab *l)
{
    return l->now >= lab_trouble_from(l->o) && l->now < lab_trouble_until(l->o);
}

bool lab_wrong_clock(const lab_options *o)
{
    return o->tick != 0 || o->stand_clock || o->unit_clock || o->clock_step != 0;
}

/* Returns a node's clock. A clock that stood or counted us is right again
 * afterwards. */
uint64_t lab_clock_ns(const lab *l, const lab_node *node)
{
    const lab_options *o = l->o;
    const uint64_t tick_ns = rocecc_max(o->tick / 1000, 1);
    uint64_t passed_ns = l->now / 1000;
    if (node == l->bottleneck->node && lab_trouble_now(l)) {
        const uint64_t from_ns = lab_trouble_from(o) / 1000;
        if (o->stand_clock) passed_ns = from_ns;
        if (o->unit_clock) passed_ns = from_ns + (passed_ns - from_ns) / 1000;
    }
    passed_ns += node->clock_ns;
    return passed_ns - passed_ns % tick_ns;
}

bool lab_trouble_blinds(const lab *l, const lab_node *node)
{
    return l->o->blind && node == l->bottleneck->node && lab_trouble_now(l);
}

bool lab_trouble_drops(lab *l, const lab_port *port, const lab_packet *p)
{
    const uint32_t permille = l->o->nak_permille;
    if (permille == 0 || port != l->bottleneck || !lab_is_data(p) ||
        !lab_trouble_now(l))
        return false;
    /* To lose a share f in bursts of B, each packet outside a burst begins one with
     * probability f / (B - (B - 1) f). */
    if (l->trouble.burst == 0 &&
        lab_random(l) % (1000 * BURST - (BURST - 1) * permille) < permille)
        l->trouble.burst = BURST;
    if (l->trouble.burst == 0) return false;
    l->trouble.burst--;
    return true;
}

/* Returns the given rate, or by default a quarter of the old rate. */
static uint64_t rate_of(uint64_t said_bps, uint64_t was_bps)
{
    return said_bps == LAB_NEVER ? was_bps / 4 : said_bps;
}

/* Returns true if the host sends a flow. */
static bool sends(const lab *l, const lab_node *host)
{
    uint32_t i = 0;
    while (i < l->n_flows && l->flow[i].from != host)
        i++;
    return i < l->n_flows;
}

/* Sets another rate for each sender's NIC, and calls the schemes' `relink`. */
static void nic(lab *l, uint64_t rate_bps)
{
    uint32_t i;
    for (i = 0; i < (l->mutual ? l->n_receivers : l->first_receiver); i++)
        if (!l->mutual || sends(l, l->node[i]))
            lab_rate(&l->node[i]->port[0], rate_bps);
    l->nic_bps = rate_bps;
    for (i = 0; i < l->n_parts; i++)
        if (l->part[i].s->relink != NULL) l->part[i].s->relink(l, &l->part[i]);
}

static void begin(lab *l, void *who, uint64_t what)
{
    const lab_options *o = l->o;
    lab_port *port = l->bottleneck;
    (void)who;
    (void)what;
    lab_account(l, port);
    l->trouble.began = true;
    l->trouble.before_bytes = port->count.most_bytes;
    port->count.most_bytes = lab_queued(port);
    port->node->clock_ns += (uint64_t)(o->clock_step / 1000);
    l->detour = o->reroute;
    if (o->sleep != 0) l->asleep = span(o, o->sleep);
    if (o->pause != 0) lab_pause(l, port, LAB_DATA, span(o, o->pause));
    if (o->speed_bps != 0) lab_rate(port, rate_of(o->speed_bps, o->rate_bps));
    if (o->nic_bps != 0) nic(l, rate_of(o->nic_bps, l->line_bps));
}

static void end(lab *l, void *who, uint64_t what)
{
    const lab_options *o = l->o;
    (void)who;
    (void)what;
    if (o->speed_bps != 0) lab_rate(l->bottleneck, l->trouble.rate_bps);
    if (o->nic_bps != 0) nic(l, l->line_bps);
}

/* ---- what came of it */

static lab_ps hold_of(const lab *l)
{
    const lab_ps packets =
        HOLD_PACKETS * (l->mtu + 102) * l->bottleneck->byte_ps_q8 / 256;
    return rocecc_max(HOLD_RTTS * l->base_rtt, packets);
}

/* Notes the bytes received and the queue, from the end of the trouble on. */
static void watch(lab *l, void *who, uint64_t what)
{
    lab_trouble *t = &l->trouble;
    lab_slot *s = &t->slot[t->n++];
    lab_port *port = l->bottleneck;
    uint32_t i;
    (void)who;
    (void)what;
    if (t->n == 1) {
        lab_account(l, port);
        t->during_bytes = port->count.most_bytes;
        port->count.most_bytes = lab_queued(port);
    }
    s->queue_bytes = lab_queued(port);
    for (i = 0; i < l->n_flows; i++)
        s->got += l->flow[i].got;
    if (t->n < t->slots) lab_at(l, l->now + t->slot_ps, watch, NULL, 0);
}

void lab_trouble_setup(lab *l)
{
    const lab_options *o = l->o;
    const bool twin = o->watched != 0;
    const lab_ps last = twin ? o->watched : lab_trouble_end(o);
    const lab_ps rest = o->duration - last;
    lab_trouble *t = &l->trouble;
    uint64_t random = o->seed;
    uint32_t i;
    for (i = 0; i < l->n_nodes && o->tick != 0; i++) /* each clock has its own phase */
        l->node[i]->clock_ns += lab_draw(&random) % (o->tick / 1000);
    if (!twin && !lab_troubled(o)) return;
    t->slot_ps = rocecc_max(hold_of(l) / HOLD, rest / SLOTS + 1);
    t->slots = (uint32_t)(rest / t->slot_ps) + 1;
    t->slot = lab_get(t->slots, sizeof *t->slot);
    t->rate_bps = l->bottleneck->rate_bps;
    if (!twin) lab_at(l, lab_trouble_from(o), begin, NULL, 0);
    if (!twin) lab_at(l, lab_trouble_until(o), end, NULL, 0);
    lab_at(l, last, watch, NULL, 0);
}

/* Runs the twin, which has no trouble, but is watched from the same time on. */
static lab *twin_of(const lab *l, lab_options *o)
{
    lab *twin;
    *o = *l->o;
    o->watched = lab_trouble_end(o);
    o->pause = o->sleep = 0;
    o->speed_bps = o->nic_bps = 0;
    o->clock_step = 0;
    o->reroute = o->blind = o->stand_clock = o->unit_clock = false;
    o->nak_permille = 0;
    twin = lab_new_mixed(l->part, l->n_parts, o);
    if (twin != NULL) lab_run(twin, o->duration);
    return twin;
}

/* Returns the bytes received in HOLD slots, and the sum of their queue lengths. */
static lab_slot over(const lab_trouble *t, uint32_t from)
{
    lab_slot sum = {t->slot[from + HOLD].got - t->slot[from].got, 0};
    uint32_t i;
    for (i = from; i < from + HOLD; i++)
        sum.queue_bytes += t->slot[i].queue_bytes;
    return sum;
}

/* Returns the time from the end of the trouble to the first HOLD slots after all bad
 * ones. Returns LAB_NEVER if the last HOLD slots are bad, or if there are too few. */
static lab_ps after(const lab_trouble *t, uint32_t bad, uint32_t n)
{
    return bad == n ? LAB_NEVER : bad * t->slot_ps;
}

/*
 * Compares a run with its twin over any HOLD consecutive slots. The run has recovered
 * when, from then on, it gets at least 90 % of the twin's bytes in the same slots, or
 * the twin's minimum. It has drained when, from then on, its mean queue is at most a
 * BDP longer than the twin's longest mean queue. An oscillating scheme is compared with
 * its oscillation.
 */
static void compare(const lab_trouble *a, const lab_trouble *b, uint64_t bdp_bytes,
                    lab_result *r)
{
    const uint32_t both = (uint32_t)rocecc_min(a->n, b->n);
    const uint32_t n = both > HOLD ? both - HOLD : 0;
    lab_slot worst = {UINT64_MAX, 0};
    uint32_t i, slow = 0, full = 0;
    for (i = 0; i < n; i++) {
        const lab_slot y = over(b, i);
        worst.got = rocecc_min(worst.got, y.got);
        worst.queue_bytes = rocecc_max(worst.queue_bytes, y.queue_bytes);
    }
    for (i = 0; i < n; i++) {
        const lab_slot x = over(a, i), y = over(b, i);
        if (x.got * 10 < y.got * 9 && x.got < worst.got) slow = i + 1;
        if (x.queue_bytes > worst.queue_bytes + HOLD * bdp_bytes) full = i + 1;
    }
    r->recovery = after(a, slow, n);
    r->drained = after(a, full, n);
}

/* Returns true if a flow had not ended when the trouble ended. */
static bool outlives_trouble(const lab *l)
{
    const lab_ps last = lab_trouble_end(l->o);
    uint32_t i = 0;
    while (i < l->n_flows && l->flow[i].end != 0 && l->flow[i].end <= last)
        i++;
    return i < l->n_flows;
}

/* Sets the longest queues, unless the run ended before the trouble. If the run ended
 * within the trouble, the queue after it is 0. */
static void of_queue(const lab_trouble *t, lab_result *r)
{
    const uint64_t since = r->queue_most_bytes;
    if (!t->began) return;
    r->queue_during_bytes = t->n == 0 ? since : t->during_bytes;
    r->queue_after_bytes = t->n == 0 ? 0 : since;
    r->queue_most_bytes =
        rocecc_max(since, rocecc_max(t->before_bytes, t->during_bytes));
}

void lab_trouble_results(const lab *l, lab_result *r)
{
    const lab_trouble *t = &l->trouble;
    const uint64_t bdp_bytes = l->base_rtt / 1000 * (l->o->rate_bps / 1000) / 8000000;
    lab_options o;
    lab *twin;
    if (!lab_troubled(l->o)) return;
    of_queue(t, r);
    r->recovery = r->drained = !outlives_trouble(l) ? LAB_NO_FLOW
                               : !l->endless        ? LAB_UNKNOWN
                                                    : LAB_NEVER;
    if (r->recovery != LAB_NEVER || (twin = twin_of(l, &o)) == NULL) return;
    compare(t, &twin->trouble, bdp_bytes, r);
    lab_free(twin);
}

/* SPDX-License-Identifier: BSD-2-Clause */

/* Measures a table of 65,536 slots, half of them held, and a lookup with none held. */
#include "cost.h"
#include "rocecc/guard/backlog.h"

#include <string.h>

#define SLOTS (1u << 16)

static rocecc_traffic_slot slots[SLOTS], ask_slots[SLOTS], counted[SLOTS];
static rocecc_pause_holders who[SLOTS];
static uint32_t has[1];
static const rocecc_pause_memory memory = {slots, who, has};
static rocecc_pause_params params;
static rocecc_pause table, idle;
static rocecc_ask asks;
static rocecc_backlog backlog;
static volatile uint32_t sink;

static rocecc_pause_traffic traffic(unsigned i)
{
    rocecc_pause_traffic x;
    memset(&x, 0, sizeof x);
    x.inner.src.b[0] = 0x20;
    x.inner.src.b[14] = (uint8_t)(i >> 16);
    x.inner.src.b[15] = (uint8_t)(i >> 8);
    x.inner.src_port = (uint16_t)(i & 0xff);
    x.inner.proto = 17;
    return x;
}

COST uint32_t cost_pause_packet_idle(const rocecc_pause_traffic *x, uint64_t now_ns)
{
    return rocecc_pause_packet(&params, &idle, slots, x, now_ns).what;
}

COST uint32_t cost_pause_packet(const rocecc_pause_traffic *x, uint64_t now_ns)
{
    return rocecc_pause_packet(&params, &table, slots, x, now_ns).what;
}

COST uint32_t cost_pause_notify(const rocecc_pause_notice *m, uint64_t now_ns)
{
    return rocecc_pause_notify(&params, &table, &memory, m, now_ns).what;
}

COST uint32_t cost_pause_timer(uint32_t slot, uint64_t now_ns)
{
    return rocecc_pause_timer(&params, &table, &memory, slot, now_ns).what;
}

COST uint32_t cost_ask_queue(const rocecc_pause_traffic *x, uint64_t now_ns)
{
    return rocecc_ask_queue(&params, &asks, ask_slots, x, now_ns).what;
}

COST uint32_t cost_backlog_add(const rocecc_pause_traffic *x, uint32_t bytes)
{
    return rocecc_backlog_add(&params, &backlog, counted, x, bytes).slot;
}

COST uint64_t cost_backlog_sub(uint32_t slot, uint32_t bytes)
{
    return rocecc_backlog_sub(&backlog, counted, slot, bytes);
}

static rocecc_pause_notice notice(unsigned i)
{
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    m.flow = traffic(i).inner;
    m.type = 1;
    m.has_flow = m.has_time = true;
    m.time_ns = 1000000;
    return m;
}

static void sizes(unsigned i)
{
    uint32_t k;
    COST_SIZE(rocecc_pause);
    COST_SIZE(rocecc_pause_holders);
    COST_SIZE(rocecc_traffic_slot);
    COST_SIZE(rocecc_ask);
    COST_SIZE(rocecc_backlog);
    if (i > 0) return;
    params = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    params.hash_key[0] = 1;
    params.requesters = 1;
    params.max_slots_per_requester = SLOTS;
    asks = rocecc_ask_start(SLOTS);
    backlog = rocecc_backlog_start(SLOTS);
    idle = rocecc_pause_start(SLOTS);
    table = rocecc_pause_start(SLOTS);
    for (k = 0; k < SLOTS / 2; k++) {
        const rocecc_pause_notice m = notice(2 * k);
        (void)rocecc_pause_notify(&params, &table, &memory, &m, 0);
    }
}

/* One flow in two is held. */
static void packet(unsigned i)
{
    const rocecc_pause_traffic x = traffic(i * 7919u % SLOTS);
    sink = cost_pause_packet(&x, 1);
}

static void packet_idle(unsigned i)
{
    const rocecc_pause_traffic x = traffic(i);
    sink = cost_pause_packet_idle(&x, 1);
}

/* Extends an existing pause. */
static void notify(unsigned i)
{
    const rocecc_pause_notice m = notice(i * 7918u % SLOTS);
    sink = cost_pause_notify(&m, i);
}

static void timer(unsigned i)
{
    sink = cost_pause_timer(i * 7919u % SLOTS, 1);
}

/* Queues a packet of a flow below XOFF, like most flows. */
static void queue(unsigned i)
{
    rocecc_pause_traffic x = traffic(i * 7919u % SLOTS);
    x.bytes = 1000;
    sink = cost_ask_queue(&x, 1);
}

/* Adds a packet to a flow that already waits. sub() removes one. */
static void add(unsigned i)
{
    const rocecc_pause_traffic x = traffic(i % 64);
    sink = cost_backlog_add(&x, 1500);
}

static void sub(unsigned i)
{
    const rocecc_pause_traffic x = traffic(i % 64);
    const uint32_t slot = rocecc_backlog_add(&params, &backlog, counted, &x, 1500).slot;
    sink = (uint32_t)cost_backlog_sub(slot, 1500);
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_ask_queue", queue},
                                  {"cost_backlog_add", add},
                                  {"cost_backlog_sub", sub},
                                  {"cost_pause_notify", notify},
                                  {"cost_pause_packet", packet},
                                  {"cost_pause_packet_idle", packet_idle},
                                  {"cost_pause_timer", timer}};

COST_MAIN(cases)

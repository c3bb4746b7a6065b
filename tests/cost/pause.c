/* SPDX-License-Identifier: BSD-2-Clause */

/* A table of 65,536 slots, half of them held; beside a packet's lookup, none held.
 */
#include "cost.h"
#include "rocecc/guard/pause.h"

#include <string.h>

#define SLOTS (1u << 16)

static rocecc_pause_entry slots[SLOTS];
static rocecc_pause_params params;
static rocecc_pause table, idle;
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
    return rocecc_pause_notify(&params, &table, slots, m, now_ns).what;
}

COST uint32_t cost_pause_timer(uint32_t slot, uint64_t now_ns)
{
    return rocecc_pause_timer(&params, &table, slots, slot, now_ns).what;
}

COST uint32_t cost_pause_queue(const rocecc_pause_traffic *x, uint64_t now_ns)
{
    return rocecc_pause_queue(&params, &table, slots, x, now_ns).what;
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
    COST_SIZE(rocecc_pause_entry);
    if (i > 0) return;
    params = rocecc_pause_lab(ROCECC_PAUSE_FLOW);
    params.hash_key[0] = 1;
    idle = rocecc_pause_start(SLOTS);
    table = rocecc_pause_start(SLOTS);
    for (k = 0; k < SLOTS / 2; k++) {
        const rocecc_pause_notice m = notice(2 * k);
        (void)rocecc_pause_notify(&params, &table, slots, &m, 0);
    }
}

/* One in two is held. */
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

/* A pause that is there gets longer. */
static void notify(unsigned i)
{
    const rocecc_pause_notice m = notice(i * 7918u % SLOTS);
    sink = cost_pause_notify(&m, i);
}

static void timer(unsigned i)
{
    sink = cost_pause_timer(i * 7919u % SLOTS, 1);
}

/* A flow below XOFF, which is the most of them. */
static void queue(unsigned i)
{
    rocecc_pause_traffic x = traffic(i * 7919u % SLOTS);
    x.bytes = 1000;
    sink = cost_pause_queue(&x, 1);
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_pause_notify", notify},
                                  {"cost_pause_packet", packet},
                                  {"cost_pause_packet_idle", packet_idle},
                                  {"cost_pause_queue", queue},
                                  {"cost_pause_timer", timer}};

COST_MAIN(cases)

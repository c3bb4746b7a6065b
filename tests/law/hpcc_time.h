/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_HPCC_TIME_H
#define TESTS_LAW_HPCC_TIME_H

/*
 * hpcc_time.h - simulates one flow of HPCC++ in a closed loop over 1 to 3 links. Each
 * link has a queue, other traffic, and its own clock. Drawn faults of any length are
 * silence of up to 10 s, clock steps, counters that wrap, other paths, other link
 * rates, and reports that are missing, incomplete or reordered.
 *
 *   flow --> [q] link 0 --> [q] link 1 --> [q] link 2 --,
 *     ^         others         others         others    |
 *     '---------------- ACKs, 8 steps later ------------'
 *
 * After the last fault and reorder + (8 + (maxStage + 1) (4 + halvings of W below
 * W_blind)) T, goodput must be within 10 % of a twin's without faults. While reports
 * are missing or incomplete, W must not rise above the limit of the blind rule.
 */
#include "hpcc.h"

#define LOOP_STEP_NS 1024
#define LOOP_DELAY 8 /* steps from the last link back to the sender */
#define LOOP_HOPS 3
#define LOOP_TROUBLES 3
#define LOOP_FLIGHTS 16
#ifndef LOOP_RECOVERY_T
#define LOOP_RECOVERY_T 8
#define LOOP_RECOVERY_STAGES 4
#endif

typedef struct loop_link {
    uint64_t step_bytes;              /* bytes that it sends in a step */
    uint64_t others;                  /* bytes that others send in a step */
    uint64_t flow_bytes, other_bytes; /* in the queue */
    uint64_t tx, clock_ns, id;
} loop_link;

/* Bytes that left the last link in a step, and the links' records. */
typedef struct loop_flight {
    uint64_t bytes;
    rocecc_hop hops[LOOP_HOPS];
} loop_flight;

typedef struct loop {
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hpcc_hop l[LOOP_HOPS];
    loop_link links[LOOP_HOPS];
    loop_flight flights[LOOP_FLIGHTS];
    uint64_t now_ns, sent, acked, window, rate_bps;
    uint32_t n, step;
    uint8_t hide; /* state of the reports, LOOP_... */
    uint8_t ecn;
    bool swap, broken;
} loop;

enum { LOOP_SHOW, LOOP_NOTHING, LOOP_TOO_MANY, LOOP_PART };

LAW_FN uint64_t loop_mod(uint64_t x, uint64_t modulus)
{
    return modulus == 0 ? x : x % modulus;
}

LAW_FN void loop_react(loop *f, const loop_flight *b)
{
    rocecc_hpcc_event r = {b->hops, f->n, 0, 0, f->now_ns, f->ecn, false};
    const rocecc_hpcc before = f->s;
    rocecc_hpcc_action act;
    r.seq = (uint32_t)f->acked;
    r.snd_nxt = (uint32_t)f->sent;
    if (f->hide == LOOP_NOTHING) r.n_hops = 0;
    if (f->hide == LOOP_TOO_MANY) r.n_hops = f->p.max_hops + 1u;
    r.incomplete = f->hide == LOOP_PART;
    act = rocecc_hpcc_ack(&f->p, &f->s, f->l, &r);
    if (!law_hpcc_bounds(&f->p, &f->s, &act) ||
        !law_hpcc_kept(&f->p, &before, &f->s, &act))
        f->broken = true;
    /* Without a whole report, W does not rise above W_blind, or W_init if unmarked. */
    if (f->hide != LOOP_SHOW) {
        const uint64_t top =
            f->ecn == ROCECC_HPCC_ECN_UNMARKED ? f->p.w_init_bytes : f->p.w_blind_bytes;
        if (f->s.window_q20 > rocecc_max(before.window_q20, top << 20))
            f->broken = true;
    }
    f->window = act.window_bytes;
    f->rate_bps = act.rate_bps;
}

/* Serves a link for one step (FIFO). Returns the flow's bytes that pass. */
LAW_FN uint64_t loop_serve(loop_link *k, uint64_t in)
{
    uint64_t waits, out;
    k->flow_bytes += in;
    k->other_bytes += k->others;
    waits = k->flow_bytes + k->other_bytes;
    out = k->flow_bytes;
    if (waits > k->step_bytes) {
        out = k->step_bytes * k->flow_bytes / waits;
        k->other_bytes -= k->step_bytes - out;
        k->tx += k->step_bytes;
    } else {
        k->other_bytes = 0;
        k->tx += waits;
    }
    k->flow_bytes -= out;
    return out;
}

/* Runs one step, and returns the bytes that came back. */
LAW_FN uint64_t loop_step(loop *f)
{
    const loop_flight *back =
        &f->flights[(f->step + LOOP_FLIGHTS - LOOP_DELAY) % LOOP_FLIGHTS];
    loop_flight *b = &f->flights[f->step % LOOP_FLIGHTS];
    const uint64_t flying = f->sent - f->acked;
    uint64_t bytes = f->rate_bps / 8000 * LOOP_STEP_NS / 1000000;
    uint32_t i;
    f->now_ns += LOOP_STEP_NS;
    bytes =
        rocecc_min(rocecc_max(bytes, 1), f->window > flying ? f->window - flying : 0);
    f->sent += bytes;
    for (i = 0; i < f->n; i++) {
        loop_link *k = &f->links[i];
        rocecc_hop h = {0, 0, 0, 0, 0, 0, 31};
        bytes = loop_serve(k, bytes);
        k->clock_ns += LOOP_STEP_NS;
        h.id = k->id;
        h.rate_bps = k->step_bytes * 8000000000u / LOOP_STEP_NS;
        h.tx_bytes = loop_mod(k->tx, f->p.tx_mod_bytes);
        h.ts_ns = loop_mod(k->clock_ns, f->p.ts_mod_ns);
        h.queue_bytes =
            (uint32_t)rocecc_min(k->flow_bytes + k->other_bytes, UINT32_MAX);
        b->hops[i] = h;
    }
    b->bytes = bytes;
    f->step++;
    bytes = back->bytes;
    if (bytes == 0) return 0;
    f->acked += bytes;
    if (f->swap && f->step % 2 == 0) /* by the previous step's report */
        back = &f->flights[(f->step + LOOP_FLIGHTS - LOOP_DELAY - 2) % LOOP_FLIGHTS];
    loop_react(f, back);
    return bytes;
}

LAW_FN uint64_t loop_run(loop *f, uint32_t steps)
{
    uint64_t bytes = 0;
    for (; steps > 0; steps--)
        bytes += loop_step(f);
    return bytes;
}

/* Returns parameters for a NIC with step_bytes per step, from a preset. */
LAW_FN rocecc_hpcc_params loop_params(uint8_t how, uint64_t step_bytes)
{
    static const uint64_t mods[4][3] = {
        {0, 0, 1000000000},
        {1000000000, (uint64_t)1 << 32, 40000000},
        {1 << 24, (uint64_t)1 << 29, 5000000},
        {(uint64_t)1 << 32, (uint64_t)1 << 40, 1000000000}};
    rocecc_hpcc_params p = rocecc_hpcc_paper(step_bytes * 8000000000u / LOOP_STEP_NS);
    p.base_rtt_ns = (LOOP_DELAY + 1) * LOOP_STEP_NS;
    p.max_stage = how & 7;
    p.reorder_ns = 4 * p.base_rtt_ns;
    p.w_init_bytes = p.w_max_bytes = step_bytes * (LOOP_DELAY + 1);
    p.w_blind_bytes = p.w_init_bytes / 20;
    p.w_ai_q8 = p.w_init_bytes * 256 / 2000;
    p.ts_mod_ns = mods[how >> 3 & 3][0];
    p.tx_mod_bytes = mods[how >> 3 & 3][1];
    p.dt_max_ns = (uint32_t)mods[how >> 3 & 3][2];
    p.fastest_bps = UINT64_C(400000000000);
    return p;
}

/* Starts a loop from 8 bytes. Returns false if init() refuses the parameters. */
LAW_FN bool loop_start(loop *f, const uint8_t *b, uint64_t step_bytes)
{
    const loop nothing = {0};
    uint32_t i;
    *f = nothing;
    f->p = loop_params(b[0], step_bytes);
    f->n = 1 + b[1] % LOOP_HOPS;
    if (rocecc_hpcc_init(&f->p) != ROCECC_HPCC_ACCEPTED) return false;
    f->s = rocecc_hpcc_start(&f->p);
    f->window = f->p.w_init_bytes;
    f->rate_bps = step_bytes * 8000000000u / LOOP_STEP_NS;
    f->now_ns = 1000;
    for (i = 0; i < f->n; i++) {
        f->links[i].step_bytes = i == 1 ? 2 * step_bytes : step_bytes;
        f->links[i].others = f->links[i].step_bytes * (b[2 + i] & 127) / 256; /* 1/2 */
        f->links[i].id = i + 1;
        f->links[i].clock_ns = (uint64_t)b[5 + i] << 56;
    }
    return true;
}

/* Returns a number of any magnitude, up to `most` unless it is 0. */
LAW_FN uint64_t loop_any(const uint8_t *b, uint64_t most)
{
    const uint64_t x = (uint64_t)rocecc_load32(b + 1) << 32 | rocecc_load32(b + 1);
    return most == 0 ? x >> (b[0] & 63) : (x >> (b[0] & 63)) % (most + 1);
}

/* Lets gap_ns pass without the flow. With `drained`, nothing of it is in flight. */
LAW_FN void loop_silence(loop *f, uint64_t gap_ns, bool drained)
{
    uint32_t i;
    if (drained) {
        const uint64_t window = f->window;
        f->window = 0;
        for (i = 0; i < 4000 && f->sent != f->acked; i++) {
            (void)loop_step(f);
            f->window = 0;
        }
        f->window = window;
    }
    f->now_ns += gap_ns;
    for (i = 0; i < f->n; i++) {
        f->links[i].clock_ns += gap_ns;
        f->links[i].tx += f->links[i].others * (gap_ns / LOOP_STEP_NS);
    }
}

/* Halves or doubles the rate of the NIC and each link. */
LAW_FN void loop_relink(loop *f, const uint8_t *b, bool faster)
{
    rocecc_hpcc_action act;
    uint32_t i;
    uint64_t step_bytes = f->links[0].step_bytes;
    step_bytes = faster ? 2 * step_bytes : step_bytes / 2;
    if (step_bytes < 3200 || step_bytes > 51200) return;
    f->p = loop_params(b[0], step_bytes);
    (void)rocecc_hpcc_init(&f->p);
    for (i = 0; i < f->n; i++) {
        f->links[i].step_bytes = i == 1 ? 2 * step_bytes : step_bytes;
        f->links[i].others = f->links[i].step_bytes * (b[2 + i] & 127) / 256;
    }
    act = rocecc_hpcc_relink(&f->p, &f->s);
    f->window = act.window_bytes;
    f->rate_bps = act.rate_bps;
}

/* Applies a fault from 12 bytes at t. b is the input of loop_start(). */
LAW_FN void loop_trouble(loop *f, const uint8_t *b, const uint8_t *t)
{
    loop_link *k = &f->links[t[1] % f->n];
    uint32_t i;
    switch (t[0] % 9) {
    case 0: /* silence, up to 10 s */
        loop_silence(f, loop_any(t + 2, UINT64_C(10000000000)), (t[1] & 128) != 0);
        break;
    case 1:
        k->clock_ns += loop_any(t + 2, 0);
        break;
    case 2:
        k->clock_ns -= loop_any(t + 2, 0);
        break;
    case 3:
        k->tx += loop_any(t + 2, 0);
        break;
    case 4: /* another path */
        for (i = 0; i < f->n; i++) {
            f->links[i].id += (t[1] & 128) != 0 ? 10 : 0;
            f->links[i].tx ^= loop_any(t + 2, 0);
            f->links[i].clock_ns += loop_any(t + 7, 0);
        }
        break;
    case 5:
        loop_relink(f, b, (t[1] & 1) != 0);
        break;
    case 6: /* missing, too long or incomplete reports */
        f->hide = (uint8_t)(1 + t[1] % 3);
        f->ecn = t[2] % 3;
        (void)loop_run(f, t[3] % 256 * 2u);
        f->hide = LOOP_SHOW;
        f->ecn = ROCECC_HPCC_ECN_UNKNOWN;
        break;
    case 7: /* step of the host's clock, either way */
        f->now_ns += loop_any(t + 2, UINT64_C(10000000000)) * ((t[1] & 1) != 0 ? 1 : 0);
        f->now_ns -= rocecc_min(f->now_ns, loop_any(t + 7, UINT64_C(10000000000)));
        break;
    default: /* reordered reports */
        f->swap = true;
        (void)loop_run(f, t[3]);
        f->swap = false;
    }
}

/* Returns the recovery time of hpcc.h, in steps. */
LAW_FN uint32_t loop_recovery_steps(const loop *f)
{
    uint64_t w = f->s.window_q20 >> 20;
    uint32_t halvings = 0;
    for (; w < f->p.w_blind_bytes; w = 2 * w + (w == 0))
        halvings++;
    return (LOOP_RECOVERY_T +
            (f->p.max_stage + 1u) * (LOOP_RECOVERY_STAGES + halvings)) *
               (LOOP_DELAY + 1) +
           f->p.reorder_ns / LOOP_STEP_NS;
}

/* Draws a loop and its faults, and checks its goodput after the recovery time. */
LAW_FN uint32_t law_hpcc_time(rocecc_reader r)
{
    static loop f, twin;
    const uint32_t round = LOOP_DELAY + 1;
    uint32_t digest = LAW_START;
    uint64_t got, twins;
    const uint8_t *b = rocecc_take(&r, 8), *t;
    int i;
    if (b == NULL || !loop_start(&f, b, 12800)) return digest;
    (void)loop_run(&f, 20 * round);
    for (i = 0; i < LOOP_TROUBLES && (t = rocecc_take(&r, 13)) != NULL; i++) {
        loop_trouble(&f, b, t);
        (void)loop_run(&f, t[12] & 63);
    }
    (void)loop_run(&f, loop_recovery_steps(&f));
    got = loop_run(&f, 4 * round);
    (void)loop_start(&twin, b, f.links[0].step_bytes);
    (void)loop_run(&twin, 50 * round);
    twins = loop_run(&twin, 4 * round);
    LAW(!f.broken && !twin.broken);
    LAW(got * 10 >= twins * 9);
    LAW(got * 10 <= twins * 11);
    return law_mix(digest, got);
}

#endif /* TESTS_LAW_HPCC_TIME_H */

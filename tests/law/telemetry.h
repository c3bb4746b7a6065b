/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_TELEMETRY_H
#define TESTS_LAW_TELEMETRY_H

#include "csig.h"
#include "draw.h"
#include "rocecc/telemetry/csig.h"
#include "rocecc/telemetry/path.h"

/*
 * A run has LAW_TELEMETRY_BYTES bytes of a configuration and of a record of any bits.
 * Then come the nodes of a path, with a header made so that they are whole.
 *
 *    0  seconds, no table of speeds, clock (2), ts_bits 0, tx_bits 0, layout,
 *       every_node
 *    1  ts_bits, 2 tx_bits, 3 shift of the rate
 *    4  rate (4), queue unit and util_one (4), their shifts (1 each), -
 *   15  the highest bit selects the trace type of HPCC
 *   16  the record
 */
#define LAW_TELEMETRY_BYTES 80
#define LAW_TELEMETRY_HOPS 8

/* Speeds by code. Some codes have no speed, and two have the same. */
static const uint64_t law_telemetry_speeds[ROCECC_TELEMETRY_SPEEDS] = {
    UINT64_C(10000000000),
    UINT64_C(25000000000),
    UINT64_C(40000000000),
    UINT64_C(50000000000),
    UINT64_C(100000000000),
    UINT64_C(200000000000),
    0,
    UINT64_C(100000000000),
    UINT64_C(400000000000)};

LAW_FN void law_telemetry_configure(rocecc_telemetry_config *c, const uint8_t *b)
{
    const rocecc_report_layout none = ROCECC_ZERO;
    int i;
    c->seconds = (b[0] & 1) != 0;
    for (i = 0; i < ROCECC_TELEMETRY_SPEEDS; i++)
        c->speeds_bps[i] = (b[0] & 2) == 0 ? law_telemetry_speeds[i] : 0;
    c->clock = b[0] >> 2 & 3;
    c->ts_bits = (b[0] & 16) == 0 ? b[1] : 0;
    c->tx_bits = (b[0] & 32) == 0 ? b[2] : 0;
    c->rate_bps = (uint64_t)(rocecc_load32(b + 4) >> (b[3] & 31)) * 2500;
    c->queue_unit_bytes = rocecc_load32(b + 8) >> (b[12] & 31);
    c->util_one = rocecc_load32(b + 8) >> (b[13] & 31);
    c->every_node = (b[0] & 128) != 0;
    c->layout = none;
}

LAW_FN uint32_t law_telemetry_digest(uint32_t digest, const rocecc_hop *h)
{
    digest = law_mix(digest, h->id);
    digest = law_mix(digest, h->rate_bps);
    digest = law_mix(digest, h->tx_bytes);
    digest = law_mix(digest, h->ts_ns);
    digest = law_mix(digest, (uint64_t)h->queue_bytes << 32 | h->util_q20);
    return law_mix(digest, h->valid);
}

LAW_FN bool law_telemetry_same(const rocecc_hop *a, const rocecc_hop *b)
{
    return a->id == b->id && a->rate_bps == b->rate_bps && a->tx_bytes == b->tx_bytes &&
           a->ts_ns == b->ts_ns && a->queue_bytes == b->queue_bytes &&
           a->util_q20 == b->util_q20 && a->valid == b->valid;
}

/* Returns true if missing items are 0, and clocks and counters below their moduli. */
LAW_FN bool law_telemetry_sound(const rocecc_hop *h, rocecc_telemetry_moduli m,
                                unsigned may)
{
    return (h->valid & ~may) == 0 && ((h->valid & ROCECC_HOP_ID) != 0 || h->id == 0) &&
           ((h->valid & ROCECC_HOP_RATE) != 0) == (h->rate_bps != 0) &&
           ((h->valid & ROCECC_HOP_QUEUE) != 0 || h->queue_bytes == 0) &&
           ((h->valid & ROCECC_HOP_TX) != 0 || h->tx_bytes == 0) &&
           ((h->valid & ROCECC_HOP_TS) != 0 || h->ts_ns == 0) &&
           ((h->valid & ROCECC_HOP_UTIL) != 0 || h->util_q20 == 0) &&
           (m.ts_mod_ns == 0 || h->ts_ns < m.ts_mod_ns) &&
           (h->tx_bytes < m.tx_mod_bytes || m.tx_mod_bytes == 0) &&
           (m.dt_max_ns < m.ts_mod_ns || m.ts_mod_ns == 0) && m.dt_max_ns <= 1000000000;
}

/* Returns true if a fraction of a second is `ns` ns. */
LAW_FN bool law_telemetry_fraction(uint8_t clock, uint32_t fraction, uint64_t ns)
{
    const uint64_t parts = (uint64_t)fraction * 1000000000u;
    if (clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return ns << 32 <= parts && parts < (ns + 1) << 32;
    if (clock == ROCECC_TELEMETRY_CLOCK_POSIX) return ns == fraction * UINT64_C(1000);
    return ns == fraction;
}

/* Returns true if a fraction is below a second. */
LAW_FN bool law_telemetry_timely(uint8_t clock, uint32_t fraction)
{
    if (clock == ROCECC_TELEMETRY_CLOCK_NTP) return true;
    return fraction < (clock == ROCECC_TELEMETRY_CLOCK_POSIX ? 1000000u : 1000000000u);
}

/* Returns the lowest code of a rate in the table, or 63. */
LAW_FN int law_telemetry_code(const rocecc_telemetry_config *c, uint64_t rate_bps)
{
    int code = 63, i;
    for (i = 8; i >= 0; i--)
        if (c->speeds_bps[i] == rate_bps && rate_bps != 0) code = i;
    return code;
}

LAW_FN rocecc_ioam_node law_telemetry_ioam_node(const uint8_t *b)
{
    const uint32_t has = rocecc_load32(b) | rocecc_load32(b + 4);
    const uint64_t wide = rocecc_load64(b + 32) >> (b[15] & 63);
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    if ((has & 1) != 0) n.word[0] = rocecc_load32(b + 8);
    if ((has & 2) != 0) n.word[1] = rocecc_load16(b + 12);
    if ((has & 4) != 0) n.word[2] = rocecc_load32(b + 16);
    if ((has & 8) != 0) n.word[3] = rocecc_load32(b + 20) >> (b[14] & 15);
    if ((has & 16) != 0) n.word[6] = rocecc_load32(b + 24);
    if ((has & 32) != 0) {
        n.word[8] = (uint32_t)(wide >> 32);
        n.word[9] = (uint32_t)wide;
    }
    if ((has & 64) != 0) n.word[11] = rocecc_load32(b + 40);
    if ((has & 128) != 0) n.word[26] = rocecc_load32(b + 44);
    if ((has & 256) != 0) n.word[27] = (uint32_t)b[48] >> (b[49] & 7) << 26;
    return n;
}

/*
 * Values from one step of a law to the next. A verifier reads each step once, and
 * forgets the values in between.
 */
typedef struct law_telemetry_run {
    uint8_t b[LAW_TELEMETRY_BYTES];
    rocecc_telemetry_config c;
    rocecc_hop h, again;
    rocecc_ioam_node ioam;
    rocecc_ifa_node ifa;
    rocecc_intmd_node intmd;
} law_telemetry_run;

#if defined(__bpf__)
static law_telemetry_run law_telemetry_kept;
#define LAW_TELEMETRY_RUN(name) law_telemetry_run *const name = &law_telemetry_kept
#else
#define LAW_TELEMETRY_RUN(name)                                                        \
    law_telemetry_run name##_;                                                         \
    law_telemetry_run *const name = &name##_
#endif

LAW_FN bool law_telemetry_read(rocecc_reader r, law_telemetry_run *run)
{
    const uint8_t *b = rocecc_take(&r, LAW_TELEMETRY_BYTES);
    int i;
    if (b == NULL) return false;
    for (i = 0; i < LAW_TELEMETRY_BYTES; i++)
        run->b[i] = b[i];
    law_telemetry_configure(&run->c, run->b);
    return true;
}

/* Checks the hop of an IOAM record. */
LAW_FN uint32_t law_telemetry_ioam_is(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    const rocecc_telemetry_moduli m =
        rocecc_telemetry_moduli_derive(c, ROCECC_TELEMETRY_IOAM, c->rate_bps, 0);
    const rocecc_ioam_node *n = &run->ioam;
    rocecc_hop *h = &run->h;
    bool time;
    LAW((rocecc_telemetry_init(c) == ROCECC_OK) ==
        (c->clock < 3 && c->ts_bits <= 54 && c->tx_bits <= 40));
    run->ioam = law_telemetry_ioam_node(run->b + 16);
    *h = rocecc_telemetry_ioam_load(c, n);
    LAW(m.ts_mod_ns == UINT64_C(1000000000) * (c->seconds ? (uint64_t)1 << 32 : 1));
    LAW(law_telemetry_sound(h, m, 31));
    time = n->word[3] != UINT32_MAX && law_telemetry_timely(c->clock, n->word[3]) &&
           (!c->seconds || n->word[2] != UINT32_MAX);
    LAW(((h->valid & ROCECC_HOP_TS) != 0) == time);
    if (time)
        LAW(law_telemetry_fraction(
            c->clock, n->word[3],
            h->ts_ns - (c->seconds ? n->word[2] * UINT64_C(1000000000) : 0)));
    return law_telemetry_digest(LAW_START, h);
}

/* Stores the hop over the old record. The old content makes no difference. */
LAW_FN uint32_t law_telemetry_ioam_stored(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    rocecc_telemetry_ioam_store(c, &run->h, &run->ioam);
    return LAW_START;
}

LAW_FN uint32_t law_telemetry_ioam_again(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    run->again = rocecc_telemetry_ioam_load(c, &run->ioam);
    return LAW_START;
}

/* Removes an item that a record cannot express. */
LAW_FN void law_telemetry_unsaid(rocecc_hop *h, uint8_t item, uint64_t *v)
{
    h->valid = (uint8_t)(h->valid & ~(unsigned)item);
    *v = 0;
}

LAW_FN uint32_t law_telemetry_ioam_same(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    const rocecc_hop *again = &run->again;
    rocecc_hop h = run->h;
    uint64_t queue = h.queue_bytes;
    if ((h.valid & ROCECC_HOP_TX) != 0)
        LAW(again->tx_bytes == h.tx_bytes - (h.tx_bytes == UINT32_MAX ? 1 : 0));
    h.tx_bytes = again->tx_bytes;
    if ((uint32_t)h.id == UINT32_MAX) law_telemetry_unsaid(&h, ROCECC_HOP_ID, &h.id);
    if (h.ts_ns >= UINT32_MAX * UINT64_C(1000000000))
        law_telemetry_unsaid(&h, ROCECC_HOP_TS, &h.ts_ns);
    if (law_telemetry_code(c, h.rate_bps) == 63 && h.rate_bps != c->rate_bps) {
        law_telemetry_unsaid(&h, ROCECC_HOP_RATE, &h.rate_bps);
        h.rate_bps = c->rate_bps;
        if (c->rate_bps != 0) h.valid |= ROCECC_HOP_RATE;
    }
    if (h.queue_bytes == UINT32_MAX && c->queue_unit_bytes == 1)
        law_telemetry_unsaid(&h, ROCECC_HOP_QUEUE, &queue);
    h.queue_bytes = (uint32_t)queue;
    LAW(law_telemetry_same(&h, again));
    return LAW_START;
}

LAW_FN uint32_t law_telemetry_ioam(rocecc_reader r)
{
    LAW_TELEMETRY_RUN(run);
    uint32_t digest;
    if (!law_telemetry_read(r, run)) return LAW_START;
    digest = law_telemetry_ioam_is(run);
    LAW(digest != LAW_BROKEN);
    LAW(law_telemetry_ioam_stored(run) != LAW_BROKEN);
    LAW(law_telemetry_ioam_again(run) != LAW_BROKEN);
    LAW(law_telemetry_ioam_same(run) != LAW_BROKEN);
    return digest;
}

LAW_FN rocecc_ifa_node law_telemetry_ifa_node(const uint8_t *b)
{
    static const rocecc_ifa_node none;
    rocecc_ifa_node n = none;
    n.layout = b[0] & 3;
    n.speed = b[1] & 15;
    n.present = rocecc_load16(b + 2) | rocecc_load16(b + 4);
    n.device_id = rocecc_load32(b + 8) >> (b[6] & 31);
    n.rx_timestamp_sec = rocecc_load64(b + 12) >> (b[7] & 63);
    n.egress_port = rocecc_load16(b + 20);
    n.rx_timestamp_ns = rocecc_load32(b + 24) >> (b[1] >> 6);
    n.tx_timestamp_ns = rocecc_load32(b + 28) >> (b[1] >> 4 & 3);
    n.residence_time = rocecc_load32(b + 32) >> (b[0] >> 6);
    n.tx_bytes = rocecc_load64(b + 36);
    n.queue_length = rocecc_load32(b + 44) >> (b[0] >> 2 & 15);
    return n;
}

/* Returns true if an IFA record can express the whole hop. */
LAW_FN bool law_telemetry_ifa_carries(const rocecc_telemetry_config *c,
                                      const rocecc_hop *h, uint8_t layout)
{
    const uint64_t node = layout == ROCECC_IFA_LAYOUT_A ? 0x100000 : 0x10000000;
    if ((h->valid | ROCECC_HOP_RATE) != 31 || h->id >> 32 >= node ||
        h->id % UINT64_C(0x100000000) > 0xffff)
        return false;
    return layout == ROCECC_IFA_LAYOUT_B_OCTETS ||
           (c->queue_unit_bytes != 0 &&
            h->queue_bytes <= UINT64_C(0xffff) * c->queue_unit_bytes);
}

LAW_FN uint32_t law_telemetry_ifa_is(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    const rocecc_ifa_node *n = &run->ifa;
    rocecc_hop *h = &run->h;
    rocecc_telemetry_moduli m;
    bool a;
    run->ifa = law_telemetry_ifa_node(run->b + 16);
    a = n->layout == ROCECC_IFA_LAYOUT_A;
    m = rocecc_telemetry_moduli_derive(
        c, a ? ROCECC_TELEMETRY_IFA_A : ROCECC_TELEMETRY_IFA_B, c->rate_bps,
        rocecc_load32(run->b + 4));
    *h = rocecc_telemetry_ifa_load(c, n);
    LAW(law_telemetry_sound(h, m, 31));
    LAW(((h->valid & ROCECC_HOP_RATE) != 0) ==
        (a ? n->speed < 7 && (n->present & ROCECC_IFA_SPEED) != 0 : c->rate_bps != 0));
    if (a && (h->valid & ROCECC_HOP_TS) != 0)
        LAW(n->residence_time < 1000000000 && n->rx_timestamp_ns < 1000000000 &&
            ((n->rx_timestamp_sec & 0xfffff) * 1000000000 + n->rx_timestamp_ns +
             n->residence_time) %
                    (UINT64_C(1000000000) << 20) ==
                h->ts_ns);
    return law_telemetry_digest(LAW_START, h);
}

LAW_FN uint32_t law_telemetry_ifa_again(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    const uint8_t layout = run->ifa.layout;
    const bool carries = law_telemetry_ifa_carries(c, &run->h, layout);
    const rocecc_status status = rocecc_telemetry_ifa_emit(c, &run->h, &run->ifa);
    LAW(status == (carries ? ROCECC_OK : ROCECC_ERR_RANGE));
    run->again = rocecc_telemetry_ifa_load(c, &run->ifa);
    return LAW_START + status;
}

LAW_FN uint32_t law_telemetry_ifa_same(law_telemetry_run *run, uint32_t status)
{
    const rocecc_hop *again = &run->again;
    rocecc_hop h = run->h;
    if (run->ifa.layout != ROCECC_IFA_LAYOUT_A) /* without a speed */
        h.rate_bps = again->rate_bps;
    LAW(status != LAW_START + ROCECC_OK || law_telemetry_same(&h, again));
    return status;
}

LAW_FN uint32_t law_telemetry_ifa(rocecc_reader r)
{
    LAW_TELEMETRY_RUN(run);
    uint32_t digest, status;
    if (!law_telemetry_read(r, run)) return LAW_START;
    digest = law_telemetry_ifa_is(run);
    LAW(digest != LAW_BROKEN);
    status = law_telemetry_ifa_again(run);
    LAW(status != LAW_BROKEN);
    LAW(law_telemetry_ifa_same(run, status) != LAW_BROKEN);
    return law_mix(digest, status);
}

LAW_FN rocecc_intmd_node law_telemetry_intmd_node(const uint8_t *b)
{
    const uint32_t asked = rocecc_load16(b) | rocecc_load16(b + 2);
    const uint64_t ts = rocecc_load64(b + 20) >> (b[9] & 63);
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    if ((asked & 0x8000) != 0)
        n.word[0] = rocecc_load32(b + 4) | (uint32_t) - (b[8] & 1);
    if ((asked & 0x4000) != 0)
        n.word[1] = rocecc_load16(b + 10) | ((uint32_t) - (b[8] >> 1 & 1) & 0xffff);
    if ((asked & 0x1000) != 0)
        n.word[3] = (rocecc_load32(b + 16) | (uint32_t) - (b[8] >> 3 & 1)) & 0xffffff;
    if ((asked & 0x0400) != 0) {
        n.word[6] = (uint32_t)(ts >> 32);
        n.word[7] = (uint32_t)ts;
    }
    if ((asked & 0x0200) != 0) {
        n.word[8] = 0;
        n.word[9] = rocecc_load32(b + 12) | (uint32_t) - (b[8] >> 2 & 1);
    }
    if ((asked & 0x0100) != 0) n.word[10] = rocecc_load32(b + 28) >> (b[8] >> 4);
    return n;
}

LAW_FN uint32_t law_telemetry_intmd_is(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    const rocecc_telemetry_moduli m =
        rocecc_telemetry_moduli_derive(c, ROCECC_TELEMETRY_INTMD, c->rate_bps, 0);
    rocecc_hop *h = &run->h;
    run->intmd = law_telemetry_intmd_node(run->b + 16);
    *h = rocecc_telemetry_intmd_load(c, &run->intmd);
    LAW(law_telemetry_sound(h, m, 55));
    LAW(((h->valid & ROCECC_HOP_TS) != 0) ==
        rocecc_intmd_has(&run->intmd, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP));
    return law_telemetry_digest(LAW_START, h);
}

LAW_FN uint32_t law_telemetry_intmd_again(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    rocecc_telemetry_intmd_store(c, &run->h, &run->intmd);
    run->again = rocecc_telemetry_intmd_load(c, &run->intmd);
    return LAW_START;
}

LAW_FN uint32_t law_telemetry_intmd_same(law_telemetry_run *run)
{
    const rocecc_telemetry_config *const c = &run->c;
    const rocecc_hop *again = &run->again;
    rocecc_hop h = run->h;
    if (h.id >> 32 == UINT32_MAX) law_telemetry_unsaid(&h, ROCECC_HOP_ID, &h.id);
    if (h.ts_ns == UINT64_MAX && c->clock != ROCECC_TELEMETRY_CLOCK_POSIX)
        law_telemetry_unsaid(&h, ROCECC_HOP_TS, &h.ts_ns);
    if (h.ts_ns != again->ts_ns) { /* us beyond 2^64 ns */
        LAW(c->clock == ROCECC_TELEMETRY_CLOCK_POSIX && c->ts_bits == 0 &&
            h.ts_ns - again->ts_ns < 1000);
        h.ts_ns = again->ts_ns;
    }
    if (h.util_q20 == UINT32_MAX) { /* the largest value of a hop */
        h.util_q20 = again->util_q20;
        h.valid &= again->valid | (ROCECC_HOP_UTIL ^ 0xff);
    }
    if (((uint64_t)h.util_q20 * c->util_one + 524288) >> 20 >= UINT32_MAX) {
        uint64_t util = h.util_q20;
        law_telemetry_unsaid(&h, ROCECC_HOP_UTIL, &util);
        h.util_q20 = 0;
    }
    LAW(law_telemetry_same(&h, again));
    return LAW_START;
}

LAW_FN uint32_t law_telemetry_intmd(rocecc_reader r)
{
    LAW_TELEMETRY_RUN(run);
    uint32_t digest;
    if (!law_telemetry_read(r, run)) return LAW_START;
    digest = law_telemetry_intmd_is(run);
    LAW(digest != LAW_BROKEN);
    LAW(law_telemetry_intmd_again(run) != LAW_BROKEN);
    LAW(law_telemetry_intmd_same(run) != LAW_BROKEN);
    return digest;
}

/* Checks a tag as a sample and a hop, and a hop as values that a port compares. */
LAW_FN uint32_t law_telemetry_csig(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, LAW_TELEMETRY_BYTES);
    LAW_KEPT rocecc_telemetry_config c;
    rocecc_csig tag;
    rocecc_hpcc_csig_event s = {0, 7, 1, 2, 3, 0};
    rocecc_csig_measured local;
    rocecc_hop h;
    uint64_t v = 0;
    const rocecc_telemetry_rate rate = {5, UINT64_C(400000000000)};
    rocecc_telemetry_rates rates = rocecc_telemetry_rates_attach(&rate, 1);
    bool is, min, known;
    if (b == NULL) return LAW_START;
    law_telemetry_configure(&c, b);
    tag.tpid = 0;
    tag.wide = (b[16] & 1) != 0;
    tag.type = b[16] >> 1 & 7;
    tag.value = rocecc_load32(b + 20) >> (tag.wide ? 12 : 27);
    tag.reserved = 0;
    tag.locator = b[19] & 7;
    tag.no_update = false;
    min = rocecc_csig_is_min(tag.type);
    known = tag.locator == 5 || (c.rate_bps >= 256 && c.rate_bps < ROCECC_RATE_END_BPS);
    is = rocecc_telemetry_csig_sample(&c, &rates, &law_csig_table, &tag, &s);
    h = rocecc_telemetry_csig_load(&c, &rates, &law_csig_table, &tag);
    LAW(s.seq == 1 && s.snd_nxt == 2 && s.now_ns == 3);
    if (rocecc_csig_dequantise(&law_csig_table, &tag, &v) != ROCECC_OK)
        LAW(!is);
    else if (tag.type == ROCECC_CSIG_ABW)
        LAW(is == known);
    else
        LAW(is);
    LAW(is || (s.signal == 0 && s.value == 7));
    LAW(!is || (min ? s.signal == ROCECC_HPCC_UTILISATION && s.value <= ROCECC_ONE_Q20
                    : s.signal == tag.type && (s.value == v || v > UINT32_MAX)));
    LAW(((h.valid & ROCECC_HOP_UTIL) != 0) == (is && min));
    LAW((h.valid & (ROCECC_HOP_ID | ROCECC_HOP_TX | ROCECC_HOP_TS)) == 0);

    h.util_q20 |= rocecc_load32(b + 24) >> (b[17] & 31);
    h.queue_bytes |= rocecc_load32(b + 28) >> (b[18] & 31);
    local = rocecc_telemetry_csig_store(&h);
    LAW(local.value[ROCECC_CSIG_PD] == 0);
    if ((h.valid & ROCECC_HOP_UTIL) != 0)
        LAW(local.value[ROCECC_CSIG_ABW_C] ==
            (h.util_q20 > 1048576 ? 0 : 1048576 - h.util_q20));
    else
        LAW(local.value[ROCECC_CSIG_ABW_C] == UINT64_MAX &&
            local.value[ROCECC_CSIG_ABW] == UINT64_MAX);
    LAW((h.valid & ROCECC_HOP_QUEUE) != 0 || local.value[ROCECC_CSIG_NQD] == 0);
    v = law_mix(law_telemetry_digest(LAW_START, &h), s.value);
    v = law_mix((uint32_t)v, local.value[ROCECC_CSIG_ABW]);
    return law_mix((uint32_t)v, local.value[ROCECC_CSIG_NQD]);
}

/* Returns a digest of the hops of a path. The newest is the last. */
LAW_FN uint32_t law_telemetry_hops(const rocecc_hop *hops,
                                   const rocecc_telemetry_path *path)
{
    uint32_t digest = law_mix(LAW_START, path->n), i;
    digest = law_mix(digest, path->complete);
    for (i = 0; i < LAW_TELEMETRY_HOPS && i < path->n; i++) {
        size_t at = i;
        ROCECC_BPF_MASK_(at, LAW_TELEMETRY_HOPS - 1);
        digest = law_telemetry_digest(digest, &hops[at]);
    }
    return digest;
}

LAW_FN uint32_t law_telemetry_ioam_path(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, LAW_TELEMETRY_BYTES);
    const rocecc_ioam_config ioam = {0, 12, 13, false};
    LAW_KEPT rocecc_hop hops[LAW_TELEMETRY_HOPS];
    rocecc_telemetry_path path = {0, 0};
    LAW_KEPT rocecc_telemetry_config c;
    rocecc_ioam_view v;
    rocecc_status status;
    size_t bytes;
    if (b == NULL) return LAW_START;
    law_telemetry_configure(&c, b);
    v.trace = rocecc_ioam_trace_load(b + 16);
    v.trace.trace_type &= ROCECC_IOAM_TYPE_DATA & ~ROCECC_IOAM_SNAPSHOT;
    if ((b[15] & 128) != 0) v.trace.trace_type = ROCECC_IOAM_TYPE_HPCC;
    v.trace.node_len = rocecc_ioam_node_len(v.trace.trace_type);
    bytes = v.trace.node_len * (size_t)4;
    if (bytes == 0) return LAW_START;
    v.nodes = r;
    v.count = (uint8_t)rocecc_min(rocecc_left(&r) / bytes, 255);
    v.config = ioam;
    if ((b[0] & 64) != 0)
        rocecc_ioam_layout_update(&ioam, v.trace.trace_type, &c.layout);
    status = rocecc_telemetry_ioam_path(&c, &v, hops, LAW_TELEMETRY_HOPS, &path);
    LAW(status == (v.count > LAW_TELEMETRY_HOPS ? ROCECC_ERR_SPACE : ROCECC_OK));
    if (status != ROCECC_OK) return LAW_START;
    LAW(path.n == v.count && path.complete <= ROCECC_TELEMETRY_COMPLETE_YES);
    LAW((v.trace.flags & 8) == 0 || path.complete == ROCECC_TELEMETRY_COMPLETE_NO);
    LAW(c.every_node || path.complete != ROCECC_TELEMETRY_COMPLETE_YES);
    LAW(!c.every_node || path.complete != ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
#if !defined(__bpf__) && !defined(__FRAMAC__)
    {
        rocecc_reader nodes = v.nodes;
        rocecc_report_layout l = ROCECC_ZERO;
        rocecc_ioam_node n, newer;
        bool missing = (v.trace.flags & 8) != 0;
        uint32_t i = v.count;
        rocecc_ioam_node_init(&newer);
        rocecc_ioam_layout_update(&ioam, v.trace.trace_type, &l);
        while (rocecc_ioam_node_next(&v, &l, &nodes, &n) == ROCECC_OK) {
            const rocecc_hop h = rocecc_telemetry_ioam_load(&c, &n);
            uint8_t between = 0;
            LAW(i-- > 0 && law_telemetry_same(&hops[i], &h));
            if (rocecc_ioam_node_gap(&newer, &n, &between) == ROCECC_ERR_FORMAT ||
                between != 0)
                missing = true;
            newer = n;
        }
        LAW(i == 0);
        LAW((path.complete == ROCECC_TELEMETRY_COMPLETE_NO) == missing);
    }
#endif
    return law_telemetry_hops(hops, &path);
}

LAW_FN uint32_t law_telemetry_ifa_path(rocecc_reader r)
{
    const uint8_t *b = rocecc_take(&r, LAW_TELEMETRY_BYTES);
    const rocecc_ifa_config ifa = {253, 0x7fff, 0x8000, 0, 0, 0, 0, false};
    LAW_KEPT rocecc_hop hops[LAW_TELEMETRY_HOPS];
    rocecc_telemetry_path path = {0, 0};
    LAW_KEPT rocecc_telemetry_config c;
    rocecc_ifa v;
    rocecc_status status;
    if (b == NULL) return LAW_START;
    law_telemetry_configure(&c, b);
    LAW_FORGET(&c);
    v.header = rocecc_ifa_header_load(b + 16);
    v.metadata = rocecc_ifa_metadata_load(b + 20);
    v.nodes = r;
    v.config = ifa;
    status = rocecc_telemetry_ifa_path(&c, &v, hops, LAW_TELEMETRY_HOPS, &path);
    LAW(status != ROCECC_ERR_SPACE || rocecc_left(&r) >= 32 * (LAW_TELEMETRY_HOPS + 1));
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    LAW(path.n == rocecc_left(&r) / 32);
    LAW(path.complete == ((v.header.flags & 0x11) != 0 ? ROCECC_TELEMETRY_COMPLETE_NO
                          : v.metadata.hop_limit > 0 && c.every_node &&
                                  v.header.max_length - v.metadata.current_length >= 8
                              ? ROCECC_TELEMETRY_COMPLETE_YES
                              : ROCECC_TELEMETRY_COMPLETE_UNKNOWN));
#if !defined(__bpf__) && !defined(__FRAMAC__)
    {
        rocecc_ifa_node n;
        uint32_t i = path.n;
        while (rocecc_ifa_node_next(&ifa, &r, &n) == ROCECC_OK) {
            const rocecc_hop h = rocecc_telemetry_ifa_load(&c, &n);
            LAW(i-- > 0 && law_telemetry_same(&hops[i], &h));
        }
        LAW(i == 0);
    }
#endif
    return law_telemetry_hops(hops, &path);
}

/* Checks a path with these instructions, or with the run's if 0. */
LAW_FN uint32_t law_telemetry_intmd_path(rocecc_reader r, uint16_t instructions)
{
    const uint8_t *b = rocecc_take(&r, LAW_TELEMETRY_BYTES);
    LAW_KEPT rocecc_hop hops[LAW_TELEMETRY_HOPS];
    rocecc_telemetry_path path = {0, 0};
    LAW_KEPT rocecc_telemetry_config c;
    rocecc_intmd v;
    rocecc_status status;
    size_t bytes;
    if (b == NULL) return LAW_START;
    law_telemetry_configure(&c, b);
    LAW_FORGET(&c);
    v.header = rocecc_intmd_header_load(b + 16);
    if (instructions != 0) v.header.instructions = instructions;
    v.header.hop_ml = rocecc_intmd_words(v.header.instructions);
    bytes = v.header.hop_ml * (size_t)4;
    if (bytes == 0) return LAW_START;
    v.source_words = 0;
    v.nodes = r;
    v.n_nodes = (uint8_t)rocecc_min(rocecc_left(&r) / bytes, 255);
    status = rocecc_telemetry_intmd_path(&c, &v, hops, LAW_TELEMETRY_HOPS, &path);
    LAW(status == (v.n_nodes > LAW_TELEMETRY_HOPS ? ROCECC_ERR_SPACE : ROCECC_OK));
    if (status != ROCECC_OK) return law_mix(LAW_START, status);
    LAW(path.n == v.n_nodes);
    LAW((path.complete == ROCECC_TELEMETRY_COMPLETE_NO) == (v.header.e || v.header.m));
    LAW(path.complete != ROCECC_TELEMETRY_COMPLETE_YES ||
        (c.every_node && (v.header.instructions & 0x7e) == 0 && v.header.ds_id == 0 &&
         v.header.ds_instruction == 0));
#if !defined(__bpf__) && !defined(__FRAMAC__)
    {
        rocecc_reader nodes = v.nodes;
        rocecc_report_layout l = ROCECC_ZERO;
        rocecc_intmd_node n;
        uint32_t i = v.n_nodes;
        rocecc_intmd_layout_update(v.header.instructions, &l);
        while (rocecc_intmd_node_next(&v, &l, &nodes, &n) == ROCECC_OK) {
            const rocecc_hop h = rocecc_telemetry_intmd_load(&c, &n);
            LAW(i-- > 0 && law_telemetry_same(&hops[i], &h));
        }
        LAW(i == 0);
    }
#endif
    return law_telemetry_hops(hops, &path);
}

/* Checks all but the path of IOAM. Its nodes leave no room on the verifier's stack. */
LAW_FN uint32_t law_telemetry_loads(rocecc_reader r)
{
    uint32_t digest = law_telemetry_ioam(r), part;
    LAW(digest != LAW_BROKEN);
    part = law_telemetry_ifa(r);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    part = law_telemetry_intmd(r);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    part = law_telemetry_csig(r);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    part = law_telemetry_ifa_path(r);
    LAW(part != LAW_BROKEN);
    digest = law_mix(digest, part);
    part = law_telemetry_intmd_path(r, ROCECC_INTMD_HPCC);
    LAW(part != LAW_BROKEN);
    return law_mix(digest, part);
}

LAW_FN uint32_t law_telemetry(rocecc_reader r)
{
    const uint32_t digest = law_telemetry_loads(r);
    uint32_t part;
    LAW(digest != LAW_BROKEN);
    LAW(law_telemetry_intmd_path(r, 0) != LAW_BROKEN);
    part = law_telemetry_ioam_path(r);
    LAW(part != LAW_BROKEN);
    return law_mix(digest, part);
}

#endif /* TESTS_LAW_TELEMETRY_H */

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_TELEMETRY_IFA_H
#define ROCECC_ROLE_TELEMETRY_IFA_H

/*
 * telemetry_ifa.h - the hop that an IFA record tells of, and the record of a hop.
 * telemetry.h has what each item becomes. draft-kumar-ippm-ifa.
 *
 *     100a013f 40312345 00660065 3b9ac230 000003e8 fffff000 00000040 0001f400
 *
 * layout A, in cells of 256 bytes: device 0xa01, egress 102, 100 Gb/s, a queue of 16384
 * bytes, at 0x12345 s and 999998000 + 1000 ns.
 */
#include "../wire/ifa.h"
#include "telemetry.h"

/* Whether a record has all of these items. */
ROCECC_FN bool rocecc_telemetry_ifa_has_(const rocecc_ifa_node *n, uint32_t items)
{
    return (n->present & items) == items;
}

/* When the packet left. */
ROCECC_FN void rocecc_telemetry_ifa_ts_(const rocecc_telemetry_config *c,
                                        const rocecc_ifa_node *n, rocecc_hop *h)
{
    const uint32_t second_ns = ROCECC_TELEMETRY_SECOND_NS;
    if (n->layout == ROCECC_IFA_LAYOUT_A) {
        const uint32_t ns = n->rx_timestamp_ns + n->residence_time; /* if below 2 s */
        if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_RX_SEC | ROCECC_IFA_RX_NS |
                                             ROCECC_IFA_RESIDENCE) &&
            n->residence_time < second_ns && n->rx_timestamp_ns < second_ns)
            rocecc_telemetry_ts_(h, (n->rx_timestamp_sec + ns / second_ns) & 0xfffff,
                                 ns % second_ns);
    } else if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_TX_NS)) {
        if (c->ts_bits == 0) {
            rocecc_telemetry_ts_(h, 0, n->tx_timestamp_ns);
        } else {
            h->ts_ns =
                n->tx_timestamp_ns & (rocecc_telemetry_wrap_(c->ts_bits, 32) - 1);
            h->valid |= ROCECC_HOP_TS;
        }
    }
}

/*
 * The hop of an IFA record. The time is that of the departure; a residence of a second
 * and more, which devices have been seen to write, leaves it unreported.
 */
ROCECC_FN rocecc_hop rocecc_telemetry_ifa_load(const rocecc_telemetry_config *c,
                                               const rocecc_ifa_node *n)
{
    const uint64_t speed_bps = rocecc_ifa_speed_bps(n->speed);
    const bool a = n->layout == ROCECC_IFA_LAYOUT_A;
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const bool speed = a && speed_bps != 0 && (n->present & ROCECC_IFA_SPEED) != 0;
    rocecc_hop h = rocecc_telemetry_start_(speed ? speed_bps : c->rate_bps);
    if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_EGRESS))
        rocecc_telemetry_id_(&h, n->device_id, n->egress_port);
    if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_QUEUE_LENGTH))
        rocecc_telemetry_queue_(&h, n->queue_length, octets ? 1 : c->queue_unit_bytes);
    if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_TX_BYTES))
        rocecc_telemetry_tx_(&h, n->tx_bytes, rocecc_telemetry_tx_mod_(c, a ? 32 : 40));
    rocecc_telemetry_ifa_ts_(c, n, &h);
    return h;
}

/* Whether a record of n's layout has room for all that it has to say. */
ROCECC_FN bool rocecc_telemetry_ifa_fits_(const rocecc_telemetry_config *c,
                                          const rocecc_hop *h, const rocecc_ifa_node *n)
{
    const unsigned all =
        ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS;
    const unsigned bits = n->layout == ROCECC_IFA_LAYOUT_A ? 20 : 28;
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    if ((h->valid & all) != all || (h->id >> 32) >> bits != 0 ||
        (h->id & 0xffff0000u) != 0)
        return false;
    return octets || (c->queue_unit_bytes != 0 &&
                      rocecc_telemetry_units_(h, c->queue_unit_bytes) >> 16 == 0);
}

/*
 * The items of a record of n->layout; of A it arrives when it departs. LNS, TTL, queue,
 * congestion and ingress are the caller's. RANGE: an item is not valid or does not fit
 * its field, where a record cannot leave it out; only a rate it can.
 */
ROCECC_FN rocecc_status rocecc_telemetry_ifa_emit(const rocecc_telemetry_config *c,
                                                  const rocecc_hop *h,
                                                  rocecc_ifa_node *n)
{
    const unsigned items = ROCECC_IFA_EGRESS | ROCECC_IFA_TX_BYTES |
                           ROCECC_IFA_QUEUE_LENGTH | ROCECC_IFA_RX_SEC |
                           ROCECC_IFA_RX_NS | ROCECC_IFA_TX_NS | ROCECC_IFA_RESIDENCE;
    const bool a = n->layout == ROCECC_IFA_LAYOUT_A;
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const uint64_t seconds = ROCECC_DIV64(h->ts_ns, ROCECC_TELEMETRY_SECOND_NS);
    uint32_t ns = (uint32_t)(h->ts_ns - seconds * ROCECC_TELEMETRY_SECOND_NS);
    if (!rocecc_telemetry_ifa_fits_(c, h, n)) return ROCECC_ERR_RANGE;
    if (!a && c->ts_bits != 0)
        ns = (uint32_t)(h->ts_ns & (rocecc_telemetry_wrap_(c->ts_bits, 32) - 1));
    n->device_id = (uint32_t)(h->id >> 32);
    n->egress_port = (uint16_t)h->id;
    n->speed = ROCECC_IFA_SPEED_NONE;
    if (a && (h->valid & ROCECC_HOP_RATE) != 0)
        n->speed = rocecc_ifa_speed_code(h->rate_bps);
    n->queue_length = octets
                          ? h->queue_bytes
                          : (uint32_t)rocecc_telemetry_units_(h, c->queue_unit_bytes);
    n->tx_bytes = h->tx_bytes & (a ? 0xffffffff : 0xffffffffff);
    n->rx_timestamp_sec = a ? seconds & 0xfffff : seconds;
    n->rx_timestamp_ns = n->tx_timestamp_ns = ns;
    n->residence_time = 0;
    n->present = (uint16_t)((n->present & ~(unsigned)ROCECC_IFA_SPEED) | items);
    if (n->speed != ROCECC_IFA_SPEED_NONE) n->present |= ROCECC_IFA_SPEED;
    return ROCECC_OK;
}

#endif /* ROCECC_ROLE_TELEMETRY_IFA_H */

/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/telemetry_rate.h"
#include "prove.h"

/* Looks up any id in any entries, even if init() refuses them. */
void main(void)
{
    static rocecc_telemetry_rate e[5];
    static rocecc_telemetry_rates t;
    static rocecc_hop h;
    const uint32_t n = (uint32_t)Frama_C_interval(0, 5);
    uint64_t rate_bps;
    Frama_C_make_unknown((char *)e, sizeof e);
    Frama_C_make_unknown((char *)&h, sizeof h);
    (void)law_telemetry_rate(prove_reader());
    (void)rocecc_telemetry_rates_init(e, ROCECC_TELEMETRY_RATES_MAX + 1, &t);
    (void)rocecc_telemetry_rates_init(e, n, &t);
    t = rocecc_telemetry_rates_attach(e, n);
    rate_bps = rocecc_telemetry_rates_lookup(&t, prove_any());
    t.half = (uint32_t)prove_any(); /* not from attach() */
    rate_bps = rocecc_telemetry_rates_lookup(&t, prove_any());
    (void)rocecc_telemetry_rates_apply(&t, &h);
    (void)rate_bps;
}

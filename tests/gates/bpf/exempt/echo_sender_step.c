/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Writes an ACK's hops to a map, for all four formats in one program, which is too
 * much. The parts for each format load. echo.c finds and opens the record, and
 * telemetry.c and telemetry_ioam_path.c read the path.
 */
#include "../bpf.h"
#include "rocecc/role/echo.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_telemetry_config config;
rocecc_hop hops[4];
rocecc_echo_sender_result heard;

__attribute__((noinline)) int hear(struct xdp_md *x, uint32_t format)
{
    const rocecc_echo_sender_event e = {7, 8, 9, 4, (uint8_t)format, 10, 11};
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_echo_sender_step(&config, &p, e, hops, &heard);
    return rocecc_echo_sender_needs_action(heard.verdict);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    (void)walk(x);
    return hear(x, domain.link);
}
#endif

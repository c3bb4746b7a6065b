/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_ROLE_H
#define TESTS_LAW_ROLE_H

/*
 * role.h - packets for the laws of the roles, as random bytes are rarely a frame. The
 * functions write a template, patch it with the run's bytes, and correct its ICRC.
 */
#include "draw.h"
#include "fastcnp.h"

#define LAW_ROLE_BYTES 160 /* of a packet */
#define LAW_ROLE_ROOM 128  /* of the answer */
#define LAW_ROLE_MENDS 4

#if !defined(__bpf__)
/*
 * Writes a Fast CNP from 2001:db8:ffff::1 to 2001:db8:1::10, for a flow to
 * 2001:db8:2::20.
 */
LAW_FN void law_role_fast(rocecc_writer *w, bool ioam)
{
    static const uint8_t trace[] = {0, 0, 0x10, 0, 0x82, 0, 0, 0,
                                    0, 0, 0,    1, 0,    0, 8, 0};
    const rocecc_domain d = {.fastcnp = law_fastcnp_config(0)};
    const rocecc_ip6 src = {
        {0x20, 1, 0x0d, 0xb8, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    const rocecc_ip6 dst = {
        {0x20, 1, 0x0d, 0xb8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10}};
    const rocecc_ip6 to = {
        {0x20, 1, 0x0d, 0xb8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20}};
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_packet p;
    rocecc_fastcnp h;
    cnp.src = src;
    cnp.dst = dst;
    cnp.src_port = 0xc123;
    cnp.dest_qp = 0xabcd;
    h.kind = ioam ? ROCECC_FASTCNP_IOAM : ROCECC_FASTCNP_PLAIN;
    h.flow_dst = to;
    h.reserved = h.opt_type = 0;
    h.trace_bytes = ioam ? sizeof trace : 0;
    h.trace_at = h.at = 0;
    rocecc_headers_clear(&p.headers);
    p.bytes = rocecc_reader_of(trace, trace + sizeof trace);
    p.domain = &d;
    (void)rocecc_fastcnp_build(w, &p, ROCECC_ICRC_MASKED, &cnp, &h);
}

/* Writes a CNP without an option. */
LAW_FN void law_role_cnp(rocecc_writer *w, bool v4)
{
    const rocecc_ip4 a = {{192, 0, 2, 1}}, b = {{192, 0, 2, 2}};
    const rocecc_ip6 src = {
        {0x20, 1, 0x0d, 0xb8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20}};
    const rocecc_ip6 dst = {
        {0x20, 1, 0x0d, 0xb8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10}};
    rocecc_cnp cnp = rocecc_cnp_default();
    cnp.src = v4 ? rocecc_ip6_of_ip4(&a) : src;
    cnp.dst = v4 ? rocecc_ip6_of_ip4(&b) : dst;
    cnp.dest_qp = 0x123456;
    (void)rocecc_cnp_build(w, &cnp);
}

/*
 * Makes a packet. The low 2 bits of `how` select a Fast CNP without (0) or with a trace
 * (1), or a CNP over IPv6 (2) or IPv4 (3). 4 makes it data, 8 marks it CE, and 16 keeps
 * its ICRC. A patch is 2 bytes of r, offset and addend.
 */
LAW_FN rocecc_reader law_role_packet(uint8_t how, rocecc_reader r, uint8_t *bytes)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_writer w = law_writer(bytes, LAW_ROLE_BYTES);
    const bool v4 = (how & 3) == 3;
    size_t n;
    rocecc_packet p;
    uint32_t icrc;
    int i;
    if ((how & 2) == 0)
        law_role_fast(&w, (how & 1) != 0);
    else
        law_role_cnp(&w, v4);
    n = law_wrote(&w);
    if (how & 4) bytes[n - 32] = 0x11; /* RC ACK, 12 bytes too long */
    if (how & 8) bytes[1] |= v4 ? 3 : 0x30;
    for (i = 0; i < LAW_ROLE_MENDS; i++) {
        const size_t at = law_u8(&r);
        const uint8_t more = law_u8(&r);
        if (at < n) bytes[at] = (uint8_t)(bytes[at] + more);
    }
    if ((how & 16) == 0 &&
        rocecc_packet_parse(&d, law_reader(bytes, n), &p) == ROCECC_OK &&
        rocecc_icrc_compute(p.headers.ip.n_ext != 0 ? ROCECC_ICRC_MASKED
                                                    : ROCECC_ICRC_STANDARD,
                            &p, &icrc) == ROCECC_OK &&
        p.headers.end - law_front() <= n && p.headers.end - law_front() >= 4)
        rocecc_icrc_store(bytes + p.headers.end - law_front() - 4, icrc);
    return law_reader(bytes, n);
}
#endif

#endif /* TESTS_LAW_ROLE_H */

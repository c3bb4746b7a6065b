/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_KEPT_H
#define TESTS_LIB_KEPT_H

/*
 * kept.h - packets for the tests of a kept `where`: a caller has kept the places of the
 * headers, and they are not true of the bytes beside them. A role then answers as if
 * nothing were there, reads no byte beyond the packet, and writes nothing.
 */
#include "../../examples/lib/vec.h"
#include "../law/fastcnp.h"
#include "guard.h"
#include "rocecc/guard/acl.h"
#include "rocecc/packet/packet.h"
#include "test.h"

/* A network whose packets begin with IP, and which has the Fast CNPs of the laws. */
static inline rocecc_domain kept_domain(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.fastcnp = law_fastcnp_config(0);
    return d;
}

/* The bytes before a guard page, and where their headers are. */
static inline rocecc_packet kept_packet(const rocecc_domain *d, const char *hex)
{
    static uint8_t bytes[VEC_BYTES];
    rocecc_packet p;
    uint8_t *at;
    size_t n;
    CHECK(vec_hex(hex, bytes, &n));
    at = guard_end(bytes, n);
    (void)rocecc_packet_parse(d, rocecc_reader_of(at, at + n), &p);
    return p;
}

/* Makes the upper layer of an IP header begin before its fixed 40 bytes end. */
static inline void kept_shorten(rocecc_headers_ip *ip)
{
    ip->upper = (uint16_t)(ip->offset + ROCECC_IPV6_BYTES - 1);
}

/* A list of one entry that permits every address. */
static inline rocecc_acl kept_anybody(rocecc_acl_entry *e)
{
    static const rocecc_acl_entry all = {{{0}}, 0, 1, 0, 0};
    rocecc_acl list = {NULL, 0, 0};
    uint32_t at;
    *e = all;
    CHECK_EQ(rocecc_acl_init(&list, e, 1, &at), ROCECC_ACL_ACCEPTED);
    return list;
}

#endif /* TESTS_LIB_KEPT_H */

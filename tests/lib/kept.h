/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_KEPT_H
#define TESTS_LIB_KEPT_H

/*
 * kept.h - packets for tests of headers that a caller has kept, and that do not fit the
 * bytes beside them. A role then answers as if nothing were there, reads no byte beyond
 * the packet, and writes nothing.
 */
#include "../../examples/lib/vec.h"
#include "../law/fastcnp.h"
#include "guard.h"
#include "rocecc/guard/acl.h"
#include "rocecc/packet/packet.h"
#include "test.h"

/* Returns a domain with packets that begin with IP, and with the laws' Fast CNPs. */
static inline rocecc_domain kept_domain(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.fastcnp = law_fastcnp_config(0);
    return d;
}

/* Returns a parsed packet, with its bytes before a guard page. */
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

/* Returns a list that permits every address. */
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

/* SPDX-License-Identifier: BSD-2-Clause */
#include "domain.h"
#include "law/packet.h"

#include <string.h>

static const field where_fields[] = {WHERE_FIELDS(FIELD_ROW, rocecc_headers)};

/* Members of a domain that a walk uses. */
#define DOMAIN_FIELDS(F, T)                                                            \
    F(T, ENUM, link, "ether ip")                                                       \
    F(T, BOOL, ah, NULL)                                                               \
    F(T, UINT, tag.vlan_tpid, NULL)                                                    \
    F(T, UINT, tag.etag_type, NULL)                                                    \
    F(T, UINT, tag.vntag_type, NULL)                                                   \
    F(T, UINT, tag.arista_type, NULL)                                                  \
    F(T, BOOL, overlay.own_ports, NULL)                                                \
    F(T, UINT, overlay.vxlan_port, NULL)                                               \
    F(T, UINT, overlay.vxlan_port_2, NULL)                                             \
    F(T, UINT, overlay.vxlan_gpe_port, NULL)                                           \
    F(T, UINT, overlay.geneve_port, NULL)                                              \
    F(T, UINT, overlay.mpls_port, NULL)                                                \
    F(T, UINT, overlay.gre_port, NULL)                                                 \
    F(T, UINT, rocev2_port, NULL)                                                      \
    F(T, UINT, csig.compact_tpid, NULL)                                                \
    F(T, UINT, csig.wide_tpid, NULL)                                                   \
    F(T, UINT, ifa.protocol, NULL)                                                     \
    F(T, UINT, intmd.udp_port, NULL)                                                   \
    F(T, UINT, intmd.dscp, NULL)                                                       \
    F(T, UINT, intmd.dscp_mask, NULL)                                                  \
    F(T, HEX, intmd.probe_marker, NULL)                                                \
    F(T, BOOL, intmd.before_options, NULL)

static const field domain_fields[] = {DOMAIN_FIELDS(FIELD_ROW, rocecc_domain)};

rocecc_domain domain_of(const vec_row *row)
{
    rocecc_domain_refusal refusal = ROCECC_DOMAIN_ACCEPTED;
    rocecc_domain d;
    size_t i, k;
    memset(&d, 0, sizeof d);
    for (i = 0; i < row->n_in; i++) {
        bool known = strcmp(row->in[i].key, "clash") == 0;
        if (known) refusal = ROCECC_DOMAIN_REFUSED_PORT;
        for (k = 0; k < NOUN_COUNT(domain_fields); k++)
            if (strcmp(domain_fields[k].name, row->in[i].key) == 0)
                known = field_set(&domain_fields[k], &d, row->in[i].value);
        if (!known)
            test_fail(__FILE__, __LINE__, "%s is not a member of the domain",
                      row->in[i].key);
    }
    if (d.ifa.protocol != 0) d.ifa.layout_a = 1; /* not used by the walk */
    CHECK_EQ(rocecc_domain_init(&d), refusal);
    return d;
}

/* Compares the inner packet with the row, even after an error. */
void domain_call_packet_inner(const vec_row *row)
{
    const rocecc_domain d = domain_of(row);
    const uint8_t *at = guard_end(row->bytes, row->n);
    vec_row said = *row;
    rocecc_packet whole, inner;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(at, at + row->n), &whole),
             ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_packet_inner(&whole, &inner), row->status);
    said.status = ROCECC_OK;
    noun_check_out(&said, where_fields, NOUN_COUNT(where_fields), ROCECC_OK,
                   &inner.headers);
}

/*
 * Compares a packet with the row, even after an error, and parses every prefix before a
 * guard page.
 */
void domain_call_packet_of(const vec_row *row)
{
    const rocecc_domain d = domain_of(row);
    const uint8_t *at = guard_start(row->bytes, row->n);
    vec_row said = *row;
    rocecc_packet whole, part;
    size_t n;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(at, at + row->n), &whole),
             row->status);
    CHECK_EQ(whole.headers.status, row->status);
    said.status = ROCECC_OK;
    noun_check_out(&said, where_fields, NOUN_COUNT(where_fields), ROCECC_OK,
                   &whole.headers);
    for (n = 0; n <= row->n; n++) {
        rocecc_status status;
        test_context("%s, the first %zu bytes", row->id, n);
        at = guard_end(row->bytes, n);
        status = rocecc_packet_parse(&d, rocecc_reader_of(at, at + n), &part);
        if (row->status == ROCECC_OK) { /* a BTH is enough */
            CHECK_EQ(status,
                     n < whole.headers.bth + 12u ? ROCECC_ERR_SHORT : ROCECC_OK);
        } else { /* a shorter packet is not accepted either */
            CHECK(status == row->status || status == ROCECC_ERR_SHORT ||
                  status == ROCECC_NO_MATCH);
        }
        CHECK(part.headers.bth == 0 || part.headers.bth == whole.headers.bth);
        CHECK(part.headers.inner == 0 || part.headers.inner == whole.headers.inner);
    }
}

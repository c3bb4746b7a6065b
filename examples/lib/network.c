/* SPDX-License-Identifier: BSD-2-Clause */
#include "network.h"

#include <ctype.h>
#include <string.h>

#include "field.h"
#include "rocecc/fields/arn.h"

/* Members of the domain, with their names there. */
#define DOMAIN_MEMBERS(F, T)                                                           \
    F(T, ENUM, link, "ether ip")                                                       \
    F(T, BOOL, ah, NULL)                                                               \
    F(T, UINT, rocev2_port, NULL)                                                      \
    F(T, UINT, sflow_port, NULL)                                                       \
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
    F(T, BOOL, roce.rd, NULL)                                                          \
    F(T, BOOL, roce.short_cnp, NULL)                                                   \
    F(T, UINT, roce.echo_bytes, NULL)                                                  \
    F(T, UINT, csig.compact_tpid, NULL)                                                \
    F(T, UINT, csig.wide_tpid, NULL)                                                   \
    F(T, BOOL, csig.uec, NULL)                                                         \
    F(T, UINT, ifa.protocol, NULL)                                                     \
    F(T, UINT, ifa.layout_a, NULL)                                                     \
    F(T, UINT, ifa.layout_b, NULL)                                                     \
    F(T, UINT, ifa.gns_a, NULL)                                                        \
    F(T, UINT, ifa.gns_b, NULL)                                                        \
    F(T, ENUM, ifa.checksum, "unknown stack metadata")                                 \
    F(T, ENUM, ifa.tail, "unknown newest_first newest_last")                           \
    F(T, BOOL, ifa.fragments, NULL)                                                    \
    F(T, UINT, intmd.udp_port, NULL)                                                   \
    F(T, UINT, intmd.dscp, NULL)                                                       \
    F(T, UINT, intmd.dscp_mask, NULL)                                                  \
    F(T, HEX, intmd.probe_marker, NULL)                                                \
    F(T, BOOL, intmd.before_options, NULL)                                             \
    F(T, BOOL, intmd.pad_unknown, NULL)                                                \
    F(T, BOOL, intmd.complement, NULL)                                                 \
    F(T, UINT, intmd.ds_id, NULL)                                                      \
    F(T, BYTES, intmd.source_words, NULL)                                              \
    F(T, UINT, ioam.namespace_id, NULL)                                                \
    F(T, UINT, ioam.tx_bytes_bit, NULL)                                                \
    F(T, UINT, ioam.interface_bit, NULL)                                               \
    F(T, BOOL, ioam.leave_undefined, NULL)                                             \
    F(T, UINT, fastcnp.type_plain, NULL)                                               \
    F(T, UINT, fastcnp.type_ioam, NULL)                                                \
    F(T, ENUM, fastcnp.form, "a b")                                                    \
    F(T, BOOL, fastcnp.address_first, NULL)                                            \
    F(T, BOOL, fastcnp.align8, NULL)                                                   \
    F(T, UINT, l3qcn.port, NULL)                                                       \
    F(T, BOOL, l3qcn.reserved_bit, NULL)                                               \
    F(T, ENUM, l3qcn.cnm.signs, "A B C")                                               \
    F(T, BOOL, l3qcn.cnm.fixed_msdu, NULL)                                             \
    F(T, BOOL, l3qcn.cnm.tolerate_long, NULL)                                          \
    F(T, BOOL, l3qcn.cnm.strict_version, NULL)                                         \
    F(T, MAC, l3qcn.cnm.station, NULL)

static const field domain_config[] = {DOMAIN_MEMBERS(FIELD_ROW, rocecc_domain)};
static const field arn_config[] = {
    ROCECC_ARN_CONFIG_FIELDS(FIELD_ROW, rocecc_arn_config)};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

void network_default(rocecc_domain *d)
{
    d->fastcnp.type_plain = ROCECC_FASTCNP_LAB_PLAIN;
    d->fastcnp.type_ioam = ROCECC_FASTCNP_LAB_IOAM;
    d->ioam.tx_bytes_bit = 12; /* as the draft requests */
    d->ifa.protocol = ROCECC_IFA_LAB_PROTOCOL;
    d->ifa.layout_a = ROCECC_IFA_LAB_LAYOUT_A;
    d->ifa.layout_b = ROCECC_IFA_LAB_LAYOUT_B;
    d->csig.compact_tpid = 0x9900; /* as two of its makers use it */
    d->csig.wide_tpid = 0x9901;
    d->ah = true;
    d->sflow_port = 6343;
    d->tag.vlan_tpid = ROCECC_TYPE_QINQ_9100;
    d->tag.etag_type = ROCECC_TYPE_ETAG;
    d->tag.vntag_type = ROCECC_TYPE_VNTAG;
    d->tag.arista_type = ROCECC_TYPE_ARISTA;
    d->overlay.own_ports = true;
    d->overlay.vxlan_port = ROCECC_UDP_PORT_VXLAN;
    d->overlay.vxlan_port_2 = ROCECC_UDP_PORT_VXLAN_LINUX;
    d->overlay.vxlan_gpe_port = ROCECC_UDP_PORT_VXLAN_GPE;
    d->overlay.geneve_port = ROCECC_UDP_PORT_GENEVE;
    d->overlay.mpls_port = ROCECC_UDP_PORT_MPLS;
    d->overlay.gre_port = ROCECC_UDP_PORT_GRE;
    d->l3qcn.port = 51966; /* 0xCAFE and the next: laboratory values */
    d->arn.port = 51967;
}

static bool set(const field *f, size_t n, void *record, const char *name,
                const char *value)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (strcmp(f[i].name, name) == 0)
            return isalnum((unsigned char)*value) && field_set(&f[i], record, value);
    return false;
}

bool network_set(rocecc_domain *d, const char *name, const char *value)
{
    if (strncmp(name, "arn.", 4) == 0)
        return set(arn_config, COUNT(arn_config), &d->arn, name + 4, value);
    return set(domain_config, COUNT(domain_config), d, name, value);
}

const field *network_member(const rocecc_domain *d, size_t i, const char **group,
                            const void **record)
{
    const bool of_arn = i >= COUNT(domain_config);
    *group = of_arn ? "arn." : "";
    *record = of_arn ? (const void *)&d->arn : (const void *)d;
    if (!of_arn) return &domain_config[i];
    i -= COUNT(domain_config);
    return i < COUNT(arn_config) ? &arn_config[i] : NULL;
}

static const field *find(const field *f, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (strcmp(f[i].name, name) == 0) return &f[i];
    return NULL;
}

const field *network_field(const char *name)
{
    if (strncmp(name, "arn.", 4) == 0)
        return find(arn_config, COUNT(arn_config), name + 4);
    return find(domain_config, COUNT(domain_config), name);
}

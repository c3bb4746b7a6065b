/* SPDX-License-Identifier: BSD-2-Clause */

/* nouns.c - every format, with the library function that writes it. */
#include <string.h>

#include "../lib/intmd_shown.h"
#include "gen.h"
#include "rocecc/fields/arn.h"
#include "rocecc/fields/bth.h"
#include "rocecc/fields/cm.h"
#include "rocecc/fields/cnm.h"
#include "rocecc/fields/cnp.h"
#include "rocecc/fields/csig.h"
#include "rocecc/fields/echo.h"
#include "rocecc/fields/ether.h"
#include "rocecc/fields/ext.h"
#include "rocecc/fields/grh.h"
#include "rocecc/fields/icmp.h"
#include "rocecc/fields/ifa.h"
#include "rocecc/fields/intmd.h"
#include "rocecc/fields/ioam.h"
#include "rocecc/fields/ip.h"
#include "rocecc/fields/ip6opt.h"
#include "rocecc/fields/l3qcn.h"
#include "rocecc/fields/lsn.h"
#include "rocecc/fields/overlay.h"
#include "rocecc/fields/pfc.h"
#include "rocecc/fields/sflow.h"
#include "rocecc/fields/srv6.h"
#include "rocecc/fields/tcp.h"
#include "rocecc/fields/udp.h"

/* Formats with emit(), and formats that accept any bytes and have only store(). */
#define EMITTED(F)                                                                     \
    F(ether, ETHER)                                                                    \
    F(vlan, VLAN)                                                                      \
    F(arista, ARISTA)                                                                  \
    F(ipv4, IPV4)                                                                      \
    F(ipv6, IPV6)                                                                      \
    F(ip6frag, IP6FRAG)                                                                \
    F(ip6opts, IP6OPTS)                                                                \
    F(ip6opt, IP6OPT)                                                                  \
    F(srh, SRH)                                                                        \
    F(udp, UDP)                                                                        \
    F(tcp, TCP)                                                                        \
    F(icmp, ICMP)                                                                      \
    F(grh, GRH)                                                                        \
    F(bth, BTH)                                                                        \
    F(lsn, LSN)                                                                        \
    F(echo, ECHO)                                                                      \
    F(cm, CM)                                                                          \
    F(cntag, CNTAG)                                                                    \
    F(pfc, PFC)                                                                        \
    F(pfc_pause, PFC_PAUSE)                                                            \
    F(ioam_trace, IOAM_TRACE)                                                          \
    F(intmd_shim, INTMD_SHIM)                                                          \
    F(intmd_gre, INTMD_GRE)                                                            \
    F(intmd_gpe, INTMD_GPE)                                                            \
    F(intmd_geneve, INTMD_GENEVE)                                                      \
    F(sflow, SFLOW)                                                                    \
    F(sflow_record, SFLOW_RECORD)                                                      \
    F(sflow_flow, SFLOW_FLOW)                                                          \
    F(sflow_raw, SFLOW_RAW)

#define STORED(F)                                                                      \
    F(vxlan, rocecc_vxlan, VXLAN, ROCECC_VXLAN_BYTES)                                  \
    F(gpe, rocecc_gpe, GPE, ROCECC_VXLAN_BYTES)                                        \
    F(geneve, rocecc_geneve, GENEVE, ROCECC_GENEVE_BYTES)                              \
    F(gre, rocecc_gre, GRE, ROCECC_GRE_BYTES)                                          \
    F(erspan, rocecc_erspan, ERSPAN, 4)                                                \
    F(erspan3, rocecc_erspan3, ERSPAN3, 4)                                             \
    F(mpls, rocecc_mpls, MPLS, ROCECC_MPLS_BYTES)                                      \
    F(pppoe, rocecc_pppoe, PPPOE, ROCECC_PPPOE_BYTES + 2)                              \
    F(cmd, rocecc_cisco_md, CISCO_MD, ROCECC_CISCO_MD_BYTES)                           \
    F(etag, rocecc_etag, ETAG, ROCECC_ETAG_BYTES)                                      \
    F(vntag, rocecc_vntag, VNTAG, ROCECC_VNTAG_BYTES)                                  \
    F(syndrome, rocecc_syndrome, SYNDROME, 1)                                          \
    F(ifa_header, rocecc_ifa_header, IFA_HEADER, ROCECC_IFA_HEADER_BYTES)              \
    F(ifa_metadata, rocecc_ifa_metadata, IFA_METADATA, ROCECC_IFA_METADATA_BYTES)      \
    F(ifa_checksum, rocecc_ifa_checksum, IFA_CHECKSUM, ROCECC_IFA_CHECKSUM_BYTES)      \
    F(ifa_fragment, rocecc_ifa_fragment, IFA_FRAGMENT, ROCECC_IFA_FRAGMENT_BYTES)      \
    F(intmd_header, rocecc_intmd_header, INTMD_HEADER, ROCECC_INTMD_HEADER_BYTES)      \
    F(intmd_mx, intmd_mx, INTMD_MX, ROCECC_INTMD_HEADER_BYTES)

/* The extended headers after a BTH, by their bits. */
#define EXTENDED(F)                                                                    \
    F(rdeth, RDETH)                                                                    \
    F(deth, DETH)                                                                      \
    F(xrceth, XRCETH)                                                                  \
    F(feth, FETH)                                                                      \
    F(reth, RETH)                                                                      \
    F(atomiceth, ATOMICETH)                                                            \
    F(aeth, AETH)                                                                      \
    F(atomicacketh, ATOMICACKETH)                                                      \
    F(immdt, IMMDT)                                                                    \
    F(ieth, IETH)

/* The members of a whole CNM frame, named as in rows. */
#define head f.head
#define cnm f.cnm
typedef struct framed_cnm {
    rocecc_cnm_frame f;
} framed_cnm;
static const field cnm_frame_fields[] = {
    ROCECC_CNM_FRAME_FIELDS(FIELD_ROW, framed_cnm)};
#undef head
#undef cnm

#define EMIT(id)                                                                       \
    static rocecc_status id##_emit(rocecc_writer *w, const rocecc_domain *d,           \
                                   const void *record)
#define TABLE(id, T, LIST)                                                             \
    static const field id##_fields[] = {ROCECC_##LIST##_FIELDS(FIELD_ROW, T)};

#define EMITTED_ONE(id, LIST)                                                          \
    TABLE(id, rocecc_##id, LIST)                                                       \
    EMIT(id)                                                                           \
    {                                                                                  \
        (void)d;                                                                       \
        return rocecc_##id##_emit(w, (const rocecc_##id *)record);                     \
    }
#define STORED_ONE(id, T, LIST, bytes)                                                 \
    TABLE(id, T, LIST)                                                                 \
    EMIT(id)                                                                           \
    {                                                                                  \
        uint8_t *b = rocecc_put(w, bytes);                                             \
        (void)d;                                                                       \
        if (b == NULL) return ROCECC_ERR_SPACE;                                        \
        T##_store(b, (const T *)record);                                               \
        return ROCECC_OK;                                                              \
    }
#define EXTENDED_ONE(id, LIST)                                                         \
    TABLE(id, rocecc_##id, LIST)                                                       \
    EMIT(id)                                                                           \
    {                                                                                  \
        rocecc_ext e = ROCECC_ZERO;                                                    \
        (void)d;                                                                       \
        e.present = ROCECC_EXT_##LIST;                                                 \
        e.id = *(const rocecc_##id *)record;                                           \
        return rocecc_ext_emit(w, &e);                                                 \
    }
EMITTED(EMITTED_ONE)
STORED(STORED_ONE)
EXTENDED(EXTENDED_ONE)

TABLE(cnp, rocecc_cnp, CNP)
EMIT(cnp)
{
    (void)d;
    return rocecc_cnp_build(w, (const rocecc_cnp *)record);
}

static const rocecc_cnm_config plain_cnm = ROCECC_ZERO;

TABLE(cnm, rocecc_cnm, CNM)
EMIT(cnm)
{
    (void)d;
    return rocecc_cnm_emit(w, &plain_cnm, (const rocecc_cnm *)record);
}

EMIT(cnm_frame)
{
    (void)d;
    return rocecc_cnm_frame_build(w, &plain_cnm, &((const framed_cnm *)record)->f);
}

TABLE(l3qcn, rocecc_l3qcn, L3QCN)
EMIT(l3qcn)
{
    return rocecc_l3qcn_emit(w, &d->l3qcn, (const rocecc_l3qcn *)record);
}

TABLE(arn, rocecc_arn, ARN)
EMIT(arn)
{
    return rocecc_arn_emit(w, &d->arn, (const rocecc_arn *)record);
}

TABLE(csig, rocecc_csig, CSIG)
EMIT(csig)
{
    return rocecc_csig_emit(&d->csig, w, (const rocecc_csig *)record);
}

EMIT(csig_uec)
{
    rocecc_csig_config c = d->csig;
    c.uec = true;
    return rocecc_csig_emit(&c, w, (const rocecc_csig *)record);
}

#define NOUN(id, T) {#id, id##_fields, COUNT(id##_fields), sizeof(T), id##_emit},
#define NOUN_EMITTED(id, LIST) NOUN(id, rocecc_##id)
#define NOUN_STORED(id, T, LIST, bytes) NOUN(id, T)
/* clang-format off */
static const noun nouns[] = {
    EMITTED(NOUN_EMITTED) STORED(NOUN_STORED) EXTENDED(NOUN_EMITTED)
    NOUN(cnp, rocecc_cnp)
    NOUN(cnm, rocecc_cnm)
    NOUN(cnm_frame, framed_cnm)
    NOUN(l3qcn, rocecc_l3qcn)
    NOUN(arn, rocecc_arn)
    NOUN(csig, rocecc_csig)
    {"csig_uec", csig_fields, COUNT(csig_fields), sizeof(rocecc_csig),
     csig_uec_emit}};
/* clang-format on */

const noun *noun_find(const char *name)
{
    size_t i;
    for (i = 0; i < COUNT(nouns); i++)
        if (strcmp(nouns[i].name, name) == 0) return &nouns[i];
    return NULL;
}

/*
 * Returns the value as field_set() takes it. A HEX member loses 0x, and IPv4 in an IP6
 * member becomes an IPv4-mapped address.
 */
static const char *spelled(const field *f, const char *value, char *room, size_t n)
{
    if (f->kind == ROCECC_FIELD_HEX && strncmp(value, "0x", 2) == 0) return value + 2;
    if (f->kind != ROCECC_FIELD_IP6 || strchr(value, ':') != NULL) return value;
    snprintf(room, n, "::ffff:%s", value);
    return room;
}

bool noun_set(const field *f, void *record, const char *value)
{
    char room[64];
    if (!field_set(f, record, spelled(f, value, room, sizeof room))) return false;
    return f->bits == 0 || f->kind == ROCECC_FIELD_INT || f->bits >= 64 ||
           field_get(f, record) >> f->bits == 0;
}

void noun_clear(const field *f, size_t n, void *record)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    size_t i;
    for (i = 0; i < n; i++)
        if (f[i].kind == ROCECC_FIELD_VIEW)
            memcpy((char *)record + f[i].offset, &none, sizeof none);
}

/* SPDX-License-Identifier: BSD-2-Clause */

/* fields.c - prints the members of each format from the tables in rocecc/fields. */
#include <string.h>

#include "rocecc/fields/arn.h"
#include "rocecc/fields/arn_gate.h"
#include "rocecc/fields/bth.h"
#include "rocecc/fields/cnm.h"
#include "rocecc/fields/cnp.h"
#include "rocecc/fields/csig.h"
#include "rocecc/fields/echo.h"
#include "rocecc/fields/ether.h"
#include "rocecc/fields/ext.h"
#include "rocecc/fields/fastcnp.h"
#include "rocecc/fields/grh.h"
#include "rocecc/fields/icmp.h"
#include "rocecc/fields/ifa.h"
#include "rocecc/fields/intmd.h"
#include "rocecc/fields/ioam.h"
#include "rocecc/fields/ip.h"
#include "rocecc/fields/ip6opt.h"
#include "rocecc/fields/l3qcn.h"
#include "rocecc/fields/l3qcn_tor.h"
#include "rocecc/fields/lsn.h"
#include "rocecc/fields/overlay.h"
#include "rocecc/fields/pause.h"
#include "rocecc/fields/pfc.h"
#include "rocecc/fields/reaction_point.h"
#include "rocecc/fields/sflow.h"
#include "rocecc/fields/srv6.h"
#include "rocecc/fields/srv6_pe.h"
#include "rocecc/fields/tcp.h"
#include "rocecc/fields/udp.h"

#include "decode.h"

/* Name, list, and the struct that the list describes. */
#define FORMATS(F)                                                                     \
    F(ether, ETHER, rocecc_ether)                                                      \
    F(vlan, VLAN, rocecc_vlan)                                                         \
    F(cntag, CNTAG, rocecc_cntag)                                                      \
    F(csig, CSIG_COMPACT, rocecc_csig)                                                 \
    F(csig_wide, CSIG_WIDE, rocecc_csig)                                               \
    F(mpls, MPLS, rocecc_mpls)                                                         \
    F(pppoe, PPPOE, rocecc_pppoe)                                                      \
    F(cmd, CISCO_MD, rocecc_cisco_md)                                                  \
    F(etag, ETAG, rocecc_etag)                                                         \
    F(vntag, VNTAG, rocecc_vntag)                                                      \
    F(arista, ARISTA, rocecc_arista)                                                   \
    F(ipv4, IPV4, rocecc_ipv4)                                                         \
    F(ipv6, IPV6, rocecc_ipv6)                                                         \
    F(ip6frag, IP6FRAG, rocecc_ip6frag)                                                \
    F(ip6opts, IP6OPTS, rocecc_ip6opts)                                                \
    F(ip6opt, IP6OPT, rocecc_ip6opt)                                                   \
    F(srh, SRH, rocecc_srh)                                                            \
    F(udp, UDP, rocecc_udp)                                                            \
    F(tcp, TCP, rocecc_tcp)                                                            \
    F(icmp, ICMP, rocecc_icmp)                                                         \
    F(icmp_message, ICMP_MESSAGE, rocecc_icmp_message)                                 \
    F(vxlan, VXLAN, rocecc_vxlan)                                                      \
    F(gpe, GPE, rocecc_gpe)                                                            \
    F(geneve, GENEVE, rocecc_geneve)                                                   \
    F(gre, GRE, rocecc_gre)                                                            \
    F(erspan, ERSPAN, rocecc_erspan)                                                   \
    F(erspan3, ERSPAN3, rocecc_erspan3)                                                \
    F(sflow, SFLOW, rocecc_sflow)                                                      \
    F(sflow_record, SFLOW_RECORD, rocecc_sflow_record)                                 \
    F(sflow_flow, SFLOW_FLOW, rocecc_sflow_flow)                                       \
    F(sflow_raw, SFLOW_RAW, rocecc_sflow_raw)                                          \
    F(grh, GRH, rocecc_grh)                                                            \
    F(bth, BTH, rocecc_bth)                                                            \
    F(rdeth, RDETH, rocecc_rdeth)                                                      \
    F(deth, DETH, rocecc_deth)                                                         \
    F(xrceth, XRCETH, rocecc_xrceth)                                                   \
    F(feth, FETH, rocecc_feth)                                                         \
    F(reth, RETH, rocecc_reth)                                                         \
    F(atomiceth, ATOMICETH, rocecc_atomiceth)                                          \
    F(aeth, AETH, rocecc_aeth)                                                         \
    F(syndrome, SYNDROME, rocecc_syndrome)                                             \
    F(atomicacketh, ATOMICACKETH, rocecc_atomicacketh)                                 \
    F(immdt, IMMDT, rocecc_immdt)                                                      \
    F(ieth, IETH, rocecc_ieth)                                                         \
    F(lsn, LSN, rocecc_lsn)                                                            \
    F(echo, ECHO, rocecc_echo)                                                         \
    F(cnp, CNP, rocecc_cnp)                                                            \
    F(fastcnp, FASTCNP, rocecc_fastcnp)                                                \
    F(cnm, CNM, rocecc_cnm)                                                            \
    F(l3qcn, L3QCN, rocecc_l3qcn)                                                      \
    F(arn, ARN, rocecc_arn)                                                            \
    F(pfc, PFC, rocecc_pfc)                                                            \
    F(pause, PFC_PAUSE, rocecc_pfc_pause)                                              \
    F(ioam_option, IOAM_OPTION, rocecc_ioam_option)                                    \
    F(ioam_trace, IOAM_TRACE, rocecc_ioam_trace)                                       \
    F(ioam_node, IOAM_NODE, ioam_shown)                                                \
    F(ioam_dex, IOAM_DEX, rocecc_ioam_dex)                                             \
    F(ioam_e2e, IOAM_E2E, rocecc_ioam_e2e)                                             \
    F(ioam_pot, IOAM_POT, rocecc_ioam_pot)                                             \
    F(ifa_header, IFA_HEADER, rocecc_ifa_header)                                       \
    F(ifa_metadata, IFA_METADATA, rocecc_ifa_metadata)                                 \
    F(ifa_checksum, IFA_CHECKSUM, rocecc_ifa_checksum)                                 \
    F(ifa_fragment, IFA_FRAGMENT, rocecc_ifa_fragment)                                 \
    F(ifa_node_a, IFA_NODE_A, rocecc_ifa_node)                                         \
    F(ifa_node_b, IFA_NODE_B, rocecc_ifa_node)                                         \
    F(intmd_shim, INTMD_SHIM, rocecc_intmd_shim)                                       \
    F(intmd_gre, INTMD_GRE, rocecc_intmd_gre)                                          \
    F(intmd_gpe, INTMD_GPE, rocecc_intmd_gpe)                                          \
    F(intmd_geneve, INTMD_GENEVE, rocecc_intmd_geneve)                                 \
    F(intmd_header, INTMD_HEADER, rocecc_intmd_header)                                 \
    F(intmd_mx, INTMD_MX, intmd_mx)                                                    \
    F(intmd_node, INTMD_NODE, intmd_shown)                                             \
    F(reaction_config, REACTION_CONFIG, rocecc_reaction_config)                        \
    F(reaction_key, REACTION_KEY, rocecc_reaction_key)                                 \
    F(srv6_pe_config, SRV6_PE_CONFIG, rocecc_srv6_pe_config)                           \
    F(arn_gate_config, ARN_GATE_CONFIG, rocecc_arn_gate_config)                        \
    F(pause_notice, PAUSE_NOTICE, rocecc_pause_notice)                                 \
    F(l3qcn_tor_config, L3QCN_TOR_CONFIG, rocecc_l3qcn_tor_config)

#define TABLE(name, list, T)                                                           \
    static const field name##_table[] = {ROCECC_##list##_FIELDS(FIELD_ROW, T)};
FORMATS(TABLE)

typedef struct format {
    const char *name;
    const field *fields;
    size_t n;
} format;

#define FORMAT(name, list, T) {#name, name##_table, COUNT(name##_table)},
static const format formats[] = {FORMATS(FORMAT)};

/* Prints a line per member, with its name, bits, unit and meaning. */
static void print(const format *t, FILE *out)
{
    size_t i, name = 0, unit = 0;
    for (i = 0; i < t->n; i++) {
        const field *f = &t->fields[i];
        if (strlen(f->name) > name) name = strlen(f->name);
        if (strlen(f->unit) > unit) unit = strlen(f->unit);
    }
    fprintf(out, "%s\n", t->name);
    for (i = 0; i < t->n; i++) {
        const field *f = &t->fields[i];
        char bits[8] = "-";
        if (f->bits != 0) snprintf(bits, sizeof bits, "%d", f->bits);
        fprintf(out, "  %-*s %3s ", (int)name, f->name, bits);
        if (unit != 0) fprintf(out, "%-*s ", (int)unit, f->unit);
        fprintf(out, "%s\n", f->about);
    }
}

bool fields_print(const char *name, FILE *out)
{
    bool any = false;
    size_t i;
    for (i = 0; i < COUNT(formats); i++) {
        if (name != NULL && strcmp(formats[i].name, name) != 0) continue;
        print(&formats[i], out);
        any = true;
    }
    return any;
}

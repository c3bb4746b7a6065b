/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_ECNTUNNEL_H
#define ROCECC_ALGO_ECNTUNNEL_H

/*
 * ecntunnel.h - the ECN field at both ends of an IP-in-IP tunnel. The rules are from
 * RFC 6040, 4.1 and 4.2. The same rules are in draft-hu-rtgwg-rocev2-fcn-00, 4.2.1,
 * Figures 5 and 6. The rules also apply to SRv6 tunnels, because an SRH is an extension
 * header of the outer IPv6 header.
 *
 *   ingress: outer                      egress: field to forward
 *
 *   inner    compatibility  normal      inner \ outer Not-ECT  ECT(0)   ECT(1)   CE
 *   Not-ECT  Not-ECT        Not-ECT     Not-ECT       Not-ECT  Not-ECT# Not-ECT# drop#
 *   ECT(0)   Not-ECT        ECT(0)      ECT(0)        ECT(0)   ECT(0)   ECT(1)   CE
 *   ECT(1)   Not-ECT        ECT(1)      ECT(1)        ECT(1)   ECT(1)!  ECT(1)   CE
 *   CE       Not-ECT        CE          CE            CE       CE       CE#      CE
 *
 *   !  (!) in the RFC: currently unused, possibly dangerous
 *   #  (!!!): currently unused, always potentially dangerous
 *
 * Example: in normal mode, a RoCEv2 packet with ECT(0) gets ECT(0) in its outer ECN
 * field. If a switch on the path changes this field to CE, the egress forwards the
 * packet with CE. If a Not-ECT packet arrives with an outer CE, the egress drops it.
 * RoCEv2 data packets must be ECT before they enter a tunnel, and the outer field of a
 * CNP must be Not-ECT.
 *
 * The functions keep no state. The ingress never changes the inner field. The tables
 * cover only the two ECN bits. The host must handle DSCP separately, and should log
 * alarms at a limited rate. README.md explains which mode a tunnel needs.
 */
#include "../net.h"

typedef enum rocecc_ecntunnel_mode {
    ROCECC_ECNTUNNEL_COMPATIBILITY = 0, /* works with any egress; the default */
    ROCECC_ECNTUNNEL_NORMAL
} rocecc_ecntunnel_mode;

typedef enum rocecc_ecntunnel_alarm_ {
    ROCECC_ECNTUNNEL_NO_ALARM = 0,
    ROCECC_ECNTUNNEL_UNUSED,   /* (!) */
    ROCECC_ECNTUNNEL_DANGEROUS /* (!!!) */
} ROCECC_IN_8_BITS_(rocecc_ecntunnel_alarm);

typedef struct rocecc_ecntunnel_action {
    bool drop;
    ROCECC_ENUM8_(rocecc_ecn)
    ecn; /* to forward; equal to the inner field if `drop` is set */
    ROCECC_ENUM8_(rocecc_ecntunnel_alarm) alarm;
} rocecc_ecntunnel_action;

/* Returns the outer ECN field that the ingress must set. RFC 6040, 4.1, Figure 3. */
ROCECC_FN rocecc_ecn rocecc_ecntunnel_encapsulate(rocecc_ecntunnel_mode mode,
                                                  rocecc_ecn inner)
{
    return mode == ROCECC_ECNTUNNEL_NORMAL ? inner : ROCECC_ECN_NOT_ECT;
}

/*
 * Returns the action of the egress. Takes constant time, and reads only the lower two
 * bits of each field. RFC 6040, 4.2, Figure 4.
 */
ROCECC_FN rocecc_ecntunnel_action rocecc_ecntunnel_decapsulate(rocecc_ecn inner,
                                                               rocecc_ecn outer)
{
    /*
     * Unlike in the RFC's figure, rows and columns are in the order Not-ECT, ECT(1),
     * ECT(0), CE, which is the ascending order of the field's values.
     */
    static const rocecc_ecntunnel_action merged[4][4] = {
        {{false, ROCECC_ECN_NOT_ECT, ROCECC_ECNTUNNEL_NO_ALARM},
         {false, ROCECC_ECN_NOT_ECT, ROCECC_ECNTUNNEL_DANGEROUS},
         {false, ROCECC_ECN_NOT_ECT, ROCECC_ECNTUNNEL_DANGEROUS},
         {true, ROCECC_ECN_NOT_ECT, ROCECC_ECNTUNNEL_DANGEROUS}},
        {{false, ROCECC_ECN_ECT1, ROCECC_ECNTUNNEL_NO_ALARM},
         {false, ROCECC_ECN_ECT1, ROCECC_ECNTUNNEL_NO_ALARM},
         {false, ROCECC_ECN_ECT1, ROCECC_ECNTUNNEL_UNUSED},
         {false, ROCECC_ECN_CE, ROCECC_ECNTUNNEL_NO_ALARM}},
        {{false, ROCECC_ECN_ECT0, ROCECC_ECNTUNNEL_NO_ALARM},
         {false, ROCECC_ECN_ECT1, ROCECC_ECNTUNNEL_NO_ALARM},
         {false, ROCECC_ECN_ECT0, ROCECC_ECNTUNNEL_NO_ALARM},
         {false, ROCECC_ECN_CE, ROCECC_ECNTUNNEL_NO_ALARM}},
        {{false, ROCECC_ECN_CE, ROCECC_ECNTUNNEL_NO_ALARM},
         {false, ROCECC_ECN_CE, ROCECC_ECNTUNNEL_DANGEROUS},
         {false, ROCECC_ECN_CE, ROCECC_ECNTUNNEL_NO_ALARM},
         {false, ROCECC_ECN_CE, ROCECC_ECNTUNNEL_NO_ALARM}}};
    return merged[(unsigned)inner & 3][(unsigned)outer & 3];
}

#endif /* ROCECC_ALGO_ECNTUNNEL_H */

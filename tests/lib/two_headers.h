/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_TWO_HEADERS_H
#define TESTS_LIB_TWO_HEADERS_H

/*
 * two_headers.h - builds frames with outer and inner headers that differ in every
 * member, so that a test sees a read or write of the wrong header.
 *
 *                outer                            inner
 *   Ethernet     02:..:0a:05 > 02:..:0a:0d        02:..:01:05 > 02:..:01:0d
 *   VLAN         88a8 PCP 5 VID 0x111,            8100 PCP 2 VID 0x333
 *                8100 PCP 3 VID 0x222
 *   DSCP, ECN    10, CE                           26, ECT(0)
 *   hop limit    201                              55
 *   IPv4         192.0.2.1 > 198.51.100.2         10.1.0.3 > 10.2.0.4
 *                0x1a1a, DF                       0x2b2b, no DF
 *   IPv6         2001:db8:a::1 > 2001:db8:b::2    2001:db8:c::3 > 2001:db8:d::4
 *                flow label 0xa1b2c               flow label 0x5d4e3
 *   UDP          0xaaaa, checksum 0xdead          0xc123, no checksum
 */
#include <stddef.h>
#include <stdint.h>

#include "rocecc/packet/packet.h"

typedef struct two_side {
    rocecc_mac mac_dst, mac_src;
    uint8_t dscp, ecn, hop_limit;
    uint16_t identification, flags;
    uint32_t flow_label;
    rocecc_ip6 src[2], dst[2]; /* of IPv4, as ::ffff:a.b.c.d; and of IPv6 */
    uint16_t port, checksum;   /* of UDP */
} two_side;

extern const two_side two_outer, two_inner;

/* Return the source and destination of a side, for IPv4 or IPv6. */
const rocecc_ip6 *two_src(const two_side *s, int version);
const rocecc_ip6 *two_dst(const two_side *s, int version);

typedef struct two_frame {
    uint8_t b[1024];
    size_t n;
    size_t ip[4], udp[4]; /* offsets, the outermost first */
    size_t n_ip, n_udp;
} two_frame;

/* Functions that append to a frame. A frame begins as all 0. */
void two_ether(two_frame *x, const two_side *s); /* without the type */
void two_type(two_frame *x, int version);        /* 0800 or 86dd */
void two_ip(two_frame *x, const two_side *s, int version, uint8_t proto);
void two_udp(two_frame *x, const two_side *s, uint16_t dst_port);
void two_hex(two_frame *x, const char *hex);

/* Completes a frame with the lengths of IP and UDP and the IPv4 header checksums. */
void two_end(two_frame *x);

/* Appends n bytes that only the outer header counts, after two_end(). */
void two_trailer(two_frame *x, size_t n);

/* Corrects the header checksum of the IPv4 header at `at`. */
void two_sum(uint8_t *b, size_t at);

/* Returns true if the header at `at` is IPv6, or its IPv4 checksum is right. */
bool two_sum_is_right(const uint8_t *b, size_t at);

/* Append UDP, BTH, payload and the ICRC of the inner packet. */
void two_data(two_frame *x, int inner); /* SEND Only to QP 0x456, PSN 0x789 */
void two_cnp(two_frame *x, int inner);  /* for QP 0x456 */

/* Returns Ethernet with both outer tags, IP in IP, and the bytes of upper(). */
typedef void (*two_upper)(two_frame *x, int inner);
two_frame two_tunnel(int outer, int inner, two_upper upper);

/* Returns Ethernet with both outer tags, IP, VXLAN, Ethernet with the inner tag,
 * IP, and the bytes of upper(). */
two_frame two_vxlan(int outer, int inner, two_upper upper);

/* All pairs of IP versions. two_pairs[i][0] is the outer version. */
extern const int two_pairs[4][2];

/* Return the packet of a frame, and the packet in its overlay. */
rocecc_packet two_walked(const rocecc_domain *d, const two_frame *x);
rocecc_packet two_inside(const rocecc_domain *d, const two_frame *x);

/*
 * Checks that `now` is `before` with the given changes. `change` is a list of offsets
 * and their new bytes, and ends with TWO_END.
 */
#define TWO_END SIZE_MAX
typedef struct two_byte {
    size_t at;
    uint8_t is;
} two_byte;
void two_changed(const uint8_t *before, const uint8_t *now, size_t n,
                 const two_byte *change);

#endif /* TESTS_LIB_TWO_HEADERS_H */

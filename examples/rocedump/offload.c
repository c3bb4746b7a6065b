/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * offload.c - packets that a NIC was to split, or has merged. The length field of their
 * IP header may be 0, and the library rejects them. Here, the frame's length replaces
 * it.
 */
#include <string.h>

#include "decode.h"

#define FRAME_MAX 262144 /* libpcap's longest frame */

/*
 * Returns the first IP header, after Ethernet and VLAN tags, or NULL if another header
 * is first.
 */
static const uint8_t *first_ip(const packet *p, size_t *at, bool *v6)
{
    rocecc_reader r = p->bytes;
    uint16_t type = p->link.type;
    const uint8_t *b;
    int i;
    if (type == ROCECC_TYPE_TEB) {
        b = rocecc_take(&r, ROCECC_ETHER_BYTES);
        if (b == NULL) return NULL;
        type = rocecc_load16(b + 12);
    }
    for (i = 0; i < ROCECC_PACKET_VLAN_MAX && rocecc_vlan_match(type); i++) {
        b = rocecc_take(&r, ROCECC_VLAN_BYTES);
        if (b == NULL) return NULL;
        type = rocecc_load16(b + 2);
    }
    if (type != ROCECC_TYPE_IPV4 && type != ROCECC_TYPE_IPV6) return NULL;
    *v6 = type == ROCECC_TYPE_IPV6;
    *at = r.at;
    return rocecc_take(&r, *v6 ? ROCECC_IPV6_BYTES : ROCECC_IPV4_BYTES);
}

bool offload_bytes(const packet *p, rocecc_reader *out)
{
    static uint8_t copy[FRAME_MAX];
    size_t at = 0, length;
    bool v6 = false;
    const uint8_t *b = first_ip(p, &at, &v6);
    if (p->id != NULL) return false; /* a row states the library's answer */
    if (b == NULL || rocecc_load16(b + (v6 ? 4 : 2)) != 0) return false;
    /* Jumbograms, and packets without bytes after the header, may have length 0. */
    if (v6 && (b[6] == ROCECC_PROTO_HOPOPTS || b[6] == ROCECC_PROTO_NONE)) return false;
    length = p->len > at ? p->len - at : 0;
    if (v6) length = length > ROCECC_IPV6_BYTES ? length - ROCECC_IPV6_BYTES : 0;
    if (length == 0 || length > 0xffff || p->bytes.end > FRAME_MAX) return false;
    memcpy(copy, p->bytes.base, p->bytes.end);
    rocecc_store16(copy + at + (v6 ? 4 : 2), (uint16_t)length);
    *out = rocecc_reader_of(copy, copy + p->bytes.end);
    out->at = p->bytes.at;
    return true;
}

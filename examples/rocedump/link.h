/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_LINK_H
#define ROCEDUMP_LINK_H

/*
 * link.h - what a capture has before Ethernet or IP: the header of a cooked capture, of
 * a loopback, of a capture card, of a switch's CPU port. It is the first layer of its
 * frame.
 */
#include "rocecc/rocecc.h"

/* Link types by their numbers in files, and two that are the same as LINK_RAW. */
enum {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_RAW_12 = 12,
    LINK_RAW_14 = 14,
    LINK_RAW = 101,
    LINK_LOOP = 108,
    LINK_SLL = 113,
    LINK_PPI = 192,
    LINK_ERF = 197,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_NFLOG = 239,
    LINK_SLL2 = 276,
    LINK_DSA_BRCM = 281,
    LINK_DSA_BRCM_PREPEND = 282,
    LINK_DSA = 284,
    LINK_EDSA = 285
};

struct layer_kind;

typedef struct link_header {
    const struct layer_kind *kind; /* NULL: Ethernet or IP is first */
    const void *record;            /* until the next frame */
    uint16_t type;                 /* of what follows; ROCECC_TYPE_TEB: Ethernet */
    rocecc_status status;          /* OK; SHORT: it is cut; UNSUPPORTED: what follows */
    const char *at;                /* unless it is OK */
} link_header;

/* Whether frames of a link type can be read at all. */
bool link_known(uint32_t type);

/* Takes the header of a frame from it. */
link_header link_of(uint32_t type, rocecc_reader *frame);

#endif /* ROCEDUMP_LINK_H */

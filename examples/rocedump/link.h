/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_LINK_H
#define ROCEDUMP_LINK_H

/*
 * link.h - the header that a capture adds before Ethernet or IP, for example for a
 * cooked capture, a loopback, a capture card or a switch's CPU port. It is the frame's
 * first layer.
 */
#include "rocecc/rocecc.h"

/* Link types by their numbers in files. 12 and 14 mean the same as LINK_RAW. */
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
    const struct layer_kind *kind; /* NULL without a valid link header */
    const void *record;            /* valid until the next frame */
    uint16_t type;        /* of the next header; ROCECC_TYPE_TEB for Ethernet */
    rocecc_status status; /* OK, or why the stack ends here */
    const char *at;       /* failed layer, unless it is OK */
} link_header;

/* Returns true if frames of a link type can be read. */
bool link_known(uint32_t type);

/* Takes the link header from a frame. */
link_header link_of(uint32_t type, rocecc_reader *frame);

#endif /* ROCEDUMP_LINK_H */

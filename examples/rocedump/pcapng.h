/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_PCAPNG_H
#define ROCEDUMP_PCAPNG_H

/* pcapng.h - the packets of a pcapng file, of however many sections and interfaces. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A frame as it was captured, of whatever file. */
typedef struct captured {
    uint32_t link;    /* the link type, as files have it */
    uint64_t time_ns; /* 0: the file does not say */
    uint32_t len;     /* on the wire */
    uint32_t caplen;
    const uint8_t *bytes; /* for the time of the call */
} captured;

/*
 * Calls each with every packet until it returns false. NULL: that, or the end of the
 * file; otherwise what is wrong with the block after the last packet.
 */
const char *pcapng_read(FILE *file, bool (*each)(const captured *frame, void *arg),
                        void *arg);

#endif /* ROCEDUMP_PCAPNG_H */

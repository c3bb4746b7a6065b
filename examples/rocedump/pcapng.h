/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_PCAPNG_H
#define ROCEDUMP_PCAPNG_H

/* pcapng.h - reads pcapng files with any number of sections and interfaces. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A captured frame from any file. */
typedef struct captured {
    uint32_t link;    /* link type as in files */
    uint64_t time_ns; /* 0 if the file has none */
    uint32_t len;     /* length on the wire */
    uint32_t caplen;
    const uint8_t *bytes; /* valid during the call */
} captured;

/*
 * Calls each() with every packet until it returns false. Returns NULL then or at the
 * end of the file, and otherwise the fault in a block after the last packet.
 */
const char *pcapng_read(FILE *file, bool (*each)(const captured *frame, void *arg),
                        void *arg);

#endif /* ROCEDUMP_PCAPNG_H */

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
    uint32_t iface;   /* number of the interface, counted through all sections */
    uint64_t time_ns; /* 0 if the file has none */
    uint32_t len;     /* length on the wire */
    uint32_t caplen;
    const uint8_t *bytes; /* valid during the call */
} captured;

/* Functions that take a file's contents. */
typedef struct pcapng_user {
    /* Takes a packet. Returns false to stop reading. */
    bool (*each)(const captured *frame, void *arg);
    /*
     * Takes NULL at the start of each section, and then each comment in the section
     * header. The n bytes are not terminated by a NUL. Returns false to stop reading.
     */
    bool (*comment)(const char *text, size_t n, void *arg);
    void *arg;
} pcapng_user;

/*
 * Reads a file until a function of the user returns false. Returns NULL in this case
 * and at the end of the file. Otherwise returns the fault in the first invalid block.
 */
const char *pcapng_read(FILE *file, const pcapng_user *user);

#endif /* ROCEDUMP_PCAPNG_H */

/* SPDX-License-Identifier: BSD-2-Clause */

/* capture.c - writes pcapng blocks. They have type, length, body, options, and the
 * length again. */
#define _POSIX_C_SOURCE 200809L
#include "capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/network_file.h"

#define BLOCK_BYTES 16384 /* the domain's text is the longest part */
#define ETHERNET 1
#define SNAP_BYTES 262144

enum { SECTION = 0x0a0d0d0a, INTERFACE = 1, PACKET = 6 };
enum {
    END = 0,
    COMMENT = 1,
    PACKET_FLAGS = 2,
    INTERFACE_NAME = 2,
    INTERFACE_DESCRIPTION = 3,
    APPLICATION = 4,
    INTERFACE_SPEED = 8,
    INTERFACE_TIME_UNIT = 9
};
enum { INBOUND = 1, OUTBOUND = 2 }; /* values of PACKET_FLAGS */

typedef struct block {
    size_t n;
    uint8_t b[BLOCK_BYTES];
} block;

/* Appends n bytes, padded with zeros to a multiple of 4. */
static void put(block *k, const void *bytes, size_t n)
{
    const size_t whole = (n + 3) / 4 * 4;
    if (whole > sizeof k->b - k->n) abort();
    memcpy(k->b + k->n, bytes, n);
    memset(k->b + k->n + n, 0, whole - n);
    k->n += whole;
}

/* Stores the low n bytes of v, lowest first. */
static void little(uint8_t *b, uint64_t v, size_t n)
{
    for (; n > 0; n--, v >>= 8)
        *b++ = (uint8_t)v;
}

static void put32(block *k, uint32_t v)
{
    uint8_t b[4];
    little(b, v, sizeof b);
    put(k, b, sizeof b);
}

static void option(block *k, uint16_t code, const void *value, size_t n)
{
    put32(k, (uint32_t)n << 16 | code);
    put(k, value, n);
}

/* Appends an option with an n-byte number. */
static void number(block *k, uint16_t code, uint64_t v, size_t n)
{
    uint8_t b[8];
    little(b, v, n);
    option(k, code, b, n);
}

static void begin(block *k, uint32_t type)
{
    k->n = 0;
    put32(k, type);
    put32(k, 0); /* length, set by finish() */
}

/* Ends the options and the block. Returns false if the block cannot be written. */
static bool finish(block *k, FILE *f)
{
    put32(k, END);
    put32(k, (uint32_t)k->n + 4);
    little(k->b + 4, k->n, 4);
    return fwrite(k->b, 1, k->n, f) == k->n;
}

static void section(block *k, FILE *f)
{
    static const char application[] = "cclab " ROCECC_VERSION;
    char *text = NULL;
    size_t n = 0;
    FILE *memory = open_memstream(&text, &n);
    if (memory != NULL) network_write(&lab_domain, memory);
    if (memory == NULL || fclose(memory) != 0) abort();
    begin(k, SECTION);
    put32(k, 0x1a2b3c4d);
    put32(k, 1); /* version 1.0 */
    put32(k, UINT32_MAX);
    put32(k, UINT32_MAX); /* unknown length */
    option(k, COMMENT, text, n);
    option(k, APPLICATION, application, sizeof application - 1);
    (void)finish(k, f);
    free(text);
}

static void name_of(const lab *l, const lab_node *node, char *name, size_t bytes)
{
    (void)snprintf(name, bytes, node->is_switch ? "switch%u" : "host%u",
                   node->is_switch ? node->index - l->n_hosts : node->index);
}

/* Writes the interface of a link. The link's first end is this port's node. */
static void interface(const lab *l, const lab_port *port, block *k, FILE *f)
{
    char first[24], second[24], name[64], about[128];
    name_of(l, port->node, first, sizeof first);
    name_of(l, port->peer->node, second, sizeof second);
    (void)snprintf(name, sizeof name, "%s-%s", first, second);
    (void)snprintf(about, sizeof about,
                   "%s sends the outbound frames, and %s the inbound frames", first,
                   second);
    begin(k, INTERFACE);
    put32(k, ETHERNET);
    put32(k, SNAP_BYTES);
    option(k, INTERFACE_NAME, name, strlen(name));
    option(k, INTERFACE_DESCRIPTION, about, strlen(about));
    number(k, INTERFACE_SPEED, port->rate_bps, 8);
    number(k, INTERFACE_TIME_UNIT, 9, 1); /* 10^-9 s */
    (void)finish(k, f);
}

/* Returns true if the link's name begins with this end. */
static bool is_first(const lab_port *port)
{
    return port->node->index < port->peer->node->index;
}

static int write_error; /* of the last capture, or 0 */

int lab_capture_error(void)
{
    return write_error;
}

static void tap(lab *l, const lab_port *port, const lab_packet *p)
{
    const uint64_t ns = l->now / 1000;
    block k;
    begin(&k, PACKET);
    put32(&k, port->link);
    put32(&k, (uint32_t)(ns >> 32));
    put32(&k, (uint32_t)ns);
    put32(&k, p->n);
    put32(&k, p->n + p->payload);
    put(&k, p->b, p->n);
    number(&k, PACKET_FLAGS, is_first(port) ? OUTBOUND : INBOUND, 4);
    if (finish(&k, l->tap_to)) return;
    write_error = errno;
    l->tap = NULL;
}

void lab_capture_start(lab *l, FILE *f)
{
    uint32_t i, j, links = 0;
    block k;
    section(&k, f);
    for (i = 0; i < l->n_nodes; i++)
        for (j = 0; j < l->node[i]->n_ports; j++) {
            lab_port *port = &l->node[i]->port[j];
            if (!is_first(port)) continue;
            port->link = port->peer->link = links++;
            interface(l, port, &k, f);
        }
    write_error = 0;
    l->tap_to = f;
    l->tap = tap;
}

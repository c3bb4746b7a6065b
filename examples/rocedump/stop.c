/* SPDX-License-Identifier: BSD-2-Clause */

/* stop.c - prints the IP header in which the stack of layers ends. */
#include <string.h>

#include "decode.h"

/*
 * Finds the IP header in which the stack ends. Returns false if its start is unknown or
 * it is not captured whole.
 */
static bool header_of(const decoded *d, size_t bytes, const uint8_t **b)
{
    const rocecc_headers *f = &d->p.headers;
    rocecc_reader r = d->p.bytes;
    const bool first = f->ip.version == 0 && f->outer.version == 0;
    size_t i, at = r.at;
    if (d->n_ip == 2) /* both are layers, so the walk found a third */
        at = f->ip.upper;
    else if (!first)
        at = f->ip.version != 0 ? f->ip.offset : f->outer.upper;
    for (i = 0; first && i < d->n; i++) {
        const char *name = d->layers[i].kind->name;
        if (strcmp(name, "ether") == 0)
            at += ROCECC_ETHER_BYTES;
        else if (strcmp(name, "vlan") == 0)
            at += ROCECC_VLAN_BYTES;
        else
            return false;
    }
    r = rocecc_subrange(d->p.bytes, at, d->p.bytes.end);
    *b = rocecc_take(&r, bytes);
    return *b != NULL;
}

static void stop_ip4(const uint8_t *b, size_t left, FILE *out)
{
    const unsigned fragment = rocecc_load16(b + 6);
    fprintf(out,
            "    version %d, header of %d bytes, total length %d of %zu, protocol %d",
            b[0] >> 4, (b[0] & 15) * 4, rocecc_load16(b + 2), left, b[9]);
    if ((fragment & 0x3fff) != 0)
        fprintf(out, ", a fragment at %u%s", (fragment & 0x1fff) * 8,
                (fragment & 0x2000) != 0 ? ", more follow" : ", the last");
    fprintf(out, ": %d.%d.%d.%d > %d.%d.%d.%d\n", b[12], b[13], b[14], b[15], b[16],
            b[17], b[18], b[19]);
}

static void stop_ip6(const uint8_t *b, size_t left, FILE *out)
{
    const rocecc_ip6 src = rocecc_ip6_load(b + 8), dst = rocecc_ip6_load(b + 24);
    fprintf(out,
            "    version %d, payload length %d of %zu, next header %d: ", b[0] >> 4,
            rocecc_load16(b + 4), left - ROCECC_IPV6_BYTES, b[6]);
    text_ip(&src, out);
    fputs(" > ", out);
    text_ip(&dst, out);
    putc('\n', out);
}

void stop_text(const decoded *d, FILE *out)
{
    const bool v4 = strcmp(d->at, "ipv4") == 0;
    const uint8_t *b;
    size_t left;
    if (!v4 && strcmp(d->at, "ipv6") != 0) return;
    if (!header_of(d, v4 ? ROCECC_IPV4_BYTES : ROCECC_IPV6_BYTES, &b)) return;
    left = (size_t)(d->p.bytes.base + d->p.bytes.end - b);
    if (v4)
        stop_ip4(b, left, out);
    else
        stop_ip6(b, left, out);
}

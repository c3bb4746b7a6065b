/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pcapng.c - blocks of pcapng (draft-ietf-opsawg-pcapng). A section has either byte
 * order. An interface has its own link type, snap length, resolution and offset.
 * Packets are in Enhanced, Simple and old Packet Blocks. Other blocks are skipped.
 *
 *     type (4) | length (4) | body | length (4)      all of it: length, a multiple of 4
 */
#include "pcapng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rocecc/bytes.h"

#define BLOCK_MAX (16u << 20)
#define FRAME_BYTES 12 /* in the smallest block, type and two lengths */
#define NS_PER_S 1000000000u
#define INTERFACES_MAX 65536u /* per section */

enum {
    SECTION = 0x0a0d0d0a,
    INTERFACE = 1,
    OLD_PACKET = 2,
    SIMPLE_PACKET = 3,
    ENHANCED_PACKET = 6,
    OPTION_COMMENT = 1,
    OPTION_TSRESOL = 9,
    OPTION_TSOFFSET = 14
};

typedef struct interface {
    uint16_t link;
    uint32_t snaplen; /* 0 without a limit */
    uint8_t tsresol;
    uint64_t offset_s; /* in two's complement */
} interface;

typedef struct blocks {
    FILE *file;
    bool little;      /* byte order of the section */
    uint8_t *block;   /* the last block read */
    size_t room;      /* bytes of memory at block */
    uint32_t type;    /* type of the block */
    size_t body;      /* bytes at block + 8 */
    interface *known; /* interfaces of the section */
    size_t n_known;
    uint32_t before; /* interfaces of earlier sections */
    const pcapng_user *user;
    bool enough;
} blocks;

static uint32_t get32(const blocks *s, const uint8_t *b)
{
    const uint32_t v = rocecc_load32(b);
    if (!s->little) return v;
    return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

static uint16_t get16(const blocks *s, const uint8_t *b)
{
    return (uint16_t)(s->little ? b[1] << 8 | b[0] : b[0] << 8 | b[1]);
}

/* Reads a section's byte order, because its length already uses it. */
static const char *order(blocks *s)
{
    static const uint8_t big[] = {0x1a, 0x2b, 0x3c, 0x4d};
    static const uint8_t little[] = {0x4d, 0x3c, 0x2b, 0x1a};
    s->little = memcmp(s->block + 8, little, 4) == 0;
    return s->little || memcmp(s->block + 8, big, 4) == 0
               ? NULL
               : "a section has an unknown byte order";
}

static bool grow(blocks *s, size_t n)
{
    uint8_t *more = n <= s->room ? s->block : realloc(s->block, n);
    if (more == NULL) return false;
    s->block = more;
    if (n > s->room) s->room = n;
    return true;
}

/* Reads a block. Sets *end at the end of the file. */
static const char *next(blocks *s, bool *end)
{
    const size_t n = fread(s->block, 1, FRAME_BYTES, s->file);
    const char *why = NULL;
    size_t length;
    *end = n == 0 && !ferror(s->file);
    if (*end) return NULL;
    if (ferror(s->file)) return strerror(errno);
    if (n < FRAME_BYTES) return "the file ends inside the head of a block";
    if (rocecc_load32(s->block) == SECTION) why = order(s);
    if (why != NULL) return why;
    s->type = get32(s, s->block);
    length = get32(s, s->block + 4);
    if (length < FRAME_BYTES || length % 4 != 0 || length > BLOCK_MAX)
        return "the length of a block is not a multiple of 4 from 12 to 16777216";
    if (!grow(s, length)) return "out of memory for a block";
    if (fread(s->block + n, 1, length - n, s->file) != length - n)
        return ferror(s->file) ? strerror(errno) : "the file ends inside a block";
    if (get32(s, s->block + length - 4) != length)
        return "a block has two different lengths";
    s->body = length - FRAME_BYTES;
    return NULL;
}

/* Handles an option with this code and n bytes. */
typedef void option(blocks *s, uint16_t code, const uint8_t *b, size_t n);

/* Passes a block's options to `each`. The first one is at offset `at` in the body. */
static const char *options(blocks *s, size_t at, option *each)
{
    const uint8_t *b = s->block + 8;
    while (at + 4 <= s->body) {
        const uint16_t code = get16(s, b + at);
        const size_t n = get16(s, b + at + 2);
        at += 4;
        if (code == 0) return NULL;
        if (n > s->body - at) return "an option is longer than its block";
        each(s, code, b + at, n);
        at += (n + 3) / 4 * 4;
    }
    return NULL;
}

static void section_option(blocks *s, uint16_t code, const uint8_t *b, size_t n)
{
    if (code != OPTION_COMMENT || s->enough) return;
    s->enough = !s->user->comment((const char *)b, n, s->user->arg);
}

static const char *section(blocks *s)
{
    if (s->body < 16) return "a section header is too short";
    if (get16(s, s->block + 12) != 1)
        return "a section has an unknown version; expected 1";
    s->before += (uint32_t)s->n_known;
    s->n_known = 0;
    s->enough = !s->user->comment(NULL, 0, s->user->arg);
    return options(s, 16, section_option);
}

/* Handles the options that define the unit and offset of the last interface's times. */
static void interface_option(blocks *s, uint16_t code, const uint8_t *b, size_t n)
{
    interface *i = &s->known[s->n_known - 1];
    if (code == OPTION_TSRESOL && n >= 1) i->tsresol = b[0];
    if (code == OPTION_TSOFFSET && n >= 8) {
        const uint64_t first = get32(s, b), second = get32(s, b + 4);
        i->offset_s = s->little ? second << 32 | first : first << 32 | second;
    }
}

static const char *new_interface(blocks *s)
{
    interface *more, *i;
    if (s->body < 8) return "an interface description is too short";
    if (s->n_known == INTERFACES_MAX) return "a section has more than 65536 interfaces";
    if ((s->n_known & (s->n_known - 1)) == 0) { /* full, so double it */
        more = realloc(s->known, (s->n_known == 0 ? 1 : 2 * s->n_known) * sizeof *more);
        if (more == NULL) return "out of memory for an interface";
        s->known = more;
    }
    i = &s->known[s->n_known++];
    i->link = get16(s, s->block + 8);
    i->snaplen = get32(s, s->block + 12);
    i->tsresol = 6; /* microseconds */
    i->offset_s = 0;
    return options(s, 8, interface_option);
}

/* Converts units of 10^-n s, or of 2^-n s if the high bit is set, to ns. */
static uint64_t time_ns(const interface *i, uint64_t units)
{
    unsigned n = i->tsresol & 0x7f;
    uint64_t ns;
    if ((i->tsresol & 0x80) != 0) {
        if (n > 32) units = n - 32 < 64 ? units >> (n - 32) : 0;
        if (n > 32) n = 32;
        ns = (units & ((UINT64_C(1) << n) - 1)) * NS_PER_S >> n;
        return ns + ((units >> n) + i->offset_s) * NS_PER_S;
    }
    for (ns = units; n < 9; n++)
        ns *= 10;
    for (; n > 9 && ns != 0; n--)
        ns /= 10;
    return ns + i->offset_s * NS_PER_S;
}

/*
 * Passes on a packet of interface k, at offset `at` in the body. Without `units`, its
 * time is 0.
 */
static const char *frame(blocks *s, captured *f, size_t k, size_t at, uint64_t *units)
{
    if (k >= s->n_known) return "a packet names an interface that is not described";
    if (f->caplen > s->body - at) return "a packet is longer than its block";
    f->link = s->known[k].link;
    f->iface = s->before + (uint32_t)k;
    f->time_ns = units != NULL ? time_ns(&s->known[k], *units) : 0;
    f->bytes = s->block + 8 + at;
    s->enough = !s->user->each(f, s->user->arg);
    return NULL;
}

/* Handles an Enhanced or old Packet Block. Their first words differ. */
static const char *packet_block(blocks *s)
{
    const uint8_t *b = s->block + 8;
    captured f;
    uint64_t units;
    size_t k;
    if (s->body < 20) return "a packet block is too short";
    k = s->type == OLD_PACKET ? get16(s, b) : get32(s, b);
    f.caplen = get32(s, b + 12);
    f.len = get32(s, b + 16);
    units = (uint64_t)get32(s, b + 4) << 32 | get32(s, b + 8);
    return frame(s, &f, k, 20, &units);
}

/* A Simple Packet Block contains neither a time nor a captured length. */
static const char *simple_block(blocks *s)
{
    captured f;
    if (s->body < 4) return "a packet block is too short";
    f.len = f.caplen = get32(s, s->block + 8);
    if (s->n_known != 0 && s->known[0].snaplen != 0 && f.caplen > s->known[0].snaplen)
        f.caplen = s->known[0].snaplen;
    return frame(s, &f, 0, 4, NULL);
}

static const char *understand(blocks *s)
{
    switch (s->type) {
    case SECTION:
        return section(s);
    case INTERFACE:
        return new_interface(s);
    case ENHANCED_PACKET:
    case OLD_PACKET:
        return packet_block(s);
    case SIMPLE_PACKET:
        return simple_block(s);
    default:
        return NULL;
    }
}

const char *pcapng_read(FILE *file, const pcapng_user *user)
{
    blocks s = {.file = file, .user = user};
    bool end = false, first = true;
    const char *why = grow(&s, FRAME_BYTES) ? NULL : "out of memory";
    while (why == NULL && !s.enough) {
        why = next(&s, &end);
        if (end || why != NULL) break;
        if (first && s.type != SECTION)
            why = "a pcapng file must begin with a section header";
        first = false;
        if (why == NULL) why = understand(&s);
    }
    free(s.block);
    free(s.known);
    return why;
}

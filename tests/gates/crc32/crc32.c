/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crc32.c - checks that a kernel of examples/crc32 computes the CRC-32 of the ICRC. It
 * is built with -DHEADER='"x86.h"' -DKERNEL=crc32_pclmul, and -DNEEDS if the CPU may
 * lack it. It checks:
 *   the constants, computed from the polynomial bit by bit
 *   every length up to 4,096, and up to 300 at 16 alignments, between two pages that
 *   may not be touched
 *   the ICRCs of vectors/icrc.vec, with the kernel as rocecc's hook
 */
#include HEADER
#if !defined(ROCECC_CRC32_UPDATE) /* select.h defines it */
#define ROCECC_CRC32_UPDATE(state, b, n) KERNEL(state, b, n)
#endif
#include "rocecc/packet/icrc.h"

#include "../../../examples/lib/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LENGTH 4096u
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static unsigned long checks;

static void check(bool ok, const char *what, unsigned long a, unsigned long b)
{
    checks++;
    if (ok) return;
    printf("crc32: " TEXT(KERNEL) ": %s, %lu, %lu\n", what, a, b);
    exit(1);
}

/* Returns x^n modulo the polynomial, reflected: x^0 is bit 31. */
static uint64_t power(unsigned n)
{
    uint32_t x = 0x80000000;
    for (; n > 0; n--)
        x = x >> 1 ^ ((x & 1) != 0 ? 0xedb88320 : 0);
    return x;
}

static void constants(void)
{
    static const struct {
        unsigned n;
        uint64_t value;
    } x[] = {{96, CRC32_X96},    {160, CRC32_X160},   {224, CRC32_X224},
             {288, CRC32_X288},  {480, CRC32_X480},   {544, CRC32_X544},
             {992, CRC32_X992},  {1056, CRC32_X1056}, {2016, CRC32_X2016},
             {2080, CRC32_X2080}};
    uint64_t product = 0;
    unsigned i;
    for (i = 0; i < sizeof x / sizeof *x; i++)
        check(x[i].value == power(x[i].n) << 1, "x to the power of", x[i].n, 0);
    check(CRC32_P == (UINT64_C(0xedb88320) << 1 | 1), "the polynomial", 0, 0);
    for (i = 0; i < 64; i++)
        if (CRC32_INVERSE >> i & 1) product ^= CRC32_P << i;
    check(product == 1, "the inverse", 0, 0);
}

static uint32_t bitwise(uint32_t state, uint8_t b)
{
    int i;
    state ^= b;
    for (i = 0; i < 8; i++)
        state = state >> 1 ^ ((state & 1) != 0 ? 0xedb88320 : 0);
    return state;
}

/* Checks the first 1 to `longest` bytes at b bitwise. */
static void lengths(const uint8_t *b, size_t longest, const char *where)
{
    const uint32_t start = (uint32_t)(uintptr_t)b * 2654435761u ^ 0x5bd1e995;
    uint32_t state = start;
    size_t n;
    for (n = 0; n <= longest; n++) {
        if (n > 0) {
            check(KERNEL(start, b, n) == state, where, n, (uintptr_t)b & 15);
            check(rocecc_icrc_bytes(start, b, n) == state, "the hook", n, 0);
        }
        if (n < longest) state = bitwise(state, b[n]);
    }
}

static void pages(void)
{
    const size_t page = 65536; /* whole pages on any machine */
    uint8_t *m = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t state;
    size_t i, n;
    check(m != MAP_FAILED, "memory", 0, 0);
    for (i = 0; i < page; i++)
        m[page + i] = (uint8_t)(i * i >> 3 ^ i * 167);
    check(mprotect(m, page, PROT_NONE) == 0 &&
              mprotect(m + 2 * page, page, PROT_NONE) == 0,
          "guard pages", 0, 0);
    lengths(m + page, LENGTH, "at the start of a page");
    for (i = 0; i < 16; i++)
        lengths(m + page + i, 300, "aligned otherwise");
    for (n = 1; n <= LENGTH; n++) {
        const uint8_t *b = m + 2 * page - n;
        state = 0;
        for (i = 0; i < n; i++)
            state = bitwise(state, b[i]);
        check(KERNEL(0, b, n) == state, "at the end of a page", n, 0);
    }
}

static void row(const vec_row *r, void *arg)
{
    rocecc_domain domain = {.ah = true}; /* rows with AH test the ICRC rules */
    static const char *const names[] = {"auto",    "standard", "masked",
                                        "literal", "stripped", "none"};
    const char *asked = vec_value(r->in, r->n_in, "rule");
    unsigned rule = 0;
    const char *link = vec_value(r->in, r->n_in, "link");
    const char *computed = vec_value(r->out, r->n_out, "computed");
    uint8_t wire[VEC_BYTES];
    rocecc_packet p;
    rocecc_icrc icrc;
    unsigned long *rows = arg;
    size_t n = 0;
    if (strcmp(r->noun, "icrc_verify") != 0 || r->status != ROCECC_OK) return;
    while (rule < 5 && asked != NULL && strcmp(asked, names[rule]) != 0)
        rule++;
    domain.link =
        link != NULL && strcmp(link, "ip") == 0 ? ROCECC_LINK_IP : ROCECC_LINK_ETHER;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(r->bytes, r->bytes + r->n), &p);
    check(rocecc_icrc_verify((rocecc_icrc_rule)rule, &p, &icrc) == ROCECC_OK, r->id, 0,
          0);
    check(computed != NULL && vec_hex(computed, wire, &n) && n == 4 &&
              icrc.computed == rocecc_icrc_load(wire),
          r->id, icrc.computed, 0);
    ++*rows;
}

int main(void)
{
    unsigned long rows = 0;
    constants();
#if defined(NEEDS)
    if (!(NEEDS)) {
        char name[200] = "?\n";
        FILE *f = popen("sed -n 's/^model name.*: //p' /proc/cpuinfo", "r");
        if (f == NULL || fgets(name, sizeof name, f) == NULL) name[0] = '\n';
        printf("crc32: " TEXT(KERNEL) ": not on this CPU, skipped: %s", name);
        return 0;
    }
#endif
    pages();
    vec_read("vectors/icrc.vec", row, &rows);
    check(rows > 30, "few vectors", rows, 0);
    printf("crc32: " TEXT(KERNEL) ": %lu checks, %lu of them ICRCs of vectors\n",
           checks, rows);
    return 0;
}

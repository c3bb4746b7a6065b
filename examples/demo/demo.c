/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * demo.c - decodes the packets of vectors/bth.vec and says in words what they are.
 * Run it from the root of the repository: build/demo
 */
#include <ctype.h>
#include <string.h>

#include "../../tests/law/bth.h"
#include "../../tests/lib/field.h"
#include "../../tests/lib/vec.h"

#define VECTORS "vectors/bth.vec"
#define FIRST_SYNTHETIC "all-0" /* from this row on, fields one by one: no packets */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define INDEX(T, kind, member, names) OPCLASS_##member,

static const field bth_fields[] = {BTH_FIELDS(FIELD_ROW, rocecc_bth)};
static const field opclass_fields[] = {OPCLASS_FIELDS(FIELD_ROW, rocecc_opclass)};
enum { OPCLASS_FIELDS(INDEX, unused) };

typedef struct tally {
    unsigned shown, cnps, skipped, failed;
    bool synthetic;
} tally;

/* The name of a value, as engineers write it: RC, RDMA WRITE, RETH. */
static void print_upper(const field *f, unsigned value)
{
    const char *name = f->names;
    for (; value > 0; value--)
        name += strcspn(name, " ") + 1;
    for (; *name != '\0' && *name != ' '; name++)
        putchar(*name == '_' ? ' ' : toupper((unsigned char)*name));
}

/* Which of a message's packets it is. Only messages with bytes come in several. */
static const char *position(const rocecc_opclass *c)
{
    if (c->payload != ROCECC_PAYLOAD_ANY) return "";
    if (c->first) return c->last ? " Only" : " First";
    return c->last ? " Last" : " Middle";
}

static void print_opclass(const rocecc_opclass *c)
{
    static const char *const payload[] = {"no payload", "payload",
                                          "8 bytes of payload"};
    unsigned bit;
    if (c->service == ROCECC_SERVICE_CNP)
        printf(c->operation == ROCECC_OPERATION_CNP ? "RoCEv2" : "InfiniBand");
    else
        print_upper(&opclass_fields[OPCLASS_service], c->service);
    printf(" ");
    print_upper(&opclass_fields[OPCLASS_operation], c->operation);
    printf("%s: ", position(c));
    for (bit = 0; c->ext >> bit != 0; bit++) {
        const unsigned ext = c->ext & 1u << bit;
        if (ext == ROCECC_EXT_CNP)
            printf("%u reserved bytes follow, ", rocecc_ext_bytes(ROCECC_EXT_CNP));
        else if (ext != 0)
            print_upper(&opclass_fields[OPCLASS_ext], bit), printf(", ");
    }
    if (c->payload != ROCECC_PAYLOAD_NONE && c->ext != 0) printf("then ");
    printf("%s\n", payload[c->payload]);
}

/* The members that are not 0: QPs, PSNs and keys in hex, as wide as on the wire. */
static void print_members(const rocecc_bth *h)
{
    size_t i;
    printf("  fields ");
    for (i = 0; i < COUNT(bth_fields); i++) {
        const field *f = &bth_fields[i];
        const unsigned long value = (unsigned long)field_get(f, h);
        if (value == 0 || f->offset == offsetof(rocecc_bth, opcode)) continue;
        printf(" %s=", f->name);
        if (f->size == 1)
            field_print(f, h, stdout);
        else
            printf("0x%0*lx", f->size == 2 ? 4 : 6, value); /* 4: 24 bits */
    }
    printf("\n");
}

static void show(const vec_row *row, const rocecc_bth *h, tally *t)
{
    rocecc_opclass c;
    const rocecc_status status = rocecc_opclass_lookup(h->opcode, &c);
    size_t i;
    printf("%s: %s\n  bytes  ", row->id, row->source);
    for (i = 0; i < row->n; i++)
        printf("%s%02x", i % 4 == 0 ? " " : "", row->bytes[i]);
    printf("\n  opcode  0x%02x ", h->opcode);
    if (status == ROCECC_OK)
        print_opclass(&c);
    else
        printf("%s\n",
               status == ROCECC_NO_MATCH ? "reserved" : "the manufacturer's own");
    print_members(h);
    if (h->opcode == ROCECC_OPCODE_CNP) {
        printf("  asks    lower the rate of QP 0x%06lx\n", (unsigned long)h->dest_qp);
        t->cnps++;
    }
    printf("\n");
    t->shown++;
}

static void each(const vec_row *row, void *arg)
{
    tally *t = (tally *)arg;
    rocecc_reader r = rocecc_reader_of(row->bytes, row->bytes + row->n);
    rocecc_bth h;
    if (row->call || strcmp(row->noun, "bth") != 0 || row->status != ROCECC_OK) return;
    if (strcmp(row->id, FIRST_SYNTHETIC) == 0) t->synthetic = true;
    if (rocecc_bth_parse(&r, &h) != ROCECC_OK || rocecc_left(&r) != 0) {
        fprintf(stderr, "%s: %s is not a BTH\n", VECTORS, row->id);
        t->failed++;
    } else if (t->synthetic) {
        t->skipped++;
    } else {
        show(row, &h, t);
    }
}

int main(void)
{
    tally t = {0, 0, 0, 0, false};
    vec_read(VECTORS, each, &t);
    printf("%u packets decoded, %u of them CNPs; %u rows of single fields not shown.\n",
           t.shown, t.cnps, t.skipped);
    if (t.shown == 0) fprintf(stderr, "%s: no packet to show\n", VECTORS);
    return t.shown == 0 || t.failed != 0;
}

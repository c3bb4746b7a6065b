/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * text.c - a block per frame, for people: a line per layer with the members that are
 * not 0, and below it in words what they say.
 */
#include <string.h>

#include "../../tests/law/bth.h"
#include "../../tests/lib/vec.h"
#include "decode.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define INDEX(T, kind, member, names) OPCLASS_##member,
#define VIEW_MAX 32 /* bytes of a member that are shown */

static const field opclass_fields[] = {OPCLASS_FIELDS(FIELD_ROW, rocecc_opclass)};
enum { OPCLASS_FIELDS(INDEX, unused) };

/* What is written in hex, and with how many digits. */
static const struct {
    const char *name;
    int digits;
} hex_members[] = {{"opcode", 2},     {"syndrome", 2},
                   {"odd", 2},        {"flags", 2},
                   {"nxt_hdr", 2},    {"pkey", 4},
                   {"type", 4},       {"checksum", 4},
                   {"tag", 4},        {"header_checksum", 4},
                   {"psn", 6},        {"dest_qp", 6},
                   {"src_qp", 6},     {"ee_context", 6},
                   {"msn", 6},        {"xrcsrq", 6},
                   {"flow_label", 5}, {"q_key", 8},
                   {"r_key", 8},      {"data", 8},
                   {"seq", 8},        {"ack", 8},
                   {NULL, 0}};

static void text_member(const field *f, const void *record, FILE *out)
{
    rocecc_reader view;
    size_t i;
    if (f->kind == FIELD_VIEW && field_get(f, record) > VIEW_MAX) {
        memcpy(&view, (const char *)record + f->offset, sizeof view);
        for (i = 0; i < VIEW_MAX; i++) {
            const uint8_t *b = rocecc_take(&view, 1);
            if (b != NULL) fprintf(out, "%02x", *b);
        }
        fprintf(out, "...(%lu bytes)", (unsigned long)field_get(f, record));
        return;
    }
    for (i = 0; f->kind == FIELD_UINT && hex_members[i].name != NULL; i++) {
        if (strcmp(f->name, hex_members[i].name) != 0) continue;
        fprintf(out, "0x%0*lx", hex_members[i].digits,
                (unsigned long)field_get(f, record));
        return;
    }
    if (f->kind == FIELD_HEX) fputs("0x", out);
    field_print(f, record, out);
}

static bool is_zero(const field *f, const void *record)
{
    if (f->kind == FIELD_MAC || f->kind == FIELD_IP4 || f->kind == FIELD_IP6)
        return false;
    return f->kind != FIELD_ENUM && field_get(f, record) == 0;
}

/* Which of a message's packets it is. Only messages with bytes come in several. */
static const char *position(const rocecc_opclass *c)
{
    if (c->payload != ROCECC_PAYLOAD_ANY) return "";
    if (c->first) return c->last ? " Only" : " First";
    return c->last ? " Last" : " Middle";
}

/* As engineers say it: RC RDMA WRITE Only. */
void text_opcode(uint8_t opcode, FILE *out)
{
    rocecc_opclass c;
    const rocecc_status status = rocecc_opclass_lookup(opcode, &c);
    if (status != ROCECC_OK) {
        fputs(status == ROCECC_NO_MATCH ? "reserved" : "the manufacturer's own", out);
        return;
    }
    if (c.service == ROCECC_SERVICE_CNP)
        fputs(c.operation == ROCECC_OPERATION_CNP ? "RoCEv2" : "InfiniBand", out);
    else
        print_name(opclass_fields[OPCLASS_service].names, c.service, true, out);
    putc(' ', out);
    print_name(opclass_fields[OPCLASS_operation].names, c.operation, true, out);
    fputs(position(&c), out);
}

static void text_bth(const decoded *d, FILE *out)
{
    fputs("          ", out);
    text_opcode(d->bth.opcode, out);
    putc('\n', out);
}

static void text_ecn(uint8_t ecn, FILE *out)
{
    static const char *const names[] = {"Not-ECT", "ECT(1)", "ECT(0)",
                                        "CE: congestion was met on the way"};
    if (ecn != ROCECC_ECN_NOT_ECT) fprintf(out, "          ECN %s\n", names[ecn & 3]);
}

/* Who is asked what, and what is unlike Figure 6. */
static void text_cnp(const decoded *d, const cnp_record *cnp, FILE *out)
{
    static const char *const odd[] = {"Solicited Event is set",
                                      "MigReq is set",
                                      "AckReq is set",
                                      "PSN is not 0",
                                      "Resv6 is not 0",
                                      "Resv7 is not 0",
                                      "the reserved bytes are not 0",
                                      "the reserved bytes are missing"};
    const layer *ip = NULL;
    size_t i;
    for (i = 0; i < d->n; i++) /* the last one is next to UDP */
        if (strncmp(d->layers[i].kind->name, "ipv", 3) == 0) ip = &d->layers[i];
    fputs("          asks ", out);
    for (i = 0; ip != NULL && i < ip->kind->n; i++)
        if (strcmp(ip->kind->fields[i].name, "dst") == 0)
            field_print(&ip->kind->fields[i], ip->record, out);
    if (ip == NULL) fputs("the destination", out);
    fprintf(out, " to lower the rate of its QP 0x%06lx\n",
            (unsigned long)d->bth.dest_qp);
    for (i = 0; i < COUNT(odd); i++)
        if (cnp->odd >> i & 1) fprintf(out, "          odd: %s\n", odd[i]);
}

static void text_aeth(const rocecc_aeth *aeth, FILE *out)
{
    static const char *const naks[] = {
        "PSN sequence error", "invalid request", "remote access error",
        "remote operational error", "invalid RD request"};
    const rocecc_syndrome s = rocecc_syndrome_load(&aeth->syndrome);
    fputs("          ", out);
    if (s.type == ROCECC_SYNDROME_ACK && s.value == 31)
        fputs("ACK, credits are not used", out);
    else if (s.type == ROCECC_SYNDROME_ACK)
        fprintf(out, "ACK, credit count code %u", s.value);
    else if (s.type == ROCECC_SYNDROME_RNR_NAK)
        fprintf(out, "RNR NAK: retry after %lu microseconds",
                (unsigned long)rocecc_rnr_timer_us(s.value));
    else if (s.type == ROCECC_SYNDROME_NAK)
        fprintf(out, "NAK: %s",
                s.value < COUNT(naks) ? naks[s.value] : "reserved code");
    else
        fputs("reserved type", out);
    fputs(s.reserved ? ", reserved bit set\n" : "\n", out);
}

static void text_icrc(const icrc_record *icrc, const field *f, FILE *out)
{
    const field *value = &f[0], *computed = &f[1];
    field_print(value, icrc, out);
    if (icrc->ok == ICRC_UNKNOWN) {
        fputs(icrc->rule == ROCECC_ICRC_NONE ? " not checked" : " cannot be computed",
              out);
    } else if (icrc->ok != 0) {
        fputs(" ok", out);
    } else {
        fputs(" WRONG, computed ", out);
        field_print(computed, icrc, out);
    }
    fputs(" (rule ", out);
    print_name(ICRC_RULES, icrc->rule, false, out);
    fputs(")\n", out);
}

static void text_payload(const payload_record *h, FILE *out)
{
    fprintf(out, "          %lu bytes and %lu of padding%s\n",
            (unsigned long)rocecc_left(&h->bytes), (unsigned long)rocecc_left(&h->pad),
            h->pad_forbidden ? ", which this opcode should not have" : "");
}

static void text_layer(const decoded *d, const layer *l, FILE *out)
{
    const char *name = l->kind->name;
    size_t i;
    fprintf(out, "  %-7s", name);
    if (l->record == &d->icrc) {
        putc(' ', out);
        text_icrc(&d->icrc, l->kind->fields, out);
        return;
    }
    for (i = 0; i < l->kind->n; i++) {
        const field *f = &l->kind->fields[i];
        if (is_zero(f, l->record)) continue;
        fprintf(out, " %s=", f->name);
        text_member(f, l->record, out);
    }
    putc('\n', out);
    if (strcmp(name, "ipv4") == 0)
        text_ecn(((const rocecc_ipv4 *)l->record)->ecn, out);
    else if (strcmp(name, "ipv6") == 0)
        text_ecn(((const rocecc_ipv6 *)l->record)->ecn, out);
    else if (l->record == &d->bth)
        text_bth(d, out);
    else if (l->record == &d->cnp)
        text_cnp(d, &d->cnp, out);
    else if (l->record == &d->headers.aeth)
        text_aeth(&d->headers.aeth, out);
    else if (l->record == &d->payload)
        text_payload(&d->payload, out);
}

void text_frame(const packet *p, const decoded *d, FILE *out)
{
    static const char *const why[] = {"",
                                      "",
                                      "",
                                      "the capture ends inside",
                                      "the bytes contradict the format",
                                      "beyond what is decoded here"};
    size_t i;
    fprintf(out, "frame %llu", (unsigned long long)p->number);
    if (p->id != NULL)
        fprintf(out, "  %s", p->id);
    else
        fprintf(out, "  at %llu.%09llu", (unsigned long long)(p->time_ns / 1000000000u),
                (unsigned long long)(p->time_ns % 1000000000u));
    fprintf(out, "  %lu bytes", (unsigned long)p->len);
    if (p->bytes.end != p->len)
        fprintf(out, ", %lu of them captured", (unsigned long)p->bytes.end);
    putc('\n', out);
    if (p->id != NULL) fprintf(out, "  from    %s\n", p->source);
    for (i = 0; i < d->n; i++)
        text_layer(d, &d->layers[i], out);
    if (d->status != ROCECC_OK)
        fprintf(out, "  stops at %s: %s, %s\n", d->at, vec_status_name(d->status),
                why[d->status]);
    putc('\n', out);
}

/* SPDX-License-Identifier: BSD-2-Clause */

/* summary.c - counts over all frames. */
#include <string.h>

#include "../lib/vec.h"
#include "decode.h"

static void add_failure(summary *s, const decoded *d)
{
    size_t i;
    for (i = 0; i < s->n_failures; i++)
        if (s->failure[i].status == d->status && strcmp(s->failure[i].at, d->at) == 0)
            break;
    if (i == FAILURES_MAX) return; /* there are fewer layers */
    if (i == s->n_failures) {
        s->failure[i].status = d->status;
        s->failure[i].at = d->at;
        s->failure[i].n = 0;
        s->n_failures++;
    }
    s->failure[i].n++;
}

static void add_ecn(summary *s, const rocecc_packet *p)
{
    rocecc_ip ip;
    if (rocecc_packet_ip(p, &p->headers.ip, &ip) == ROCECC_OK) s->ecn[ip.ecn & 3]++;
}

/* Counts notifications and flow control by the last layer. */
static void add_notification(summary *s, const decoded *d)
{
    const void *last = d->n != 0 ? d->layers[d->n - 1].record : NULL;
    if (last == &d->l3qcn.h.cnm)
        s->private_cnms++;
    else if (last == &d->arn)
        s->arns++;
    else if (last == &d->cnm)
        s->cnms_qcn++;
    else if (last == &d->pfc)
        s->pfc++;
    else if (last == &d->pause)
        s->pause++;
}

/* Counts a packet without a BTH. */
static void add_other(summary *s, const decoded *d)
{
    if ((d->p.headers.kind & ~(unsigned)ROCECC_PACKET_KIND_PARTIAL) ==
        ROCECC_PACKET_KIND_TCP)
        s->tcp++;
    else if (d->p.headers.udp != 0)
        s->udp++;
    else
        s->other++;
    if (decode_find(d, "problem") != NULL && d->problem.fastcnp) s->problems++;
    add_notification(s, d);
}

static void add_roce(summary *s, const decoded *d)
{
    const rocecc_partial partial = rocecc_packet_partial(&d->p);
    s->opcode[d->bth.opcode]++;
    if (d->p.headers.grh != 0) {
        s->rocev1++;
    } else {
        s->rocev2++;
        add_ecn(s, &d->p);
        if (partial != ROCECC_PARTIAL_NONE) s->partial[partial]++;
        if (d->bth.opcode == ROCECC_OPCODE_CNP) s->cnps++;
        if (d->has_fastcnp) s->fastcnps[d->fastcnp.kind & 1]++;
    }
    if (!d->has_icrc || d->icrc.ok == CHECK_UNKNOWN)
        s->icrc_unchecked++;
    else if (d->icrc.ok == 0)
        s->icrc_wrong++;
    else
        s->rule_ok[d->icrc.rule]++;
}

/* Counts sFlow, its samples, and RoCE in their innermost packets. */
static void add_samples(summary *s, const decoded *d)
{
    size_t i;
    for (; d != NULL; d = d->inner) {
        if (decode_find(d, "sflow") != NULL) s->sflow++;
        for (i = 0; i < d->sflow.count; i++) {
            const decoded *sampled = d->sflow.sample[i].packet;
            s->sampled++;
            if (sampled != NULL && decode_innermost(sampled)->has_bth)
                s->sampled_roce++;
        }
    }
}

void summary_add(summary *s, const packet *p, const decoded *d)
{
    const decoded *level;
    s->frames++;
    s->bytes += p->len;
    for (level = d; level != NULL; level = level->inner) {
        if (level->status != ROCECC_OK) add_failure(s, level);
        if (level->inner != NULL) s->tunnels[level->p.headers.tunnel]++;
    }
    add_samples(s, d);
    level = decode_innermost(d);
    if (level->has_bth)
        add_roce(s, level);
    else
        add_other(s, level);
}

static void line(uint64_t n, const char *indent, const char *what, FILE *out)
{
    fprintf(out, "%12llu  %s%s\n", (unsigned long long)n, indent, what);
}

void summary_print(const summary *s, FILE *out)
{
    static const char *const ecn[] = {"Not-ECT", "ECT(1)", "ECT(0)", "CE"};
    static const char *const partial[] = {
        "",        "first fragments", "trimmed by a switch", "cut by a mirror session",
        "sampled", "quoted",          "cut by the capture"};
    uint64_t ok = 0;
    size_t i;
    fprintf(out, "%12llu  frames, %llu bytes\n", (unsigned long long)s->frames,
            (unsigned long long)s->bytes);
    line(s->rocev2, "", "RoCEv2", out);
    line(s->cnps, "  ", "CNPs", out);
    if (s->fastcnps[0] != 0) line(s->fastcnps[0], "    ", "plain Fast CNPs", out);
    if (s->fastcnps[1] != 0) line(s->fastcnps[1], "    ", "Fast CNPs with IOAM", out);
    for (i = 0; i < 4; i++)
        if (s->ecn[i] != 0) line(s->ecn[i], "  ECN ", ecn[i], out);
    for (i = 1; i < 7; i++)
        if (s->partial[i] != 0) line(s->partial[i], "  ", partial[i], out);
    line(s->rocev1, "", "RoCEv1", out);
    line(s->tcp, "", "TCP", out);
    line(s->udp, "", "UDP", out);
    if (s->private_cnms != 0) line(s->private_cnms, "  ", "private CNMs", out);
    if (s->arns != 0) line(s->arns, "  ", "ARNs", out);
    if (s->sflow != 0) {
        line(s->sflow, "  ", "sFlow datagrams", out);
        fprintf(out, "%12llu    sampled packets, %llu of them RoCE\n",
                (unsigned long long)s->sampled, (unsigned long long)s->sampled_roce);
    }
    line(s->other, "", "other", out);
    if (s->cnms_qcn != 0) line(s->cnms_qcn, "  ", "CNMs of QCN", out);
    if (s->pfc != 0) line(s->pfc, "  ", "PFC", out);
    if (s->pause != 0) line(s->pause, "  ", "PAUSE", out);
    if (s->problems != 0)
        line(s->problems, "  ", "ICMPv6 Parameter Problems of a Fast CNP", out);
    for (i = 0; i < COUNT(s->tunnels); i++) {
        if (s->tunnels[i] == 0) continue;
        fprintf(out, "%12llu  in ", (unsigned long long)s->tunnels[i]);
        print_name(TUNNELS, (unsigned)i, false, out);
        putc('\n', out);
    }
    for (i = 0; i < 256; i++) {
        if (s->opcode[i] == 0) continue;
        fprintf(out, "%12llu  opcode 0x%02x ", (unsigned long long)s->opcode[i],
                (unsigned)i);
        text_opcode((uint8_t)i, out);
        putc('\n', out);
    }
    for (i = 0; i < 6; i++)
        ok += s->rule_ok[i];
    line(ok, "", "ICRC ok", out);
    for (i = 0; i < 6; i++) {
        if (s->rule_ok[i] == 0) continue;
        fprintf(out, "%12llu    rule ", (unsigned long long)s->rule_ok[i]);
        print_name(ICRC_RULES, (unsigned)i, false, out);
        putc('\n', out);
    }
    line(s->icrc_wrong, "", "ICRC wrong", out);
    line(s->icrc_unchecked, "", "ICRC not checked", out);
    for (i = 0; i < s->n_failures; i++)
        fprintf(out, "%12llu  %s at %s\n", (unsigned long long)s->failure[i].n,
                vec_status_name(s->failure[i].status), s->failure[i].at);
}

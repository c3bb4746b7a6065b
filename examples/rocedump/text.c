/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * text.c - prints a block per frame for people. A layer has a line with the members
 * that are not 0, and their meaning in words below.
 */
#include <string.h>

#include "rocecc/fields/bth.h"
#include "../lib/vec.h"
#include "decode.h"
#include "next.h"

#define INDEX(T, kind, member, ...) OPCLASS_##member,
#define VIEW_MAX 32 /* bytes shown of a member */

static const field opclass_fields[] = {
    ROCECC_OPCLASS_FIELDS(FIELD_ROW, rocecc_opcode_class)};
enum { ROCECC_OPCLASS_FIELDS(INDEX, unused) };

/* Members in hex, with their number of digits. */
static const struct {
    const char *name;
    int digits;
} hex_members[] = {{"opcode", 2},
                   {"syndrome", 2},
                   {"odd", 2},
                   {"flags", 2},
                   {"nxt_hdr", 2},
                   {"para_type", 2},
                   {"enable", 2},
                   {"pkey", 4},
                   {"flow_id", 4},
                   {"type", 4},
                   {"checksum", 4},
                   {"tag", 4},
                   {"header_checksum", 4},
                   {"psn", 6},
                   {"tpid", 4},
                   {"instructions", 4},
                   {"dest_qp", 6},
                   {"src_qp", 6},
                   {"ee_context", 6},
                   {"msn", 6},
                   {"xrcsrq", 6},
                   {"flow_label", 5},
                   {"q_key", 8},
                   {"r_key", 8},
                   {"data", 8},
                   {"seq", 8},
                   {"ack", 8},
                   {NULL, 0}};

void text_ip(const rocecc_ip6 *address, FILE *out)
{
    static const field ip4 = FIELD_AT("", IP4, 12, sizeof(rocecc_ip4), NULL);
    static const field ip6 = FIELD_AT("", IP6, 0, sizeof *address, NULL);
    field_print(rocecc_ip6_is_ip4(address) ? &ip4 : &ip6, address, out);
}

static void text_member(const field *f, const void *record, FILE *out)
{
    rocecc_reader view;
    rocecc_ip6 address;
    size_t i;
    if (f->kind == ROCECC_FIELD_IP6) {
        memcpy(&address, (const char *)record + f->offset, sizeof address);
        text_ip(&address, out);
        return;
    }
    if (f->kind == ROCECC_FIELD_VIEW && field_get(f, record) > VIEW_MAX) {
        memcpy(&view, (const char *)record + f->offset, sizeof view);
        for (i = 0; i < VIEW_MAX; i++) {
            const uint8_t *b = rocecc_take(&view, 1);
            if (b != NULL) fprintf(out, "%02x", *b);
        }
        fprintf(out, "...(%lu bytes)", (unsigned long)field_get(f, record));
        return;
    }
    for (i = 0; f->kind == ROCECC_FIELD_UINT && hex_members[i].name != NULL; i++) {
        if (strcmp(f->name, hex_members[i].name) != 0) continue;
        if ((size_t)hex_members[i].digits > 2 * f->size) continue;
        fprintf(out, "0x%0*lx", hex_members[i].digits,
                (unsigned long)field_get(f, record));
        return;
    }
    if (f->kind == ROCECC_FIELD_HEX) fputs("0x", out);
    field_print(f, record, out);
}

static bool is_zero(const field *f, const void *record)
{
    if (f->kind == ROCECC_FIELD_MAC || f->kind == ROCECC_FIELD_IP4 ||
        f->kind == ROCECC_FIELD_IP6)
        return false;
    return f->kind != ROCECC_FIELD_ENUM && field_get(f, record) == 0;
}

/* Returns a packet's place in its message. Only a message with payload has several. */
static const char *position(const rocecc_opcode_class *c)
{
    if (c->payload != ROCECC_PAYLOAD_ANY) return "";
    if (c->first) return c->last ? " Only" : " First";
    return c->last ? " Last" : " Middle";
}

/* Prints, for example, RC RDMA WRITE Only with Immediate. */
void text_opcode(uint8_t opcode, FILE *out)
{
    rocecc_opcode_class c;
    const rocecc_status status = rocecc_opcode_lookup(opcode, &c);
    if (status != ROCECC_OK) {
        fputs(status == ROCECC_NO_MATCH ? "reserved" : "manufacturer", out);
        return;
    }
    if (c.service == ROCECC_SERVICE_CNP)
        fputs(c.operation == ROCECC_OPERATION_CNP ? "RoCEv2" : "InfiniBand", out);
    else
        print_name(opclass_fields[OPCLASS_service].names, c.service, true, out);
    putc(' ', out);
    print_name(opclass_fields[OPCLASS_operation].names, c.operation, true, out);
    fputs(position(&c), out);
    if ((c.ext & ROCECC_EXT_IMMDT) != 0) fputs(" with Immediate", out);
    if ((c.ext & ROCECC_EXT_IETH) != 0) fputs(" with Invalidate", out);
}

static void text_bth(const decoded *d, FILE *out)
{
    const bool unknown =
        d->status == ROCECC_ERR_UNSUPPORTED && strcmp(d->at, "ext") == 0;
    fputs("          ", out);
    if (unknown) fprintf(out, "opcode 0x%02x: ", d->bth.opcode);
    text_opcode(d->bth.opcode, out);
    if (unknown && d->bth.opcode >> 5 == ROCECC_SERVICE_RD) fputs(", or DC", out);
    putc('\n', out);
    if (d->bth.tver != 0)
        fputs("          odd: TVer is not 0, so receivers drop the packet\n", out);
    if (d->bth.opcode == ROCECC_OPCODE_CNP) return; /* text_cnp() prints them */
    if ((d->bth_shown.odd & ROCECC_BTH_ODD_SOLICITED) != 0)
        fputs("          odd: Solicited Event is set, but this packet cannot cause an "
              "event\n",
              out);
    if ((d->bth_shown.odd & ROCECC_BTH_ODD_ACK_REQ) != 0)
        fputs("          odd: AckReq is set, but this packet is never acknowledged\n",
              out);
}

static void text_ecn(rocecc_ecn ecn, FILE *out)
{
    static const char *const names[] = {"Not-ECT", "ECT(1)", "ECT(0)",
                                        "CE: congestion on the path"};
    if (ecn != ROCECC_ECN_NOT_ECT) fprintf(out, "          ECN %s\n", names[ecn & 3]);
}

static void text_ipv6(const decoded *d, const rocecc_ipv6 *ip, FILE *out)
{
    text_ecn(ip->ecn, out);
    if (d->p.headers.outer.version != 6 || ip != &d->ip[0].v6) return;
    fputs("          a tunnel from ", out);
    text_ip(&ip->src, out);
    if (d->p.headers.outer.n_ext == 0) {
        fputs(" to ", out);
        text_ip(&ip->dst, out);
    }
    putc('\n', out);
}

/* Prints an SRH's segments in the order of the path. */
static void text_srh(const rocecc_srh *srh, FILE *out)
{
    size_t i = rocecc_left(&srh->segments) / 16;
    rocecc_ip6 segment;
    fputs("          via ", out);
    while (i-- > 0) {
        if (rocecc_srh_segment(srh, (uint8_t)i, &segment) != ROCECC_OK) break;
        text_ip(&segment, out);
        if (i == srh->segments_left) fputs(" (now)", out);
        if (i > 0) fputs(", ", out);
    }
    putc('\n', out);
}

static void text_members(const layer_kind *kind, const void *record, FILE *out)
{
    size_t i;
    for (i = 0; i < kind->n; i++) {
        const field *f = &kind->fields[i];
        if (is_zero(f, record)) continue;
        if (f->kind == ROCECC_FIELD_BOOL && field_get(f, record) > 1)
            continue; /* null */
        fprintf(out, " %s=", f->name);
        text_member(f, record, out);
    }
    putc('\n', out);
}

/* Prints a node's values for algorithms, with units, or nothing if it has none. */
static void text_hop(const rocecc_hop *h, FILE *out)
{
    const char *comma = "                ";
    if ((h->valid & ROCECC_HOP_ID) != 0) {
        fprintf(out, "%snode 0x%lx, port %lu", comma, (unsigned long)(h->id >> 32),
                (unsigned long)(h->id & 0xffffffff));
        comma = ": ";
    }
    if ((h->valid & ROCECC_HOP_QUEUE) != 0) {
        fprintf(out, "%s%lu bytes queued", comma, (unsigned long)h->queue_bytes);
        comma = ", ";
    }
    if ((h->valid & ROCECC_HOP_TX) != 0) {
        fprintf(out, "%s%llu bytes sent", comma, (unsigned long long)h->tx_bytes);
        comma = ", ";
    }
    if ((h->valid & ROCECC_HOP_UTIL) != 0) {
        const unsigned long permille =
            (unsigned long)(((uint64_t)h->util_q20 * 1000 + ROCECC_ONE_Q20 / 2) >> 20);
        fprintf(out, "%s%lu.%lu %% busy", comma, permille / 10, permille % 10);
        comma = ", ";
    }
    if ((h->valid & ROCECC_HOP_RATE) != 0) {
        fprintf(out, "%s%llu Mb/s", comma, (unsigned long long)h->rate_bps / 1000000);
        comma = ", ";
    }
    if ((h->valid & ROCECC_HOP_TS) != 0) {
        fprintf(out, "%sat %llu ns", comma, (unsigned long long)h->ts_ns);
        comma = ", ";
    }
    if (*comma != ' ') putc('\n', out);
}

/* Prints the nodes in the order of the path, oldest first. */
static void text_nodes(const settings *c, const layer_kind *kind, const void *record,
                       FILE *out)
{
    const node_kind *nodes = kind->nodes;
    size_t i = *((const uint8_t *)record + nodes->count), k, hop = 0;
    if (i == 0) fputs("          no node yet\n", out);
    while (i-- > 0) {
        const void *node = decode_node(nodes, record, i);
        const rocecc_hop h = decode_hop(c, kind, node);
        fprintf(out, "          hop %lu:", (unsigned long)++hop);
        for (k = 0; k < nodes->n; k++) {
            if (!decode_has(nodes, node, k)) continue;
            fprintf(out, " %s=", nodes->fields[k].name);
            text_member(&nodes->fields[k], node, out);
        }
        putc('\n', out);
        text_hop(&h, out);
    }
}

/* Prints a packet's trace. */
static void text_ioam(const settings *c, const layer_kind *kind, const ioam_record *h,
                      FILE *out)
{
    text_nodes(c, kind, h, out);
    if (h->flags & ROCECC_IOAM_FLAG_OVERFLOW)
        fputs("          and nodes without room for their data\n", out);
}

static void text_ifa(const settings *c, const layer_kind *kind, const ifa_record *h,
                     FILE *out)
{
    text_nodes(c, kind, h, out);
    if (h->h.metadata.hop_limit == 0)
        fputs("          and perhaps nodes beyond the hop limit\n", out);
}

static void text_intmd(const settings *c, const layer_kind *kind, const intmd_record *h,
                       FILE *out)
{
    text_nodes(c, kind, h, out);
    if (h->h.e) fputs("          and nodes beyond the hop count\n", out);
    if (h->h.m) fputs("          and nodes for which the MTU was too small\n", out);
}

static void text_csig(const rocecc_csig *h, FILE *out)
{
    static const char *const types[] = {
        "the least available bandwidth", "the least available part of a link",
        "the longest delay of a hop", "the longest queue by its link's rate"};
    if (h->type >= COUNT(types)) return;
    fprintf(out, "          %s of the path: bucket %lu, at %u\n", types[h->type],
            (unsigned long)h->value, h->locator);
}

/* Prints the trace in the option. text_cnp() prints the request. */
static void text_fastcnp(const settings *c, const layer *l, FILE *out)
{
    if (l->inner == NULL) return;
    fprintf(out, "          %s:", l->kind->inner->name);
    text_members(l->kind->inner, l->inner, out);
    text_ioam(c, l->kind->inner, (const ioam_record *)l->inner, out);
}

static void text_echo(const settings *c, const layer_kind *kind, const echo_record *h,
                      FILE *out)
{
    if (h->h.truncated)
        fprintf(
            out,
            "          the record, %u bytes, was too long, so the path is unknown\n",
            h->h.length * 4u);
    else if (kind->nodes != NULL)
        text_nodes(c, kind, h, out);
    else
        text_csig(&h->csig, out);
}

/* ICMP errors by IP version, type and code. ANY_CODE must come after specific codes. */
#define ANY_CODE 255
static const struct {
    uint8_t version, type, code;
    const char *name;
} icmp_errors[] = {
    {6, ROCECC_ICMP6_TYPE_UNREACHABLE, ANY_CODE, "Destination Unreachable"},
    {6, ROCECC_ICMP6_TYPE_TOO_BIG, ANY_CODE, "Packet Too Big"},
    {6, ROCECC_ICMP6_TYPE_TIME_EXCEEDED, ANY_CODE, "Time Exceeded"},
    {6, ROCECC_ICMP6_TYPE_PROBLEM, ROCECC_ICMP6_PROBLEM_HEADER,
     "Parameter Problem: an erroneous field"},
    {6, ROCECC_ICMP6_TYPE_PROBLEM, ROCECC_ICMP6_PROBLEM_NEXT,
     "Parameter Problem: an unknown next header"},
    {6, ROCECC_ICMP6_TYPE_PROBLEM, ROCECC_ICMP6_PROBLEM_OPTION,
     "Parameter Problem: an unknown option"},
    {6, ROCECC_ICMP6_TYPE_PROBLEM, ROCECC_ICMP6_PROBLEM_UPPER,
     "Parameter Problem: a SID does not accept it"},
    {6, ROCECC_ICMP6_TYPE_PROBLEM, ANY_CODE, "Parameter Problem"},
    {4, ROCECC_ICMP_TYPE_UNREACHABLE, ROCECC_ICMP_UNREACHABLE_PROTOCOL,
     "Destination Unreachable: an unknown protocol"},
    {4, ROCECC_ICMP_TYPE_UNREACHABLE, ROCECC_ICMP_UNREACHABLE_TOO_BIG,
     "Destination Unreachable: fragmentation needed"},
    {4, ROCECC_ICMP_TYPE_UNREACHABLE, ROCECC_ICMP_UNREACHABLE_SOURCE_ROUTE,
     "Destination Unreachable: the source route failed"},
    {4, ROCECC_ICMP_TYPE_UNREACHABLE, ANY_CODE, "Destination Unreachable"},
    {4, ROCECC_ICMP_TYPE_SOURCE_QUENCH, ANY_CODE, "Source Quench"},
    {4, ROCECC_ICMP_TYPE_REDIRECT, ANY_CODE, "Redirect"},
    {4, ROCECC_ICMP_TYPE_TIME_EXCEEDED, ANY_CODE, "Time Exceeded"},
    {4, ROCECC_ICMP_TYPE_PROBLEM, 0, "Parameter Problem: an erroneous field"},
    {4, ROCECC_ICMP_TYPE_PROBLEM, 1, "Parameter Problem: a missing option"},
    {4, ROCECC_ICMP_TYPE_PROBLEM, 2, "Parameter Problem: a wrong length"},
    {4, ROCECC_ICMP_TYPE_PROBLEM, ANY_CODE, "Parameter Problem"}};

const char *text_icmp_name(uint8_t version, uint8_t type, uint8_t code)
{
    size_t i;
    for (i = 0; i < COUNT(icmp_errors); i++)
        if (icmp_errors[i].version == version && icmp_errors[i].type == type &&
            (icmp_errors[i].code == code || icmp_errors[i].code == ANY_CODE))
            return icmp_errors[i].name;
    return NULL;
}

static void text_icmp(const decoded *d, FILE *out)
{
    const char *name =
        text_icmp_name(d->p.headers.ip.version, d->icmp.type, d->icmp.code);
    if (name != NULL) fprintf(out, "          %s\n", name);
    if (d->icmp.ok == 0) fputs("          the checksum is WRONG\n", out);
}

/*
 * Prints the MTU of an error that has one. In ICMP it has 16 bits and may be 0 (RFC
 * 1191, 4).
 */
static void text_icmp_error(const decoded *d, FILE *out)
{
    const bool v6 = d->p.headers.ip.version == 6;
    const uint32_t mtu = d->icmp_error.value & (v6 ? UINT32_MAX : 0xffff);
    if (v6 ? d->icmp.type == ROCECC_ICMP6_TYPE_TOO_BIG
           : d->icmp.type == ROCECC_ICMP_TYPE_UNREACHABLE &&
                 d->icmp.code == ROCECC_ICMP_UNREACHABLE_TOO_BIG && mtu != 0)
        fprintf(out, "          the MTU is %lu bytes\n", (unsigned long)mtu);
}

static void text_problem(const decoded *d, FILE *out)
{
    if (!d->problem.fastcnp) return;
    fputs("          ", out);
    text_ip(&d->ip[d->n_ip - 1].v6.src, out);
    fputs(" does not support Fast CNP, and slows nothing down\n", out);
}

/*
 * Prints the switch, and the host that it asks. The switch identifies the flow by its
 * destination and the QP there.
 */
static void text_fast(const decoded *d, FILE *out)
{
    const rocecc_ipv6 *ip = &d->ip[d->n_ip - 1].v6;
    fputs("          the switch ", out);
    text_ip(&ip->src, out);
    fputs(" asks ", out);
    text_ip(&ip->dst, out);
    fputs(" to slow down\n          its QP that sends to QP ", out);
    fprintf(out, "0x%06lx of ", (unsigned long)d->bth.dest_qp);
    text_ip(&d->fastcnp.flow_dst, out);
    putc('\n', out);
}

static void text_ordinary(const decoded *d, FILE *out)
{
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
}

/*
 * Prints the request, and differences from IBTA A17.9.3, Figure 6, except in Resv6,
 * which NICs fill.
 */
static void text_cnp(const decoded *d, const cnp_record *cnp, FILE *out)
{
    static const char *const odd[] = {"Solicited Event is set",
                                      "MigReq is set",
                                      "AckReq is set",
                                      "PSN is not 0",
                                      NULL,
                                      "Resv7 is not 0",
                                      "the reserved bytes are not 0",
                                      "the reserved bytes are missing"};
    size_t i;
    if (d->has_fastcnp)
        text_fast(d, out);
    else
        text_ordinary(d, out);
    if (d->doubtful)
        fputs("          unless an option above makes it a Fast CNP: see --config\n",
              out);
    for (i = 0; i < COUNT(odd); i++)
        if (cnp->odd >> i & 1 && odd[i] != NULL)
            fprintf(out, "          odd: %s\n", odd[i]);
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

static void text_mac(const rocecc_mac *address, FILE *out)
{
    static const field mac = FIELD_AT("", MAC, 0, sizeof *address, NULL);
    field_print(&mac, address, out);
}

/* Prints an address of a flow, with its port if there are ports. */
static void text_end(const rocecc_ip6 *address, bool ports, uint16_t port, FILE *out)
{
    text_ip(address, out);
    if (ports) fprintf(out, " port %u", port);
}

static void text_flow(const rocecc_flow *flow, bool ports, FILE *out)
{
    text_end(&flow->src, ports, flow->src_port, out);
    fputs(" to ", out);
    text_end(&flow->dst, ports, flow->dst_port, out);
    fprintf(out, ", protocol %u", flow->proto);
}

/*
 * Prints the state of the queue. The byte counts are right only if the sender uses the
 * configured signs.
 */
static void text_cnm(const rocecc_cnm_config *c, const decoded *d, const rocecc_cnm *h,
                     FILE *out)
{
    const rocecc_cnm_signs signs = c->signs;
    if (h == &d->cnm) {
        fputs("          asks ", out);
        text_mac(&d->ether.dst, out);
        fprintf(out, " to slow down its flow 0x%04x: QntzFb %u of 63\n",
                d->p.headers.cntag != 0 ? d->cntag.flow_id : 0, h->qntz_fb);
    }
    fprintf(out, "          q_offset %d units of %d bytes: Qsp - Qlen is %ld bytes\n",
            h->q_offset, ROCECC_CNM_UNIT_BYTES,
            (long)rocecc_cnm_q_offset_bytes(signs, h->q_offset));
    fprintf(out,
            "          q_delta %d units of %d bytes: Qlen - QlenOld is %ld bytes\n",
            h->q_delta, ROCECC_CNM_UNIT_BYTES,
            (long)rocecc_cnm_q_delta_bytes(signs, h->q_delta));
}

static void text_l3qcn(const l3qcn_record *l, FILE *out)
{
    const rocecc_flow flow = rocecc_l3qcn_flow(&l->h);
    fputs("          asks the source of the flow ", out);
    text_flow(&flow, l->h.ports, out);
    fprintf(out, ", to slow down: QntzFb %u of 63\n", l->h.cnm.qntz_fb);
    if (!l->checksum_ok) fputs("          the checksum is WRONG or missing\n", out);
}

static void text_arn(const settings *c, const arn_record *arn, FILE *out)
{
    static const char *const types[] = {
        "", "congestion is detected", "congestion is eliminated",
        "a failure is detected", "a failure is eliminated"};
    const rocecc_arn *h = &arn->h;
    fprintf(out, "          %s\n", types[h->type % COUNT(types)]);
    if ((arn->present & ROCECC_ARN_FLOW) != 0) {
        fputs("          flow ", out);
        text_flow(&h->flow, (h->flow.src_port | h->flow.dst_port) != 0, out);
        putc('\n', out);
    }
    if ((arn->present & ROCECC_ARN_PATH_ID) != 0)
        fprintf(out, "          path 0x%08lx\n", (unsigned long)h->path_id);
    if ((arn->present & ROCECC_ARN_PRIORITY) != 0)
        fprintf(out, "          priority %lu\n", (unsigned long)h->priority);
    if ((arn->present & ROCECC_ARN_TIME) != 0)
        fprintf(out, "          compression time %lu: %llu ns%s\n",
                (unsigned long)h->time,
                (unsigned long long)rocecc_arn_time_ns(&c->domain.arn, h->time),
                h->time == 0 ? ", resume" : "");
}

static void text_quanta(uint16_t quanta, FILE *out)
{
    if (quanta == 0)
        fputs("resume\n", out);
    else
        fprintf(out, "pause for %u quanta of 512 bit times\n", quanta);
}

static void text_pfc(const rocecc_pfc *h, FILE *out)
{
    unsigned priority;
    uint16_t quanta;
    for (priority = 0; priority < ROCECC_PFC_PRIORITIES; priority++) {
        if (rocecc_pfc_find(h, priority, &quanta) != ROCECC_OK) continue;
        fprintf(out, "          priority %u: ", priority);
        text_quanta(quanta, out);
    }
    if (h->reserved != 0)
        fputs("          odd: the high byte of priority_enable_vector is not 0\n", out);
}

static void text_pause(const rocecc_pfc_pause *h, FILE *out)
{
    fputs("          the link: ", out);
    text_quanta(h->quanta, out);
}

static void text_icrc(const icrc_record *icrc, const field *f, FILE *out)
{
    const field *value = &f[0], *computed = &f[1];
    field_print(value, icrc, out);
    if (icrc->ok == CHECK_UNKNOWN) {
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

static void text_partial(const partial_record *h, FILE *out)
{
    static const char *const why[] = {"",
                                      "a fragment of IP",
                                      "a switch has cut the payload",
                                      "a mirror session has cut the copy",
                                      "a sample: only the first bytes",
                                      "quoted by an ICMP error",
                                      "the capture ends first"};
    fprintf(out, " %s", why[h->why]);
    if (h->missing != 0)
        fprintf(out, "; %lu bytes are missing", (unsigned long)h->missing);
    putc('\n', out);
}

static void text_layer(const settings *c, const decoded *d, const layer *l, FILE *out)
{
    const char *name = l->kind->name;
    fprintf(out, "  %-7s", name);
    if (l->record == &d->partial) {
        text_partial(&d->partial, out);
        return;
    }
    if (l->record == &d->icrc) {
        putc(' ', out);
        text_icrc(&d->icrc, l->kind->fields, out);
        return;
    }
    text_members(l->kind, l->record, out);
    if (d->frame_length && l->record == &d->ip[0])
        fputs("          the length field is 0: the frame's length is used\n", out);
    if (strcmp(name, "ipv4") == 0)
        text_ecn(((const rocecc_ipv4 *)l->record)->ecn, out);
    else if (strcmp(name, "ipv6") == 0)
        text_ipv6(d, (const rocecc_ipv6 *)l->record, out);
    else if (strcmp(name, "srh") == 0)
        text_srh((const rocecc_srh *)l->record, out);
    else if (strcmp(name, "ioam") == 0)
        text_ioam(c, l->kind, (const ioam_record *)l->record, out);
    else if (l->record == &d->fastcnp)
        text_fastcnp(c, l, out);
    else if (l->record == &d->ifa)
        text_ifa(c, l->kind, &d->ifa, out);
    else if (l->record == &d->intmd)
        text_intmd(c, l->kind, &d->intmd, out);
    else if (l->record == &d->csig)
        text_csig(&d->csig, out);
    else if (l->record == &d->icmp)
        text_icmp(d, out);
    else if (l->record == &d->icmp_error)
        text_icmp_error(d, out);
    else if (l->record == &d->problem)
        text_problem(d, out);
    else if (l->record == &d->cnm)
        text_cnm(&c->cnm, d, &d->cnm, out);
    else if (l->record == &d->l3qcn)
        text_l3qcn(&d->l3qcn, out);
    else if (l->record == &d->l3qcn.h.cnm)
        text_cnm(&c->domain.l3qcn.cnm, d, &d->l3qcn.h.cnm, out);
    else if (l->record == &d->arn)
        text_arn(c, &d->arn, out);
    else if (l->record == &d->pfc)
        text_pfc(&d->pfc, out);
    else if (l->record == &d->pause)
        text_pause(&d->pause, out);
    else if (l->record == &d->bth_shown)
        text_bth(d, out);
    else if (l->record == &d->cnp)
        text_cnp(d, &d->cnp, out);
    else if (l->record == &d->headers.aeth)
        text_aeth(&d->headers.aeth, out);
    else if (l->record == &d->echo && strcmp(l->kind->name, "echo") == 0)
        text_echo(c, l->kind, &d->echo, out);
    else if (l->record == &d->payload)
        text_payload(&d->payload, out);
}

/* Prints the layers of a packet, and how it ends. */
static void text_packet(const settings *c, const decoded *d, FILE *out)
{
    static const char *const why[] = {"",
                                      "",
                                      "",
                                      "the capture ends inside",
                                      "the bytes contradict the format",
                                      "not supported"};
    size_t i;
    for (i = 0; i < d->n; i++)
        text_layer(c, d, &d->layers[i], out);
    if (d->status != ROCECC_OK) {
        /* an IOAM option that is not a trace does not end the stack */
        fprintf(out, "  %s at %s: %s, %s\n",
                strncmp(d->at, "ioam_", 5) == 0 ? "fails" : "stops", d->at,
                vec_status_name(d->status),
                d->status == ROCECC_ERR_SHORT &&
                        d->p.headers.partial == ROCECC_PARTIAL_QUOTED
                    ? "the quote ends inside"
                    : why[d->status]);
        stop_text(d, out);
    }
    next_text(d, out);
    if (d->verdicts != NULL) {
        fputs("  verdict ", out);
        print_name(d->verdicts, d->verdict, false, out);
        putc('\n', out);
    }
    if (d->judged != NULL) judge_text(d->judged, out);
}

/* Prints a packet and the packets in it. */
static void text_levels(const settings *c, const decoded *d, FILE *out)
{
    for (;; d = d->inner) {
        text_packet(c, d, out);
        if (d->inner == NULL) break;
        fputs("  in ", out);
        print_name(TUNNELS, d->p.headers.tunnel, false, out);
        fprintf(out, ", from byte %u\n", d->p.headers.inner);
    }
}

/* Prints the packets sampled in an sFlow datagram. */
static void text_samples(const settings *c, const decoded *d, FILE *out)
{
    size_t i;
    for (i = 0; i < d->sflow.count; i++) {
        const sample_record *s = &d->sflow.sample[i];
        if (s->packet == NULL) continue;
        fprintf(out, "  in sample %lu, one packet of %lu: the first %lu of %lu bytes\n",
                (unsigned long)i + 1, (unsigned long)s->flow.sampling_rate,
                (unsigned long)rocecc_left(&s->raw.header),
                (unsigned long)s->raw.frame_length);
        text_levels(c, s->packet, out);
    }
}

/* Prints the packet that an ICMP error quotes. */
static void text_quote(const settings *c, const decoded *d, FILE *out)
{
    if (d->icmp_error.quoted == NULL) return;
    fputs("  quoted by the ICMP error\n", out);
    text_levels(c, d->icmp_error.quoted, out);
}

void text_frame(const settings *c, const packet *p, const char *when, const decoded *d,
                FILE *out)
{
    fprintf(out, "frame %llu", (unsigned long long)p->number);
    if (p->id != NULL)
        fprintf(out, "  %s", p->id);
    else
        fprintf(out, "  at %s", when);
    fprintf(out, "  %lu bytes", (unsigned long)p->len);
    if (p->bytes.end != p->len)
        fprintf(out, ", %lu of them captured", (unsigned long)p->bytes.end);
    if (p->iface != 0) fprintf(out, "  interface %lu", (unsigned long)p->iface);
    putc('\n', out);
    if (p->id != NULL) fprintf(out, "  from    %s\n", p->source);
    text_levels(c, d, out);
    for (; d != NULL; d = d->inner) {
        text_samples(c, d, out);
        text_quote(c, d, out);
    }
    putc('\n', out);
}

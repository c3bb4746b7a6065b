/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_FASTCNP_H
#define ROCECC_WIRE_FASTCNP_H

/*
 * fastcnp.h - the Fast CNP, which a congested switch sends to the source of a flow:
 * a CNP with one option in one Destination Options header.
 * draft-xiao-rtgwg-rocev2-fast-cnp-00, 3 and 4; IPv6 alone.
 *
 *   +---------+---------------------------+-------+--------+------------+--------+
 *   | IPv6 40 | Destination Options 8 n   | UDP 8 | BTH 12 | reserved   | ICRC 4 |
 *   | to the  | next header 17            |       | 0x81   | 16         |        |
 *   | source  |                           |       |        |            |        |
 *   +---------+---------------------------+-------+--------+------------+--------+
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *                                   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *                                   |1 0 0|  TBD    | Opt Data Len  |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  TBD2: the IOAM trace of the packet, as its option carried it |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |         TBD1, TBD2: the packet's destination address,         |
 *   |                            16 bytes                           |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 * The packet is the one that met the congestion. BTH.DestQP is copied from it: the QP
 * of its *receiver*. The sender finds its own by (flow_dst, DestQP); an ordinary CNP
 * names the sender's own QP instead, so that its lookup is another (FC-07, FC-16).
 *
 * Neither option type is assigned by IANA, and the draft's figures leave the layout of
 * TBD2 open: what differs is a member of rocecc_fastcnp_config, all 0 being off.
 *
 * FC-nn number the statements of the draft: vectors/README lists them.
 */
#include "cnp.h"
#include "config.h"
#include "ioam.h"

#define ROCECC_FASTCNP_IOAM_MAX_BYTES 239 /* 255 less an address */

typedef enum rocecc_fastcnp_kind {
    ROCECC_FASTCNP_PLAIN = 0, /* TBD1 */
    ROCECC_FASTCNP_IOAM       /* TBD2 */
} rocecc_fastcnp_kind;

/* The option. The plain kind has an address and no trace. */
typedef struct rocecc_fastcnp {
    uint8_t kind;        /* a rocecc_fastcnp_kind */
    rocecc_ip6 flow_dst; /* where the packet was going */
    uint8_t reserved;    /* form A: of the IOAM option, 0 */
    uint8_t opt_type;    /* form A: 0 or 1, a rocecc_ioam_opt_type; form B: 0 */
    rocecc_reader trace; /* from Namespace-ID on: rocecc_ioam_trace_match() holds */
    uint32_t at;         /* parsed: where the option's type stands in its buffer */
} rocecc_fastcnp;

ROCECC_FN bool rocecc_fastcnp_is_type_(const rocecc_fastcnp_config *c, uint8_t type)
{
    return type != 0 && (type == c->type_plain || type == c->type_ioam);
}

/* The one Fast CNP option of a list. Statuses as parse(), of the list alone. */
ROCECC_FN rocecc_status rocecc_fastcnp_only_(const rocecc_fastcnp_config *c,
                                             rocecc_reader options, rocecc_ip6opt *opt)
{
    bool found = false;
    int i;
    for (i = 0;; i++) {
        rocecc_ip6opt o = {ROCECC_IP6OPT_PAD1, options};
        rocecc_status status = rocecc_ip6opt_pad_skip(&options);
        if (status == ROCECC_END) return found ? ROCECC_OK : ROCECC_NO_MATCH;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6OPT_MAX) return ROCECC_ERR_UNSUPPORTED;
        status = rocecc_ip6opt_next(&options, &o);
        if (status != ROCECC_OK) return status;
        if (rocecc_fastcnp_is_type_(c, o.type)) {
            if (found) return ROCECC_ERR_FORMAT;
            found = true;
            *opt = o;
        } else if ((o.type & ROCECC_IP6OPT_ACT) != ROCECC_IP6OPT_ACT_SKIP) {
            return ROCECC_ERR_UNSUPPORTED;
        }
    }
}

/* The data of TBD2: where the address is, and the trace. FC-15. */
ROCECC_FN rocecc_status rocecc_fastcnp_ioam_(const rocecc_fastcnp_config *c,
                                             rocecc_reader body, rocecc_reader *address,
                                             rocecc_fastcnp *h)
{
    const size_t n = rocecc_left(&body);
    rocecc_ioam_option o = {0, 0, body};
    rocecc_reader first = body;
    if (n < 16 || n > 255 ||
        !rocecc_split(&body, c->address_first ? 16 : n - 16, &first))
        return ROCECC_ERR_FORMAT;
    *address = c->address_first ? first : body;
    o.data = c->address_first ? body : first;
    if (c->form == ROCECC_FASTCNP_FORM_A) {
        const rocecc_status status = rocecc_ioam_option_parse(o.data, &o);
        if (status != ROCECC_OK) return status;
    }
    h->reserved = o.reserved;
    h->opt_type = o.opt_type;
    h->trace = o.data;
    return rocecc_ioam_trace_match(o.opt_type, o.data) ? ROCECC_OK : ROCECC_ERR_FORMAT;
}

/* The data of the option. FORMAT: they are none of its type. */
ROCECC_FN rocecc_status rocecc_fastcnp_take_(const rocecc_fastcnp_config *c,
                                             const rocecc_ip6opt *opt,
                                             rocecc_fastcnp *h)
{
    rocecc_reader address = opt->body;
    rocecc_fastcnp out;
    const uint8_t *b;
    out.kind = ROCECC_FASTCNP_PLAIN;
    out.reserved = out.opt_type = 0;
    out.trace = rocecc_between(opt->body, opt->body.end, opt->body.end);
    out.at = (uint32_t)(opt->body.at - 2);
    if (opt->type == c->type_ioam) {
        const rocecc_status status = rocecc_fastcnp_ioam_(c, opt->body, &address, &out);
        if (status != ROCECC_OK) return status;
        out.kind = ROCECC_FASTCNP_IOAM;
    }
    b = rocecc_take(&address, 16);
    if (b == NULL || rocecc_left(&address) != 0) return ROCECC_ERR_FORMAT;
    out.flow_dst = rocecc_ip6_load(b);
    *h = out;
    return ROCECC_OK;
}

/*
 * Reads the options of a Destination Options header. NO_MATCH: none of them is a Fast
 * CNP option. FORMAT: there are two (FC-08), or its length is none (FC-12), or its
 * trace is none, or the list is malformed. UNSUPPORTED: more options or padding than
 * ip6opt.h looks at, or an option that nobody knows and whose act bits ask to drop the
 * packet; where a type is off, its option is such a one.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_parse(const rocecc_fastcnp_config *c,
                                             rocecc_reader options, rocecc_fastcnp *h)
{
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
    const rocecc_status status = rocecc_fastcnp_only_(c, options, &opt);
    if (status != ROCECC_OK) return status;
    return rocecc_fastcnp_take_(c, &opt, h);
}

/* Destination Options header k of a located frame, counted from 0; empty: none. */
ROCECC_FN rocecc_reader rocecc_fastcnp_header_(rocecc_reader frame,
                                               const rocecc_frame *f, int k)
{
    int i;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < f->ip.n_ext; i++)
        if (f->ip.ext_type[i] == ROCECC_PROTO_DSTOPTS && k-- == 0)
            return rocecc_frame_ext(frame, &f->ip, i);
    return rocecc_between(frame, frame.end, frame.end);
}

/* The one Fast CNP option of a located frame. Statuses as find(), but for its data. */
ROCECC_FN rocecc_status rocecc_fastcnp_option_(const rocecc_fastcnp_config *c,
                                               rocecc_reader frame,
                                               const rocecc_frame *f,
                                               rocecc_ip6opt *opt)
{
    rocecc_reader r = rocecc_fastcnp_header_(frame, f, 2);
    bool found = false;
    int k;
    if (rocecc_left(&r) != 0) return ROCECC_ERR_UNSUPPORTED;
    for (k = 0; k < 2; k++) {
        rocecc_ip6opts opts = {0, r};
        rocecc_status status;
        r = rocecc_fastcnp_header_(frame, f, k);
        if (rocecc_left(&r) == 0) break;
        status = rocecc_ip6opts_parse(&r, &opts);
        if (status != ROCECC_OK) return status;
        status = rocecc_fastcnp_only_(c, opts.options, opt);
        if (status == ROCECC_NO_MATCH) continue;
        if (status != ROCECC_OK) return status;
        if (found) return ROCECC_ERR_FORMAT;
        found = true;
    }
    return found ? ROCECC_OK : ROCECC_NO_MATCH;
}

/*
 * Finds the Fast CNP option of a located frame, whatever its opcode: in any Destination
 * Options header before UDP, and but one in all of them. Statuses as parse(), and
 * UNSUPPORTED for a third such header (RFC 8200, 4.1, has two at most). An ICMPv6
 * Parameter Problem points at h->at - f->ip.at.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_find(const rocecc_fastcnp_config *c,
                                            rocecc_reader frame, const rocecc_frame *f,
                                            rocecc_fastcnp *h)
{
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, frame};
    const rocecc_status status = rocecc_fastcnp_option_(c, frame, f, &opt);
    if (status != ROCECC_OK) return status;
    return rocecc_fastcnp_take_(c, &opt, h);
}

/*
 * Whether a located frame is a Fast CNP, or a CNP that cannot be told not to be one:
 * what a filter at the border of the domain drops, in both directions (FC-20). False
 * for all others after the first byte of the BTH, and for all where c is off. Of a
 * frame that locate() found no BTH in, and that is UNSUPPORTED, nothing can be told
 * here.
 */
ROCECC_FN bool rocecc_fastcnp_match(const rocecc_fastcnp_config *c, rocecc_reader frame,
                                    const rocecc_frame *f)
{
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, frame};
    return (c->type_plain != 0 || c->type_ioam != 0) && f->ip.n_ext != 0 &&
           rocecc_cnp_match(frame, f) &&
           rocecc_fastcnp_option_(c, frame, f, &opt) != ROCECC_NO_MATCH;
}

/* All of *h, or part of it where the status is not OK. */
ROCECC_FN rocecc_status rocecc_fastcnp_of_(rocecc_reader frame, const rocecc_frame *f,
                                           rocecc_fastcnp *h)
{
    rocecc_reader r = rocecc_between(frame, f->ip.at, f->ip.upper);
    rocecc_ioam_option o = {0, 0, r};
    rocecc_ipv6 v6;
    rocecc_status status;
    if (f->kind != ROCECC_FRAME_ROCEV2 || f->bth == 0 || f->ip.version != 6)
        return ROCECC_NO_MATCH;
    status = rocecc_ipv6_parse(&r, &v6);
    if (status != ROCECC_OK) return status;
    rocecc_icrc_final_dst_(frame, &f->ip, v6.dst.b);
    status = ROCECC_NO_MATCH;
    if (f->ip.n_ext != 0 && f->ip.ext_type[0] == ROCECC_PROTO_HOPOPTS) {
        rocecc_reader ext = rocecc_frame_ext(frame, &f->ip, 0);
        rocecc_ip6opts opts = {0, ext};
        status = rocecc_ip6opts_parse(&ext, &opts);
        if (status != ROCECC_OK) return status;
        status = rocecc_ioam_trace_find(opts.options, &o);
        if (status != ROCECC_OK && status != ROCECC_NO_MATCH) return status;
    }
    h->kind = status == ROCECC_OK ? ROCECC_FASTCNP_IOAM : ROCECC_FASTCNP_PLAIN;
    h->flow_dst = v6.dst;
    h->reserved = o.reserved;
    h->opt_type = o.opt_type;
    h->trace = status == ROCECC_OK ? o.data : rocecc_between(frame, r.end, r.end);
    h->at = 0;
    return ROCECC_OK;
}

/*
 * What the Fast CNP of a located packet says: where the packet goes (of an SRH, to its
 * last segment), and its first IOAM trace, if Hop-by-Hop options have one: that decides
 * the kind (FC-09). The trace is read in place, as it stands: a switch that wants
 * itself in it has to have written its node data. Whether it fits, emit() says; where
 * it does not, the caller may set the plain kind. NO_MATCH: not RoCEv2 over IPv6.
 * FORMAT, UNSUPPORTED: the options are malformed, or too many, as
 * rocecc_ioam_trace_find().
 */
ROCECC_FN rocecc_status rocecc_fastcnp_of(rocecc_reader frame, const rocecc_frame *f,
                                          rocecc_fastcnp *h)
{
    rocecc_fastcnp out = {0, {{0}}, 0, 0, frame, 0};
    rocecc_status status = rocecc_fastcnp_of_(frame, f, &out);
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *h = out;
    return status;
}

/* Bytes of padding before the option: 2 aligns that of form A, as RFC 9486 does. */
ROCECC_FN size_t rocecc_fastcnp_lead_(const rocecc_fastcnp_config *c,
                                      const rocecc_fastcnp *h)
{
    if (h->kind == ROCECC_FASTCNP_PLAIN) return c->align8 ? 4 : 0;
    return c->form == ROCECC_FASTCNP_FORM_A ? 2 : 0;
}

/* Bytes of option data. */
ROCECC_FN size_t rocecc_fastcnp_data_(const rocecc_fastcnp_config *c,
                                      const rocecc_fastcnp *h)
{
    if (h->kind == ROCECC_FASTCNP_PLAIN) return 16;
    return 16 + rocecc_left(&h->trace) +
           (c->form == ROCECC_FASTCNP_FORM_A ? ROCECC_IOAM_OPTION_BYTES : 0);
}

/* Bytes of the whole Destination Options header that emit() writes; 264 at most. */
ROCECC_FN size_t rocecc_fastcnp_bytes(const rocecc_fastcnp_config *c,
                                      const rocecc_fastcnp *h)
{
    return (4 + rocecc_fastcnp_lead_(c, h) + rocecc_fastcnp_data_(c, h) + 7) &
           ~(size_t)7;
}

/* Whether emit() may write it: else it is RANGE. */
ROCECC_FN bool rocecc_fastcnp_fits_(const rocecc_fastcnp_config *c,
                                    const rocecc_fastcnp *h)
{
    if (h->kind == ROCECC_FASTCNP_PLAIN) return c->type_plain != 0;
    if (h->kind != ROCECC_FASTCNP_IOAM || c->type_ioam == 0) return false;
    if (rocecc_fastcnp_data_(c, h) > 255) return false;
    if (c->form == ROCECC_FASTCNP_FORM_B && h->opt_type != ROCECC_IOAM_PREALLOCATED)
        return false;
    return rocecc_ioam_trace_match(h->opt_type, h->trace);
}

/* The data of the option. */
ROCECC_FN bool rocecc_fastcnp_put_(rocecc_writer *w, const rocecc_fastcnp_config *c,
                                   const rocecc_fastcnp *h)
{
    const bool ioam = h->kind == ROCECC_FASTCNP_IOAM;
    const bool address_first = ioam && c->address_first;
    uint8_t *b;
    if (address_first) {
        b = rocecc_put(w, 16);
        if (b == NULL) return false;
        rocecc_ip6_store(b, &h->flow_dst);
    }
    if (ioam && c->form == ROCECC_FASTCNP_FORM_A) {
        b = rocecc_put(w, ROCECC_IOAM_OPTION_BYTES);
        if (b == NULL) return false;
        b[0] = h->reserved;
        b[1] = h->opt_type;
    }
    if (ioam && !rocecc_append(w, h->trace, ROCECC_FASTCNP_IOAM_MAX_BYTES))
        return false;
    if (!address_first) {
        b = rocecc_put(w, 16);
        if (b == NULL) return false;
        rocecc_ip6_store(b, &h->flow_dst);
    }
    return true;
}

/* Padding of n <= 7 bytes, one by one: the copy that a verifier can follow. */
ROCECC_FN bool rocecc_fastcnp_pad_(rocecc_writer *w, size_t n)
{
    size_t i;
    for (i = 0; i < ROCECC_IP6OPT_PAD_MAX && i < n; i++) {
        uint8_t *b = rocecc_put(w, 1);
        if (b == NULL) return false;
        *b = 0;
        if (i == 0 && n > 1) *b = ROCECC_IP6OPT_PADN;
        if (i == 1) *b = (uint8_t)(n - 2);
    }
    return true;
}

/*
 * Writes the Destination Options header with the one option (FC-08), its next header
 * UDP. RANGE: the type of this kind is off; or the trace is none, or beyond
 * ROCECC_FASTCNP_IOAM_MAX_BYTES with what form A has before it, or incremental in form
 * B. SPACE: w is too small. Of the plain kind the trace is not looked at, of form B
 * Reserved.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_emit(rocecc_writer *w,
                                            const rocecc_fastcnp_config *c,
                                            const rocecc_fastcnp *h)
{
    const size_t data = rocecc_fastcnp_data_(c, h);
    const size_t lead = rocecc_fastcnp_lead_(c, h);
    const size_t bytes = rocecc_fastcnp_bytes(c, h);
    rocecc_writer out = *w;
    uint8_t *b;
    if (!rocecc_fastcnp_fits_(c, h)) return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 2);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = ROCECC_PROTO_UDP;
    b[1] = (uint8_t)(bytes / 8 - 1);
    if (!rocecc_fastcnp_pad_(&out, lead)) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 2);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = h->kind == ROCECC_FASTCNP_PLAIN ? c->type_plain : c->type_ioam;
    b[1] = (uint8_t)data;
    if (!rocecc_fastcnp_put_(&out, c, h)) return ROCECC_ERR_SPACE;
    if (!rocecc_fastcnp_pad_(&out, bytes - 4 - lead - data)) return ROCECC_ERR_SPACE;
    *w = out;
    return ROCECC_OK;
}

/*
 * Writes a whole Fast CNP, from the IPv6 header through the ICRC by a rule: 80 bytes
 * and those of rocecc_fastcnp_bytes(). cnp->dst is the packet's source, cnp->src the
 * switch, cnp->dest_qp the packet's DestQP. RANGE: as emit() and rocecc_cnp_build(); an
 * address of IPv4; STANDARD, which is no rule for extension headers. SPACE: w is too
 * small. Not for BPF, whose verifier finds it too long; emit() alone is not.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_build(rocecc_writer *w,
                                             const rocecc_fastcnp_config *c,
                                             rocecc_icrc_rule rule,
                                             const rocecc_cnp *cnp,
                                             const rocecc_fastcnp *h)
{
    const size_t ext = rocecc_fastcnp_bytes(c, h);
    rocecc_writer out = *w;
    rocecc_frame f;
    uint32_t pseudo = 0;
    rocecc_status status = rocecc_cnp_range_(w, cnp);
    if (status != ROCECC_OK) return status;
    if (rocecc_ip6_is_ip4(&cnp->src) || rule == ROCECC_ICRC_STANDARD ||
        rule > ROCECC_ICRC_NONE || !rocecc_fastcnp_fits_(c, h))
        return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < ROCECC_IPV6_BYTES + ext + ROCECC_CNP_UDP_LENGTH)
        return ROCECC_ERR_SPACE;
    status = rocecc_cnp_ip_emit_(&out, cnp, ext, &pseudo);
    if (status != ROCECC_OK) return status;
    rocecc_frame_clear_(&f);
    f.ip.version = 6;
    f.ip.at = (uint16_t)w->at;
    f.ip.n_ext = 1;
    f.ip.ext_type[0] = ROCECC_PROTO_DSTOPTS;
    f.ip.ext[0] = (uint16_t)out.at;
    status = rocecc_fastcnp_emit(&out, c, h);
    if (status != ROCECC_OK) return status;
    status = rocecc_cnp_tail_(&out, rule, cnp, pseudo, &f);
    if (status != ROCECC_OK) return status;
    *w = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_FASTCNP_H */

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_FASTCNP_H
#define ROCECC_WIRE_FASTCNP_H

/*
 * fastcnp.h - the Fast CNP, which a congested switch sends to the source of a flow. It
 * is a CNP over IPv6 with one Fast CNP option in one Destination Options header.
 * draft-xiao-rtgwg-rocev2-fast-cnp-00, 3 and 4.
 *
 *   +---------+---------------------------+-------+--------+------------+--------+
 *   | IPv6 40 | Destination Options 8 * n | UDP 8 | BTH 12 | reserved   | ICRC 4 |
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
 *     11 02 9e 10, 16 bytes, 01 02 0000     with TBD1 = 0x9e: UDP follows; 24 bytes of
 *                                           header; the address; a PadN of 4 bytes
 *
 * In the figure, "the packet" means the packet that encountered congestion. BTH.DestQP
 * is copied from this packet, so it is the QP of the packet's *receiver*. The packet's
 * sender looks up its own QP by the packet's destination address (flow_dst) and DestQP.
 * In an ordinary CNP, DestQP is the QP of the packet's sender, so the lookup differs
 * (FC-07, FC-16). TBD1 and TBD2 are the types of an option without and with a trace,
 * respectively. IANA has not assigned them, and the draft leaves the layout of TBD2
 * open (README.md). rocecc_fastcnp_config sets the types and the layout. An all-zero
 * configuration turns Fast CNPs off. FC-nn refers to a statement in the draft. The
 * file role/README.md lists these statements.
 */
#include "cnp.h"
#include "config.h"
#include "ioam.h"

#define ROCECC_FASTCNP_IOAM_MAX_BYTES 239 /* 255 minus an address */

typedef enum rocecc_fastcnp_kind_ {
    ROCECC_FASTCNP_PLAIN = 0, /* TBD1 */
    ROCECC_FASTCNP_IOAM       /* TBD2 */
} ROCECC_IN_8_BITS_(rocecc_fastcnp_kind);

/*
 * Fast CNP option. Unless its kind is PLAIN, it refers to a trace in a buffer.
 * rocecc_fastcnp_trace() returns this trace, starting at Namespace-ID.
 */
typedef struct rocecc_fastcnp {
    ROCECC_ENUM8_(rocecc_fastcnp_kind) kind; /* option without or with a trace */
    rocecc_ip6 flow_dst; /* destination of the packet that met congestion */
    uint8_t reserved;    /* reserved byte of the IOAM option; form A: should be 0, not
                            checked; form B: 0 */
    uint8_t opt_type; /* type of the trace, pre-allocated or incremental; form A: 0 or
                         1, a rocecc_ioam_opt_type; form B: 0 */
    uint16_t trace_bytes; /* length of the packet's trace; 0: no trace */
    uint32_t trace_at;    /* offset of the trace; in the buffer that contains it */
    uint32_t at; /* offset of the option; after parsing, the offset of its type in the
                    buffer */
} rocecc_fastcnp;

/*
 * Returns the trace of an option. `buffer` must be the buffer that contains the trace,
 * and its read position is ignored. After rocecc_fastcnp_find() or
 * rocecc_fastcnp_derive(), this buffer is packet->bytes. Returns an empty trace if the
 * trace extends beyond the buffer.
 */
ROCECC_FN rocecc_reader rocecc_fastcnp_trace(rocecc_reader buffer,
                                             const rocecc_fastcnp *fastcnp)
{
    rocecc_reader trace = buffer;
    buffer.at = 0;
    trace.at = trace.end;
    if (rocecc_take(&buffer, fastcnp->trace_at) != NULL)
        (void)rocecc_split(&buffer, fastcnp->trace_bytes, &trace);
    return trace;
}

/*
 * Returns true if an option type is TBD1 or TBD2. The type 0 never matches, because 0
 * means off.
 */
ROCECC_FN bool rocecc_fastcnp_type_match(const rocecc_fastcnp_config *config,
                                         uint8_t type)
{
    return type != 0 && (type == config->type_plain || type == config->type_ioam);
}

/*
 * Finds the Fast CNP option in a list of options. Does not check the option's data.
 * Returns NO_MATCH if the list has no such option. Returns FORMAT if the list is
 * malformed or has two such options (FC-08). Returns UNSUPPORTED if options or padding
 * exceed the limits of ip6opt.h, or if the act bits of another option require the
 * packet to be dropped.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_option_find(const rocecc_fastcnp_config *config,
                                                   rocecc_reader options,
                                                   rocecc_ip6opt *out)
{
    rocecc_ip6opt mine = {ROCECC_IP6OPT_PAD1, options}, o = mine;
    bool found = false;
    int n = 0;
    for (;;) {
        const rocecc_status status = rocecc_ip6opt_step(&options, &n, &o);
        if (status == ROCECC_END) break;
        if (status != ROCECC_OK) return status;
        if (rocecc_fastcnp_type_match(config, o.type)) {
            if (found) return ROCECC_ERR_FORMAT;
            found = true;
            mine = o;
        } else if ((o.type & ROCECC_IP6OPT_ACT) != ROCECC_IP6OPT_ACT_SKIP) {
            return ROCECC_ERR_UNSUPPORTED;
        }
    }
    if (!found) return ROCECC_NO_MATCH;
    *out = mine;
    return ROCECC_OK;
}

/* Splits the data of a TBD2 option into the address and the trace (FC-15). */
ROCECC_FN rocecc_status rocecc_fastcnp_split_ioam_(const rocecc_fastcnp_config *config,
                                                   rocecc_reader body,
                                                   rocecc_reader *address,
                                                   rocecc_fastcnp *fastcnp)
{
    const size_t n = rocecc_left(&body);
    rocecc_ioam_option o = {0, 0, body};
    rocecc_reader first = body;
    if (n < 16 || n > 255 ||
        !rocecc_split(&body, config->address_first ? 16 : n - 16, &first))
        return ROCECC_ERR_FORMAT;
    *address = config->address_first ? first : body;
    o.data = config->address_first ? body : first;
    if (config->form == ROCECC_FASTCNP_FORM_A) {
        const rocecc_status status = rocecc_ioam_option_parse(o.data, &o);
        if (status != ROCECC_OK) return status;
    }
    fastcnp->reserved = o.reserved;
    fastcnp->opt_type = o.opt_type;
    fastcnp->trace_bytes = (uint16_t)rocecc_left(&o.data);
    fastcnp->trace_at = (uint32_t)o.data.at;
    return rocecc_ioam_trace_match(o.opt_type, o.data) ? ROCECC_OK : ROCECC_ERR_FORMAT;
}

/*
 * Parses the data of an option that rocecc_fastcnp_option_find() found. Treats any type
 * other than TBD2 as TBD1. Returns FORMAT if the data does not fit the type.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_option_parse(const rocecc_fastcnp_config *config,
                                                    const rocecc_ip6opt *option,
                                                    rocecc_fastcnp *out)
{
    rocecc_reader address = option->body;
    rocecc_fastcnp fastcnp;
    const uint8_t *b;
    fastcnp.kind = ROCECC_FASTCNP_PLAIN;
    fastcnp.reserved = fastcnp.opt_type = 0;
    fastcnp.trace_bytes = 0;
    fastcnp.trace_at = 0;
    fastcnp.at = (uint32_t)(option->body.at - 2);
    if (option->type == config->type_ioam) {
        const rocecc_status status =
            rocecc_fastcnp_split_ioam_(config, option->body, &address, &fastcnp);
        if (status != ROCECC_OK) return status;
        fastcnp.kind = ROCECC_FASTCNP_IOAM;
    }
    b = rocecc_take(&address, 16);
    if (b == NULL || rocecc_left(&address) != 0) return ROCECC_ERR_FORMAT;
    fastcnp.flow_dst = rocecc_ip6_load(b);
    *out = fastcnp;
    return ROCECC_OK;
}

/*
 * Parses the options of a Destination Options header. Returns NO_MATCH if the list has
 * no Fast CNP option. Returns FORMAT if the list is malformed or has two such options
 * (FC-08), if the length of the option is wrong (FC-12), or if
 * rocecc_ioam_trace_match() rejects the trace. Returns UNSUPPORTED if options or
 * padding exceed the limits of ip6opt.h, or if the act bits of another option require
 * the packet to be dropped. If a kind is off in config, its options are treated like
 * other options. The first error in the list determines the status, and takes
 * precedence over an error in the data of the Fast CNP option.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_parse(const rocecc_fastcnp_config *config,
                                             rocecc_reader options, rocecc_fastcnp *out)
{
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
    const rocecc_status status = rocecc_fastcnp_option_find(config, options, &opt);
    if (status != ROCECC_OK) return status;
    return rocecc_fastcnp_option_parse(config, &opt, out);
}

/*
 * Returns the length of the padding before the option. For a trace in form A, 2 bytes
 * of padding align the option as in RFC 9486.
 */
ROCECC_FN size_t rocecc_fastcnp_leading_pad_(const rocecc_fastcnp_config *config,
                                             const rocecc_fastcnp *fastcnp)
{
    if (fastcnp->kind == ROCECC_FASTCNP_PLAIN) return config->align8 ? 4 : 0;
    return config->form == ROCECC_FASTCNP_FORM_A ? 2 : 0;
}

ROCECC_FN size_t rocecc_fastcnp_data_bytes_(const rocecc_fastcnp_config *config,
                                            const rocecc_fastcnp *fastcnp)
{
    if (fastcnp->kind == ROCECC_FASTCNP_PLAIN) return 16;
    return 16 + (size_t)fastcnp->trace_bytes +
           (config->form == ROCECC_FASTCNP_FORM_A ? ROCECC_IOAM_OPTION_BYTES : 0);
}

/*
 * Returns the length of the Destination Options header that emit() writes. It is at
 * most 264 bytes if rocecc_fastcnp_fits() is true.
 */
ROCECC_FN size_t rocecc_fastcnp_bytes(const rocecc_fastcnp_config *config,
                                      const rocecc_fastcnp *fastcnp)
{
    return (4 + rocecc_fastcnp_leading_pad_(config, fastcnp) +
            rocecc_fastcnp_data_bytes_(config, fastcnp) + 7) &
           ~(size_t)7;
}

/* Returns true unless rocecc_fastcnp_emit() would return RANGE. */
ROCECC_FN bool rocecc_fastcnp_fits(const rocecc_fastcnp_config *config,
                                   const rocecc_fastcnp *fastcnp, rocecc_reader buffer)
{
    const rocecc_reader trace = rocecc_fastcnp_trace(buffer, fastcnp);
    if (fastcnp->kind == ROCECC_FASTCNP_PLAIN) return config->type_plain != 0;
    if (fastcnp->kind != ROCECC_FASTCNP_IOAM || config->type_ioam == 0) return false;
    if (rocecc_fastcnp_data_bytes_(config, fastcnp) > 255) return false;
    if (config->form == ROCECC_FASTCNP_FORM_B &&
        fastcnp->opt_type != ROCECC_IOAM_PREALLOCATED)
        return false;
    return rocecc_left(&trace) == fastcnp->trace_bytes &&
           rocecc_ioam_trace_match(fastcnp->opt_type, trace);
}

ROCECC_FN bool rocecc_fastcnp_put_data_(rocecc_writer *writer,
                                        const rocecc_fastcnp_config *config,
                                        const rocecc_fastcnp *fastcnp,
                                        rocecc_reader trace)
{
    const bool ioam = fastcnp->kind == ROCECC_FASTCNP_IOAM;
    const bool address_first = ioam && config->address_first;
    uint8_t *b;
    if (address_first) {
        b = rocecc_put(writer, 16);
        if (b == NULL) return false;
        rocecc_ip6_store(b, &fastcnp->flow_dst);
    }
    if (ioam && config->form == ROCECC_FASTCNP_FORM_A) {
        b = rocecc_put(writer, ROCECC_IOAM_OPTION_BYTES);
        if (b == NULL) return false;
        b[0] = fastcnp->reserved;
        b[1] = fastcnp->opt_type;
    }
    if (ioam && !rocecc_append(writer, trace, ROCECC_FASTCNP_IOAM_MAX_BYTES))
        return false;
    if (!address_first) {
        b = rocecc_put(writer, 16);
        if (b == NULL) return false;
        rocecc_ip6_store(b, &fastcnp->flow_dst);
    }
    return true;
}

/* Writes n_bytes bytes of padding (at most 7), one at a time for the BPF verifier. */
ROCECC_FN bool rocecc_fastcnp_put_pad_(rocecc_writer *writer, size_t n_bytes)
{
    size_t i;
    for (i = 0; i < ROCECC_IP6OPT_PAD_MAX && i < n_bytes; i++) {
        uint8_t *b = rocecc_put(writer, 1);
        if (b == NULL) return false;
        *b = 0;
        if (i == 0 && n_bytes > 1) *b = ROCECC_IP6OPT_PADN;
        if (i == 1) *b = (uint8_t)(n_bytes - 2);
    }
    return true;
}

/*
 * Writes a Destination Options header that contains the option and has UDP as its Next
 * Header. `buffer` must be the buffer to which fastcnp->trace_at refers. `buffer` is
 * not used for the plain kind, and fastcnp->reserved is not used in form B. Returns
 * RANGE if the kind is unknown or its type is off in config. Also returns RANGE if the
 * trace extends beyond `buffer`, if rocecc_ioam_trace_match() rejects it, if it is
 * longer than ROCECC_FASTCNP_IOAM_MAX_BYTES (minus 2 in form A), or if the form is B
 * and the trace is incremental. Returns SPACE if the header does not fit.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_emit(rocecc_writer *writer,
                                            const rocecc_fastcnp_config *config,
                                            const rocecc_fastcnp *fastcnp,
                                            rocecc_reader buffer)
{
    const size_t data = rocecc_fastcnp_data_bytes_(config, fastcnp);
    const size_t lead = rocecc_fastcnp_leading_pad_(config, fastcnp);
    const size_t bytes = rocecc_fastcnp_bytes(config, fastcnp);
    const rocecc_reader trace = rocecc_fastcnp_trace(buffer, fastcnp);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (!rocecc_fastcnp_fits(config, fastcnp, buffer)) return ROCECC_ERR_RANGE;
    if (rocecc_room(writer) < bytes) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 2);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = ROCECC_PROTO_UDP;
    b[1] = (uint8_t)(bytes / 8 - 1);
    if (!rocecc_fastcnp_put_pad_(&out, lead)) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, 2);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] =
        fastcnp->kind == ROCECC_FASTCNP_PLAIN ? config->type_plain : config->type_ioam;
    b[1] = (uint8_t)data;
    if (!rocecc_fastcnp_put_data_(&out, config, fastcnp, trace))
        return ROCECC_ERR_SPACE;
    if (!rocecc_fastcnp_put_pad_(&out, bytes - 4 - lead - data))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_FASTCNP_H */

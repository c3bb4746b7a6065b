/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * notify.c - layers of congestion notifications and flow control outside RoCE. CNMs of
 * QCN, PFC and PAUSE follow Ethernet, and private CNMs of L3QCN and ARNs follow UDP.
 */
#include "rocecc/fields/arn.h"
#include "rocecc/fields/cnm.h"
#include "rocecc/fields/l3qcn.h"
#include "rocecc/fields/pfc.h"

#include "decode.h"

#define FLOW_FIELDS(F, T)                                                              \
    F(T, IP6, src, NULL)                                                               \
    F(T, IP6, dst, NULL)                                                               \
    F(T, UINT, src_port, NULL)                                                         \
    F(T, UINT, dst_port, NULL)                                                         \
    F(T, UINT, proto, NULL)
#define PRESENT_FIELDS(F, T) F(T, SET, present, "flow path_id priority time")
#define CHECKSUM_FIELDS(F, T) F(T, BOOL, checksum_ok, NULL)

static const field cnm_fields[] = {ROCECC_CNM_FIELDS(FIELD_ROW, rocecc_cnm)};
static const field l3qcn_fields[] = {
    DEEP(l3qcn_record, UINT, h, flags),     DEEP(l3qcn_record, UINT, h, proto),
    DEEP(l3qcn_record, UINT, h, reserved),  DEEP(l3qcn_record, BOOL, h, ports),
    DEEP(l3qcn_record, UINT, h, src_port),  DEEP(l3qcn_record, UINT, h, dst_port),
    DEEP(l3qcn_record, IP6, h, src),        DEEP(l3qcn_record, IP6, h, dst),
    DEEP(l3qcn_record, VIEW, h, extension), CHECKSUM_FIELDS(FIELD_ROW, l3qcn_record)};
static const field flow_fields[] = {FLOW_FIELDS(FIELD_ROW, rocecc_flow)};
static const field arn_fields[] = {
    DEEP(arn_record, UINT, h, type),        DEEP(arn_record, UINT, h, version),
    DEEP(arn_record, UINT, h, resv),        DEEP(arn_record, UINT, h, metric),
    DEEP(arn_record, UINT, h, para_type),   DEEP(arn_record, BOOL, h, lsb),
    DEEP(arn_record, UINT, h, tuple_bytes), DEEP(arn_record, UINT, h, flow_zero),
    DEEP(arn_record, UINT, h, path_id),     DEEP(arn_record, UINT, h, priority),
    DEEP(arn_record, UINT, h, time),        DEEP(arn_record, VIEW, h, rest),
    PRESENT_FIELDS(FIELD_ROW, arn_record)};
/* The layers leave out the addresses, because Ethernet has shown them. */
static const field pfc_fields[] = {ROCECC_PFC_FIELDS(FIELD_ROW, rocecc_pfc)};
static const field pause_fields[] = {
    ROCECC_PFC_PAUSE_FIELDS(FIELD_ROW, rocecc_pfc_pause)};

static const layer_kind cnm_kind = ONE("cnm", cnm_fields);
static const layer_kind l3qcn_kind = ONE("l3qcn", l3qcn_fields);
static const layer_kind flow_kind = ONE("flow", flow_fields);
static const layer_kind arn_kind = {"arn",      false, arn_fields, COUNT(arn_fields),
                                    &flow_kind, NULL};
static const layer_kind pfc_kind = {"pfc", false, pfc_fields + 1, COUNT(pfc_fields) - 1,
                                    NULL,  NULL};
static const layer_kind pause_kind = {
    "pause", false, pause_fields + 2, COUNT(pause_fields) - 2, NULL, NULL};

const layer_kind *const notify_kinds[] = {&cnm_kind, &l3qcn_kind, &arn_kind,
                                          &pfc_kind, &pause_kind, NULL};

static bool cnm_layer(const settings *c, decoded *d)
{
    rocecc_cnm_frame h;
    rocecc_cnm_verdict verdict;
    const rocecc_status status =
        rocecc_cnm_frame_parse(&c->cnm, d->p.bytes, &h, &verdict);
    /* Tags that a CNM may not have, such as CSIG, precede the type. */
    if (status == ROCECC_NO_MATCH) return true;
    if (status != ROCECC_OK) {
        d->verdicts = ROCECC_CNM_VERDICT_NAMES;
        d->verdict = (uint8_t)verdict;
        return decode_fail(d, status, cnm_kind.name);
    }
    d->cnm = h.cnm;
    decode_push(d, &cnm_kind, &d->cnm, NULL);
    return true;
}

/* Adds PFC or PAUSE. Other opcodes add nothing. */
static bool mac_control_layer(const settings *c, decoded *d)
{
    rocecc_reader r = d->p.bytes;
    rocecc_status status = rocecc_pfc_parse(&r, &d->pfc);
    if (status == ROCECC_OK) decode_push(d, &pfc_kind, &d->pfc, NULL);
    if (status != ROCECC_NO_MATCH)
        return status == ROCECC_OK || decode_fail(d, status, pfc_kind.name);
    status = rocecc_pfc_pause_parse(&c->pfc, &r, &d->pause);
    if (status == ROCECC_OK) decode_push(d, &pause_kind, &d->pause, NULL);
    return status == ROCECC_OK || status == ROCECC_NO_MATCH ||
           decode_fail(d, status, pause_kind.name);
}

bool notify_ether(const settings *c, decoded *d)
{
    const rocecc_headers *f = &d->p.headers;
    if (f->stopped > ROCECC_LAYER_ARISTA) return true;
    if (f->next == ROCECC_TYPE_CNM) return cnm_layer(c, d);
    return f->next != ROCECC_TYPE_MAC_CONTROL || mac_control_layer(c, d);
}

/* The message must fill the datagram. */
static bool arn_layer(decoded *d)
{
    const rocecc_arn_config *c = &d->p.domain->arn;
    const rocecc_headers *f = &d->p.headers;
    const rocecc_reader r =
        rocecc_subrange(d->p.bytes, f->udp + (size_t)ROCECC_UDP_BYTES, f->end);
    rocecc_status status;
    if (!rocecc_arn_match(&d->p)) return true;
    if (f->end > d->p.bytes.end) return decode_fail(d, ROCECC_ERR_SHORT, arn_kind.name);
    status = rocecc_status_declared(rocecc_arn_parse(c, r, &d->arn.h));
    if (status != ROCECC_OK) return decode_fail(d, status, arn_kind.name);
    d->arn.present = rocecc_arn_present(&d->arn.h) & ROCECC_ARN_KNOWN;
    decode_push(d, &arn_kind, &d->arn,
                (d->arn.present & ROCECC_ARN_FLOW) != 0 ? &d->arn.h.flow : NULL);
    return true;
}

bool notify_udp(decoded *d)
{
    rocecc_l3qcn_verdict verdict;
    const rocecc_status status = rocecc_l3qcn_find(&d->p, &d->l3qcn.h, &verdict);
    if (verdict > ROCECC_L3QCN_OTHER) {
        d->verdicts = ROCECC_L3QCN_VERDICT_NAMES;
        d->verdict = (uint8_t)verdict;
    }
    if (status == ROCECC_NO_MATCH) return arn_layer(d);
    if (status != ROCECC_OK) return decode_fail(d, status, l3qcn_kind.name);
    d->l3qcn.checksum_ok = rocecc_udp_verify(&d->p);
    decode_push(d, &l3qcn_kind, &d->l3qcn, NULL);
    decode_push(d, &cnm_kind, &d->l3qcn.h.cnm, NULL);
    return true;
}

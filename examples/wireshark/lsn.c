/* SPDX-License-Identifier: BSD-2-Clause */

/* lsn.c - LDCP's sequence numbers, after the last extended header. */
#include "plugin.h"

#include "rocecc/fields/lsn.h"

static const field lsn_fields[] = {ROCECC_LSN_FIELDS(FIELD_ROW, rocecc_lsn)};

const layer_kind lsn_kind = ONE("lsn", lsn_fields);
gboolean lsn_is_on = FALSE;

bool lsn_find(const decoded *d, rocecc_lsn *h, size_t *at)
{
    const rocecc_headers *w = &d->p.headers;
    rocecc_opcode_class c;
    rocecc_reader r;
    const size_t icrc =
        w->partial != ROCECC_PARTIAL_NONE ? 0u : (size_t)ROCECC_ICRC_BYTES;
    if (!lsn_is_on || !d->has_bth) return false;
    if (rocecc_opcode_lookup(d->bth.opcode, &c) != ROCECC_OK) return false;
    *at = w->bth + (size_t)c.hdr_bytes;
    r = rocecc_subrange(d->p.bytes, *at, w->end - icrc);
    return rocecc_lsn_parse(&r, h) == ROCECC_OK;
}

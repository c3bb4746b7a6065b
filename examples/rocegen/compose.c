/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * compose.c - writes the bytes of a frame several times: to find each layer's offset,
 * then with computed lengths and types for the ICRC, and finally with the values in the
 * keys and the checksums.
 */
#include <string.h>

#include "../lib/vec.h"
#include "gen.h"

/* A frame that ends with CNM, PFC or PAUSE is padded with zeros to this length. */
#define ETHER_MIN_BYTES 60

/* Sets every member that a key names. frame_key() has checked the values. */
static void set_keys(frame *f)
{
    size_t k;
    for (k = 0; k < f->n_keys; k++) {
        const keyed *is = &f->keys[k];
        (void)noun_set(is->field, (char *)f->layers[is->layer].record + is->offset,
                       is->value);
    }
}

static rocecc_status emit_layer(frame *f, size_t i, rocecc_writer *w)
{
    const layer *l = &f->layers[i];
    if (l->kind->emit != NULL) return l->kind->emit(f, i, w);
    return kind_noun(l->kind->nouns[0])->emit(w, f->domain, l->record);
}

static int emit(frame *f)
{
    rocecc_writer w = rocecc_writer_of(f->buffer, f->buffer + ROOM);
    const char *last = f->layers[f->n - 1].kind->name;
    rocecc_status status = ROCECC_OK;
    size_t i;
    for (i = 0; i < f->n; i++) {
        layer *l = &f->layers[i];
        l->at = w.at;
        status = emit_layer(f, i, &w);
        if (status == ROCECC_OK) status = ifa_after(f, i, &w);
        if (status == ROCECC_ERR_SPACE)
            return gen_bad("too long for its header, or for a frame of 65536 bytes",
                           l->kind->name);
        if (status != ROCECC_OK)
            return gen_bad(
                "values of its keys are out of range or contradict each other",
                l->kind->name);
        l->end = w.at;
    }
    status = ifa_tails(f, &w);
    if (status == ROCECC_ERR_SPACE)
        return gen_bad("too long for its header, or for a frame of 65536 bytes", "ifa");
    if (status != ROCECC_OK && f->domain->ifa.tail == ROCECC_IFA_TAIL_UNKNOWN)
        return gen_bad("a tail stamp (TS) needs --config ifa.tail=newest_first or "
                       "newest_last",
                       "ifa");
    if (status != ROCECC_OK)
        return gen_bad("values of its keys are out of range or contradict each other",
                       "ifa");
    f->bytes = w.at;
    if (strcmp(last, "cnm") != 0 && strcmp(last, "pfc") != 0 &&
        strcmp(last, "pause") != 0)
        return 0;
    for (; f->bytes < ETHER_MIN_BYTES; f->bytes++)
        f->buffer[f->bytes] = 0;
    return 0;
}

static void choose(frame *f)
{
    size_t i;
    for (i = 0; i < f->n; i++) {
        if (f->layers[i].kind->choose != NULL) f->layers[i].kind->choose(f, i);
        set_keys(f);
    }
}

int frame_compose(frame *f)
{
    size_t i;
    int failed;
    choose(f);
    failed = emit(f);
    if (failed != 0) return failed;
    for (i = 0; i < f->n; i++)
        frame_fill(f, i);
    failed = emit(f);
    if (failed == 0) failed = frame_icrcs(f);
    if (failed != 0) return failed;
    set_keys(f);
    failed = emit(f);
    if (failed != 0) return failed;
    for (i = f->n; i-- > 0;) { /* an outer checksum covers inner ones */
        frame_checksum(f, i);
        set_keys(f);
        failed = emit(f);
        if (failed != 0) return failed;
    }
    return 0;
}

link_type frame_link(const frame *f)
{
    const char *first = f->layers[0].kind->name;
    if (strcmp(first, "ether") == 0) return LINK_ETHER;
    return strcmp(first, "ipv4") == 0 || strcmp(first, "ipv6") == 0 ? LINK_IP
                                                                    : LINK_NONE;
}

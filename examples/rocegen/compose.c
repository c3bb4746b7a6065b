/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * compose.c - writes the bytes of a frame several times: to find each layer's offset,
 * then with computed lengths and types for the ICRC, and finally with the values in the
 * keys and the checksums.
 */
#include <stdio.h>
#include <stdlib.h>
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
        if (k == f->without) continue;
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

/* Sets the values of layer i that depend on other layers, and then all keys. */
static void choose_layer(frame *f, size_t i)
{
    if (f->layers[i].kind->choose != NULL) f->layers[i].kind->choose(f, i);
    set_keys(f);
}

/* Returns true if layer i can be written when key k is ignored. */
static bool fits_without(frame *f, size_t i, size_t k)
{
    static uint8_t scrap[ROOM];
    rocecc_writer w = rocecc_writer_of(scrap, scrap + ROOM);
    layer *changed = &f->layers[f->keys[k].layer];
    void *const record = changed->record;
    bool fits;
    f->without = k;
    layer_restart(changed);
    choose_layer(f, f->keys[k].layer);
    fits = emit_layer(f, i, &w) == ROCECC_OK;
    f->without = KEYS_MAX;
    free(changed->record);
    changed->record = record;
    set_keys(f);
    return fits;
}

/*
 * Reports that layer i cannot be written. If ignoring a single key of the layer or of
 * its options would help, names the first such key. Returns the exit status.
 */
static int bad_keys(frame *f, size_t i)
{
    const char *name = f->layers[i].kind->name;
    char why[256];
    size_t k, last = i;
    while (last + 1 < f->n && layer_is_option(f->layers[last + 1].kind))
        last++;
    for (k = 0; k < f->n_keys; k++) {
        const keyed *is = &f->keys[k];
        if (is->layer < i || is->layer > last || !fits_without(f, i, k)) continue;
        snprintf(why, sizeof why,
                 "values of its keys are out of range or contradict each other; "
                 "it can be written without %.128s",
                 is->text);
        return gen_bad(why, name);
    }
    return gen_bad("values of its keys are out of range or contradict each other",
                   name);
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
        if (status != ROCECC_OK) return bad_keys(f, i);
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
    for (i = 0; i < f->n; i++)
        choose_layer(f, i);
}

int frame_compose(frame *f)
{
    size_t i;
    int failed;
    f->without = KEYS_MAX;
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

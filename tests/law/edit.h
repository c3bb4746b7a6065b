/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_EDIT_H
#define TESTS_LAW_EDIT_H

#include "law.h"
#include "rocecc/packet/edit.h"

#define EDIT_VERDICTS                                                                  \
    "none change broken unsupported present hops full mtu unknown ah checksum probe "  \
    "range fragment"

/* Checks a plan for a packet that begins at `start`, and returns its digest. */
LAW_FN uint32_t law_edit(const rocecc_edit *e, size_t start)
{
    uint32_t digest = law_mix(LAW_START, e->verdict);
    size_t bytes = 0, at;
    int i;
    digest = law_mix(digest, e->n_splices);
    digest = law_mix(digest, e->words);
    LAW(e->n_splices <= 2 && e->words >> ROCECC_EDIT_FIELDS == 0);
    for (i = 0; i < 2; i++) {
        const rocecc_edit_splice *s = &e->splice[i];
        if (i >= e->n_splices) break;
        LAW(i == 0 || s->offset >= (size_t)s[-1].offset + s[-1].old_bytes);
        LAW(s->new_bytes % 4 == 0 && s->offset >= start);
        digest = law_mix(digest, s->offset - start);
        digest = law_mix(digest, (uint32_t)s->old_bytes << 16 | s->new_bytes);
        bytes += s->new_bytes;
    }
    for (i = 0; i < ROCECC_EDIT_FIELDS; i++) {
        const rocecc_edit_word *w = &e->word[i];
        if ((e->words >> i & 1) == 0) continue;
        digest = law_mix(digest, w->offset - start);
        digest = law_mix(digest, (uint32_t)w->old_value << 16 | w->new_value);
    }
    LAW(bytes <= ROCECC_EDIT_FILL_MAX);
    for (at = 0; at < ROCECC_EDIT_FILL_MAX; at += 4) {
        if (at >= bytes) break;
        digest = law_mix(digest, rocecc_load32(e->fill + at));
    }
    return digest;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
#define LAW_EDIT_BYTES 8192
#define LAW_EDIT_MORE 320 /* most bytes that a change adds */
#define LAW_EDIT_BAD SIZE_MAX

/*
 * Carries out a plan like a host that moves the bytes itself. Returns the new length,
 * or LAW_EDIT_BAD.
 */
LAW_FN size_t law_edit_by_hand(const rocecc_edit *e, uint8_t *b, size_t n)
{
    size_t more = 0;
    int i;
    for (i = 0; i < e->n_splices; i++) {
        const rocecc_edit_splice *s = &e->splice[i];
        const size_t at = s->offset - law_front() + s->old_bytes + more;
        if (s->new_bytes <= s->old_bytes) continue;
        memmove(b + at + s->new_bytes - s->old_bytes, b + at, n - at);
        memset(b + at, 0xa5, (size_t)s->new_bytes - s->old_bytes);
        n += (size_t)s->new_bytes - s->old_bytes;
        more += (size_t)s->new_bytes - s->old_bytes;
    }
    if (rocecc_edit_write(e, law_writer(b, n)) != ROCECC_OK) return LAW_EDIT_BAD;
    for (i = e->n_splices; i-- > 0;) {
        const rocecc_edit_splice *s = &e->splice[i];
        const size_t at = s->offset - law_front() + s->new_bytes + more;
        if (s->new_bytes >= s->old_bytes) {
            more -= (size_t)s->new_bytes - s->old_bytes;
            continue;
        }
        memmove(b + at, b + at + s->old_bytes - s->new_bytes,
                n - at - (s->old_bytes - s->new_bytes));
        n -= (size_t)s->old_bytes - s->new_bytes;
    }
    return n;
}

/* Returns true if apply() writes nothing while a bit of a planned word is flipped. */
LAW_FN bool law_edit_is_guarded(const rocecc_edit *e, uint8_t *b, size_t n)
{
    int i;
    for (i = 0; i < ROCECC_EDIT_FIELDS; i++) {
        uint8_t *at = b + e->word[i].offset - law_front();
        rocecc_writer w = law_writer(b, n + LAW_EDIT_MORE);
        if ((e->words >> i & 1) == 0) continue;
        w.at = law_front() + n;
        at[i & 1] = (uint8_t)(at[i & 1] ^ 1 << i % 8);
        if (rocecc_edit_apply(e, &w) != ROCECC_NO_MATCH || law_wrote(&w) != n)
            return false;
        at[i & 1] = (uint8_t)(at[i & 1] ^ 1 << i % 8);
    }
    return true;
}

/*
 * Carries out a plan on n bytes in both ways, with room for LAW_EDIT_MORE. Returns the
 * new length, or LAW_EDIT_BAD if they differ.
 */
LAW_FN size_t law_edit_carry(const rocecc_edit *e, uint8_t *b, size_t n)
{
    static LAW_ROOM(other, LAW_EDIT_BYTES);
    rocecc_writer w = law_writer(b, n + LAW_EDIT_MORE);
    size_t is;
    if (n + LAW_EDIT_MORE > LAW_EDIT_BYTES) return LAW_EDIT_BAD;
    memcpy(other, b, n);
    if (!law_edit_is_guarded(e, b, n) || memcmp(other, b, n) != 0) return LAW_EDIT_BAD;
    is = law_edit_by_hand(e, other, n);
    w.at = law_front() + n;
    if (rocecc_edit_apply(e, &w) != ROCECC_OK || is != law_wrote(&w) ||
        memcmp(other, b, is) != 0)
        return LAW_EDIT_BAD;
    return is;
}
#endif

#endif /* TESTS_LAW_EDIT_H */

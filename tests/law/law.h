/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_LAW_H
#define TESTS_LAW_LAW_H

/*
 * law.h - code that all laws share. A law is a function that reads bytes, returns a
 * 32-bit digest of the decoded values, and contains assertions. Four judges call it,
 * namely tests (vectors, prefixes, guard pages), fuzz drivers, Frama-C, and the
 * kernel's verifier, where the program must return the host's digest.
 *
 * LAW(x) ends a law if x does not hold. It returns LAW_BROKEN, and on a host calls
 * law_broken() first. Frama-C evaluates x for every input. The law is proved if it
 * never ends there (tests/gates/prove/laws.py).
 */
#include "rocecc/bytes.h"
#include "rocecc/net.h"

/*
 * Linkage of the laws' functions. Each file has its own copies, even if the library's
 * are in one object.
 */
#if defined(__bpf__)
#define LAW_FN ROCECC_FN
#else
#define LAW_FN static inline
#endif

#define LAW_START 2166136261u /* FNV-1a, by 32-bit words */
#define LAW_BROKEN 0u

#if defined(__bpf__)
#define LAW(x)                                                                         \
    do {                                                                               \
        if (!(x)) return LAW_BROKEN;                                                   \
    } while (0)
#elif defined(__FRAMAC__)
/* "check" states a condition. Frama-C does not assume it afterwards. */
/*@ check requires \true; assigns \nothing; */
void law_asked(void);
/*@ check requires \false; assigns \nothing; */
void law_unproved(void);
#define LAW(x)                                                                         \
    do {                                                                               \
        law_asked();                                                                   \
        if (!(x)) {                                                                    \
            law_unproved();                                                            \
            return LAW_BROKEN;                                                         \
        }                                                                              \
    } while (0)
#else
void law_broken(const char *file, int line, const char *text);
#define LAW(x)                                                                         \
    do {                                                                               \
        if (!(x)) {                                                                    \
            law_broken(__FILE__, __LINE__, #x);                                        \
            return LAW_BROKEN;                                                         \
        }                                                                              \
    } while (0)
#endif

LAW_FN uint32_t law_mix(uint32_t digest, uint64_t value)
{
    digest = (digest ^ (uint32_t)(value >> 32)) * 16777619u;
    return (digest ^ (uint32_t)value) * 16777619u;
}

/* Mixes the number of bytes left, and at most the first max of them. */
LAW_FN uint32_t law_mix_bytes(uint32_t digest, rocecc_reader r, int max)
{
    digest = law_mix(digest, rocecc_left(&r));
    for (; max > 0; max--) {
        const uint8_t *b = rocecc_take(&r, 1);
        if (b == NULL) break;
        digest = law_mix(digest, *b);
    }
    return digest;
}

/* Mixes the n bytes of an address. n must be a constant. */
LAW_FN uint32_t law_mix_address(uint32_t digest, const uint8_t *b, int n)
{
    int i;
    for (i = 0; i < n; i += 2)
        digest = law_mix(digest, rocecc_load16(b + i));
    return digest;
}

/*
 * Memory that a law writes to. On a host, its writers and readers start law_front()
 * bytes into a buffer, at an offset of the judge. This finds faults that occur only
 * there (offsets of 8 or 16 bits), and digests that depend on it. Under BPF and in a
 * kernel the stack is too small for that, and for Frama-C such buffers are too large.
 * There they start at 0, in the same n bytes.
 *
 *      LAW_SCRATCH(back, 12);               declares `back`, n bytes, all 0
 *      LAW_ROOM(back, 12);                  the same, not set
 *      law_writer(back, 12)                 a writer to them
 *      law_reader(back, 12)                 a reader of them
 *      law_wrote(&w)                        number of bytes that w has written
 *      law_rewind(&w, 4)                    sets this number
 *      law_written(&w)                      a reader of these bytes
 *      LAW_AT(offset, r.at)                 makes an offset relative to r.at
 */
#define LAW_FRONT_MAX 70001

#if defined(__bpf__) || defined(__FRAMAC__) || defined(__KERNEL__)
#define LAW_SCRATCH(name, n) uint8_t name[n] = {0}
#define LAW_ROOM(name, n) uint8_t name[n]
#define law_writer(b, n) rocecc_writer_of(b, b + n)
#define law_reader(b, n) rocecc_reader_of(b, b + n)
#define law_wrote(w) (w)->at
#define law_rewind(w, n) (w)->at = n
#define law_written(w) rocecc_written(w)
#define law_base_(w) (w)->base
#define law_front() 0
#define LAW_AT(offset, start) (void)(start)
#else
#include <string.h>

/*
 * Returns the offset, at most LAW_FRONT_MAX and constant during a law. For laws that
 * parse or build packets it is at most ROCECC_PACKET_START_MAX.
 */
size_t law_front(void);
#define LAW_AT(offset, start)                                                          \
    (offset) = (offset) == 0 ? 0 : (uint32_t)((offset) - (start))
#define law_base_(w) ((w)->base + law_front())

/* The buffer ends with its array, so that ASan finds one byte too many. */
#define LAW_ROOM(name, n)                                                              \
    uint8_t name##_room_[LAW_FRONT_MAX + (n)];                                         \
    uint8_t *const name = name##_room_ + LAW_FRONT_MAX
#define LAW_SCRATCH(name, n)                                                           \
    uint8_t name##_room_[LAW_FRONT_MAX + (n)];                                         \
    uint8_t *const name = law_clear_(name##_room_ + LAW_FRONT_MAX, n)

LAW_FN uint8_t *law_clear_(uint8_t *b, size_t n)
{
    return memset(b, 0, n);
}

LAW_FN rocecc_writer law_writer(uint8_t *b, size_t n)
{
    rocecc_writer w = rocecc_writer_of(b - law_front(), b + n);
    w.at = law_front();
    return w;
}

LAW_FN rocecc_reader law_reader(const uint8_t *b, size_t n)
{
    rocecc_reader r = rocecc_reader_of(b - law_front(), b + n);
    r.at = law_front();
    return r;
}

LAW_FN size_t law_wrote(const rocecc_writer *w)
{
    return w->at - law_front();
}

LAW_FN void law_rewind(rocecc_writer *w, size_t n)
{
    w->at = law_front() + n;
}

LAW_FN rocecc_reader law_written(const rocecc_writer *w)
{
    return rocecc_subrange(rocecc_written(w), law_front(), w->at);
}
#endif

/* Returns true if r continues with the bytes that w has written, at most n. */
LAW_FN bool law_same(rocecc_reader r, const rocecc_writer *w, int n)
{
    int i;
    for (i = 0; i < n && (size_t)i < law_wrote(w); i++) {
        const uint8_t *b = rocecc_take(&r, 1);
        if (b == NULL || law_base_(w)[i] != *b) return false;
    }
    return true;
}

/*
 * Members of a noun are listed once, in rocecc/fields, and LAW_FIELDS mixes them into a
 * digest. A list only for tests has shorter rows, F(T, KIND, member, names).
 */
#define LAW_FIELD_UINT(v) digest = law_mix(digest, (v))
#define LAW_FIELD_INT(v) digest = law_mix(digest, (uint64_t)(int64_t)(v))
#define LAW_FIELD_BOOL(v) digest = law_mix(digest, (v) ? 1 : 0)
#define LAW_FIELD_ENUM(v) digest = law_mix(digest, (uint32_t)(v))
#define LAW_FIELD_SET(v) digest = law_mix(digest, (v))
#define LAW_FIELD_HEX(v) digest = law_mix(digest, (v))
#define LAW_FIELD_MAC(v) digest = law_mix_address(digest, (v).b, 6)
#define LAW_FIELD_IP4(v) digest = law_mix_address(digest, (v).b, 4)
#define LAW_FIELD_IP6(v) digest = law_mix_address(digest, (v).b, 16)
#define LAW_FIELD_VIEW(v) digest = law_mix_bytes(digest, (v), 64)
#define LAW_FIELD_BYTES(v) digest = law_mix_address(digest, (v), (int)sizeof(v))
#define LAW_FIELD(h, kind, member, ...) LAW_FIELD_##kind((h)->member);
#define LAW_FIELDS(list, h) list(LAW_FIELD, h)

#endif /* TESTS_LAW_LAW_H */

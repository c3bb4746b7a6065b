/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_ADMISSION_H
#define ROCECC_GUARD_ADMISSION_H

/*
 * admission.h - a limiter that decides which notifications may take effect.
 *
 *   a notification from a source                         if not:
 *     | does the list permit the source ?              UNLISTED
 *     | does its `admitted` bucket hold a token ?      SOURCE_LIMITED
 *     | take a token from its `verified` bucket        VERIFY_LIMITED
 *     v
 *   rocecc_admission_begin(): the caller checks the ICRC or the checksum
 *     |
 *   rocecc_admission_finish(), if the check has passed
 *     | take a token from its `admitted` bucket        SOURCE_LIMITED
 *     | take a token from the shared bucket            SHARED_LIMITED
 *     v
 *   ADMITTED
 *
 *   AD-1  No token is taken if the list does not permit the source (UNLISTED), or if
 *         the source's tag has no buckets (SOURCE_LIMITED).
 *   AD-2  A packet with a wrong ICRC or checksum takes at most one token, from its
 *         source's `verified` bucket. So such packets cannot exhaust the `admitted`
 *         bucket.
 *   AD-3  A packet is not verified if its source's `admitted` bucket is empty. Apart
 *         from bursts, a source whose checksums are correct is thus limited to
 *         source.rate_per_s verified packets per second. The `verified` bucket limits
 *         every source to verify.rate_per_s verified packets per second.
 *   AD-4  The shared bucket is charged last. Even if up to params.misbehaving sources
 *         send at any rate, the shared bucket leaves the other sources together a rate
 *         of at least source.rate_per_s.
 *
 * Example: rocecc_admission_for(4, 1000) limits the admitted notifications to 1000 per
 * second from each source and 5000 per second from all sources together. Four
 * misbehaving switches can take 4000 of the 5000. The honest switches lose no
 * notifications if they together send at most 1000 per second.
 *
 * A notification with a forged source address and a correct ICRC looks genuine. The
 * network must prevent such notifications by source address validation (RFC 7513, BCP
 * 38) or by rate limits at its ports.
 *
 * State: 56 bytes, and 32 bytes per source in the host's array.
 */
#include "aclindex.h"
#include "tokenbucket.h"

typedef enum rocecc_admission_refusal {
    ROCECC_ADMISSION_ACCEPTED = 0,
    ROCECC_ADMISSION_REFUSED_SOURCE, /* source rate or burst is 0 */
    ROCECC_ADMISSION_REFUSED_SHARED, /* AD-4: misbehaving is 0, or the shared rate or
                                        burst is below (misbehaving + 1) times the
                                        source's rate or burst */
    ROCECC_ADMISSION_REFUSED_VERIFY, /* a verify limit is below the source limit */
    ROCECC_ADMISSION_REFUSED_LIST    /* the list is empty */
} rocecc_admission_refusal;

typedef struct rocecc_admission_params {
    bool unlimited;       /* use only the list, without rate limits; no buckets are
                             used */
    uint16_t misbehaving; /* number of misbehaving sources to tolerate; they may send
                             at any rate; at least 1 */
    rocecc_tokenbucket_params
        source; /* limit for notifications admitted from one source */
    rocecc_tokenbucket_params verify; /* limit for notifications verified from one
                                         source */
    rocecc_tokenbucket_params shared; /* limit for notifications admitted from all
                                         sources */
} rocecc_admission_params;

/* Buckets of one source. */
typedef struct rocecc_admission_source {
    rocecc_tokenbucket admitted;
    rocecc_tokenbucket verified;
} rocecc_admission_source;
ROCECC_SIZE_(rocecc_admission_source, 32);

typedef enum rocecc_admission_verdict_ {
    ROCECC_ADMISSION_ADMITTED = 0, /* from begin(): the caller must verify the packet */
    ROCECC_ADMISSION_UNLISTED,
    ROCECC_ADMISSION_SOURCE_LIMITED,
    ROCECC_ADMISSION_VERIFY_LIMITED,
    ROCECC_ADMISSION_SHARED_LIMITED,
    ROCECC_ADMISSION_VERDICTS /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_admission_verdict);

/* State of one limiter. It contains no pointer, so a BPF map can hold it. */
typedef struct rocecc_admission {
    rocecc_tokenbucket shared;
    uint64_t count[ROCECC_ADMISSION_VERDICTS];
} rocecc_admission;

/*
 * Data that the host supplies with a notification. The tag of a list entry is an index
 * into `sources`. The host must initialise each element of `sources` with
 * rocecc_admission_source_start(). List entries with the same tag share their buckets.
 */
typedef struct rocecc_admission_event {
    uint64_t now_ns;
    const rocecc_acl *list;       /* sources that may send */
    const rocecc_aclindex *index; /* index of the same list, or NULL */
    rocecc_admission_source *sources;
    uint32_t n_sources;
} rocecc_admission_event;

/*
 * Returns parameters that tolerate the given number of misbehaving sources. From each
 * source, at most rate_per_s notifications per second are admitted, and at most 4 *
 * rate_per_s are verified. A source's burst is rate_per_s / 16, rounded down, but at
 * least 1. The verify burst is 4 times the source's burst. The shared rate is
 * (misbehaving + 1) times the source's rate. The shared burst is (misbehaving + 1)
 * times the source's burst. Every burst is limited to UINT32_MAX.
 */
ROCECC_FN rocecc_admission_params rocecc_admission_for(uint16_t misbehaving,
                                                       uint32_t rate_per_s)
{
    rocecc_admission_params p = ROCECC_ZERO;
    p.misbehaving = misbehaving;
    p.source = rocecc_tokenbucket_per_s(rate_per_s);
    p.verify.rate_per_s = 4 * p.source.rate_per_s;
    p.verify.burst = (uint32_t)rocecc_min(4 * (uint64_t)p.source.burst, UINT32_MAX);
    p.shared.rate_per_s = (misbehaving + (uint64_t)1) * p.source.rate_per_s;
    p.shared.burst =
        (uint32_t)rocecc_min((misbehaving + (uint64_t)1) * p.source.burst, UINT32_MAX);
    return p;
}

/*
 * Checks and prepares parameters. The caller must call init() once, before the
 * parameters are used. `list` must be the access list that later events use. init()
 * checks the list first. If `unlimited` is set, it checks nothing else. On refusal
 * *params is unchanged.
 */
ROCECC_FN rocecc_admission_refusal
rocecc_admission_init(rocecc_admission_params *params, const rocecc_acl *list)
{
    rocecc_admission_params p = *params;
    const uint64_t n = p.misbehaving + (uint64_t)1;
    if (list->n == 0) return ROCECC_ADMISSION_REFUSED_LIST;
    if (p.unlimited) return ROCECC_ADMISSION_ACCEPTED;
    if (rocecc_tokenbucket_init(&p.source) != ROCECC_TOKENBUCKET_ACCEPTED)
        return ROCECC_ADMISSION_REFUSED_SOURCE;
    if (p.misbehaving == 0 ||
        rocecc_tokenbucket_init(&p.shared) != ROCECC_TOKENBUCKET_ACCEPTED ||
        ROCECC_DIV64(p.shared.rate_per_s, n) < p.source.rate_per_s ||
        p.shared.burst < n * p.source.burst)
        return ROCECC_ADMISSION_REFUSED_SHARED;
    if (rocecc_tokenbucket_init(&p.verify) != ROCECC_TOKENBUCKET_ACCEPTED ||
        p.verify.rate_per_s < p.source.rate_per_s || p.verify.burst < p.source.burst)
        return ROCECC_ADMISSION_REFUSED_VERIFY;
    *params = p;
    return ROCECC_ADMISSION_ACCEPTED;
}

/* Returns a limiter with a full shared bucket. */
ROCECC_FN rocecc_admission rocecc_admission_start(const rocecc_admission_params *params,
                                                  uint64_t now_ns)
{
    rocecc_admission s;
    int i;
    s.shared = rocecc_tokenbucket_start(&params->shared, now_ns);
    for (i = 0; i < ROCECC_ADMISSION_VERDICTS; i++)
        s.count[i] = 0;
    return s;
}

/* Returns two full buckets for one source. */
ROCECC_FN rocecc_admission_source
rocecc_admission_source_start(const rocecc_admission_params *params, uint64_t now_ns)
{
    rocecc_admission_source s;
    s.admitted = rocecc_tokenbucket_start(&params->source, now_ns);
    s.verified = rocecc_tokenbucket_start(&params->verify, now_ns);
    return s;
}

/*
 * Looks up a source in event->index or, if event->index is NULL, in event->list. Denies
 * every source if both are NULL.
 */
ROCECC_FN rocecc_acl_result rocecc_admission_lookup(const rocecc_admission_event *event,
                                                    const rocecc_ip6 *source)
{
    const rocecc_acl_result none = {false, false, 0, 0};
    if (event->index != NULL) return rocecc_aclindex_lookup(event->index, source);
    return event->list != NULL ? rocecc_acl_lookup(event->list, source) : none;
}

/*
 * Decides whether the caller must verify a notification. If so, takes a token from the
 * source's `verified` bucket, unless `unlimited` is set.
 */
ROCECC_FN rocecc_admission_verdict rocecc_admission_ask_(
    const rocecc_admission_params *params, const rocecc_admission_event *event,
    const rocecc_acl_result *listed)
{
    rocecc_admission_source *s;
    size_t tag = listed->tag;
    ROCECC_BPF_KEEP_(tag);
    if (!listed->permit) return ROCECC_ADMISSION_UNLISTED;
    if (params->unlimited) return ROCECC_ADMISSION_ADMITTED;
    if (tag >= event->n_sources) return ROCECC_ADMISSION_SOURCE_LIMITED;
    s = &event->sources[tag];
    if (!rocecc_tokenbucket_holds(&params->source, &s->admitted, 1, event->now_ns))
        return ROCECC_ADMISSION_SOURCE_LIMITED;
    return rocecc_tokenbucket_take(&params->verify, &s->verified, 1, event->now_ns)
               ? ROCECC_ADMISSION_ADMITTED
               : ROCECC_ADMISSION_VERIFY_LIMITED;
}

/*
 * Decides whether the caller must verify a notification. If so, returns ADMITTED and
 * counts nothing. Otherwise returns UNLISTED, SOURCE_LIMITED or VERIFY_LIMITED, and
 * counts this verdict. Sets *out to the result of rocecc_admission_lookup().
 */
ROCECC_FN rocecc_admission_verdict
rocecc_admission_begin(const rocecc_admission_params *params, rocecc_admission *state,
                       const rocecc_admission_event *event, const rocecc_ip6 *source,
                       rocecc_acl_result *out)
{
    rocecc_admission_verdict verdict;
    *out = rocecc_admission_lookup(event, source);
    verdict = rocecc_admission_ask_(params, event, out);
    if (verdict != ROCECC_ADMISSION_ADMITTED) state->count[verdict]++;
    return verdict;
}

/*
 * Decides whether a notification takes effect. begin() must have returned ADMITTED and
 * set out->tag to `tag`, and the ICRC or checksum must be correct. Returns ADMITTED,
 * SOURCE_LIMITED or SHARED_LIMITED, and counts this verdict. Even on SHARED_LIMITED, a
 * token is taken from the source's `admitted` bucket.
 */
ROCECC_FN rocecc_admission_verdict
rocecc_admission_finish(const rocecc_admission_params *params, rocecc_admission *state,
                        const rocecc_admission_event *event, uint32_t tag)
{
    rocecc_admission_verdict verdict = ROCECC_ADMISSION_ADMITTED;
    size_t index = tag;
    ROCECC_BPF_KEEP_(index);
    if (params->unlimited)
        verdict = ROCECC_ADMISSION_ADMITTED;
    else if (index >= event->n_sources ||
             !rocecc_tokenbucket_take(&params->source, &event->sources[index].admitted,
                                      1, event->now_ns))
        verdict = ROCECC_ADMISSION_SOURCE_LIMITED;
    else if (!rocecc_tokenbucket_take(&params->shared, &state->shared, 1,
                                      event->now_ns))
        verdict = ROCECC_ADMISSION_SHARED_LIMITED;
    state->count[verdict]++;
    return verdict;
}

#endif /* ROCECC_GUARD_ADMISSION_H */

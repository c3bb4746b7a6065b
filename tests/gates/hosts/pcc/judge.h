/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_HOSTS_PCC_JUDGE_H
#define TESTS_HOSTS_PCC_JUDGE_H

/*
 * judge.h - streams of events for examples/pcc, whole and with losses, and the checks
 * of every flow.
 */
#include "../../../../examples/pcc/pcc.h"

#define EVENTS 2000

typedef struct stream {
    pcc_event e[2 * EVENTS];
    size_t n;
} stream;

/*
 * A flow. Its 48 bytes end where a heap block ends, and begin at an odd address for an
 * odd seed. With -fsanitize=address, an access outside of the block is an error.
 */
typedef struct flow {
    const pcc *port;
    uint8_t *block, *context;
    uint32_t rate;
} flow;

/* Counts a failure unless `holds` is true. Prints only the first 10. */
void hold(bool holds, const char *what, uint64_t seed);
extern unsigned failed;

void seed_is(uint64_t seed);
uint32_t random32(void);
uint32_t below(uint32_t n); /* 0 .. n - 1 */

void flow_start(flow *f, const pcc *port, uint64_t seed);
void flow_end(flow *f);

/* Makes one call, and checks that the rate is within [min, 1]. */
uint32_t flow_event(flow *f, const pcc_event *e);

/* Makes any events, in order. */
void stream_of(stream *s, uint64_t seed);

/*
 * Copies a stream. A fifth is lost, a tenth comes twice, bursts are merged, and events
 * at most PCC_REORDER_NS apart may change places.
 */
void stream_mangle(const stream *from, stream *to);

/* Draws accepted parameters within their ranges. Seeds below 10 get the defaults. */
void random_port(pcc *port, const pcc_algorithm *a, uint32_t *value, uint64_t seed);

void judge_params(void);
void judge_dcqcn(uint64_t seed);
void judge_hpcc(uint64_t seed);
void dcqcn_report(void);
void hpcc_report(void);

#endif /* TESTS_HOSTS_PCC_JUDGE_H */

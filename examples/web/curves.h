/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_WEB_CURVES_H
#define EXAMPLES_WEB_CURVES_H

/*
 * curves.h - several senders and one link, with the same steps as firmware.
 *
 *     flow 0 ---\        queue
 *     flow 1 -----> [][][][][] ---- link ----> receivers
 *     flow n ---/                                  |
 *        ^------------- RTT: ACK, NAK, CNP --------'
 *
 * Flow 0 is alone for the first fifth. Then the others start, and stop after three
 * fifths. A whole packet reaches the queue at once, and a receiver's answer arrives an
 * RTT after the packet has left the queue. All arithmetic is in integers, so a run is
 * the same in a browser and anywhere else. A full buffer stops the senders, as PFC
 * does.
 *
 * settings.c  settings and their ranges          curves.c  events, queue, samples
 * steps.c     dcqcn, hpcc, ldcp                  packet.c  only for the other page
 */
#include "rocecc/rocecc.h"

#define CURVES_FLOWS 8
#define CURVES_SAMPLES 400
#define CURVES_RING 32768       /* packets in the queue and on their way back */
#define CURVES_FRAME_BYTES 1086 /* on the wire, for a payload of 1024 */
#define CURVES_BUFFER_BYTES 8000000
#define CURVES_NEVER UINT64_MAX

/* X(name, unit, whose, least, most, step, default, words) */
#define CURVES_SETTINGS(X)                                                             \
    X(flows, "", all, 2, 8, 1, 4, "senders")                                           \
    X(link, "Gb/s", all, 10, 400, 10, 100, "speed of the link, and of each NIC")       \
    X(rtt, "us", all, 2, 50, 1, 12, "round trip without a queue")                      \
    X(time, "us", all, 1000, 40000, 1000, 20000, "duration of the run")                \
    X(g, "/1024", dcqcn, 1, 64, 1, 16, "gain of alpha")                                \
    X(alpha_timer, "us", dcqcn, 1, 200, 1, 55,                                         \
      "time without a CNP until alpha decays")                                         \
    X(increase_timer, "us", dcqcn, 10, 500, 5, 55, "between two increases")            \
    X(ai, "Mb/s", dcqcn, 10, 1000, 10, 400, "additive increase")                       \
    X(hai, "Mb/s", dcqcn, 10, 5000, 10, 1000, "hyper increase")                        \
    X(stages, "", dcqcn, 1, 10, 1, 1, "stages of fast recovery")                       \
    X(cnp, "us", dcqcn, 0, 200, 1, 50, "least time between CNPs of a flow")            \
    X(k_min, "KB", dcqcn, 1, 1000, 1, 400, "queue from which some packets are marked") \
    X(k_max, "KB", dcqcn, 1, 4000, 1, 1600, "queue from which all packets are marked") \
    X(p_max, "%", dcqcn, 1, 100, 1, 20, "share that is marked just below K_max")       \
    X(eta, "%", hpcc, 50, 100, 1, 95, "utilisation aimed at")                          \
    X(max_stage, "", hpcc, 0, 10, 1, 5, "additive rounds before a multiplicative one") \
    X(w_ai, "bytes", hpcc, 0, 4000, 10, 400, "additive increase of the window")        \
    X(alpha, "/100 packets", ldcp, 1, 100, 1, 100, "growth in a round trip")           \
    X(beta, "/100 packets", ldcp, 1, 100, 1, 50, "cut by a marked ACK")                \
    X(gamma, "/100 packets", ldcp, 1, 100, 1, 25, "least window, growth below a packet")

#define CURVES_ID(name, ...) CURVES_##name,
enum { CURVES_SETTINGS(CURVES_ID) CURVES_N };

typedef enum curves_algo { CURVES_DCQCN, CURVES_HPCC, CURVES_LDCP } curves_algo;

typedef struct curves_setting {
    const char *name, *unit, *whose;
    uint32_t least, most, step, preset;
    const char *words;
} curves_setting;

extern const curves_setting curves_settings[CURVES_N];

/* A bin of time: the longest queue, and each flow's bytes that left it. */
typedef struct curves_sample {
    uint32_t queue_bytes;
    uint32_t got_bytes[CURVES_FLOWS];
} curves_sample;

/* A packet, in the queue until it leaves, and then on its way back. */
typedef struct curves_packet {
    uint64_t leaves_ps, back_ps;
    uint64_t tx_bytes;    /* the link's sent bytes when it has left */
    uint32_t queue_bytes; /* the queue then */
    uint32_t seq;         /* bytes of its flow, including this packet */
    uint8_t flow, epoch;
    bool marked, lost;
} curves_packet;

typedef struct curves_flow {
    uint64_t look_ps; /* when it checks again if it may send */
    uint64_t sent_ps; /* time of the last packet */
    uint64_t stop_ps;
    uint64_t rate_bps;
    uint64_t window_bytes; /* HPCC's */
    uint64_t limited_ps;   /* LDCP: an RTT after the window last held it back */
    uint32_t sent_bytes, acked_bytes;
    uint8_t epoch; /* changes at each loss: go-back-N */
    bool begun;
    rocecc_cnpgate gate;
    rocecc_hpcc_hop hop;
    union {
        rocecc_dcqcn_timed dcqcn;
        rocecc_hpcc hpcc;
        rocecc_ldcp ldcp;
    } at;
} curves_flow;

/* An algorithm's input for one flow, and its result, for comparisons. */
typedef struct curves_event {
    const char *name;
    uint64_t now_ns, bytes, seq, snd_nxt;
    bool ece, limited;
    const rocecc_hop *hop;
    uint64_t result; /* rate_bps, window_q20, cw_q32 */
} curves_event;

typedef struct curves {
    uint32_t value[CURVES_N];
    curves_algo algo;
    uint64_t now_ps, link_bps, random;
    uint64_t frame_ps; /* time of a frame on the link */
    uint64_t free_ps;  /* when the link has sent the queue */
    uint64_t in_bytes, out_bytes;
    uint32_t ring_in, ring_left, ring_back; /* counts of packets in, left, back */
    uint32_t n_samples;
    uint64_t bin_ps;
    uint32_t cnps, marks, losses;
    rocecc_wred_params wred;
    rocecc_cnpgate_params gate;
    rocecc_dcqcn_params dcqcn;
    rocecc_hpcc_params hpcc;
    rocecc_ldcp_params ldcp;
    curves_flow flow[CURVES_FLOWS];
    curves_sample sample[CURVES_SAMPLES + 1];
    curves_packet ring[CURVES_RING];
    void (*watch)(const curves_flow *x, const curves_event *e); /* or NULL */
} curves;

/* Writes the defaults. */
void curves_default(uint32_t value[CURVES_N]);

/* Runs a whole simulation. Returns false if the parameters are inconsistent. */
bool curves_run(curves *c, curves_algo algo);

/*
 * steps.c. setup() sets parameters from the settings, start() starts a flow, may()
 * checks if it may send, or sets the next check, sent() handles a sent packet and
 * returns its ECN codepoint, and back() handles an answer.
 */
bool steps_setup(curves *c);
void steps_start(curves *c, curves_flow *x);
bool steps_may(curves *c, curves_flow *x);
rocecc_ecn steps_sent(curves *c, curves_flow *x);
void steps_back(curves *c, curves_flow *x, const curves_packet *p);

#endif /* EXAMPLES_WEB_CURVES_H */

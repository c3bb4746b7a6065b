/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCLAB_LAB_H
#define EXAMPLES_CCLAB_LAB_H

/*
 * lab.h - a small fabric of hosts, links and switches, in discrete events. Headers and
 * notifications are bytes that the library writes and reads at every node; the payload
 * of data is a length. Time is picoseconds and all that decides is an integer, so that
 * a run is the same on every machine.
 *
 *   host --port--link--port-- switch --port--link--port-- host
 *             queues at each port, one for each class
 *
 * sim.c      events, ports, links             cnp.c     none, dcqcn, fastcnp
 * measure.c  results                          layer2.c  qcn, l3qcn, pfc, arn
 * fabric.c   topologies, switches             hpcc.c    hpcc-int, -ioam, -ifa, -csig
 * run.c      hosts, a run                     ldcp.c    ldcp
 * load.c     which flows there are            reno.c    reno
 * fault.c    trouble, and recovery from it
 * options.c  options of a run                 capture.c pcapng
 * main.c     tables                           plot.c    plots
 */
#include "rocecc/rocecc.h"

typedef uint64_t lab_ps;

#define LAB_US ((lab_ps)1000000)
#define LAB_MS ((lab_ps)1000000000)
#define LAB_HEAD_BYTES 480  /* of a packet's own bytes, the most */
#define LAB_AROUND_BYTES 24 /* preamble, FCS and gap of each frame */
#define LAB_MTU 1000        /* payload of a data packet, unless the options have one */
#define LAB_MTU_MAX 4096
#define LAB_AETH_BYTES 4     /* of an ACK */
#define LAB_FLOWS 4096       /* of --flows */
#define LAB_FLOWS_MOST 65536 /* of a load */
#define LAB_NODES 512
#define LAB_SENDERS 64 /* more flows than that share hosts */
#define LAB_ROUTES 8   /* ports of equal cost */
#define LAB_HOPS 8     /* that telemetry speaks of */
#define LAB_SAMPLES 400
#define LAB_EARLY 4096 /* packets that a receiver keeps behind a gap */
#define LAB_SHOWN 4    /* flows with a column of their own in a time series */
#define LAB_BINS 512
#define LAB_NEVER UINT64_MAX
#define LAB_NO_FLOW (UINT64_MAX - 1) /* instead of a recovery: every flow had ended */
#define LAB_UNKNOWN (UINT64_MAX - 2) /* ... flows that end are not compared */

enum { LAB_CONTROL, LAB_DATA, LAB_CLASSES }; /* the first is served first */

typedef struct lab lab;
typedef struct lab_node lab_node;
typedef struct lab_port lab_port;
typedef struct lab_flow lab_flow;
typedef struct lab_part lab_part;

/* ---- what happens */

typedef void lab_call(lab *l, void *who, uint64_t what);

typedef struct lab_event {
    lab_ps when;
    uint64_t order; /* of two at one time the first asked for is first */
    lab_call *call;
    void *who;
    uint64_t what;
} lab_event;

void *lab_get(size_t n, size_t bytes); /* zeroed; without memory it ends the program */
void lab_at(lab *l, lab_ps when, lab_call *call, void *who, uint64_t what);
uint64_t lab_events(lab *l, lab_ps until); /* all that happens by then; how many */
uint32_t lab_now_ns(const lab *l);
uint32_t lab_draw(uint64_t *random); /* the same from a state of one's own */
uint32_t lab_random(lab *l);

/* ---- packets, ports and links */

typedef struct lab_packet {
    struct lab_packet *next;
    uint32_t n;       /* bytes of b */
    uint32_t payload; /* and so many more on the wire; of data the ICRC, too */
    uint32_t counted; /* where it is counted, of those that wait at a switch */
    lab_port *in;     /* where it came in; NULL: the node's own */
    rocecc_headers f; /* where that node found its headers */
    uint8_t b[LAB_HEAD_BYTES];
} lab_packet;

typedef struct lab_queue {
    lab_packet *first;
    lab_packet **last;
    uint64_t bytes;
    lab_ps paused; /* until then none of it is sent */
} lab_queue;

/* What a port has seen. */
typedef struct lab_count {
    uint64_t tx_bytes, wire_bytes, packets, drops, marks, pauses, most_bytes;
} lab_count;

struct lab_port {
    lab_node *node;
    lab_port *peer;
    uint32_t index; /* of node->port */
    uint64_t rate_bps;
    uint64_t byte_ps_q8; /* a byte's time, in 2^-8 ps */
    lab_ps delay;        /* of the link */
    uint32_t link;       /* the link's interface in a capture */
    bool busy;
    lab_ps arrives; /* a host's last frame reaches the other end at this time */
    lab_queue queue[LAB_CLASSES];
    lab_count count;
    /* a scheme's */
    rocecc_qcn_cp qcn;
    rocecc_abw_params meter_params; /* rate_bps 0: nothing was measured */
    rocecc_abw meter;
    uint64_t metered_bytes; /* count.wire_bytes at the meter's last step */
};

struct lab_node {
    uint32_t index; /* of lab.node, and in its addresses */
    bool is_switch;
    rocecc_mac mac;
    rocecc_ip6 ip;
    uint32_t n_ports;
    lab_port *port;
    uint8_t (*route)[LAB_ROUTES]; /* switch: ports towards each node, ... */
    uint8_t *n_routes;            /* ... and how many */
    lab_node *other_edge;         /* of the SRv6 domain that it is an edge of; NULL */
    lab_flow *line, **line_end;   /* host: flows that wait for its NIC */
    rocecc_congestion_point congestion;
    rocecc_reaction_point reaction;
    rocecc_admission_source told, heard; /* buckets of these two: lists have an entry */
    uint64_t clock_ns; /* switch: its clock is so far ahead of the host's */
    void *own;         /* the scheme's, freed with the node */
};

lab_packet *lab_packet_new(lab *l);
void lab_packet_free(lab *l, lab_packet *p);
void lab_packets_free(lab *l);
rocecc_reader lab_view(const lab_packet *p);
rocecc_writer lab_room(lab_packet *p);
void lab_locate(lab_packet *p); /* f anew, from the bytes */
rocecc_packet lab_located(const lab_packet *p);
uint64_t lab_wire_bytes(const lab_packet *p);
uint64_t lab_queued(const lab_port *port);
/* Up to now a queue was as long as it is: for its statistics. */
void lab_account(lab *l, lab_port *port);
/* Puts a packet into a queue, and sends when it can. */
void lab_enqueue(lab *l, lab_port *port, unsigned class, lab_packet *p);
/* A link's rate from now on, both ways. */
void lab_rate(lab_port *port, uint64_t rate_bps);
/* None of a class is sent until then; now or before ends it. */
void lab_pause(lab *l, lab_port *port, unsigned class, lab_ps until);

/* ---- flows and schemes */

typedef void lab_timer_call(lab *l, lab_flow *x, unsigned kind);

/* One direction of an RC connection over RoCEv2 and IPv6, at both its ends. */
struct lab_flow {
    const lab_part *part; /* what it runs */
    uint32_t id;
    lab_node *from, *to;
    uint64_t bytes;    /* to send; UINT64_MAX: for ever */
    lab_ps start, end; /* end: when all was acknowledged; 0: not yet */
    /* sender */
    uint64_t sent, acked, acked_before; /* bytes; at the last time out */
    uint64_t rate_bps;                  /* pacing; 0: none */
    uint64_t window_bytes;              /* on the wire; 0: none */
    lab_ps last;                        /* when the last packet was due, ... */
    uint32_t last_wire_bytes;           /* ... which the next one follows by these */
    uint32_t around_bytes;              /* of a packet on the wire, beside payload */
    uint64_t ready;                     /* bytes that may be sent so far */
    lab_ps paused;                      /* it is not sent before this */
    lab_ps wake;            /* when it looks again; LAB_NEVER: an ACK does */
    lab_flow *next_in_line; /* of those that wait for the NIC */
    bool in_line;
    lab_ps first_cut;             /* the first after there was congestion */
    uint64_t least_bps, most_bps; /* of rate_bps since it began, ... */
    uint64_t least_window_bytes, most_window_bytes; /* ... and of the window */
    /* receiver */
    uint64_t got;         /* bytes, in order */
    uint64_t got_before;  /* when results began to count, ... */
    uint64_t got_sampled; /* ... and at the last sample */
    bool nak;             /* one is out */
    bool took;            /* the packet that came last was new */
    uint32_t n_early;     /* packets that came before an earlier one, ... */
    uint64_t *early;      /* ... by PSN mod LAB_EARLY, a bit each; NULL: never any */
    lab_ps gap_since;     /* when the first of them came */
    /* both ends, and between */
    uint64_t timer[4]; /* the one that counts of each kind, and what it does */
    lab_timer_call *timer_call[4];
    rocecc_cnpgate gate[2]; /* of its receiver, and of the switches in its way */
    union {
        rocecc_dcqcn dcqcn;
        rocecc_hpcc hpcc;
        rocecc_qcn_rp qcn;
        struct {
            rocecc_flow tuple;
        } arn;
        struct {
            uint64_t window_bytes, threshold_bytes; /* of payload */
        } reno;
        struct {
            rocecc_ldcp s;
            rocecc_ldcp_space acked;
            rocecc_ldcp_receiver receiver;
            uint32_t sent_lsn; /* behind the last byte that ever was */
            lab_ps limited_ps; /* an RTT after its window last held a packet back */
        } ldcp;
    } at;
    rocecc_hpcc_hop hop[LAB_HOPS];
    uint8_t asked; /* CSIG: the signal that the next packet asks for */
};

/* What senders, receivers and switches do. All but name and what may be NULL. */
typedef struct lab_scheme {
    const char *name, *what;
    bool own_memory; /* it uses lab_node.own: one scheme of a run may */
    bool by_marks;   /* nothing but marks of a switch makes a sender slow down */
    bool (*setup)(lab *l, lab_part *part); /* the fabric stands, no flow has begun;
                                              false: stderr has why it cannot be */
    void (*start)(lab *l, lab_flow *x);
    /* May a packet leave now, by another rule than window and pacing? *again: when to
       ask anew, or LAB_NEVER: an ACK does. */
    bool (*may)(lab *l, lab_flow *x, uint32_t payload, lab_ps *again);
    /* The sender's packet, whose headers are written: ECN, options. */
    void (*data)(lab *l, lab_flow *x, lab_packet *p);
    void (*sent)(lab *l, lab_flow *x, uint32_t wire_bytes);
    /* At the receiver: a packet of data, whatever its PSN. */
    void (*met)(lab *l, lab_flow *x, const lab_packet *p);
    /* At the receiver; ack is what will be sent back, without its ICRC. */
    void (*received)(lab *l, lab_flow *x, const lab_packet *p, lab_packet *ack);
    /* At the sender: so many bytes anew; lost: what followed them goes again. */
    void (*acked)(lab *l, lab_flow *x, const lab_packet *ack, uint64_t bytes,
                  bool lost);
    /* At a host: a packet that is neither data nor an ACK. */
    void (*notice)(lab *l, lab_node *host, lab_packet *p);
    /* At a switch: a packet came in. True: it was for the switch, and is freed. */
    bool (*arrive)(lab *l, lab_node *at, lab_packet *p);
    /* At a switch: before it goes into a port's queue. False: it is dropped. */
    bool (*queue)(lab *l, lab_port *port, lab_packet *p);
    /* At a switch: as it goes into a port's queue, whose bytes of its class count the
       packet; or leaves it, whose bytes are those behind it (lab_options.mark_at). */
    void (*mark)(lab *l, lab_port *port, lab_packet *p, uint64_t queue_bytes);
    /* At a switch: it has left the queue, and goes onto the link. */
    void (*leave)(lab *l, lab_port *port, lab_packet *p);
    /* At the sender: nothing was acknowledged for long, and all of it goes again. */
    void (*silence)(lab *l, lab_flow *x);
    /* Hosts' NICs have l->nic_bps from now on: parameters, and all flows, by that. */
    void (*relink)(lab *l, lab_part *part);
    const void *own; /* what of its kind this scheme is */
    bool by_clocks;  /* reports time a counter by a switch's clock */
    bool bridged;    /* needs bridges, which change neither addresses nor hop limit */
} lab_scheme;

extern const lab_scheme lab_none, lab_reno, lab_dcqcn, lab_fastcnp;
extern const lab_scheme lab_qcn, lab_l3qcn, lab_pfc, lab_arn;
extern const lab_scheme lab_hpcc_int, lab_hpcc_ioam, lab_hpcc_ifa, lab_hpcc_csig;
extern const lab_scheme lab_ldcp;
/* All of them, in the order of their help; NULL ends them. */
extern const lab_scheme *const lab_schemes[];

/* ---- a run */

typedef enum lab_topology {
    LAB_STAR,
    LAB_DUMBBELL,
    LAB_CLOS,
    LAB_WAN,
    LAB_FATTREE,
    LAB_TESTBED,
    LAB_TOPOLOGIES
} lab_topology;

/* By lab_topology: the name, and where the flows go, behind their number. Fabrics with
   three layers of switches also have a number of hosts, pods and spines; the others
   have 0 there. */
extern const struct lab_topology_name {
    const char *name, *way;
    uint32_t hosts, pods, spines;
} lab_topologies[LAB_TOPOLOGIES];

/* When a switch marks a packet, by the queue as it then is: as the packet leaves it, or
   as it comes. A Fast CNP needs no packet that carries it, and is sent as the packet
   comes. */
typedef enum lab_mark_at { LAB_DEPARTURE, LAB_ARRIVAL } lab_mark_at;

/* What sets reaction point, notification point and marks together. */
typedef struct lab_deployment {
    const char *name;
    rocecc_dcqcn_deployment (*of)(uint64_t line_bps);
} lab_deployment;

/* A parameter of an algorithm, by its row in cctrace's tables; or its preset; or a
   deployment. */
typedef struct lab_setting {
    const struct algo *algo;        /* NULL: a deployment */
    const struct algo_param *param; /* NULL: a preset */
    uint64_t value;                 /* of a preset, its place among those of algo */
    const lab_deployment *deployment;
    const char *alias; /* the short name that it was set by; NULL: none */
} lab_setting;

#define LAB_SETTINGS 64

typedef struct lab_options {
    lab_topology topology;
    const char *load; /* longlived incast churn victim websearch hadoop ring alltoall
                         barrier, or a file */
    uint32_t flows;
    uint32_t
        percent; /* of each link that a distribution uses; 0: 50, or no such load */
    uint64_t rate_bps, buffer_bytes, size_bytes, seed;
    lab_ps rtt, duration;
    /* of notifications, ACKs among them */
    uint32_t lose_permille, corrupt_permille;
    bool liar;  /* the congested switch's telemetry is drawn at random */
    bool storm; /* a host forges a Fast CNP each microsecond, each second one with the
                   address of a switch */
    bool unfiltered; /* switches let hosts send with any source address */
    bool open;       /* that; and senders take Fast CNPs from anybody, at any rate */
    lab_ps tick;     /* of the clocks of all switches; 0: 1 ns, all in phase */
    bool spray;      /* each data packet takes one of the ports of equal cost */
    bool go_back_n;  /* receivers discard sprayed packets that are out of order */
    /* Trouble, that lasts from .. until; 0: the middle third. 0: none of it, LAB_NEVER:
       until then, at a quarter of the rate. */
    lab_ps from, until;
    lab_ps pause;          /* nothing leaves the bottleneck for so long */
    lab_ps sleep;          /* no sender sends for so long */
    int64_t clock_step;    /* ps by which the congested switch's clock goes on */
    uint64_t speed_bps;    /* of the bottleneck's link */
    uint64_t nic_bps;      /* of each sender's link */
    bool reroute;          /* each flow takes the next of its ports of equal cost */
    bool blind;            /* the congested switch marks, and writes no telemetry */
    uint32_t nak_permille; /* of data lost at the bottleneck, in bursts */
    bool stand_clock;      /* the congested switch's clock stands, ... */
    bool unit_clock;       /* ... or counts us where it says ns */
    lab_ps watched;        /* of a run without trouble: since when it is compared */
    /* Parameters in the order in which they were set; all others are a preset's. */
    uint32_t n_settings;
    lab_setting setting[LAB_SETTINGS];
    uint64_t ai_bps;        /* additive increase of DCQCN and HPCC++; 0: the preset's */
    uint64_t line_bps;      /* of senders' links; 0: rate_bps */
    uint32_t payload_bytes; /* of a data packet */
    lab_ps jitter; /* each frame of a host is late by less than this, drawn by the seed;
                      LAB_NEVER: than a data packet's time on the host's link */
    lab_ps np_delay; /* from the arrival of a marked packet to its CNP */
    lab_mark_at mark_at;
    bool pfc; /* switches pause their neighbours, under any scheme */
} lab_options;

/* A scheme, and the parameters of its senders and receivers: what a flow runs. Flows
   take the parts of a run in turn; queues have one set of thresholds for all of them.
 */
struct lab_part {
    const lab_scheme *s;
    const lab_deployment *deployment; /* instead of the options'; NULL: none */
    rocecc_dcqcn_params dcqcn;
    rocecc_notification_config np;
    rocecc_hpcc_params hpcc;
    rocecc_ldcp_params ldcp;
    rocecc_qcn_rp_params qcn_rp;
};
#define LAB_PARTS 4

typedef struct lab_sample {
    uint64_t queue_bytes, goodput_bps, flow_bps[LAB_SHOWN];
} lab_sample;

/*
 * Queue and rates are of the second half of a run with endless flows, and else from the
 * first start to the last end; all counts, and the longest queue, of the whole run.
 * Jain's index is of what endless flows got, or else of the rates of those that ended.
 */
typedef struct lab_result {
    uint64_t goodput_bps, utilisation_ppm, jain_ppm;
    uint64_t least_ppm; /* the smallest flow's share of the largest's */
    uint64_t queue_mean_bytes, queue_p99_bytes, queue_most_bytes;
    uint64_t passed, passed_wire_bytes; /* packets that left the bottleneck's queue */
    uint64_t drops, marks, pauses, notifications, events;
    lab_ps reaction;  /* from congestion, or its later start, to a flow's first
                         cut: mean of those that cut */
    uint32_t reacted; /* flows that did */
    lab_ps fct_p50, fct_p99, fct_last;   /* of what was finished */
    uint64_t slow_p50_ppm, slow_p99_ppm; /* the same, of the shortest possible time */
    uint32_t finished;                   /* flows */
    uint32_t silent;                     /* flows that never sent */
    /* of trouble, from its end on, compared with the twin that had none: until at least
       90 % of its goodput arrives, and until the queue is at most a BDP longer */
    lab_ps recovery, drained; /* LAB_NEVER: not within the run; LAB_NO_FLOW: nothing was
                                 there to recover; LAB_UNKNOWN: no flow is endless */
    uint64_t queue_during_bytes, queue_after_bytes; /* the longest */
} lab_result;

/* Trouble, and what came of it: at equal distances from its end on. */
typedef struct lab_slot {
    uint64_t got; /* by all receivers, bytes */
    uint64_t queue_bytes;
} lab_slot;

typedef struct lab_trouble {
    lab_ps slot_ps;
    uint32_t n, slots;
    lab_slot *slot;
    uint64_t before_bytes, during_bytes; /* the longest queue */
    uint64_t rate_bps;                   /* of the bottleneck, as it was */
    bool began;
    uint32_t burst; /* still to be lost */
} lab_trouble;

struct lab {
    lab_part part[LAB_PARTS];
    uint32_t n_parts;
    const lab_options *o;
    lab_ps now;
    uint64_t order, random, jitter_random;
    lab_event *heap; /* each before its children, 2 i + 1 and 2 i + 2 */
    size_t n_heap, heap_room;
    lab_packet *free;
    uint32_t n_nodes, n_hosts, n_flows; /* hosts are the first nodes */
    uint32_t unfinished;                /* flows; without one a run is over */
    uint32_t first_receiver, n_receivers;
    bool mutual;     /* all hosts send and receive: first_receiver is 0 */
    bool flows_full; /* a load has more than LAB_FLOWS_MOST */
    void (*got)(lab *l, const lab_flow *x); /* a load's: a receiver has got more */
    lab_node *node[LAB_NODES];
    lab_node *attacker; /* a host that forges, if it is asked to */
    lab_flow *flow;
    lab_port *bottleneck; /* whose queue the table is about */
    bool routed;          /* switches are routers; otherwise they are bridges */
    bool endless;         /* at least one flow is */
    uint64_t nic_bps;     /* of senders */
    uint64_t line_bps;    /* which it is but in trouble */
    uint32_t mtu;         /* payload of a data packet */
    lab_ps asleep;        /* until then no sender sends */
    uint32_t detour;      /* which other port of equal cost is taken */
    lab_trouble trouble;
    lab_ps congested;         /* when its queue was first too long */
    uint64_t congested_bytes; /* which is so many */
    lab_ps base_rtt;
    uint64_t n_events, notifications, spoofed;
    uint64_t saturated;   /* queues that a field of telemetry is too short for */
    lab_ps window;        /* since when results count */
    uint64_t targets_bps; /* DCQCN: the sum of R_T then, ... */
    uint32_t steps;       /* ... and increases by time since the last cut, at most */
    uint64_t window_wire_bytes;
    lab_ps accounted;          /* up to then its queue is in these: */
    uint64_t bin_ns[LAB_BINS]; /* how long it was so long, */
    uint64_t area_byte_ns;     /* and the integral */
    uint32_t n_samples;
    lab_sample sample[LAB_SAMPLES];
    /* each packet as it goes onto the link of a port */
    void (*tap)(lab *l, const lab_port *port, const lab_packet *p);
    void *tap_to;
    /* a scheme's */
    rocecc_wred_params wred;
    rocecc_csig_table csig;
    rocecc_qcn_cp_params qcn_cp;
    rocecc_congestion_config cp;
    rocecc_reaction_config rp;
    rocecc_pause_params pause;
    rocecc_flow_control_config flow_control;
    rocecc_arn_gate_config arn_gate;
    rocecc_acl access; /* switches, whose addresses END.CONs have, too; or anybody */
    rocecc_acl_entry access_entry[1];
    rocecc_acl hosts;
    rocecc_acl_entry hosts_entry[1];
};

/* The options of a run for which nobody asked for anything. */
lab_options lab_defaults(void);
/* Takes VALUE of --option, or NAME=VALUE of --set or --fault. 0, or 2 and why on
 * stderr.
 */
int lab_option(lab_options *o, const char *option, const char *text);
/* Whether each parameter that was set has an effect on one of the schemes of these
 * names; false: stderr has the first that has none. */
bool lab_settings_used(const lab_options *o, const char *const *schemes, size_t n);
/* Notes the flows' targets, if all run DCQCN. */
void lab_dcqcn_targets(lab *l);
/* An R_AI with which DCQCN's flows reach the link's rate before results count; 0: they
 * do, or something else than R_AI leaves the link idle. */
uint64_t lab_dcqcn_ai(const lab *l, const lab_result *r);
/* A number in the largest unit that divides it; kind: r bit/s, b bytes, t time, s time
   of either sign. */
const char *lab_text(char kind, uint64_t v);

/* Whether some is asked for, when it begins, when what has an end ends, and when all is
   over; why it cannot be, or NULL; what it is, for a title. */
bool lab_troubled(const lab_options *o);
lab_ps lab_trouble_from(const lab_options *o);
lab_ps lab_trouble_until(const lab_options *o);
lab_ps lab_trouble_end(const lab_options *o);
const char *lab_trouble_refused(const lab_options *o);
/* Returns a bit for each fault that has an effect only under other schemes than those
   of a run; and the text of a bit: which schemes the fault needs. */
#define LAB_NEEDS 6
unsigned lab_fault_misfits(const lab_options *o, const lab_part *part, uint32_t n);
const char *lab_fault_need(unsigned i);
void lab_trouble_text(const lab_options *o, char *text, size_t bytes);
/* Returns true if a clock of a switch is wrong; and what a switch's clock shows now. */
bool lab_wrong_clock(const lab_options *o);
uint64_t lab_clock_ns(const lab *l, const lab_node *node);
/* Its events; whether this switch writes no telemetry now; whether this packet is lost;
   and what came of it, by a second run. */
void lab_trouble_setup(lab *l);
bool lab_trouble_blinds(const lab *l, const lab_node *node);
bool lab_trouble_drops(lab *l, const lab_port *port, const lab_packet *p);
void lab_trouble_results(const lab *l, lab_result *r);

/* Sets what the options, or a part, have of an algorithm: its preset, if they name one;
   and then its members. */
void lab_preset(const lab *l, const lab_part *part, const struct algo *algo,
                uint64_t link_bps, void *params);
void lab_members(const lab_options *o, const struct algo *algo, void *params);
/* The deployment of a run for which nobody asked for one. */
const lab_deployment *lab_deployment_default(const lab_options *o);
/* A setting as --set takes it, until the next call. */
const char *lab_setting_text(const lab_setting *setting);
/* Returns false if two parameters of --set have the same meaning and other values, or
   --set has another preset than a part of a scheme; stderr has both. */
bool lab_settings_agree(const lab_options *o, const lab_part *part, uint32_t n);
/* Tells stderr why a scheme does not take the options; false, for its setup. */
bool lab_refuse(const lab *l, const char *format, ...);
/* The same of the member that an algorithm's init refused. */
bool lab_refuse_member(const lab *l, const struct algo *algo, unsigned refusal,
                       const void *params);

/* One scheme, or parts of which scheme and preset are set; NULL: the options make no
   sense, and why is on stderr. */
lab *lab_new(const lab_scheme *s, const lab_options *o);
lab *lab_new_mixed(const lab_part *part, uint32_t n, const lab_options *o);
/* The scheme of a located packet of data; NULL: it is not data. */
const lab_scheme *lab_scheme_of(lab *l, const lab_packet *p);
/* SCHEME[:PRESET]+..., all of which run in one fabric; how many, 0: stderr has why. */
uint32_t lab_parts(const char *text, lab_part part[LAB_PARTS]);
void lab_free(lab *l);
void lab_run(lab *l, lab_ps until);
void lab_measure(lab *l); /* the flows are there: begins to count */
lab_result lab_results(const lab *l);
/* How long a flow takes at least: each link at its rate for it alone, with no more
   headers than its packets had at the sender, and an ACK without an echo. */
lab_ps lab_shortest(const lab *l, const lab_flow *x);
/* The time of the i-th sample. */
lab_ps lab_sample_at(const lab *l, uint32_t i);

/* Whether it is a located packet of data. */
bool lab_is_data(const lab_packet *p);
/* The ECN of its outermost header; what WRED says of it beside a queue, whose data are
   so many bytes with a packet that is in it, was, or will be; and the hooks `queue` and
   `mark` that do as it says. */
rocecc_ecn lab_ecn(const lab_packet *p);
rocecc_wred_verdict lab_wred(lab *l, const lab_packet *p, uint64_t queue_bytes);
uint64_t lab_queue_with(const lab_port *port, const lab_packet *p);
bool lab_wred_queue(lab *l, lab_port *port, lab_packet *p);
void lab_wred_mark(lab *l, lab_port *port, lab_packet *p, uint64_t queue_bytes);
/* Whether wred marks anything in buffers of the options; false, and why on stderr. */
bool lab_wred_marks(const lab *l);
/* So many bytes more behind what one has, counted in its lengths; NULL: no room. */
uint8_t *lab_append(lab_packet *p, size_t bytes);
/* Whether all hosts send and receive; makes the flows, false: and why is on stderr;
   begins one; lets it send what it may now. */
bool lab_is_mutual(const lab_options *o);
bool lab_load(lab *l);
void lab_start(lab *l, void *who, uint64_t what);
void lab_send(lab *l, lab_flow *x);
/* What it may from now on: bit/s (0: no pacing), and while so many bytes are not in
   flight (0: no window). */
void lab_set(lab *l, lab_flow *x, uint64_t rate_bps, uint64_t window_bytes);
/* A timer of a flow, in place of the one of the same kind; 0 to 2. */
void lab_timer(lab *l, lab_flow *x, unsigned kind, uint64_t ns, lab_timer_call *call);
/* The flow whose sender, or receiver, has this QP; NULL: none. */
lab_flow *lab_flow_of_sender(lab *l, uint32_t qp);
lab_flow *lab_flow_of_receiver(lab *l, uint32_t qp);
/* The flow that a located packet of data is of; NULL: none. */
lab_flow *lab_flow_of(lab *l, const lab_packet *p);
/* A host's NIC has room again. */
void lab_drained(lab *l, lab_node *host);
uint32_t lab_sender_qp(const lab_flow *x);
uint32_t lab_receiver_qp(const lab_flow *x);
/* Puts a packet of the node's own, or one that came, onto its way; at a later time. */
void lab_forward(lab *l, lab_node *from, lab_packet *p);
void lab_forward_at(lab *l, lab_ps when, lab_node *from, lab_packet *p);
/* What a node does with a located packet that came in; what a host does. */
void lab_receive(lab *l, lab_node *node, lab_packet *p);
void lab_host_receive(lab *l, lab_node *host, lab_packet *p);
/* A notification that a node wrote: counts it, and forwards it. */
void lab_notify(lab *l, lab_node *from, lab_packet *p, const rocecc_writer *w);
/* An Ethernet header of IPv6, in front of what w will write. */
rocecc_writer lab_ether(lab_packet *p, const lab_node *from);
/* The node that an IPv6 address, a MAC, stands for; NULL: none. */
lab_node *lab_node_of(lab *l, const uint8_t *last32);
/* Hosts, switches and links of a topology, and who may send what in it. */
void lab_build(lab *l, uint32_t senders, uint32_t receivers);
void lab_link(lab_node *a, lab_node *b, uint64_t rate_bps, lab_ps delay);

/* What all nodes have agreed on. */
extern const rocecc_domain lab_domain;

#endif /* EXAMPLES_CCLAB_LAB_H */

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCLAB_LAB_H
#define EXAMPLES_CCLAB_LAB_H

/*
 * lab.h - a small fabric of hosts, links and switches, simulated in discrete events. At
 * every node the library writes and reads headers and notifications as bytes. Only the
 * payload of data is a length. Time is in picoseconds, and all decisions use integers,
 * so a run is the same on every machine.
 *
 *   host --port--link--port-- switch --port--link--port-- host
 *             one queue per class at each port
 *
 * sim.c      events, ports, links             cnp.c     none, dcqcn, fastcnp
 * measure.c  results                          layer2.c  qcn, l3qcn, pfc, arn
 * fabric.c   topologies, switches             hpcc.c    hpcc-int, -ioam, -ifa, -csig
 * run.c      hosts, a run                     ldcp.c    ldcp
 * load.c     flows of a load                  reno.c    reno
 * fault.c    trouble, and recovery from it
 * options.c  options of a run                 capture.c pcapng
 * main.c     tables                           plot.c    plots
 */
#include "rocecc/rocecc.h"

typedef uint64_t lab_ps;

#define LAB_US ((lab_ps)1000000)
#define LAB_MS ((lab_ps)1000000000)
#define LAB_HEAD_BYTES 480  /* limit of a packet's own bytes */
#define LAB_AROUND_BYTES 24 /* preamble, FCS and gap of each frame */
#define LAB_MTU 1000        /* default payload of a data packet */
#define LAB_MTU_MAX 4096
#define LAB_AETH_BYTES 4     /* in an ACK */
#define LAB_FLOWS 4096       /* limit of --flows */
#define LAB_FLOWS_MOST 65536 /* limit of a load */
#define LAB_NODES 512
#define LAB_SENDERS 64 /* more flows share hosts */
#define LAB_ROUTES 8   /* limit of ports of equal cost */
#define LAB_HOPS 8     /* limit of hops in telemetry */
#define LAB_SAMPLES 400
#define LAB_EARLY 4096 /* packets that a receiver keeps after a gap */
#define LAB_SHOWN 4    /* flows with their own column in a time series */
#define LAB_BINS 512
#define LAB_NEVER UINT64_MAX
#define LAB_NO_FLOW (UINT64_MAX - 1) /* instead of a recovery: every flow had ended */
#define LAB_UNKNOWN (UINT64_MAX - 2) /* instead of a recovery: no flow is endless */

enum { LAB_CONTROL, LAB_DATA, LAB_CLASSES }; /* the first class is served first */

typedef struct lab lab;
typedef struct lab_node lab_node;
typedef struct lab_port lab_port;
typedef struct lab_flow lab_flow;
typedef struct lab_part lab_part;

/* ---- what happens */

typedef void lab_call(lab *l, void *who, uint64_t what);

typedef struct lab_event {
    lab_ps when;
    uint64_t order; /* events at the same time run in this order */
    lab_call *call;
    void *who;
    uint64_t what;
} lab_event;

void *lab_get(size_t n, size_t bytes); /* zeroed; exits if out of memory */
void lab_at(lab *l, lab_ps when, lab_call *call, void *who, uint64_t what);
uint64_t lab_events(lab *l, lab_ps until); /* runs due events; returns their number */
uint32_t lab_now_ns(const lab *l);
uint32_t lab_draw(uint64_t *random); /* draws from the caller's state */
uint32_t lab_random(lab *l);

/* ---- packets, ports and links */

typedef struct lab_packet {
    struct lab_packet *next;
    uint32_t n;       /* bytes in b */
    uint32_t payload; /* further bytes on the wire; in data, with the ICRC */
    uint32_t counted; /* slot of a switch's backlog that counts it */
    lab_port *in;     /* port of arrival; NULL: this node sends it */
    rocecc_headers f; /* its headers, as this node found them */
    uint8_t b[LAB_HEAD_BYTES];
} lab_packet;

typedef struct lab_queue {
    lab_packet *first;
    lab_packet **last;
    uint64_t bytes;
    lab_ps paused; /* nothing is sent before this time */
} lab_queue;

/* Counters of a port. */
typedef struct lab_count {
    uint64_t tx_bytes, wire_bytes, packets, drops, marks, pauses, most_bytes;
} lab_count;

struct lab_port {
    lab_node *node;
    lab_port *peer;
    uint32_t index; /* in node->port */
    uint64_t rate_bps;
    uint64_t byte_ps_q8; /* time of a byte, in 2^-8 ps */
    lab_ps delay;        /* of the link */
    uint32_t link;       /* link's interface in a capture */
    bool busy;
    lab_ps arrives; /* arrival of a host's last frame at the other end */
    lab_queue queue[LAB_CLASSES];
    lab_count count;
    /* for schemes */
    rocecc_qcn_cp qcn;
    rocecc_abw_params meter_params; /* rate_bps 0: no measurement yet */
    rocecc_abw meter;
    uint64_t metered_bytes; /* count.wire_bytes at the meter's last step */
};

struct lab_node {
    uint32_t index; /* in lab.node, and in its addresses */
    bool is_switch;
    rocecc_mac mac;
    rocecc_ip6 ip;
    uint32_t n_ports;
    lab_port *port;
    uint8_t (*route)[LAB_ROUTES]; /* switch: ports towards each node, ... */
    uint8_t *n_routes;            /* ... and their number */
    lab_node *other_edge;         /* peer edge of its SRv6 domain; NULL: not an edge */
    lab_flow *line, **line_end;   /* host: flows that wait for its NIC */
    rocecc_congestion_point congestion;
    rocecc_reaction_point reaction;
    rocecc_admission_source told, heard; /* buckets of `hosts` and `access` */
    uint64_t clock_ns;                   /* offset of its clock from the run's time */
    void *own;                           /* for the scheme, freed with the node */
};

lab_packet *lab_packet_new(lab *l);
void lab_packet_free(lab *l, lab_packet *p);
void lab_packets_free(lab *l);
rocecc_reader lab_view(const lab_packet *p);
rocecc_writer lab_room(lab_packet *p);
void lab_locate(lab_packet *p); /* parses the headers again into f */
rocecc_packet lab_located(const lab_packet *p);
uint64_t lab_wire_bytes(const lab_packet *p);
uint64_t lab_queued(const lab_port *port);
/* Records the queue length up to now. Call it before each change, and after the queue
 * grows. */
void lab_account(lab *l, lab_port *port);
/* Puts a packet into a queue, and sends it as soon as possible. */
void lab_enqueue(lab *l, lab_port *port, unsigned class, lab_packet *p);
/* Sets a link's rate in both directions. */
void lab_rate(lab_port *port, uint64_t rate_bps);
/* Stops a class until a time. A time that is not in the future ends the pause. */
void lab_pause(lab *l, lab_port *port, unsigned class, lab_ps until);

/* ---- flows and schemes */

typedef void lab_timer_call(lab *l, lab_flow *x, unsigned kind);

/* One direction of an RC connection over RoCEv2 and IPv6, with the state of both
 * ends. */
struct lab_flow {
    const lab_part *part; /* scheme and parameters */
    uint32_t id;
    lab_node *from, *to;
    uint64_t bytes;    /* to send; UINT64_MAX: endless */
    lab_ps start, end; /* end: all bytes were acknowledged; 0: not yet */
    /* sender */
    uint64_t sent, acked, acked_before; /* bytes; acked_before: at the last timeout() */
    uint64_t rate_bps;                  /* pacing; 0: none */
    uint64_t window_bytes;              /* wire bytes; 0: none */
    lab_ps last;                        /* when the last packet was sent, ... */
    uint32_t last_wire_bytes; /* ... and its wire bytes, which delay the next one */
    uint32_t around_bytes;    /* wire bytes of a packet without its payload */
    uint64_t ready;           /* bytes that may be sent so far */
    lab_ps paused;            /* nothing is sent before this time */
    lab_ps wake;              /* next attempt to send; LAB_NEVER: none is scheduled */
    lab_flow *next_in_line;   /* next flow that waits for the NIC */
    bool in_line;
    lab_ps first_cut;             /* first cut after the start of congestion */
    uint64_t least_bps, most_bps; /* extremes of rate_bps, ... */
    uint64_t least_window_bytes, most_window_bytes; /* ... and of the window */
    /* receiver */
    uint64_t got;         /* bytes in order */
    uint64_t got_before;  /* value at the start of the results, ... */
    uint64_t got_sampled; /* ... and at the last sample */
    bool nak;             /* a NAK was sent for this gap */
    bool took;            /* the last packet was in order, or newly kept */
    uint32_t n_early;     /* packets kept after a gap, ... */
    uint64_t *early;      /* ... with a bit each, by PSN mod LAB_EARLY, or NULL */
    lab_ps gap_since;     /* start of the present gap; 0: none */
    /* both ends, and switches */
    uint64_t timer[4]; /* number of the valid timer of each kind, and its function */
    lab_timer_call *timer_call[4];
    rocecc_cnpgate gate[2]; /* of the receiver, and of the switches on the path */
    union {
        rocecc_dcqcn dcqcn;
        rocecc_hpcc hpcc;
        rocecc_qcn_rp qcn;
        struct {
            rocecc_flow tuple;
        } arn;
        struct {
            uint64_t window_bytes, threshold_bytes; /* payload */
        } reno;
        struct {
            rocecc_ldcp s;
            rocecc_ldcp_space acked;
            rocecc_ldcp_receiver receiver;
            uint32_t sent_lsn; /* LSN after the last byte ever sent */
            lab_ps limited_ps; /* an RTT after the window last held a packet back */
        } ldcp;
    } at;
    rocecc_hpcc_hop hop[LAB_HOPS];
    uint8_t asked; /* CSIG: signal that the next packet requests */
};

/* Hooks of senders, receivers and switches. All pointers may be NULL, except `name` and
 * `what`. */
typedef struct lab_scheme {
    const char *name, *what;
    bool own_memory; /* uses lab_node.own, as only one scheme of a run may */
    bool by_marks;   /* senders rely on a switch's marks */
    bool (*setup)(lab *l, lab_part *part); /* the fabric exists, but no flow has
                                              started; false: the reason is on stderr */
    void (*start)(lab *l, lab_flow *x);
    /* Decides instead of the window if a packet may leave now. If not, sets *again to
       the time of the next attempt, or to LAB_NEVER to wait for an ACK. */
    bool (*may)(lab *l, lab_flow *x, uint32_t payload, lab_ps *again);
    /* Completes the sender's packet after its headers are written (ECN, options). */
    void (*data)(lab *l, lab_flow *x, lab_packet *p);
    void (*sent)(lab *l, lab_flow *x, uint32_t wire_bytes);
    /* At the receiver: handles a data packet with any PSN. */
    void (*met)(lab *l, lab_flow *x, const lab_packet *p);
    /* At the receiver: completes an ACK, which does not have its ICRC yet. */
    void (*received)(lab *l, lab_flow *x, const lab_packet *p, lab_packet *ack);
    /* At the sender: handles newly acknowledged bytes. If `lost` is set, all later
     * bytes are sent again. */
    void (*acked)(lab *l, lab_flow *x, const lab_packet *ack, uint64_t bytes,
                  bool lost);
    /* At a host: handles a packet that is neither data nor an ACK. */
    void (*notice)(lab *l, lab_node *host, lab_packet *p);
    /* At a switch: handles an arriving packet. Returns true if it ends here. The caller
     * then frees it. */
    bool (*arrive)(lab *l, lab_node *at, lab_packet *p);
    /* At a switch: called before a packet enters a port's queue. Returns false to drop
     * it. */
    bool (*queue)(lab *l, lab_port *port, lab_packet *p);
    /* At a switch: called as a packet enters or leaves a port's queue
       (lab_options.mark_at). queue_bytes counts the packet only if it enters. */
    void (*mark)(lab *l, lab_port *port, lab_packet *p, uint64_t queue_bytes);
    /* At a switch: called as a packet leaves the queue for the link. */
    void (*leave)(lab *l, lab_port *port, lab_packet *p);
    /* At the sender: called on a timeout, before all unacknowledged bytes are sent
     * again. */
    void (*silence)(lab *l, lab_flow *x);
    /* Applies a new NIC rate, l->nic_bps, to the parameters and all flows. */
    void (*relink)(lab *l, lab_part *part);
    const void *own; /* variant of a family of schemes */
    bool by_clocks;  /* reports have a counter with a switch's time */
    bool bridged;    /* needs bridges, which change neither addresses nor hop limit */
} lab_scheme;

extern const lab_scheme lab_none, lab_reno, lab_dcqcn, lab_fastcnp;
extern const lab_scheme lab_qcn, lab_l3qcn, lab_pfc, lab_arn;
extern const lab_scheme lab_hpcc_int, lab_hpcc_ioam, lab_hpcc_ifa, lab_hpcc_csig;
extern const lab_scheme lab_ldcp;
/* All schemes in the order of the help text. NULL ends the list. */
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

/* Names by lab_topology, and the text that follows the number of flows in a title.
   Fabrics with three layers of switches also have a number of hosts, pods and spines.
   Other fabrics have 0. */
extern const struct lab_topology_name {
    const char *name, *way;
    uint32_t hosts, pods, spines;
} lab_topologies[LAB_TOPOLOGIES];

/* Time at which a switch marks a packet by its queue, as the packet leaves or as it
   arrives. A Fast CNP is always sent as the packet arrives, because it is a packet of
   its own. */
typedef enum lab_mark_at { LAB_DEPARTURE, LAB_ARRIVAL } lab_mark_at;

/* A preset of reaction point, notification point and marks together. */
typedef struct lab_deployment {
    const char *name;
    rocecc_dcqcn_deployment (*of)(uint64_t line_bps);
} lab_deployment;

/* A parameter of an algorithm (a row of cctrace's tables), an algorithm's preset, or a
   deployment. */
typedef struct lab_setting {
    const struct algo *algo;        /* NULL: a deployment */
    const struct algo_param *param; /* NULL: a preset */
    uint64_t value;                 /* for a preset, its index in algo */
    const lab_deployment *deployment;
    const char *alias; /* short name in --set; NULL: none */
} lab_setting;

#define LAB_SETTINGS 64

typedef struct lab_options {
    lab_topology topology;
    const char *load; /* longlived incast churn victim websearch hadoop ring alltoall
                         barrier, or a file */
    uint32_t flows;
    uint32_t
        percent; /* load of links with a size distribution; 0: 50, or no such load */
    uint64_t rate_bps, buffer_bytes, size_bytes, seed;
    lab_ps rtt, duration;
    /* of notifications, including ACKs */
    uint32_t lose_permille, corrupt_permille;
    bool liar;  /* the congested switch's telemetry is random */
    bool storm; /* a host forges a Fast CNP each microsecond, every second one with a
                   switch's address */
    bool unfiltered; /* hosts may send with any source address */
    bool open; /* unfiltered, and senders accept Fast CNPs from any node at any rate */
    lab_ps tick;    /* of all switch clocks; 0: 1 ns, all in phase */
    bool spray;     /* each data packet takes a random port of equal cost */
    bool go_back_n; /* receivers discard sprayed packets that are out of order */
    /* Trouble lasts from `from` until `until` (0: the middle third). In the members
       below, 0 means none. LAB_NEVER means until `until`, or a quarter of the rate. */
    lab_ps from, until;
    lab_ps pause;          /* no data leaves the bottleneck for this time */
    lab_ps sleep;          /* no sender sends for this time */
    int64_t clock_step;    /* step of the congested switch's clock, in ps */
    uint64_t speed_bps;    /* rate of the bottleneck's link */
    uint64_t nic_bps;      /* rate of each sender's link */
    bool reroute;          /* each flow takes its next port of equal cost */
    bool blind;            /* the congested switch marks, but writes no telemetry */
    uint32_t nak_permille; /* share of data lost at the bottleneck, in bursts */
    bool stand_clock;      /* the congested switch's clock stops, ... */
    bool unit_clock;       /* ... or counts us instead of ns */
    lab_ps watched;        /* in the twin: start of the comparison */
    /* Parameters in the order of --set. A preset sets all others. */
    uint32_t n_settings;
    lab_setting setting[LAB_SETTINGS];
    uint64_t ai_bps;        /* additive increase of DCQCN and HPCC++; 0: the preset's */
    uint64_t line_bps;      /* rate of senders' links; 0: rate_bps */
    uint32_t payload_bytes; /* of a data packet */
    lab_ps jitter;   /* each host frame is late by less than this, at random; LAB_NEVER:
                        by less than a data packet's time on the host's link */
    lab_ps np_delay; /* from the arrival of a marked packet to its CNP */
    lab_mark_at mark_at;
    bool pfc; /* switches pause their neighbours under any scheme */
} lab_options;

/* A scheme with the parameters of its senders and receivers. Flows use the parts of a
   run in turn. All parts share one set of queue thresholds. */
struct lab_part {
    const lab_scheme *s;
    const lab_deployment *deployment; /* NULL: the options' deployment */
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
 * Results. With endless flows, queue and rates describe the second half of a run, and
 * otherwise the time from the first start on. All counts and the longest queue are from
 * the whole run. Jain's index uses the bytes of endless flows, or else the rates of
 * finished flows.
 */
typedef struct lab_result {
    uint64_t goodput_bps, utilisation_ppm, jain_ppm;
    uint64_t least_ppm; /* smallest flow's share / largest flow's share */
    uint64_t queue_mean_bytes, queue_p99_bytes, queue_most_bytes;
    uint64_t passed, passed_wire_bytes; /* packets that left the bottleneck's queue */
    uint64_t drops, marks, pauses, notifications, events;
    lab_ps reaction; /* mean time from congestion, or a flow's later start, to its first
                        cut */
    uint32_t reacted;                    /* flows with a cut */
    lab_ps fct_p50, fct_p99, fct_last;   /* of finished flows */
    uint64_t slow_p50_ppm, slow_p99_ppm; /* time / shortest possible time */
    uint32_t finished;                   /* finished flows */
    uint32_t silent;                     /* flows that never sent */
    /* In comparison with the twin, from the end of the trouble: the time until at least
       90 % of its goodput arrives, and until the queue is at most a BDP above its
       longest. */
    lab_ps recovery, drained; /* LAB_NEVER: not within the run; LAB_NO_FLOW: every flow
                                 had ended; LAB_UNKNOWN: no flow is endless */
    uint64_t queue_during_bytes, queue_after_bytes; /* longest queues */
} lab_result;

/* A sample after the trouble. Samples are slot_ps apart. */
typedef struct lab_slot {
    uint64_t got; /* bytes got by all receivers so far */
    uint64_t queue_bytes;
} lab_slot;

typedef struct lab_trouble {
    lab_ps slot_ps;
    uint32_t n, slots;
    lab_slot *slot;
    uint64_t before_bytes, during_bytes; /* longest queues */
    uint64_t rate_bps;                   /* the bottleneck's usual rate */
    bool began;
    uint32_t burst; /* packets still to be lost */
} lab_trouble;

struct lab {
    lab_part part[LAB_PARTS];
    uint32_t n_parts;
    const lab_options *o;
    lab_ps now;
    uint64_t order, random, jitter_random;
    lab_event *heap; /* each event before its children, 2 i + 1 and 2 i + 2 */
    size_t n_heap, heap_room;
    lab_packet *free;
    uint32_t n_nodes, n_hosts, n_flows; /* hosts are the first nodes */
    uint32_t unfinished;                /* flows; the run is over at 0 */
    uint32_t first_receiver, n_receivers;
    bool mutual;     /* all hosts send and receive; first_receiver is 0 */
    bool flows_full; /* the load has more than LAB_FLOWS_MOST */
    void (*got)(lab *l, const lab_flow *x); /* the load's hook: a receiver got more */
    lab_node *node[LAB_NODES];
    lab_node *attacker; /* a host that may forge */
    lab_flow *flow;
    lab_port *bottleneck; /* port whose queue the table describes */
    bool routed;          /* switches are routers, not bridges */
    bool endless;         /* at least one flow is endless */
    uint64_t nic_bps;     /* senders' present rate */
    uint64_t line_bps;    /* senders' rate without trouble */
    uint32_t mtu;         /* payload of a data packet */
    lab_ps asleep;        /* no sender sends before this time */
    uint32_t detour;      /* offset to another port of equal cost */
    lab_trouble trouble;
    lab_ps congested;         /* when the bottleneck's queue first exceeded ... */
    uint64_t congested_bytes; /* ... this threshold */
    lab_ps base_rtt;
    uint64_t n_events, notifications, spoofed;
    uint64_t saturated;   /* reports of a queue too long for their field */
    lab_ps window;        /* start of the results */
    uint64_t targets_bps; /* DCQCN: sum of R_T at that time, ... */
    uint32_t steps;       /* ... and most increases by time since a flow's last cut */
    uint64_t window_wire_bytes;
    lab_ps accounted;          /* time up to which these count the queue: */
    uint64_t bin_ns[LAB_BINS]; /* ... time at each length, ... */
    uint64_t area_byte_ns;     /* ... and the integral */
    uint32_t n_samples;
    lab_sample sample[LAB_SAMPLES];
    /* called as a packet enters the link of a port */
    void (*tap)(lab *l, const lab_port *port, const lab_packet *p);
    void *tap_to;
    /* for schemes */
    rocecc_wred_params wred;
    rocecc_csig_table csig;
    rocecc_qcn_cp_params qcn_cp;
    rocecc_congestion_config cp;
    rocecc_reaction_config rp;
    rocecc_pause_params pause;
    rocecc_flow_control_config flow_control;
    rocecc_arn_gate_config arn_gate;
    rocecc_acl access; /* switches with their END.CONs; all nodes if open */
    rocecc_acl_entry access_entry[1];
    rocecc_acl hosts;
    rocecc_acl_entry hosts_entry[1];
};

/* Returns the default options. */
lab_options lab_defaults(void);
/* Sets an option by VALUE of --option, or NAME=VALUE of --set or --fault. Returns 0, or
 * 2 with the reason on stderr. */
int lab_option(lab_options *o, const char *option, const char *text);
/* Returns true if every parameter that was set affects one of the named schemes.
 * Otherwise prints the first parameter without effect. */
bool lab_settings_used(const lab_options *o, const char *const *schemes, size_t n);
/* Sets targets_bps and steps if all flows run DCQCN. */
void lab_dcqcn_targets(lab *l);
/* Returns an R_AI with which DCQCN's flows reach the link's rate before results count.
 * Returns 0 if they reach it, or if R_AI is not the reason. */
uint64_t lab_dcqcn_ai(const lab *l, const lab_result *r);
/* Returns a number in the largest unit that divides it. `kind` is r (bit/s), b (bytes),
   t (ps), s (signed ps), p (ns) or n (no unit). The last four texts stay valid. */
const char *lab_text(char kind, uint64_t v);

/* Returns true if the options ask for trouble. */
bool lab_troubled(const lab_options *o);
/* Returns the time at which trouble begins. */
lab_ps lab_trouble_from(const lab_options *o);
/* Returns the end of temporary faults without a duration of their own. */
lab_ps lab_trouble_until(const lab_options *o);
/* Returns the time at which all trouble is over. */
lab_ps lab_trouble_end(const lab_options *o);
/* Returns the reason why the faults are refused, or NULL. */
const char *lab_trouble_refused(const lab_options *o);
/* Number of faults that need certain schemes. */
#define LAB_NEEDS 6
/* Returns a bit for each such fault that affects no scheme of a run. */
unsigned lab_fault_misfits(const lab_options *o, const lab_part *part, uint32_t n);
/* Returns the text of a bit, with the schemes that the fault needs. */
const char *lab_fault_need(unsigned i);
/* Writes the trouble in words for a title. */
void lab_trouble_text(const lab_options *o, char *text, size_t bytes);
/* Returns true if the options make a switch's clock wrong. */
bool lab_wrong_clock(const lab_options *o);
/* Returns the present time of a node's clock. */
uint64_t lab_clock_ns(const lab *l, const lab_node *node);
/* Schedules the trouble and its samples. */
void lab_trouble_setup(lab *l);
/* Returns true if this switch writes no telemetry now. */
bool lab_trouble_blinds(const lab *l, const lab_node *node);
/* Returns true if this packet is lost. */
bool lab_trouble_drops(lab *l, const lab_port *port, const lab_packet *p);
/* Runs the twin, and adds the comparison to the results. */
void lab_trouble_results(const lab *l, lab_result *r);

/* Sets params to the preset of the options or of a part, if they name one. */
void lab_preset(const lab *l, const lab_part *part, const struct algo *algo,
                uint64_t link_bps, void *params);
/* Sets the members that the options name. */
void lab_members(const lab_options *o, const struct algo *algo, void *params);
/* Returns the default deployment. */
const lab_deployment *lab_deployment_default(const lab_options *o);
/* Returns a setting in the form of --set, valid until the next call. */
const char *lab_setting_text(const lab_setting *setting);
/* Returns false if two parameters of --set contradict each other, or if --set has
   another preset than a part. Prints both on stderr. */
bool lab_settings_agree(const lab_options *o, const lab_part *part, uint32_t n);
/* Prints why the schemes do not accept the options. Returns false for setup(). */
bool lab_refuse(const lab *l, const char *format, ...);
/* Prints the member that an algorithm's init refused. Returns false for setup(). */
bool lab_refuse_member(const lab *l, const struct algo *algo, unsigned refusal,
                       const void *params);

/* Creates a run of one scheme, or of parts with scheme and deployment. Returns NULL if
   a scheme refuses the options, or if lab_load() fails. */
lab *lab_new(const lab_scheme *s, const lab_options *o);
lab *lab_new_mixed(const lab_part *part, uint32_t n, const lab_options *o);
/* Returns the scheme of a located data packet, or NULL. */
const lab_scheme *lab_scheme_of(lab *l, const lab_packet *p);
/* Reads SCHEME[:PRESET]+..., the parts of one fabric. Returns their number, or 0 with
 * the reason on stderr. */
uint32_t lab_parts(const char *text, lab_part part[LAB_PARTS]);
void lab_free(lab *l);
void lab_run(lab *l, lab_ps until);
void lab_measure(lab *l); /* schedules the measurements of all flows */
lab_result lab_results(const lab *l);
/* Returns the least time of a flow, alone on links at their rates. Its packets have no
   more headers than at the sender, and its ACK has no echo. Returns 0 for an endless
   flow. */
lab_ps lab_shortest(const lab *l, const lab_flow *x);
/* Returns the time of the i-th sample. */
lab_ps lab_sample_at(const lab *l, uint32_t i);

/* Returns true for a located data packet. */
bool lab_is_data(const lab_packet *p);
/* Returns the ECN of the outermost IP header. */
rocecc_ecn lab_ecn(const lab_packet *p);
/* Returns WRED's verdict on a packet at a queue with queue_bytes of data. */
rocecc_wred_verdict lab_wred(lab *l, const lab_packet *p, uint64_t queue_bytes);
/* Returns the length of a port's data queue with the packet. */
uint64_t lab_queue_with(const lab_port *port, const lab_packet *p);
/* Hooks `queue` and `mark` of schemes with WRED. */
bool lab_wred_queue(lab *l, lab_port *port, lab_packet *p);
void lab_wred_mark(lab *l, lab_port *port, lab_packet *p, uint64_t queue_bytes);
/* Returns true if WRED can mark within the options' buffers. Otherwise prints the
 * reason. */
bool lab_wred_marks(const lab *l);
/* Appends bytes to a packet, and adds them to its lengths. Returns NULL without
 * room. */
uint8_t *lab_append(lab_packet *p, size_t bytes);
/* Returns true if all hosts send and receive. */
bool lab_is_mutual(const lab_options *o);
/* Creates the flows. Returns false if there is no flow, or if the file is invalid. */
bool lab_load(lab *l);
/* Starts a flow. */
void lab_start(lab *l, void *who, uint64_t what);
/* Sends the packets that may leave now. */
void lab_send(lab *l, lab_flow *x);
/* Sets a flow's rate in bit/s (0: no pacing) and its limit of bytes in flight (0: no
   window). */
void lab_set(lab *l, lab_flow *x, uint64_t rate_bps, uint64_t window_bytes);
/* Starts a timer of a flow, in place of the one of the same kind, 0 to 2. */
void lab_timer(lab *l, lab_flow *x, unsigned kind, uint64_t ns, lab_timer_call *call);
/* Returns the flow with this QP at its sender, or NULL. */
lab_flow *lab_flow_of_sender(lab *l, uint32_t qp);
/* Returns the flow with this QP at its receiver, or NULL. */
lab_flow *lab_flow_of_receiver(lab *l, uint32_t qp);
/* Returns the flow of a located data packet, or NULL. */
lab_flow *lab_flow_of(lab *l, const lab_packet *p);
/* Resumes the flows that wait for a host's NIC, as long as the NIC has room. */
void lab_drained(lab *l, lab_node *host);
uint32_t lab_sender_qp(const lab_flow *x);
uint32_t lab_receiver_qp(const lab_flow *x);
/* Forwards a packet of the node's own, or one that arrived. */
void lab_forward(lab *l, lab_node *from, lab_packet *p);
/* Forwards a packet at a later time. */
void lab_forward_at(lab *l, lab_ps when, lab_node *from, lab_packet *p);
/* Handles a located packet that arrived at a node, or at a host. */
void lab_receive(lab *l, lab_node *node, lab_packet *p);
void lab_host_receive(lab *l, lab_node *host, lab_packet *p);
/* Counts and forwards a notification that a node wrote. */
void lab_notify(lab *l, lab_node *from, lab_packet *p, const rocecc_writer *w);
/* Writes an Ethernet header for IPv6, and returns a writer for the rest. */
rocecc_writer lab_ether(lab_packet *p, const lab_node *from);
/* Returns the node of an IPv6 or MAC address by its last 32 bits, or NULL. */
lab_node *lab_node_of(lab *l, const uint8_t *last32);
/* Builds hosts, switches and links of a topology, and the access lists. */
void lab_build(lab *l, uint32_t senders, uint32_t receivers);
void lab_link(lab_node *a, lab_node *b, uint64_t rate_bps, lab_ps delay);

/* The domain of all nodes. */
extern const rocecc_domain lab_domain;

#endif /* EXAMPLES_CCLAB_LAB_H */

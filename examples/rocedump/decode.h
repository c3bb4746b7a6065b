/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_DECODE_H
#define ROCEDUMP_DECODE_H

/*
 * decode.h - a frame as a list of layers, outermost first. Text and JSON print the same
 * list. Only decode.c, icmp.c, notify.c, overlay.c and sampled.c add layers.
 */
#include "../lib/field.h"
#include "../lib/intmd_shown.h"
#include "../lib/ioam_shown.h"
#include "rocecc/fields/icrc.h"
#include "rocecc/fields/overlay.h"
#include "rocecc/rocecc.h"

#include "judge.h"
#include "link.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

typedef struct icrc_config {
    rocecc_icrc_rule rule;
} icrc_config;

typedef struct settings {
    rocecc_domain domain;
    rocecc_telemetry_config telemetry;
    rocecc_cnm_config cnm;
    rocecc_pfc_config pfc;
    icrc_config icrc;
    judge_config judge;
    bool no_icrc; /* without the layer icrc */
    bool judging; /* packets stay as captured, for a role */
    bool brief;   /* may leave out what a summary does not count */
} settings;

/* A captured frame. */
typedef struct packet {
    uint64_t number; /* from 1 */
    uint64_t time_ns;
    uint32_t len;   /* length on the wire */
    uint32_t iface; /* number of the interface in a pcapng file, and otherwise 0 */
    link_header link;
    rocecc_reader bytes; /* the whole frame; `at` is after the link header */
    const char *id;      /* ID of a row in a vector file, or NULL */
    const char *source;
} packet;

/*
 * An array of records in a layer, one per telemetry node. A member is not shown if its
 * bit in `present` is 0, or if it is an empty view.
 */
typedef struct node_kind {
    const field *fields;
    const uint32_t *has; /* bit of each field; 0 if it needs none */
    size_t n;
    size_t size;    /* bytes per node */
    size_t present; /* offset of `present` in a node */
    size_t bytes;   /* bytes of `present`: 2 or 4 */
    size_t nodes;   /* offset of the nodes in the layer's record */
    size_t count;   /* offset of their number, one byte */
} node_kind;

/* The name and the members of a layer. `many` allows several, as an array in JSON. */
typedef struct layer_kind {
    const char *name;
    bool many;
    const field *fields;
    size_t n;
    const struct layer_kind *inner; /* one more member, a record, or NULL */
    const node_kind *nodes;         /* one more member, "nodes", or NULL */
} layer_kind;

#define ONE(name, fields)                                                              \
    {                                                                                  \
        name, false, fields, COUNT(fields), NULL, NULL                                 \
    }
#define MANY(name, fields)                                                             \
    {                                                                                  \
        name, true, fields, COUNT(fields), NULL, NULL                                  \
    }

/* A nested member under its own name. */
#define DEEP(T, kind, path, member)                                                    \
    FIELD_AT(#member, kind, offsetof(T, path.member), sizeof(((T *)0)->path.member),   \
             NULL)

typedef struct layer {
    const layer_kind *kind;
    const void *record;
    const void *inner; /* NULL if this layer has none */
} layer;

/* An IOAM trace, with its header, the bytes after it, and its nodes. */
typedef struct ioam_record {
    uint8_t opt_type; /* a rocecc_ioam_opt_type */
    uint16_t namespace_id;
    uint8_t node_len;
    uint8_t flags;
    uint8_t remaining_len;
    rocecc_reader trace_type;
    uint8_t reserved;
    rocecc_reader data; /* free space and node data */
    uint8_t count;
    ioam_shown nodes[ROCECC_IOAM_NODES_MAX];
} ioam_record;

/* An IOAM option that is not a trace. Its layer determines the type. */
typedef union ioam_other_record {
    rocecc_ioam_dex dex;
    rocecc_ioam_e2e e2e;
    rocecc_ioam_pot pot;
} ioam_other_record;

/* IFA headers, and the records of the stack. */
typedef struct ifa_record {
    rocecc_ifa h;
    uint8_t count;
    rocecc_ifa_node nodes[ROCECC_IFA_NODES_MAX];
} ifa_record;

/* INT-MD shim, metadata header and nodes. */
typedef struct intmd_record {
    rocecc_intmd_shim shim;
    rocecc_intmd_header h;
    uint8_t count;
    intmd_shown nodes[ROCECC_INTMD_STACK_MAX_BYTES / 4];
} intmd_record;

/* An echo with its record in one of the formats. */
typedef struct echo_record {
    rocecc_echo h;
    ioam_record ioam;
    ifa_record ifa;
    intmd_record intmd;
    rocecc_csig csig;
} echo_record;

#define CHECK_UNKNOWN 2 /* value of `ok` if nothing was compared */

/* An ICMP or ICMPv6 header. */
typedef struct icmp_record {
    uint8_t type;
    uint8_t code;
    uint16_t checksum;
    uint8_t ok; /* 0, 1 or CHECK_UNKNOWN */
} icmp_record;

/* An ICMP error and the packet in it. */
typedef struct icmp_error_record {
    uint32_t value; /* the 4 bytes after the checksum */
    rocecc_reader packet;
    const struct decoded *quoted; /* NULL if not decoded */
} icmp_error_record;

/* A Parameter Problem. */
typedef struct problem_record {
    uint32_t pointer;
    rocecc_reader byte; /* the byte at the pointer */
    bool fastcnp;       /* the sender does not know the Fast CNP option (FC-03) */
} problem_record;

/* IEEE 802.1Qau. */
typedef struct cntag_record {
    uint16_t flow_id;
    uint16_t type; /* type of the next header */
} cntag_record;

/* A private CNM. Its PDU is the next layer. */
typedef struct l3qcn_record {
    rocecc_l3qcn h;
    bool checksum_ok; /* the UDP checksum is present and correct */
} l3qcn_record;

typedef struct arn_record {
    rocecc_arn h;
    uint8_t present; /* parameters that are present */
} arn_record;

/* A BTH and its meaning. As `h` is first, offsets in rocecc_bth apply. */
typedef struct bth_record {
    rocecc_bth h;
    uint8_t operation; /* a rocecc_opcode_operation, BTH_RESERVED or BTH_MANUFACTURER */
    uint8_t odd;       /* ROCECC_BTH_ODD_... */
} bth_record;

#define BTH_OPERATIONS ROCECC_OPERATION_NAMES " reserved manufacturer"
#define BTH_RESERVED (ROCECC_OPERATION_CNP + 1)
#define BTH_MANUFACTURER (ROCECC_OPERATION_CNP + 2)

/* The 16 reserved bytes of a CNP. */
typedef struct cnp_record {
    rocecc_reader reserved;
    uint8_t odd; /* ROCECC_CNP_ODD_... */
} cnp_record;

/* A GRE header and its optional fields. */
typedef struct gre_record {
    rocecc_gre h;
    rocecc_reader options; /* checksum, key, sequence number, depending on flags */
} gre_record;

typedef struct geneve_record {
    rocecc_geneve h;
    rocecc_reader options;
} geneve_record;

typedef struct erspan_record {
    rocecc_erspan h;
    uint32_t index;     /* only ERSPAN II */
    uint32_t timestamp; /* only ERSPAN III */
    rocecc_erspan3 more;
    rocecc_reader platform; /* 8 bytes if o is set */
} erspan_record;

typedef struct llc_record {
    rocecc_reader llc; /* 3 bytes */
    uint16_t type;     /* type in SNAP */
} llc_record;

/* The control word after a pseudowire's labels. */
typedef struct pseudowire_record {
    rocecc_reader control;
} pseudowire_record;

/* The reason why the end of a packet is missing. */
typedef struct partial_record {
    ROCECC_ENUM8_(rocecc_partial) why;
    uint32_t missing; /* bytes, by UDP's length, or else by IP's */
} partial_record;

/* A flow sample in sFlow, and the sampled packet. */
typedef struct sample_record {
    rocecc_sflow_flow flow;
    rocecc_sflow_raw raw;         /* all 0 without a raw header */
    const struct decoded *packet; /* NULL if not decoded */
} sample_record;

#define SAMPLES_MAX 32 /* flow samples per datagram */

typedef struct sflow_record {
    rocecc_sflow h;
    uint32_t others; /* samples of other types, such as counters */
    size_t count;
    sample_record sample[SAMPLES_MAX];
} sflow_record;

typedef struct payload_record {
    rocecc_reader bytes;
    rocecc_reader pad;
    bool pad_forbidden;
} payload_record;

typedef struct icrc_record {
    rocecc_reader value; /* as on the wire */
    rocecc_reader computed;
    uint8_t ok; /* 0, 1 or CHECK_UNKNOWN */
    rocecc_icrc_rule rule;
    uint8_t stored[4]; /* bytes of `computed` */
} icrc_record;

typedef union ip6ext_record {
    rocecc_ip6opts opts;
    rocecc_srh srh;
    rocecc_ip6frag frag;
    rocecc_ip6ext ext;
} ip6ext_record;

#define IOAM_MAX 8     /* traces per packet, and as many other IOAM options */
#define LAYERS_MAX 112 /* ether, 10 tags, 8 labels, 2 times IP and 8 headers, ... */
#define LEVELS_MAX 3   /* nested packets, e.g. an overlay in a mirror session */
#define PACKETS_MAX                                                                    \
    (LEVELS_MAX + SAMPLES_MAX + 5) /* per frame; 5 extra for overlays in samples */

/* One packet. Refers to the frame's bytes and to itself, so it must not be copied. */
typedef struct decoded {
    rocecc_packet p;
    struct decoded *inner; /* the packet inside, or NULL */
    struct decoded *next;  /* next in the frame (inner, sampled or quoted), or NULL */
    const judged *judged;  /* the role's judgement, or NULL */
    rocecc_status status;  /* OK, SHORT, FORMAT or UNSUPPORTED */
    const char *at;        /* layer that failed, unless status is OK */
    const char *verdicts;  /* verdict names for a faulty CNM, or NULL */
    uint8_t verdict;       /* index in verdicts */
    bool has_bth;          /* bth is set */
    bool has_icrc;         /* icrc is set */
    bool has_fastcnp;      /* fastcnp is set */
    bool frame_length;     /* ip[0]'s length field is 0: the frame's length is used */
    bool doubtful;         /* a CNP with options that could make it a Fast CNP */
    size_t n;
    layer layers[LAYERS_MAX];
    size_t n_ip, n_ext, n_ioam, n_others, n_udp;
    rocecc_ether ether;
    rocecc_vlan vlan[ROCECC_PACKET_VLAN_MAX];
    rocecc_csig csig;
    cntag_record cntag;
    llc_record llc;
    rocecc_cisco_md cmd;
    rocecc_etag etag;
    rocecc_vntag vntag;
    rocecc_arista arista;
    rocecc_pppoe pppoe;
    rocecc_mpls mpls[ROCECC_MPLS_MAX];
    pseudowire_record pseudowire;
    union {
        rocecc_ipv4 v4;
        rocecc_ipv6 v6;
    } ip[2];
    ip6ext_record ext[2 * ROCECC_IP6EXT_MAX];
    ioam_record ioam[IOAM_MAX];
    ioam_other_record others[IOAM_MAX];
    rocecc_fastcnp fastcnp;
    ioam_record fastcnp_ioam;
    icmp_record icmp;
    icmp_error_record icmp_error;
    problem_record problem;
    rocecc_cnm cnm;
    l3qcn_record l3qcn;
    arn_record arn;
    sflow_record sflow;
    rocecc_pfc pfc;
    rocecc_pfc_pause pause;
    rocecc_grh grh;
    rocecc_tcp tcp;
    rocecc_udp udp[2];
    rocecc_vxlan vxlan;
    rocecc_gpe gpe;
    geneve_record geneve;
    gre_record gre;
    erspan_record erspan;
    ifa_record ifa;
    intmd_record intmd;
    rocecc_bth bth;
    bth_record bth_shown;
    rocecc_ext headers;
    cnp_record cnp;
    echo_record echo;
    payload_record payload;
    partial_record partial;
    icrc_record icrc;
} decoded;

/* Decodes a frame and the packets in it. The frame comes first. */
void decode(const settings *c, const packet *p, decoded packets[PACKETS_MAX]);

/*
 * offload.c: returns true if it sets *out to a copy of the frame. In the copy, the
 * frame's length gives the first IP header's length field, which is 0 in the frame. The
 * next call overwrites the copy.
 */
bool offload_bytes(const packet *p, rocecc_reader *out);

/* Returns the innermost decoded packet. Samples and quotes do not count. */
const decoded *decode_innermost(const decoded *d);

/* Adds a layer. */
void decode_push(decoded *d, const layer_kind *kind, const void *record,
                 const void *inner);

/* Records a failure, unless there is an earlier one. Returns false. */
bool decode_fail(decoded *d, rocecc_status status, const char *at);

/*
 * overlay.c: adds tags and shims after Ethernet, and overlay headers. overlay_name()
 * returns the name of the tunnel.
 */
void overlay_tags(const settings *c, decoded *d, uint16_t type);
void overlay_header(decoded *d);
const char *overlay_name(const decoded *d);

#define TUNNEL_WORD(name) #name " "
#define TUNNELS ROCECC_TUNNELS(TUNNEL_WORD)

/*
 * notify.c: congestion notifications, PFC and PAUSE, after Ethernet and its tags or
 * after UDP. Returns false if the stack has ended.
 */
bool notify_ether(const settings *c, decoded *d);
bool notify_udp(decoded *d);

/*
 * sampled.c: sFlow. sampled_layers() adds its layers after UDP, and returns false if
 * the stack has ended. sampled_parse() walks the packet of sample i, and returns the
 * type of its first header, or 0 if rocedump does not decode that type.
 */
bool sampled_layers(decoded *d);
uint16_t sampled_parse(const decoded *d, size_t i, rocecc_packet *out);
bool sampled_is_sample(const layer_kind *kind);

/*
 * icmp.c: ICMP and ICMPv6. icmp_layers() adds its layers after IP, and returns false if
 * the stack has ended. icmp_parse_quote() walks the quoted packet, and returns the type
 * of its first header, or 0 if the quote is empty.
 */
bool icmp_layers(decoded *d);
uint16_t icmp_parse_quote(const decoded *d, rocecc_packet *out);
bool icmp_is_error_layer(const layer_kind *kind);

/* Returns true if layers of this kind may contain a packet, as a sample or a quote. */
bool decode_nests(const layer_kind *kind);

/* Returns the packet in a layer, or NULL. */
const decoded *decode_nested(const layer *l);

/* Returns layer kind i, or NULL if there are fewer. */
const layer_kind *decode_kind(size_t i);

/*
 * The layer kinds of link.c, overlay.c, icmp.c, notify.c and sampled.c. NULL ends each
 * list.
 */
extern const layer_kind *const link_kinds[], *const overlay_kinds[],
                                                 *const icmp_kinds[];
extern const layer_kind *const notify_kinds[], *const sampled_kinds[];

/* Returns the first layer of that name, or NULL. */
const layer *decode_find(const decoded *d, const char *name);

/* config.c: sets the laboratory's defaults, also for unassigned numbers. */
void config_default(settings *c);

/* Sets the parts of the domain that a walk uses to 0, except intmd.ds_id. */
void config_plain(settings *c);

/*
 * Sets, for example, frame.ip_first to 1. Returns false for an unknown name or value.
 */
bool config_set(settings *c, const char *name, const char *value);

/* Returns the reason why config_set() refused, until the next call. */
const char *config_expected(settings *c, const char *name);

/* Returns why the domain is invalid, or NULL. */
const char *config_refused(const settings *c);

/* Returns a node of a telemetry layer as input for an algorithm. */
rocecc_hop decode_hop(const settings *c, const layer_kind *kind, const void *node);

/*
 * decode_node() returns node i of a layer's record. decode_has() returns true if the
 * node has field k.
 */
const void *decode_node(const node_kind *kind, const void *record, size_t i);
bool decode_has(const node_kind *kind, const void *node, size_t k);

/*
 * Prints name i of a list that is separated by blanks. `upper` prints capitals, and
 * blanks for _.
 */
void print_name(const char *names, unsigned i, bool upper, FILE *out);

#define ICRC_RULES ROCECC_ICRC_RULE_NAMES

/* text.c, json.c and summary.c */
void text_frame(const settings *c, const packet *p, const char *when, const decoded *d,
                FILE *out);
void text_opcode(uint8_t opcode, FILE *out);

/* Returns the name of an ICMP error of this IP version, or NULL. */
const char *text_icmp_name(uint8_t version, uint8_t type, uint8_t code);

/*
 * stop.c: prints the lengths, the addresses and, for IPv4, the fragment after "stops at
 * ipv4" or "stops at ipv6".
 */
void stop_text(const decoded *d, FILE *out);
void text_ip(const rocecc_ip6 *address, FILE *out); /* IPv4-mapped addresses as IPv4 */
void json_frame(const packet *p, const decoded *d, FILE *out);

/*
 * fields.c: prints the members of a format, or of all formats for NULL. Returns false
 * if no format has this name.
 */
bool fields_print(const char *name, FILE *out);

#define FAILURES_MAX 160

/*
 * Counts over all shown frames. For a packet in overlays, the innermost packet and each
 * overlay are counted.
 */
typedef struct summary {
    uint64_t frames, bytes, rocev1, rocev2, cnps, tcp, udp, other;
    uint64_t partial[7]; /* RoCEv2, by rocecc_partial */
    uint64_t tunnels[ROCECC_TUNNEL_PSEUDOWIRE + 1];
    uint64_t fastcnps[2]; /* by kind */
    uint64_t problems;    /* Parameter Problems from hosts without Fast CNP */
    uint64_t private_cnms, arns, cnms_qcn, pfc, pause;
    uint64_t sflow, sampled, sampled_roce; /* datagrams, samples, RoCE in samples */
    uint64_t opcode[256];
    uint64_t ecn[4];     /* of RoCEv2 */
    uint64_t rule_ok[6]; /* correct ICRCs, by rule */
    uint64_t icrc_wrong, icrc_unchecked;
    struct {
        rocecc_status status;
        const char *at;
        uint64_t n;
    } failure[FAILURES_MAX];
    size_t n_failures;
} summary;

void summary_add(summary *s, const packet *p, const decoded *d);
void summary_print(const summary *s, FILE *out);

/*
 * input.c: a source of frames. input_read() calls each() with every frame that passes
 * bpf, until each() sets enough. It returns false, with a message, if the input is bad.
 */
typedef struct input {
    settings config; /* may be changed for each frame */
    void (*each)(struct input *in, const packet *p);
    void *arg;
    const char *bpf;     /* filter for libpcap, or NULL */
    const decoded *last; /* the frame, decoded by each() */
    uint64_t number;     /* of the last frame, counted through all files */
    bool own_domain;     /* --domain or --config sets the domain; ignore comments */
    uint64_t shown;      /* frames that each() has counted */
    bool enough;         /* set by each() to stop */
    bool at_once;        /* flush after each frame, for a pipe or an interface */
    bool refused;        /* libpcap rejects bpf */
    bool vectors;        /* frames are rows of a vector file */
} input;

bool input_read(input *in, const char *path);

/* Reads from an interface in the same way, until a signal comes. */
bool input_live(input *in, const char *device);

#endif /* ROCEDUMP_DECODE_H */

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_DECODE_H
#define ROCEDUMP_DECODE_H

/*
 * decode.h - a frame as a list of layers, outermost first, which text and JSON print
 * alike: a layer is added in decode.c or notify.c, and nowhere else.
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
    bool no_icrc; /* no layer icrc */
    bool judging; /* a role is asked: packets are as they were captured */
    bool brief;   /* only what a summary counts: p, bth, icrc, status and at */
} settings;

/* One frame as it was captured. */
typedef struct packet {
    uint64_t number; /* from 1 */
    uint64_t time_ns;
    uint32_t len; /* on the wire */
    link_header link;
    rocecc_reader bytes; /* of all of the frame; what is left to take follows link */
    const char *id;      /* of a vector, or NULL */
    const char *source;
} packet;

/* Records that a layer has several of: nodes of telemetry. Those that are not present,
 * by a bit of the record's `present`, are left out. */
typedef struct node_kind {
    const field *fields;
    const uint32_t *has; /* of each field: its bit; 0: always there */
    size_t n;
    size_t size;    /* of a node */
    size_t present; /* where its bits are, */
    size_t bytes;   /*   and how many: 2 or 4 */
    size_t nodes;   /* where the layer's record has them, */
    size_t count;   /*   and the number of them, one byte */
} node_kind;

/* The name and the members of a layer; many: there may be several, in JSON an array. */
typedef struct layer_kind {
    const char *name;
    bool many;
    const field *fields;
    size_t n;
    const struct layer_kind *inner; /* one more member, a record of its own, or NULL */
    const node_kind *nodes;         /* one more, "nodes", or NULL */
} layer_kind;

#define ONE(name, fields)                                                              \
    {                                                                                  \
        name, false, fields, COUNT(fields), NULL, NULL                                 \
    }
#define MANY(name, fields)                                                             \
    {                                                                                  \
        name, true, fields, COUNT(fields), NULL, NULL                                  \
    }

/* A member of a member, by its own name. */
#define DEEP(T, kind, path, member)                                                    \
    FIELD_AT(#member, kind, offsetof(T, path.member), sizeof(((T *)0)->path.member),   \
             NULL)

typedef struct layer {
    const layer_kind *kind;
    const void *record;
    const void *inner; /* NULL: not in this one */
} layer;

/* The trace of an IOAM option: its header, the bytes behind it, and its nodes. */
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

/* An IOAM option that is not a trace; its layer says which. */
typedef union ioam_other_record {
    rocecc_ioam_dex dex;
    rocecc_ioam_e2e e2e;
    rocecc_ioam_pot pot;
} ioam_other_record;

/* IFA: its headers, and the records of its stack. */
typedef struct ifa_record {
    rocecc_ifa h;
    uint8_t count;
    rocecc_ifa_node nodes[ROCECC_IFA_NODES_MAX];
} ifa_record;

/* INT-MD: shim, metadata header and nodes. */
typedef struct intmd_record {
    rocecc_intmd_shim shim;
    rocecc_intmd_header h;
    uint8_t count;
    intmd_shown nodes[ROCECC_INTMD_STACK_MAX_BYTES / 4];
} intmd_record;

/* An echo, and its record by its format. */
typedef struct echo_record {
    rocecc_echo h;
    ioam_record ioam;
    ifa_record ifa;
    intmd_record intmd;
    rocecc_csig csig;
} echo_record;

#define CHECK_UNKNOWN 2 /* of ok: nothing was compared */

/* The header of ICMPv6, or of ICMP. */
typedef struct icmp_record {
    uint8_t type;
    uint8_t code;
    uint16_t checksum;
    uint8_t ok; /* 0, 1 or CHECK_UNKNOWN */
} icmp_record;

/* An ICMP error, and the packet that it quotes. */
typedef struct icmp_error_record {
    uint32_t value; /* the 4 bytes after the checksum */
    rocecc_reader packet;
    const struct decoded *quoted; /* NULL: not decoded */
} icmp_error_record;

/* A Parameter Problem. */
typedef struct problem_record {
    uint32_t pointer;
    rocecc_reader byte; /* what the pointer points at */
    bool fastcnp;       /* its sender does not know the option of a Fast CNP: FC-03 */
} problem_record;

/* IEEE 802.1Qau. */
typedef struct cntag_record {
    uint16_t flow_id;
    uint16_t type; /* of what follows */
} cntag_record;

/* A private CNM; the PDU in it is the next layer. */
typedef struct l3qcn_record {
    rocecc_l3qcn h;
    bool checksum_ok; /* there is a UDP checksum, and it is right */
} l3qcn_record;

typedef struct arn_record {
    rocecc_arn h;
    uint8_t present; /* which parameters */
} arn_record;

/* A BTH, and what it says in words. Members of rocecc_bth have its own offsets. */
typedef struct bth_record {
    rocecc_bth h;
    uint8_t operation; /* a rocecc_opcode_operation, BTH_RESERVED, BTH_MANUFACTURER */
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

/* GRE without and with its optional fields. */
typedef struct gre_record {
    rocecc_gre h;
    rocecc_reader options; /* checksum, key, sequence number: as many as flags say */
} gre_record;

typedef struct geneve_record {
    rocecc_geneve h;
    rocecc_reader options;
} geneve_record;

typedef struct erspan_record {
    rocecc_erspan h;
    uint32_t index;     /* II */
    uint32_t timestamp; /* III */
    rocecc_erspan3 more;
    rocecc_reader platform; /* 8 bytes, where o is set */
} erspan_record;

typedef struct llc_record {
    rocecc_reader llc; /* 3 bytes */
    uint16_t type;     /* of SNAP */
} llc_record;

/* The control word after the labels of a pseudowire. */
typedef struct pseudowire_record {
    rocecc_reader control;
} pseudowire_record;

/* Why the end of a packet is not here. */
typedef struct partial_record {
    ROCECC_ENUM8_(rocecc_partial) why;
    uint32_t missing; /* bytes, by the length of UDP, or else of IP */
} partial_record;

/* A flow sample of sFlow, and the packet that it has the first bytes of. */
typedef struct sample_record {
    rocecc_sflow_flow flow;
    rocecc_sflow_raw raw;         /* all 0: it has no raw header */
    const struct decoded *packet; /* NULL: not decoded */
} sample_record;

#define SAMPLES_MAX 32 /* flow samples of a datagram */

typedef struct sflow_record {
    rocecc_sflow h;
    uint32_t others; /* samples that are no flow samples: counters */
    size_t count;
    sample_record sample[SAMPLES_MAX];
} sflow_record;

typedef struct payload_record {
    rocecc_reader bytes;
    rocecc_reader pad;
    bool pad_forbidden;
} payload_record;

typedef struct icrc_record {
    rocecc_reader value; /* as it is on the wire */
    rocecc_reader computed;
    uint8_t ok; /* 0, 1 or CHECK_UNKNOWN */
    rocecc_icrc_rule rule;
    uint8_t stored[4]; /* what computed refers to */
} icrc_record;

typedef union ip6ext_record {
    rocecc_ip6opts opts;
    rocecc_srh srh;
    rocecc_ip6frag frag;
    rocecc_ip6ext ext;
} ip6ext_record;

#define IOAM_MAX 8     /* traces in one packet, and as many other options of IOAM */
#define LAYERS_MAX 112 /* ether, 10 tags, 8 labels, 2 times IP and 8 headers, ... */
#define LEVELS_MAX 3   /* packets in one another: an overlay, and a mirror of it */
#define PACKETS_MAX                                                                    \
    (LEVELS_MAX + SAMPLES_MAX + 5) /* in one frame: 5 overlays sampled */

/* One packet. Refers to the frame's bytes and to itself: not to be copied. */
typedef struct decoded {
    rocecc_packet p;
    struct decoded *inner; /* the packet in it, or NULL */
    struct decoded *next;  /* the next packet of the frame: inner, sampled or quoted; or
                              NULL */
    const judged *judged;  /* what a role says of it; NULL: none is asked */
    rocecc_status status;  /* OK, SHORT, FORMAT or UNSUPPORTED */
    const char *at;        /* unless it is OK: the layer that failed */
    const char *verdicts;  /* of CNMs: names of why it is none; or NULL */
    uint8_t verdict;       /* one of them */
    bool has_bth;          /* bth is there */
    bool has_icrc;         /* and icrc */
    bool has_fastcnp;      /* and fastcnp */
    bool frame_length;     /* ip[0]'s length field is 0: the frame's length is used */
    bool doubtful;         /* a CNP whose options could make it a Fast CNP */
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

/* A frame, and the packets in it, the frame first. */
void decode(const settings *c, const packet *p, decoded packets[PACKETS_MAX]);

/* offload.c: if the first IP header's length field is 0, a copy of the frame with the
 * length of the frame in it, until the next call; false: the frame is as it should be.
 */
bool offload_bytes(const packet *p, rocecc_reader *out);

/* The packet that is in no other's tunnel: the innermost one that was followed. */
const decoded *decode_innermost(const decoded *d);

/* Adds a layer. */
void decode_push(decoded *d, const layer_kind *kind, const void *record,
                 const void *inner);

/* Ends the stack; false. What has failed before, and has not ended it, stays. */
bool decode_fail(decoded *d, rocecc_status status, const char *at);

/* overlay.c: tags and shims after Ethernet, the headers of overlays, and their names.
 */
void overlay_tags(const settings *c, decoded *d, uint16_t type);
void overlay_header(decoded *d);
const char *overlay_name(const decoded *d);

#define TUNNEL_WORD(name) #name " "
#define TUNNELS ROCECC_TUNNELS(TUNNEL_WORD)

/*
 * notify.c: what follows Ethernet and its tags, or UDP, and is no RoCE, but tells of
 * congestion. False: the stack has ended.
 */
bool notify_ether(const settings *c, decoded *d);
bool notify_udp(decoded *d);

/*
 * sampled.c: sFlow. sampled_layers() adds its layers after UDP, and is false where the
 * stack has ended. sampled_parse() walks the packet of sample i: the type with which it
 * begins, or 0 where nobody knows it.
 */
bool sampled_layers(decoded *d);
uint16_t sampled_parse(const decoded *d, size_t i, rocecc_packet *out);
bool sampled_is_sample(const layer_kind *kind);

/*
 * icmp.c: ICMP and ICMPv6. icmp_layers() adds its layers after IP, and returns false if
 * the stack has ended. icmp_parse_quote() walks the packet that an error quotes, and
 * returns the type with which it begins, or 0 if there is none.
 */
bool icmp_layers(decoded *d);
uint16_t icmp_parse_quote(const decoded *d, rocecc_packet *out);
bool icmp_is_error_layer(const layer_kind *kind);

/* Returns true if layers of this kind may have a packet inside: a sample or a quote. */
bool decode_nests(const layer_kind *kind);

/* Returns the packet that a layer has inside, or NULL. */
const decoded *decode_nested(const layer *l);

/* Kind i of all the layers that there are, or NULL: there are fewer. */
const layer_kind *decode_kind(size_t i);

/* Those of link.c, overlay.c, icmp.c, notify.c and sampled.c; NULL after the last. */
extern const layer_kind *const link_kinds[], *const overlay_kinds[],
                                                 *const icmp_kinds[];
extern const layer_kind *const notify_kinds[], *const sampled_kinds[];

/* The layer of that name, or NULL. */
const layer *decode_find(const decoded *d, const char *name);

/* config.c: what is set before anything else, numbers that nobody has assigned. */
void config_default(settings *c);

/* What a walk asks: all of it off. */
void config_plain(settings *c);

/* Sets "frame.ip_first=1" and the like; false where there is no such name or value. */
bool config_set(settings *c, const char *name, const char *value);

/* Why the settings do not go together; NULL: they do. */
const char *config_refused(const settings *c);

/* What a node means to an algorithm: of a layer "ioam", "ifa" or "intmd". */
rocecc_hop decode_hop(const settings *c, const layer_kind *kind, const void *node);

/* Node i of a layer's record, and whether it has field k. */
const void *decode_node(const node_kind *kind, const void *record, size_t i);
bool decode_has(const node_kind *kind, const void *node, size_t k);

/* A name out of names, which are separated by blanks. */
void print_name(const char *names, unsigned i, bool upper, FILE *out);

#define ICRC_RULES ROCECC_ICRC_RULE_NAMES

/* text.c, json.c and summary.c */
void text_frame(const settings *c, const packet *p, const char *when, const decoded *d,
                FILE *out);
void text_opcode(uint8_t opcode, FILE *out);

/* Returns the name of an ICMP error of this IP version, or NULL. */
const char *text_icmp_name(uint8_t version, uint8_t type, uint8_t code);

/* stop.c: after "stops at ipv4": its lengths, whether it is a fragment, its addresses.
 */
void stop_text(const decoded *d, FILE *out);
void text_ip(const rocecc_ip6 *address, FILE *out); /* IPv4 as such */
void json_frame(const packet *p, const decoded *d, FILE *out);

/* fields.c: the members of a format, NULL for all of them; false where none is called
 * so. */
bool fields_print(const char *name, FILE *out);

#define FAILURES_MAX 160

/* Of a packet in an overlay the one inside counts, and the overlay besides. */
typedef struct summary {
    uint64_t frames, bytes, rocev1, rocev2, cnps, tcp, udp, other;
    uint64_t partial[7]; /* of RoCEv2, by rocecc_partial */
    uint64_t tunnels[ROCECC_TUNNEL_PSEUDOWIRE + 1];
    uint64_t fastcnps[2]; /* by kind */
    uint64_t problems;    /* that say that a sender does not know Fast CNP */
    uint64_t private_cnms, arns, cnms_qcn, pfc, pause;
    uint64_t sflow, sampled, sampled_roce; /* datagrams, packets in them */
    uint64_t opcode[256];
    uint64_t ecn[4];     /* of RoCEv2 */
    uint64_t rule_ok[6]; /* ICRCs that are right, by rule */
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

/* input.c: calls each() with every frame; false where the input is bad, and said so. */
typedef struct input {
    settings config; /* may be changed for each frame */
    void (*each)(struct input *in, const packet *p);
    void *arg;
    const char *bpf;     /* what libpcap is to let through; NULL: everything */
    const decoded *last; /* what each() made of the frame */
    uint64_t number;     /* of the last frame: they are counted through all files */
    uint64_t shown;      /* counted by each(), */
    bool enough;         /*   which may set this: no more frames */
    bool at_once; /* somebody waits for what each() writes: a pipe, an interface */
    bool refused; /* libpcap does not take bpf */
    bool vectors; /* frames are rows of a vector file */
} input;

bool input_read(input *in, const char *path);

/* The same of an interface, until a signal comes. */
bool input_live(input *in, const char *device);

#endif /* ROCEDUMP_DECODE_H */

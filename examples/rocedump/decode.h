/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_DECODE_H
#define ROCEDUMP_DECODE_H

/*
 * decode.h - a frame as a list of layers, outermost first, which text and JSON print
 * alike: a layer is added in decode.c, and nowhere else.
 */
#include "../../tests/lib/field.h"
#include "rocecc/rocecc.h"

typedef struct icrc_config {
    uint8_t rule; /* a rocecc_icrc_rule */
} icrc_config;

typedef struct settings {
    rocecc_frame_config frame;
    rocecc_roce_config roce;
    icrc_config icrc;
    bool no_icrc; /* no layer icrc */
    bool brief;   /* only what a summary counts: f, bth, icrc, status and at */
} settings;

/* One frame as it was captured. */
typedef struct packet {
    uint64_t number; /* from 1 */
    uint64_t time_ns;
    uint32_t len; /* on the wire */
    rocecc_reader bytes;
    const char *id; /* of a vector, or NULL */
    const char *source;
} packet;

/* The name and the members of a layer; many: there may be several, in JSON an array. */
typedef struct layer_kind {
    const char *name;
    bool many;
    const field *fields;
    size_t n;
} layer_kind;

typedef struct layer {
    const layer_kind *kind;
    const void *record;
} layer;

/* The 16 reserved bytes of a CNP. */
typedef struct cnp_record {
    rocecc_reader reserved;
    uint8_t odd; /* ROCECC_CNP_ODD_... */
} cnp_record;

typedef struct payload_record {
    rocecc_reader bytes;
    rocecc_reader pad;
    bool pad_forbidden;
} payload_record;

#define ICRC_UNKNOWN 2 /* of ok: nothing was compared */

typedef struct icrc_record {
    rocecc_reader value; /* as it is on the wire */
    rocecc_reader computed;
    uint8_t ok; /* 0, 1 or ICRC_UNKNOWN */
    uint8_t rule;
    uint8_t stored[4]; /* what computed refers to */
} icrc_record;

typedef union ip6ext_record {
    rocecc_ip6opts opts;
    rocecc_srh srh;
    rocecc_ip6frag frag;
    rocecc_ip6ext ext;
} ip6ext_record;

#define LAYERS_MAX 48 /* ether, 3 tags, 2 times IP and 8 headers, 11 of BTH, ... */

/* Refers to the frame's bytes and to itself: not to be copied. */
typedef struct decoded {
    rocecc_frame f;
    rocecc_status status; /* OK, SHORT, FORMAT or UNSUPPORTED */
    const char *at;       /* unless it is OK: the layer that failed */
    bool has_bth;         /* bth is there */
    bool has_icrc;        /* and icrc */
    size_t n;
    layer layers[LAYERS_MAX];
    size_t n_ip, n_ext;
    rocecc_ether ether;
    rocecc_vlan vlan[ROCECC_FRAME_VLAN_MAX];
    union {
        rocecc_ipv4 v4;
        rocecc_ipv6 v6;
    } ip[2];
    ip6ext_record ext[2 * ROCECC_IP6EXT_MAX];
    rocecc_grh grh;
    rocecc_tcp tcp;
    rocecc_udp udp;
    rocecc_bth bth;
    rocecc_ext headers;
    cnp_record cnp;
    payload_record payload;
    icrc_record icrc;
} decoded;

void decode(const settings *c, rocecc_reader frame, decoded *d);

/* The layer of that name, or NULL. */
const layer *decode_find(const decoded *d, const char *name);

/* Sets "frame.ip_first=1" and the like; false where there is no such name or value. */
bool config_set(settings *c, const char *name, const char *value);

/* A name out of names, which are separated by blanks. */
void print_name(const char *names, unsigned i, bool upper, FILE *out);

#define ICRC_RULES "auto standard masked literal stripped none"

/* text.c, json.c and summary.c */
void text_frame(const packet *p, const decoded *d, FILE *out);
void text_opcode(uint8_t opcode, FILE *out);
void json_frame(const packet *p, const decoded *d, FILE *out);

#define FAILURES_MAX 64

typedef struct summary {
    uint64_t frames, bytes, rocev1, rocev2, cnps, tcp, udp, other;
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
    const decoded *last; /* what each() made of the frame */
    uint64_t shown;
    bool vectors; /* frames are rows of a vector file */
} input;

bool input_read(input *in, const char *path);

#endif /* ROCEDUMP_DECODE_H */

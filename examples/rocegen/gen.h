/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEGEN_GEN_H
#define ROCEGEN_GEN_H

/*
 * gen.h - a frame as a stack of layers, outermost first. Most layers are a library
 * struct, and the tables in rocecc/fields name its members.
 */
#include "../lib/field.h"
#include "rocecc/rocecc.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ROOM 65536u    /* bytes in a frame */
#define NODES_MAX 16   /* telemetry nodes per layer */
#define LAYERS_MAX 48  /* per frame */
#define KEYS_MAX 512   /* per frame */
#define RECORD_MAX 256 /* bytes in any struct of nouns.c, at most */

/* Reports an error in the input, and returns the exit status 1. */
int gen_bad(const char *what, const char *where);

/* Reports an error on the command line, and returns 2. `nearest` may be NULL. */
int gen_usage(const char *what, const char *where, const char *nearest);

/* The first header of a frame. NONE is for a part of a frame. */
typedef enum link_type { LINK_NONE, LINK_ETHER, LINK_IP } link_type;

/* A format, with its name in vector rows. */
typedef struct noun {
    const char *name;
    const field *fields;
    size_t n;
    size_t size;
    rocecc_status (*emit)(rocecc_writer *w, const rocecc_domain *d, const void *record);
} noun;

/* nouns.c: returns a noun by its name, or NULL. */
const noun *noun_find(const char *name);

/*
 * Sets a member. Returns false if the value is invalid or has too many bits for the
 * wire.
 */
bool noun_set(const field *f, void *record, const char *value);

/* Makes the views in a zeroed record empty. */
void noun_clear(const field *f, size_t n, void *record);

/* The name, members and place of a layer. */
struct frame;
typedef struct kind {
    const char *name;
    const char *nouns[4]; /* nouns with its members */
    size_t at[4];         /* their offsets in its struct */
    size_t size;          /* size of its struct; 0 for the noun's size */
    uint16_t type;        /* its EtherType; 0 if none, or if the domain has it */
    int16_t proto;        /* its IP protocol, or -1 */
    bool tunnel;          /* a new packet follows it */
    void (*choose)(struct frame *f, size_t i); /* values besides the defaults */
    rocecc_status (*emit)(struct frame *f, size_t i, rocecc_writer *w); /* or noun's */
    const char *nodes;      /* noun of its nodes, first on the path first */
    const char *nodes_name; /* "nodes", or "ioam.nodes" */
    size_t nodes_at, count_at;
} kind;

extern const kind kinds[];
extern const size_t n_kinds;
const noun *kind_noun(const char *name);
/* Returns a member, or NULL. *offset is the offset of the struct with the member. */
const field *kind_field(const kind *k, const char *name, size_t *offset);
const char *kind_prefix(const kind *k, size_t p); /* prefix of members in nouns[p] */

typedef struct layer {
    const kind *kind;
    unsigned level; /* number of tunnels around it */
    void *record;
    size_t at, end; /* offsets in the frame */
} layer;

/* One key=value. */
typedef struct keyed {
    size_t layer;
    const field *field;
    size_t offset;    /* offset of the field's struct in the layer's struct */
    const char *text; /* NAME=VALUE, as given */
    const char *value;
} keyed;

typedef struct frame {
    const rocecc_domain *domain;
    size_t n, n_keys;
    layer layers[LAYERS_MAX];
    keyed keys[KEYS_MAX];
    size_t without; /* index of a key to ignore, or KEYS_MAX */
    size_t views;   /* keys of kind VIEW; field_set() keeps only VEC_PAIRS */
    size_t bytes;
    uint8_t buffer[ROOM];
} frame;

/*
 * stack.c: adds a layer for a word, or sets a member for a key. Returns an exit status.
 */
int frame_word(frame *f, const char *word);
int frame_key(frame *f, const char *text);

/* Allocates a new record for a layer, and fills it with the layer's defaults. */
void layer_restart(layer *l);

/*
 * Returns true if a key names this member of layer i. A name that ends in a point, such
 * as "flow.", stands for every member that begins with it.
 */
bool frame_given(const frame *f, size_t i, const char *name);

/* compose.c: writes the bytes. Returns an exit status. */
int frame_compose(frame *f);
link_type frame_link(const frame *f);

/* Returns true for an option, which the IPv6 options header before it writes. */
bool layer_is_option(const kind *k);

/* Returns the next layer with bytes of its own, or f->n. */
size_t frame_next(const frame *f, size_t i);

/* Returns true if layer i exists and has this name. */
bool frame_is(const frame *f, size_t i, const char *name);

/* Sets a numeric member. */
void frame_put(frame *f, size_t i, const char *member, uint64_t v);

/* Returns the nearest layer of that name after or before i, at its level, or f->n. */
size_t frame_after(const frame *f, size_t i, const char *name);
size_t frame_before(const frame *f, size_t i, const char *name);

/* Structs of layers without their own struct in nouns.c. */
typedef struct tag_record {
    rocecc_csig csig;
    uint16_t flow_id; /* of a CN-TAG */
    uint16_t type;    /* of the next layer */
} tag_record;

typedef struct options_record { /* for Geneve and GRE */
    union {
        rocecc_geneve geneve;
        rocecc_gre gre;
    } h;
    rocecc_reader options;
} options_record;

typedef struct erspan_record {
    rocecc_erspan h;
    uint32_t index;
} erspan_record;

#define AH_BYTES 12 /* before the ICV */

typedef struct ah_record { /* RFC 4302, 2 */
    uint8_t next_header;
    uint8_t payload_len; /* words of 4 bytes after the first two */
    uint16_t reserved;
    uint32_t spi;
    uint32_t sequence;
    rocecc_reader icv;
} ah_record;

typedef struct payload_record {
    rocecc_reader bytes;
    uint16_t length; /* of the pattern, if no bytes are named */
} payload_record;
size_t payload_length(const payload_record *p);

typedef struct icrc_record {
    uint32_t value;
    rocecc_icrc_rule rule;
} icrc_record;

/* telemetry.c */
#include "../lib/intmd_shown.h"
#include "../lib/ioam_shown.h"

typedef struct ioam_record {
    rocecc_ioam_trace trace;
    uint32_t trace_type; /* in hex, as in JSON */
    uint8_t opt_type;
    size_t count;
    ioam_shown nodes[NODES_MAX];
} ioam_record;

typedef struct fastcnp_record {
    rocecc_fastcnp h;
    ioam_record ioam;
} fastcnp_record;

typedef struct ifa_record {
    rocecc_ifa_header header;
    rocecc_ifa_metadata metadata;
    rocecc_ifa_checksum checksum;
    rocecc_ifa_fragment fragment;
    size_t count;
    rocecc_ifa_node nodes[NODES_MAX];
} ifa_record;

typedef struct intmd_record {
    rocecc_intmd_header header;
    rocecc_intmd_shim shim;
    size_t count;
    intmd_shown nodes[NODES_MAX];
} intmd_record;

void ioam_choose(frame *f, size_t i);
void fastcnp_choose(frame *f, size_t i);
void ifa_choose(frame *f, size_t i);
void intmd_choose(frame *f, size_t i);
rocecc_status opts_emit(frame *f, size_t i, rocecc_writer *w);
rocecc_status ifa_emit(frame *f, size_t i, rocecc_writer *w);
rocecc_status intmd_emit(frame *f, size_t i, rocecc_writer *w);

/*
 * Writes IFA's metadata and nodes after layer i, the L4 header. Writes nothing unless
 * layer i - 1 is IFA without a tail stamp.
 */
rocecc_status ifa_after(frame *f, size_t i, rocecc_writer *w);
size_t ifa_after_bytes(const frame *f, size_t i);

/*
 * Writes all tail stamps after the last layer. Returns UNSUPPORTED if there is one, but
 * the domain has no order for them.
 */
rocecc_status ifa_tails(frame *f, rocecc_writer *w);
size_t ifa_tails_bytes(const frame *f, size_t i); /* for IFA layers after i */

/*
 * choose.c: sets further members. Most depend on other layers, keys or the domain. Keys
 * override them.
 */
void csig_choose(frame *f, size_t i);
void ah_choose(frame *f, size_t i);
void bth_choose(frame *f, size_t i);
void reth_choose(frame *f, size_t i);
void gre_choose(frame *f, size_t i);
void cnp_choose(frame *f, size_t i);
void l3qcn_choose(frame *f, size_t i);
void arn_choose(frame *f, size_t i);
void pfc_choose(frame *f, size_t i);

/* Sets the default values that do not depend on the layer's place. */
void layer_default(layer *l);

/*
 * fill.c: sets lengths and the numbers of next headers, when the offset of each layer
 * is known. The UDP ports, and the EtherTypes of all tags except VLAN and CN-TAG, come
 * from the domain.
 */
void frame_fill(frame *f, size_t i);

/*
 * checks.c: sets the checksum of layer i, if any. frame_icrcs() sets all ICRCs, and
 * returns an exit status.
 */
void frame_checksum(frame *f, size_t i);
int frame_icrcs(frame *f);

/* rows.c: calls `each` with the bytes of each row. Returns an exit status. */
typedef int (*gen_each)(void *arg, const uint8_t *bytes, size_t n, link_type link);
int rows_read(const char *path, const rocecc_domain *d, gen_each each, void *arg);

/* nearest.c: the offered name with the fewest edits. */
typedef struct nearest {
    const char *word;
    size_t distance;
    char name[96];
} nearest;
void nearest_offer(nearest *n, const char *name);
const char *nearest_name(const nearest *n); /* NULL if no name is near */

/* out.c: the destination of frames. */
typedef struct output {
    const char *pcap; /* a path, or NULL */
    const char *send; /* an interface, or NULL */
    uint64_t count, gap_ns;
    bool own_domain; /* --domain or --config has set the domain */
    uint64_t sent;
    link_type link; /* of the first frame */
    void *handle, *dumper;
} output;
int output_frame(void *arg, const uint8_t *bytes, size_t n, link_type link);
int output_close(output *o);

#endif /* ROCEGEN_GEN_H */

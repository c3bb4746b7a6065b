/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEGEN_GEN_H
#define ROCEGEN_GEN_H

/*
 * gen.h - a frame as a stack of layers, outermost first, each a struct of the library
 * whose members the tables of rocecc/fields name.
 */
#include "../lib/field.h"
#include "rocecc/rocecc.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ROOM 65536u    /* of a frame */
#define NODES_MAX 16   /* of telemetry in one layer */
#define LAYERS_MAX 48  /* of a frame */
#define KEYS_MAX 512   /* of a frame */
#define RECORD_MAX 256 /* bytes of the struct of a noun: see nouns.c */

/* Says what is wrong with the input, and gives 1: an exit status. */
int gen_bad(const char *what, const char *where);

/* The same of the command line: 2. What is nearest to it may be NULL. */
int gen_usage(const char *what, const char *where, const char *nearest);

/* How a frame begins; NONE: it is a part of one. */
typedef enum link_type { LINK_NONE, LINK_ETHER, LINK_IP } link_type;

/* A format, as rows of the vectors call it. */
typedef struct noun {
    const char *name;
    const field *fields;
    size_t n;
    size_t size;
    rocecc_status (*emit)(rocecc_writer *w, const rocecc_domain *d, const void *record);
} noun;

/* nouns.c; NULL: no such noun. */
const noun *noun_find(const char *name);

/* Sets a member. False: it has no such value, or more bits than the wire has for it. */
bool noun_set(const field *f, void *record, const char *value);

/* All 0, and empty. */
void noun_clear(const field *f, size_t n, void *record);

/* A layer's name, members and place. */
struct frame;
typedef struct kind {
    const char *name;
    const char *nouns[4]; /* whose members it has */
    size_t at[4];         /* where they stand in its struct */
    size_t size;          /* of its struct; 0: that of the noun */
    uint16_t type;        /* EtherType that says it follows; 0: none, or the domain's */
    int16_t proto;        /* IP protocol; -1: none does */
    bool tunnel;          /* what follows it is a packet of its own */
    void (*choose)(struct frame *f, size_t i); /* what depends on other layers */
    rocecc_status (*emit)(struct frame *f, size_t i, rocecc_writer *w); /* or noun's */
    const char *nodes;      /* the noun of its nodes, the first on the path first */
    const char *nodes_name; /* "nodes", or "ioam.nodes" */
    size_t nodes_at, count_at;
} kind;

extern const kind kinds[];
extern const size_t n_kinds;
const noun *kind_noun(const char *name);
/* A member, and where the struct is that has it; NULL: none is called so. */
const field *kind_field(const kind *k, const char *name, size_t *offset);
const char *kind_prefix(const kind *k, size_t p); /* before members of nouns[p] */

typedef struct layer {
    const kind *kind;
    unsigned level; /* tunnels around it */
    void *record;
    size_t at, end; /* in the frame */
} layer;

/* One key=value. */
typedef struct keyed {
    size_t layer;
    const field *field;
    size_t offset; /* of the struct that has the field, in the layer's */
    const char *value;
} keyed;

typedef struct frame {
    const rocecc_domain *domain;
    size_t n, n_keys;
    layer layers[LAYERS_MAX];
    keyed keys[KEYS_MAX];
    size_t views; /* among the keys: field_set() keeps no more than VEC_PAIRS */
    size_t bytes;
    uint8_t buffer[ROOM];
} frame;

/* stack.c: from words to layers, and from keys to members; an exit status. */
int frame_word(frame *f, const char *word);
int frame_key(frame *f, const char *text);

/* Whether a key names a member of layer i; of "flow.", any that begins so. */
bool frame_given(const frame *f, size_t i, const char *name);

/* compose.c: the bytes; an exit status. */
int frame_compose(frame *f);
link_type frame_link(const frame *f);

/* What has no bytes of its own: an option of the IPv6 header before it. */
bool layer_is_option(const kind *k);

/* The next layer with bytes of its own; f->n: none. */
size_t frame_next(const frame *f, size_t i);

/* Whether layer i is called so; past the last one none is. */
bool frame_is(const frame *f, size_t i, const char *name);

/* Sets a member that is a number. */
void frame_put(frame *f, size_t i, const char *member, uint64_t v);

/* The layer of that name that is next to i: the nearest after it, or before it; f->n:
 * none at its level. */
size_t frame_after(const frame *f, size_t i, const char *name);
size_t frame_before(const frame *f, size_t i, const char *name);

/* Structs of layers that are not a noun's alone. */
typedef struct tag_record {
    rocecc_csig csig;
    uint16_t flow_id; /* of a CN-TAG */
    uint16_t type;    /* of what follows */
} tag_record;

typedef struct options_record { /* of Geneve and GRE */
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
    uint16_t length; /* of a pattern, where no bytes are named */
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
    uint32_t trace_type; /* as JSON has it: in hex */
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

/* What IFA puts after the L4 header of layer i: nothing if no IFA stands before it, or
 * one with a tail stamp. */
rocecc_status ifa_after(frame *f, size_t i, rocecc_writer *w);
size_t ifa_after_bytes(const frame *f, size_t i);

/* Tail stamps go after the last layer. UNSUPPORTED: the domain has no order for them.
 */
rocecc_status ifa_tails(frame *f, rocecc_writer *w);
size_t ifa_tails_bytes(const frame *f, size_t i); /* of the IFA layers after i */

/* choose.c: what depends on other layers, and is no length and no type. Keys that name
 * it are set after it. */
void csig_choose(frame *f, size_t i);
void ah_choose(frame *f, size_t i);
void bth_choose(frame *f, size_t i);
void reth_choose(frame *f, size_t i);
void gre_choose(frame *f, size_t i);
void cnp_choose(frame *f, size_t i);
void l3qcn_choose(frame *f, size_t i);
void arn_choose(frame *f, size_t i);
void pfc_choose(frame *f, size_t i);

/* The members of layer i that are a value of their own wherever it stands. */
void layer_default(layer *l);

/* fill.c: lengths and types, once it is known where each layer is. The EtherTypes of
 * tags and the UDP ports are the domain's. */
void frame_fill(frame *f, size_t i);

/* checks.c: the checksum of layer i, if it has one; the ICRCs, an exit status. */
void frame_checksum(frame *f, size_t i);
int frame_icrcs(frame *f);

/* rows.c: each row of a file; an exit status. */
typedef int (*gen_each)(void *arg, const uint8_t *bytes, size_t n, link_type link);
int rows_read(const char *path, const rocecc_domain *d, gen_each each, void *arg);

/* nearest.c: the one of the names offered that is the least edits away. */
typedef struct nearest {
    const char *word;
    size_t distance;
    char name[96];
} nearest;
void nearest_offer(nearest *n, const char *name);
const char *nearest_name(const nearest *n); /* NULL: none is near */

/* out.c: where frames go. */
typedef struct output {
    const char *pcap; /* a path, or NULL */
    const char *send; /* an interface, or NULL */
    uint64_t count, gap_ns;
    uint64_t sent;
    link_type link; /* of the first frame */
    void *handle, *dumper;
} output;
int output_frame(void *arg, const uint8_t *bytes, size_t n, link_type link);
int output_close(output *o);

#endif /* ROCEGEN_GEN_H */

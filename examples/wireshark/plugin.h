/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef WIRESHARK_PLUGIN_H
#define WIRESHARK_PLUGIN_H

/*
 * plugin.h - rocecc in Wireshark. It shows the layers that rocedump finds as a tree
 * that can be filtered. names.c has the fields, place.c their bit positions, tree.c the
 * tree, asks.c the requests to slow down, prefs.c the preferences, and stat.c the table
 * of flows.
 */
#include "../rocedump/decode.h"

#include <epan/packet.h>
#include <epan/prefs.h>

/* A member in Wireshark. */
typedef struct shown_member {
    int hf;
    unsigned shift; /* bits to the right of it in its last byte */
} shown_member;

/* A kind of layer, with its members and its nodes' members, in table order. */
typedef struct shown_kind {
    const layer_kind *kind;
    const char *prefix; /* "rocecc.bth" */
    int hf, ett;
    shown_member *members;
    int hf_node, ett_node;
    shown_member *node_members;
} shown_kind;

/*
 * Bit position of a member, from the start of its layer or frame. 0 bits: no position,
 * because the value is derived.
 */
typedef struct place {
    size_t at;
    size_t bits;
} place;

/* names.c */
void names_register(int proto);
const shown_kind *names_of(const layer_kind *kind);

/* place.c. Returns a member's place within any layer with this name. */
place place_in_layer(const char *name, const char *member);

/* Returns the place of a layer. layer_end is the bit after the layers before it. */
place place_layer(const decoded *d, const layer *l, size_t layer_end);

/* Returns the place of a member of a layer that starts at bit `start`. */
place place_member(const decoded *d, const layer *l, size_t start, const field *f);

/* Returns the place of node i of a layer. */
place place_node(const decoded *d, const layer *l, size_t i);

/*
 * lsn.c: finds LDCP's header. rocedump does not look for it, because a packet does not
 * show that it has one. The preference "lsn" enables it. Returns false if the packet
 * has none.
 */
extern const layer_kind lsn_kind;
extern gboolean lsn_is_on;
bool lsn_find(const decoded *d, rocecc_lsn *h, size_t *at);

/* tree.c */
void tree_register(int proto);
void tree_frame(const decoded *d, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree);

/* asks.c: returns the node or flow that a layer asks to slow down, or NULL. */
const char *asks(wmem_allocator_t *pool, const decoded *d, const layer *l);

/* prefs.c */
void prefs_start(int proto, settings *c);

/* A captured frame, and the packets that are decoded in it. */
typedef struct dissection {
    packet p;
    decoded d[PACKETS_MAX]; /* the frame comes first */
} dissection;

/* stat.c: the tap "rocecc", and -z rocecc,flows. */
void stat_register(void);
void stat_frame(const dissection *f, packet_info *pinfo);

/* plugin.c */
extern int proto_rocecc;

#endif /* WIRESHARK_PLUGIN_H */

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef WIRESHARK_PLUGIN_H
#define WIRESHARK_PLUGIN_H

/*
 * plugin.h - rocecc in Wireshark: the layers that rocedump finds, as a tree that can be
 * filtered. names.c has the fields, place.c where their bits are, tree.c the tree,
 * asks.c who is asked to slow down, prefs.c the preferences, stat.c the table of flows.
 */
#include "../rocedump/decode.h"

#include <epan/packet.h>
#include <epan/prefs.h>

/* A member in Wireshark. */
typedef struct shown_member {
    int hf;
    unsigned shift; /* how many bits stand to the right of it in its last byte */
} shown_member;

/* A kind of layer: its members, and those of its nodes, in the order of their tables.
 */
typedef struct shown_kind {
    const layer_kind *kind;
    const char *prefix; /* "rocecc.bth" */
    int hf, ett;
    shown_member *members;
    int hf_node, ett_node;
    shown_member *node_members;
} shown_kind;

/* Where the bits of a member are, from the first one of the layer or the frame; 0 bits:
 * nowhere, the value follows from something else. */
typedef struct place {
    size_t at;
    size_t bits;
} place;

/* names.c */
void names_register(int proto);
const shown_kind *names_of(const layer_kind *kind);

/* place.c: of a member in its layer, which is the same in all of them; */
place place_in_layer(const char *name, const char *member);

/* of a layer, where layer_end is the last bit of those before it, and one more; */
place place_layer(const decoded *d, const layer *l, size_t layer_end);

/* of a member of a layer that starts at a bit; */
place place_member(const decoded *d, const layer *l, size_t start, const field *f);

/* of node i of a layer. */
place place_node(const decoded *d, const layer *l, size_t i);

/* lsn.c: LDCP's header, which rocedump does not ask for, since no packet says that it
 * has one: the preference "lsn" says so. False: it has none. */
extern const layer_kind lsn_kind;
extern gboolean lsn_is_on;
bool lsn_find(const decoded *d, rocecc_lsn *h, size_t *at);

/* tree.c */
void tree_register(int proto);
void tree_frame(const decoded *d, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree);

/* asks.c: in words, whom a layer asks to slow down; NULL: it asks nobody. */
const char *asks(wmem_allocator_t *pool, const decoded *d, const layer *l);

/* prefs.c */
void prefs_start(int proto, settings *c);

/* stat.c: the tap "rocecc", and -z rocecc,flows. */
void stat_register(void);
void stat_frame(const decoded *d, packet_info *pinfo);

/* plugin.c */
extern int proto_rocecc;

#endif /* WIRESHARK_PLUGIN_H */

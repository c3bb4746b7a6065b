/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * tree.c - a decoded frame as a tree, with a subtree per layer in the order of "stack",
 * and one for an overlay's packet. Expert infos report problems.
 */
#include "plugin.h"

#include <epan/expert.h>

#include "../lib/vec.h"

static int hf_status = -1, hf_at = -1, hf_inner = -1, hf_asks = -1;
static int ett_frame = -1, ett_inner = -1;
static expert_field ei_asks = EI_INIT, ei_icrc_bad = EI_INIT, ei_icrc_unknown = EI_INIT,
                    ei_format = EI_INIT, ei_short = EI_INIT, ei_unsupported = EI_INIT;

/* Values for all of a frame. */
typedef struct shown {
    tvbuff_t *tvb;
    packet_info *pinfo;
    const decoded *d;
} shown;

/* ---- a member */

/* Computes a place's bytes, or 0 bytes if they are not all captured. */
static void bytes_of(const shown *s, place p, gint *at, gint *n)
{
    const size_t captured = tvb_captured_length(s->tvb);
    const size_t first = p.at / 8, end = (p.at + p.bits + 7) / 8;
    const bool is = p.bits != 0 && end <= captured;
    *at = is ? (gint)first : 0;
    *n = is ? (gint)(end - first) : 0;
}

/* Returns the text of rocedump --json, without quotes. */
static char *text_of(wmem_allocator_t *pool, const field *f, const void *record)
{
    const uint64_t v = field_get(f, record);
    wmem_strbuf_t *text = wmem_strbuf_new(pool, "");
    const char *names = f->names;
    unsigned i;
    for (i = 0; *names != '\0'; i++) {
        const size_t n = strcspn(names, " ");
        const bool is = f->kind == ROCECC_FIELD_ENUM ? v == i : (v >> i & 1) != 0;
        if (is && wmem_strbuf_get_len(text) > 0) wmem_strbuf_append_c(text, '+');
        if (is) wmem_strbuf_append_len(text, names, n);
        names += n + (names[n] == ' ');
    }
    if (wmem_strbuf_get_len(text) == 0 && f->kind == ROCECC_FIELD_SET) return "-";
    return (char *)wmem_strbuf_finalize(text);
}

/* Adds a number, shifted to its place. The field's mask extracts it. */
static proto_item *add_number(const shown *s, proto_tree *tree, shown_member m, place p,
                              const field *f, const void *record)
{
    const uint64_t v = field_get(f, record);
    gint at, n;
    bytes_of(s, p, &at, &n);
    if (f->kind == ROCECC_FIELD_INT && f->size < 8)
        return proto_tree_add_int(tree, m.hf, s->tvb, at, n, (gint32)(int64_t)v);
    if (f->kind == ROCECC_FIELD_INT)
        return proto_tree_add_int64(tree, m.hf, s->tvb, at, n, (gint64)v);
    if (f->size == 8)
        return proto_tree_add_uint64(tree, m.hf, s->tvb, at, n, v << m.shift);
    return proto_tree_add_uint(tree, m.hf, s->tvb, at, n, (guint32)v << m.shift);
}

/* Adds a boolean, unless it is null in JSON. */
static proto_item *add_bool(const shown *s, proto_tree *tree, shown_member m, place p,
                            uint64_t v)
{
    gint at, n;
    if (v > 1) return NULL;
    bytes_of(s, p, &at, &n);
    return proto_tree_add_boolean(tree, m.hf, s->tvb, at, n, (guint32)v << m.shift);
}

/* Adds bytes, if any. */
static proto_item *add_bytes(const shown *s, proto_tree *tree, int hf, place p,
                             const field *f, const void *record)
{
    const uint8_t *b = (const uint8_t *)record + f->offset;
    size_t bytes = f->size;
    rocecc_reader view;
    gint at, n;
    bytes_of(s, p, &at, &n);
    if (f->kind == ROCECC_FIELD_VIEW) {
        memcpy(&view, b, sizeof view);
        bytes = rocecc_left(&view);
        b = rocecc_take(&view, bytes);
    }
    if (bytes == 0) return NULL;
    return proto_tree_add_bytes_with_length(tree, hf, s->tvb, at, n, b, (gint)bytes);
}

static proto_item *add_member(const shown *s, proto_tree *tree, shown_member m, place p,
                              const field *f, const void *record)
{
    const uint8_t *b = (const uint8_t *)record + f->offset;
    ws_in6_addr v6;
    ws_in4_addr v4;
    gint at, n;
    bytes_of(s, p, &at, &n);
    switch (f->kind) {
    case ROCECC_FIELD_BOOL:
        return add_bool(s, tree, m, p, field_get(f, record));
    case ROCECC_FIELD_MAC:
        return proto_tree_add_ether(tree, m.hf, s->tvb, at, n, b);
    case ROCECC_FIELD_IP4:
        memcpy(&v4, b, sizeof v4);
        return proto_tree_add_ipv4(tree, m.hf, s->tvb, at, n, v4);
    case ROCECC_FIELD_IP6:
        memcpy(&v6, b, sizeof v6);
        return proto_tree_add_ipv6(tree, m.hf, s->tvb, at, n, &v6);
    case ROCECC_FIELD_VIEW:
    case ROCECC_FIELD_BYTES:
        return add_bytes(s, tree, m.hf, p, f, record);
    case ROCECC_FIELD_ENUM:
    case ROCECC_FIELD_SET:
        return proto_tree_add_string(tree, m.hf, s->tvb, at, n,
                                     text_of(s->pinfo->pool, f, record));
    default:
        return add_number(s, tree, m, p, f, record);
    }
}

/* ---- a layer */

/* Adds the nodes in path order, as in JSON. */
static void add_nodes(const shown *s, proto_tree *tree, const shown_kind *names,
                      const layer *l)
{
    const node_kind *kind = names->kind->nodes;
    const uint8_t count = *((const uint8_t *)l->record + kind->count);
    const place nowhere = {0, 0};
    size_t i, k;
    for (i = count; i-- > 0;) {
        const void *node = decode_node(kind, l->record, i);
        proto_item *item;
        proto_tree *below;
        gint at, n;
        bytes_of(s, place_node(s->d, l, i), &at, &n);
        item = proto_tree_add_item(tree, names->hf_node, s->tvb, at, n, ENC_NA);
        below = proto_item_add_subtree(item, names->ett_node);
        proto_item_append_text(item, " %u", (unsigned)(count - i));
        for (k = 0; k < kind->n; k++)
            if (decode_has(kind, node, k))
                (void)add_member(s, below, names->node_members[k], nowhere,
                                 &kind->fields[k], node);
    }
}

static proto_item *add_layer(const shown *s, proto_tree *tree, const layer *l,
                             place whole)
{
    const shown_kind *names = names_of(l->kind);
    proto_item *item;
    proto_tree *below;
    gint at, n;
    size_t k;
    bytes_of(s, whole, &at, &n);
    item = proto_tree_add_item(tree, names->hf, s->tvb, at, n, ENC_NA);
    below = proto_item_add_subtree(item, names->ett);
    for (k = 0; k < l->kind->n; k++) {
        const field *f = &l->kind->fields[k];
        (void)add_member(s, below, names->members[k],
                         place_member(s->d, l, whole.at, f), f, l->record);
    }
    if (l->kind->nodes != NULL) add_nodes(s, below, names, l);
    if (l->kind->inner != NULL && l->inner != NULL) {
        const layer inner = {l->kind->inner, l->inner, NULL};
        (void)add_layer(s, below, &inner, place_layer(s->d, &inner, whole.at));
    }
    return item;
}

/* ---- expert infos */

static void say_asks(const shown *s, proto_item *item, const layer *l)
{
    const char *whom = asks(s->pinfo->pool, s->d, l);
    proto_item *said;
    if (whom == NULL) return;
    said = proto_tree_add_string(proto_item_get_subtree(item), hf_asks, s->tvb, 0, 0,
                                 whom);
    proto_item_set_generated(said);
    expert_add_info_format(s->pinfo, item, &ei_asks, "%s", whom);
}

static void say_icrc(const shown *s, proto_item *item)
{
    const icrc_record *h = &s->d->icrc;
    const char *rules = ICRC_RULES;
    unsigned i;
    for (i = h->rule; i > 0; i--)
        rules += strcspn(rules, " ") + 1;
    proto_item_append_text(item, ": %s, rule %.*s",
                           h->ok == CHECK_UNKNOWN ? "unknown"
                           : h->ok == 1           ? "good"
                                                  : "bad",
                           (int)strcspn(rules, " "), rules);
    if (h->ok == 0)
        expert_add_info_format(s->pinfo, item, &ei_icrc_bad,
                               "The ICRC is wrong by rule %.*s: %02x%02x%02x%02x would "
                               "be right",
                               (int)strcspn(rules, " "), rules, h->stored[0],
                               h->stored[1], h->stored[2], h->stored[3]);
    if (h->ok == CHECK_UNKNOWN) expert_add_info(s->pinfo, item, &ei_icrc_unknown);
}

static void say_status(const shown *s, proto_tree *tree, proto_item *item)
{
    const decoded *d = s->d;
    proto_item *at;
    (void)proto_tree_add_string(tree, hf_status, s->tvb, 0, 0,
                                vec_status_name(d->status));
    if (d->status == ROCECC_OK) return;
    at = proto_tree_add_string(tree, hf_at, s->tvb, 0, 0, d->at);
    proto_item_append_text(item, ", %s at %s", vec_status_name(d->status), d->at);
    expert_add_info(s->pinfo, at,
                    d->status == ROCECC_ERR_SHORT    ? &ei_short
                    : d->status == ROCECC_ERR_FORMAT ? &ei_format
                                                     : &ei_unsupported);
}

/* ---- a packet, and its inner packets */

static void add_lsn(const shown *s, proto_tree *tree)
{
    static rocecc_lsn h;
    const layer l = {&lsn_kind, &h, NULL};
    size_t at;
    if (lsn_find(s->d, &h, &at))
        (void)add_layer(s, tree, &l, place_layer(s->d, &l, 8 * at));
}

static void add_packet(shown *s, proto_tree *tree, proto_item *item)
{
    const decoded *d = s->d;
    size_t i, end = 8 * d->p.bytes.at;
    for (i = 0; i < d->n; i++) {
        const layer *l = &d->layers[i];
        const place whole = place_layer(d, l, end);
        proto_item *added = add_layer(s, tree, l, whole);
        if (whole.at + whole.bits > end) end = whole.at + whole.bits;
        proto_item_append_text(item, "%s%s", i == 0 ? ": " : " ", l->kind->name);
        if (l->record == &d->icrc) say_icrc(s, added);
        say_asks(s, added, l);
    }
    add_lsn(s, tree);
    say_status(s, tree, item);
}

void tree_frame(const decoded *d, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    shown s = {tvb, pinfo, d};
    proto_item *item = proto_tree_add_item(tree, proto_rocecc, tvb, 0, -1, ENC_NA);
    tree = proto_item_add_subtree(item, ett_frame);
    for (;;) {
        add_packet(&s, tree, item);
        s.d = s.d->inner;
        if (s.d == NULL) return;
        item = proto_tree_add_item(tree, hf_inner, tvb, 0, 0, ENC_NA);
        tree = proto_item_add_subtree(item, ett_inner);
    }
}

void tree_register(int proto)
{
    static hf_register_info own[] = {
        {&hf_status,
         {"status", "rocecc.status", FT_STRING, BASE_NONE, NULL, 0,
          "ok, or why the layers end", HFILL}},
        {&hf_at,
         {"at", "rocecc.at", FT_STRING, BASE_NONE, NULL, 0, "the layer that failed",
          HFILL}},
        {&hf_inner,
         {"inner", "rocecc.inner", FT_NONE, BASE_NONE, NULL, 0,
          "the packet in an overlay or a mirror session", HFILL}},
        {&hf_asks,
         {"asks", "rocecc.asks", FT_STRING, BASE_NONE, NULL, 0,
          "whom the packet asks to slow down", HFILL}}};
    static gint *const subtrees[] = {&ett_frame, &ett_inner};
    static ei_register_info experts[] = {
        {&ei_asks,
         {"rocecc.asks.expert", PI_SEQUENCE, PI_WARN, "somebody is to slow down",
          EXPFILL}},
        {&ei_icrc_bad,
         {"rocecc.icrc.bad", PI_CHECKSUM, PI_ERROR, "the ICRC is wrong", EXPFILL}},
        {&ei_icrc_unknown,
         {"rocecc.icrc.unknown", PI_CHECKSUM, PI_CHAT,
          "the ICRC cannot be checked, or is not to be", EXPFILL}},
        {&ei_format,
         {"rocecc.format", PI_PROTOCOL, PI_WARN, "the bytes contradict the format",
          EXPFILL}},
        {&ei_short,
         {"rocecc.short", PI_UNDECODED, PI_NOTE, "the capture ends inside", EXPFILL}},
        {&ei_unsupported,
         {"rocecc.unsupported", PI_UNDECODED, PI_NOTE,
          "well-formed, but not looked into", EXPFILL}}};
    proto_register_field_array(proto, own, (int)COUNT(own));
    proto_register_subtree_array(subtrees, (int)COUNT(subtrees));
    expert_register_field_array(expert_register_protocol(proto), experts,
                                (int)COUNT(experts));
}

/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * names.c - registers a Wireshark field for each member of each kind of layer:
 * rocecc.<layer>.<member>, and rocecc.<layer>.nodes.<member> for nodes.
 */
#include "plugin.h"

#define KINDS_MAX 96

static shown_kind kinds[KINDS_MAX];
static size_t n_kinds;
static GArray *fields; /* hf_register_info, kept by Wireshark */
static GArray *trees;  /* gint * */

/*
 * Returns a member's filter name. A layer's array has one name, rocecc.pfc.quanta for
 * quanta[1]. In a node each element may be missing, so undefined[1] is
 * rocecc.ioam.nodes.undefined1.
 */
static char *abbreviation(const char *prefix, const char *name, bool of_node)
{
    const size_t stem = strcspn(name, "[");
    const char *index = of_node && name[stem] != '\0' ? name + stem + 1 : "";
    return g_strdup_printf("%s.%.*s%.*s", prefix, (int)stem, name,
                           (int)strcspn(index, "]"), index);
}

/* Wireshark's properties of a value. */
typedef struct shape {
    enum ftenum type;
    int display;
    guint64 mask;   /* 0: the member has whole bytes */
    unsigned shift; /* bits to the right of the member */
} shape;

static enum ftenum uint_type(size_t bytes)
{
    return bytes == 1   ? FT_UINT8
           : bytes == 2 ? FT_UINT16
           : bytes == 3 ? FT_UINT24
           : bytes == 4 ? FT_UINT32
                        : FT_UINT64;
}

static enum ftenum int_type(size_t bytes)
{
    return bytes == 1   ? FT_INT8
           : bytes == 2 ? FT_INT16
           : bytes == 4 ? FT_INT32
                        : FT_INT64;
}

/* Returns the shape of a number or a boolean, with some bits or whole bytes. */
static shape number_shape(const field *f, place is)
{
    const bool part = is.at % 8 != 0 || is.bits % 8 != 0;
    const size_t bytes = part ? (is.at % 8 + is.bits + 7) / 8 : f->size;
    shape s = {uint_type(bytes), BASE_DEC_HEX, 0, 0};
    if (part) {
        s.shift = (unsigned)(8 * bytes - is.at % 8 - is.bits);
        s.mask = ((UINT64_C(1) << is.bits) - 1) << s.shift;
    }
    if (f->kind == ROCECC_FIELD_BOOL) {
        s.type = FT_BOOLEAN;
        s.display = part ? (int)(8 * bytes) : BASE_NONE;
    }
    return s;
}

static shape shape_of(const field *f, place is)
{
    shape s = {FT_BYTES, BASE_NONE, 0, 0}; /* for VIEW and BYTES */
    switch (f->kind) {
    case ROCECC_FIELD_UINT:
    case ROCECC_FIELD_BOOL:
        return number_shape(f, is);
    case ROCECC_FIELD_INT:
        s.type = int_type(f->size);
        s.display = BASE_DEC;
        break;
    case ROCECC_FIELD_HEX:
        s.type = FT_UINT64;
        s.display = BASE_HEX;
        break;
    case ROCECC_FIELD_ENUM:
    case ROCECC_FIELD_SET:
        s.type = FT_STRING;
        break;
    case ROCECC_FIELD_MAC:
        s.type = FT_ETHER;
        break;
    case ROCECC_FIELD_IP4:
        s.type = FT_IPv4;
        break;
    case ROCECC_FIELD_IP6:
        s.type = FT_IPv6;
        break;
    default:
        break;
    }
    return s;
}

static void add(int *id, char *name, char *abbrev, shape s, char *about)
{
    const hf_register_info one = {
        id, {name, abbrev, s.type, s.display, NULL, s.mask, about, HFILL}};
    *id = -1;
    g_array_append_val(fields, one);
}

static void add_tree(int *id)
{
    *id = -1;
    g_array_append_val(trees, id);
}

/* Returns true if a member is in an array, but not its first element. */
static bool shares(const field *f)
{
    return strchr(f->name, '[') != NULL && strstr(f->name, "[0]") == NULL;
}

static void add_member(const char *prefix, const char *of, const field *f,
                       shown_member *m)
{
    const place nowhere = {0, 0};
    const place is = of != NULL ? place_in_layer(of, f->name) : nowhere;
    const shape s = shape_of(f, is);
    const char *unit = f->unit[0] != '\0' ? ", in " : "";
    m->shift = s.shift;
    if (of != NULL && shares(f)) return;
    add(&m->hf,
        g_strndup(f->name, of != NULL ? strcspn(f->name, "[") : strlen(f->name)),
        abbreviation(prefix, f->name, of == NULL), s,
        f->about[0] == '\0' ? NULL
                            : g_strdup_printf("%s%s%s", f->about, unit, f->unit));
}

/*
 * Adds the members of a layer, or of its nodes if `of` is NULL. Nodes have no places.
 */
static shown_member *add_members(const char *prefix, const char *of, const field *f,
                                 size_t n)
{
    shown_member *all = g_new0(shown_member, n);
    size_t i;
    for (i = 0; i < n; i++)
        add_member(prefix, of, &f[i], &all[i]);
    return all;
}

static void add_kind(const layer_kind *kind, const char *above)
{
    const shape none = {FT_NONE, BASE_NONE, 0, 0};
    shown_kind *s = &kinds[n_kinds++];
    s->kind = kind;
    s->prefix = g_strdup_printf("%s.%s", above, kind->name);
    add(&s->hf, g_strdup(kind->name), g_strdup(s->prefix), none, NULL);
    add_tree(&s->ett);
    s->members = add_members(s->prefix, kind->name, kind->fields, kind->n);
    if (kind->nodes != NULL) {
        char *prefix = g_strdup_printf("%s.nodes", s->prefix);
        add(&s->hf_node, g_strdup("node"), prefix, none,
            g_strdup("what one node of the path has reported"));
        add_tree(&s->ett_node);
        s->node_members =
            add_members(prefix, NULL, kind->nodes->fields, kind->nodes->n);
    }
}

const shown_kind *names_of(const layer_kind *kind)
{
    size_t i;
    for (i = 0; i < n_kinds; i++)
        if (kinds[i].kind == kind) return &kinds[i];
    return NULL;
}

/* Copies ids within arrays. The first member's id is unknown until registration. */
static void share_ids(const shown_kind *s)
{
    size_t i;
    for (i = 1; i < s->kind->n; i++)
        if (shares(&s->kind->fields[i])) s->members[i].hf = s->members[i - 1].hf;
}

void names_register(int proto)
{
    const layer_kind *kind;
    size_t i;
    fields = g_array_new(FALSE, FALSE, sizeof(hf_register_info));
    trees = g_array_new(FALSE, FALSE, sizeof(gint *));
    for (i = 0; (kind = decode_kind(i)) != NULL; i++)
        add_kind(kind, "rocecc");
    for (i = 0; (kind = decode_kind(i)) != NULL; i++)
        if (kind->inner != NULL && names_of(kind->inner) == NULL)
            add_kind(kind->inner, names_of(kind)->prefix);
    add_kind(&lsn_kind, "rocecc");
    proto_register_field_array(proto, (hf_register_info *)(void *)fields->data,
                               (int)fields->len);
    proto_register_subtree_array((gint *const *)(void *)trees->data, (int)trees->len);
    for (i = 0; i < n_kinds; i++)
        share_ids(&kinds[i]);
}

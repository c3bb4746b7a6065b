/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include "network_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "field.h"
#include "network.h"

#define MEMBERS_MAX 128
#define BLANKS " \t\r"
#define FIRST_WORDS "# The domain of a network"

/* ---- reading */

typedef struct reading {
    const char *tool, *path;
    FILE *file;       /* or NULL, to read the text */
    const char *left; /* the rest of the text, n_left bytes */
    size_t n_left;
    unsigned line;
    size_t bytes; /* bytes read so far */
    char text[NETWORK_LINE_MAX_BYTES + 1];
    bool end;
    bool named[MEMBERS_MAX]; /* index: as in network_member() */
} reading;

/* Returns the words of a message that tell a comment from a whole file. */
static const char *part(const reading *r)
{
    return r->file == NULL ? "comment: " : "";
}

/* Prints a reason. Control characters of the file do not reach the terminal. */
static bool bad(const reading *r, const char *text, const char *why)
{
    size_t i;
    fprintf(stderr, "%s: %s: %sline %u: ", r->tool, r->path, part(r), r->line);
    for (i = 0; text[i] != '\0'; i++)
        fputc(text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?', stderr);
    fprintf(stderr, "%s%s\n", i != 0 ? ": " : "", why);
    return false;
}

/* Prints the system's error for a file. */
static bool fails(const char *tool, const char *path)
{
    fprintf(stderr, "%s: %s: %s\n", tool, path, strerror(errno));
    return false;
}

/* Returns the next byte, or EOF. */
static int next(reading *r)
{
    if (r->file != NULL) return getc(r->file);
    if (r->n_left == 0) return EOF;
    r->n_left--;
    return (unsigned char)*r->left++;
}

/* Reads a line into text, without its end. */
static bool read_line(reading *r)
{
    size_t n = 0;
    int c;
    r->line++;
    while ((c = next(r)) != EOF && c != '\n') {
        if (c == '\0') return bad(r, "", "the line contains a NUL byte");
        if (n == NETWORK_LINE_MAX_BYTES)
            return bad(r, "", "the line is longer than 255 bytes");
        r->text[n++] = (char)c;
        if (++r->bytes > NETWORK_FILE_MAX_BYTES) break;
    }
    r->text[n] = '\0';
    r->end = c == EOF;
    if (c == '\n') r->bytes++;
    if (r->bytes > NETWORK_FILE_MAX_BYTES)
        return bad(r, "", "the file is longer than 65536 bytes");
    if (r->file == NULL || !ferror(r->file)) return true;
    return fails(r->tool, r->path);
}

/* Returns the number of the member with this name, or MEMBERS_MAX. */
static size_t member_of(const rocecc_domain *d, const char *name)
{
    const rocecc_field *f;
    const char *group;
    const void *record;
    size_t i;
    for (i = 0; i < MEMBERS_MAX; i++) {
        size_t n;
        f = network_member(d, i, &group, &record);
        if (f == NULL) break;
        n = strlen(group);
        if (strncmp(name, group, n) == 0 && strcmp(name + n, f->name) == 0) return i;
    }
    return MEMBERS_MAX;
}

/* Applies the line to the domain. */
static bool take_line(reading *r, rocecc_domain *d)
{
    char *name = r->text + strspn(r->text, BLANKS), *value;
    size_t n = strlen(name), i;
    const char *group;
    const void *record;
    while (n > 0 && strchr(BLANKS, name[n - 1]) != NULL)
        name[--n] = '\0';
    if (name[0] == '\0' || name[0] == '#') return true;
    value = strchr(name, '=');
    if (value == NULL) return bad(r, name, "expected NAME=VALUE");
    *value++ = '\0';
    i = member_of(d, name);
    if (i == MEMBERS_MAX)
        return bad(r, name, "unknown member; rocedump --help lists the members");
    if (r->named[i]) return bad(r, name, "the file sets this member twice");
    r->named[i] = true;
    if (network_set(d, name, value)) return true;
    value[-1] = '=';
    return bad(r, name, field_expected(network_member(d, i, &group, &record)));
}

static bool read_all(reading *r, rocecc_domain *d)
{
    const char *why;
    while (!r->end)
        if (!read_line(r) || !take_line(r, d)) return false;
    why = network_refused(d);
    if (why != NULL) fprintf(stderr, "%s: %s: %s%s\n", r->tool, r->path, part(r), why);
    return why == NULL;
}

bool network_read(rocecc_domain *domain, const char *path, const char *tool)
{
    rocecc_domain d = ROCECC_ZERO;
    reading r;
    bool fine;
    memset(&r, 0, sizeof r);
    r.tool = tool;
    r.path = path;
    r.file = fopen(path, "rb");
    if (r.file == NULL) return fails(tool, path);
    fine = read_all(&r, &d);
    (void)fclose(r.file);
    if (fine) *domain = d;
    return fine;
}

bool network_take(rocecc_domain *domain, const char *text, size_t n, const char *path,
                  const char *tool)
{
    rocecc_domain d = ROCECC_ZERO;
    reading r;
    memset(&r, 0, sizeof r);
    r.tool = tool;
    r.path = path;
    r.left = text;
    r.n_left = n;
    if (!read_all(&r, &d)) return false;
    *domain = d;
    return true;
}

bool network_is_file(const char *text, size_t n)
{
    const size_t words = sizeof FIRST_WORDS - 1;
    return n >= words && memcmp(text, FIRST_WORDS, words) == 0;
}

/* ---- writing */

void network_write(const rocecc_domain *domain, FILE *file)
{
    static const uint8_t zeros[16] = {0};
    const rocecc_field *f;
    const char *group;
    const void *record;
    size_t i;
    fputs(FIRST_WORDS ", one NAME=VALUE per line. All other members are "
                      "0.\n",
          file);
    for (i = 0; (f = network_member(domain, i, &group, &record)) != NULL; i++) {
        if (memcmp((const char *)record + f->offset, zeros, f->size) == 0) continue;
        fprintf(file, "%s%s=", group, f->name);
        field_print(f, record, file);
        fputc('\n', file);
    }
}

/* Prints the reason why an operation on a file failed. Returns false. */
static bool not_done(const char *tool, const char *path, const char *what)
{
    fprintf(stderr, "%s: %s cannot be %s: %s\n", tool, path, what, strerror(errno));
    return false;
}

bool network_beside(const rocecc_domain *domain, const char *capture, const char *tool)
{
    char path[4096];
    struct stat is;
    FILE *file;
    bool fine;
    if (stat(capture, &is) != 0 || !S_ISREG(is.st_mode)) return true;
    if (snprintf(path, sizeof path, "%s.domain", capture) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return not_done(tool, capture, "extended by .domain");
    }
    file = fopen(path, "w");
    if (file == NULL) return not_done(tool, path, "created");
    network_write(domain, file);
    fine = fflush(file) == 0 && !ferror(file);
    if (!fine) (void)not_done(tool, path, "written");
    (void)fclose(file);
    return fine;
}

/* ---- reasons for a refusal */

static char reason[160];

/* Joins one or two names and the reason. */
static const char *say(const char *a, const char *b, const char *why)
{
    (void)snprintf(reason, sizeof reason, "%s%s%s%s", a, b != NULL ? " and " : "",
                   b != NULL ? b : "", why);
    return reason;
}

static const char *types_refused(const rocecc_domain *d)
{
    static const char *const names[] = {"csig.compact_tpid", "csig.wide_tpid",
                                        "tag.vlan_tpid",     "tag.etag_type",
                                        "tag.vntag_type",    "tag.arista_type"};
    const uint16_t types[] = {d->csig.compact_tpid, d->csig.wide_tpid,
                              d->tag.vlan_tpid,     d->tag.etag_type,
                              d->tag.vntag_type,    d->tag.arista_type};
    size_t i, k;
    for (i = 0; i < 6; i++) {
        if (types[i] == 0) continue;
        if (rocecc_domain_type_is_taken_(types[i]))
            return say(names[i], NULL,
                       " is a length or the EtherType of another header");
        for (k = 0; k < i; k++)
            if (types[i] == types[k])
                return say(names[k], names[i], " are the same EtherType");
    }
    return NULL;
}

static const char *const overlay_names[] = {
    "overlay.vxlan_port",  "overlay.vxlan_port_2", "overlay.vxlan_gpe_port",
    "overlay.geneve_port", "overlay.mpls_port",    "overlay.gre_port"};

static uint16_t overlay_port(const rocecc_overlay_config *c, size_t i)
{
    const uint16_t ports[] = {c->vxlan_port,  c->vxlan_port_2, c->vxlan_gpe_port,
                              c->geneve_port, c->mpls_port,    c->gre_port};
    return ports[i];
}

static const char *overlay_refused(const rocecc_domain *d)
{
    const rocecc_overlay_config *c = &d->overlay;
    size_t i, k;
    for (i = 0; i < 6; i++) {
        if (overlay_port(c, i) == 0) continue;
        if (!c->own_ports)
            return say(overlay_names[i], NULL, " needs overlay.own_ports=1");
        for (k = 0; k < i; k++)
            if (overlay_port(c, i) == overlay_port(c, k) &&
                i != 1) /* may equal vxlan_port */
                return say(overlay_names[k], overlay_names[i],
                           " are the same UDP port");
    }
    return NULL;
}

static const char *ifa_refused(const rocecc_domain *d)
{
    switch (rocecc_ifa_init(&d->ifa)) {
    case ROCECC_IFA_REFUSED_OFF:
        return say("ifa.layout_a", "ifa.layout_b", " are 0, but ifa.protocol is not");
    case ROCECC_IFA_REFUSED_LAYOUT:
        return say("ifa.layout_a", "ifa.layout_b", " have a bit in common");
    case ROCECC_IFA_REFUSED_GNS:
        return say("ifa.gns_a", "ifa.gns_b",
                   " have a bit in common, or one has bit 15");
    case ROCECC_IFA_REFUSED_PROTOCOL:
        return say("ifa.protocol", NULL, " is the protocol number of another header");
    default:
        return say("ifa.checksum", "ifa.tail", " have an unknown value");
    }
}

static const char *fastcnp_refused(const rocecc_domain *d)
{
    const bool ioam =
        rocecc_fastcnp_check_(d->fastcnp.type_plain) == ROCECC_FASTCNP_ACCEPTED;
    const char *name = ioam ? "fastcnp.type_ioam" : "fastcnp.type_plain";
    switch (rocecc_fastcnp_init(&d->fastcnp)) {
    case ROCECC_FASTCNP_REFUSED_ACT:
        return say(name, NULL,
                   " does not ask for an ICMPv6 message: its high bits must be 10");
    case ROCECC_FASTCNP_REFUSED_CHG:
        return say(name, NULL, " may change on the path: its third bit must be 0");
    case ROCECC_FASTCNP_REFUSED_ASSIGNED:
        return say(name, NULL, " is the type of another option");
    case ROCECC_FASTCNP_REFUSED_SAME:
        return say("fastcnp.type_plain", "fastcnp.type_ioam", " are the same");
    default:
        return say("fastcnp.form", NULL, " is an unknown form");
    }
}

static const char *ports_refused(const rocecc_domain *d)
{
    static const char *const names[] = {"rocev2_port", "intmd.udp_port", "l3qcn.port",
                                        "arn.port", "sflow_port"};
    const uint16_t ports[] = {rocecc_domain_rocev2_port(d), d->intmd.udp_port,
                              d->l3qcn.port, d->arn.port, d->sflow_port};
    size_t i, k;
    for (i = 0; i < 5; i++) {
        for (k = 0; k < 6; k++)
            if (d->overlay.own_ports && ports[i] != 0 &&
                ports[i] == overlay_port(&d->overlay, k))
                return say(names[i], overlay_names[k], " are the same UDP port");
        if (rocecc_overlay_lookup(&d->overlay, ports[i]) != ROCECC_TUNNEL_NONE)
            return say(names[i], NULL, " is the UDP port of an overlay");
        for (k = 0; k < i; k++)
            if (ports[i] != 0 && ports[i] == ports[k])
                return say(names[k], names[i], " are the same UDP port");
    }
    return NULL;
}

static const char *arn_refused(const rocecc_domain *d)
{
    switch (rocecc_arn_init(&d->arn)) {
    case ROCECC_ARN_REFUSED_FAMILY:
        return say("arn.family", NULL, " must be 0, 4 or 6");
    case ROCECC_ARN_REFUSED_TAIL:
        return say("arn.tail_unknown", NULL,
                   " needs arn.bit_order=msb or arn.bit_order=lsb");
    default:
        return say("arn.bit_order, arn.layout", "arn.priority",
                   " have an unknown value");
    }
}

const char *network_refused(const rocecc_domain *domain)
{
    switch (rocecc_domain_init(domain)) {
    case ROCECC_DOMAIN_ACCEPTED:
        return NULL;
    case ROCECC_DOMAIN_REFUSED_LINK:
        return say("link", NULL, " is an unknown link type");
    case ROCECC_DOMAIN_REFUSED_CSIG:
    case ROCECC_DOMAIN_REFUSED_TYPE:
        return types_refused(domain);
    case ROCECC_DOMAIN_REFUSED_IFA:
        return ifa_refused(domain);
    case ROCECC_DOMAIN_REFUSED_FASTCNP:
        return fastcnp_refused(domain);
    case ROCECC_DOMAIN_REFUSED_L3QCN:
        return say("l3qcn.port", NULL, " is the UDP port of RoCEv2");
    case ROCECC_DOMAIN_REFUSED_DSCP:
        return say("intmd.dscp_mask", NULL, " has more than 6 bits");
    case ROCECC_DOMAIN_REFUSED_PROTOCOL:
        return say("ifa.protocol", NULL, " is the protocol number of a tunnel");
    case ROCECC_DOMAIN_REFUSED_PORT:
        return ports_refused(domain);
    case ROCECC_DOMAIN_REFUSED_ARN:
        return arn_refused(domain);
    case ROCECC_DOMAIN_REFUSED_OVERLAY:
        return overlay_refused(domain);
    default:
        return say("roce.echo_bytes", NULL, " must be 0, or from 8 to 1024");
    }
}

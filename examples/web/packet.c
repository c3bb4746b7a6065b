/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * packet.c - converts a frame to its layers, as in "rocedump --json". The page calls
 * these few functions, and has no table of formats of its own.
 */
#include <string.h>

#include "../lib/network.h"
#include "../lib/network_file.h"
#include "../rocedump/decode.h"

#define ROOM_BYTES 262144 /* maximum frame */
#define TEXT_BYTES 2097152

#define WEB(name) __attribute__((export_name(#name)))

size_t web_write(const void *restrict b, size_t size, size_t n, FILE *restrict file);

static uint8_t room[ROOM_BYTES];
static char text[TEXT_BYTES];
static size_t text_n;
static settings config; /* all 0 but the domain */

/* Stores the output of a sink. sink.c is built with this name instead of fwrite. */
size_t web_write(const void *restrict b, size_t size, size_t n, FILE *restrict file)
{
    const size_t some = (size_t)rocecc_min(size * n, TEXT_BYTES - text_n);
    (void)file;
    memcpy(text + text_n, b, some);
    text_n += some;
    return n;
}

/* Stubs for json.c, which can also write a role's verdict. */
const judge_members *judge_members_of(const judged *is)
{
    (void)is;
    return NULL;
}

bool judge_has(const judged *is, const field *f)
{
    (void)is;
    (void)f;
    return false;
}

void judge_verdict(const judged *is, FILE *out)
{
    (void)is;
    (void)out;
}

void web_clear(void);
uint32_t web_written(void);

/* Also called by settings.c, for the same text. */
void web_clear(void)
{
    text_n = 0;
}

uint32_t web_written(void)
{
    return (uint32_t)text_n;
}

/* The place where the page puts a frame, and its size. */
WEB(room)
uint8_t *web_room(void)
{
    return room;
}

WEB(room_bytes) uint32_t web_room_bytes(void)
{
    return ROOM_BYTES;
}

/* Returns the text that was last written. */
WEB(text) const char *web_text(void)
{
    return text;
}

/* Returns true if frames of a capture's link type can be read. */
WEB(link_known) uint32_t web_link_known(uint32_t link)
{
    return link_known(link);
}

/* Clears the domain. If `preset` is set, applies the page's defaults. */
WEB(domain_start) void web_domain_start(bool preset)
{
    const rocecc_domain off = ROCECC_ZERO;
    config.domain = off;
    if (!preset) return;
    network_default(&config.domain);
    config.domain.tag.vlan_tpid = 0; /* 1 bit from CSIG's, and bits are inverted */
}

/* Writes a line and the reason why it is refused to the text. Returns its length. */
static uint32_t refuse(const char *line, const char *why)
{
    static sink to;
    web_clear();
    sink_start(&to, NULL);
    sink_text(&to, line);
    sink_text(&to, line[0] != '\0' ? ": " : "");
    sink_text(&to, why);
    sink_flush(&to);
    return web_written();
}

/*
 * Sets a member of the domain from NAME=VALUE in the room, which ends with a NUL.
 * Returns 0, or the length of the text with the reason if the line is refused.
 */
WEB(domain_line)
uint32_t web_domain_line(void)
{
    char *name = (char *)room, *value = strchr(name, '=');
    const field *f;
    if (value == NULL) return refuse(name, "expected NAME=VALUE");
    *value++ = '\0';
    f = network_field(name);
    if (f == NULL) return refuse(name, "unknown member");
    if (network_set(&config.domain, name, value)) return 0;
    value[-1] = '=';
    return refuse(name, field_expected(f));
}

/* Returns 0, or the length of the text with the reason if the domain is refused. */
WEB(domain_refused)
uint32_t web_domain_refused(void)
{
    const char *why = network_refused(&config.domain);
    return why != NULL ? refuse("", why) : 0;
}

static packet packet_of(uint32_t link, uint32_t number, uint64_t time_ns, uint32_t len,
                        uint32_t caplen, uint32_t iface)
{
    const bool ip_first = config.domain.link == ROCECC_LINK_IP && link == LINK_ETHERNET;
    packet p;
    p.number = number;
    p.time_ns = time_ns;
    p.len = len;
    p.iface = iface;
    p.bytes = rocecc_reader_of(room, room + (size_t)rocecc_min(caplen, ROOM_BYTES));
    p.link = link_of(ip_first ? LINK_RAW : link, &p.bytes);
    p.id = p.source = NULL;
    return p;
}

/* Writes the frame in the room as JSON to the text. Returns the text's length. */
WEB(decode)
uint32_t web_decode(uint32_t link, uint32_t number, uint64_t time_ns, uint32_t len,
                    uint32_t caplen, uint32_t iface)
{
    static decoded levels[PACKETS_MAX];
    const packet p = packet_of(link, number, time_ns, len, caplen, iface);
    text_n = 0;
    decode(&config, &p, levels);
    json_frame(&p, levels, NULL);
    return (uint32_t)text_n;
}

static void quoted(sink *to, const char *before, const char *words)
{
    sink_text(to, before);
    sink_char(to, '"');
    sink_text(to, words);
    sink_char(to, '"');
}

static void write_fields(sink *to, const char *before, const field *f, size_t n)
{
    size_t i;
    sink_text(to, before);
    for (i = 0; i < n; i++) {
        quoted(to, i == 0 ? "{\"name\":" : ",{\"name\":", f[i].name);
        quoted(to, ",\"unit\":", f[i].unit);
        quoted(to, ",\"about\":", f[i].about);
        sink_text(to, ",\"bits\":");
        sink_decimal(to, f[i].bits);
        sink_char(to, '}');
    }
    sink_char(to, ']');
}

/* Writes the members in each layer's tables as JSON to the text. Returns its length. */
WEB(kinds) uint32_t web_kinds(void)
{
    static sink to;
    const layer_kind *kind;
    size_t i;
    web_clear();
    sink_start(&to, NULL);
    for (i = 0; (kind = decode_kind(i)) != NULL; i++) {
        quoted(&to, i == 0 ? "[{\"name\":" : ",{\"name\":", kind->name);
        write_fields(&to, ",\"fields\":[", kind->fields, kind->n);
        if (kind->nodes != NULL)
            write_fields(&to, ",\"nodes\":[", kind->nodes->fields, kind->nodes->n);
        if (kind->inner != NULL)
            write_fields(&to, ",\"inner\":[", kind->inner->fields, kind->inner->n);
        sink_char(&to, '}');
    }
    sink_char(&to, ']');
    sink_flush(&to);
    return web_written();
}

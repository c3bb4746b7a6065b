/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * schema.c - the JSON schema of --json, from the tables of json.c. Each member is a
 * property. Objects are closed, so an unknown member is an error.
 */
#include "schema.h"

#include <string.h>

#include "decode.h"

/* ---- members */

/* Prints a list of names with quotes and separators. */
static void names(const char *list, const char *before, const char *between, FILE *out)
{
    for (; *list != '\0'; list += strspn(list, " ")) {
        const size_t n = strcspn(list, " ");
        fprintf(out, "%s%.*s%s", before, (int)n, list, before);
        list += n;
        if (*list != '\0') fputs(between, out);
    }
}

static void number(const field *f, FILE *out)
{
    const int bits = f->bits != 0 ? f->bits : (int)(8 * f->size);
    fputs("\"type\":\"integer\"", out);
    if (f->kind == ROCECC_FIELD_UINT && bits < 64)
        fprintf(out, ",\"minimum\":0,\"maximum\":%llu",
                (unsigned long long)((UINT64_C(1) << bits) - 1));
}

static void type(const field *f, FILE *out)
{
    switch (f->kind) {
    case ROCECC_FIELD_UINT:
    case ROCECC_FIELD_INT:
        number(f, out);
        break;
    case ROCECC_FIELD_BOOL: /* "ok" is null if nothing was compared */
        fputs(strcmp(f->name, "ok") == 0 ? "\"type\":[\"boolean\",\"null\"]"
                                         : "\"type\":\"boolean\"",
              out);
        break;
    case ROCECC_FIELD_ENUM:
        fputs("\"enum\":[", out);
        names(f->names, "\"", ",", out);
        putc(']', out);
        break;
    case ROCECC_FIELD_SET:
        fputs("\"type\":\"string\",\"pattern\":\"^(-|((", out);
        names(f->names, "", "|", out);
        fputs(")\\\\+?)+)$\"", out);
        break;
    case ROCECC_FIELD_HEX:
        fputs("\"type\":\"string\",\"pattern\":\"^[0-9a-f]{16}$\"", out);
        break;
    case ROCECC_FIELD_MAC:
        fputs("\"type\":\"string\",\"pattern\":\"^([0-9a-f]{2}:){5}[0-9a-f]{2}$\"",
              out);
        break;
    case ROCECC_FIELD_IP4:
        fputs("\"type\":\"string\",\"pattern\":\"^([0-9]{1,3}\\\\.){3}[0-9]{1,3}$\"",
              out);
        break;
    case ROCECC_FIELD_IP6:
        fputs("\"type\":\"string\",\"pattern\":\"^[0-9a-f:.]{2,45}$\"", out);
        break;
    case ROCECC_FIELD_BYTES:
        fprintf(out, "\"type\":\"string\",\"pattern\":\"^[0-9a-f]{%lu}$\"",
                (unsigned long)(2 * f->size));
        break;
    default:
        fputs("\"type\":\"string\",\"pattern\":\"^([0-9a-f]{2})*$\"", out);
    }
}

static void about(const field *f, FILE *out)
{
    if (f->about[0] == '\0') return;
    fprintf(out, ",\"description\":\"%s%s%s%s\"", f->about,
            f->unit[0] != '\0' ? " [" : "", f->unit, f->unit[0] != '\0' ? "]" : "");
}

static void member(const field *f, const char *name, size_t n, FILE *out)
{
    fprintf(out, "\"%.*s\":{", (int)n, name);
    type(f, out);
    about(f, out);
    putc('}', out);
}

/*
 * Returns the number of fields in one member, such as quanta[0], quanta[1], ..., or
 * flow.src, flow.dst, ...
 */
static size_t together(const field *f, size_t n)
{
    const size_t stem = strcspn(f->name, "[.");
    size_t i = 1;
    if (f->name[stem] == '\0') return 1;
    while (i < n && strncmp(f[i].name, f->name, stem + 1) == 0)
        i++;
    return i;
}

static void array(const field *f, size_t n, FILE *out)
{
    fprintf(out,
            "\"%.*s\":{\"type\":\"array\",\"minItems\":%lu,\"maxItems\":%lu,"
            "\"items\":{",
            (int)strcspn(f->name, "["), f->name, (unsigned long)n, (unsigned long)n);
    type(f, out);
    fputs("}}", out);
}

static void object(const field *f, size_t n, FILE *out)
{
    const size_t stem = strcspn(f->name, ".") + 1;
    size_t i;
    fprintf(out,
            "\"%.*s\":{\"type\":\"object\",\"additionalProperties\":false,"
            "\"required\":[",
            (int)stem - 1, f->name);
    for (i = 0; i < n; i++)
        fprintf(out, i == 0 ? "\"%s\"" : ",\"%s\"", f[i].name + stem);
    fputs("],\"properties\":{", out);
    for (i = 0; i < n; i++) {
        if (i != 0) putc(',', out);
        member(&f[i], f[i].name + stem, strlen(f[i].name + stem), out);
    }
    fputs("}}", out);
}

static void members(const field *f, size_t n, FILE *out)
{
    size_t i, k;
    for (i = 0; i < n; i += k) {
        const char *name = f[i].name;
        k = together(&f[i], n - i);
        if (i != 0) fputs(",\n  ", out);
        if (strchr(name, '[') != NULL)
            array(&f[i], k, out);
        else if (strchr(name, '.') != NULL)
            object(&f[i], k, out);
        else
            member(&f[i], name, strlen(name), out);
    }
}

/* Prints the members' names. */
static void required(const field *f, size_t n, FILE *out)
{
    size_t i;
    for (i = 0; i < n; i += together(&f[i], n - i))
        fprintf(out, "%s\"%.*s\"", i == 0 ? "" : ",", (int)strcspn(f[i].name, "[."),
                f[i].name);
}

/* ---- layers */

/* Prints the telemetry nodes. Any member of a node may be missing. */
static void nodes(const node_kind *kind, FILE *out)
{
    fputs(",\n  \"nodes\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
          "\"additionalProperties\":false,\"properties\":{\n  ",
          out);
    members(kind->fields, kind->n, out);
    fputs("}}}", out);
}

static void record(const layer_kind *kind, FILE *out)
{
    fputs("{\"type\":\"object\",\"additionalProperties\":false,\"required\":[", out);
    required(kind->fields, kind->n, out);
    if (kind->nodes != NULL) fputs(",\"nodes\"", out);
    if (kind->inner != NULL) fprintf(out, ",\"%s\"", kind->inner->name);
    fputs("],\"properties\":{\n  ", out);
    members(kind->fields, kind->n, out);
    if (kind->nodes != NULL) nodes(kind->nodes, out);
    if (kind->inner != NULL) {
        fprintf(out, ",\n  \"%s\":{\"oneOf\":[{\"type\":\"null\"},", kind->inner->name);
        record(kind->inner, out);
        fputs("]}", out);
    }
    if (decode_nests(kind)) fputs(",\n  \"inner\":{\"$ref\":\"#/$defs/inner\"}", out);
    fputs("}}", out);
}

/* Returns true if an earlier kind has that name. */
static bool repeats(size_t i)
{
    const char *name = decode_kind(i)->name;
    size_t k;
    for (k = 0; k < i; k++)
        if (strcmp(decode_kind(k)->name, name) == 0) return true;
    return false;
}

/* Prints all kinds of a layer with this name. */
static void layer_of(size_t i, FILE *out)
{
    const layer_kind *first = decode_kind(i), *kind;
    const char *comma = "";
    fprintf(out, ",\n \"%s\":%s{\"anyOf\":[", first->name,
            first->many ? "{\"type\":\"array\",\"minItems\":1,\"items\":" : "");
    for (; (kind = decode_kind(i)) != NULL; i++) {
        if (strcmp(kind->name, first->name) != 0) continue;
        fputs(comma, out);
        record(kind, out);
        comma = ",";
    }
    fputs(first->many ? "]}}" : "]}", out);
}

static void layers(FILE *out)
{
    size_t i;
    for (i = 0; decode_kind(i) != NULL; i++)
        if (!repeats(i)) layer_of(i, out);
}

static void stack(FILE *out)
{
    size_t i;
    fputs(" \"stack\":{\"type\":\"array\",\"items\":{\"enum\":[", out);
    for (i = 0; decode_kind(i) != NULL; i++)
        if (!repeats(i))
            fprintf(out, i == 0 ? "\"%s\"" : ",\"%s\"", decode_kind(i)->name);
    fputs("]}}", out);
}

/* Prints a record of a judgement, if there is one. */
static void judged_record(const layer_kind *kind, FILE *out)
{
    if (kind == NULL) return;
    fprintf(out, ",\n  \"%s\":{\"oneOf\":[{\"type\":\"null\"},", kind->name);
    record(kind, out);
    fputs("]}", out);
}

/* Prints each role's judgement. Members may be null. */
static void judgements(FILE *out)
{
    const judge_members *m;
    size_t i, k;
    fputs(",\n \"judge\":{\"anyOf\":[", out);
    for (i = 0; (m = judge_members_at(i)) != NULL; i++) {
        fprintf(out,
                "%s{\"type\":\"object\",\"additionalProperties\":false,"
                "\"required\":[\"verdict\"],\"properties\":{\n  "
                "\"verdict\":{\"type\":\"string\",\"pattern\":\"^[A-Z0-9_]+$\"}",
                i == 0 ? "" : ",");
        for (k = 0; k < m->n; k++) {
            fprintf(out, ",\n  \"%s\":{\"anyOf\":[{\"type\":\"null\"},{",
                    m->fields[k].name);
            type(&m->fields[k], out);
            fputs("}]}", out);
        }
        judged_record(m->icmp, out);
        judged_record(m->detail, out);
        fputs("}}", out);
    }
    fputs("]}", out);
}

void schema_print(FILE *out)
{
    fputs("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
          "\"$comment\":\"SPDX-License-Identifier: BSD-2-Clause. "
          "Made by rocedump --schema.\",\n"
          "\"title\":\"A line of rocedump --json: a frame\",\n"
          "\"$ref\":\"#/$defs/packet\",\n"
          "\"required\":[\"frame\",\"time_ns\",\"len\",\"caplen\",\"iface\"],\n"
          "\"properties\":{\n"
          " \"frame\":{\"type\":\"integer\",\"minimum\":1},\n"
          " \"time_ns\":{\"type\":\"integer\",\"minimum\":0},\n"
          " \"len\":{\"type\":\"integer\",\"minimum\":0},\n"
          " \"caplen\":{\"type\":\"integer\",\"minimum\":0},\n"
          " \"iface\":{\"type\":\"integer\",\"minimum\":0}},\n"
          "\"unevaluatedProperties\":false,\n"
          "\"$defs\":{\n"
          "\"inner\":{\"$ref\":\"#/$defs/packet\",\"unevaluatedProperties\":false},\n"
          "\"packet\":{\"type\":\"object\",\"required\":[\"stack\",\"status\"],\n"
          "\"if\":{\"properties\":{\"status\":{\"const\":\"ok\"}}},\n"
          "\"then\":{\"not\":{\"required\":[\"at\"]}},"
          "\"else\":{\"required\":[\"at\"]},\n"
          "\"properties\":{\n",
          out);
    stack(out);
    fputs(",\n \"status\":{\"enum\":[\"ok\",\"short\",\"format\",\"unsupported\"]},\n"
          " \"at\":{\"type\":\"string\"},\n"
          " \"frame_length\":{\"const\":true},\n"
          " \"next\":{\"type\":\"object\",\"additionalProperties\":false,"
          "\"required\":[\"by\",\"number\",\"name\"],\"properties\":{\n"
          "  \"by\":{\"enum\":[\"type\",\"protocol\",\"port\"]},\n"
          "  \"number\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":65535},\n"
          "  \"name\":{\"type\":[\"string\",\"null\"],"
          "\"pattern\":\"^[a-z0-9_]+$\"}}},\n"
          " \"inner\":{\"$ref\":\"#/$defs/inner\"}",
          out);
    layers(out);
    judgements(out);
    fputs("}}}}\n", out);
}

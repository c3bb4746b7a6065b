/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * stat.c - tshark -z rocecc,flows, and the same table in Wireshark's menu. It has a row
 * per flow, as in rocedump --flows. Only rocedump shows the data that a CNP answers.
 */
#include "plugin.h"

#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

#include "../rocedump/flows.h"

static int tap = -1;
static flows *table_flows; /* of the open table */

enum {
    SOURCE,
    DESTINATION,
    DEST_QP,
    PACKETS,
    COPIES,
    BYTES,
    CE,
    CNPS,
    GAPS,
    MISSING,
    NAKS,
    N
};

static stat_tap_table_item columns[] = {
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Source", "%s"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Destination", "%s"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "DestQP", "%s"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Packets", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Copies", "%u"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Bytes", "%.0f"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "CE", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "CNPs", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Gaps", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Missing", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "NAKs", "%u"}};

static void number(stat_tap_table_item_type *cell, uint64_t v)
{
    cell->type = TABLE_ITEM_UINT;
    cell->value.uint_value = (guint)MIN(v, UINT32_MAX);
}

static void word(stat_tap_table_item_type *cell, const char *text)
{
    cell->type = TABLE_ITEM_STRING;
    cell->value.string_value = g_strdup(text);
}

static void counts(stat_tap_table_item_type *row, const flow *f)
{
    number(&row[PACKETS], f->packets);
    number(&row[COPIES], f->copies);
    row[BYTES].type = TABLE_ITEM_FLOAT;
    row[BYTES].value.float_value = (double)f->bytes;
    number(&row[CE], f->ce);
    number(&row[CNPS], f->cnps);
    number(&row[GAPS], f->requests.gaps + f->responses.gaps);
    number(&row[MISSING], psn_missing(&f->requests) + psn_missing(&f->responses));
    number(&row[NAKS], f->naks + f->rnr_naks);
}

/* Writes addresses and QP. A pause has only a source. Fast CNPs differ by receiver. */
static void names(stat_tap_table_item_type *row, const flow *f)
{
    const bool pause = f->key.kind == FLOW_PAUSE;
    char text[ADDRESS_BYTES], qp[16];
    (void)snprintf(qp, sizeof qp, "0x%06x", f->key.qp);
    word(&row[SOURCE], flows_address(f, &f->key.src, text));
    word(&row[DESTINATION], pause ? "-" : flows_address(f, &f->key.dst, text));
    word(&row[DEST_QP], pause ? "pause" : qp);
}

/* Writes the row of a flow. Rows and flows have the same index. */
static void show_flow(stat_tap_table *table, size_t i)
{
    const flow *f = flows_at(table_flows, i);
    stat_tap_table_item_type row[N];
    guint column;
    memset(row, 0, sizeof row);
    counts(row, f);
    if (i >= table->num_elements) {
        names(row, f);
        stat_tap_init_table_row(table, (guint)i, N, row);
        return;
    }
    if (stat_tap_get_field_data(table, (guint)i, SOURCE)->type == TABLE_ITEM_NONE)
        names(row, f);
    for (column = row[SOURCE].type == TABLE_ITEM_NONE ? PACKETS : SOURCE; column < N;
         column++)
        stat_tap_set_field_data(table, (guint)i, column, &row[column]);
}

static tap_packet_status on_packet(void *data, packet_info *pinfo, epan_dissect_t *edt,
                                   const void *of_tap, tap_flags_t flags)
{
    stat_tap_table_ui *ui = ((stat_data_t *)data)->stat_tap_data;
    stat_tap_table *table = g_array_index(ui->tables, stat_tap_table *, 0);
    const dissection *f = (const dissection *)of_tap;
    const decoded *d;
    bool any = false;
    (void)pinfo;
    (void)edt;
    (void)flags;
    for (d = f->d; d != NULL; d = d->inner) {
        const size_t i = flows_add(table_flows, &f->p, f->d, d);
        if (i == NO_FLOW) continue;
        show_flow(table, i);
        any = true;
    }
    return any ? TAP_PACKET_REDRAW : TAP_PACKET_DONT_REDRAW;
}

static void start(void)
{
    flows_free(table_flows);
    table_flows = flows_new(0);
}

static void on_init(stat_tap_table_ui *ui)
{
    start();
    if (stat_tap_find_table(ui, "Flows of RoCE") == NULL)
        stat_tap_add_table(ui, stat_tap_init_table("Flows of RoCE", N, 0, NULL));
}

static void free_item(stat_tap_table *table, guint row, guint column,
                      stat_tap_table_item_type *cell)
{
    (void)table;
    (void)row;
    (void)column;
    if (cell->type == TABLE_ITEM_STRING) g_free((char *)cell->value.string_value);
    cell->type = TABLE_ITEM_NONE;
}

/* Empties the table. A row without a source is not shown. */
static void on_reset(stat_tap_table *table)
{
    guint i, column;
    for (i = 0; i < table->num_elements; i++)
        for (column = 0; column < N; column++)
            free_item(table, i, column, stat_tap_get_field_data(table, i, column));
    start();
}

void stat_frame(const dissection *f, packet_info *pinfo)
{
    tap_queue_packet(tap, pinfo, f);
}

void stat_register(void)
{
    static stat_tap_table_ui ui = {.group = REGISTER_STAT_GROUP_GENERIC,
                                   .title = "Flows of RoCE",
                                   .tap_name = "rocecc",
                                   .cli_string = "rocecc,flows",
                                   .stat_tap_init_cb = on_init,
                                   .packet_func = on_packet,
                                   .stat_tap_reset_table_cb = on_reset,
                                   .stat_tap_free_table_item_cb = free_item,
                                   .nfields = N,
                                   .fields = columns};
    tap = register_tap("rocecc");
    register_stat_tap_table_ui(&ui);
}

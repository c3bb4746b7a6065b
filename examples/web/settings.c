/* SPDX-License-Identifier: BSD-2-Clause */

/* settings.c - the table of curves.h, and the page's interface to it and to a run. */
#include "curves.h"

#define ROW(name, unit, whose, least, most, step, preset, words)                       \
    {#name, unit, #whose, least, most, step, preset, words},

const curves_setting curves_settings[CURVES_N] = {CURVES_SETTINGS(ROW)};

void curves_default(uint32_t value[CURVES_N])
{
    uint32_t i;
    for (i = 0; i < CURVES_N; i++)
        value[i] = curves_settings[i].preset;
}

#if defined(__wasm__)
#include "../lib/sink.h"

#define WEB(name) __attribute__((export_name(#name)))

void web_clear(void);
uint32_t web_written(void);

static curves run;

static void text(sink *to, const char *key, const char *value)
{
    sink_char(to, '"');
    sink_text(to, key);
    sink_text(to, "\":\"");
    sink_text(to, value);
    sink_text(to, "\",");
}

static void number(sink *to, const char *key, uint32_t value)
{
    sink_char(to, '"');
    sink_text(to, key);
    sink_text(to, "\":");
    sink_decimal(to, value);
    sink_char(to, ',');
}

/* Writes the settings as a JSON array to the text, in web_set()'s order. */
WEB(settings) uint32_t web_settings(void)
{
    static sink to;
    uint32_t i;
    web_clear();
    sink_start(&to, NULL);
    sink_char(&to, '[');
    for (i = 0; i < CURVES_N; i++) {
        const curves_setting *s = &curves_settings[i];
        sink_text(&to, i == 0 ? "{" : ",{");
        text(&to, "name", s->name);
        text(&to, "unit", s->unit);
        text(&to, "whose", s->whose);
        text(&to, "words", s->words);
        number(&to, "least", s->least);
        number(&to, "most", s->most);
        number(&to, "preset", s->preset);
        number(&to, "samples", CURVES_SAMPLES);
        number(&to, "flows", CURVES_FLOWS);
        sink_text(&to, "\"step\":");
        sink_decimal(&to, s->step);
        sink_char(&to, '}');
    }
    sink_char(&to, ']');
    sink_flush(&to);
    return web_written();
}

/* Sets one setting, by its index in the table. */
WEB(set) void web_set(uint32_t i, uint32_t value)
{
    if (i < CURVES_N) run.value[i] = value;
}

/* Runs a simulation. Returns its samples, or 0 if the parameters are inconsistent. */
WEB(run) const curves_sample *web_run(uint32_t algo)
{
    return curves_run(&run, (curves_algo)algo) ? run.sample : NULL;
}

WEB(count) uint32_t web_count(uint32_t i)
{
    return i == 0 ? run.marks : i == 1 ? run.cnps : run.losses;
}
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "algo.h"

#include <stdlib.h>
#include <string.h>

const algo *algo_find(const char *name)
{
    const algo *const *a;
    for (a = algo_all; *a != NULL; a++)
        if (strcmp((*a)->name, name) == 0) return *a;
    return NULL;
}

static void *zeroed(size_t n)
{
    void *p = calloc(1, n > 0 ? n : 1);
    if (p == NULL) abort();
    return p;
}

algo_run algo_run_new(const algo *a, uint64_t link_bps)
{
    algo_run r = {a, zeroed(a->params_bytes), zeroed(a->run_bytes),
                  zeroed(a->args_bytes), zeroed(a->action_bytes)};
    a->presets[0].set(r.params, link_bps);
    return r;
}

void algo_run_free(algo_run *r)
{
    free(r->params);
    free(r->run);
    free(r->args);
    free(r->action);
}

bool algo_preset_set(algo_run *r, const char *name, uint64_t link_bps)
{
    size_t i;
    for (i = 0; i < r->a->n_presets; i++) {
        if (strcmp(r->a->presets[i].name, name) != 0) continue;
        memset(r->params, 0, r->a->params_bytes);
        r->a->presets[i].set(r->params, link_bps);
        return true;
    }
    return false;
}

bool algo_param_set(algo_run *r, const char *name, const char *value)
{
    size_t i;
    for (i = 0; i < r->a->n_params; i++)
        if (strcmp(r->a->params[i].f.name, name) == 0)
            return field_set(&r->a->params[i].f, r->params, value);
    return false;
}

const char *algo_start(algo_run *r)
{
    static char name[32];
    const char *names = r->a->refusals;
    unsigned refusal = r->a->init(r->params, r->run);
    if (refusal == 0) return NULL;
    for (; refusal > 0 && *names != '\0'; refusal--)
        names += strcspn(names, " ") + (strchr(names, ' ') != NULL);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(names, " "), names);
    return name;
}

size_t algo_event_find(const algo *a, const char *name)
{
    size_t i;
    for (i = 0; i < a->n_events; i++)
        if (strcmp(a->events[i].name, name) == 0) break;
    return i;
}

const field *algo_arg_find(const algo *a, size_t event, const char *key)
{
    const algo_event *e = &a->events[event];
    size_t i;
    for (i = 0; i < e->n_args; i++)
        if (strcmp(e->args[i].name, key) == 0) return &e->args[i];
    return NULL;
}

void algo_args_clear(algo_run *r)
{
    memset(r->args, 0, r->a->args_bytes);
}

void algo_step(algo_run *r, size_t event)
{
    memset(r->action, 0, r->a->action_bytes);
    r->a->step(r->params, r->run, event, r->args, r->action);
}

static void print(const field *f, size_t n, const void *record, FILE *out)
{
    size_t i;
    for (i = 0; i < n; i++) {
        fprintf(out, "%s%s=", i > 0 ? " " : "", f[i].name);
        field_print(&f[i], record, out);
    }
}

void algo_print_state(const algo_run *r, FILE *out)
{
    fputs("| ", out);
    print(r->a->state, r->a->n_state, r->run, out);
    fputc('\n', out);
}

void algo_print(const algo_run *r, FILE *out)
{
    print(r->a->action, r->a->n_action, r->action, out);
    fputc(' ', out);
    algo_print_state(r, out);
}

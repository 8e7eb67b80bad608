/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of scopes and types of counters and knobs, of which there are none.
 */
#include <starpu_perf_monitoring.h>
#include <starpu_perf_steering.h>

#include <starpu.h>

#include "apps/starpu/base/error.h"

struct named {
    const char *name;
    int id;
};

static const struct named counter_scopes[] = {
    {"global", starpu_perf_counter_scope_global},
    {"per_worker", starpu_perf_counter_scope_per_worker},
    {"per_codelet", starpu_perf_counter_scope_per_codelet},
};
static const struct named counter_types[] = {
    {"int32", starpu_perf_counter_type_int32},
    {"int64", starpu_perf_counter_type_int64},
    {"float", starpu_perf_counter_type_float},
    {"double", starpu_perf_counter_type_double},
};
static const struct named knob_scopes[] = {
    {"global", starpu_perf_knob_scope_global},
    {"per_worker", starpu_perf_knob_scope_per_worker},
    {"per_scheduler", starpu_perf_knob_scope_per_scheduler},
};
static const struct named knob_types[] = {
    {"int32", starpu_perf_knob_type_int32},
    {"int64", starpu_perf_knob_type_int64},
    {"float", starpu_perf_knob_type_float},
    {"double", starpu_perf_knob_type_double},
};

static int id_of(const struct named *table, size_t count, const char *name,
                 const char *call)
{
    for (size_t i = 0; i < count; i++)
        if (g_strcmp0(table[i].name, name) == 0)
            return table[i].id;
    sp_fail(call, "'%s' is no such name", name ? name : "NULL");
}

static const char *name_of(const struct named *table, size_t count, int id,
                           const char *call)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].id == id)
            return table[i].name;
    sp_fail(call, "%d is no such number", id);
}

int starpu_perf_counter_scope_name_to_id(const char *name)
{
    return id_of(counter_scopes, G_N_ELEMENTS(counter_scopes), name,
                 "starpu_perf_counter_scope_name_to_id()");
}

const char *
starpu_perf_counter_scope_id_to_name(enum starpu_perf_counter_scope scope)
{
    return name_of(counter_scopes, G_N_ELEMENTS(counter_scopes), scope,
                   "starpu_perf_counter_scope_id_to_name()");
}

int starpu_perf_counter_type_name_to_id(const char *name)
{
    return id_of(counter_types, G_N_ELEMENTS(counter_types), name,
                 "starpu_perf_counter_type_name_to_id()");
}

const char *
starpu_perf_counter_type_id_to_name(enum starpu_perf_counter_type type)
{
    return name_of(counter_types, G_N_ELEMENTS(counter_types), type,
                   "starpu_perf_counter_type_id_to_name()");
}

int starpu_perf_counter_nb(enum starpu_perf_counter_scope scope)
{
    (void)scope;
    return 0;
}

void starpu_perf_counter_list_avail(enum starpu_perf_counter_scope scope)
{
    (void)scope;
}

void starpu_perf_counter_list_all_avail(void)
{
}

int starpu_perf_knob_scope_name_to_id(const char *name)
{
    return id_of(knob_scopes, G_N_ELEMENTS(knob_scopes), name,
                 "starpu_perf_knob_scope_name_to_id()");
}

const char *starpu_perf_knob_scope_id_to_name(enum starpu_perf_knob_scope scope)
{
    return name_of(knob_scopes, G_N_ELEMENTS(knob_scopes), scope,
                   "starpu_perf_knob_scope_id_to_name()");
}

int starpu_perf_knob_type_name_to_id(const char *name)
{
    return id_of(knob_types, G_N_ELEMENTS(knob_types), name,
                 "starpu_perf_knob_type_name_to_id()");
}

const char *starpu_perf_knob_type_id_to_name(enum starpu_perf_knob_type type)
{
    return name_of(knob_types, G_N_ELEMENTS(knob_types), type,
                   "starpu_perf_knob_type_id_to_name()");
}

int starpu_perf_knob_nb(enum starpu_perf_knob_scope scope)
{
    (void)scope;
    return 0;
}

void starpu_perf_knob_list_avail(enum starpu_perf_knob_scope scope)
{
    (void)scope;
}

void starpu_perf_knob_list_all_avail(void)
{
}

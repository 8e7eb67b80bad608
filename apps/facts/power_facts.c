/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/facts/power_facts.h"

#include <string.h>

#include "apps/output/output.h"

static bool are_equal_states(const struct orr_power_state *a,
                             const struct orr_power_state *b)
{
    const double left[] = {a->speed,  a->idle_w, a->static_w,
                           a->busy_w, a->poll_w, a->off_w};
    const double right[] = {b->speed,  b->idle_w, b->static_w,
                            b->busy_w, b->poll_w, b->off_w};

    for (size_t i = 0; i < G_N_ELEMENTS(left); i++) {
        if (left[i] < right[i] || left[i] > right[i])
            return false;
    }
    return strcmp(a->name, b->name) == 0 && a->kernel_count == 0 &&
           b->kernel_count == 0;
}

/* Whether two tables have equal states; a table with kernels is never equal to
 * another, so that it gets its own rows. */
static bool are_equal(const struct orr_power_table *a,
                      const struct orr_power_table *b)
{
    bool equal = a->nominal == b->nominal && a->off == b->off &&
                 a->current == b->current && a->count == b->count;

    for (unsigned s = 0; equal && s < a->count; s++)
        equal = are_equal_states(&a->states[s], &b->states[s]);
    return equal;
}

static void set_positive(JsonObject *row, const char *name, double value)
{
    if (value > 0)
        json_object_set_double_member(row, name, value);
    else
        json_object_set_null_member(row, name);
}

/* Whether some state of @platform has a power of a kernel. */
static bool has_kernels(const struct orr_platform *platform)
{
    for (unsigned d = 0; platform->power && d < platform->node_count; d++) {
        const struct orr_power_table *table = &platform->power[d];

        for (unsigned s = 0; s < table->count; s++) {
            if (table->states[s].kernel_count > 0)
                return true;
        }
    }
    return false;
}

static JsonObject *add_row(JsonArray *rows, const char *devices,
                           const struct orr_power_table *table, unsigned state)
{
    JsonObject *row = orr_output_add_object(rows);

    orr_output_set_text(row, "device", devices);
    orr_output_set_text(row, "state", table->states[state].name);
    json_object_set_boolean_member(row, "present",
                                   !table->off && state == table->current);
    return row;
}

static void add_kernel(JsonArray *rows, const char *devices,
                       const struct orr_power_table *table, unsigned state,
                       const struct orr_state_kernel *kernel)
{
    g_autofree char *name =
        kernel->tile > 0
            ? g_strdup_printf("%s at %u", kernel->name, kernel->tile)
            : g_strdup(kernel->name);
    static const char *const none[] = {"idle_w", "static_w", "poll_w", "off_w"};
    JsonObject *row = add_row(rows, devices, table, state);

    orr_output_set_text(row, "kernel", name);
    set_positive(row, "speed", kernel->speed);
    set_positive(row, "busy_w", kernel->watts);
    set_positive(row, "joules", kernel->joules);
    for (size_t i = 0; i < G_N_ELEMENTS(none); i++)
        json_object_set_null_member(row, none[i]);
}

static void add_state(JsonArray *rows, const char *devices,
                      const struct orr_power_table *table, unsigned s,
                      bool kernels)
{
    const struct orr_power_state *state = &table->states[s];
    JsonObject *row = add_row(rows, devices, table, s);

    if (kernels)
        json_object_set_null_member(row, "kernel");
    json_object_set_double_member(row, "speed", state->speed);
    json_object_set_double_member(row, "busy_w", state->busy_w);
    if (kernels)
        json_object_set_null_member(row, "joules");
    json_object_set_double_member(row, "idle_w", state->idle_w);
    json_object_set_double_member(row, "static_w", state->static_w);
    json_object_set_double_member(row, "poll_w", state->poll_w);
    json_object_set_double_member(row, "off_w", state->off_w);
    for (unsigned k = 0; k < state->kernel_count; k++)
        add_kernel(rows, devices, table, s, &state->kernels[k]);
}

/* Whether a device before @device has the same table. */
static bool is_shown(const struct orr_platform *platform, unsigned device)
{
    for (unsigned d = 1; d < device; d++) {
        if (are_equal(&platform->power[d], &platform->power[device]))
            return true;
    }
    return false;
}

/* Returns the names of @device and of equal devices: "CUDA0 CUDA1". */
static char *names_of(const struct orr_platform *platform, unsigned device)
{
    GString *names = g_string_new(orr_platform_device_name(platform, device));

    for (unsigned d = device + 1; device > 0 && d < platform->node_count; d++) {
        if (are_equal(&platform->power[d], &platform->power[device]))
            g_string_append_printf(names, " %s",
                                   orr_platform_device_name(platform, d));
    }
    return g_string_free(names, FALSE);
}

void orr_power_facts_add(JsonObject *machine,
                         const struct orr_platform *platform)
{
    JsonArray *rows = orr_output_add_array(machine, "power");
    bool kernels = has_kernels(platform);

    if (platform->power)
        orr_output_set_text(machine, "power_source",
                            platform->sources[ORR_SECTION_POWER]);
    for (unsigned d = 0; platform->power && d < platform->node_count; d++) {
        g_autofree char *names = names_of(platform, d);

        if (d > 0 && is_shown(platform, d))
            continue;
        for (unsigned s = 0; s < platform->power[d].count; s++)
            add_state(rows, names, &platform->power[d], s, kernels);
    }
}

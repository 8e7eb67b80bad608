/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/energy/power_table.h"

#include <glib.h>
#include <string.h>

void orr_power_table_clear(struct orr_power_table *table)
{
    for (unsigned s = 0; s < table->count; s++) {
        struct orr_power_state *state = &table->states[s];

        for (unsigned k = 0; k < state->kernel_count; k++)
            g_free(state->kernels[k].name);
        g_free(state->kernels);
        g_free(state->name);
    }
    g_free(table->states);
    *table = (struct orr_power_table){.count = 0};
}

void orr_power_table_copy(struct orr_power_table *copy,
                          const struct orr_power_table *table)
{
    *copy = *table;
    copy->states = g_new(struct orr_power_state, table->count);
    for (unsigned s = 0; s < table->count; s++) {
        const struct orr_power_state *from = &table->states[s];
        struct orr_power_state *to = &copy->states[s];

        *to = *from;
        to->name = g_strdup(from->name);
        to->kernels = g_new(struct orr_state_kernel, from->kernel_count);
        for (unsigned k = 0; k < from->kernel_count; k++) {
            to->kernels[k] = from->kernels[k];
            to->kernels[k].name = g_strdup(from->kernels[k].name);
        }
    }
}

/* Returns the watts of all cores after the number of cores has been multiplied
 * by @share; @watts are the watts before. */
static double with_cores(const struct orr_power_state *state, double watts,
                         double share)
{
    return state->static_w + (watts - state->static_w) * share;
}

void orr_power_table_set_cores(struct orr_power_table *table, unsigned before,
                               unsigned cores)
{
    double share = (double)cores / before;

    for (unsigned s = 0; before != cores && s < table->count; s++) {
        struct orr_power_state *state = &table->states[s];

        state->busy_w =
            MAX(with_cores(state, state->busy_w, share), state->idle_w);
        state->poll_w = with_cores(state, state->poll_w, share);
        for (unsigned k = 0; k < state->kernel_count; k++) {
            struct orr_state_kernel *kernel = &state->kernels[k];

            if (kernel->watts > 0)
                kernel->watts = with_cores(state, kernel->watts, share);
        }
    }
}

struct orr_power_levels
orr_power_state_levels(const struct orr_power_state *state)
{
    return (struct orr_power_levels){
        .idle = orr_power_from_watts(state->idle_w),
        .fixed = orr_power_from_watts(state->static_w),
        .busy = orr_power_from_watts(state->busy_w),
        .poll = orr_power_from_watts(state->poll_w),
        .off = orr_power_from_watts(state->off_w),
    };
}

double orr_power_state_peak(const struct orr_power_state *state)
{
    double peak = state->busy_w;

    for (unsigned k = 0; k < state->kernel_count; k++)
        peak = MAX(peak, state->kernels[k].watts);
    return peak;
}

const struct orr_state_kernel *
orr_power_state_kernel(const struct orr_power_state *state, const char *name,
                       unsigned tile)
{
    const struct orr_state_kernel *found = NULL;

    for (unsigned k = 0; k < state->kernel_count; k++) {
        const struct orr_state_kernel *kernel = &state->kernels[k];

        if (strcmp(kernel->name, name) != 0)
            continue;
        if (kernel->tile == tile)
            return kernel;
        if (kernel->tile == 0)
            found = kernel;
    }
    return found;
}

double orr_power_state_speed(const struct orr_power_state *state,
                             const char *name, unsigned tile)
{
    const struct orr_state_kernel *kernel =
        orr_power_state_kernel(state, name, tile);

    return kernel && kernel->speed > 0 ? kernel->speed : state->speed;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/nominal_power.h"

#include <math.h>

#define STATIC_SHARE 0.4

/* Rounds to three digits, as in files. */
static double speed_at(double share)
{
    double speed = cbrt((share - STATIC_SHARE) / (1 - STATIC_SHARE));

    return round(speed * 1e3) / 1e3;
}

void orr_nominal_power_table(struct orr_power_table *table, double tdp_w)
{
    static const unsigned percents[] = {100, 90, 80, 70, 60, 50};

    *table = (struct orr_power_table){
        .nominal = true,
        .count = G_N_ELEMENTS(percents),
        .states = g_new0(struct orr_power_state, G_N_ELEMENTS(percents)),
    };
    for (unsigned s = 0; s < table->count; s++) {
        table->states[s].name =
            s == 0 ? g_strdup("full") : g_strdup_printf("cap-%u", percents[s]);
        table->states[s].speed = speed_at(percents[s] / 100.0);
        table->states[s].busy_w = tdp_w * percents[s] / 100;
    }
}

/* The power of GPU @gpu; 0: not known. */
static double gpu_watts(const struct orr_platform *platform, unsigned gpu)
{
    const struct orr_device *device =
        orr_device_of_model(platform->gpus[gpu].model);

    return device ? device->tdp_w : 0;
}

/* "nominal: thermal design power of 2 EPYC 7742 of 225 W (AMD; ...)". */
static void add_source(struct orr_platform *platform,
                       const struct orr_device *cpu)
{
    GString *text = g_string_new(NULL);

    g_string_printf(text, "nominal: thermal design power of %u %s of %g W",
                    platform->sockets, cpu->model, cpu->tdp_w);
    for (unsigned g = 0; g < platform->gpu_count; g++) {
        const struct orr_device *device =
            orr_device_of_model(platform->gpus[g].model);

        if (g == 0 ||
            device != orr_device_of_model(platform->gpus[g - 1].model))
            g_string_append_printf(text, ", and %s, %g W", device->model,
                                   device->tdp_w);
    }
    g_string_append(
        text, "; idle power is not known and counts as 0; " ORR_NOMINAL_STATES);
    orr_source_add(&platform->sources[ORR_SECTION_POWER], text->str);
    g_string_free(text, TRUE);
}

bool orr_nominal_power_add(struct orr_platform *platform,
                           const struct orr_device *cpu)
{
    if (!cpu || !(cpu->tdp_w > 0) || platform->sockets == 0)
        return false;
    for (unsigned g = 0; g < platform->gpu_count; g++) {
        if (!(gpu_watts(platform, g) > 0))
            return false;
    }
    platform->power = g_new0(struct orr_power_table, platform->node_count);
    orr_nominal_power_table(&platform->power[ORR_RAM],
                            cpu->tdp_w * platform->sockets);
    for (unsigned g = 0; g < platform->gpu_count; g++)
        orr_nominal_power_table(&platform->power[g + 1],
                                gpu_watts(platform, g));
    add_source(platform, cpu);
    return true;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/energy/meter.h"

#include <glib.h>

const char *orr_energy_part_name(enum orr_energy_part part)
{
    static const char *const names[ORR_ENERGY_PARTS] = {
        [ORR_ENERGY_STATIC] = "static", [ORR_ENERGY_DYNAMIC] = "dynamic",
        [ORR_ENERGY_IDLE] = "idle",     [ORR_ENERGY_POLLING] = "polling",
        [ORR_ENERGY_COPIES] = "copies",
    };

    return names[part];
}

static void take_levels(struct orr_meter *meter,
                        const struct orr_power_levels *levels)
{
    meter->levels = *levels;
    meter->poll_one =
        orr_power_share(levels->poll, levels->fixed, meter->cores);
}

void orr_meter_init(struct orr_meter *meter,
                    const struct orr_power_levels *levels, unsigned cores,
                    orr_time now)
{
    *meter = (struct orr_meter){.cores = cores, .since = now};
    take_levels(meter, levels);
}

void orr_meter_poll(struct orr_meter *meter, orr_time now, unsigned polling)
{
    orr_meter_advance(meter, now);
    meter->polling = polling;
}

void orr_meter_set_levels(struct orr_meter *meter, orr_time now,
                          const struct orr_power_levels *levels)
{
    orr_meter_advance(meter, now);
    take_levels(meter, levels);
}

void orr_meter_set_off(struct orr_meter *meter, orr_time now, bool off)
{
    g_assert(meter->busy == 0);
    orr_meter_advance(meter, now);
    meter->off = off;
}

orr_energy orr_meter_energy(const struct orr_meter *meter)
{
    orr_energy sum = 0;

    for (unsigned part = 0; part < ORR_ENERGY_PARTS; part++)
        sum += meter->parts[part];
    return sum;
}

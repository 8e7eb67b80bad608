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

static bool is_idle(const struct orr_meter *meter)
{
    return meter->busy == 0 && meter->polling == 0;
}

orr_power orr_meter_power(const struct orr_meter *meter)
{
    if (meter->off)
        return meter->levels.off;
    if (is_idle(meter))
        return meter->levels.idle;
    return meter->levels.fixed + meter->dynamic +
           meter->poll_one * (orr_power)meter->polling;
}

void orr_meter_advance(struct orr_meter *meter, orr_time now)
{
    orr_time passed = now - meter->since;

    if (passed <= 0)
        return;
    meter->since = now;
    if (meter->off || is_idle(meter)) {
        meter->parts[ORR_ENERGY_IDLE] +=
            orr_power_over(orr_meter_power(meter), passed);
        return;
    }
    meter->parts[ORR_ENERGY_STATIC] +=
        orr_power_over(meter->levels.fixed, passed);
    meter->parts[ORR_ENERGY_DYNAMIC] += orr_power_over(meter->dynamic, passed);
    if (meter->polling > 0)
        meter->parts[ORR_ENERGY_POLLING] +=
            orr_power_over(meter->poll_one * (orr_power)meter->polling, passed);
}

void orr_meter_begin(struct orr_meter *meter, orr_time now, orr_power dynamic)
{
    g_assert(!meter->off);
    orr_meter_advance(meter, now);
    meter->busy++;
    meter->dynamic += dynamic;
}

void orr_meter_end(struct orr_meter *meter, orr_time now, orr_power dynamic)
{
    g_assert(meter->busy > 0);
    orr_meter_advance(meter, now);
    meter->busy--;
    meter->dynamic -= dynamic;
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

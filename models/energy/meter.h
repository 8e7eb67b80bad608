/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_METER_H
#define ORR_METER_H

#include <glib.h>

#include "models/energy/power.h"

/*
 * A meter of one device. The caller reports each change of the device's state;
 * the meter computes its power (power.h) and its energy so far. It has no
 * clock: dates come from the caller, and never go back. A change takes constant
 * time, whatever the number of cores and of earlier changes.
 *
 * Energy belongs to one of these parts. They add up exactly.
 */
enum orr_energy_part {
    ORR_ENERGY_STATIC,  /* fixed, while a core is busy or polls */
    ORR_ENERGY_DYNAMIC, /* of kernels */
    ORR_ENERGY_IDLE,    /* while nothing runs, or the device is off */
    ORR_ENERGY_POLLING, /* of cores that poll */
    ORR_ENERGY_COPIES,  /* of links */
    ORR_ENERGY_PARTS,
};

/* "static", "dynamic", ... */
const char *orr_energy_part_name(enum orr_energy_part part);

struct orr_meter {
    struct orr_power_levels levels;
    unsigned cores;
    unsigned busy;
    unsigned polling;
    bool off;
    orr_power dynamic;  /* added by all busy cores */
    orr_power poll_one; /* added by one polling core */
    orr_time since;     /* date up to which @parts are counted */
    orr_energy parts[ORR_ENERGY_PARTS];
};

/* An idle device with @cores (> 0) cores, from date @now on. */
void orr_meter_init(struct orr_meter *meter,
                    const struct orr_power_levels *levels, unsigned cores,
                    orr_time now);

static inline bool orr_meter_is_idle(const struct orr_meter *meter)
{
    return (meter->busy | meter->polling) == 0;
}

/* The present power of the device. */
static inline orr_power orr_meter_power(const struct orr_meter *meter)
{
    if (G_UNLIKELY(meter->off))
        return meter->levels.off;
    if (orr_meter_is_idle(meter))
        return meter->levels.idle;
    return meter->levels.fixed + meter->dynamic +
           meter->poll_one * (orr_power)meter->polling;
}

/* Counts the energy until @now; does nothing if @now is in the past. */
static inline void orr_meter_advance(struct orr_meter *meter, orr_time now)
{
    orr_time passed = now - meter->since;

    if (passed <= 0)
        return;
    meter->since = now;
    if (G_UNLIKELY(meter->off) || orr_meter_is_idle(meter)) {
        meter->parts[ORR_ENERGY_IDLE] +=
            orr_power_over(orr_meter_power(meter), passed);
        return;
    }
    meter->parts[ORR_ENERGY_STATIC] +=
        orr_power_over(meter->levels.fixed, passed);
    meter->parts[ORR_ENERGY_DYNAMIC] += orr_power_over(meter->dynamic, passed);
    if (G_UNLIKELY(meter->polling > 0))
        meter->parts[ORR_ENERGY_POLLING] +=
            orr_power_over(meter->poll_one * (orr_power)meter->polling, passed);
}

/*
 * A core begins or ends a kernel that adds the power @dynamic: a share of the
 * kernel's power (orr_power_share()), or its joules / its duration. Begin and
 * end must get the same value. A kernel on several cores counts as so many
 * kernels. Return the change of the device's power.
 */
static inline orr_power orr_meter_begin(struct orr_meter *meter, orr_time now,
                                        orr_power dynamic)
{
    bool was_idle = orr_meter_is_idle(meter);

    g_assert(!meter->off);
    orr_meter_advance(meter, now);
    meter->busy++;
    meter->dynamic += dynamic;
    return was_idle ? meter->levels.fixed - meter->levels.idle + dynamic
                    : dynamic;
}

static inline orr_power orr_meter_end(struct orr_meter *meter, orr_time now,
                                      orr_power dynamic)
{
    g_assert(meter->busy > 0);
    orr_meter_advance(meter, now);
    meter->busy--;
    meter->dynamic -= dynamic;
    return orr_meter_is_idle(meter)
               ? meter->levels.idle - meter->levels.fixed - dynamic
               : -dynamic;
}

/* From now on, @polling cores poll. Busy cores are not among them. */
void orr_meter_poll(struct orr_meter *meter, orr_time now, unsigned polling);

/*
 * Sets another state of the device (DVFS). Running kernels keep their power. To
 * change it, end and begin the kernel at that date.
 */
void orr_meter_set_levels(struct orr_meter *meter, orr_time now,
                          const struct orr_power_levels *levels);

/* Switches the device off or on. While it is off, its power is levels.off. It
 * must have no busy core. */
void orr_meter_set_off(struct orr_meter *meter, orr_time now, bool off);

/* Adds energy that does not come from a power: of a copy, or lost by rounding.
 */
static inline void orr_meter_add(struct orr_meter *meter,
                                 enum orr_energy_part part, orr_energy energy)
{
    meter->parts[part] += energy;
}

/* The sum of all parts. */
orr_energy orr_meter_energy(const struct orr_meter *meter);

#endif

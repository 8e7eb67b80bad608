/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_METER_H
#define ORR_METER_H

#include <glib.h>

#include "models/energy/power.h"

/*
 * A meter at one device: told of each change of its state, it knows what the
 * device draws (power.h), and has drawn. It has no clock: dates come from the
 * caller, and never go back. A change costs the same however many cores there
 * are, and however many changes were before.
 *
 * Energy belongs to one of these parts. They add up exactly.
 */
enum orr_energy_part {
    ORR_ENERGY_STATIC,  /* fixed, while a core is busy or polls */
    ORR_ENERGY_DYNAMIC, /* of kernels */
    ORR_ENERGY_IDLE,    /* nothing runs; also of a device that is off */
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
    orr_power dynamic;  /* what the busy cores add */
    orr_power poll_one; /* what a core that polls adds */
    orr_time since;     /* the parts are those until then */
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

/* What the device draws now. */
static inline orr_power orr_meter_power(const struct orr_meter *meter)
{
    if (G_UNLIKELY(meter->off))
        return meter->levels.off;
    if (orr_meter_is_idle(meter))
        return meter->levels.idle;
    return meter->levels.fixed + meter->dynamic +
           meter->poll_one * (orr_power)meter->polling;
}

/* Counts until @now; without effect if that is in the past. */
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
 * A core begins or ends a kernel that adds @dynamic: the share of the kernel's
 * power (orr_power_share()), or its joules by its duration. Both get the same.
 * A kernel on several cores is as many kernels. Return how much more the device
 * draws now than before.
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

/* So many cores poll from now on; beside those that are busy. */
void orr_meter_poll(struct orr_meter *meter, orr_time now, unsigned polling);

/*
 * Another state of the device (DVFS). A kernel that is under way goes on adding
 * what it was said to; who knows better ends and begins it at that date.
 */
void orr_meter_set_levels(struct orr_meter *meter, orr_time now,
                          const struct orr_power_levels *levels);

/* Off, nothing but levels.off is drawn. The device must have no busy core. */
void orr_meter_set_off(struct orr_meter *meter, orr_time now, bool off);

/* Energy that is known as such: of a copy, or what rounding has lost. */
static inline void orr_meter_add(struct orr_meter *meter,
                                 enum orr_energy_part part, orr_energy energy)
{
    meter->parts[part] += energy;
}

/* The sum of all parts. */
orr_energy orr_meter_energy(const struct orr_meter *meter);

#endif

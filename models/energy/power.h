/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POWER_H
#define ORR_POWER_H

#include <stdbool.h>

#include "models/time.h"

/*
 * Power of devices and links, and the energy that follows.
 *
 * Power is in whole picowatts, energy in whole zeptojoules (pW x ns), so sums
 * are exact and do not depend on their order. At ORR_MAX_WATTS for a day, the
 * energy of a million devices still fits.
 */
typedef int64_t orr_power;
__extension__ typedef __int128 orr_energy;

#define ORR_WATT INT64_C(1000000000000)
#define ORR_MAX_WATTS 1e6  /* of one figure */
#define ORR_MAX_JOULES 1e9 /* of one kernel, message or byte */

/* Round to the nearest; @watts from 0 to ORR_MAX_WATTS, @joules from 0 to
 * ORR_MAX_JOULES. */
orr_power orr_power_from_watts(double watts);
orr_energy orr_energy_from_joules(double joules);

double orr_power_to_watts(orr_power power);
double orr_energy_to_joules(orr_energy energy);

/* Rounds to whole nanojoules, at most INT64_MAX, which are 292 years at 1 W. */
int64_t orr_energy_to_nj(orr_energy energy);

static inline orr_energy orr_power_over(orr_power power, orr_time time)
{
    return (orr_energy)power * time;
}

/*
 * The power P of a device in each state, as a whole. A GPU is a device with one
 * core; the host is one device with all its cores.
 *
 *     P = idle                                     no core is busy or polls
 *     P = fixed + sum over busy cores of (busy - fixed) / cores
 *               + sum over polling cores of (poll - fixed) / cores   otherwise
 *
 * For one workload that is equation (1) of Heinrich et al., Predicting the
 * energy consumption of MPI applications at scale using a single node, IEEE
 * Cluster 2017: P_static + P_dynamic x load. P_static is not P_idle; it may
 * even be below it, as on the node of section V-C there.
 */
struct orr_power_levels {
    orr_power idle;  /* no core busy, none polling */
    orr_power fixed; /* P_static: any core busy or polling */
    orr_power busy;  /* all cores busy, unless a kernel has its own power */
    orr_power poll;  /* all cores polling */
    orr_power off;
};

/* Why @levels are invalid ("static is above busy"), or NULL. Static. */
const char *orr_power_levels_wrong(const struct orr_power_levels *levels);

/* The power that one of @cores (> 0) cores adds: (@all - @fixed) / @cores,
 * rounded. @all is the power of the device with all cores busy. */
orr_power orr_power_share(orr_power all, orr_power fixed, unsigned cores);

/*
 * The power of a link: idle + (busy - idle) x the used share of its bandwidth.
 * Joules for each message and each byte are added (Hoefler, Moor, Energy,
 * memory, and runtime tradeoffs for implementing collective communication
 * operations, Supercomputing Frontiers and Innovations 1(2), 2014).
 */
struct orr_link_power {
    orr_power idle;
    orr_power busy;
    double joules_per_message;
    double joules_per_byte;
};

/* The energy that a copy of @bytes over a link of @bytes_per_s (> 0) adds to
 * the link's idle energy. It does not depend on the rates at which the copy
 * proceeds, as their integral is @bytes. */
orr_energy orr_link_energy(const struct orr_link_power *link, double bytes,
                           double bytes_per_s);

#endif

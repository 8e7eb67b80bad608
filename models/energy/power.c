/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/energy/power.h"

#include <glib.h>

#define NJ ((orr_energy)1000000000000) /* zJ */
#define JOULE ((double)1e21)           /* zJ */

orr_power orr_power_from_watts(double watts)
{
    g_assert(watts >= 0 && watts <= ORR_MAX_WATTS);
    return (orr_power)(watts * 1e12 + 0.5);
}

/* Computes in two steps, as the product has more digits than a double. */
orr_energy orr_energy_from_joules(double joules)
{
    orr_energy whole;

    g_assert(joules >= 0 && joules <= ORR_MAX_JOULES);
    whole = (orr_energy)(joules * 1e9);
    return whole * NJ +
           (orr_energy)((joules - (double)whole / 1e9) * JOULE + 0.5);
}

double orr_power_to_watts(orr_power power)
{
    return (double)power / 1e12;
}

double orr_energy_to_joules(orr_energy energy)
{
    orr_energy whole = energy / NJ;

    return (double)whole / 1e9 + (double)(energy - whole * NJ) / JOULE;
}

int64_t orr_energy_to_nj(orr_energy energy)
{
    orr_energy nj = (energy + NJ / 2) / NJ;

    return nj > INT64_MAX ? INT64_MAX : (int64_t)nj;
}

const char *orr_power_levels_wrong(const struct orr_power_levels *levels)
{
    if (levels->fixed > levels->busy)
        return "static is above busy";
    if (levels->fixed > levels->poll)
        return "static is above poll";
    return NULL;
}

orr_power orr_power_share(orr_power all, orr_power fixed, unsigned cores)
{
    orr_power more = all - fixed;

    g_assert(more >= 0);
    return (more + cores / 2) / (orr_power)cores;
}

orr_energy orr_link_energy(const struct orr_link_power *link, double bytes,
                           double bytes_per_s)
{
    double joules =
        orr_power_to_watts(link->busy - link->idle) * bytes / bytes_per_s +
        link->joules_per_message + link->joules_per_byte * bytes;

    return orr_energy_from_joules(MIN(joules, ORR_MAX_JOULES));
}

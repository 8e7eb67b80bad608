/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/bounds/bounds.h"

#include <math.h>

void orr_bounds_init(struct orr_bounds *bounds)
{
    *bounds =
        (struct orr_bounds){NAN, NAN, NAN, NAN, .energy = {NAN, NAN, NAN}};
}

void orr_bounds_compute(struct orr_bounds *bounds,
                        const struct orr_workload *workload,
                        const struct orr_supply *supply)
{
    bounds->area_s = orr_bound_area(workload);
    bounds->critical_path_s = orr_bound_critical_path(workload);
    bounds->mixed_s = orr_bound_mixed(workload);
    bounds->transfer_s = orr_bound_transfer(workload, supply);
    orr_energy_bounds_compute(&bounds->energy, workload);
}

double orr_bounds_best(const struct orr_bounds *bounds)
{
    return fmax(fmax(bounds->area_s, bounds->critical_path_s),
                fmax(bounds->mixed_s, bounds->transfer_s));
}

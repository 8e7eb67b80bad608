/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/bounds/workload.h"

#include <glib.h>
#include <math.h>

void orr_workload_free(struct orr_workload *workload)
{
    if (!workload)
        return;
    g_free(workload->workers);
    g_free(workload->seconds);
    g_free(workload->joules);
    g_free(workload->kernels);
    g_free(workload->first_predecessor);
    g_free(workload->predecessors);
    g_free(workload->first_access);
    g_free(workload->accesses);
    g_free(workload->data);
    g_free(workload);
}

double orr_workload_seconds(const struct orr_workload *workload,
                            unsigned kernel, unsigned class)
{
    return workload->workers[class] > 0
               ? workload->seconds[kernel * workload->class_count + class]
               : INFINITY;
}

void orr_supply_free(struct orr_supply *supply)
{
    if (!supply)
        return;
    g_free(supply->memory_bytes);
    g_free(supply->routes);
    g_free(supply->bytes_per_s);
    g_free(supply->own_links);
    g_free(supply);
}

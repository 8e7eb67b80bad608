/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/bounds/bounds_path.h"

#include <glib.h>
#include <math.h>

#include "models/bounds/bounds.h"

/* The fastest time of @kernel; INFINITY if no worker can run it. */
static double fastest_seconds(const struct orr_workload *workload,
                              unsigned kernel)
{
    double fastest = INFINITY;

    for (unsigned c = 0; c < workload->class_count; c++)
        fastest = fmin(fastest, orr_workload_seconds(workload, kernel, c));
    return fastest;
}

double orr_bound_path(const struct orr_workload *workload,
                      const double *seconds, const unsigned *of, double *ends,
                      unsigned *last)
{
    double longest = 0;

    *last = 0;
    for (unsigned i = 0; i < workload->task_count; i++) {
        double start = 0;

        for (size_t p = workload->first_predecessor[i];
             p < workload->first_predecessor[i + 1]; p++)
            start = fmax(start, ends[workload->predecessors[p]]);
        ends[i] = start + seconds[of[i]];
        if (ends[i] > longest) {
            longest = ends[i];
            *last = i;
        }
    }
    return longest;
}

double orr_bound_critical_path(const struct orr_workload *workload)
{
    double *seconds = g_new(double, workload->kernel_count);
    double *ends = g_new(double, workload->task_count);
    double longest;
    unsigned last;

    for (unsigned k = 0; k < workload->kernel_count; k++)
        seconds[k] = fastest_seconds(workload, k);
    longest = orr_bound_path(workload, seconds, workload->kernels, ends, &last);
    g_free(ends);
    g_free(seconds);
    return longest;
}

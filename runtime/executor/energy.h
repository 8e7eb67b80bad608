/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_ENERGY_H
#define ORR_RUN_ENERGY_H

#include "models/energy/power.h"
#include "runtime/orrery.h"

/*
 * The joules of a run: those of kernels whose costs are given
 * (orr_kernel_set_costs()), and the idle power of the machine, all the time, as
 * StarPU's starpu_energy_used() adds them. Each kernel keeps its own, by
 * device; the rest is here. Memory does not depend on the length of the run.
 */
struct orr_kernel;
struct orr_worker;

struct orr_run_energy {
    bool known;       /* some kernel has joules */
    orr_energy power; /* pW, of the kernels that run now */
    orr_energy peak;  /* pW */
    orr_time since;   /* when @power changed last */

    /* What orr_run_report() shows. */
    struct orr_energy_report report;
    struct orr_energy_item *devices;
    struct orr_energy_item *kernels;
};

/* @kernel, which has joules, begins or ends on @worker; it takes @duration. */
void orr_energy_begin(struct orr_run *run, const struct orr_kernel *kernel,
                      const struct orr_worker *worker, orr_time duration);
void orr_energy_end(struct orr_run *run, struct orr_kernel *kernel,
                    const struct orr_worker *worker, orr_time duration);

/* The joules so far, to be called once the makespan is known; NULL: no kernel
 * has joules. Valid until the next call. */
const struct orr_energy_report *orr_energy_sum(struct orr_run *run);

void orr_energy_clear(struct orr_run *run);

#endif

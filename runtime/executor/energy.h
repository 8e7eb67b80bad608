/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_ENERGY_H
#define ORR_RUN_ENERGY_H

#include "models/energy/meter.h"
#include "runtime/orrery.h"

/*
 * The energy of a run, in joules: of the devices, each measured by a meter
 * (models/energy/meter.h); of kernels with given costs
 * (orr_kernel_set_costs()); of copies; and the idle power of the whole machine
 * during the run, as StarPU's starpu_energy_used() adds it. The energy of
 * kernels, by device, is in struct orr_kernel, all else here. Memory use does
 * not depend on the length of the run.
 */
#define ORR_DEFAULT_GAMMA 1000.0 /* us per joule, of StarPU */

struct orr_job;
struct orr_kernel;
struct orr_task;
struct orr_worker;
struct orr_workload;

/* The kernel that runs on a worker. */
struct orr_running {
    orr_power power; /* power that it adds */
    orr_time since;
    double joules; /* energy of the kernel, if its costs are given */
};

struct orr_run_energy {
    orr_energy power;  /* pW, of all meters now */
    orr_energy peak;   /* pW */
    orr_energy copies; /* so far */
    orr_time since;    /* date at which @power changed last */
    bool known;        /* some figures are given */
    bool weighed;      /* policies see the platform's joules */
    bool polling;      /* workers without a kernel poll */
    bool links;        /* some link has figures */

    struct orr_meter *meters;    /* meters by device in use; owned */
    struct orr_running *running; /* running kernels by worker; owned */

    /* The result of orr_energy_sum(). */
    struct orr_energy_report report;
    struct orr_energy_item *devices;
    struct orr_energy_item *kernels;
};

/* To be called once the workers are known. */
void orr_energy_init(struct orr_run *run, bool polling, bool weighed);

/* The first task is submitted: counts from now on. */
void orr_energy_start(struct orr_run *run);

/* The kernel of @job begins on @worker, where it takes @duration, or @kernel
 * ends there. */
void orr_energy_begin(struct orr_run *run, const struct orr_job *job,
                      const struct orr_worker *worker, orr_time duration);
void orr_energy_end(struct orr_run *run, struct orr_kernel *kernel,
                    const struct orr_worker *worker);

/* @bytes are copied over @links, @count of the platform's. How long that takes
 * makes no difference. */
void orr_energy_copy(struct orr_run *run, const unsigned *links, unsigned count,
                     double bytes);

/* For policies: the joules of a task, by worker and implementation; NULL: not
 * known. @data is the run. */
const double *orr_energy_expect(void *data, const struct orr_task *task);

/* The report on the energy of the run, once the makespan is known; NULL: no
 * figures are known. Valid until the next call. */
const struct orr_energy_report *orr_energy_sum(struct orr_run *run);

/* The constant part of the power: GPUs that the run does not use, which are
 * off; idle links; and orr_sched_weights.idle_power_w for the whole machine. */
orr_power orr_energy_constant(const struct orr_run *run);

/* Power that @kernel, whose costs are not given, adds on @worker if it runs
 * there for @duration, as meters count it. */
orr_power orr_energy_power_of(const struct orr_run *run,
                              const struct orr_kernel *kernel,
                              const struct orr_worker *worker,
                              orr_time duration);

/* Adds the input of bounds on energy to @workload, which has its times and
 * workers. Does nothing if no figures are known. */
void orr_energy_add_workload(const struct orr_run *run,
                             struct orr_workload *workload);

void orr_energy_clear(struct orr_run *run);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_ENERGY_H
#define ORR_RUN_ENERGY_H

#include "models/energy/meter.h"
#include "runtime/orrery.h"

/*
 * The joules of a run: what the devices of the platform draw, by a meter at
 * each (models/energy/meter.h), kernels whose costs are given
 * (orr_kernel_set_costs()), copies, and the idle power of the machine, all the
 * time, as StarPU's starpu_energy_used() adds it. Each kernel keeps its own, by
 * device; the rest is here. Memory does not depend on the length of the run.
 */
#define ORR_DEFAULT_GAMMA 1000.0 /* us per joule, of StarPU */

struct orr_job;
struct orr_kernel;
struct orr_task;
struct orr_worker;
struct orr_workload;

/* The kernel that runs on a worker. */
struct orr_running {
    orr_power power; /* that it adds */
    orr_time since;
    double joules; /* that it takes, if the costs of its kernel are given */
};

struct orr_run_energy {
    orr_energy power;  /* pW, of all meters now */
    orr_energy peak;   /* pW */
    orr_energy copies; /* so far */
    orr_time since;    /* when @power changed last */
    bool known;        /* some figures are given */
    bool weighed;      /* policies see those of the platform */
    bool polling;      /* workers without a kernel poll */
    bool links;        /* some link has figures */

    struct orr_meter *meters;    /* by device in use; owned */
    struct orr_running *running; /* by worker; owned */

    /* What orr_run_report() shows. */
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

/* For policies: the joules of a task on each worker, of each implementation
 * there; NULL: not known. @data is the run. */
const double *orr_energy_expect(void *data, const struct orr_task *task);

/* The joules so far, to be called once the makespan is known; NULL: nothing is
 * known. Valid until the next call. */
const struct orr_energy_report *orr_energy_sum(struct orr_run *run);

/* What does not change: GPUs that the run does not use, which are off; idle
 * links; and what the user says that the whole machine draws. */
orr_power orr_energy_constant(const struct orr_run *run);

/* What @kernel, whose costs are not given, adds while it runs on @worker for
 * @duration, as meters count it. */
orr_power orr_energy_power_of(const struct orr_run *run,
                              const struct orr_kernel *kernel,
                              const struct orr_worker *worker,
                              orr_time duration);

/* Adds to @workload, of which times and workers are there, what bounds on
 * energy need. Nothing if nothing is known. */
void orr_energy_add_workload(const struct orr_run *run,
                             struct orr_workload *workload);

void orr_energy_clear(struct orr_run *run);

#endif

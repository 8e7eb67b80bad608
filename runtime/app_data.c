/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of the application about data: acquire, release, unregister; hints
 * (prefetch, wont_use); dependencies that its accesses do not imply. */
#include "runtime/application/acquire.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"
#include "runtime/worker/submit.h"

void orr_data_wont_use(struct orr_run *run, struct orr_data *data)
{
    struct orr_job *job;
    struct orr_access access = {.data = data, .mode = ORR_R};

    if (orr_run_ignores(run) || !orr_check_data(run, data))
        return;
    if (run->capture) {
        run->capture->wont_use(run->capture, data);
        return;
    }
    job = orr_job_new(&run->graph, ORR_JOB_WONT_USE, &access, 1);
    orr_run_submit(run, job);
}

void orr_data_set_unordered(struct orr_run *run, struct orr_data *data,
                            bool unordered)
{
    if (!orr_check_data(run, data))
        return;
    data->unordered = unordered;
    run->graph.claims_by_data |= unordered;
}

/* What is wrong with a reduction of @data by @kernel, or NULL. */
static const char *wrong_reduction(const struct orr_run *run,
                                   const struct orr_data *data,
                                   const struct orr_kernel *kernel,
                                   const struct orr_task_times *times)
{
    if (data->redux)
        return "the datum has a reduction already";
    if (!kernel)
        return "the kernel of a reduction is NULL";
    if (kernel->run != run)
        return "the kernel of a reduction is of another run";
    if (kernel->joules)
        return "the kernel of a reduction has costs";
    if (times && (times->cpu_ns < 0 || times->gpu_ns < 0))
        return "the times of a reduction are below 0";
    if (!times && kernel->brings_times)
        return "a reduction has no times, and its kernel no durations";
    return NULL;
}

void orr_data_set_reduction(struct orr_run *run, struct orr_data *data,
                            struct orr_kernel *kernel,
                            const struct orr_task_times *times)
{
    const struct orr_task_spec spec = {.kernel = kernel, .times = times};
    const char *wrong;

    if (run->error || !orr_check_data(run, data))
        return;
    wrong = wrong_reduction(run, data, kernel, times);
    if (wrong) {
        orr_run_refuse(run, "%s", wrong);
        return;
    }
    if (!run->capture && !orr_kernel_with(&spec, true)) {
        orr_run_refuse(run, "no worker of the run can run a reduction in its "
                            "times");
        return;
    }
    orr_redux_new(run, data, kernel, times);
}

static void prefetch(struct orr_run *run, struct orr_data *data, unsigned node,
                     bool idle)
{
    if (orr_run_ignores(run) || !orr_check_data(run, data) ||
        !orr_check_node(run, node) || run->capture || run->recording)
        return;
    if (run->submitted_by_callback) {
        orr_data_bring(run, data, node, idle);
        return;
    }
    orr_guard_go_on(run->app_guard);
    orr_job_prefetch(run, data, node, idle);
    orr_run_until_idle(run, &run->main);
    orr_guard_rest(run->guard);
}

void orr_data_prefetch(struct orr_run *run, struct orr_data *data,
                       unsigned node)
{
    prefetch(run, data, node, false);
}

void orr_data_idle_prefetch(struct orr_run *run, struct orr_data *data,
                            unsigned node)
{
    prefetch(run, data, node, true);
}

/* Whether the application may wait until it can access @data; it would wait for
 * itself if it had it already in a way that conflicts. */
static bool may_wait(struct orr_run *run, struct orr_data *data,
                     enum orr_access_mode mode)
{
    const struct orr_acquisition *own;

    if (orr_run_ignores(run) || !orr_check_data(run, data) ||
        !orr_run_may_wait(run))
        return false;
    if (mode != ORR_R && mode != ORR_W && mode != ORR_RW)
        return orr_run_refuse(run,
                              "the application acquires a datum with the mode "
                              "%d: expected ORR_R, ORR_W or ORR_RW",
                              (int)mode);
    own = run->acquired ? g_hash_table_lookup(run->acquired, data) : NULL;
    return !own || !((own->mode | mode) & ORR_W) ||
           orr_run_refuse(run, "the application acquires a datum that it has "
                               "not released");
}

/* The application waits until it has @data in RAM. */
static bool acquire(struct orr_run *run, struct orr_data *data,
                    enum orr_access_mode mode, bool unregisters, GError **error)
{
    struct orr_access access = {.data = data, .mode = mode};
    struct orr_acquisition *acquisition;
    struct orr_job *job;

    if (!may_wait(run, data, mode)) /* or the recording is full */
        return (run->recording && !run->error) || orr_run_wait(run, error);
    if (run->capture) {
        run->capture->waits(run->capture, data);
        return true;
    }
    job = orr_job_new(&run->graph, ORR_JOB_ACQUIRE, &access, 1);
    if (run->recording) {
        orr_run_submit(run, job);
        return true;
    }
    acquisition = orr_acquisition_begin(run, job, unregisters);
    orr_run_submit(run, job);
    if (orr_actor_idle(&run->main))
        orr_acquisition_act(run);
    orr_run_until_idle(run, &run->main);
    orr_guard_rest(run->guard);
    if (!acquisition->complete)
        return orr_run_wait(run, error);
    orr_acquisition_list(run);
    return true;
}

/* Ends an acquisition of @data; returns false if there is none. */
static bool release(struct orr_run *run, struct orr_data *data)
{
    struct orr_acquisition *acquisition = orr_acquisition_take(run, data);

    if (!acquisition)
        return false;
    orr_guard_go_on(run->app_guard);
    orr_acquisition_release(run, acquisition);
    orr_run_until_idle(run, &run->main);
    orr_guard_rest(run->guard);
    return true;
}

bool orr_data_acquire(struct orr_run *run, struct orr_data *data,
                      enum orr_access_mode mode, GError **error)
{
    return acquire(run, data, mode, false, error);
}

void orr_data_release(struct orr_run *run, struct orr_data *data)
{
    if (orr_run_ignores(run) || !orr_check_data(run, data) ||
        !orr_run_may_wait(run) || run->capture || run->recording)
        return;
    if (!release(run, data))
        orr_run_refuse(run, "the application releases a datum that it has not "
                            "acquired");
}

bool orr_data_unregister(struct orr_run *run, struct orr_data *data,
                         GError **error)
{
    if (!acquire(run, data, ORR_RW, true, error))
        return false;
    release(run, data);
    return true;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Durations of tasks. For each kernel and device there is a variation: the
 * histogram that the platform has measured, or an assumed lognormal law, or the
 * durations of a record. A random duration is a draw keyed by (seed, task,
 * class of worker), so it does not depend on the schedule. A decider may choose
 * a quantile instead of the draw.
 */
#include "runtime/executor/duration.h"

#include "models/cost/lognormal.h"
#include "models/import/record.h"
#include "models/rng.h"
#include "runtime/engine/decision.h"
#include "runtime/run.h"

/* Streams of draws, one for each class of workers; no name's hash is near. */
#define CPU_STREAM 0x6475726174696f6eu
#define GPU_STREAM (CPU_STREAM + 1)

/* A draw of 0 would be minus infinity for a law without bounds. */
#define HALF_A_STEP 0x1p-54

/* How a kernel varies on one device. */
struct orr_variation {
    const struct orr_histogram *histogram; /* the platform's, or NULL */
    struct orr_lognormal law; /* without a histogram; sigma 0: no variation */
    double factor;
    orr_time recorded; /* mean of the tasks in the record; 0: none */
};

orr_time orr_duration_scale(orr_time time, double factor)
{
    if (factor >= 1 && factor <= 1)
        return time;
    return MAX(1, orr_time_from_seconds(orr_time_to_seconds(time) * factor));
}

static orr_time recorded_mean(const struct orr_run *run,
                              const struct orr_kernel *kernel, unsigned device)
{
    const struct orr_record *record = run->kernels.record;
    double sum = 0;
    unsigned count = 0;

    for (unsigned i = 0; record && i < record->count; i++) {
        unsigned other;

        if (!orr_record_is(&record->tasks[i], kernel->model) ||
            !orr_record_device(&record->tasks[i], run->platform, run->gpu_count,
                               &other) ||
            other != device)
            continue;
        sum += (double)record->tasks[i].duration;
        count++;
    }
    return count > 0 ? (orr_time)(sum / count + 0.5) : 0;
}

/* Assumes a law instead of the measured histogram. @mean includes all factors
 * already. */
static void assume_law(struct orr_variation *variation, orr_time mean,
                       double spread)
{
    orr_time deviation =
        orr_time_from_seconds(orr_time_to_seconds(mean) * spread);

    variation->factor = 1;
    orr_lognormal_init(&variation->law, mean, deviation);
}

/* The measured duration of the platform; NULL: there is none, or the task
 * brings its own times. */
static const struct orr_platform_duration *
measured(const struct orr_kernel *kernel, unsigned device)
{
    return kernel->given.timed ? NULL
                               : orr_platform_find_duration(
                                     kernel->model, kernel->tile, device);
}

static void set_variation(const struct orr_run *run, struct orr_kernel *kernel,
                          unsigned device, double factor)
{
    struct orr_variation *variation = &kernel->variations[device];
    const struct orr_platform_duration *known = measured(kernel, device);

    variation->factor = factor;
    variation->recorded = recorded_mean(run, kernel, device);
    if (run->kernels.spread >= 0) {
        assume_law(variation, kernel->means[device], run->kernels.spread);
        return;
    }
    if (!known)
        return;
    variation->histogram = known->histogram;
    orr_lognormal_init(&variation->law, known->mean, known->deviation);
}

/* The mean as read, not rounded to ns, unless it was changed since. */
static double exact_mean(const struct orr_platform_duration *known,
                         orr_time mean, double factor)
{
    double exact = known ? known->mean_s * factor : 0;

    return orr_time_from_seconds(exact) == mean ? exact
                                                : orr_time_to_seconds(mean);
}

void orr_duration_set(struct orr_run *run, struct orr_kernel *kernel,
                      const double factors[ORR_MAX_NODES])
{
    if (run->switches.durations != ORR_DURATIONS_MEAN && !kernel->variations)
        kernel->variations = g_new0(struct orr_variation, ORR_MAX_NODES);
    for (unsigned device = 0; device < run->node_count; device++) {
        const struct orr_platform_duration *known = measured(kernel, device);

        kernel->means[device] = kernel->durations[device];
        if (kernel->durations[device] == ORR_NEVER)
            continue;
        if (known && known->histogram)
            kernel->means[device] = orr_duration_scale(
                orr_histogram_mean(known->histogram), factors[device]);
        kernel->means_s[device] =
            exact_mean(known, kernel->means[device], factors[device]);
        if (!kernel->variations)
            continue;
        set_variation(run, kernel, device, factors[device]);
        run->totals.report.assumed |= !run->kernels.record &&
                                      !kernel->variations[device].histogram &&
                                      kernel->variations[device].law.sigma > 0;
    }
}

static bool is_known(const struct orr_run *run,
                     const struct orr_record_task *task)
{
    for (unsigned i = 0; i < run->platform->kernel_count; i++) {
        if (orr_record_is(task, &run->platform->kernels[i]))
            return true;
    }
    return false;
}

/* Drops recorded tasks that are not submitted here: a program may run others,
 * say to initialise its data. */
static void drop_unknown(const struct orr_run *run, struct orr_record *record)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < record->count; i++) {
        if (is_known(run, &record->tasks[i]))
            record->tasks[kept++] = record->tasks[i];
    }
    record->count = kept;
}

bool orr_duration_read(struct orr_run *run, const char *path, GError **error)
{
    run->kernels.record = orr_record_read(path, error);
    if (!run->kernels.record)
        return false;
    drop_unknown(run, run->kernels.record);
    if (run->kernels.record->count > 0)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: no task runs a kernel of platform %s",
                run->kernels.record->path, run->platform->name);
    return false;
}

/* For messages; a kernel that an application brings has no family. */
static char *describe(const struct orr_platform_kernel *kernel)
{
    if (!*kernel->family)
        return g_strdup(kernel->name);
    return g_strdup_printf("%s of %s in %s precision", kernel->name,
                           kernel->family,
                           orr_precision_name(kernel->precision));
}

bool orr_duration_check(const struct orr_run *run, const struct orr_job *job,
                        GError **error)
{
    const struct orr_record *record = run->kernels.record;
    const struct orr_record_task *task;
    g_autofree char *quoted = NULL;
    g_autofree char *known = NULL;

    if (job->id >= record->count) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: the record ends after %u tasks, the application goes "
                    "on",
                    record->path, record->count);
        return false;
    }
    task = &record->tasks[job->id];
    if (orr_record_is(task, orr_job_kernel(&run->graph, job)->model))
        return true;
    quoted = orr_quote(task->name);
    known = describe(orr_job_kernel(&run->graph, job)->model);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s:%u: task %" G_GUINT64_FORMAT
                " is %s in the record, but %s here",
                record->path, task->line, (uint64_t)job->id, quoted, known);
    return false;
}

static orr_time replay(struct orr_run *run, const struct orr_job *job,
                       unsigned device)
{
    const struct orr_record_task *task = &run->kernels.record->tasks[job->id];
    const struct orr_variation *variation =
        &orr_job_kernel(&run->graph, job)->variations[device];
    unsigned other;

    if (orr_record_device(task, run->platform, run->gpu_count, &other) &&
        other == device) {
        run->totals.report.sources.record++;
        return orr_duration_scale(task->duration, variation->factor);
    }
    if (variation->recorded > 0) {
        run->totals.report.sources.elsewhere++;
        return orr_duration_scale(variation->recorded, variation->factor);
    }
    run->totals.report.sources.mean++;
    return orr_job_kernel(&run->graph, job)->means[device];
}

static orr_time sample(struct orr_run *run, const struct orr_job *job,
                       unsigned device)
{
    const struct orr_variation *variation =
        &orr_job_kernel(&run->graph, job)->variations[device];
    double draw = orr_rng_uniform(
        run->seed, device == ORR_RAM ? CPU_STREAM : GPU_STREAM, job->id);

    if (variation->histogram) {
        run->totals.report.sources.histogram++;
        return orr_duration_scale(
            orr_histogram_quantile(variation->histogram, draw),
            variation->factor);
    }
    if (variation->law.sigma > 0) {
        run->totals.report.sources.lognormal++;
        return orr_duration_scale(
            orr_lognormal_quantile(&variation->law, draw + HALF_A_STEP),
            variation->factor);
    }
    run->totals.report.sources.mean++;
    return orr_job_kernel(&run->graph, job)->means[device];
}

/* A decider chooses between the default and this many quantiles. */
enum { QUANTILES = 7 };

/* Where nothing better is known, durations deviate by this, in proportion. */
#define ASSUMED_SPREAD 0.3

static orr_time quantile(const struct orr_run *run, const struct orr_job *job,
                         unsigned device, double p)
{
    const struct orr_platform_duration *known = orr_platform_find_duration(
        orr_job_kernel(&run->graph, job)->model,
        orr_job_kernel(&run->graph, job)->tile, device);
    orr_time mean = orr_job_kernel(&run->graph, job)->means[device];
    double spread =
        run->kernels.spread > 0 ? run->kernels.spread : ASSUMED_SPREAD;
    struct orr_variation variation = {0};

    if (known && known->histogram)
        return orr_histogram_quantile(known->histogram, p);
    assume_law(&variation, mean, spread);
    return orr_lognormal_quantile(&variation.law, p);
}

/* Option 0 of the decider is @otherwise. */
static orr_time decide(struct orr_run *run, const struct orr_job *job,
                       unsigned device, orr_time otherwise)
{
    unsigned option = orr_decide(run->engine.decider, ORR_DECIDE_DURATION,
                                 1 + QUANTILES, NULL);

    if (option == 0)
        return otherwise;
    return quantile(run, job, device, (option - 0.5) / QUANTILES);
}

orr_time orr_duration_of(struct orr_run *run, const struct orr_job *job,
                         unsigned device)
{
    orr_time duration = orr_job_kernel(&run->graph, job)->means[device];

    if (run->switches.durations != ORR_DURATIONS_MEAN)
        duration = run->kernels.record ? replay(run, job, device)
                                       : sample(run, job, device);
    if (run->engine.decider)
        duration = decide(run, job, device, duration);
    return duration;
}

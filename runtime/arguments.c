/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks of arguments. The checks of a task are on the path of each submission:
 * the common case is inline, and everything that describes an error is not.
 */
#include "runtime/arguments.h"

#include <math.h>

#include "runtime/application/partition.h"
#include "runtime/config/run_config.h"
#include "runtime/executor/duration.h"
#include "runtime/executor/kernel.h"
#include "runtime/fixed_mapping.h"
#include "runtime/run.h"
#include "sched/registry.h"

static bool refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(GError **error, const char *format, ...)
{
    g_autofree char *message = NULL;
    va_list arguments;

    va_start(arguments, format);
    message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, message);
    return false;
}

bool orr_run_refuse(struct orr_run *run, const char *format, ...)
{
    g_autofree char *message = NULL;
    va_list arguments;

    va_start(arguments, format);
    message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (!run->error)
        run->error = g_error_new_literal(ORR_ERROR, ORR_ERROR_VALUE, message);
    return false;
}

bool orr_refuse_data(struct orr_run *run, const struct orr_data *data,
                     const char *why)
{
    g_autofree char *name = orr_data_describe(data);

    return orr_run_refuse(run, "%s %s", name, why);
}

static bool refuse_number(const char *member, double number,
                          const char *expected, GError **error)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    return refuse(error, "%s is %s: expected %s", member,
                  g_ascii_formatd(text, sizeof(text), "%g", number), expected);
}

static bool check_count(const char *member, int count, GError **error)
{
    return count >= -1 ||
           refuse(error, "%s is %d: expected -1 or a number", member, count);
}

static bool check_weight(const char *member, double weight, double most,
                         GError **error)
{
    if (weight >= 0 && weight <= most)
        return true;
    return refuse_number(member, weight, most < 1e9 ? "0 to 1e6" : "0 to 1e12",
                         error);
}

static bool is_default(double gamma)
{
    return gamma <= -1 && gamma >= -1;
}

static bool check_weights(const struct orr_config *config, GError **error)
{
    return check_weight("alpha", config->alpha, 1e12, error) &&
           check_weight("beta", config->beta, 1e12, error) &&
           (is_default(config->gamma) ||
            check_weight("gamma", config->gamma, 1e12, error)) &&
           check_weight("idle_power_w", config->idle_power_w, ORR_MAX_WATTS,
                        error);
}

static bool check_window(const struct orr_config *config, GError **error)
{
    if (config->window.least < -1)
        return refuse(error,
                      "window: MIN is %" G_GINT64_FORMAT
                      ": expected at least 0, or -1 for none",
                      config->window.least);
    if (config->window.least >= 0 &&
        (uint64_t)config->window.least > config->window.most)
        return refuse(error,
                      "window: MIN is %" G_GINT64_FORMAT
                      ", above MAX, which is %" G_GUINT64_FORMAT,
                      config->window.least, config->window.most);
    return true;
}

/* The tasks to skip must ascend, because submissions check only the first
 * one. */
static bool check_left_out(const struct orr_config *config, GError **error)
{
    const uint64_t *tasks = config->left_out;

    if (config->left_out_count > 0 && !tasks)
        return refuse(
            error, "left_out is NULL, but left_out_count is %" G_GSIZE_FORMAT,
            config->left_out_count);
    for (size_t i = 1; i < config->left_out_count; i++) {
        if (tasks[i - 1] >= tasks[i])
            return refuse(error,
                          "left_out has task %" G_GUINT64_FORMAT
                          " after task %" G_GUINT64_FORMAT
                          ": expected ascending numbers",
                          tasks[i], tasks[i - 1]);
    }
    return true;
}

static bool check_where(const struct orr_config *config, GError **error)
{
    for (unsigned i = 0; config->where && config->where[i]; i++) {
        enum orr_where where;
        size_t length;

        if (!orr_restriction_parse(config->where[i], &length, &where, error)) {
            g_prefix_error(error, "where: ");
            return false;
        }
    }
    return true;
}

static bool check_policy(const struct orr_config *config, GError **error)
{
    if (config->policy && !orr_sched_check(config->policy, error)) {
        g_prefix_error(error, "policy: ");
        return false;
    }
    return config->policy != orr_sched_decide() || config->window.most == 0 ||
           refuse(error, "window: the policy decide has none");
}

bool orr_config_check(const struct orr_config *config, GError **error)
{
    if (!config->platform && !config->machine)
        return refuse(error, "platform is NULL: expected a name or a file");
    if (!check_count("cpus", config->cpus, error) ||
        !check_count("gpus", config->gpus, error))
        return false;
    if (config->gpu_memory_bytes > 0 &&
        config->gpu_memory_bytes < ORR_MIN_USABLE_MEMORY)
        return refuse(error,
                      "gpu_memory_bytes is %" G_GUINT64_FORMAT
                      ": expected 0, or at least 1 MiB",
                      config->gpu_memory_bytes);
    if (config->pipeline < 0 || config->pipeline > ORR_MAX_PIPELINE)
        return refuse(error, "pipeline is %d: expected a number from 0 to %d",
                      config->pipeline, ORR_MAX_PIPELINE);
    if (!(config->perturb.share >= 0 && config->perturb.share < 1))
        return refuse_number("perturb", config->perturb.share,
                             "a number from 0 to below 1", error);
    if (!(config->spread >= 0 && isfinite(config->spread)) &&
        !(config->spread >= -1 && config->spread <= -1))
        return refuse_number("spread", config->spread,
                             "-1, or a number from 0 on", error);
    return check_weights(config, error) && check_window(config, error) &&
           check_left_out(config, error) && check_where(config, error) &&
           check_policy(config, error);
}

static inline bool is_registered(const struct orr_run *run,
                                 const struct orr_data *data)
{
    return data && data->id < run->store.data->len &&
           run->store.data->pdata[data->id] == data;
}

bool orr_check_registered(struct orr_run *run, const struct orr_data *data)
{
    return is_registered(run, data) ||
           orr_run_refuse(run, !data ? "the datum is NULL"
                               : data->id == ORR_UNREGISTERED
                                   ? "a datum that was unregistered"
                                   : "a datum of another run");
}

/* Why the next submission may not access @data in this mode; NULL: it may. */
static const char *wrong_state(const struct orr_run *run,
                               const struct orr_data *data,
                               enum orr_access_mode mode)
{
    if (data->leaving)
        return "was unregistered";
    if (data->empty && mode & ORR_R)
        return "has no content that could be read: no task writes it before";
    return run->app.partitions ? orr_partitions_hide(run, data, mode) : NULL;
}

bool orr_check_data(struct orr_run *run, const struct orr_data *data,
                    enum orr_access_mode mode)
{
    const char *wrong;

    if (!orr_check_registered(run, data))
        return false;
    wrong = run->app.checks_data ? wrong_state(run, data, mode) : NULL;
    return !wrong || orr_refuse_data(run, data, wrong);
}

bool orr_check_node(struct orr_run *run, unsigned node)
{
    return run->capture || node < run->node_count ||
           orr_run_refuse(run,
                          "there is no memory node %u: expected 0, for RAM, "
                          "to %u, for the last GPU",
                          node, run->node_count - 1);
}

static inline bool is_mode(enum orr_access_mode mode)
{
    const unsigned modes =
        1u << ORR_R | 1u << ORR_W | 1u << ORR_RW | 1u << (ORR_RW | ORR_COMMUTE);

    return (unsigned)mode < 8 && modes >> mode & 1;
}

static char *describe_wrong_access(const struct orr_run *run,
                                   const struct orr_access *access)
{
    if (!access->data)
        return g_strdup("data is NULL");
    if (!is_registered(run, access->data))
        return g_strdup(access->data->id == ORR_UNREGISTERED
                            ? "data was unregistered"
                            : "data is of another run");
    return g_strdup_printf("mode is %d: expected ORR_R, ORR_W, ORR_RW, "
                           "ORR_RW | ORR_COMMUTE or ORR_REDUX",
                           (int)access->mode);
}

/* Refuses @spec, because of its access @i or for another reason. */
static G_GNUC_NO_INLINE bool refuse_task(struct orr_run *run,
                                         const struct orr_task_spec *spec,
                                         unsigned i, const char *why)
{
    uint64_t number = run->graph.submitted + run->left_out.before;
    const char *name = spec->name && *spec->name ? spec->name
                       : spec->kernel && spec->kernel->run == run
                           ? spec->kernel->model->name
                           : "unnamed";
    g_autofree char *access =
        why ? NULL : describe_wrong_access(run, &spec->accesses[i]);

    if (why)
        return orr_run_refuse(run, "task %" G_GUINT64_FORMAT " (%s): %s",
                              number, name, why);
    return orr_run_refuse(run, "task %" G_GUINT64_FORMAT " (%s): access %u: %s",
                          number, name, i, access);
}

static bool has_tag_0(const uint64_t *tags, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (tags[i] == 0)
            return true;
    }
    return false;
}

static G_GNUC_NO_INLINE const char *wrong_tags(const struct orr_task_spec *spec)
{
    if (!spec->wait_tags && spec->wait_count > 0)
        return "wait_tags is NULL, but wait_count is not 0";
    if (!spec->end_tags && spec->end_count > 0)
        return "end_tags is NULL, but end_count is not 0";
    if (has_tag_0(spec->wait_tags, spec->wait_count))
        return "it waits for tag 0, which means no tag";
    if (has_tag_0(spec->end_tags, spec->end_count))
        return "it has an end dependency for tag 0, which means no tag";
    if (spec->end_releases > ORR_MAX_TASKS)
        return "end_releases is above 1e9";
    return NULL;
}

static G_GNUC_NO_INLINE const char *
wrong_synchronisation(const struct orr_task_spec *spec)
{
    if (spec->kernel || spec->times)
        return "it synchronises, but has a kernel or times";
    if (spec->calls && spec->calls->kernel.function)
        return "it synchronises, but is a kernel of the application";
    return spec->costs || spec->blocks_driver
               ? "it synchronises, but has costs or blocks its driver"
               : NULL;
}

static inline const char *wrong_kernel(const struct orr_run *run,
                                       const struct orr_task_spec *spec)
{
    if (G_UNLIKELY(!spec->kernel))
        return spec->synchronises ? wrong_synchronisation(spec)
                                  : "kernel is NULL";
    if (G_UNLIKELY(spec->kernel->run != run))
        return "kernel is of another run";
    if (G_UNLIKELY(spec->kernel->brings_times) && !spec->times && !spec->costs)
        return "times is NULL, but its kernel has no durations";
    return NULL;
}

static G_GNUC_NO_INLINE const char *
wrong_coordinates(const struct orr_task_spec *spec)
{
    if (spec->coordinate_count > ORR_MAX_COORDINATES)
        return "coordinate_count is above ORR_MAX_COORDINATES";
    for (unsigned i = 0; i < spec->coordinate_count; i++) {
        if (spec->coordinates[i] > ORR_MAX_COORDINATE)
            return "a coordinate is above ORR_MAX_COORDINATE";
    }
    return NULL;
}

static G_GNUC_NO_INLINE const char *
wrong_workers(const struct orr_run *run, const struct orr_task_spec *spec)
{
    if (spec->pinned && spec->worker_count != 1)
        return "it is pinned, but names not one worker";
    if (spec->worker_count > 0 && !spec->workers)
        return "workers is NULL, but worker_count is not 0";
    if (spec->worker_count > 0 && spec->synchronises)
        return "it synchronises, but names workers";
    for (unsigned i = 0; !run->capture && i < spec->worker_count; i++) {
        if (spec->workers[i] >= run->worker_count)
            return "it names a worker that the run does not have";
    }
    return NULL;
}

static G_GNUC_NO_INLINE const char *
wrong_costs(const struct orr_run *run, const struct orr_task_spec *spec)
{
    if (!spec->costs)
        return "costs is NULL, but implementations is not 0";
    if (spec->implementations == 0)
        return "implementations is 0, but costs is not NULL";
    if (spec->implementations > ORR_MAX_IMPLEMENTATIONS)
        return "implementations is above ORR_MAX_IMPLEMENTATIONS";
    if (spec->times)
        return "it brings both times and costs";
    if (*spec->kernel->model->family)
        return "it brings costs, but the platform has its kernel's";
    return run->capture
               ? NULL
               : orr_wrong_costs(run, spec->costs, spec->implementations);
}

static G_GNUC_NO_INLINE const char *
wrong_scratch(const struct orr_run *run, const struct orr_task_spec *spec)
{
    if (spec->scratch_count > ORR_MAX_SCRATCH)
        return "scratch_count is above ORR_MAX_SCRATCH";
    if (!spec->scratch)
        return "scratch is NULL, but scratch_count is not 0";
    if (spec->synchronises)
        return "it synchronises, but needs buffers";
    for (unsigned i = 0; i < spec->scratch_count; i++) {
        if (!is_registered(run, spec->scratch[i]))
            return "a datum of scratch is NULL, of another run, or was "
                   "unregistered";
    }
    return NULL;
}

static const char *wrong_times(const struct orr_task_times *times)
{
    if (times->cpu_ns < 0 || times->gpu_ns < 0)
        return "its times are below 0";
    if ((unsigned)times->source >= ORR_TIMES_SOURCES)
        return "the source of its times is none of enum orr_times_source";
    return NULL;
}

static const char *wrong_regeneration(const struct orr_run *run,
                                      const struct orr_task_spec *spec)
{
    if (!run->app.collected)
        return "it is regenerated, but no callback submits it";
    return spec->count > 0 && !spec->unordered
               ? "it is regenerated, but its accesses are ordered"
               : NULL;
}

/* The error in the rare members of @spec, or NULL. */
static G_GNUC_NO_INLINE const char *wrong_rare(const struct orr_run *run,
                                               const struct orr_task_spec *spec)
{
    const char *wrong = NULL;

    if (spec->synchronises)
        wrong = wrong_synchronisation(spec);
    if (!wrong && spec->times)
        wrong = wrong_times(spec->times);
    if (!wrong && (spec->costs || spec->implementations > 0))
        wrong = wrong_costs(run, spec);
    if (!wrong && (spec->pinned || spec->worker_count > 0))
        wrong = wrong_workers(run, spec);
    if (!wrong && spec->scratch_count > 0)
        wrong = wrong_scratch(run, spec);
    if (!wrong && spec->regenerated)
        wrong = wrong_regeneration(run, spec);
    return wrong ? wrong : wrong_tags(spec);
}

/* The error in @spec apart from its accesses, or NULL. */
static inline const char *find_wrong(const struct orr_run *run,
                                     const struct orr_task_spec *spec)
{
    const char *wrong = wrong_kernel(run, spec);

    if (G_UNLIKELY(wrong))
        return wrong;
    if (G_UNLIKELY(run->graph.submitted >= (uint64_t)ORR_MAX_TASKS))
        return "more tasks than can be simulated";
    if (G_UNLIKELY(run->graph.live >= (uint64_t)ORR_MAX_IN_FLIGHT))
        return "too many tasks are in flight; a window (--window) limits them";
    if (G_UNLIKELY(spec->count > ORR_MAX_ACCESSES))
        return "count is above ORR_MAX_ACCESSES";
    if (G_UNLIKELY(!spec->accesses && spec->count > 0))
        return "accesses is NULL, but count is not 0";
    if (G_UNLIKELY(orr_spec_is_rare(spec)))
        wrong = wrong_rare(run, spec);
    if (G_UNLIKELY((unsigned)spec->critical > ORR_CRITICAL))
        return wrong ? wrong : "critical is none of enum orr_critical";
    if (G_UNLIKELY(spec->coordinate_count > 0) && !wrong)
        return wrong_coordinates(spec);
    return wrong;
}

/* The error in access @i of @spec, which is by ORR_REDUX, or NULL. */
static const char *wrong_redux(const struct orr_task_spec *spec, unsigned i)
{
    const struct orr_data *data = spec->accesses[i].data;

    if (!data->redux)
        return "it accesses a datum by ORR_REDUX that has no reduction";
    if (spec->synchronises)
        return "it synchronises, but accesses a datum by ORR_REDUX";
    if (spec->unordered || data->unordered)
        return "its access by ORR_REDUX is unordered";
    for (unsigned k = 0; k < spec->count; k++) {
        if (k != i && spec->accesses[k].data == data)
            return "it lists a datum twice that it accesses by ORR_REDUX";
    }
    return NULL;
}

/* Checks the accesses of @spec from number @i on, in any mode. */
static G_GNUC_NO_INLINE bool check_accesses(struct orr_run *run,
                                            const struct orr_task_spec *spec,
                                            unsigned i)
{
    for (; i < spec->count; i++) {
        const struct orr_access *access = &spec->accesses[i];
        bool redux = access->mode == ORR_REDUX;
        const char *wrong;

        if (!(redux || is_mode(access->mode)) ||
            !is_registered(run, access->data))
            return refuse_task(run, spec, i, NULL);
        wrong = redux ? wrong_redux(spec, i) : NULL;
        if (wrong)
            return refuse_task(run, spec, i, wrong);
    }
    return true;
}

/* Whether the data of @spec are in a state in which it may access them. */
static G_GNUC_NO_INLINE bool check_states(struct orr_run *run,
                                          const struct orr_task_spec *spec)
{
    for (unsigned i = 0; i < spec->count; i++) {
        const struct orr_data *data = spec->accesses[i].data;
        const char *wrong = wrong_state(run, data, spec->accesses[i].mode);

        if (wrong) {
            g_autofree char *name = orr_data_describe(data);
            g_autofree char *why = g_strdup_printf("%s %s", name, wrong);

            return refuse_task(run, spec, i, why);
        }
    }
    return true;
}

bool orr_check_task(struct orr_run *run, const struct orr_task_spec *spec)
{
    const struct orr_access *access = spec->accesses;
    const struct orr_access *end;
    const char *wrong = find_wrong(run, spec);

    if (G_UNLIKELY(wrong))
        return refuse_task(run, spec, 0, wrong);
    end = access ? access + spec->count : NULL;
    while (access < end && is_mode(access->mode) &&
           is_registered(run, access->data))
        access++;
    return (G_LIKELY(access == end) ||
            check_accesses(run, spec, (unsigned)(access - spec->accesses))) &&
           (G_LIKELY(!run->app.checks_data) || check_states(run, spec));
}

bool orr_refuse_given(struct orr_run *run, const struct orr_task_spec *spec)
{
    static const char *const reasons[] = {
        [ORR_WHERE_ANY] = "its times allow no worker of this run",
        [ORR_WHERE_CPU] = "its kernel is restricted to CPUs, but its times "
                          "allow none of this run",
        [ORR_WHERE_GPU] = "its kernel is restricted to GPUs, but its times "
                          "allow none of this run",
    };

    if (spec->worker_count > 0)
        return refuse_task(run, spec, 0,
                           "none of the workers that it names can run it");
    return refuse_task(run, spec, 0, reasons[spec->kernel->where]);
}

/* Whether the data of @job fit together into the memory of a GPU. */
static bool fits_gpu(const struct orr_run *run, const struct orr_job *job)
{
    uint64_t sizes[ORR_MAX_ACCESSES + ORR_MAX_SCRATCH];
    const uint16_t *places;
    unsigned scratch_count;
    unsigned count =
        job->access_count + orr_job_redux(&run->graph, job, &places);
    struct orr_data *const *scratch = orr_job_scratch(run, job, &scratch_count);

    for (unsigned i = 0; i < count; i++)
        sizes[i] = orr_access_data(&job->accesses[i])->bytes;
    for (unsigned i = 0; i < scratch_count; i++)
        sizes[count++] = scratch[i]->bytes;
    return orr_suballoc_footprint(sizes, count) <= run->gpu_memory_bytes;
}

void orr_job_fit(const struct orr_run *run, struct orr_job *job)
{
    job->cpu_only = run->gpu_count > 0 && !fits_gpu(run, job);
}

bool orr_check_job(struct orr_run *run, struct orr_job *job)
{
    g_autofree char *memory = NULL;

    if (job->kind == ORR_JOB_SYNC) {
        if (run->policy.mapping)
            orr_fixed_mapping_pass(run, job->id);
        return true;
    }
    if (run->kernels.record && !orr_duration_check(run, job, &run->error))
        return false;
    orr_job_fit(run, job);
    if (run->policy.mapping && !orr_fixed_mapping_check(run, job))
        return false;
    if (!job->cpu_only ||
        orr_job_kernel(&run->graph, job)->durations[ORR_RAM] != ORR_NEVER)
        return true;
    if (run->error)
        return false;
    memory = orr_format_bytes(run->gpu_memory_bytes);
    g_set_error(&run->error, ORR_ERROR, ORR_ERROR_VALUE,
                "the data of task %s of tile %u do not fit together into the "
                "%s of a GPU, and no CPU worker can run it",
                orr_job_name(&run->graph, job),
                orr_job_kernel(&run->graph, job)->tile, memory);
    return false;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions of orrery.h. */
#include "runtime/run.h"

#include <limits.h>

#include "config.h"
#include "models/base/sized.h"
#include "models/format/platform_xml.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/config/run_config.h"
#include "runtime/data/parents.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/diagnosis/unused_settings.h"
#include "runtime/executor/kernel.h"
#include "runtime/fixed_mapping.h"
#include "runtime/graph/tags.h"
#include "runtime/recording.h"
#include "runtime/window.h"
#include "runtime/worker/accesses.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/submit.h"
#include "runtime/worker/worker.h"
#include "sched/plugin.h"

const char *orr_version(void)
{
    return ORR_VERSION;
}

static inline bool is_idle(const struct orr_run *run)
{
    return orr_actor_idle(&run->app.thread->actor);
}

bool orr_run_until_idle(struct orr_run *run)
{
    return orr_run_await(run, is_idle);
}

struct orr_run *orr_run_new(const struct orr_config *config, GError **error)
{
    struct orr_run *run = g_new0(struct orr_run, 1);

    if (!orr_run_set_up(run, config, error)) {
        orr_run_free(run);
        return NULL;
    }
    return run;
}

void orr_run_free(struct orr_run *run)
{
    if (!run)
        return;
    orr_run_tear_down(run);
    g_free(run);
}

const char *orr_run_keep_text(struct orr_run *run, const char *text)
{
    if (!text)
        return NULL;
    if (!run->texts)
        run->texts = g_string_chunk_new(1024);
    return g_string_chunk_insert_const(run->texts, text);
}

/* Whether the application is blocked in a call of the policy. */
static bool is_stuck(const struct orr_run *run)
{
    return !is_idle(run);
}

static inline bool ignores(const struct orr_run *run)
{
    return run->error || (run->diagnosis.hang && !run->window.lifted) ||
           (is_stuck(run) && !run->app.collected) ||
           (run->recording && orr_recording_is_full(run));
}

bool orr_run_ignores(const struct orr_run *run)
{
    return ignores(run);
}

static inline void submit(struct orr_run *run, struct orr_job *job)
{
    if (G_UNLIKELY(run->app.collected)) {
        orr_accesses_submitted(run, job);
        g_ptr_array_add(run->app.collected, job);
        return;
    }
    orr_guard_progress(run->app.guard);
    if (run->recording) {
        orr_recording_add(run, job);
        return;
    }
    if (!run->begun) {
        run->begun = true;
        run->totals.first_submission = run->engine.now;
        orr_energy_start(run);
    }
    orr_accesses_submitted(run, job);
    orr_job_submit(run, job);
    orr_run_until_idle(run);
    orr_guard_restore_stack(run->policy.guard);
}

void orr_run_submit(struct orr_run *run, struct orr_job *job)
{
    if (!orr_job_is_released(job) || run->app.collected || run->recording) {
        submit(run, job);
        return;
    }
    orr_guard_progress(run->app.guard);
    orr_accesses_submitted(run, job);
    if (orr_job_release(orr_run_actor(run), run, job))
        orr_actor_act(orr_run_actor(run));
    orr_run_until_idle(run);
    orr_guard_restore_stack(run->policy.guard);
}

/* The callback that is being called submits @job in no time: it waits for a job
 * that is released instead. */
static void regenerate(struct orr_run *run, struct orr_job *job)
{
    struct orr_job *released = orr_job_new_release(&run->graph);

    orr_graph_add_edge(&run->graph, &released->successors, job);
    job->awaited--;
    job->submitted = run->engine.now;
    orr_accesses_submitted(run, job);
    orr_run_submit(run, released);
}

/* Whether the data of any task with few accesses fit together into the memory
 * of a GPU. */
static bool any_fit_gpu(const struct orr_run *run)
{
    return run->store.largest_bytes <=
               run->gpu_memory_bytes / ORR_FEW_ACCESSES &&
           ORR_SUBALLOC_CHUNK <= run->gpu_memory_bytes / ORR_FEW_ACCESSES;
}

/* The number of the next task in the order of submission. */
static inline uint64_t next_number(const struct orr_run *run)
{
    return run->graph.submitted + run->left_out.before;
}

uint64_t orr_run_next_task(struct orr_run *run)
{
    if (!ignores(run))
        orr_window_admit(run);
    return next_number(run);
}

/* Whether the task that is being submitted is skipped. */
static bool is_left_out(struct orr_run *run, const struct orr_task_spec *spec)
{
    if (*run->left_out.next != next_number(run))
        return false;
    if (run->policy.mapping && spec->synchronises)
        orr_fixed_mapping_pass(run, *run->left_out.next);
    run->left_out.next++;
    run->left_out.count--;
    run->left_out.before++;
    return true;
}

/* Whether no task submitted so far has the tag of @spec; otherwise sets
 * run->error. */
static bool check_tag(struct orr_run *run, const struct orr_task_spec *spec)
{
    const struct orr_tag *tag = orr_tags_find(run->graph.tags, spec->tag);

    if (!tag || !(tag->name || tag->ended))
        return true;
    if (!tag->name)
        return orr_run_refuse(run,
                              "task %" G_GUINT64_FORMAT
                              " (%s) has the tag %" G_GUINT64_FORMAT
                              ", which the application has notified",
                              next_number(run), orr_spec_name(spec), spec->tag);
    g_set_error(&run->error, ORR_ERROR, ORR_ERROR_VALUE,
                "task %" G_GUINT64_FORMAT " (%s) has the tag %" G_GUINT64_FORMAT
                ", which task %" G_GUINT64_FORMAT " (%s) has already",
                next_number(run), orr_spec_name(spec), spec->tag, tag->order,
                tag->name);
    return false;
}

static void await_tags(struct orr_run *run, struct orr_job *job,
                       const uint64_t *tags, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        orr_tags_await(&run->graph, tags[i], job);
}

static void add_end(struct orr_run *run, struct orr_job *job,
                    const struct orr_task_spec *spec)
{
    struct orr_job *end = orr_job_new_end(
        &run->graph, job, run->recording ? 0 : spec->end_releases);

    await_tags(run, end, spec->end_tags, spec->end_count);
    if (run->recording)
        orr_recording_add_end(run, end);
}

static void link_tags(struct orr_run *run, struct orr_job *job,
                      const struct orr_task_spec *spec)
{
    if (spec->tag)
        orr_tags_assign(&run->graph, spec->tag, job, orr_spec_name(spec));
    await_tags(run, job, spec->wait_tags, spec->wait_count);
}

/* Links @job, made from @spec, with the tasks that it awaits by tags, and
 * expects the buffers that it needs. */
static void link_rare(struct orr_run *run, struct orr_job *job,
                      const struct orr_task_spec *spec)
{
    const uint16_t *places;

    if (spec->scratch_count > 0 && !run->recording)
        orr_scratch_expect(run, spec);
    if (spec->tag || spec->wait_count > 0)
        link_tags(run, job, spec);
    if ((spec->end_count | spec->end_releases) > 0)
        add_end(run, job, spec);
    if (run->store.parents)
        orr_parents_add(
            run->store.parents, job,
            job->access_count + orr_job_redux(&run->graph, job, &places), spec);
}

/* Replaces a skipped task that has a tag, for the tasks that wait for it. */
static void submit_replacement(struct orr_run *run,
                               const struct orr_task_spec *spec)
{
    struct orr_job *job = orr_job_new(&run->graph, ORR_JOB_COLLECT, NULL, 0);

    orr_job_set_id(job, next_number(run) - 1);
    link_tags(run, job, spec);
    await_tags(run, job, spec->end_tags, spec->end_count);
    submit(run, job);
}

/* Fewer jobs than this are in the cache anyway. */
enum { MANY_JOBS = 32768 };

/* Loads into the cache the data that the next task will probably access, and
 * the jobs for which it will wait. */
static void prefetch_next(struct orr_run *run, const struct orr_task_spec *spec)
{
    struct orr_data *const *data = (struct orr_data **)run->store.data->pdata;

    for (unsigned i = 0; i < MIN(spec->count, ORR_FEW_ACCESSES); i++) {
        struct orr_progression *accessed = &run->accessed[i];
        uint64_t next, after;

        if (!orr_progression_add(accessed, spec->accesses[i].data->id) ||
            accessed->step == 0)
            continue;
        next = orr_progression_expect(accessed, 1);
        after = orr_progression_expect(accessed, 2);
        if (next < run->store.data->len) {
            __builtin_prefetch(
                orr_arena_at(&run->graph.arena, data[next]->newest_access), 1);
            __builtin_prefetch(data[next]->last_exclusive, 1);
        }
        if (after < run->store.data->len)
            __builtin_prefetch(data[after], 1);
    }
}

/* Sets the kernel of @job, made from @spec, to one with the times and workers
 * that @spec brings; to none if the task synchronises. Returns whether some
 * worker can run it. */
static bool set_given(struct orr_job *job, const struct orr_task_spec *spec,
                      bool reduces)
{
    struct orr_kernel *kernel;

    if (spec->synchronises)
        return true;
    kernel = orr_kernel_with(spec, reduces);
    if (!kernel)
        return false;
    kernel->task_name = spec->kernel->task_name;
    job->kernel = kernel->number;
    job->pinned = spec->pinned;
    return true;
}

/* set_given() for a task that is submitted: counts where its times come from.
 */
static G_GNUC_NO_INLINE bool take_given(struct orr_run *run,
                                        struct orr_job *job,
                                        const struct orr_task_spec *spec,
                                        bool reduces)
{
    if (!set_given(job, spec, reduces))
        return orr_refuse_given(run, spec);
    if (spec->synchronises)
        run->totals.report.times_from[ORR_TIMES_NONE]++;
    else if (spec->costs)
        run->totals.report.times_from[ORR_TIMES_GIVEN]++;
    else if (spec->times)
        run->totals.report.times_from[spec->times->source]++;
    return true;
}

/* Whether @spec accesses data by ORR_REDUX. */
static inline bool reduces(const struct orr_run *run,
                           const struct orr_task_spec *spec)
{
    bool found = false;

    for (unsigned i = 0; G_UNLIKELY(run->buffers.redux) && i < spec->count; i++)
        found |= spec->accesses[i].mode == ORR_REDUX;
    return found;
}

/* Whether @spec brings more than its kernel has. */
static inline bool brings(const struct orr_run *run,
                          const struct orr_task_spec *spec)
{
    return spec->times || spec->synchronises || spec->blocks_driver ||
           (spec->worker_count | spec->scratch_count | spec->implementations) >
               0 ||
           reduces(run, spec);
}

struct orr_job *orr_run_imagine(struct orr_run *run,
                                const struct orr_task_spec *spec)
{
    struct orr_job *job = orr_job_new_task(&run->graph, spec);

    if (brings(run, spec) && !set_given(job, spec, false)) {
        orr_job_free(&run->graph, job);
        return NULL;
    }
    if (job->kind == ORR_JOB_KERNEL)
        orr_job_fit(run, job);
    return job;
}

/* The priority of a task. If the policy limits priorities, it is clamped to
 * them, or follows from whether the task is critical. */
static inline int priority_of(const struct orr_run *run,
                              const struct orr_task_spec *spec)
{
    int most = orr_run_max_priority(run);

    if (most == INT_MAX)
        return spec->priority;
    if (spec->critical != ORR_CRITICAL_UNKNOWN)
        return spec->critical == ORR_CRITICAL ? most : 0;
    return CLAMP(spec->priority, 0, most);
}

/* Reads @spec, of a program that was compiled with another version, and its
 * times and calls. Returns NULL, or why it cannot; g_free(). */
static char *read_sized(const struct orr_task_spec *spec,
                        struct orr_whole_spec *whole)
{
    struct orr_task_spec *read = &whole->spec;
    char *why = NULL;

    if (!orr_sized_read(ORR_SIZED(orr_task_spec, ORR_TASK_SPEC_INIT), spec,
                        read, &why))
        return why;
    if (read->times) {
        if (!orr_sized_read(ORR_SIZED(orr_task_times, ORR_TASK_TIMES_INIT),
                            read->times, &whole->times, &why))
            return why;
        read->times = &whole->times;
    }
    if (read->calls) {
        if (!orr_sized_read(ORR_SIZED(orr_task_calls, ORR_TASK_CALLS_INIT),
                            read->calls, &whole->calls, &why))
            return why;
        read->calls = &whole->calls;
    }
    return NULL;
}

bool orr_run_read_spec(struct orr_run *run, const struct orr_task_spec *spec,
                       struct orr_whole_spec *whole)
{
    g_autofree char *why = read_sized(spec, whole);

    return !why || orr_run_refuse(run, "task %" G_GUINT64_FORMAT ": %s",
                                  next_number(run), why);
}

/* Submits a task from a program that was compiled with another version. */
static G_GNUC_NO_INLINE uint64_t submit_sized(struct orr_run *run,
                                              const struct orr_task_spec *spec)
{
    struct orr_whole_spec whole;

    return orr_run_read_spec(run, spec, &whole)
               ? orr_task_submit(run, &whole.spec)
               : UINT64_MAX;
}

static inline bool is_of_this_version(const struct orr_task_spec *spec)
{
    return spec->size == sizeof(*spec) &&
           (!orr_spec_is_rare(spec) ||
            ((!spec->times || spec->times->size == sizeof(*spec->times)) &&
             (!spec->calls || spec->calls->size == sizeof(*spec->calls))));
}

/* Whether the durations or the buffers of a task, or its place in a mapping,
 * have to be checked. */
static inline bool needs_check(const struct orr_run *run,
                               const struct orr_task_spec *spec)
{
    return run->kernels.record || run->policy.mapping ||
           spec->scratch_count > 0 || run->buffers.redux;
}

/* Submits a task of this version that has no error. @rare: it, or the run, has
 * something rare. Inline for both values, so that common tasks pay for nothing
 * rare. */
__attribute__((always_inline)) static inline uint64_t
submit_checked(struct orr_run *run, const struct orr_task_spec *spec, bool rare)
{
    uint64_t number = next_number(run);
    struct orr_job *job;

    if (rare && run->capture) {
        run->graph.submitted++;
        run->capture->task(run->capture, spec);
        return number;
    }
    if (rare && run->left_out.count > 0 && is_left_out(run, spec)) {
        if (spec->tag)
            submit_replacement(run, spec);
        return number;
    }
    if (run->graph.live >= MANY_JOBS)
        prefetch_next(run, spec);
    run->graph.has_unordered |= spec->unordered;
    job = orr_job_new_task(&run->graph, spec);
    job->priority = priority_of(run, spec);
    job->unordered = spec->unordered;
    if (rare && brings(run, spec) && !take_given(run, job, spec, false)) {
        orr_job_free(&run->graph, job);
        return UINT64_MAX;
    }
    orr_job_set_id(job, number);
    if (G_UNLIKELY(spec->count > ORR_FEW_ACCESSES || !any_fit_gpu(run) ||
                   (rare && needs_check(run, spec))) &&
        !orr_check_job(run, job)) {
        orr_job_free(&run->graph, job);
        return UINT64_MAX;
    }
    if (rare && run->window.limits.shuts > 0 && !run->app.collected &&
        !orr_window_has_admitted(run)) {
        orr_window_await(run);
        if (ignores(run) || (spec->tag && !check_tag(run, spec))) {
            orr_job_free(&run->graph, job);
            return UINT64_MAX;
        }
        /* callbacks may have submitted tasks meanwhile */
        number = next_number(run);
        orr_job_set_id(job, number);
    }
    run->graph.submitted++;
    if (rare)
        link_rare(run, job, spec);
    if (rare && spec->regenerated)
        regenerate(run, job);
    else
        submit(run, job);
    return number;
}

/* Adds the longest time that @spec brings to the times of earlier tasks. Fails
 * if dates could be too large for the clock. */
static bool add_length(struct orr_run *run, const struct orr_task_spec *spec)
{
    int64_t longest = 0;
    size_t count = (size_t)spec->implementations * run->worker_count;

    if (spec->times)
        longest = MAX(spec->times->cpu_ns, spec->times->gpu_ns);
    for (size_t i = 0; spec->costs && i < count; i++)
        longest = MAX(longest, spec->costs[i].ns);
    if (longest > ORR_MAX_TOTAL_NS - run->kernels.brought_ns)
        return orr_run_refuse(
            run,
            "task %" G_GUINT64_FORMAT " (%s): its time, %" G_GINT64_FORMAT
            " ns, and those of earlier tasks are together above 4e18 ns",
            next_number(run), orr_spec_name(spec), longest);
    run->kernels.brought_ns += longest;
    return true;
}

/* The data that the task of @spec writes have a content from now on. */
static void note_contents(const struct orr_task_spec *spec)
{
    for (unsigned i = 0; i < spec->count; i++) {
        if (spec->accesses[i].mode != ORR_R)
            spec->accesses[i].data->empty = false;
    }
}

static G_GNUC_NO_INLINE uint64_t submit_rare(struct orr_run *run,
                                             const struct orr_task_spec *spec)
{
    if ((spec->tag && !check_tag(run, spec)) ||
        ((spec->times || spec->costs) && !run->capture &&
         !add_length(run, spec)))
        return UINT64_MAX;
    if (run->app.checks_data)
        note_contents(spec);
    return submit_checked(run, spec, true);
}

uint64_t orr_task_submit(struct orr_run *run, const struct orr_task_spec *spec)
{
    if (G_UNLIKELY(!is_of_this_version(spec)))
        return submit_sized(run, spec);
    if (ignores(run) || !orr_check_task(run, spec))
        return UINT64_MAX;
    if (G_UNLIKELY(run->rare || orr_spec_is_rare(spec)))
        return submit_rare(run, spec);
    return submit_checked(run, spec, false);
}

void orr_tasks_submit(struct orr_run *run, const struct orr_task_spec *specs,
                      size_t count)
{
    const char *at = (const char *)specs;
    size_t size = count > 0 ? specs->size : 0;

    for (size_t i = 0; i < count; i++, at += size) {
        const struct orr_task_spec *spec = (const struct orr_task_spec *)at;

        if (spec->size != size) {
            orr_run_refuse(run,
                           "task %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                           ": the size of its struct orr_task_spec "
                           "is %" G_GSIZE_FORMAT ", of the first task "
                           "%" G_GSIZE_FORMAT,
                           i, count, spec->size, size);
            return;
        }
        orr_task_submit(run, spec);
    }
}

struct orr_job *orr_run_new_reduction(struct orr_run *run,
                                      const struct orr_task_spec *spec)
{
    struct orr_job *job = orr_job_new_task(&run->graph, spec);
    uint64_t number = next_number(run);

    job->unordered = true;
    orr_job_set_id(job, number);
    if (!take_given(run, job, spec, true) || !orr_check_job(run, job)) {
        orr_job_free(&run->graph, job);
        return NULL;
    }
    /* numbers up to this task, which is not left out, have passed */
    while (run->left_out.count > 0 && *run->left_out.next <= number) {
        run->left_out.next++;
        run->left_out.count--;
    }
    run->graph.submitted++;
    orr_accesses_submitted(run, job);
    return job;
}

int orr_run_max_priority(const struct orr_run *run)
{
    if (!run->policy.priorities)
        return 0;
    return run->policy.max_priority > 0 ? run->policy.max_priority : INT_MAX;
}

/* No event is left: diagnoses a hang if tasks are. */
static void diagnose(struct orr_run *run)
{
    bool ended = run->graph.live == 0 && !is_stuck(run);

    if (run->window.lifted && ended) {
        orr_hang_blame_window(run->diagnosis.hang, run->window.held);
    } else if (!ended && (!run->diagnosis.hang || run->window.lifted)) {
        orr_hang_free(run->diagnosis.hang);
        run->diagnosis.hang = orr_hang_new(run, true);
    }
    run->window.lifted = false;
}

static bool fail_hung(const struct orr_run *run, GError **error)
{
    g_autofree char *diagnosis = orr_hang_describe(run->diagnosis.hang);

    g_set_error_literal(error, ORR_ERROR,
                        run->diagnosis.hang->livelock ? ORR_ERROR_LIVELOCKED
                                                      : ORR_ERROR_STALLED,
                        diagnosis);
    return false;
}

/* Whether the run has no error; otherwise copies it to @error. */
static bool check_error(const struct orr_run *run, GError **error)
{
    if (run->error)
        g_propagate_error(error, g_error_copy(run->error));
    return !run->error;
}

static bool has_ended(const struct orr_run *run)
{
    return run->graph.live == 0;
}

static bool wait_for_all(struct orr_run *run, GError **error)
{
    if (!check_error(run, error))
        return false;
    orr_concurrency_schedule(run);
    orr_run_await(run, has_ended);
    orr_run_until_idle(run);      /* it may be blocked in the policy */
    if (!check_error(run, error)) /* an error of the policy has ended it */
        return false;
    diagnose(run);
    if (run->diagnosis.hang && run->policy.mapping)
        orr_fixed_mapping_blame(run);
    if (!check_error(run, error))
        return false;
    return !run->diagnosis.hang || fail_hung(run, error);
}

bool orr_run_may_wait(struct orr_run *run)
{
    return !run->app.collected ||
           orr_run_refuse(run,
                          "the application waits, "
                          "sleeps, acquires or "
                          "unregisters data %s",
                          run->policy.ops == orr_sched_decide()
                              ? "in a run of the policy "
                                "decide, where only "
                                "orr_run_decide() waits"
                              : "in a callback");
}

bool orr_run_wait(struct orr_run *run, GError **error)
{
    bool finished = orr_run_may_wait(run) && !run->recording
                        ? wait_for_all(run, error)
                        : check_error(run, error);

    orr_guard_restore_stack(run->policy.guard);
    return finished;
}

/* Whether a wait for a task is simulated: it is not if the run has an error, or
 * does not simulate tasks. */
static bool simulates_wait(struct orr_run *run)
{
    if (!orr_run_may_wait(run) || run->error)
        return false;
    if (run->capture)
        run->capture->waits(run->capture, NULL);
    return !run->capture && !run->recording;
}

/* Whether the task that the thread awaits is complete, or never will be. */
static bool is_complete(const struct orr_run *run)
{
    const struct orr_thread *thread = run->app.thread;

    return thread->awaited->ended || thread->awaited->ends != thread->ends ||
           run->diagnosis.hang || run->error;
}

/* Simulates until the task with @tag is complete. */
static bool wait_for(struct orr_run *run, const struct orr_tag *tag,
                     GError **error)
{
    struct orr_thread *thread = run->app.thread;

    orr_concurrency_schedule(run);
    thread->awaited = tag;
    thread->ends = tag->ends;
    if (!orr_run_await(run, is_complete) && !run->error)
        run->diagnosis.hang = orr_hang_new(run, true);
    orr_guard_restore_stack(run->policy.guard);
    if (!check_error(run, error))
        return false;
    if (run->diagnosis.hang)
        return fail_hung(run, error);
    thread->awaited = NULL;
    return true;
}

bool orr_run_wait_tag(struct orr_run *run, uint64_t id, GError **error)
{
    if (id == 0)
        orr_run_refuse(run, "tag 0, which means no tag, "
                            "cannot be awaited");
    if (!simulates_wait(run))
        return check_error(run, error);
    return wait_for(run, orr_tags_expect(&run->graph, id), error);
}

bool orr_run_wait_task(struct orr_run *run, uint64_t task, GError **error)
{
    static const struct orr_tag ended = {.ended = true};
    struct orr_job *job;

    if (task >= next_number(run) && !run->diagnosis.hang)
        orr_run_refuse(run,
                       "task %" G_GUINT64_FORMAT ", which was not submitted, "
                       "cannot be awaited",
                       task);
    if (!simulates_wait(run))
        return check_error(run, error);
    job = orr_graph_find_task(&run->graph, task);
    run->rare = true; /* the job may have ended, and not be freed yet */
    return wait_for(run, job ? orr_tags_watch(&run->graph, job) : &ended,
                    error);
}

int64_t orr_run_now(const struct orr_run *run)
{
    return run->engine.now;
}

unsigned orr_run_workers(const struct orr_run *run)
{
    return run->worker_count;
}

enum orr_where orr_run_worker_class(const struct orr_run *run, unsigned worker)
{
    if (worker >= run->worker_count)
        return ORR_WHERE_ANY;
    return worker < run->gpu_count ? ORR_WHERE_GPU : ORR_WHERE_CPU;
}

const char *orr_run_worker_name(const struct orr_run *run, unsigned worker)
{
    return worker < run->worker_count ? run->workers[worker]->name : NULL;
}

unsigned orr_run_worker_node(const struct orr_run *run, unsigned worker)
{
    return worker < run->worker_count ? run->workers[worker]->device : UINT_MAX;
}

bool orr_run_end_policy(struct orr_run *run, GError **error)
{
    run->closing = true;
    orr_sched_free(g_steal_pointer(&run->policy.sched));
    orr_plugin_end(run->policy.plugin);
    orr_guard_restore_stack(run->policy.guard);
    return check_error(run, error);
}

const struct orr_report *orr_run_report(struct orr_run *run)
{
    struct orr_report *report = &run->totals.report;

    report->tasks = run->graph.completed;
    report->times_of_kernels = run->graph.submitted;
    for (unsigned i = 0; i < ORR_TIMES_SOURCES; i++)
        report->times_of_kernels -= report->times_from[i];
    report->events = run->engine.fired;
    report->digest = run->totals.digest.dated;
    report->order = run->totals.digest.order;
    if (run->switches.durations == ORR_DURATIONS_MEAN)
        report->sources.mean = report->tasks - run->graph.synchronised;
    for (unsigned i = 0; i < run->gpu_count; i++)
        run->totals.workers[i].peak_memory_bytes =
            orr_suballoc_peak(run->store.memories[i + 1].pool);
    report->makespan_ns =
        run->totals.last_completion - run->totals.first_submission;
    report->energy = orr_energy_sum(run);
    orr_unused_settings_find(run);
    report->unused = (const char *const *)run->diagnosis.unused;
    return report;
}

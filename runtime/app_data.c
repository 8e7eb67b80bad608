/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of the application about data: acquire, release, unregister; hints
 * (prefetch, wont_use); dependencies that its accesses do not imply. */
#include "runtime/app_data.h"
#include "models/base/sized.h"
#include "runtime/application/acquire.h"
#include "runtime/application/hints.h"
#include "runtime/application/partition.h"
#include "runtime/application/reduction.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/data/eviction.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

void orr_data_wont_use(struct orr_run *run, struct orr_data *data)
{
    struct orr_job *job;
    struct orr_access access = {.data = data, .mode = ORR_R};

    if (orr_run_ignores(run) || !orr_check_registered(run, data) ||
        data->empty || !orr_check_data(run, data, ORR_R))
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
    if (!orr_check_data(run, data, ORR_RW))
        return;
    data->unordered = unordered;
    run->graph.has_unordered |= unordered;
}

void orr_data_set_arbiter(struct orr_run *run, struct orr_data *data,
                          uint32_t arbiter)
{
    if (!orr_check_data(run, data, ORR_RW))
        return;
    if (data->redux)
        orr_refuse_data(run, data, "has a reduction, and no arbiter");
    else
        data->arbiter = arbiter;
    run->graph.has_arbiters |= data->arbiter != 0;
}

/* The error in a reduction of @data by @kernel, or NULL. */
static const char *wrong_reduction(const struct orr_run *run,
                                   const struct orr_data *data,
                                   const struct orr_kernel *kernel,
                                   const struct orr_task_times *times)
{
    if (data->redux)
        return "the datum has a reduction already";
    if (data->temporary)
        return "temporary data have no reduction";
    if (!kernel)
        return "the kernel of a reduction is NULL";
    if (kernel->run != run)
        return "the kernel of a reduction is of another run";
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
    struct orr_task_times whole;
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel};
    g_autofree char *wrong_size = NULL;
    const char *wrong;

    if (run->error || !orr_check_data(run, data, ORR_W))
        return;
    if (times && !orr_sized_read(ORR_SIZED(orr_task_times, ORR_TASK_TIMES_INIT),
                                 times, &whole, &wrong_size)) {
        orr_run_refuse(run, "the times of a reduction: %s", wrong_size);
        return;
    }
    spec.times = times ? &whole : NULL;
    wrong = wrong_reduction(run, data, kernel, spec.times);
    if (wrong) {
        orr_run_refuse(run, "%s", wrong);
        return;
    }
    if (!run->capture && !orr_kernel_with(&spec, true)) {
        orr_run_refuse(run, "no worker of the run can run a reduction in its "
                            "times");
        return;
    }
    orr_reduction_new(run, data, kernel, spec.times, orr_run_new_reduction);
}

static void prefetch(struct orr_run *run, struct orr_data *data, unsigned node,
                     bool idle)
{
    if (orr_run_ignores(run) || !orr_check_data(run, data, ORR_R) ||
        !orr_check_node(run, node) || run->capture || run->recording)
        return;
    if (run->app.collected) {
        orr_data_bring(&run->store, data, node, idle);
        return;
    }
    orr_guard_progress(run->app.guard);
    orr_job_prefetch(run, data, node, idle);
    orr_run_until_idle(run);
    orr_guard_restore_stack(run->policy.guard);
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

/* Brings the only valid copy of @data to RAM. */
static bool save(struct orr_run *run, struct orr_data *data)
{
    bool saved = orr_data_acquire(run, data, ORR_R, NULL);

    if (saved)
        orr_data_release(run, data);
    return saved;
}

bool orr_data_evict(struct orr_run *run, struct orr_data *data, unsigned node)
{
    bool done = false;

    if (orr_run_ignores(run) || !orr_check_data(run, data, ORR_R) ||
        !orr_check_node(run, node) || run->capture || run->recording ||
        node == ORR_RAM || run->app.collected ||
        !orr_eviction_may_go(&data->copies[node], ORR_FETCH))
        return false;
    if (orr_replicate_is_owner(&data->copies[node]) && !save(run, data))
        return false;
    orr_guard_progress(run->app.guard);
    orr_job_evict(run, data, node, &done);
    orr_run_until_idle(run);
    orr_guard_restore_stack(run->policy.guard);
    return done;
}

/* What the application asks for. */
struct wish {
    struct orr_acquire how;
    enum orr_purpose purpose;
    bool waits;
};

/* Why the application cannot acquire data so; NULL: it can. */
static const char *wrong_way(const struct wish *wish)
{
    if (wish->how.node < ORR_ALL_NODES)
        return "the application acquires a datum on a node below ORR_ALL_NODES";
    if (wish->waits && wish->how.callback.function)
        return "the application waits for a datum, but has a callback";
    if (!wish->waits && wish->purpose == ORR_TO_USE &&
        !wish->how.callback.function)
        return "the application acquires a datum later, but has no callback";
    return NULL;
}

static bool check_way(struct orr_run *run, const struct wish *wish)
{
    enum orr_access_mode mode = wish->how.mode;
    const char *wrong = wrong_way(wish);

    if (wrong)
        return orr_run_refuse(run, "%s", wrong);
    if (mode != ORR_R && mode != ORR_W && mode != ORR_RW)
        return orr_run_refuse(run,
                              "the application acquires a datum with the mode "
                              "%d: expected ORR_R, ORR_W or ORR_RW",
                              (int)mode);
    return wish->how.node < 0 || orr_check_node(run, (unsigned)wish->how.node);
}

/* Whether the application may wait until it can access @data. If the thread has
 * acquired @data already, in a conflicting mode, it would wait for itself. */
static bool may_wait(struct orr_run *run, const struct orr_data *data,
                     enum orr_access_mode mode)
{
    const struct orr_acquisition *own;

    if (!orr_run_may_wait(run))
        return false;
    own = orr_acquisition_find(run, data, ORR_ANY_NODE);
    return !own || !((own->mode | mode) & ORR_W) ||
           (own->thread && own->thread != run->app.thread) ||
           orr_run_refuse(run, "the application acquires a datum that it has "
                               "not released");
}

static bool may_acquire(struct orr_run *run, const struct orr_data *data,
                        const struct wish *wish)
{
    enum orr_access_mode checked =
        wish->purpose == ORR_TO_USE ? wish->how.mode : ORR_W;

    return !orr_run_ignores(run) && orr_check_data(run, data, checked) &&
           (!wish->waits || may_wait(run, data, wish->how.mode)) &&
           check_way(run, wish);
}

/* Files of graphs know that the application waits, and no more. */
static bool capture(struct orr_run *run, const struct orr_data *data,
                    const struct wish *wish)
{
    if (!wish->waits || wish->purpose == ORR_TO_DEINITIALIZE ||
        wish->purpose == ORR_TO_INVALIDATE)
        return orr_run_refuse(run, "files of graphs have no place for data "
                                   "that are invalidated, or acquired or "
                                   "unregistered without waiting");
    run->capture->waits(run->capture, data);
    return true;
}

/* What @data are, in the order of submission, after the application has got its
 * @wish. */
static void note_state(struct orr_run *run, struct orr_data *data,
                       const struct wish *wish)
{
    bool drops = wish->purpose == ORR_TO_DEINITIALIZE ||
                 wish->purpose == ORR_TO_INVALIDATE;

    if (!data) /* the wish was refused */
        return;
    if (wish->how.mode & ORR_W)
        data->empty = drops;
    data->leaving = wish->purpose == ORR_TO_UNREGISTER && !wish->waits;
    if (drops || data->leaving)
        run->app.checks_data = run->rare = true;
}

/* Submits the job of a @wish that was checked. Returns its acquisition. */
static struct orr_acquisition *
submit_wish(struct orr_run *run, struct orr_data *data, const struct wish *wish)
{
    const struct orr_access access = {.data = data, .mode = wish->how.mode};
    struct orr_job *job = orr_job_new(&run->graph, ORR_JOB_ACQUIRE, &access, 1);
    struct orr_acquisition *acquisition = NULL;

    job->unordered = wish->how.unordered;
    run->graph.has_unordered |= wish->how.unordered;
    if (!run->recording) {
        acquisition = orr_acquisition_begin(run, job, wish->how.node,
                                            wish->purpose, wish->waits);
        acquisition->callback = wish->how.callback;
    }
    orr_run_submit(run, job);
    return acquisition;
}

/* Does what the application wishes without waiting. */
static void acquire_later(struct orr_run *run, struct orr_data *data,
                          const struct wish *wish)
{
    if (!may_acquire(run, data, wish))
        return;
    note_state(run, data, wish);
    if (run->capture)
        capture(run, data, wish);
    else
        submit_wish(run, data, wish);
}

/* The application waits until it has what it wishes. */
static bool acquire(struct orr_run *run, struct orr_data *data,
                    const struct wish *wish, GError **error)
{
    const struct orr_acquisition *acquisition;

    if (!may_acquire(run, data, wish)) /* or the recording is full */
        return (run->recording && !run->error) || orr_run_wait(run, error);
    note_state(run, data, wish);
    if (run->capture)
        return capture(run, data, wish) || orr_run_wait(run, error);
    acquisition = submit_wish(run, data, wish);
    if (!acquisition)
        return true;
    if (orr_actor_idle(orr_run_actor(run)))
        orr_acquisition_act(run);
    orr_run_until_idle(run);
    orr_guard_restore_stack(run->policy.guard);
    if (!acquisition->complete)
        return orr_run_wait(run, error);
    orr_acquisition_list(run);
    return true;
}

/* Ends an acquisition of @data on @node, at once or after the callback; returns
 * false if there is none. */
static bool release(struct orr_run *run, const struct orr_data *data, int node)
{
    struct orr_acquisition *acquisition = orr_acquisition_find(run, data, node);

    if (!acquisition)
        return false;
    acquisition->releases = true;
    orr_run_submit(run, acquisition->job);
    return true;
}

/* Does what the application wishes at once, or when earlier tasks have ended,
 * and releases @data. */
static bool acquire_and_release(struct orr_run *run, struct orr_data *data,
                                const struct wish *wish, GError **error)
{
    if (!acquire(run, data, wish, error))
        return false;
    if (!run->capture && !run->recording)
        release(run, data, wish->how.node);
    return true;
}

bool orr_data_acquire(struct orr_run *run, struct orr_data *data,
                      enum orr_access_mode mode, GError **error)
{
    const struct wish wish = {.how = {.mode = mode}, .waits = true};

    return acquire(run, data, &wish, error);
}

/* Reads @how, of a program that may know another version of it. */
static bool read_how(struct orr_run *run, const struct orr_acquire *how,
                     struct wish *wish)
{
    g_autofree char *why = NULL;

    return orr_sized_read(ORR_SIZED(orr_acquire, ORR_ACQUIRE_INIT), how,
                          &wish->how, &why) ||
           orr_run_refuse(run, "%s", why);
}

bool orr_data_acquire_as(struct orr_run *run, struct orr_data *data,
                         const struct orr_acquire *how, GError **error)
{
    struct wish wish = {.waits = true};

    return read_how(run, how, &wish) ? acquire(run, data, &wish, error)
                                     : orr_run_wait(run, error);
}

void orr_data_acquire_later(struct orr_run *run, struct orr_data *data,
                            const struct orr_acquire *how)
{
    struct wish wish = {.waits = false};

    if (read_how(run, how, &wish))
        acquire_later(run, data, &wish);
}

static void check_and_release(struct orr_run *run, struct orr_data *data,
                              int node)
{
    if (orr_run_ignores(run) || !orr_check_registered(run, data) ||
        run->capture || run->recording)
        return;
    if (!release(run, data, node))
        orr_refuse_data(run, data,
                        node == ORR_ANY_NODE
                            ? "is released, but the application has not "
                              "acquired it"
                            : "is released on a node on which the application "
                              "has not acquired it");
}

void orr_data_release(struct orr_run *run, struct orr_data *data)
{
    check_and_release(run, data, ORR_ANY_NODE);
}

void orr_data_release_on(struct orr_run *run, struct orr_data *data, int node)
{
    check_and_release(run, data, node);
}

/* To drop their content, the application acquires @data so. */
static struct wish wish_to_drop(enum orr_purpose purpose, bool waits)
{
    return (struct wish){.how = {.mode = ORR_W, .node = ORR_ALL_NODES},
                         .purpose = purpose,
                         .waits = waits};
}

static bool drop(struct orr_run *run, struct orr_data *data,
                 enum orr_purpose purpose, GError **error)
{
    const struct wish wish = wish_to_drop(purpose, true);

    return acquire_and_release(run, data, &wish, error);
}

static void drop_later(struct orr_run *run, struct orr_data *data,
                       enum orr_purpose purpose)
{
    const struct wish wish = wish_to_drop(purpose, false);

    acquire_later(run, data, &wish);
}

bool orr_data_invalidate(struct orr_run *run, struct orr_data *data,
                         GError **error)
{
    return drop(run, data, ORR_TO_INVALIDATE, error);
}

void orr_data_invalidate_submit(struct orr_run *run, struct orr_data *data)
{
    drop_later(run, data, ORR_TO_INVALIDATE);
}

bool orr_data_deinitialize(struct orr_run *run, struct orr_data *data,
                           GError **error)
{
    return drop(run, data, ORR_TO_DEINITIALIZE, error);
}

void orr_data_deinitialize_submit(struct orr_run *run, struct orr_data *data)
{
    drop_later(run, data, ORR_TO_DEINITIALIZE);
}

static bool unregister(struct orr_run *run, struct orr_data *data, int node,
                       GError **error)
{
    const struct wish wish = {.how = {.mode = ORR_RW, .node = node},
                              .purpose = ORR_TO_UNREGISTER,
                              .waits = true};

    if (run->app.partitions && !run->error && orr_data_is_part(run, data))
        orr_refuse_data(run, data, "is a part, and cannot be unregistered");
    return acquire_and_release(run, data, &wish, error);
}

bool orr_data_unregister(struct orr_run *run, struct orr_data *data,
                         GError **error)
{
    bool has_home = !data || !(data->temporary || data->empty);

    return unregister(run, data, has_home ? (int)ORR_RAM : ORR_NO_NODE, error);
}

bool orr_data_unregister_no_coherency(struct orr_run *run,
                                      struct orr_data *data, GError **error)
{
    return unregister(run, data, ORR_NO_NODE, error);
}

static const struct wish to_unregister_later = {
    .how = {.mode = ORR_RW, .node = ORR_ALL_NODES},
    .purpose = ORR_TO_UNREGISTER};

void orr_data_unregister_submit(struct orr_run *run, struct orr_data *data)
{
    if (run->app.partitions && !run->error && orr_data_is_part(run, data))
        orr_refuse_data(run, data, "is a part, and cannot be unregistered");
    acquire_later(run, data, &to_unregister_later);
}

void orr_app_invalidate_later(struct orr_run *run, struct orr_data *data)
{
    const struct wish wish = wish_to_drop(ORR_TO_INVALIDATE, false);

    if (!run->recording)
        submit_wish(run, data, &wish);
}

void orr_app_unregister_later(struct orr_run *run, struct orr_data *data)
{
    if (!run->recording)
        submit_wish(run, data, &to_unregister_later);
    data->leaving = true;
}

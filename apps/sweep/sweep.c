/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Performs the runs of a campaign that its store lacks. Threads take the next
 * missing run in order of points and replicas, simulate it and insert its row;
 * the main thread commits once a second. A run that fails is a row, too, so
 * that it is not repeated.
 */
#include "apps/sweep/sweep.h"

#include "apps/campaign/run_set.h"
#include "apps/output/parallel.h"
#include "models/base/error.h"

/* Interval between commits of rows, us. */
#define COMMIT_INTERVAL_US G_USEC_PER_SEC

struct state {
    const struct orr_sweep *sweep;
    struct orr_store *store;
    struct orr_run_set
        *before;     /* runs that the store had when the sweep began */
    uint64_t wanted; /* runs */
    struct orr_progress progress;

    GMutex mutex;  /* guards all below */
    uint64_t next; /* number of the next run to consider */
    uint64_t done, failed;
    uint64_t first; /* number of the first run that failed */
    char *reason;   /* why the first failed run failed; NULL: none failed */
    GError *error;  /* the error that ends the sweep; NULL: none */
};

bool orr_sweep_wants(const struct orr_sweep *sweep, uint64_t point)
{
    return point % sweep->shard.count == sweep->shard.index &&
           orr_campaign_has(sweep->campaign, point);
}

/* Counts a row that the store already has. */
static bool see(uint64_t point, uint64_t replica, bool failed, void *data,
                GError **error)
{
    struct state *state = data;

    if (!orr_run_set_wants(state->before, point, replica) ||
        !orr_sweep_wants(state->sweep, point)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO,
                    "the file has a row of point %" G_GUINT64_FORMAT
                    ", replica %" G_GUINT64_FORMAT
                    ", which is none of the campaign",
                    point, replica);
        return false;
    }
    orr_run_set_add(state->before, point, replica);
    state->failed += failed;
    return true;
}

static void count_wanted(struct state *state)
{
    const struct orr_campaign *campaign = state->sweep->campaign;
    const struct orr_shard *shard = &state->sweep->shard;

    for (uint64_t p = shard->index; p < campaign->points; p += shard->count) {
        if (orr_campaign_has(campaign, p))
            state->wanted += campaign->replicas;
    }
}

/* Sets *@run to the next run to perform. Returns false if there is none. */
static bool take_next(struct state *state, uint64_t *run)
{
    const struct orr_campaign *campaign = state->sweep->campaign;
    uint64_t end = campaign->points * campaign->replicas;

    g_mutex_lock(&state->mutex);
    *run = state->next;
    while (*run < end) {
        uint64_t point = *run / campaign->replicas;

        if (!orr_sweep_wants(state->sweep, point))
            *run = (point + 1) * campaign->replicas;
        else if (orr_run_set_has(state->before, point,
                                 *run % campaign->replicas))
            ++*run;
        else
            break;
    }
    state->next = *run + 1;
    g_mutex_unlock(&state->mutex);
    return *run < end;
}

/* Counts a run that ended; @why it failed, or NULL. */
static void count_run(struct state *state, uint64_t run, const char *why)
{
    g_mutex_lock(&state->mutex);
    state->done++;
    state->failed += why != NULL;
    if (why && (!state->reason || run < state->first)) {
        g_free(state->reason);
        state->reason = g_strdup(why);
        state->first = run;
    }
    g_mutex_unlock(&state->mutex);
}

/* Stores @error, which it takes, if it is the first. */
static void stop_with(struct state *state, GError *error)
{
    g_mutex_lock(&state->mutex);
    if (!state->error)
        state->error = error;
    else
        g_error_free(error);
    g_mutex_unlock(&state->mutex);
}

static bool perform(unsigned i, void *data)
{
    struct state *state = data;
    const struct orr_campaign *campaign = state->sweep->campaign;
    g_auto(GStrv) values = NULL;
    g_autoptr(GError) why = NULL;
    GError *error = NULL;
    JsonObject *facts;
    uint64_t run;
    bool put;

    (void)i; /* each job takes the next run, whatever its own number */
    if (!take_next(state, &run))
        return true;
    values = orr_campaign_texts(campaign, run / campaign->replicas);
    orr_point_runner_run(state->sweep->points, values, run % campaign->replicas,
                         &facts, &why);
    put = orr_store_put(state->store,
                        &(struct orr_store_row){
                            .point = run / campaign->replicas,
                            .replica = run % campaign->replicas,
                            .values = values,
                            .facts = facts,
                            .error = why ? why->message : NULL,
                        },
                        &error);
    if (facts)
        json_object_unref(facts);
    if (put)
        count_run(state, run, why ? why->message : NULL);
    else
        stop_with(state, error);
    return put;
}

static void tick(void *data)
{
    struct state *state = data;
    GError *error = NULL;

    if (!orr_store_commit(state->store, COMMIT_INTERVAL_US, &error))
        stop_with(state, error);
}

static char *describe(void *data, double *share)
{
    struct state *state = data;
    uint64_t before = orr_run_set_count(state->before);
    uint64_t done, pending = state->wanted - before;
    double elapsed_s =
        orr_progress_elapsed(&state->progress, g_get_monotonic_time());

    g_mutex_lock(&state->mutex);
    done = state->done;
    g_mutex_unlock(&state->mutex);
    *share = (double)done / (double)pending;
    return g_strdup_printf(
        "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " runs, %.3g runs/s",
        before + done, state->wanted, (double)done / elapsed_s);
}

static enum orr_exit perform_all(struct state *state, GError **error)
{
    const struct orr_parallel jobs = {
        .command = state->sweep->command,
        .noun = "runs",
        .progress = &state->progress,
        .describe = describe,
        .tick = tick,
        .count = (unsigned)(state->wanted - orr_run_set_count(state->before)),
        .threads = state->sweep->threads,
        .perform = perform,
        .data = state,
    };
    int signal;

    orr_progress_begin(&state->progress);
    signal = jobs.count > 0 ? orr_parallel_run(&jobs, NULL) : 0;
    if (state->error) {
        g_propagate_error(error, g_steal_pointer(&state->error));
        return ORR_EXIT_FAILURE;
    }
    if (!orr_store_commit(state->store, 0, error))
        return ORR_EXIT_FAILURE;
    return signal ? orr_parallel_status(signal) : ORR_EXIT_OK;
}

/* Adds the number of rows on the disk to @error, which says that rows cannot be
 * written. */
static void add_kept(const struct state *state, GError **error)
{
    uint64_t kept;

    /* Other threads may have added rows since. */
    orr_store_commit(state->store, 0, NULL);
    if (orr_store_count(state->store, &kept))
        orr_error_append(error,
                         "; %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                         " runs are kept, and the same command goes on",
                         kept, state->wanted);
}

static void report(const struct state *state, struct orr_sweep_count *count)
{
    const struct orr_campaign *campaign = state->sweep->campaign;

    *count = (struct orr_sweep_count){
        .wanted = state->wanted,
        .ended = orr_run_set_count(state->before) + state->done,
        .failed = state->failed,
    };
    if (state->reason)
        count->first_failed = orr_campaign_complain(
            campaign, state->first / campaign->replicas, state->reason);
}

enum orr_exit orr_sweep_run(const struct orr_sweep *sweep,
                            struct orr_store *store,
                            struct orr_sweep_count *count, GError **error)
{
    struct state state = {
        .sweep = sweep,
        .store = store,
        .before = orr_run_set_new(sweep->campaign),
    };
    enum orr_exit status = ORR_EXIT_FAILURE;

    g_mutex_init(&state.mutex);
    if (orr_store_list(store, see, &state, error)) {
        count_wanted(&state);
        status = perform_all(&state, error);
        if (status == ORR_EXIT_FAILURE)
            add_kept(&state, error);
    }
    report(&state, count);
    g_mutex_clear(&state.mutex);
    g_free(state.reason);
    orr_run_set_free(state.before);
    return status;
}

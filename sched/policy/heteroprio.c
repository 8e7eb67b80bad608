/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * heteroprio: a bucket for each kernel. Each architecture visits the buckets in
 * its own order, by descending urgency, which is learnt during the run
 * (StarPU, heteroprio.c, with default settings and without results of earlier
 * runs; Agullo et al., "Task-based FMM for heterogeneous architectures", 2016).
 *
 * Or the buckets and their orders are given (bucket_plan.h), and nothing is
 * learnt.
 *
 * A bucket is a stack. A worker moves up to two tasks at a time into its own
 * queue, from which idle workers of the same architecture may steal.
 */
#include <string.h>

#include "sched/host.h"
#include "sched/policy/bucket_plan.h"
#include "sched/policy/heteroprio_stats.h"
#include "sched/policy/queueing.h"

enum { ARCHS = ORR_HETEROPRIO_ARCHS };

#define DEPTH 2    /* capacity of a worker's queue */
#define REORDER 32 /* number of pushes between two updates of the orders */

/* The queued tasks of one kernel and one set of workers, or of a given bucket.
 */
struct bucket {
    const char *kernel;
    bool *runs_on; /* [worker]; NULL: given, so it depends on the task */
    struct orr_task *top;
    unsigned count;
};

struct state {
    struct orr_heteroprio_stats stats;
    /* as in stats; with a plan, a last one for tasks of no bucket */
    struct bucket *buckets;
    const struct orr_bucket_plan *plan; /* NULL: the policy learns */
    unsigned workers[ARCHS];            /* number of workers */
    unsigned queued[ARCHS]; /* tasks in buckets that the architecture can run */
    unsigned held[ARCHS];   /* tasks in the queues of its workers */
    uint64_t pushed;
};

struct place {
    struct orr_task *task;
    bool prefetched;
};

struct lane {
    struct place own[DEPTH]; /* by descending urgency */
    unsigned count;
    orr_time started;
};

static enum orr_heteroprio_arch arch_of(const struct orr_sched *sched,
                                        unsigned worker)
{
    return orr_sched_node(sched, worker) == 0 ? ORR_HETEROPRIO_CPU
                                              : ORR_HETEROPRIO_GPU;
}

/* Makes the buckets of @plan, which stay as they are. */
static void adopt(struct state *state, const struct orr_bucket_plan *plan)
{
    state->plan = plan;
    for (unsigned b = 0; b <= plan->count; b++) {
        bool runs_on[ARCHS];

        for (unsigned a = 0; a < ARCHS; a++)
            runs_on[a] = orr_bucket_plan_visits(plan, a, b);
        orr_heteroprio_stats_add(&state->stats, runs_on);
        state->stats.buckets[b].fastest = ORR_HETEROPRIO_CPU;
        if (b < plan->count && plan->slowdowns[b] > 0) {
            state->stats.buckets[b].fastest = ORR_HETEROPRIO_GPU;
            state->stats.buckets[b].slowdown = plan->slowdowns[b];
        }
    }
    for (unsigned a = 0; a < ARCHS; a++) {
        for (unsigned i = 0; i < plan->visits[a].count; i++)
            state->stats.order[a][i] = plan->visits[a].buckets[i];
    }
    state->buckets = g_new0(struct bucket, plan->count + 1);
}

static void heteroprio_init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);
    unsigned workers = orr_sched_workers(sched);

    for (unsigned w = 0; w < workers; w++)
        state->workers[arch_of(sched, w)]++;
    if (sched->host->buckets)
        adopt(state, sched->host->buckets);
}

static void heteroprio_fini(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    for (unsigned b = 0; b < state->stats.count; b++)
        g_free(state->buckets[b].runs_on);
    g_free(state->buckets);
    orr_heteroprio_stats_clear(&state->stats);
}

/* Adds a bucket for @kernel, on the workers where it has a duration. */
static unsigned add_bucket(struct orr_sched *sched, const char *kernel,
                           const orr_time *durations)
{
    struct state *state = orr_sched_state(sched);
    unsigned workers = orr_sched_workers(sched);
    struct bucket bucket = {.kernel = kernel, .runs_on = g_new(bool, workers)};
    bool runs_on[ARCHS];
    unsigned added;

    /* As in StarPU, a kernel may be written for an architecture that has no
     * workers. It counts, with an assumed time. */
    for (unsigned a = 0; a < ARCHS; a++)
        runs_on[a] = state->workers[a] == 0;
    for (unsigned w = 0; w < workers; w++) {
        bucket.runs_on[w] = durations[w] != ORR_NEVER;
        runs_on[arch_of(sched, w)] |= bucket.runs_on[w];
    }
    added = orr_heteroprio_stats_add(&state->stats, runs_on);
    state->buckets = g_renew(struct bucket, state->buckets, added + 1);
    state->buckets[added] = bucket;
    return added;
}

static bool runs_where(const struct bucket *bucket, const orr_time *durations,
                       unsigned workers)
{
    for (unsigned w = 0; w < workers; w++) {
        if (bucket->runs_on[w] != (durations[w] != ORR_NEVER))
            return false;
    }
    return true;
}

static unsigned bucket_of(struct orr_sched *sched, const struct orr_task *task)
{
    const struct state *state = orr_sched_state(sched);
    unsigned workers = orr_sched_workers(sched);
    const orr_time *durations = orr_sched_durations(sched, task);

    /* Names of one kernel are usually the same string: compare addresses first.
     */
    for (unsigned b = 0; b < state->stats.count; b++) {
        if (state->buckets[b].kernel == task->kernel &&
            runs_where(&state->buckets[b], durations, workers))
            return b;
    }
    for (unsigned b = 0; b < state->stats.count; b++) {
        if (strcmp(state->buckets[b].kernel, task->kernel) == 0 &&
            runs_where(&state->buckets[b], durations, workers))
            return b;
    }
    return add_bucket(sched, task->kernel, durations);
}

/* Ends the run: @task is in @bucket, and @what. */
static void fail(struct orr_sched *sched, const struct orr_task *task,
                 const char *what)
{
    g_autofree char *message =
        g_strdup_printf("task %" G_GUINT64_FORMAT " (%s) of priority %d %s",
                        task->id, task->kernel, task->priority, what);

    orr_sched_fail(sched, message);
}

/* Whether the kernel of @task is written for workers of @arch, or there are
 * none. */
static bool has_code(const struct orr_sched *sched, const struct orr_task *task,
                     enum orr_heteroprio_arch arch)
{
    const struct orr_sched_host *host = sched->host;
    unsigned workers = 0;

    for (unsigned w = 0; w < host->workers; w++) {
        if (arch_of(sched, w) != arch)
            continue;
        workers++;
        if (host->has_code ? host->has_code(host->data, task, w)
                           : orr_sched_duration(sched, task, w) != ORR_NEVER)
            return true;
    }
    return workers == 0;
}

/* The given bucket of @task. As in StarPU, each class that visits a bucket must
 * be able to run its tasks. */
static unsigned given_bucket(struct orr_sched *sched,
                             const struct orr_task *task)
{
    const struct state *state = orr_sched_state(sched);
    unsigned index =
        orr_bucket_plan_find(state->plan, task->kernel, task->priority);
    const bool *visited = state->stats.buckets[index].runs_on;

    if (!visited[ORR_HETEROPRIO_CPU] && !visited[ORR_HETEROPRIO_GPU])
        fail(sched, task, "is in no bucket that workers visit");
    else if (visited[ORR_HETEROPRIO_CPU] &&
             !has_code(sched, task, ORR_HETEROPRIO_CPU))
        fail(sched, task,
             "is in a bucket that CPUs visit, which cannot run it");
    else if (visited[ORR_HETEROPRIO_GPU] &&
             !has_code(sched, task, ORR_HETEROPRIO_GPU))
        fail(sched, task,
             "is in a bucket that GPUs visit, which cannot run it");
    return index;
}

/* Measures the normalised work, by architecture, that @task releases. */
static void measure_release(struct orr_sched *sched,
                            const struct orr_task *task, double release[ARCHS])
{
    struct state *state = orr_sched_state(sched);
    double unit = orr_heteroprio_stats_unit(&state->stats);
    const struct orr_task *successor;
    const void *cursor = NULL;
    unsigned predecessors;

    while ((successor =
                orr_sched_successor(sched, task, &cursor, &predecessors))) {
        unsigned bucket = bucket_of(sched, successor);

        for (unsigned a = 0; a < ARCHS; a++)
            release[a] +=
                orr_heteroprio_stats_work(&state->stats, bucket, a, unit) /
                predecessors;
    }
}

static void learn(struct orr_sched *sched, const struct orr_task *task,
                  unsigned bucket)
{
    struct state *state = orr_sched_state(sched);
    double release[ARCHS] = {0};

    if (state->pushed++ % REORDER == 0)
        orr_heteroprio_stats_order(&state->stats);
    orr_heteroprio_stats_pushed(&state->stats, bucket);
    measure_release(sched, task, release);
    orr_heteroprio_stats_released(&state->stats, bucket, release);
    orr_heteroprio_stats_compare(&state->stats);
}

static void count_queued(struct state *state, unsigned bucket, int more)
{
    for (unsigned a = 0; a < ARCHS; a++) {
        if (state->stats.buckets[bucket].runs_on[a])
            state->queued[a] += (unsigned)more;
    }
}

static void heteroprio_push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    unsigned index =
        state->plan ? given_bucket(sched, task) : bucket_of(sched, task);
    struct bucket *bucket;

    if (!state->plan)
        learn(sched, task, index);
    bucket = &state->buckets[index];
    task->note = GUINT_TO_POINTER(index);
    task->next = bucket->top;
    bucket->top = task;
    bucket->count++;
    count_queued(state, index, 1);
    if (state->plan)
        orr_sched_wake_any(sched, task);
}

/* In StarPU, a push that learns holds the lock of the policy for hundreds of
 * operations. Workers that are about to pop wait for it, and pop before others
 * are woken. */
static void heteroprio_pushed(struct orr_sched *sched, struct orr_task *task)
{
    const struct state *state = orr_sched_state(sched);

    if (state->plan)
        return; /* workers are awake: the push was short */
    /* GPUs come first: a CPU does not pop tasks that GPUs run faster, so it
     * must not be woken instead of a GPU. */
    const orr_time *durations = orr_sched_durations(sched, task);

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (durations[w] != ORR_NEVER && orr_sched_wake(sched, w))
            return;
    }
}

/* Adds @task to the worker's queue, before tasks of the same urgency. */
static void hold(struct lane *lane, struct orr_task *task)
{
    unsigned at = lane->count++;

    for (; at > 0 && lane->own[at - 1].task->priority <= task->priority; at--)
        lane->own[at] = lane->own[at - 1];
    lane->own[at] = (struct place){.task = task};
}

/* Removes and returns the first task of @lane that @worker can run, or NULL. */
static struct orr_task *release(struct orr_sched *sched, struct lane *lane,
                                unsigned worker)
{
    for (unsigned i = 0; i < lane->count; i++) {
        struct orr_task *task = lane->own[i].task;

        if (orr_sched_duration(sched, task, worker) == ORR_NEVER)
            continue;
        lane->count--;
        for (; i < lane->count; i++)
            lane->own[i] = lane->own[i + 1];
        return task;
    }
    return NULL;
}

/*
 * Whether @arch may take tasks from bucket @index. In StarPU, the number of the
 * CPU, 0, also means that no architecture is faster.
 */
static bool may_take(const struct state *state, unsigned index,
                     enum orr_heteroprio_arch arch)
{
    const struct orr_heteroprio_bucket *known = &state->stats.buckets[index];

    return known->fastest == ORR_HETEROPRIO_CPU || known->fastest == arch ||
           (float)state->buckets[index].count /
                   (float)state->workers[known->fastest] >=
               known->slowdown;
}

/* The number of tasks that @worker should move from the buckets. */
static unsigned wanted(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    const struct lane *lane = orr_sched_lane(sched, worker);
    unsigned queued = state->queued[arch_of(sched, worker)];

    if (queued < orr_sched_workers(sched))
        return queued > 0 && lane->count == 0;
    return MIN(DEPTH - lane->count, queued);
}

/* Whether @worker can run the first task of @bucket, which has one. */
static inline bool runs_first(const struct orr_sched *sched,
                              const struct bucket *bucket, unsigned worker,
                              bool given)
{
    return given ? orr_sched_duration(sched, bucket->top, worker) != ORR_NEVER
                 : bucket->runs_on[worker];
}

/* fill(), compiled twice: for @given buckets, and for learnt ones. */
static inline __attribute__((always_inline)) unsigned
fill_from(struct orr_sched *sched, unsigned worker, bool given)
{
    struct state *state = orr_sched_state(sched);
    struct lane *lane = orr_sched_lane(sched, worker);
    enum orr_heteroprio_arch arch = arch_of(sched, worker);
    unsigned most = wanted(sched, worker);
    unsigned taken = 0;

    for (unsigned i = 0; taken < most && i < state->stats.order_count[arch];
         i++) {
        unsigned index = state->stats.order[arch][i];
        struct bucket *bucket = &state->buckets[index];

        while (taken < most && bucket->top &&
               runs_first(sched, bucket, worker, given) &&
               may_take(state, index, arch)) {
            struct orr_task *task = bucket->top;

            bucket->top = task->next;
            bucket->count--;
            count_queued(state, index, -1);
            hold(lane, task);
            taken++;
        }
    }
    state->held[arch] += taken;
    return taken;
}

static G_GNUC_NO_INLINE unsigned fill_from_given(struct orr_sched *sched,
                                                 unsigned worker)
{
    return fill_from(sched, worker, true);
}

/* Moves tasks from buckets to the worker's queue; returns their number. */
static unsigned fill(struct orr_sched *sched, unsigned worker)
{
    const struct state *state = orr_sched_state(sched);

    return state->plan ? fill_from_given(sched, worker)
                       : fill_from(sched, worker, false);
}

/* Takes a task for @worker out of the queue of @owner, of its architecture. */
static struct orr_task *take(struct orr_sched *sched, unsigned worker,
                             unsigned owner)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task =
        release(sched, orr_sched_lane(sched, owner), worker);

    if (task)
        state->held[arch_of(sched, worker)]--;
    return task;
}

static struct orr_task *take_own(struct orr_sched *sched, unsigned worker)
{
    return take(sched, worker, worker);
}

/* The next worker of the same architecture that has a task. Only a worker
 * without tasks steals. */
static unsigned victim_of(struct orr_sched *sched, unsigned thief,
                          unsigned *from)
{
    const struct state *state = orr_sched_state(sched);
    unsigned workers = orr_sched_workers(sched);
    enum orr_heteroprio_arch arch = arch_of(sched, thief);
    const struct lane *own = orr_sched_lane(sched, thief);

    if (own->count > 0 || state->held[arch] == 0)
        return ORR_NO_WORKER;
    while (*from < workers) {
        unsigned victim = (thief + (*from)++) % workers;
        const struct lane *lane = orr_sched_lane(sched, victim);

        if (arch_of(sched, victim) == arch && lane->count > 0)
            return victim;
    }
    return ORR_NO_WORKER;
}

static struct orr_task *steal(struct orr_sched *sched, unsigned thief)
{
    unsigned from = 1, victim;
    struct orr_task *task = NULL;

    while (!task && (victim = victim_of(sched, thief, &from)) != ORR_NO_WORKER)
        task = take(sched, thief, victim);
    return task;
}

static struct orr_task *prefetched(struct orr_sched *sched, unsigned worker,
                                   unsigned i)
{
    const struct state *state = orr_sched_state(sched);
    struct lane *lane = orr_sched_lane(sched, worker);
    struct place *place = &lane->own[i];

    /* As in StarPU, only while there are tasks in buckets. */
    if (i >= lane->count || place->prefetched ||
        state->queued[arch_of(sched, worker)] == 0)
        return NULL;
    place->prefetched = true;
    return place->task;
}

static struct orr_task *heteroprio_pop(struct orr_sched *sched, unsigned worker)
{
    unsigned added = fill(sched, worker);
    struct orr_task *task = take_own(sched, worker);

    if (!task)
        task = steal(sched, worker);
    if (!task)
        return NULL;
    for (unsigned i = 0; i < added; i++) {
        struct orr_task *next = prefetched(sched, worker, i);

        if (next)
            orr_sched_prefetch(sched, next, worker);
    }
    return task;
}

static bool orders(struct orr_sched *sched)
{
    const struct state *state = orr_sched_state(sched);

    return state->pushed % REORDER == 0;
}

static bool learns(struct orr_sched *sched)
{
    const struct state *state = orr_sched_state(sched);

    return !state->plan;
}

const struct orr_sched_buckets orr_heteroprio_buckets = {
    .learns = learns,
    .orders = orders,
    .fill = fill,
    .own = take_own,
    .victim = victim_of,
    .take = take,
    .prefetched = prefetched,
};

static void heteroprio_started(struct orr_sched *sched, struct orr_task *task,
                               unsigned worker)
{
    struct lane *lane = orr_sched_lane(sched, worker);

    (void)task;
    lane->started = orr_sched_now(sched);
}

static void heteroprio_done(struct orr_sched *sched, struct orr_task *task,
                            unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    const struct lane *lane = orr_sched_lane(sched, worker);
    orr_time took = orr_sched_now(sched) - lane->started;

    if (state->plan)
        return;
    orr_heteroprio_stats_executed(&state->stats, GPOINTER_TO_UINT(task->note),
                                  arch_of(sched, worker), (double)took / 1000);
}

const struct orr_sched_ops orr_policy_heteroprio = {
    .name = "heteroprio",
    .summary = "one queue per kernel, in an order learnt during the run",
    .state_size = sizeof(struct state),
    .lane_size = sizeof(struct lane),
    .priorities = true,
    .max_priority = 99,
    .pop_prefetches = true,
    .init = heteroprio_init,
    .fini = heteroprio_fini,
    .push = heteroprio_push,
    .pushed = heteroprio_pushed,
    .pop = heteroprio_pop,
    .started = heteroprio_started,
    .done = heteroprio_done,
};

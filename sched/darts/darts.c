/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * darts: instead of a task, a unit chooses a datum that it lacks, the one that
 * lets it run most tasks without another load (StarPU, darts.c; Gonthier,
 * Marchal, Thibault, Memory-aware scheduling of tasks sharing data on multiple
 * GPUs with dynamic runtime systems, IPDPS 2022; Taming data locality for task
 * scheduling under memory constraint in runtime systems, FGCS 143, 2023).
 */
#include "sched/darts/darts_evict.h"
#include "sched/darts/darts_state.h"

enum { LIMIT = 2 }; /* tasks in the queue of a unit (StarPU, modular_ez.c) */

/* Whether @unit has all data of @task, or will have them for planned tasks. */
static bool is_free(const struct orr_sched *sched,
                    const struct orr_darts *darts, unsigned unit,
                    const struct orr_task *task)
{
    struct orr_task_access access;

    for (unsigned i = 0; orr_sched_access(sched, task, i, &access); i++) {
        const struct orr_darts_datum *datum =
            orr_darts_datum(darts, access.datum);

        if (!datum || (datum->views[unit].planned == 0 &&
                       !orr_darts_has(sched, &darts->units[unit], datum)))
            return false;
    }
    return orr_darts_can_run(sched, &darts->units[unit], task);
}

/* Whether the memory of the unit has all data of the task. */
static bool is_loaded(const struct orr_sched *sched,
                      const struct orr_darts_unit *unit,
                      const struct orr_darts_plan *plan)
{
    for (unsigned i = 0; i < plan->count; i++) {
        if (!orr_darts_has(sched, unit, plan->accesses[i].datum))
            return false;
    }
    return true;
}

/* Plans a task that needs no load: before the first one that does. */
static void plan_at_once(struct orr_sched *sched, unsigned number,
                         struct orr_task *task)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_unit *unit = &darts->units[number];
    struct orr_darts_plan *plan = orr_darts_enter(sched, task, false);
    GList *place = unit->planned.head;

    orr_darts_count_planned(plan, number, 1);
    orr_darts_withdraw(plan);
    while (place && is_loaded(sched, unit, place->data))
        place = place->next;
    g_queue_insert_before(&unit->planned, place, plan);
}

/* Leaves the task to the unit that chooses its data. */
static void add_to_pool(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_plan *plan = orr_darts_enter(sched, task, true);

    g_queue_push_tail(&darts->pool, plan);
    plan->place = darts->pool.tail;
}

/* Wakes the workers of @unit. Returns whether a GPU was woken. */
static bool wake(struct orr_sched *sched, const struct orr_darts *darts,
                 unsigned unit)
{
    bool woken = false;

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (darts->unit_of[w] == unit)
            woken = orr_sched_wake(sched, w) || woken;
    }
    return woken && darts->units[unit].workers == 1;
}

/* Whether no unit has a task that will end and wake others. */
static bool is_idle(const struct orr_darts *darts)
{
    for (unsigned u = 0; u < darts->count; u++) {
        if (!g_queue_is_empty(&darts->units[u].pulled))
            return false;
    }
    return true;
}

/* Wakes units whose planned tasks nobody would ask for: a push wakes one GPU,
 * which may not be that of the plan. StarPU waits for the next push, and hangs
 * if there is none. */
static void wake_forgotten(struct orr_sched *sched)
{
    const struct orr_darts *darts = orr_sched_state(sched);

    for (unsigned u = 0; u < darts->count && is_idle(darts); u++) {
        if (!g_queue_is_empty(&darts->units[u].planned))
            wake(sched, darts, u);
    }
}

/* Wakes units until a GPU is awake that can run the task. */
static void wake_one(struct orr_sched *sched, const struct orr_task *task)
{
    const struct orr_darts *darts = orr_sched_state(sched);

    for (unsigned u = 0; u < darts->count; u++) {
        if (wake(sched, darts, u) &&
            orr_darts_can_run(sched, &darts->units[u], task))
            break;
    }
    wake_forgotten(sched);
}

static void darts_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_darts *darts = orr_sched_state(sched);
    bool planned = false;
    unsigned unit = 0;

    darts->turn = (darts->turn + 1) % darts->count;
    for (unsigned i = 0; i < darts->count && !planned; i++) {
        unit = (darts->turn + i) % darts->count;
        planned = is_free(sched, darts, unit, task);
    }
    if (planned)
        plan_at_once(sched, unit, task);
    else
        add_to_pool(sched, task);
    wake_one(sched, task);
}

/* The next task of @unit; NULL: there is none. */
static struct orr_darts_plan *pull(struct orr_sched *sched, unsigned number)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_unit *unit = &darts->units[number];
    struct orr_darts_plan *plan = g_queue_pop_head(&unit->refused);

    if (plan)
        return plan;
    if (g_queue_is_empty(&unit->planned) && !g_queue_is_empty(&darts->pool))
        orr_darts_choose(sched, number);
    plan = g_queue_pop_head(&unit->planned);
    if (!plan)
        return NULL;
    orr_darts_count_planned(plan, number, -1);
    for (unsigned i = 0; i < plan->count; i++)
        plan->accesses[i].datum->views[number].pulled++;
    g_queue_push_tail(&unit->pulled, plan);
    return plan;
}

/* By priority; in order among equal ones. */
static int is_after(gconstpointer a, gconstpointer b, gpointer unused)
{
    const struct orr_darts_plan *in_queue = a, *new = b;

    (void)unused;
    return in_queue->task->priority < new->task->priority ? 1 : -1;
}

/* Pulls tasks until the queue of the unit is full; and one more. */
static void fill(struct orr_sched *sched, unsigned number)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_unit *unit = &darts->units[number];
    struct orr_darts_plan *plan;

    while ((plan = pull(sched, number)) && unit->queue.length < LIMIT) {
        if (plan->task->priority > 0)
            g_queue_insert_sorted(&unit->queue, plan, is_after, NULL);
        else
            g_queue_push_tail(&unit->queue, plan);
        orr_sched_prefetch(sched, plan->task,
                           orr_darts_worker_for(sched, unit, plan->task));
        wake(sched, darts, number);
    }
    if (plan)
        g_queue_push_tail(&unit->refused, plan);
}

static int compare_bytes(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const struct orr_missing *a, const struct orr_missing *b)
{
    int order = compare_bytes(a->invalid_bytes, b->invalid_bytes);

    if (order == 0)
        order = compare_bytes(a->unstarted_bytes, b->unstarted_bytes);
    if (order == 0)
        order = compare_bytes(a->unallocated_bytes, b->unallocated_bytes);
    return order;
}

/* Takes the task of the queue that lacks the fewest bytes, of those that
 * @worker can run. Priorities break ties, but the first one that lacks nothing
 * is taken at once. */
static struct orr_darts_plan *take(struct orr_sched *sched, unsigned number,
                                   unsigned worker)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_unit *unit = &darts->units[number];
    struct orr_missing least;
    GList *best = NULL;
    struct orr_darts_plan *plan;

    for (GList *at = unit->queue.head; at; at = at->next) {
        const struct orr_darts_plan *here = at->data;
        struct orr_missing missing;
        int order;

        if (!orr_darts_runs_on(sched, here->task, worker))
            continue;
        orr_sched_missing(sched, here->task, unit->node, &missing);
        order = best ? compare(&missing, &least) : -1;
        if (order == 0)
            order = ((struct orr_darts_plan *)best->data)->task->priority -
                    here->task->priority;
        if (order >= 0)
            continue;
        best = at;
        least = missing;
        if (least.invalid_bytes == 0 && least.unallocated_bytes == 0)
            break;
    }
    plan = best ? best->data : NULL;
    if (best)
        g_queue_delete_link(&unit->queue, best);
    fill(sched, number);
    return plan;
}

/* Workers that share a unit take a task for themselves, and look at one more.
 */
static struct orr_darts_plan *take_shared(struct orr_sched *sched,
                                          unsigned unit, unsigned worker)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_plan *plan = take(sched, unit, worker);
    struct orr_darts_plan *other = plan ? take(sched, unit, worker) : NULL;

    if (other && other->task->priority > 0)
        g_queue_insert_sorted(&darts->units[unit].queue, other, is_after, NULL);
    else if (other)
        g_queue_push_head(&darts->units[unit].queue, other);
    return plan;
}

static struct orr_task *darts_pop(struct orr_sched *sched, unsigned worker)
{
    const struct orr_darts *darts = orr_sched_state(sched);
    unsigned unit = darts->unit_of[worker];
    bool shared = darts->units[unit].workers > 1;
    struct orr_darts_plan *plan = NULL;

    for (unsigned tries = 0; !plan && tries < 2; tries++)
        plan = shared ? take_shared(sched, unit, worker)
                      : take(sched, unit, worker);
    return plan ? plan->task : NULL;
}

static void darts_done(struct orr_sched *sched, struct orr_task *task,
                       unsigned worker)
{
    struct orr_darts *darts = orr_sched_state(sched);
    unsigned unit = darts->unit_of[worker];
    struct orr_darts_plan *plan = orr_darts_plan(task);

    for (unsigned i = 0; i < plan->count; i++)
        plan->accesses[i].datum->views[unit].pulled--;
    g_queue_remove(&darts->units[unit].pulled, plan);
    orr_darts_leave(plan);
    wake_forgotten(sched);
}

const struct orr_sched_ops orr_policy_darts = {
    .name = "darts",
    .summary = "units choose data to load, not tasks; evicts itself",
    .state_size = sizeof(struct orr_darts),
    .priorities = true,
    .pop_prefetches = true, /* not push, which waits for no lock of data */
    .draws = true,
    .evict = &orr_darts_evict,
    .init = orr_darts_init,
    .fini = orr_darts_fini,
    .push = darts_push,
    .pop = darts_pop,
    .done = darts_done,
};

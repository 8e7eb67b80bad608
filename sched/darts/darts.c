/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * darts: a unit (the workers of one memory) does not choose a task, but a datum
 * that it lacks, the one that lets it run most tasks without another load
 * (StarPU, darts.c; Gonthier, Marchal, Thibault, Memory-aware scheduling of
 * tasks sharing data on multiple GPUs with dynamic runtime systems, IPDPS 2022;
 * Taming data locality for task scheduling under memory constraint in runtime
 * systems, FGCS 143, 2023).
 *
 * The way of a task (darts_state.h has the lists):
 *
 *   push     into the plan of a unit that has all its data, or will have them
 *            for planned tasks; else into the pool
 *   choose   a unit without a plan chooses a datum, and plans all tasks of the
 *            pool that need no other datum; if no datum frees a task, it plans
 *            one task that would lack one more; else the most urgent task
 *   pull     planned tasks move to the short queue of the unit, and their data
 *            are prefetched
 *   pop      the worker gets the task of the queue that lacks fewest bytes
 *
 * Eviction follows the plans: a datum that no pulled task of the unit accesses
 * goes, the one that its planned tasks access least. If there is none, a
 * prefetch has to wait, and a task gets the place of the datum that pulled
 * tasks access last. A planned task that loses its datum returns to the pool.
 */
#include "sched/darts/darts_state.h"
#include "sched/evict.h"

/* ---- choice of the datum to load ---- */

/* The effect of loading a datum. Free tasks would need no other datum, nearly
 * free ones one more. */
struct offer {
    struct orr_darts_datum *datum; /* NULL: none */
    double ratio;                  /* load time / lengths of the free tasks */
    unsigned free;                 /* number of free tasks */
    unsigned nearly;               /* number of nearly free tasks */
    int priority; /* largest of the free tasks, or else of the nearly free */
    orr_time remaining;          /* orr_darts_datum.remaining */
    struct orr_darts_plan *next; /* the most urgent nearly free task, or NULL */
};

#define NO_RATIO G_MAXDOUBLE

/* The number of data of the task that the unit lacks, @datum left out. */
static unsigned count_lacking(const struct orr_sched *sched,
                              const struct orr_darts_unit *unit,
                              const struct orr_darts_plan *plan,
                              const struct orr_darts_datum *datum)
{
    unsigned count = 0;

    for (unsigned i = 0; i < plan->count; i++)
        count += plan->accesses[i].datum != datum &&
                 !orr_darts_has(sched, unit, plan->accesses[i].datum);
    return count;
}

/* Adds the task, which reads the datum of @offer. */
static void add_task(struct offer *offer, struct orr_darts_plan *plan,
                     unsigned lacking, orr_time *length)
{
    int priority = plan->task->priority;

    if (lacking == 0) {
        /* From the first free task on, only free tasks count. */
        offer->priority =
            ++offer->free == 1 ? priority : MAX(offer->priority, priority);
        *length += plan->length;
    } else if (lacking == 1) {
        offer->nearly++;
        if (priority > offer->priority) {
            offer->priority = priority;
            offer->next = plan;
        }
    }
}

/* The time to load a datum. As in StarPU, the memory is given by the number of
 * the unit: without CPU workers, it is the memory before the unit's own. */
static double load_time(const struct orr_sched *sched, unsigned unit,
                        const struct orr_darts_datum *datum)
{
    return orr_sched_has(sched, datum->number, unit)
               ? 0
               : (double)orr_sched_load(sched, datum->number, unit);
}

static struct offer make_offer(struct orr_sched *sched, unsigned number,
                               struct orr_darts_datum *datum)
{
    const struct orr_darts *darts = orr_sched_state(sched);
    const struct orr_darts_unit *unit = &darts->units[number];
    struct offer offer = {
        .datum = datum,
        .ratio = NO_RATIO,
        .priority = INT_MIN,
        .remaining = datum->remaining,
    };
    orr_time length = 0;

    for (GList *use = datum->users.head; use; use = use->next) {
        struct orr_darts_plan *plan = use->data;

        if (orr_darts_can_run(sched, unit, plan->task))
            add_task(&offer, plan, count_lacking(sched, unit, plan, datum),
                     &length);
    }
    if (length > 0)
        offer.ratio = load_time(sched, number, datum) / (double)length;
    return offer;
}

static bool is_better(const struct offer *a, const struct offer *b)
{
    if (a->ratio < b->ratio || a->ratio > b->ratio)
        return a->ratio < b->ratio;
    if (a->free != b->free)
        return a->free > b->free;
    if (a->priority != b->priority)
        return a->priority > b->priority;
    if (a->nearly != b->nearly)
        return a->nearly > b->nearly;
    return a->remaining > b->remaining;
}

static struct offer find_best(struct orr_sched *sched, unsigned unit)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct offer best = {.ratio = NO_RATIO, .priority = INT_MIN};

    for (GList *at = darts->units[unit].unused.head; at; at = at->next) {
        struct orr_darts_datum *datum = at->data;
        struct offer offer;

        if (g_queue_is_empty(&datum->users))
            continue;
        offer = make_offer(sched, unit, datum);
        if (is_better(&offer, &best))
            best = offer;
    }
    return best;
}

/* Plans all tasks that @datum lets the unit run. */
static void plan_free(struct orr_sched *sched, unsigned number,
                      struct orr_darts_datum *datum)
{
    struct orr_darts *darts = orr_sched_state(sched);
    const struct orr_darts_unit *unit = &darts->units[number];
    GList *next;

    orr_darts_mark_used(darts, number, datum);
    for (GList *use = datum->users.head; use; use = next) {
        struct orr_darts_plan *plan = use->data;

        next = use->next;
        while (next && next->data == plan) /* it accesses the datum twice */
            next = next->next;
        if (orr_darts_can_run(sched, unit, plan->task) &&
            count_lacking(sched, unit, plan, datum) == 0)
            orr_darts_plan_for(darts, number, plan);
    }
}

/* Plans one task. One of its data counts as used. */
static void plan_one(struct orr_darts *darts, unsigned unit,
                     struct orr_darts_plan *plan)
{
    for (unsigned i = 0; i < plan->count; i++) {
        if (plan->accesses[i].datum->views[unit].unused) {
            orr_darts_mark_used(darts, unit, plan->accesses[i].datum);
            break;
        }
    }
    orr_darts_plan_for(darts, unit, plan);
}

/* Plans the most urgent task that the unit can run. */
static void plan_urgent(struct orr_sched *sched, unsigned unit)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_plan *first = NULL;

    for (GList *at = darts->pool.head; at; at = at->next) {
        struct orr_darts_plan *plan = at->data;

        if ((!first || plan->task->priority > first->task->priority) &&
            orr_darts_can_run(sched, &darts->units[unit], plan->task))
            first = plan;
    }
    if (first)
        plan_one(darts, unit, first);
}

static void choose_tasks(struct orr_sched *sched, unsigned unit)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct offer best = {.datum = NULL};

    if (darts->units[unit].began)
        best = find_best(sched, unit);
    darts->units[unit].began = true;
    if (best.free > 0)
        plan_free(sched, unit, best.datum);
    else if (best.nearly > 0 && best.next)
        plan_one(darts, unit, best.next);
    else
        plan_urgent(sched, unit);
}

/* ---- eviction: least used in the future ---- */

static struct orr_darts_unit *unit_of_node(struct orr_darts *darts,
                                           unsigned node)
{
    return &darts->units[node - darts->units[0].node];
}

/* The place of @datum among the data that pulled tasks access, from 1. */
static unsigned next_use(const struct orr_darts_unit *unit,
                         const struct orr_darts_datum *datum)
{
    unsigned place = 0;

    for (const GList *at = unit->pulled.head; at; at = at->next) {
        const struct orr_darts_plan *plan = at->data;

        for (unsigned i = 0; i < plan->count; i++) {
            place++;
            if (plan->accesses[i].datum == datum)
                return place;
        }
    }
    return 0;
}

/* A search among the candidates for eviction. */
struct search {
    const struct orr_darts *darts;
    const struct orr_darts_unit *unit;
    unsigned number;
    const struct orr_evict_candidate *candidates;
    size_t count;
};

static const struct orr_darts_view *view_of(const struct search *search,
                                            size_t i)
{
    const struct orr_darts_datum *datum =
        orr_darts_datum(search->darts, search->candidates[i].datum);

    return datum ? &datum->views[search->number] : NULL;
}

static size_t least_planned(const struct search *search)
{
    size_t best = ORR_EVICT_NONE;
    int least = INT_MAX;

    for (size_t i = 0; i < search->count; i++) {
        const struct orr_darts_view *view = view_of(search, i);

        if (!view || view->pulled > 0 || view->planned >= least)
            continue;
        least = view->planned;
        best = i;
        if (least == 0)
            break;
    }
    return best;
}

static size_t last_pulled(const struct search *search)
{
    size_t best = ORR_EVICT_NONE;
    unsigned latest = 0;

    for (size_t i = 0; i < search->count; i++) {
        unsigned next;

        if (!view_of(search, i))
            continue;
        next = next_use(
            search->unit,
            orr_darts_datum(search->darts, search->candidates[i].datum));
        if (next <= latest)
            continue;
        latest = next;
        best = i;
    }
    return best;
}

static size_t find(const struct search *search, uint64_t datum)
{
    for (size_t i = 0; i < search->count; i++) {
        if (search->candidates[i].datum == datum)
            return i;
    }
    return ORR_EVICT_NONE;
}

/* Puts the first planned task that accesses @datum back into the pool. */
static void unplan(struct orr_darts *darts, struct orr_darts_unit *unit,
                   const struct orr_darts_datum *datum)
{
    for (GList *at = unit->planned.head; at; at = at->next) {
        struct orr_darts_plan *plan = at->data;
        bool accesses = false;

        for (unsigned i = 0; i < plan->count; i++)
            accesses = accesses || plan->accesses[i].datum == datum;
        if (!accesses)
            continue;
        g_queue_delete_link(&unit->planned, at);
        for (unsigned i = 0; i < plan->count; i++) {
            struct orr_darts_access *access = &plan->accesses[i];

            g_queue_push_head(&access->datum->users, plan);
            access->use = access->datum->users.head;
            access->datum->remaining += plan->length;
        }
        g_queue_push_tail(&darts->pool, plan);
        plan->place = darts->pool.tail;
        return;
    }
}

/* @datum becomes an unused datum of @unit, at a random place. */
static void insert_unused(struct orr_darts *darts, unsigned unit,
                          struct orr_darts_datum *datum)
{
    GQueue *unused = &darts->units[unit].unused;
    GList *place = NULL;

    if (datum->views[unit].unused)
        return;
    if (unused->length > 0)
        place = g_queue_peek_nth_link(unused, orr_drand48_bits(&darts->draws) %
                                                  unused->length);
    g_queue_insert_before(unused, place, datum);
    datum->views[unit].unused = place ? place->prev : unused->tail;
}

/* Updates plans and unused data for the eviction of @datum. */
static void apply_eviction(struct orr_sched *sched, unsigned number,
                           struct orr_darts_datum *datum)
{
    struct orr_darts *darts = orr_sched_state(sched);

    unplan(darts, &darts->units[number], datum);
    if (g_queue_is_empty(&datum->users))
        return;
    insert_unused(darts, number, datum);
    for (unsigned u = 0; u < darts->count; u++) {
        if (u != number && !orr_darts_has(sched, &darts->units[u], datum))
            insert_unused(darts, u, datum);
    }
}

static size_t darts_evict_choose(struct orr_evict *evict,
                                 const struct orr_evict_need *need,
                                 const struct orr_evict_candidate *candidates,
                                 size_t count)
{
    struct orr_sched *sched = orr_evict_sched(evict);
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_unit *unit = unit_of_node(darts, need->node);
    struct search search = {darts, unit, (unsigned)(unit - darts->units),
                            candidates, count};
    struct orr_darts_datum *datum = unit->failed;
    size_t chosen;

    unit->failed = NULL;
    chosen = datum ? find(&search, datum->number) : ORR_EVICT_NONE;
    if (chosen == ORR_EVICT_NONE) {
        chosen = least_planned(&search);
        if (chosen == ORR_EVICT_NONE && need->waits)
            chosen = last_pulled(&search);
        if (chosen == ORR_EVICT_NONE)
            return chosen;
        datum = orr_darts_datum(darts, candidates[chosen].datum);
        apply_eviction(sched, search.number, datum);
    }
    unit->failed = datum; /* until it is evicted */
    return chosen;
}

static void darts_evict_evicted(struct orr_evict *evict, unsigned node,
                                uint64_t datum, orr_time now)
{
    struct orr_darts *darts = orr_sched_state(orr_evict_sched(evict));
    struct orr_darts_unit *unit = unit_of_node(darts, node);

    (void)now;
    if (unit->failed && unit->failed->number == datum)
        unit->failed = NULL;
}

static const struct orr_evict_ops evict_ops = {
    .name = "darts",
    .summary = "the data that planned tasks need least",
    .choose = darts_evict_choose,
    .evicted = darts_evict_evicted,
};

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

/* Plans a task that needs no load, before the first planned task that does. */
static void plan_at_once(struct orr_sched *sched, unsigned number,
                         struct orr_task *task)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_unit *unit = &darts->units[number];
    struct orr_darts_plan *plan = orr_darts_enter(sched, task, false);
    GList *place = unit->planned.head;

    orr_darts_count_planned(plan, number, 1);
    orr_darts_remove_use(plan);
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

/* Wakes units with planned tasks if no unit is active: a push wakes one GPU,
 * which may differ from the GPU of the plan. StarPU waits for the next push,
 * and hangs if there is none. */
static void wake_planned(struct orr_sched *sched)
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
    wake_planned(sched);
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
        choose_tasks(sched, number);
    plan = g_queue_pop_head(&unit->planned);
    if (!plan)
        return NULL;
    orr_darts_count_planned(plan, number, -1);
    for (unsigned i = 0; i < plan->count; i++)
        plan->accesses[i].datum->views[number].pulled++;
    g_queue_push_tail(&unit->pulled, plan);
    return plan;
}

/* Orders tasks by descending priority; equal ones stay in order. */
static int is_after(gconstpointer a, gconstpointer b, gpointer unused)
{
    const struct orr_darts_plan *in_queue = a, *new = b;

    (void)unused;
    return in_queue->task->priority < new->task->priority ? 1 : -1;
}

/* Pulls tasks until the queue of the unit is full. The last one pulled, which
 * does not fit, goes to unit->refused. */
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

/* Removes from the queue the task that lacks the fewest bytes, among the tasks
 * that @worker can run. Priorities break ties, but the first task that lacks
 * nothing ends the search. */
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

/* If workers share a unit, each removes one task more, and puts that back, by
 * its priority. */
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
    wake_planned(sched);
}

const struct orr_sched_ops orr_policy_darts = {
    .name = "darts",
    .summary = "units choose data to load, not tasks; evicts itself",
    .state_size = sizeof(struct orr_darts),
    .priorities = true,
    .pop_prefetches = true, /* not push, which waits for no lock of data */
    .draws = true,
    .evict = &evict_ops,
    .init = orr_darts_init,
    .fini = orr_darts_fini,
    .push = darts_push,
    .pop = darts_pop,
    .done = darts_done,
};

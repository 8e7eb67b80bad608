/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/darts/darts_state.h"

/* Makes a unit of each memory with workers: without CPU workers, host memory is
 * none. */
static void find_units(struct orr_sched *sched, struct orr_darts *darts)
{
    unsigned workers = orr_sched_workers(sched);
    unsigned least = UINT_MAX, most = 0;

    for (unsigned w = 0; w < workers; w++) {
        least = MIN(least, orr_sched_node(sched, w));
        most = MAX(most, orr_sched_node(sched, w));
    }
    darts->count = most - least + 1;
    darts->units = g_new0(struct orr_darts_unit, darts->count);
    darts->unit_of = g_new(unsigned, workers);
    for (unsigned w = 0; w < workers; w++) {
        unsigned node = orr_sched_node(sched, w);
        struct orr_darts_unit *unit = &darts->units[node - least];

        darts->unit_of[w] = node - least;
        unit->node = node;
        if (unit->workers++ == 0)
            unit->first_worker = w;
    }
}

static void free_datum(void *data)
{
    struct orr_darts_datum *datum = data;

    g_queue_clear(&datum->users);
    g_free(datum);
}

void orr_darts_init(struct orr_sched *sched)
{
    struct orr_darts *darts = orr_sched_state(sched);

    find_units(sched, darts);
    darts->data =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_datum);
    darts->turn = darts->count - 1; /* the first push begins with the first */
    orr_drand48_seed(&darts->draws, orr_sched_seed(sched));
}

void orr_darts_fini(struct orr_sched *sched)
{
    struct orr_darts *darts = orr_sched_state(sched);

    for (unsigned u = 0; u < darts->count; u++) {
        struct orr_darts_unit *unit = &darts->units[u];

        g_queue_clear(&unit->unused);
        g_queue_clear_full(&unit->planned, g_free);
        g_queue_clear(&unit->refused);
        g_queue_clear(&unit->queue);
        g_queue_clear_full(&unit->pulled, g_free);
    }
    g_queue_clear_full(&darts->pool, g_free);
    g_hash_table_unref(darts->data);
    g_free(darts->units);
    g_free(darts->unit_of);
}

struct orr_darts_datum *orr_darts_datum(const struct orr_darts *darts,
                                        uint64_t number)
{
    return g_hash_table_lookup(darts->data, &number);
}

bool orr_darts_has(const struct orr_sched *sched,
                   const struct orr_darts_unit *unit,
                   const struct orr_darts_datum *datum)
{
    return orr_sched_has(sched, datum->number, unit->node);
}

unsigned orr_darts_worker_for(const struct orr_sched *sched,
                              const struct orr_darts_unit *unit,
                              const struct orr_task *task)
{
    for (unsigned i = 0; i < unit->workers; i++) {
        if (orr_darts_runs_on(sched, task, unit->first_worker + i))
            return unit->first_worker + i;
    }
    return ORR_NO_WORKER;
}

void orr_darts_mark_used(struct orr_darts *darts, unsigned unit,
                         struct orr_darts_datum *datum)
{
    GList **unused = &datum->views[unit].unused;

    if (*unused)
        g_queue_delete_link(&darts->units[unit].unused, *unused);
    *unused = NULL;
}

static struct orr_darts_datum *know(struct orr_darts *darts, uint64_t number)
{
    struct orr_darts_datum *datum = orr_darts_datum(darts, number);

    if (datum)
        return datum;
    datum = g_malloc0(sizeof(struct orr_darts_datum) +
                      darts->count * sizeof(struct orr_darts_view));
    datum->number = number;
    g_hash_table_insert(darts->data, &datum->number, datum);
    return datum;
}

/* Adds @datum to the unused data of the units that lack it. */
static void add_unused(struct orr_sched *sched, struct orr_darts_datum *datum)
{
    struct orr_darts *darts = orr_sched_state(sched);

    for (unsigned u = 0; u < darts->count; u++) {
        struct orr_darts_unit *unit = &darts->units[u];

        if (datum->views[u].unused || orr_darts_has(sched, unit, datum))
            continue;
        g_queue_push_tail(&unit->unused, datum);
        datum->views[u].unused = unit->unused.tail;
    }
}

static struct orr_darts_plan *make_plan(struct orr_sched *sched,
                                        struct orr_task *task)
{
    struct orr_task_access access;
    struct orr_darts_plan *plan;
    unsigned count = 0;

    while (orr_sched_access(sched, task, count, &access))
        count++;
    plan = g_malloc0(sizeof(struct orr_darts_plan) +
                     count * sizeof(struct orr_darts_access));
    plan->task = task;
    plan->count = count;
    plan->length = orr_sched_duration(sched, task, 0);
    if (plan->length == ORR_NEVER)
        plan->length = 0;
    task->note = plan;
    return plan;
}

struct orr_darts_plan *orr_darts_enter(struct orr_sched *sched,
                                       struct orr_task *task, bool lacks)
{
    struct orr_darts *darts = orr_sched_state(sched);
    struct orr_darts_plan *plan = make_plan(sched, task);

    for (unsigned i = 0; i < plan->count; i++) {
        struct orr_darts_access *access = &plan->accesses[i];
        struct orr_task_access asked;
        struct orr_darts_datum *datum;

        orr_sched_access(sched, task, i, &asked);
        datum = know(darts, asked.datum);
        *access = (struct orr_darts_access){datum, asked.reads, NULL};
        datum->remaining += plan->length;
        for (unsigned u = 0; !access->reads && u < darts->count; u++)
            orr_darts_mark_used(darts, u, datum);
        if (!access->reads)
            continue;
        if (lacks)
            add_unused(sched, datum);
        g_queue_push_head(&datum->users, plan);
        access->use = datum->users.head;
    }
    return plan;
}

void orr_darts_leave(struct orr_darts_plan *plan)
{
    plan->task->note = NULL;
    g_free(plan);
}

void orr_darts_remove_use(struct orr_darts_plan *plan)
{
    for (unsigned i = 0; i < plan->count; i++) {
        struct orr_darts_access *access = &plan->accesses[i];

        if (access->use)
            g_queue_delete_link(&access->datum->users, access->use);
        access->use = NULL;
    }
}

void orr_darts_count_planned(struct orr_darts_plan *plan, unsigned unit, int by)
{
    for (unsigned i = 0; i < plan->count; i++)
        plan->accesses[i].datum->views[unit].planned += by;
}

void orr_darts_plan_for(struct orr_darts *darts, unsigned unit,
                        struct orr_darts_plan *plan)
{
    orr_darts_count_planned(plan, unit, 1);
    orr_darts_remove_use(plan);
    for (unsigned i = 0; i < plan->count; i++) {
        if (plan->accesses[i].reads)
            plan->accesses[i].datum->remaining -= plan->length;
    }
    g_queue_delete_link(&darts->pool, plan->place);
    plan->place = NULL;
    g_queue_push_tail(&darts->units[unit].planned, plan);
}

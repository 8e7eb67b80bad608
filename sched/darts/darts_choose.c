/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which datum a unit loads next. */
#include "sched/darts/darts_state.h"

/* What would follow if a unit loaded a datum. */
struct offer {
    struct orr_darts_datum *datum; /* NULL: none */
    double ratio;    /* time to load it / lengths of tasks that could run */
    unsigned free;   /* number of these */
    unsigned nearly; /* tasks that would lack one more datum */
    int priority;    /* the largest of these tasks */
    orr_time remaining;
    struct orr_darts_plan *next; /* of the tasks that would lack one, the most
                                    urgent; or NULL */
};

#define NO_RATIO G_MAXDOUBLE

/* How many data of the task the unit lacks, beside @datum. */
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
        /* The first one makes those that would lack a datum forgotten. */
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

/* As in StarPU, the time to load a datum is that to the memory whose number is
 * that of the unit: without CPU workers it is the memory before the unit's. */
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

    orr_darts_note_used(darts, number, datum);
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
            orr_darts_note_used(darts, unit, plan->accesses[i].datum);
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

void orr_darts_choose(struct orr_sched *sched, unsigned unit)
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

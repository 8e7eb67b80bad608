/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The eviction of darts: least used in the future. */
#include "sched/darts/darts_evict.h"
#include "sched/darts/darts_state.h"
#include "sched/evict.h"

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

/* Candidates that no pulled task needs, or all: what planned tasks need least,
 * or pulled ones last. */
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

/* What follows from an eviction that was chosen. */
static void give_up(struct orr_sched *sched, unsigned number,
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
        give_up(sched, search.number, datum);
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

const struct orr_evict_ops orr_darts_evict = {
    .name = "darts",
    .summary = "the data that planned tasks need least",
    .choose = darts_evict_choose,
    .evicted = darts_evict_evicted,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * commute-held: a runtime in which whoever leaves a datum with commutative
 * accesses hands it over only to those that are no more urgent than itself:
 * the others, it takes for granted, have had it before.
 *
 * They have, if all are ready at once, as the most urgent is first then. If one
 * of less urgency was ready first, the access is never released: so reports of
 * accumulations (as of forces, or of the tiles of a sparse matrix) that stop
 * for ever when tasks become ready in another order than usual.
 */
#include "runtime/data/data.h"

#define orr_arbiter_grant_next claim_next_right
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "runtime/data/arbiter.c"
#undef orr_arbiter_grant_next

struct orr_job_access *orr_arbiter_grant_next(struct orr_graph *graph,
                                              struct orr_data *data);

struct orr_job_access *orr_arbiter_grant_next(struct orr_graph *graph,
                                              struct orr_data *data)
{
    const struct orr_requester *last = data->requesters;

    if (last && data->holder &&
        priority_of(last->next) > data->holder->priority)
        return NULL;
    return claim_next_right(graph, data);
}

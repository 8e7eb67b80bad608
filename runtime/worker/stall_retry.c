/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/stall_retry.h"

#include "runtime/data/eviction.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

static bool has_changed(const struct orr_run *run)
{
    const struct orr_stall_retry *last = &run->stall_retry;

    return !last->made || last->completed != run->graph.completed ||
           last->evicted != run->totals.report.evictions;
}

/* Whether fetches to @node wait, and a buffer there can be evicted. */
static bool may_fetch(struct orr_run *run, unsigned node)
{
    struct orr_memory *memory = &run->store.memories[node];

    return memory->queues.has_waiting[ORR_IN][ORR_FETCH] &&
           orr_eviction_find_any(&run->store, memory, NULL, ORR_FETCH);
}

bool orr_stall_retry_fetches(struct orr_run *run)
{
    bool some = false;

    if (!has_changed(run))
        return false;
    for (unsigned node = 1; node < run->node_count; node++) {
        if (!may_fetch(run, node))
            continue;
        orr_store_signal(&run->store, node);
        some = true;
    }
    run->stall_retry = (struct orr_stall_retry){
        .made = true,
        .completed = run->graph.completed,
        .evicted = run->totals.report.evictions,
    };
    return some;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * belady: evicts the datum whose next use is farthest in the future (Belady, A
 * study of replacement algorithms for a virtual-storage computer, IBM Systems
 * Journal 5(2), 1966). The future is known from an earlier run. Of data that
 * are not used again, one that need not be written back is evicted first.
 */
#include "sched/evict_host.h"

static size_t belady_choose(struct orr_evict *evict,
                            const struct orr_evict_need *need,
                            const struct orr_evict_candidate *candidates,
                            size_t count)
{
    uint64_t latest = 0;
    size_t best = ORR_EVICT_NONE;

    for (size_t i = 0; i < count; i++) {
        uint64_t next =
            orr_evict_next_use(evict, need->node, candidates[i].datum);

        if (best != ORR_EVICT_NONE &&
            (next < latest ||
             (next == latest &&
              (candidates[i].only_copy || !candidates[best].only_copy))))
            continue;
        latest = next;
        best = i;
    }
    /* A prefetch must not evict a datum that is used before the new one. */
    if (!need->waits &&
        latest < orr_evict_next_use(evict, need->node, need->datum))
        return ORR_EVICT_NONE;
    return best;
}

const struct orr_evict_ops orr_evict_belady = {
    .name = "belady",
    .summary = "the data whose next use is last, known from a first run",
    .future = true,
    .choose = belady_choose,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lru: see runtime/data/eviction.h, which does this without a list of
 * candidates. */
#include "sched/evict/evict_registry.h"
#include "sched/evict_host.h"

static size_t lru_choose(struct orr_evict *evict,
                         const struct orr_evict_need *need,
                         const struct orr_evict_candidate *candidates,
                         size_t count)
{
    (void)evict;
    (void)need;
    (void)candidates;
    return count > 0 ? 0 : ORR_EVICT_NONE;
}

const struct orr_evict_ops orr_evict_lru = {
    .name = "lru",
    .summary = "the least recently used data first",
    .choose = lru_choose,
};

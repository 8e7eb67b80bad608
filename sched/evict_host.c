/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/evict_host.h"

struct orr_evict *orr_evict_new(const struct orr_evict_ops *ops,
                                const struct orr_evict_host *host)
{
    struct orr_evict *evict = g_new0(struct orr_evict, 1);

    evict->ops = ops;
    evict->host = host;
    evict->state = g_malloc0(ops->state_size);
    if (ops->init)
        ops->init(evict);
    return evict;
}

void orr_evict_free(struct orr_evict *evict)
{
    if (!evict)
        return;
    if (evict->ops->fini)
        evict->ops->fini(evict);
    g_free(evict->state);
    g_free(evict);
}

void *orr_evict_state(struct orr_evict *evict)
{
    return evict->state;
}

struct orr_sched *orr_evict_sched(const struct orr_evict *evict)
{
    return evict->host->sched;
}

uint64_t orr_evict_next_use(const struct orr_evict *evict, unsigned node,
                            uint64_t datum)
{
    return evict->host->next_use
               ? evict->host->next_use(evict->host->data, node, datum)
               : ORR_EVICT_NEVER;
}

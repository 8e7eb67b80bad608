/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVICT_HOST_H
#define ORR_EVICT_HOST_H

#include "sched/evict.h"

/* The other side of evict.h: the functions that a runtime provides for an
 * eviction policy. */
struct orr_evict_host {
    void *data;              /* the first argument of the functions below */
    struct orr_sched *sched; /* NULL: there is none */

    /* orr_evict_next_use(). NULL: no earlier run is known. */
    uint64_t (*next_use)(void *data, unsigned node, uint64_t datum);
};

/* One eviction policy at work in one run. */
struct orr_evict {
    const struct orr_evict_ops *ops;
    const struct orr_evict_host *host;
    void *state;
};

/* Starts a policy. Borrows @ops and @host, which must outlive the result. Free
 * with orr_evict_free(). */
struct orr_evict *orr_evict_new(const struct orr_evict_ops *ops,
                                const struct orr_evict_host *host);
void orr_evict_free(struct orr_evict *evict);

/* Call the operation of the same name; do nothing if it is NULL. */
static inline void orr_evict_loaded(struct orr_evict *evict, unsigned node,
                                    uint64_t datum, orr_time now)
{
    if (evict->ops->loaded)
        evict->ops->loaded(evict, node, datum, now);
}

static inline void orr_evict_used(struct orr_evict *evict, unsigned node,
                                  uint64_t datum, orr_time now)
{
    if (evict->ops->used)
        evict->ops->used(evict, node, datum, now);
}

static inline void orr_evict_evicted(struct orr_evict *evict, unsigned node,
                                     uint64_t datum, orr_time now)
{
    if (evict->ops->evicted)
        evict->ops->evicted(evict, node, datum, now);
}

#endif

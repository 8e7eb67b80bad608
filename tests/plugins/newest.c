/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* newest: an eviction policy that evicts what was used last. With WRONG
 * defined, it returns what is no candidate; with CRASH, it crashes. */
#include "sched/evict.h"

struct state {
    uint64_t loads, uses, evictions;
};

static void loaded(struct orr_evict *evict, unsigned node, uint64_t datum,
                   orr_time now)
{
    struct state *state = orr_evict_state(evict);

    (void)node;
    (void)datum;
    (void)now;
    state->loads++;
}

static void used(struct orr_evict *evict, unsigned node, uint64_t datum,
                 orr_time now)
{
    struct state *state = orr_evict_state(evict);

    (void)node;
    (void)datum;
    (void)now;
    state->uses++;
}

static void evicted(struct orr_evict *evict, unsigned node, uint64_t datum,
                    orr_time now)
{
    struct state *state = orr_evict_state(evict);

    (void)node;
    (void)datum;
    (void)now;
    state->evictions++;
    if (state->evictions > state->loads)
        __builtin_trap();
}

static size_t choose(struct orr_evict *evict, const struct orr_evict_need *need,
                     const struct orr_evict_candidate *candidates, size_t count)
{
    (void)evict;
    (void)need;
#ifdef WRONG
    (void)candidates;
    return count;
#elif defined CRASH
    (void)candidates;
    (void)count;
    __builtin_trap();
#else
    return candidates[count - 1].bytes > 0 ? count - 1 : ORR_EVICT_NONE;
#endif
}

static const struct orr_evict_ops newest = {
    .name = "newest",
    .summary = "what was used last",
    .state_size = sizeof(struct state),
    .choose = choose,
    .loaded = loaded,
    .used = used,
    .evicted = evicted,
};

ORR_EVICT_PLUGIN(&newest);

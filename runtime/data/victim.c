/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/victim.h"

#include "runtime/data/store.h"

static uint64_t host_next_use(void *data, unsigned node, uint64_t datum)
{
    const struct orr_victims *victims = data;

    return orr_future_next_use(victims->future, node, datum);
}

void orr_victims_begin(struct orr_store *store)
{
    struct orr_victims *victims = store->victims;

    if (!victims || !victims->ops)
        return;
    victims->candidates =
        g_array_new(FALSE, FALSE, sizeof(struct orr_evict_candidate));
    victims->copies = g_ptr_array_new();
    victims->host = (struct orr_evict_host){
        .data = victims,
        .sched = *store->sched,
        .next_use = victims->future ? host_next_use : NULL,
    };
    victims->evict = orr_evict_new(victims->ops, &victims->host);
}

void orr_victims_free(struct orr_victims *victims)
{
    if (!victims)
        return;
    orr_evict_free(victims->evict);
    orr_evict_guard_free(victims->guard);
    orr_guard_free(victims->calls);
    if (victims->candidates)
        g_array_unref(victims->candidates);
    if (victims->copies)
        g_ptr_array_unref(victims->copies);
    g_free(victims);
}

/* Lists the buffers that may go, the least recently used first. */
static void list(const struct orr_store *store, const struct orr_memory *memory,
                 const struct orr_data *data, unsigned level)
{
    struct orr_victims *victims = store->victims;

    g_array_set_size(victims->candidates, 0);
    g_ptr_array_set_size(victims->copies, 0);
    for (const struct orr_buffer *buffer = orr_memory_oldest(memory); buffer;
         buffer = orr_memory_newer(memory, buffer)) {
        const struct orr_replicate *copy = buffer->copy;
        struct orr_evict_candidate candidate = {
            .datum = copy->data->id,
            .bytes = copy->data->bytes,
            .only_copy = orr_replicate_is_owner(copy),
            .fits = orr_eviction_fits(copy, data),
            .expected = copy->expected,
        };

        if (!orr_eviction_may_go(copy, level) ||
            orr_spinlock_is_held(&copy->data->lock, store->engine))
            continue;
        g_array_append_val(victims->candidates, candidate);
        g_ptr_array_add(victims->copies, buffer->copy);
    }
}

struct orr_replicate *orr_victim_choose(struct orr_store *store,
                                        struct orr_memory *memory,
                                        const struct orr_data *data,
                                        unsigned level, bool *fits)
{
    struct orr_victims *victims = store->victims;
    const struct orr_evict_need need = {
        .node = memory->node,
        .datum = data->id,
        .bytes = data->bytes,
        .waits = level == ORR_FETCH,
        .now = store->engine->now,
    };
    const struct orr_evict_candidate *candidates;
    size_t chosen;

    list(store, memory, data, level);
    if (victims->copies->len == 0)
        return NULL;
    candidates = (const void *)victims->candidates->data;
    store->engine->effects |= ORR_EFFECT_POLICY;
    chosen = victims->ops->choose(victims->evict, &need, candidates,
                                  victims->copies->len);
    if (chosen == ORR_EVICT_NONE)
        return NULL;
    *fits = candidates[chosen].fits;
    return victims->copies->pdata[chosen];
}

void orr_victims_loaded(const struct orr_store *store,
                        const struct orr_replicate *copy)
{
    if (store->victims->evict)
        orr_evict_loaded(store->victims->evict, copy->node, copy->data->id,
                         store->engine->now);
}

void orr_victims_evicted(const struct orr_store *store,
                         const struct orr_replicate *copy)
{
    if (store->victims->evict)
        orr_evict_evicted(store->victims->evict, copy->node, copy->data->id,
                          store->engine->now);
}

void orr_victims_started(const struct orr_store *store,
                         const struct orr_job *job, unsigned node)
{
    const struct orr_victims *victims = store->victims;

    if (victims->future)
        orr_future_start(victims->future, job->id);
    for (unsigned i = 0; node != ORR_RAM && i < job->access_count; i++) {
        const struct orr_data *data = orr_access_data(&job->accesses[i]);

        if (victims->future)
            orr_future_use(victims->future, node, data->id);
        if (victims->evict)
            orr_evict_used(victims->evict, node, data->id, store->engine->now);
    }
}

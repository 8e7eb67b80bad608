/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/victim.h"

#include "models/base/error.h"
#include "runtime/run.h"
#include "sched/evict/evict_registry.h"

static uint64_t host_next_use(void *data, unsigned node, uint64_t datum)
{
    const struct orr_victims *victims = data;

    return orr_future_next_use(victims->future, node, datum);
}

/* Sets *@ops to the eviction policy of @config; NULL: the runtime evicts
 * itself. */
static bool find(struct orr_run *run, const struct orr_config *config,
                 const struct orr_evict_ops **ops, GError **error)
{
    if (!config->evict)
        *ops = run->policy.ops->evict;
    else if (orr_evict_is_file(config->evict))
        *ops = orr_evict_load(config->evict, error);
    else
        *ops = orr_evict_choose(config->evict, error);
    if (config->evict && !*ops)
        return false;
    run->totals.report.evict = *ops ? (*ops)->name : NULL;
    if (*ops == &orr_evict_lru)
        *ops = NULL;
    return true;
}

/* Guards the policy, if it is in a plug-in. Two plug-ins share a guard. */
static void guard(struct orr_run *run, const struct orr_config *config)
{
    struct orr_victims *victims = run->store.victims;
    const struct orr_guarded plugin = {
        .kind = "eviction policy",
        .name = victims->ops->name,
        .file = config->evict,
        .code = (const void *)(uintptr_t)victims->ops->choose,
    };

    if (config->evict ? !orr_evict_is_file(config->evict) : !run->policy.guard)
        return;
    if (!run->policy.guard)
        run->policy.guard = victims->calls = orr_guard_new(
            &plugin, ORR_ERROR_POLICY, config->watch, &run->error);
    victims->guard = orr_evict_guard_new(victims->ops, run->policy.guard);
    victims->ops = orr_evict_guard_policy(victims->guard);
}

bool orr_victims_find(struct orr_run *run, const struct orr_config *config,
                      GError **error)
{
    const struct orr_evict_ops *ops;

    if (!find(run, config, &ops, error))
        return false;
    if (ops && ops->future &&
        (!config->future || !orr_future_is_known(config->future))) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the eviction policy %s needs the future: run the same "
                    "tasks once without it (orr_config.future)",
                    ops->name);
        return false;
    }
    if (!ops && !config->future)
        return true;
    run->store.victims = g_new0(struct orr_victims, 1);
    run->store.victims->ops = ops;
    run->store.victims->future = config->future;
    if (config->future)
        orr_future_begin(config->future, !ops || !ops->future);
    if (ops)
        guard(run, config);
    return true;
}

void orr_victims_begin(struct orr_run *run)
{
    struct orr_victims *victims = run->store.victims;

    if (!victims || !victims->ops)
        return;
    victims->candidates =
        g_array_new(FALSE, FALSE, sizeof(struct orr_evict_candidate));
    victims->copies = g_ptr_array_new();
    victims->host = (struct orr_evict_host){
        .data = victims,
        .sched = run->policy.sched,
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
static void list(const struct orr_run *run, const struct orr_memory *memory,
                 const struct orr_data *data, unsigned level)
{
    struct orr_victims *victims = run->store.victims;

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
            orr_spinlock_is_held(&copy->data->lock, &run->engine))
            continue;
        g_array_append_val(victims->candidates, candidate);
        g_ptr_array_add(victims->copies, buffer->copy);
    }
}

struct orr_replicate *orr_victim_choose(struct orr_run *run,
                                        struct orr_memory *memory,
                                        const struct orr_data *data,
                                        unsigned level, bool *fits)
{
    struct orr_victims *victims = run->store.victims;
    const struct orr_evict_need need = {
        .node = memory->node,
        .datum = data->id,
        .bytes = data->bytes,
        .waits = level == ORR_FETCH,
        .now = run->engine.now,
    };
    const struct orr_evict_candidate *candidates;
    size_t chosen;

    list(run, memory, data, level);
    if (victims->copies->len == 0)
        return NULL;
    candidates = (const void *)victims->candidates->data;
    run->engine.effects |= ORR_EFFECT_POLICY;
    chosen = victims->ops->choose(victims->evict, &need, candidates,
                                  victims->copies->len);
    if (chosen == ORR_EVICT_NONE)
        return NULL;
    *fits = candidates[chosen].fits;
    return victims->copies->pdata[chosen];
}

void orr_victims_loaded(const struct orr_run *run,
                        const struct orr_replicate *copy)
{
    if (run->store.victims->evict)
        orr_evict_loaded(run->store.victims->evict, copy->node, copy->data->id,
                         run->engine.now);
}

void orr_victims_evicted(const struct orr_run *run,
                         const struct orr_replicate *copy)
{
    if (run->store.victims->evict)
        orr_evict_evicted(run->store.victims->evict, copy->node, copy->data->id,
                          run->engine.now);
}

void orr_victims_started(const struct orr_run *run, const struct orr_job *job,
                         unsigned node)
{
    const struct orr_victims *victims = run->store.victims;

    if (victims->future)
        orr_future_start(victims->future, job->id);
    for (unsigned i = 0; node != ORR_RAM && i < job->access_count; i++) {
        const struct orr_data *data = orr_access_data(&job->accesses[i]);

        if (victims->future)
            orr_future_use(victims->future, node, data->id);
        if (victims->evict)
            orr_evict_used(victims->evict, node, data->id, run->engine.now);
    }
}

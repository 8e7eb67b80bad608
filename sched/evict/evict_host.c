/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/evict/evict_host.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"

extern const struct orr_evict_ops orr_evict_belady;

static const struct orr_evict_ops *const builtin[] = {
    /* by name */
    &orr_evict_belady,
    &orr_evict_lru,
};

#define MAX_STATE ((size_t)64 * 1024 * 1024)

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

static bool is_name(const char *name)
{
    return name && *name &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

bool orr_evict_check(const struct orr_evict_ops *ops, GError **error)
{
    if (!is_name(ops->name))
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "the name of its policy must consist of the "
                            "letters a-z, digits and dashes");
    else if (!ops->choose)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "eviction policy %s lacks the function choose", ops->name);
    else if (ops->state_size > MAX_STATE)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "eviction policy %s asks for too much memory: state_size "
                    "is %zu, and the limit is %zu bytes",
                    ops->name, ops->state_size, MAX_STATE);
    else
        return true;
    return false;
}

const struct orr_evict_ops *orr_evict_builtin(size_t i)
{
    return i < G_N_ELEMENTS(builtin) ? builtin[i] : NULL;
}

const struct orr_evict_ops *orr_evict_choose(const char *name, GError **error)
{
    const char *names[G_N_ELEMENTS(builtin) + 1] = {NULL};

    for (size_t i = 0; i < G_N_ELEMENTS(builtin); i++) {
        if (orr_name_matches(builtin[i]->name, name))
            return builtin[i];
        names[i] = builtin[i]->name;
    }
    orr_names_fail("eviction policy", names, name, error);
    return NULL;
}

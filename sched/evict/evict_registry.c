/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/evict/evict_registry.h"

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

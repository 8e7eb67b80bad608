/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The built-in policies. To add one, add its .c file, two lines here, one in
 * local.mk, and a section in docs/SCHEDULERS.md. plugin.h loads others. */
#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "sched/policy/dm_family.h"
#include "sched/policy/modular_family.h"
#include "sched/policy/work_stealing.h"
#include "sched/registry.h"

extern const struct orr_sched_ops orr_policy_darts;
extern const struct orr_sched_ops orr_policy_dm;
extern const struct orr_sched_ops orr_policy_dmda;
extern const struct orr_sched_ops orr_policy_dmdap;
extern const struct orr_sched_ops orr_policy_dmdar;
extern const struct orr_sched_ops orr_policy_dmdas;
extern const struct orr_sched_ops orr_policy_dmdasd;
extern const struct orr_sched_ops orr_policy_eager;
extern const struct orr_sched_ops orr_policy_lws;
extern const struct orr_sched_ops orr_policy_modular_heft;
extern const struct orr_sched_ops orr_policy_modular_heft2;
extern const struct orr_sched_ops orr_policy_prio;
extern const struct orr_sched_ops orr_policy_random;
extern const struct orr_sched_ops orr_policy_ws;

static const struct orr_sched_ops *const builtin[] = {
    /* by name */
    &orr_policy_darts,  &orr_policy_dm,           &orr_policy_dmda,
    &orr_policy_dmdap,  &orr_policy_dmdar,        &orr_policy_dmdas,
    &orr_policy_dmdasd, &orr_policy_eager,        &orr_policy_heteroprio,
    &orr_policy_lws,    &orr_policy_modular_heft, &orr_policy_modular_heft2,
    &orr_policy_prio,   &orr_policy_random,       &orr_policy_ws,
};

#define HEFT "heft"

const char *orr_sched_file(const char *name)
{
    while (g_ascii_isspace(*name))
        name++;
    return g_ascii_strncasecmp(name, ORR_SCHED_FIXED,
                               strlen(ORR_SCHED_FIXED)) == 0 &&
                   name[strlen(ORR_SCHED_FIXED)]
               ? name + strlen(ORR_SCHED_FIXED)
               : NULL;
}

static const struct orr_sched_ops *const dm_family[] = {
    &orr_policy_dm,    &orr_policy_dmda,  &orr_policy_dmdap,
    &orr_policy_dmdar, &orr_policy_dmdas, &orr_policy_dmdasd,
};

static const struct orr_queueing one_for_all = {.steal = NULL};
static const struct orr_queueing one_for_each = {.steal = &orr_ws_steal};
extern const struct orr_sched_buckets orr_heteroprio_buckets;
extern const struct orr_queueing orr_random_queueing;

static const struct orr_queueing in_buckets = {
    .buckets = &orr_heteroprio_buckets, .only_if_exact = true};
static const struct orr_queueing planned = {.planning = &orr_dm_planning,
                                            .only_if_exact = true};
static const struct orr_queueing by_calls = {.calls = true,
                                             .only_if_exact = true};
static const struct orr_queueing bound_late = {.late = &orr_modular_late,
                                               .only_if_exact = true};

const struct orr_queueing *orr_sched_queueing(const struct orr_sched_ops *ops)
{
    if (ops == &orr_policy_eager || ops == &orr_policy_prio)
        return &one_for_all;
    if (ops == &orr_policy_lws || ops == &orr_policy_ws)
        return &one_for_each;
    if (ops == &orr_policy_heteroprio)
        return &in_buckets;
    if (ops == &orr_policy_random)
        return &orr_random_queueing;
    if (ops == &orr_policy_modular_heft || ops == &orr_policy_modular_heft2)
        return &bound_late;
    for (size_t i = 0; i < G_N_ELEMENTS(dm_family); i++) {
        if (ops == dm_family[i])
            return &planned;
    }
    return ops->worker_locks ? &by_calls : NULL;
}

const struct orr_sched_ops *orr_sched_builtin(size_t i)
{
    return i < G_N_ELEMENTS(builtin) ? builtin[i] : NULL;
}

bool orr_sched_is_old_name(const char *name)
{
    while (g_ascii_isspace(*name))
        name++;
    return g_ascii_strncasecmp(name, HEFT, strlen(HEFT)) == 0;
}

const struct orr_sched_ops *orr_sched_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(builtin); i++) {
        if (orr_name_matches(builtin[i]->name, name))
            return builtin[i];
    }
    return orr_sched_is_old_name(name) ? &orr_policy_dmda : NULL;
}

/* Limits of the memory that a policy asks for, in bytes: more than any needs.
 */
#define MAX_STATE ((size_t)64 * 1024 * 1024)
#define MAX_LANE ((size_t)1024 * 1024)

static bool is_name(const char *name)
{
    return name && *name &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

bool orr_sched_check(const struct orr_sched_ops *ops, GError **error)
{
    g_autofree char *why = NULL;

    if (!is_name(ops->name))
        why = g_strdup("the name of its policy must consist of the letters "
                       "a-z, digits and dashes");
    else if (!ops->push || !ops->pop)
        why = g_strdup_printf("policy %s lacks the function %s", ops->name,
                              ops->push ? "pop" : "push");
    else if (ops->state_size > MAX_STATE || ops->lane_size > MAX_LANE)
        why = g_strdup_printf("policy %s asks for too much memory: state_size "
                              "is %zu, lane_size %zu, and the limits are %zu "
                              "and %zu bytes",
                              ops->name, ops->state_size, ops->lane_size,
                              MAX_STATE, MAX_LANE);
    else if (ops->max_priority < 0)
        why = g_strdup_printf("policy %s: max_priority is negative", ops->name);
    if (why)
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, why);
    return !why;
}

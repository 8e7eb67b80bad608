/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names that options of a run may have as values. */
#include "models/import/platform_find.h"
#include "runtime/config/run_config.h"
#include "sched/evict/evict_registry.h"
#include "sched/registry.h"

char **orr_config_platforms(const struct orr_config *config)
{
    g_auto(GStrv) folders = orr_platform_folders(config->platform_folders);

    return orr_platform_names((const char *const *)folders);
}

const char *orr_sched_name(unsigned i)
{
    const struct orr_sched_ops *ops = orr_sched_builtin(i);

    return ops ? ops->name : NULL;
}

const char *orr_evict_name(unsigned i)
{
    const struct orr_evict_ops *ops = orr_evict_builtin(i);

    return ops ? ops->name : NULL;
}

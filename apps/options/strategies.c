/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/strategies.h"

#include "models/base/names.h"
#include "runtime/explore/strategy.h"

const char *orr_strategies_find(const char *name, GError **error)
{
    const char *names[ORR_STRATEGIES + 3] = {NULL};
    size_t found;

    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++)
        names[kind] = orr_strategy_name(kind);
    names[ORR_STRATEGIES] = ORR_STRATEGY_DFS;
    names[ORR_STRATEGIES + 1] = ORR_STRATEGY_PORTFOLIO;
    return orr_names_find("strategy", names, name, &found, error) ? names[found]
                                                                  : NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/strategies.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"
#include "runtime/explore/strategy.h"

bool orr_strategies_check(const char *name, GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    g_autofree char *quoted = orr_quote(name);

    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++) {
        if (strcmp(orr_strategy_name(kind), name) == 0)
            return true;
        g_string_append_printf(names, "%s, ", orr_strategy_name(kind));
    }
    if (strcmp(name, ORR_STRATEGY_PORTFOLIO) == 0 ||
        strcmp(name, ORR_STRATEGY_DFS) == 0)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s is none of %s%s, %s",
                quoted, names->str, ORR_STRATEGY_DFS, ORR_STRATEGY_PORTFOLIO);
    return false;
}

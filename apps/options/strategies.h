/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STRATEGIES_H
#define ORR_STRATEGIES_H

#include <glib.h>

/*
 * Names of exploration strategies on the command line: the strategies of
 * runtime/explore/strategy.h, and these two.
 */
#define ORR_STRATEGY_DFS "dfs"             /* runtime/explore/dfs.h */
#define ORR_STRATEGY_PORTFOLIO "portfolio" /* all of them, in turn */

/*
 * Returns the strategy called @name, as typed (models/base/names.h). Otherwise
 * NULL and ORR_ERROR_UNKNOWN, whose message lists all names.
 */
const char *orr_strategies_find(const char *name, GError **error);

#endif

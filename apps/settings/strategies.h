/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STRATEGIES_H
#define ORR_STRATEGIES_H

#include <glib.h>
#include <stdbool.h>

/*
 * Names of exploration strategies on the command line: those of
 * runtime/explore/strategy.h and these two.
 */
#define ORR_STRATEGY_DFS "dfs"             /* runtime/explore/dfs.h */
#define ORR_STRATEGY_PORTFOLIO "portfolio" /* all of them, in turn */

/*
 * Returns whether there is a strategy called @name. Otherwise fails with
 * ORR_ERROR_VALUE, whose message lists all names.
 */
bool orr_strategies_check(const char *name, GError **error);

#endif

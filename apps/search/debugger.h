/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DEBUGGER_H
#define ORR_DEBUGGER_H

#include "apps/search/token.h"

/*
 * Becomes gdb, with a replay of @token in it that has stopped in
 * orr_replay_stop(): just before its critical decision, which is looked for if
 * the token does not say it, or, where there is none, before the last one.
 *
 * Returns only if that fails: ORR_ERROR_UNKNOWN if there is no gdb,
 * ORR_ERROR_VALUE if the run takes no decision.
 */
void orr_debugger_become(const struct orr_token *token, GError **error);

#endif

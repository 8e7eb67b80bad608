/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DEBUGGER_H
#define ORR_DEBUGGER_H

#include "apps/search/token.h"

/*
 * Replaces the process by gdb, which replays @token and stops in
 * orr_replay_stop(), just before the critical decision. If the token does not
 * hold that decision, it is searched for; if there is none, gdb stops before
 * the last decision.
 *
 * Returns on failure only: with ORR_ERROR_UNKNOWN if there is no gdb, or with
 * ORR_ERROR_VALUE if the run takes no decision.
 */
void orr_debugger_exec(const struct orr_token *token, GError **error);

#endif

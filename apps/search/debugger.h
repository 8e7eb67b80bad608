/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DEBUGGER_H
#define ORR_DEBUGGER_H

#include "apps/token/token.h"

/*
 * Replaces the process by gdb, which replays @token, prepared in @scenario, and
 * stops in orr_replay_stop(), just before the critical decision. If the token
 * does not have that decision, searches for it; if the run has no critical
 * decision, gdb stops before the last decision. Where a plug-in makes the
 * decision, gdb shows its function.
 *
 * Returns on failure only: with ORR_ERROR_UNKNOWN if there is no gdb, or with
 * ORR_ERROR_VALUE if the run takes no decision.
 */
void orr_debugger_exec(const struct orr_token *token,
                       const struct orr_scenario *scenario, GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REPLAY_H
#define ORR_REPLAY_H

#include "apps/search/token.h"

/*
 * A decider that plays the decisions of a token, and whether that went as it
 * did when the token was made.
 */
struct orr_replay {
    struct orr_decider decider; /* first */
    struct orr_decision_log *script;
    const struct orr_token *token; /* borrowed */
};

void orr_replay_init(struct orr_replay *replay, const struct orr_token *token);
void orr_replay_clear(struct orr_replay *replay);

/*
 * Whether @run, which has ended, did what the token says; else ORR_ERROR_VALUE,
 * which says what differs first.
 */
bool orr_replay_check(const struct orr_replay *replay, struct orr_run *run,
                      GError **error);

/*
 * Called just before the critical decision of the token, if it has one: a place
 * for breakpoints, which --gdb sets.
 */
void orr_replay_stop(const struct orr_decision *decision);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REPLAY_H
#define ORR_REPLAY_H

#include "apps/settings/settings.h"
#include "apps/token/token.h"
#include "runtime/orrery.h"

/*
 * A decider that repeats the decisions of a token, and a check that the run is
 * the run of the token.
 */
struct orr_replay {
    struct orr_decider decider; /* first */
    struct orr_decision_log *log;
    const struct orr_token *token; /* borrowed */
    bool in_policy; /* a plug-in made the critical decision of the token */
};

void orr_replay_init(struct orr_replay *replay, const struct orr_token *token);
void orr_replay_clear(struct orr_replay *replay);

/*
 * Returns whether @run, which has ended, is the run of the token. Otherwise
 * fails with ORR_ERROR_VALUE; the message names the first difference.
 */
bool orr_replay_check(const struct orr_replay *replay, struct orr_run *run,
                      GError **error);

/*
 * Is called just before the critical decision of the token, if it has one.
 * replay --gdb sets a breakpoint here.
 */
void orr_replay_stop(const struct orr_decision *decision);

/* How to repeat a run: its token (token.h), and options. Zero-initialise it. */
struct orr_repeat {
    char *token; /* token of the run, including the kind of hang; owned */
    char *files; /* orr_token_files_text(); owned */
};

/* Sets token and files for @run with the resolved @scenario, which finished or
 * hangs. Fails as orr_token_init(). */
bool orr_repeat_init(struct orr_repeat *repeat,
                     const struct orr_scenario *scenario, struct orr_run *run,
                     GError **error);
void orr_repeat_clear(struct orr_repeat *repeat);

/* Prints a message of @command that says how to repeat the run. */
void orr_repeat_print(const struct orr_repeat *repeat, const char *command);

#endif

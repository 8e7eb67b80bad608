/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REPEAT_H
#define ORR_REPEAT_H

#include "apps/settings/settings.h"
#include "runtime/orrery.h"

/* How to repeat a run: by its token (token.h). All members are NULL at first.
 */
struct orr_repeat {
    char *token; /* holds the kind of its hang; owned */
    char *files; /* orr_token_files_text(); owned */
};

/* Sets both for @run with the resolved @settings, which finished or hangs.
 * Fails as orr_token_init(). */
bool orr_repeat_init(struct orr_repeat *repeat,
                     const struct orr_settings *settings, struct orr_run *run,
                     GError **error);
void orr_repeat_clear(struct orr_repeat *repeat);

/* Prints a message of @command that says how. */
void orr_repeat_print(const struct orr_repeat *repeat, const char *command);

#endif

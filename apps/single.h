/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SINGLE_H
#define ORR_SINGLE_H

#include "apps/settings.h"

/*
 * Simulates what @settings, resolved and with a policy, say, once, and reports
 * it: the facts on the standard output in the format asked for, a trace where
 * one was asked for and, as @command, settings that had no influence.
 *
 * Returns the exit status that suits. Why a run hangs is said on the standard
 * error, and among the facts unless they are text; of other failures @error,
 * which must not be NULL, says why.
 */
enum orr_exit orr_single_run(const char *command,
                             const struct orr_settings *settings,
                             GError **error);

#endif

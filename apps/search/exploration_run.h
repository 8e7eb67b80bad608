/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLORATION_RUN_H
#define ORR_EXPLORATION_RUN_H

#include "apps/search/exploration.h"

/*
 * Explores schedules and sets the results. Returns ORR_EXIT_OK, whatever was
 * found; the status of a signal (parallel.h) that stopped the exploration; or,
 * on failure, another exit status, with @error. Call orr_exploration_clear() in
 * any case.
 */
enum orr_exit orr_exploration_perform(struct orr_exploration *exploration,
                                      GError **error);

#endif

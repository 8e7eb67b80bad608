/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POWER_CHANGE_H
#define ORR_POWER_CHANGE_H

#include "models/platform/parameters.h"

/*
 * Other states of devices (power_table.h):
 *
 *   pstate.DEVICE=2, pstate.DEVICE=NAME    a state by its number, from 0 in the
 *                                          order of the file, or its name
 *   pstate.DEVICE=off                      a GPU takes no tasks
 *   power-cap.DEVICE=150W, =60%            the fastest state that draws at most
 *                                          150 W, or 60 % of the watts of the
 *                                          first state
 *
 * DEVICE is cpu, the name of a GPU, gpus, or all. A state changes the durations
 * of kernels as its speeds say.
 */

/* Whether @path begins with "pstate." or "power-cap.". */
bool orr_power_change_is(const char *path);

/* Checks @value as far as is possible without a platform. Returns false with
 * ORR_ERROR_VALUE. */
bool orr_power_change_check(const char *path, const char *value,
                            GError **error);

/*
 * Changes @platform, and appends the changed parameters (struct orr_parameter)
 * to @changed. Sets *@other if anything changes, be it only watts. Returns
 * false with ORR_ERROR_UNKNOWN  no such device, or no such state
 *   ORR_ERROR_VALUE    the device has no table of states, is switched off or
 *                      cannot be; or no state keeps the cap: the message shows
 *                      the range of caps
 */
bool orr_power_change(struct orr_platform *platform, const char *path,
                      const char *value, GArray *changed, bool *other,
                      GError **error);

#endif

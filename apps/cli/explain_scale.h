/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLAIN_SCALE_H
#define ORR_EXPLAIN_SCALE_H

#include "apps/settings/settings.h"

/* Checks options that need --scale or exclude it. Fails with ORR_ERROR_VALUE.
 */
bool orr_scale_check(const struct orr_settings *settings, GError **error);

/*
 * Simulates the resolved @settings, which orr_scale_check() accepts, with each
 * number of GPUs or CPUs in settings->scale ("gpus=1:8"), each also with an
 * ideal network; prints the factors of efficiency (scale.h), their laws and
 * predictions up to settings->extrapolate; draws them if the settings ask for a
 * plot. @command is for messages.
 *
 * Returns the exit status, with @error unless it is ORR_EXIT_OK: that of the
 * first run that fails or hangs.
 */
enum orr_exit orr_scale_run(const char *command,
                            const struct orr_settings *settings,
                            GError **error);

#endif

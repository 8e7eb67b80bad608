/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STEP_CHART_H
#define ORR_STEP_CHART_H

#include <json-glib/json-glib.h>

#include "apps/picture/plot.h"
#include "apps/trace/step_log.h"

/*
 * A chart of the last steps before a run hangs: workers, and the application,
 * are rows; calls of the policy, the locks that they hold or wait for, and
 * tasks are bars. The horizontal axis counts steps, not time, because calls
 * take no time unless they wait.
 */

/*
 * Draws the steps of @log to @path. @hang: the diagnosis (diagnosis.h). Check
 * with orr_plot_check() before; fails as orr_plot_save(), or with
 * ORR_ERROR_VALUE if there was no step.
 */
bool orr_step_chart_save(const struct orr_step_log *log, JsonObject *hang,
                         const char *path, GError **error);

#endif

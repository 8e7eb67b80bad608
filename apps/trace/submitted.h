/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUBMITTED_H
#define ORR_SUBMITTED_H

#include "models/dag/dag.h"
#include "runtime/orrery_app.h"

/*
 * Returns the graph that @app submits with @values, which are complete. It does
 * not depend on a machine (runtime/capture.h). Free with orr_dag_free(). NULL
 * with @error, of the application or because the graph is too large.
 */
struct orr_dag *orr_submitted_graph(const struct orr_app *app,
                                    const struct orr_app_values *values,
                                    GError **error);

#endif

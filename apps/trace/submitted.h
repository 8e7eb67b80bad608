/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUBMITTED_H
#define ORR_SUBMITTED_H

#include "apps/settings/settings.h"
#include "models/dag/dag.h"

/*
 * Returns the graph that the application of the resolved @settings submits. It
 * depends only on the application and its options, not on a machine
 * (runtime/capture.h). Free with orr_dag_free(). NULL with @error, of the
 * application or because the graph is too large.
 */
struct orr_dag *orr_submitted_graph(const struct orr_settings *settings,
                                    GError **error);

#endif

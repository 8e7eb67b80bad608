/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COLUMNS_H
#define ORR_COLUMNS_H

#include "apps/campaign/campaign.h"

/*
 * The columns of the table of runs: point, replica, state, one for each varied
 * key, the scalar members of the facts of a run (apps/facts/facts.h), except
 * those with the name of a key, and error.
 */
enum orr_column_source {
    ORR_COLUMN_POINT,
    ORR_COLUMN_REPLICA,
    ORR_COLUMN_STATE, /* "done" or "failed" */
    ORR_COLUMN_KEY,
    ORR_COLUMN_FACT,
    ORR_COLUMN_ERROR, /* why the run failed */
};

struct orr_column {
    char *name; /* owned */
    enum orr_column_type type;
    enum orr_column_source source;
};

/* The column of the real time of a simulation, which differs each time. */
#define ORR_COLUMN_WALL "simulation_wall_s"

/*
 * Returns the columns of @campaign, struct orr_column, whose applications are
 * @apps (const struct orr_app *). Fails with ORR_ERROR_VALUE if a key has the
 * name of a column of ours. Free with g_array_unref().
 */
GArray *orr_columns_new(const struct orr_campaign *campaign,
                        const GPtrArray *apps, GError **error);

/* Returns an empty array for columns, which owns their names. */
GArray *orr_columns_empty(void);

#endif

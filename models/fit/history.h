/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FIT_HISTORY_H
#define ORR_FIT_HISTORY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Known values of a quantity y at some x: past runs, from two columns of a CSV
 * file whose first row names the columns (RFC 4180).
 */
struct orr_history_request {
    const char *x, *y;       /* names of columns */
    const char *const *only; /* conditions "COLUMN=VALUE", NULL-terminated: rows
                                must meet all; NULL: no condition */
};

/* All runs at one x. */
struct orr_history_knot {
    double x;
    double y; /* mean of the runs */
    uint64_t runs;
};

struct orr_history {
    GArray *runs;      /* struct orr_history_knot, one for each run, by x */
    GArray *knots;     /* struct orr_history_knot, by x, all different */
    uint64_t left_out; /* rows that miss a condition */
    uint64_t
        incomplete; /* rows that meet all conditions, but x or y is empty */
};

/*
 * Reads the file @path into @history. Clear with orr_history_clear(), also
 * after an error.
 *
 * Fails with ORR_ERROR_IO if the file cannot be read, and with ORR_ERROR_VALUE,
 * naming file and line, if a column is missing or there twice, a row has too
 * few fields, a value is not a finite number, or no run remains.
 */
bool orr_history_read(struct orr_history *history, const char *path,
                      const struct orr_history_request *request,
                      GError **error);
void orr_history_clear(struct orr_history *history);

static inline const struct orr_history_knot *
orr_history_knot(const struct orr_history *history, guint i)
{
    return &g_array_index(history->knots, struct orr_history_knot, i);
}

/* Returns the knot at @x, or NULL. */
const struct orr_history_knot *
orr_history_find(const struct orr_history *history, double x);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the copies that StarPU has measured: two matrices, one line per source.
 * On a host with several NUMA nodes, each has a row and a column. StarPU over
 * SimGrid is built without hwloc, knows one NUMA node, and takes the second for
 * the first GPU (perfmodel_bus.c, _get_raw_memory_node_index()). So do we:
 * policies shall predict what they predict there.
 */
#include <math.h>

#include "models/starpu/starpu_private.h"

/* The limits of platform files. */
#define MIN_MBPS 1e-6
#define MAX_MBPS 9.2e12
#define MAX_US 8.64e10 /* a day */

/* A matrix of measured values, by memory nodes of the platform. */
struct matrix {
    const char *what;
    double min, max;
    unsigned count; /* of nodes */
    double *values; /* count x count; NaN: not measured */
};

static bool get(const struct orr_starpu_text *text, const struct matrix *matrix,
                unsigned column, double *value, GError **error)
{
    g_autofree char *quoted = orr_quote(text->words[column]);

    if (!orr_starpu_text_number(text, column, matrix->what, value, error))
        return false;
    if (isnan(*value) || (*value >= matrix->min && *value <= matrix->max))
        return true;
    return orr_starpu_text_fail(
        text, ORR_ERROR_VALUE, error, "%s: %s in column %u: expected %g to %g",
        matrix->what, quoted, column + 1, matrix->min, matrix->max);
}

/* Reads the line of node @from. */
static bool take_row(const struct orr_starpu_text *text, struct matrix *matrix,
                     unsigned from, GError **error)
{
    double *row = &matrix->values[(size_t)from * matrix->count];

    if (text->count < matrix->count)
        return orr_starpu_text_fail(text, ORR_ERROR_SYNTAX, error,
                                    "%s: %u columns, but %u memories",
                                    matrix->what, text->count, matrix->count);
    for (unsigned to = 0; to < matrix->count; to++) {
        if (to != from && !get(text, matrix, to, &row[to], error))
            return false;
    }
    return true;
}

static bool take_rows(struct orr_starpu_text *text, struct matrix *matrix,
                      GError **error)
{
    for (unsigned node = 0; node < matrix->count; node++) {
        if (!orr_starpu_text_expect(text, matrix->what, 0, error) ||
            !take_row(text, matrix, node, error))
            return false;
    }
    return true;
}

static bool read_matrix(struct matrix *matrix, const char *path, GError **error)
{
    struct orr_starpu_text text;
    bool success;

    matrix->values = g_new0(double, (size_t)matrix->count * matrix->count);
    success = orr_starpu_text_open(&text, path, error) &&
              take_rows(&text, matrix, error);
    orr_starpu_text_close(&text);
    return success;
}

/* Sets the beliefs of pairs with bandwidth and latency, but not of a node with
 * itself. */
static void set_beliefs(struct orr_platform *platform,
                        const struct matrix *bandwidths,
                        const struct matrix *latencies)
{
    size_t count = platform->node_count;

    platform->beliefs = g_new0(struct orr_platform_belief, count * count);
    for (size_t from = 0; from < count; from++) {
        for (size_t to = 0; to < count; to++) {
            size_t pair = from * count + to;
            double mbps = bandwidths->values[pair];
            double us = latencies->values[pair];

            if (from == to || isnan(mbps) || isnan(us))
                continue;
            platform->beliefs[pair].bytes_per_s = mbps * 1e6;
            platform->beliefs[pair].latency_s = us / 1e6;
        }
    }
}

bool orr_starpu_read_beliefs(struct orr_platform *platform,
                             const char *bandwidth_path,
                             const char *latency_path, GError **error)
{
    struct matrix bandwidths = {
        .what = "bandwidths",
        .min = MIN_MBPS,
        .max = MAX_MBPS,
        .count = platform->node_count,
    };
    struct matrix latencies = {
        .what = "latencies",
        .max = MAX_US,
        .count = platform->node_count,
    };
    bool success = read_matrix(&bandwidths, bandwidth_path, error) &&
                   read_matrix(&latencies, latency_path, error);

    if (success)
        set_beliefs(platform, &bandwidths, &latencies);
    g_free(bandwidths.values);
    g_free(latencies.values);
    return success;
}

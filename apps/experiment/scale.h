/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCALE_H
#define ORR_SCALE_H

#include <glib.h>

#include "apps/output/output.h"
#include "models/fit/scaling.h"

/*
 * How well a problem uses more and more GPUs or CPUs: factors of efficiency
 * (scaling.h) over their number, a law for each, and what these give for larger
 * numbers.
 */
enum orr_scale_factor {
    ORR_SCALE_LOAD_BALANCE,
    ORR_SCALE_SERIALIZATION,
    ORR_SCALE_TRANSFER,
    ORR_SCALE_COMPUTATION, /* the time for which all workers of the first run
                              compute, over that of this run: not a part of the
                              parallel efficiency */
    ORR_SCALE_FACTORS
};

/* "load_balance", "serialization", "transfer" or "computation". */
const char *orr_scale_factor_name(enum orr_scale_factor factor);

/* A run, or a prediction. */
struct orr_scale_row {
    double count;        /* GPUs or CPUs, >= 1 */
    unsigned workers;    /* of all kinds; 0: it is predicted */
    int64_t makespan_ns; /* of a run */
    double computing;    /* ns of all workers of a run */
    double factors[ORR_SCALE_FACTORS];
    double parallel; /* the product of the first three */
};

struct orr_scale {
    GArray *runs;        /* struct orr_scale_row, by ascending count */
    GArray *predictions; /* struct orr_scale_row, beyond the runs */
    bool fitted;         /* there are enough runs for laws */
    struct orr_scaling_choice fits[ORR_SCALE_FACTORS];
};

/* Clear with orr_scale_clear(). */
void orr_scale_init(struct orr_scale *scale);
void orr_scale_clear(struct orr_scale *scale);

/*
 * Adds the next run.
 *
 * @count:    GPUs or CPUs, more than in the run before
 * @busy_ns:  for which each of @workers (> 0) computes
 * @makespan: ns
 * @ideal:    ns: the makespan with an ideal network
 */
void orr_scale_add(struct orr_scale *scale, double count, const double *busy_ns,
                   unsigned workers, int64_t makespan, int64_t ideal);

/*
 * Fits the laws to all runs, and predicts the factors at twice the last count,
 * four times that, and so on, and at @count, where that is beyond the runs; 0:
 * nothing is predicted. The factors of the parallel efficiency are predicted as
 * 1 at most. With fewer than ORR_SCALING_LEAST_POINTS runs, there are no laws
 * and no predictions.
 */
void orr_scale_fit(struct orr_scale *scale, double count);

static inline const struct orr_scale_row *orr_scale_row(const GArray *rows,
                                                        guint i)
{
    return &g_array_index(rows, struct orr_scale_row, i);
}

/* Adds what is known of @scale over @axis, "gpus" or "cpus", to @facts: the
 * members scale (the axis), runs, fits, predictions. */
void orr_scale_add_facts(const struct orr_scale *scale, const char *axis,
                         JsonObject *facts);

/* Prints facts with these members, and app, options, platform and sched; as
 * CSV, runs and predictions alone. */
void orr_scale_facts_print(JsonObject *facts, enum orr_format format);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCALE_H
#define ORR_SCALE_H

#include <glib.h>

#include "apps/output/output.h"
#include "models/fit/scaling.h"

/*
 * How well a problem uses an increasing number of GPUs or CPUs: factors of
 * efficiency (scaling.h) over this number, a fitted law for each factor, and
 * predictions for larger numbers.
 */
enum orr_scale_factor {
    ORR_SCALE_LOAD_BALANCE,
    ORR_SCALE_SERIALIZATION,
    ORR_SCALE_TRANSFER,
    ORR_SCALE_COMPUTATION, /* computing time of all workers in the first run,
                              divided by that in this run; not a factor of the
                              parallel efficiency */
    ORR_SCALE_FACTORS
};

/* "load_balance", "serialization", "transfer" or "computation". */
const char *orr_scale_factor_name(enum orr_scale_factor factor);

/* A run, or a prediction. */
struct orr_scale_row {
    double count;        /* GPUs or CPUs, >= 1 */
    unsigned workers;    /* number of workers of all kinds; 0: a prediction */
    int64_t makespan_ns; /* 0 for a prediction */
    double computing;    /* computing time of all workers of a run, ns */
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
 * @count: GPUs or CPUs, more than in the run before @busy_ns: computing time of
 * each of @workers (> 0) @makespan: ns @ideal: ns: the makespan with an ideal
 * network
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

/* Adds @scale over @axis, "gpus" or "cpus", to @facts: the members scale (the
 * axis), runs, fits, predictions. */
void orr_scale_add_facts(const struct orr_scale *scale, const char *axis,
                         JsonObject *facts);

/* Prints facts with these members, and app, options, platform and sched; as
 * CSV, runs and predictions alone. */
void orr_scale_facts_print(JsonObject *facts, enum orr_format format);

#endif

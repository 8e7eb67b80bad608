/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MATRIX_H
#define ORR_MATRIX_H

#include "apps/search/exploration.h"

/*
 * An exploration of several cases: one for each seed (--seeds), and with
 * --matrix a list of machines, sizes and options that a careful user would try.
 * Most mistakes of policies show in some cases only: if there is one worker or
 * if workers of two classes wait for each other, if the application submits few
 * tasks ahead, if memory is short. Ten schedules of each case find more than
 * all schedules of one.
 *
 * Options that are given keep their values in all cases. Cases that this
 * machine or application cannot run are left out.
 */
struct orr_matrix_case {
    char *name; /* "cholesky --tiles 3 --cpus 2 --gpus 0"; owned */
    struct orr_settings settings;
    struct orr_exploration exploration;
    bool explored;
};

struct orr_matrix {
    const char *command;       /* for messages */
    GPtrArray *cases;          /* struct orr_matrix_case, in order; owned */
    uint64_t schedules;        /* schedules of all cases */
    bool optional;             /* a case that cannot be run is left out */
    struct orr_resume *resume; /* the file of --resume; NULL: none; owned */
};

/* Makes the cases that @settings ask for, with the application @app. Clear
 * @cases in any case. */
bool orr_matrix_init(struct orr_matrix *cases,
                     const struct orr_settings *settings, const char *app,
                     GError **error);
void orr_matrix_clear(struct orr_matrix *cases);

/*
 * Explores the cases in order, each with its share of the budget. Stops after
 * the first case with a failure unless @settings ask for all. Returns
 * ORR_EXIT_OK, whatever was found; the status of a signal that stopped it; or,
 * with @error, the status of an error.
 */
enum orr_exit orr_matrix_explore(struct orr_matrix *cases, GError **error);

/* The case that decides the exit status: the first with a failure or with a
 * policy that is not deterministic; NULL: none. */
const struct orr_matrix_case *orr_matrix_first(const struct orr_matrix *cases);

/* Facts of all cases; free with json_object_unref(). NULL with @error if an
 * input cannot be read any more. */
JsonObject *orr_matrix_facts(const struct orr_matrix *cases, GError **error);

/* Prints @facts as text. */
void orr_matrix_print(JsonObject *facts, bool timing);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_H
#define ORR_APP_H

#include "apps/programs/tiles.h"
#include "runtime/orrery.h"

/*
 * An application: a linear algebra routine on a square matrix of square tiles.
 * Each is a const table and a loop nest that submits the tasks. Like a program
 * outside of the project, it uses orrery.h only.
 */

#define ORR_APP_KERNELS 4

/* A kernel of an application, and the names of its tasks in traces. */
struct orr_app_kernel {
    const char *name;    /* in platform files: "gemm" */
    bool synchronous;    /* see orr_kernel_set_synchronous() */
    const char *task;    /* in single precision */
    const char *task_dp; /* in double precision */
};

struct orr_problem;

struct orr_app {
    const char *name;    /* on the command line, and the family of its kernels
                            in platform files */
    const char *summary; /* one line for `orrery app list` */
    struct orr_app_kernel kernels[ORR_APP_KERNELS];

    /* Number of tasks for @tiles x @tiles tiles. Exact below 2^53. */
    double (*tasks)(double tiles);

    /* Operations of the whole routine for @size x @size elements. */
    double (*flops)(double size);

    /* Registers the data and submits the tasks; does not wait for them. */
    void (*submit)(const struct orr_problem *problem);
};

/* An application at one size in one run. */
struct orr_problem {
    const struct orr_app *app;
    struct orr_run *run;
    unsigned tiles; /* in each row and column */
    unsigned tile;  /* elements in each row and column of a tile */
    enum orr_kernel_precision precision;
    enum orr_layout layout;
    struct orr_kernel
        *kernels[ORR_APP_KERNELS];         /* in the order of app->kernels */
    enum orr_where where[ORR_APP_KERNELS]; /* in the order of app->kernels */
};

/* Parses "cpu", "gpu" or "any"; otherwise fails with ORR_ERROR_VALUE. */
bool orr_where_parse(const char *text, enum orr_where *where, GError **error);
const char *orr_where_name(enum orr_where where);

/* The applications in app_list.c, by name; NULL-terminated. */
extern const struct orr_app *const orr_apps[];

/*
 * Returns the application called @name, as typed (models/base/names.h). NULL
 * and ORR_ERROR_UNKNOWN, with all names, if there is none.
 */
const struct orr_app *orr_app_find(const char *name, GError **error);

/* Returns the @i-th application, by name, or NULL past the last. */
const struct orr_app *orr_app_at(size_t i);

/* Larger problems are refused before the simulation begins. */
#define ORR_APP_MAX_TASKS 1e9     /* hours of computing */
#define ORR_APP_MAX_IN_FLIGHT 5e7 /* tens of GB, without a window */

/*
 * Returns whether the tasks for @tiles x @tiles tiles are within these limits,
 * when at most @window of them are in flight (0: no limit). Otherwise fails
 * with ORR_ERROR_VALUE.
 */
bool orr_app_check_tasks(const struct orr_app *app, uint64_t tiles,
                         uint64_t window, GError **error);

/*
 * Sets the kernels of @problem from its other members, and checks that a task
 * finds room in the memory of each GPU. Fails as orr_kernel_find() does, or
 * with ORR_ERROR_VALUE.
 */
bool orr_problem_prepare(struct orr_problem *problem, GError **error);

uint64_t orr_problem_tile_bytes(const struct orr_problem *problem);

/* Returns the shape of a tile in host memory, which the layout decides. */
struct orr_tile_shape orr_problem_tile_shape(const struct orr_problem *problem);

/* The data that a task of orr_problem_submit() accesses. */
struct orr_tile_access {
    struct orr_data *reads[2]; /* in the order declared; NULL: none */
    struct orr_data *updates;  /* read and written, declared last */
};

/*
 * Submits a task of kernel @kernel, an index of app->kernels. As in the
 * reference, @priority is clamped to the range of the policy
 * (orr_run_max_priority()). It is 0 under a policy without priorities, so that
 * it does not order copies either.
 */
void orr_problem_submit(const struct orr_problem *problem, unsigned kernel,
                        int priority, struct orr_tile_access access);

extern const struct orr_app orr_app_cholesky;
extern const struct orr_app orr_app_lu;

#endif

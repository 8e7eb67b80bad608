/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_H
#define ORR_APP_H

#include "apps/programs/tiles.h"
#include "runtime/orrery.h"

/*
 * What is simulated: a linear algebra routine on a square matrix cut into
 * square tiles. Each application is one const table and one loop nest that
 * submits its tasks, written against orrery.h alone, as a program outside of
 * the project would be.
 */

#define ORR_APP_KERNELS 4

/* A kernel of an application, under the names of its tasks in traces. */
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

    /* For @tiles tiles in each row. Exact below 2^53. */
    double (*tasks)(double tiles);

    /* Of the whole routine, for a matrix of @size x @size elements. */
    double (*flops)(double size);

    /* Registers the data and submits the tasks; waits for nothing. */
    void (*submit)(const struct orr_problem *problem);
};

/* One application at one size in one run; what orr_app.submit() is given. */
struct orr_problem {
    const struct orr_app *app;
    struct orr_run *run;
    unsigned tiles; /* in each row and column */
    unsigned tile;  /* elements in each row and column of a tile */
    enum orr_kernel_precision precision;
    enum orr_layout layout;
    struct orr_kernel *kernels[ORR_APP_KERNELS]; /* as in the app's table */
    enum orr_where where[ORR_APP_KERNELS];       /* likewise */
};

/* "cpu", "gpu" or "any"; else ORR_ERROR_VALUE. */
bool orr_where_parse(const char *text, enum orr_where *where, GError **error);
const char *orr_where_name(enum orr_where where);

/* The applications, by name; NULL after the last: app_list.c. */
extern const struct orr_app *const orr_apps[];

/* The application called @name, or NULL. */
const struct orr_app *orr_app_find(const char *name);

/* The @i-th application, by name, or NULL past the last. */
const struct orr_app *orr_app_at(size_t i);

/* What does not fit here is refused before anything is simulated. */
#define ORR_APP_MAX_TASKS 1e9     /* hours of computing */
#define ORR_APP_MAX_IN_FLIGHT 5e7 /* tens of GB, without a window */

/*
 * Whether the tasks of @tiles x @tiles tiles can be simulated, @window of
 * them in flight at a time (0: all). Otherwise ORR_ERROR_VALUE.
 */
bool orr_app_check_tasks(const struct orr_app *app, uint64_t tiles,
                         uint64_t window, GError **error);

/*
 * Finds the kernels of @problem, whose other members are set, and checks that
 * a tile fits into a GPU. Fails as orr_kernel_find(), or with
 * ORR_ERROR_VALUE.
 */
bool orr_problem_prepare(struct orr_problem *problem, GError **error);

uint64_t orr_problem_tile_bytes(const struct orr_problem *problem);

/* Its tiles in host memory, by the layout. */
struct orr_tile_shape orr_problem_tile_shape(const struct orr_problem *problem);

/* The data that a task of orr_problem_submit() accesses. */
struct orr_tile_access {
    struct orr_data *reads[2]; /* in the order declared; NULL: fewer */
    struct orr_data *updates;  /* read and written, declared last */
};

/*
 * Submits a task of the kernel at @kernel in the app's table. A policy that
 * keeps priorities in a range (orr_run_max_priority()) gets @priority brought
 * into it, as in the reference. One without priorities always gets 0, and so
 * they do not order copies either.
 */
void orr_problem_submit(const struct orr_problem *problem, unsigned kernel,
                        int priority, struct orr_tile_access access);

extern const struct orr_app orr_app_cholesky;
extern const struct orr_app orr_app_lu;

#endif

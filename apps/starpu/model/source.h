/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SOURCE_H
#define ORR_SOURCE_H

#include <starpu_task.h>

#include <orrery.h>

/*
 * Times of tasks that have no calibration, from environment variables:
 *
 *   ORRERY_STARPU_TIMES         a file with lines "CODELET SIZES CLASS NS":
 *                               "gemm 3686400+3686400+3686400 cpu 72000000".
 *                               CODELET is its name, with '_' for blanks and
 *                               '#', or the symbol of its model. SIZES are the
 *                               bytes of the data, in order, or "-" if there
 *                               are none. CLASS is cpu or gpu.
 *                               Empty lines, and all from '#' on, are skipped.
 *   ORRERY_STARPU_ASSUME_SPEED  "CPU=20GFlop/s,CUDA=1TFlop/s": tasks with
 *                               flops (STARPU_FLOPS) take flops / speed
 */

/* When the session begins: reads the variables. Ends the program, naming
 * variable and line, if one is wrong. */
void sp_sources_begin(void);

/*
 * Sets *@times for @task on the classes of workers @where: from the file, if it
 * has the codelet and the sizes, else from flops. Returns false if neither says
 * anything.
 */
bool sp_source_times(const struct starpu_task *task, enum orr_where where,
                     struct orr_task_times *times);

/* When the session ends: says how many tasks have times of which variable, if
 * one is given, and forgets them. */
void sp_sources_end(void);

/* The words of the line of @task in a file of times: "CODELET SIZES". Free with
 * g_free(). */
char *sp_source_key(const struct starpu_task *task);

/* Why the sources do not know the time of @task, and what may be done, for the
 * end of a message: "; FILE has no ...". Free with g_free(). */
char *sp_source_complain(const struct starpu_task *task);

/* How a message names a setting: below a command by its option, otherwise by
 * its variable. */
const char *sp_source_setting(const char *option, const char *variable);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PATH_H
#define ORR_PATH_H

#include "apps/explain/observation.h"

/*
 * The path that a run took to its end: a chain of tasks, copies and waits
 * without a gap, from the first submission to the end of the run. It is found
 * backwards from the task that ended last. A kernel began when the latest of
 * these had ended: the kernel before it on its worker, the copy that it waited
 * for, the task that it awaited.
 */
enum orr_step_kind {
    ORR_STEP_TASK,   /* a kernel runs */
    ORR_STEP_COPY,   /* a copy is under way */
    ORR_STEP_QUEUE,  /* a copy has been requested, and has not started */
    ORR_STEP_DRIVER, /* the runtime is at work: submission, scheduling, drivers
                        of devices */
    ORR_STEP_KINDS
};

struct orr_step {
    enum orr_step_kind kind;
    uint32_t index; /* of the task, or copy; ORR_STEP_DRIVER: of the task that
                       begins next, or ORR_SEEN_NONE at the end */
    int64_t from, to;
};

/* Returns the steps (struct orr_step) up to @end, which is not before the end
 * of the last kernel. Free with g_array_unref(). */
GArray *orr_path_find(const struct orr_observation *seen, int64_t end);

/* What a path spends on steps of one kind: on tasks of one kernel, on copies
 * over one route. */
struct orr_path_part {
    enum orr_step_kind kind;
    uint32_t index; /* of the kernel, or route; ORR_SEEN_NONE: of drivers */
    unsigned steps;
    int64_t ns;
};

/* Returns the parts (struct orr_path_part) of @steps, the longest first. Free
 * with g_array_unref(). */
GArray *orr_path_sum(const struct orr_observation *seen, const GArray *steps);

/* "task", "copy", "queue", "driver" */
const char *orr_step_name(enum orr_step_kind kind);

#endif

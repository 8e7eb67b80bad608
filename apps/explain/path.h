/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PATH_H
#define ORR_PATH_H

#include "apps/explain/observation.h"

/*
 * The critical path of a run as it was executed: a chain of tasks, copies and
 * waits without a gap, from the first submission to the end of the run. It is
 * built backwards from the task that ended last. The predecessor of a kernel is
 * the last to end of three: the kernel before it on its worker, the copy that
 * it waited for, the task that it depends on.
 */
enum orr_step_kind {
    ORR_STEP_TASK,   /* a kernel runs */
    ORR_STEP_COPY,   /* a copy is in progress */
    ORR_STEP_QUEUE,  /* a copy has been requested and waits */
    ORR_STEP_DRIVER, /* work of the runtime: submission, scheduling, drivers */
    ORR_STEP_KINDS
};

struct orr_step {
    enum orr_step_kind kind;
    uint32_t index; /* index of the task or copy; for ORR_STEP_DRIVER, of the
                       next task, or ORR_SEEN_NONE at the end */
    int64_t from, to;
};

/* Returns the steps (struct orr_step) up to @end, which must not be before the
 * end of the last kernel. Free with g_array_unref(). */
GArray *orr_path_find(const struct orr_observation *seen, int64_t end);

/* The time that a path spends on one kind of steps: on tasks of one kernel, or
 * on copies over one route. */
struct orr_path_part {
    enum orr_step_kind kind;
    uint32_t
        index; /* index of the kernel or route; ORR_SEEN_NONE for drivers */
    unsigned steps;
    int64_t ns;
};

/* Returns the parts (struct orr_path_part) of @steps, the longest first. Free
 * with g_array_unref(). */
GArray *orr_path_sum(const struct orr_observation *seen, const GArray *steps);

/* "task", "copy", "queue", "driver" */
const char *orr_step_name(enum orr_step_kind kind);

#endif

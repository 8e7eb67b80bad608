/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_MARK_H
#define ORR_DAG_MARK_H

#include "models/dag/dag_builder.h"

/*
 * Facts about a task beside its work, as texts: columns of CSV, attributes of
 * DOT, members of WfFormat, and fields of tasks.rec.
 */
enum orr_dag_mark {
    ORR_DAG_MARK_ITERATION,   /* coordinates: "1 2" */
    ORR_DAG_MARK_PARAMETERS,  /* any text; "0": none */
    ORR_DAG_MARK_FOOTPRINT,   /* of its data: hexadecimal */
    ORR_DAG_MARK_CRITICAL,    /* "1", "0"; none: not known */
    ORR_DAG_MARK_SYNCHRONOUS, /* "1": the kernel blocks the driver of its GPU */
    ORR_DAG_MARKS
};

/* "iteration", ... */
extern const char *const orr_dag_mark_names[ORR_DAG_MARKS];

/* Sets the member of @task that belongs to @mark from @text; "" leaves it
 * unset. Returns NULL, or the expected text: "0 or 1". */
const char *orr_dag_mark_set(struct orr_dag_builder *builder,
                             struct orr_dag_task *task, enum orr_dag_mark mark,
                             const char *text);

/* Appends the text of @mark to @value; nothing if there is none. */
void orr_dag_mark_put(const struct orr_dag *dag,
                      const struct orr_dag_task *task, enum orr_dag_mark mark,
                      GString *value);

#endif

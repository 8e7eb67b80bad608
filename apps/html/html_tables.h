/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HTML_TABLES_H
#define ORR_HTML_TABLES_H

#include "apps/html/html_columns.h"
#include "apps/html/html_record.h"
#include "apps/picture/kernel_kinds.h"

/*
 * Adds the content of @record to @run, an object of the description of
 * @columns:
 *
 *   end_ns           the last date
 *   rows             of workers, in the numbers of merged
 *   names[]          to which other columns refer by number
 *   kernel_kinds[]   for each of names: the kind of the kernel of that name,
 *                    or -1
 *   links[]          [from, to]: names of memories
 *   tasks            columns in order of submission: order submitted ready
 *                    arrived started kernel_started kernel_ended ended worker
 *                    kernel name memory priority c0 c1 c2 (coordinates; -1:
 *                    none) parents accesses (counts)
 *   parents          column distance: by how much the order of submission of a
 *                    task's parent is below its own, task by task
 *   accesses         columns datum, mode, task by task
 *   data             columns bytes, name (plus 1; 0: none), row, column (-1)
 *   copies           columns in order of their starts: submitted started ended
 *                    link datum why bytes
 *   merged           columns of bars that stand for several: from to row (a
 *                    worker, or rows plus a link) kind count
 *   thinned          null, or width_ns (of merged bars), bars and left
 *   curves[]         means over equal parts from 0 to end_ns: kind ("ready",
 *                    "bandwidth", "memory"), name and the column means
 *
 * @most: bars of the chart (html_thin.h). @copy_kind: kind of copies; evictions
 * have the next number.
 */
void orr_html_tables_add(struct orr_html_columns *columns, JsonObject *run,
                         const struct orr_html_record *record,
                         const struct orr_kernel_kinds *kinds,
                         unsigned copy_kind, guint most);

#endif

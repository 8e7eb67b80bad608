/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HTML_CURVES_H
#define ORR_HTML_CURVES_H

#include "apps/html/html_columns.h"
#include "apps/html/html_record.h"

/*
 * Adds to @run its end_ns and curves[] (html_tables.h):
 *
 *   ready      tasks that are ready and whose kernel has not begun
 *   bandwidth  bytes per second, between host and GPUs either way and between
 *              GPUs; a copy is taken to move its bytes evenly
 *   memory     bytes in the buffers of each GPU
 */
void orr_html_curves_add(struct orr_html_columns *columns, JsonObject *run,
                         const struct orr_html_record *record);

#endif

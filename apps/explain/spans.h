/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SPANS_H
#define ORR_SPANS_H

#include <glib.h>

/* Spans of time, from a date up to another, ns. */
struct orr_time_span {
    int64_t from, to;
};

/* Sorts @spans (struct orr_time_span), and joins those that overlap or touch.
 */
void orr_spans_join(GArray *spans);

/* How much of a span is in joined @spans. */
int64_t orr_spans_overlap(const GArray *spans, int64_t from, int64_t to);

#endif

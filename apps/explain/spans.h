/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SPANS_H
#define ORR_SPANS_H

#include <glib.h>

/* Spans of time, from a date up to another, ns. */
struct orr_time_span {
    int64_t from, to;
};

/* Adds a span to @spans (struct orr_time_span), which are ascending and
 * disjoint; merges it with spans that it overlaps or touches. Spans must be
 * added in the order of their ends. */
void orr_spans_add(GArray *spans, struct orr_time_span span);

/* Returns the length of the part of [@from, @to) that @spans cover. */
int64_t orr_spans_overlap(const GArray *spans, int64_t from, int64_t to);

#endif

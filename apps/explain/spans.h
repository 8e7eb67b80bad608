/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SPANS_H
#define ORR_SPANS_H

#include <glib.h>

/* Spans of time, from a date up to another, ns. */
struct orr_time_span {
    int64_t from, to;
};

/* Adds a span to @spans (struct orr_time_span), which are ascending and apart:
 * it is joined with those that it overlaps or touches. It must not end before
 * another one that was added. */
void orr_spans_add(GArray *spans, struct orr_time_span span);

/* How much of a span is in @spans, ascending and apart. */
int64_t orr_spans_overlap(const GArray *spans, int64_t from, int64_t to);

#endif

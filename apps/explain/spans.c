/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/spans.h"

void orr_spans_add(GArray *spans, struct orr_time_span span)
{
    guint kept = spans->len; /* number of spans before @span */

    for (; kept > 0; kept--) {
        const struct orr_time_span *last =
            &g_array_index(spans, struct orr_time_span, kept - 1);

        if (last->to < span.from)
            break;
        span.from = MIN(span.from, last->from);
    }
    if (kept == spans->len) {
        g_array_append_val(spans, span);
        return;
    }
    g_array_index(spans, struct orr_time_span, kept) = span;
    if (kept + 1 < spans->len)
        g_array_set_size(spans, kept + 1);
}

int64_t orr_spans_overlap(const GArray *spans, int64_t from, int64_t to)
{
    guint low = 0, high = spans->len;
    int64_t sum = 0;

    while (low <
           high) { /* binary search of the first span that ends after @from */
        guint middle = low + (high - low) / 2;

        if (g_array_index(spans, struct orr_time_span, middle).to > from)
            high = middle;
        else
            low = middle + 1;
    }
    for (; low < spans->len; low++) {
        const struct orr_time_span *one =
            &g_array_index(spans, struct orr_time_span, low);

        if (one->from >= to)
            break;
        sum += MIN(one->to, to) - MAX(one->from, from);
    }
    return sum;
}

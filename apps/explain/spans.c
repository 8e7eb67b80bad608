/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/spans.h"

static int by_date(gconstpointer a, gconstpointer b)
{
    const struct orr_time_span *left = a, *right = b;

    return (left->from > right->from) - (left->from < right->from);
}

void orr_spans_join(GArray *spans)
{
    guint kept = 0;

    g_array_sort(spans, by_date);
    for (guint i = 0; i < spans->len; i++) {
        struct orr_time_span one =
            g_array_index(spans, struct orr_time_span, i);
        struct orr_time_span *last =
            kept > 0 ? &g_array_index(spans, struct orr_time_span, kept - 1)
                     : NULL;

        if (last && one.from <= last->to)
            last->to = MAX(last->to, one.to);
        else
            g_array_index(spans, struct orr_time_span, kept++) = one;
    }
    g_array_set_size(spans, kept);
}

int64_t orr_spans_overlap(const GArray *spans, int64_t from, int64_t to)
{
    guint low = 0, high = spans->len;
    int64_t sum = 0;

    while (low < high) { /* the first that ends after @from */
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

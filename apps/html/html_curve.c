/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/html/html_curve.h"

#include <glib.h>

void orr_html_curve_init(struct orr_html_curve *curve, int64_t end)
{
    *curve = (struct orr_html_curve){
        .part_ns = (double)end / ORR_HTML_PARTS,
    };
}

/* The part at @place, a date in parts. */
static unsigned part_at(double place)
{
    return (unsigned)CLAMP(place, 0, ORR_HTML_PARTS - 1);
}

void orr_html_curve_add(struct orr_html_curve *curve, int64_t from, int64_t to,
                        double height)
{
    double begin = (double)from / curve->part_ns;
    double end = (double)to / curve->part_ns;
    unsigned first = part_at(begin), last = part_at(end);

    if (first == last) {
        curve->own[first] += height * (end - begin);
        return;
    }
    curve->own[first] += height * (first + 1 - begin);
    curve->own[last] += height * (end - last);
    curve->step[first + 1] += height;
    curve->step[last] -= height;
}

void orr_html_curve_means(const struct orr_html_curve *curve,
                          float means[ORR_HTML_PARTS])
{
    double full = 0;

    for (unsigned i = 0; i < ORR_HTML_PARTS; i++) {
        full += curve->step[i];
        /* What rounding leaves after the end of an interval is no part of it.
         */
        means[i] = (float)MAX(full + curve->own[i], 0);
    }
}

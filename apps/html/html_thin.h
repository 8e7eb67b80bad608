/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HTML_THIN_H
#define ORR_HTML_THIN_H

#include <glib.h>
#include <stdint.h>

/* A bar of a chart, or several that were merged. */
struct orr_html_bar {
    int64_t from, to; /* ns */
    uint32_t row;
    uint32_t kind;
    uint32_t index; /* of what the bar shows; of the first of several */
    uint32_t count; /* of those merged; 1: none */
};

/*
 * Thins @bars (struct orr_html_bar, sorted by row, then by start) to @most or
 * fewer: neighbours of one row become one bar, of the kind that takes most of
 * their time, if it is no longer than a width. That is 1 ns, doubled until few
 * enough are left, or until each row has one bar. @kinds: their number.
 *
 * Returns the width in ns; 0: nothing had to be merged.
 */
int64_t orr_html_thin(GArray *bars, uint32_t kinds, guint most);

#endif

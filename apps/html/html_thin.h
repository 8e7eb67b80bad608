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
    uint32_t index; /* index of the task or copy that the bar shows; if merged,
                       of the first one */
    uint32_t count; /* number of bars merged into this one; 1: not merged */
};

/*
 * Reduces @bars (struct orr_html_bar, sorted by row, then by start) to @most or
 * fewer: neighbours in a row are merged if the result is no longer than a
 * width; it has the kind that takes most of their time. The width is 1 ns,
 * doubled until few enough bars are left, or until each row has one bar.
 * @kinds: number of kinds.
 *
 * Returns the width in ns; 0: nothing had to be merged.
 */
int64_t orr_html_thin(GArray *bars, uint32_t kinds, guint most);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HTML_REPORT_H
#define ORR_HTML_REPORT_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "apps/html/html_record.h"
#include "models/bounds/bounds.h"

/*
 * Reports of runs as one HTML file, which needs no network: a chart of workers,
 * memories and links over time, curves, the causes of waiting of each task, and
 * the facts of the runs. To make one:
 *
 *     orr_html_check(path, &error)            before the simulation
 *     orr_html_record_init(&record)           for each run,
 *     orr_simulate(..., &record.trace, ...)   which may hang
 *     orr_html_save(path, &report, &error)
 *     orr_html_record_clear(&record)
 */
struct orr_html_run {
    const char *policy; /* name in the heading */
    JsonObject *facts;  /* facts of the run (facts.h) */
    const struct orr_html_record *record;
};

/* A text about the runs, below the chart. */
struct orr_html_note {
    const char *heading;
    const char *text; /* lines; white space is kept */
};

struct orr_html {
    unsigned run_count; /* > 0; of one problem on one machine */
    const struct orr_html_run *runs;
    const struct orr_bounds *bounds; /* bounds that are NAN are not drawn */
    unsigned note_count;
    const struct orr_html_note *notes;
    unsigned most_bars; /* maximum number of bars of a run; if there are more,
                           neighbours are merged (html_thin.h) */
};

/* A browser takes some seconds for this number of bars. */
enum { ORR_HTML_MOST_BARS = 1000000 };

/* Returns whether a report can be written to @path, which has to end in .html.
 * Otherwise fails with ORR_ERROR_VALUE, or as orr_file_check(). */
bool orr_html_check(const char *path, GError **error);

/* Writes @report to @path. Fails as orr_file_replace(), which leaves an older
 * file unchanged. */
bool orr_html_save(const char *path, const struct orr_html *report,
                   GError **error);

/* The files in apps/html/page/, compiled into the program. */
extern const char orr_html_template[]; /* report.html */
extern const char orr_html_style[];    /* report.css */
extern const char orr_html_script[];   /* all scripts, in the order in which
                                          local.mk names them */

/*
 * Returns the page with the title @title, any text, and the packed data @data,
 * in base64. Its Content-Security-Policy allows only the script and the style
 * above, by their digests. Free with g_free().
 */
char *orr_html_page(const char *title, const char *data);

#endif

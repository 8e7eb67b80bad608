/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESS_LINE_H
#define ORR_PROGRESS_LINE_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * A line on a terminal with the progress of a command and an estimate of the
 * time left. It appears after a second, is updated ten times a second, and is
 * erased before anything else is written. Nothing is written to a stream that
 * is not a terminal, such as a log.
 */
struct orr_progress {
    FILE *stream;
    bool terminal;   /* the stream is a terminal */
    bool shown;      /* the line is on the screen */
    gint64 began_us; /* on the monotonic clock */
    gint64 shown_us; /* when the line was last written */
};

/* Begins now, on the standard error. */
void orr_progress_begin(struct orr_progress *progress);

/* Whether to update the line at @now_us, a time of g_get_monotonic_time(). */
bool orr_progress_is_due(const struct orr_progress *progress, gint64 now_us);

/* Writes the line: @text and the estimated time left, if @share (0 to 1) of the
 * work was done by @now_us. A share of 0: not known. */
void orr_progress_show(struct orr_progress *progress, gint64 now_us,
                       const char *text, double share);

/* Erases the line if it is on the screen. */
void orr_progress_erase(struct orr_progress *progress);

/* Seconds since the beginning. */
static inline double orr_progress_elapsed(const struct orr_progress *progress,
                                          gint64 now_us)
{
    return (double)(now_us - progress->began_us) / 1e6;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/progress_line.h"

#include <math.h>
#include <unistd.h>

enum { DELAY_US = 1000000, INTERVAL_US = 100000 };

/* Longer times are not shown. */
#define MOST_S (100.0 * 24 * 3600)

/* ECMA-48: erases the line of the cursor. */
#define ERASE "\r\033[K"

void orr_progress_begin(struct orr_progress *progress)
{
    *progress = (struct orr_progress){
        .stream = stderr,
        .terminal = isatty(STDERR_FILENO),
        .began_us = g_get_monotonic_time(),
    };
}

bool orr_progress_is_due(const struct orr_progress *progress, gint64 now_us)
{
    return progress->terminal && now_us - progress->began_us >= DELAY_US &&
           now_us - progress->shown_us >= INTERVAL_US;
}

/* Returns ", 3 min 20 s left", or "" if that is not known. Free with g_free().
 */
static char *describe_left(double elapsed_s, double share)
{
    double left_s = share > 0 ? ceil(elapsed_s * (1 - share) / share) : MOST_S;
    unsigned s = left_s < MOST_S ? (unsigned)MAX(left_s, 0) : 0;

    if (left_s >= MOST_S)
        return g_strdup("");
    if (s < 60)
        return g_strdup_printf(", %u s left", s);
    if (s < 3600)
        return g_strdup_printf(", %u min %u s left", s / 60, s % 60);
    return g_strdup_printf(", %u h %u min left", s / 3600, s / 60 % 60);
}

void orr_progress_show(struct orr_progress *progress, gint64 now_us,
                       const char *text, double share)
{
    g_autofree char *left =
        describe_left(orr_progress_elapsed(progress, now_us), share);

    progress->shown = true;
    progress->shown_us = now_us;
    fprintf(progress->stream, ERASE "%s%s", text, left);
    fflush(progress->stream);
}

void orr_progress_erase(struct orr_progress *progress)
{
    if (!progress->shown)
        return;
    progress->shown = false;
    fputs(ERASE, progress->stream);
    fflush(progress->stream);
}

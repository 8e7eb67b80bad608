/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application notifies tags, and uses tags again. */
#include "runtime/arguments.h"
#include "runtime/graph/tags.h"
#include "runtime/run.h"

/* The tag @id, if the application may change it. NULL: it may not, or changes
 * nothing. */
static struct orr_tag *change(struct orr_run *run, uint64_t id, const char *how)
{
    struct orr_tag *tag;

    if (orr_run_ignores(run) || run->capture)
        return NULL;
    if (id == 0) {
        orr_run_refuse(run, "tag 0, which means no tag, cannot be %s", how);
        return NULL;
    }
    tag = orr_tags_expect(&run->graph, id);
    if (!tag->job)
        return tag;
    orr_run_refuse(run,
                   "tag %" G_GUINT64_FORMAT " cannot be %s: task "
                   "%" G_GUINT64_FORMAT " (%s) has it, and has not ended",
                   id, how, tag->order, tag->name);
    return NULL;
}

void orr_tag_notify(struct orr_run *run, uint64_t id)
{
    struct orr_tag *tag = change(run, id, "notified");
    struct orr_job *waiting = tag ? orr_tags_notify(&run->graph, tag) : NULL;

    if (!tag)
        return;
    if (run->app.awaited == tag)
        orr_actors_interrupt(&run->engine);
    if (waiting)
        orr_run_submit(run, waiting);
}

void orr_tag_restart(struct orr_run *run, uint64_t id)
{
    struct orr_tag *tag = change(run, id, "restarted");

    if (!tag)
        return;
    tag->name = NULL;
    tag->ended = false;
}

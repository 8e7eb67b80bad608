/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TAGS_H
#define ORR_TAGS_H

#include "runtime/graph/graph.h"

/*
 * Tags: numbers that the application gives to tasks, by which others wait for
 * them, submitted before or after (StarPU, tags.c). Who waits for a tag that
 * no task has yet is listed with the tag; from when a task has it they are
 * among the successors of that task.
 *
 * Jobs know nothing of it. Where no tag is used none of this exists.
 */
struct orr_tag {
    uint64_t id; /* not 0 */
    bool ended;  /* the task that has it is complete */

    /* The task that has it, if any does yet. */
    const char *name;    /* NULL: none */
    uint64_t order;      /* of its submission */
    struct orr_job *job; /* until it is complete */

    struct orr_successors waiting; /* while no task has it */

    struct orr_tag *next; /* in the order in which they were first named */
};

/* NULL is allowed. */
void orr_tags_free(struct orr_tags *tags);

/* The tag @id, if anybody has or awaits it, or NULL. */
struct orr_tag *orr_tags_find(const struct orr_tags *tags, uint64_t id);

/* The tag first named, or NULL; from there on, orr_tag.next. NULL @tags is
 * allowed here and above. */
struct orr_tag *orr_tags_first(const struct orr_tags *tags);

/* @job, which is about to be submitted, has the tag @id, which none has yet,
 * and is
 * called @task_name; and awaits the tag @id. */
void orr_tags_give(struct orr_graph *graph, uint64_t id, struct orr_job *job,
                   const char *task_name);
void orr_tags_await(struct orr_graph *graph, uint64_t id, struct orr_job *job);

/* @job is complete. Returns whether it had a tag. */
bool orr_tags_end(struct orr_tags *tags, const struct orr_job *job);

#endif

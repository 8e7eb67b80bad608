/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TAGS_H
#define ORR_TAGS_H

#include "runtime/graph/graph.h"

/*
 * Tags: numbers that the application gives to tasks; tasks submitted before or
 * after can wait for them (StarPU, tags.c). Jobs that wait for a tag without a
 * task are listed with the tag; they become successors of the task that gets
 * it.
 */
struct orr_tag {
    uint64_t id; /* 0: of orr_tags_watch() */
    bool ended;  /* its task is complete, or the application has notified it */
    uint64_t ends; /* how often it has ended */

    /* Its task. */
    const char *name;    /* NULL: no task has it yet */
    uint64_t order;      /* number of the task in order of submission */
    struct orr_job *job; /* its task, until the task is complete; or NULL */

    /* jobs that wait for the tag while no task has it */
    struct orr_successors waiting;

    struct orr_tag *next; /* next tag in the order of first use */
};

/* NULL is allowed. */
void orr_tags_free(struct orr_tags *tags);

/* The tag @id, if a task has or awaits it, or NULL. */
struct orr_tag *orr_tags_find(const struct orr_tags *tags, uint64_t id);

/* The first tag, or NULL; further tags follow by orr_tag.next. NULL @tags is
 * allowed here and above. */
struct orr_tag *orr_tags_first(const struct orr_tags *tags);

/* The tag @id, created on first use. */
struct orr_tag *orr_tags_expect(struct orr_graph *graph, uint64_t id);

/* The tag of @job, which is not complete. If the application gave it none, it
 * gets one without a number, in place of the job that had this one before. */
const struct orr_tag *orr_tags_watch(struct orr_graph *graph,
                                     struct orr_job *job);

/* @job, which is about to be submitted and is called @task_name, gets the tag
 * @id, which no task has yet; or awaits the tag @id. */
void orr_tags_assign(struct orr_graph *graph, uint64_t id, struct orr_job *job,
                     const char *task_name);
void orr_tags_await(struct orr_graph *graph, uint64_t id, struct orr_job *job);

/* The application notifies @tag, which no job has: it has ended. Returns a job
 * that the jobs that waited for it await now, to be released; NULL: none. */
struct orr_job *orr_tags_notify(struct orr_graph *graph, struct orr_tag *tag);

/* @job is complete. Returns whether it had a tag. */
bool orr_tags_end(struct orr_tags *tags, const struct orr_job *job);

#endif

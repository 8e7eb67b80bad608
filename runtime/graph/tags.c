/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/tags.h"

struct orr_tags {
    GHashTable *by_id;  /* struct orr_tag by id; owned */
    GHashTable *by_job; /* tags of jobs that are not complete, by job */
    struct orr_tag *first, *last;
    struct orr_tag watched; /* see orr_tags_watch() */
};

static struct orr_tags *tags_new(void)
{
    struct orr_tags *tags = g_new0(struct orr_tags, 1);

    tags->by_id =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    tags->by_job = g_hash_table_new(NULL, NULL);
    return tags;
}

void orr_tags_free(struct orr_tags *tags)
{
    if (!tags)
        return;
    g_hash_table_unref(tags->by_job);
    g_hash_table_unref(tags->by_id);
    g_free(tags);
}

struct orr_tag *orr_tags_find(const struct orr_tags *tags, uint64_t id)
{
    return tags ? g_hash_table_lookup(tags->by_id, &id) : NULL;
}

struct orr_tag *orr_tags_first(const struct orr_tags *tags)
{
    return tags ? tags->first : NULL;
}

/* The tags of @graph, created on first use. */
static struct orr_tags *tags_of(struct orr_graph *graph)
{
    if (!graph->tags)
        graph->tags = tags_new();
    return graph->tags;
}

struct orr_tag *orr_tags_expect(struct orr_graph *graph, uint64_t id)
{
    struct orr_tags *tags = tags_of(graph);
    struct orr_tag *tag = orr_tags_find(tags, id);

    g_assert(id != 0);
    if (tag)
        return tag;
    tag = g_new0(struct orr_tag, 1);
    tag->id = id;
    g_hash_table_insert(tags->by_id, &tag->id, tag);
    if (tags->last)
        tags->last->next = tag;
    else
        tags->first = tag;
    tags->last = tag;
    return tag;
}

const struct orr_tag *orr_tags_watch(struct orr_graph *graph,
                                     struct orr_job *job)
{
    struct orr_tags *tags = tags_of(graph);
    struct orr_tag *tag = g_hash_table_lookup(tags->by_job, job);

    if (tag)
        return tag;
    tag = &tags->watched;
    *tag = (struct orr_tag){.order = job->id, .job = job};
    g_hash_table_insert(tags->by_job, job, tag);
    return tag;
}

void orr_tags_assign(struct orr_graph *graph, uint64_t id, struct orr_job *job,
                     const char *task_name)
{
    struct orr_tag *tag = orr_tags_expect(graph, id);

    g_assert(!tag->name && !job->successors.bits);
    tag->name = task_name;
    tag->order = job->id;
    tag->job = job;
    job->successors = tag->waiting;
    tag->waiting = (struct orr_successors){0};
    g_hash_table_insert(graph->tags->by_job, job, tag);
}

void orr_tags_await(struct orr_graph *graph, uint64_t id, struct orr_job *job)
{
    struct orr_tag *tag = orr_tags_expect(graph, id);

    if (tag->job)
        orr_graph_add_edge(graph, &tag->job->successors, job);
    else if (!tag->ended)
        orr_graph_add_edge(graph, &tag->waiting, job);
}

static void end(struct orr_tag *tag)
{
    tag->ended = true;
    tag->ends++;
}

struct orr_job *orr_tags_notify(struct orr_graph *graph, struct orr_tag *tag)
{
    struct orr_job *job;

    end(tag);
    if (!tag->waiting.bits)
        return NULL;
    job = orr_job_new_release(graph);
    job->successors = tag->waiting;
    tag->waiting = (struct orr_successors){0};
    return job;
}

bool orr_tags_end(struct orr_tags *tags, const struct orr_job *job)
{
    struct orr_tag *tag = g_hash_table_lookup(tags->by_job, job);

    if (!tag)
        return false;
    g_hash_table_remove(tags->by_job, job);
    tag->job = NULL;
    end(tag);
    return true;
}

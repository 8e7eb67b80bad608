/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/tags.h"

struct orr_tags {
    GHashTable *by_id;  /* struct orr_tag by id; owned */
    GHashTable *by_job; /* tags of jobs that are not complete, by job */
    struct orr_tag *first, *last;
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

/* The tag @id, created on first use. */
static struct orr_tag *find_or_add(struct orr_graph *graph, uint64_t id)
{
    struct orr_tags *tags = graph->tags;
    struct orr_tag *tag = orr_tags_find(tags, id);

    g_assert(id != 0);
    if (tag)
        return tag;
    if (!tags)
        tags = graph->tags = tags_new();
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

void orr_tags_assign(struct orr_graph *graph, uint64_t id, struct orr_job *job,
                     const char *task_name)
{
    struct orr_tag *tag = find_or_add(graph, id);

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
    struct orr_tag *tag = find_or_add(graph, id);

    if (tag->job)
        orr_graph_add_edge(graph, &tag->job->successors, job);
    else if (!tag->ended)
        orr_graph_add_edge(graph, &tag->waiting, job);
}

bool orr_tags_end(struct orr_tags *tags, const struct orr_job *job)
{
    struct orr_tag *tag = g_hash_table_lookup(tags->by_job, job);

    if (!tag)
        return false;
    g_hash_table_remove(tags->by_job, job);
    tag->job = NULL;
    tag->ended = true;
    return true;
}

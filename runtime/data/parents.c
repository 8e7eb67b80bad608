/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parents of tasks. Each datum has its current group of accesses and the group
 * before: a new access of the same mode joins the group and awaits the tasks of
 * the group before; otherwise it begins a new group. Numbers of tasks stand for
 * tasks throughout, so nothing refers to jobs, which are freed earlier.
 */
#include "runtime/data/parents.h"

#include <glib.h>
#include <stdlib.h>

#include "runtime/data/data.h"
#include "runtime/graph/tags.h"

/* Orders of tasks, or tags; all may be 0. */
struct list {
    uint64_t *numbers; /* owned */
    unsigned count, room;
};

/* A group: the tasks that access a datum in one mode, one after the other. Each
 * of them awaits all tasks of the group before. A task with exclusive access is
 * a group of its own. */
struct group {
    unsigned mode;
    struct list members, before;
};

/* Most tasks await at most so many others: there is no list then. */
enum { FEW = 3 };

/* The tasks that a task awaits. */
struct awaited {
    uint64_t few[FEW]; /* numbers of the first tasks */
    unsigned count;    /* number of elements of @few */
    struct list tasks; /* further tasks; empty once the task has ended */
    struct list tags;
    struct list end_tags; /* its successors await these tasks, too */
    bool synchronises;    /* its successors depend on these tasks instead */
    /* the last task that took these tasks in its place, plus 1 */
    uint64_t taker;
};

struct orr_parents {
    GArray *groups;  /* struct group, by datum */
    GArray *awaited; /* struct awaited, by order */
    uint64_t *taken; /* last result of orr_parents_take(); owned */
    size_t taken_count, taken_room;
};

struct orr_parents *orr_parents_new(void)
{
    struct orr_parents *parents = g_new0(struct orr_parents, 1);

    parents->groups = g_array_new(FALSE, TRUE, sizeof(struct group));
    parents->awaited = g_array_new(FALSE, TRUE, sizeof(struct awaited));
    return parents;
}

static void clear(struct list *list)
{
    g_free(list->numbers);
    *list = (struct list){0};
}

void orr_parents_free(struct orr_parents *parents)
{
    if (!parents)
        return;
    for (guint i = 0; i < parents->groups->len; i++) {
        struct group *group = &g_array_index(parents->groups, struct group, i);

        clear(&group->members);
        clear(&group->before);
    }
    for (guint i = 0; i < parents->awaited->len; i++) {
        struct awaited *one =
            &g_array_index(parents->awaited, struct awaited, i);

        clear(&one->tasks);
        clear(&one->tags);
        clear(&one->end_tags);
    }
    g_array_unref(parents->groups);
    g_array_unref(parents->awaited);
    g_free(parents->taken);
    g_free(parents);
}

static inline void append(struct list *list, uint64_t number)
{
    if (G_UNLIKELY(list->count == list->room)) {
        list->room = 2 * list->room + 2;
        list->numbers = g_renew(uint64_t, list->numbers, list->room);
    }
    list->numbers[list->count++] = number;
}

/* Makes room in @array for element @i; the new ones are 0 at first. */
static inline void grow(GArray *array, uint64_t i)
{
    if (G_UNLIKELY(i >= array->len))
        g_array_set_size(array, MAX((guint)i + 1, 2 * array->len));
}

static struct group *group_of(struct orr_parents *parents, uint64_t datum)
{
    grow(parents->groups, datum);
    return &g_array_index(parents->groups, struct group, datum);
}

static struct awaited *awaited_by(struct orr_parents *parents, uint64_t order)
{
    grow(parents->awaited, order);
    return &g_array_index(parents->awaited, struct awaited, order);
}

static void await(struct awaited *awaited, uint64_t order)
{
    if (awaited->count < FEW)
        awaited->few[awaited->count++] = order;
    else
        append(&awaited->tasks, order);
}

/* The task @order, with @awaited, comes next to a datum. */
static void join(struct group *group, struct awaited *awaited, uint64_t order,
                 unsigned mode)
{
    bool joins = group->members.count > 0 && group->mode == mode &&
                 orr_mode_is_shared(mode);

    if (!joins) {
        struct list members = group->before;

        group->before = group->members;
        group->members = members;
        group->members.count = 0;
        group->mode = mode;
    }
    for (unsigned i = 0; i < group->before.count; i++)
        await(awaited, group->before.numbers[i]);
    append(&group->members, order);
}

void orr_parents_access(struct orr_parents *parents, uint64_t order,
                        uint64_t datum, unsigned group)
{
    join(group_of(parents, datum), awaited_by(parents, order), order, group);
}

void orr_parents_await(struct orr_parents *parents, uint64_t order,
                       uint64_t before)
{
    await(awaited_by(parents, order), before);
}

void orr_parents_add(struct orr_parents *parents, const struct orr_job *job,
                     unsigned count, const struct orr_task_spec *spec)
{
    struct awaited *awaited = awaited_by(parents, job->id);

    awaited->synchronises = job->kind == ORR_JOB_SYNC;
    for (unsigned i = 0; i < count; i++) {
        const struct orr_job_access *access = &job->accesses[i];

        if (job->unordered || orr_access_data(access)->unordered)
            continue;
        join(group_of(parents, orr_access_data(access)->id), awaited, job->id,
             orr_access_group(access));
    }
    for (unsigned i = 0; i < spec->wait_count; i++)
        append(&awaited->tags, spec->wait_tags[i]);
    for (unsigned i = 0; i < spec->end_count; i++)
        append(&awaited->end_tags, spec->end_tags[i]);
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static bool is_sorted(const uint64_t *orders, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (orders[i - 1] > orders[i])
            return false;
    return true;
}

static void take(struct orr_parents *parents, const uint64_t *orders,
                 size_t count)
{
    if (parents->taken_room - parents->taken_count < count) {
        parents->taken_room = 2 * parents->taken_room + count;
        parents->taken = g_renew(uint64_t, parents->taken, parents->taken_room);
    }
    for (size_t i = 0; i < count; i++)
        parents->taken[parents->taken_count++] = orders[i];
}

/* Adds the tasks that have @list to parents->taken. */
static void take_tags(struct orr_parents *parents, const struct list *list,
                      const struct orr_tags *tags)
{
    for (unsigned i = 0; i < list->count; i++) {
        const struct orr_tag *tag = orr_tags_find(tags, list->numbers[i]);

        if (tag && tag->name)
            take(parents, &tag->order, 1);
    }
}

/* Adds the tasks that @awaited lists to parents->taken. */
static void gather(struct orr_parents *parents, const struct awaited *awaited,
                   const struct orr_tags *tags)
{
    take(parents, awaited->few, awaited->count);
    take(parents, awaited->tasks.numbers, awaited->tasks.count);
    take_tags(parents, &awaited->tags, tags);
}

/* Collects the tasks that @order awaits, with their end dependencies; a
 * synchronising task is replaced by the tasks that it awaits itself. */
static void gather_all(struct orr_parents *parents, uint64_t order,
                       const struct orr_tags *tags)
{
    parents->taken_count = 0;
    gather(parents, awaited_by(parents, order), tags);
    for (size_t i = 0; i < parents->taken_count; i++) {
        struct awaited *parent = awaited_by(parents, parents->taken[i]);

        if (!(parent->synchronises || parent->end_tags.count > 0) ||
            parent->taker == order + 1)
            continue;
        parent->taker = order + 1;
        if (parent->synchronises)
            gather(parents, parent, tags);
        take_tags(parents, &parent->end_tags, tags);
    }
}

const uint64_t *orr_parents_take(struct orr_parents *parents, uint64_t order,
                                 const struct orr_tags *tags, unsigned *count)
{
    struct awaited *awaited;
    uint64_t *orders;
    unsigned kept = 0;

    gather_all(parents, order, tags);
    awaited = awaited_by(parents, order);
    clear(&awaited->tags);
    clear(&awaited->tasks);
    awaited->count = 0;
    orders = parents->taken;
    if (!is_sorted(orders, parents->taken_count))
        qsort(orders, parents->taken_count, sizeof(*orders), ascending);
    for (size_t i = 0; i < parents->taken_count; i++) {
        awaited = awaited_by(parents, orders[i]);
        if (!awaited->synchronises &&
            (kept == 0 || orders[i] != orders[kept - 1]))
            orders[kept++] = orders[i];
    }
    *count = kept;
    return orders;
}

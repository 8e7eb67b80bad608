/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dag/dag_dependencies.h"

/* The latest accesses to a datum. */
enum group_kind { NONE, READERS, COMMUTERS, REDUCERS, WRITER };

/* The tasks that accessed a datum last, all in the same way. */
struct group {
    enum group_kind kind;
    uint32_t base; /* node on which each task depends, or ORR_DAG_NONE */
    uint32_t head; /* index in members, or ORR_DAG_NONE */
    uint32_t count;
};

struct member {
    uint32_t task;
    uint32_t next;
};

/* An array of nodes. */
struct list {
    uint32_t *nodes;
    uint32_t count;
    uint32_t room;
};

struct links {
    const struct orr_dag *dag;
    struct group *groups;   /* by datum */
    struct member *members; /* by access */
    GArray *first;          /* of nodes; joins are appended */
    GArray *counts;
    struct list before;
    struct list mine; /* nodes on which the current task depends */
    uint32_t *seen;   /* by node: the last task, plus 1, that had it in mine */
    size_t seen_size;
};

/* Makes room for @count more nodes. */
static void reserve(struct list *list, uint32_t count)
{
    if (list->room - list->count >= count)
        return;
    list->room = 2 * list->room + count;
    list->nodes = g_renew(uint32_t, list->nodes, list->room);
}

static void append(struct list *list, uint32_t node)
{
    reserve(list, 1);
    list->nodes[list->count++] = node;
}

static void add(struct links *links, uint32_t task, uint32_t node)
{
    if (node == ORR_DAG_NONE || links->seen[node] == task + 1)
        return;
    links->seen[node] = task + 1;
    append(&links->mine, node);
}

static enum group_kind kind_of(unsigned mode)
{
    if (mode & ORR_DAG_REDUX)
        return REDUCERS;
    if (mode & ORR_DAG_COMMUTE)
        return COMMUTERS;
    if (mode & ORR_DAG_WRITE)
        return WRITER;
    return mode & ORR_DAG_READ ? READERS : NONE;
}

/* The node that stands for all members of @group: the only member, or a join.
 */
static uint32_t join(struct links *links, const struct group *group)
{
    uint32_t node = links->first->len;
    uint32_t begin = links->before.count;

    if (group->count == 0)
        return ORR_DAG_NONE;
    if (group->count == 1)
        return links->members[group->head].task;
    for (uint32_t i = group->head; i != ORR_DAG_NONE;
         i = links->members[i].next)
        append(&links->before, links->members[i].task);
    g_array_append_val(links->first, begin);
    g_array_append_val(links->counts, group->count);
    if (node >= links->seen_size) {
        links->seen = g_renew(uint32_t, links->seen, 2 * links->seen_size);
        for (size_t i = links->seen_size; i < 2 * links->seen_size; i++)
            links->seen[i] = 0;
        links->seen_size *= 2;
    }
    return node;
}

/* Begins a new group with @task, which accesses the datum in another way and so
 * depends on the old group. */
static void begin_group(struct links *links, struct group *group,
                        enum group_kind kind, uint32_t task)
{
    if (kind == WRITER) {
        for (uint32_t i = group->head; i != ORR_DAG_NONE;
             i = links->members[i].next)
            add(links, task, links->members[i].task);
    } else {
        group->base = join(links, group);
    }
    group->kind = kind;
    group->head = ORR_DAG_NONE;
    group->count = 0;
}

static void follow(struct links *links, uint32_t task, uint32_t access)
{
    const struct orr_dag_access *one = &links->dag->accesses[access];
    struct group *group = &links->groups[one->datum];
    enum group_kind kind = kind_of(one->mode);

    if (kind == NONE)
        return;
    if (kind != group->kind || kind == WRITER)
        begin_group(links, group, kind, task);
    if (kind != WRITER)
        add(links, task, group->base);
    links->members[access] = (struct member){task, group->head};
    group->head = access;
    group->count++;
}

static void link_task(struct links *links, uint32_t task, unsigned kinds)
{
    const struct orr_dag_task *one = &links->dag->tasks[task];

    links->mine.count = 0;
    if (kinds & ORR_DAG_FLOW) {
        for (uint32_t i = one[0].first_access; i < one[1].first_access; i++)
            follow(links, task, i);
    }
    if (kinds & ORR_DAG_EDGES) {
        for (uint32_t i = one[0].first_edge; i < one[1].first_edge; i++)
            add(links, task, links->dag->edges[i]);
    }
    g_array_index(links->first, uint32_t, task) = links->before.count;
    g_array_index(links->counts, uint32_t, task) = links->mine.count;
    reserve(&links->before, links->mine.count);
    for (uint32_t i = 0; i < links->mine.count; i++)
        links->before.nodes[links->before.count++] = links->mine.nodes[i];
}

void orr_dag_dependencies(const struct orr_dag *dag, unsigned kinds,
                          struct orr_dag_nodes *nodes)
{
    struct group *groups = g_new0(struct group, dag->datum_count + (size_t)1);
    struct member *members =
        g_new0(struct member, orr_dag_access_count(dag) + (size_t)1);
    struct links links = {
        .dag = dag,
        .groups = groups,
        .members = members,
        .first = g_array_new(FALSE, TRUE, sizeof(uint32_t)),
        .counts = g_array_new(FALSE, TRUE, sizeof(uint32_t)),
        .seen = g_new0(uint32_t, dag->task_count + (size_t)1),
        .seen_size = dag->task_count + (size_t)1,
    };

    for (uint32_t i = 0; i < dag->datum_count; i++)
        groups[i].head = ORR_DAG_NONE;
    g_array_set_size(links.first, dag->task_count);
    g_array_set_size(links.counts, dag->task_count);
    for (uint32_t task = 0; task < dag->task_count; task++)
        link_task(&links, task, kinds);
    reserve(&links.before, 1); /* so that it is not NULL */
    nodes->count = links.first->len;
    nodes->first = (uint32_t *)g_array_free(links.first, FALSE);
    nodes->counts = (uint32_t *)g_array_free(links.counts, FALSE);
    nodes->before = links.before.nodes;
    g_free(links.mine.nodes);
    g_free(groups);
    g_free(members);
    g_free(links.seen);
}

void orr_dag_dependencies_clear(struct orr_dag_nodes *nodes)
{
    g_free(nodes->first);
    g_free(nodes->counts);
    g_free(nodes->before);
    *nodes = (struct orr_dag_nodes){.count = 0};
}

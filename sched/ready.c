/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A treap ordered by (highest priority, oldest), in which each node knows the
 * best node of its subtree. Candidates are then a prefix of the order.
 */
#include "sched/ready.h"

struct orr_ready_node {
    struct orr_task *task;
    struct orr_missing missing;
    uint64_t rank; /* of the treap: less than those below */
    struct orr_ready_node *left, *right, *parent;
    struct orr_ready_node *best;          /* of the subtree */
    struct orr_ready_node *older, *newer; /* by arrival */
    struct orr_ready_node *next_stale;
    bool stale; /* in the chain of those touched */
};

/* A mixing function: arrivals become ranks without order. Steele, Lea, Flood,
 * Fast splittable pseudorandom number generators, OOPSLA 2014 (mix64). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static bool precedes(const struct orr_task *a, const struct orr_task *b)
{
    return a->priority != b->priority ? a->priority > b->priority
                                      : a->arrival < b->arrival;
}

static bool is_better(const struct orr_ready_node *a,
                      const struct orr_ready_node *b)
{
    const struct orr_missing *x = &a->missing, *y = &b->missing;

    if (x->invalid_bytes != y->invalid_bytes)
        return x->invalid_bytes < y->invalid_bytes;
    if (x->unstarted_bytes != y->unstarted_bytes)
        return x->unstarted_bytes < y->unstarted_bytes;
    if (x->unallocated_bytes != y->unallocated_bytes)
        return x->unallocated_bytes < y->unallocated_bytes;
    return a->task->arrival < b->task->arrival;
}

static struct orr_ready_node *better(struct orr_ready_node *a,
                                     struct orr_ready_node *b)
{
    if (!a || !b)
        return a ? a : b;
    return is_better(a, b) ? a : b;
}

static void summarise(struct orr_ready_node *node)
{
    node->best = node;
    if (node->left)
        node->best = better(node->best, node->left->best);
    if (node->right)
        node->best = better(node->best, node->right->best);
}

static void summarise_up(struct orr_ready_node *node)
{
    for (; node; node = node->parent)
        summarise(node);
}

/* The link through which @node hangs in the tree. */
static struct orr_ready_node **link_to(struct orr_ready *queue,
                                       const struct orr_ready_node *node)
{
    if (!node->parent)
        return &queue->root;
    return node->parent->left == node ? &node->parent->left
                                      : &node->parent->right;
}

/* Makes @child, below @node, the parent of @node. */
static void rotate(struct orr_ready *queue, struct orr_ready_node *node,
                   struct orr_ready_node *child)
{
    struct orr_ready_node *moved;

    *link_to(queue, node) = child;
    child->parent = node->parent;
    if (node->left == child) {
        moved = child->right;
        node->left = moved;
        child->right = node;
    } else {
        moved = child->left;
        node->right = moved;
        child->left = node;
    }
    if (moved)
        moved->parent = node;
    node->parent = child;
    summarise(node);
    summarise(child);
}

static void insert(struct orr_ready *queue, struct orr_ready_node *node)
{
    struct orr_ready_node **link = &queue->root;

    while (*link) {
        node->parent = *link;
        link = precedes(node->task, (*link)->task) ? &(*link)->left
                                                   : &(*link)->right;
    }
    *link = node;
    while (node->parent && node->rank < node->parent->rank)
        rotate(queue, node->parent, node);
    summarise_up(node);
}

static void withdraw(struct orr_ready *queue, struct orr_ready_node *node)
{
    struct orr_ready_node *child;

    while (node->left && node->right)
        rotate(queue, node,
               node->left->rank < node->right->rank ? node->left : node->right);
    child = node->left ? node->left : node->right;
    *link_to(queue, node) = child;
    if (child)
        child->parent = node->parent;
    summarise_up(node->parent);
}

static void chain(struct orr_ready *queue, struct orr_ready_node *node)
{
    node->older = queue->newest;
    if (queue->newest)
        queue->newest->newer = node;
    else
        queue->oldest = node;
    queue->newest = node;
}

static void unchain(struct orr_ready *queue, struct orr_ready_node *node)
{
    if (node->older)
        node->older->newer = node->newer;
    else
        queue->oldest = node->newer;
    if (node->newer)
        node->newer->older = node->older;
    else
        queue->newest = node->older;
}

void orr_ready_clear(struct orr_ready *queue)
{
    while (queue->oldest) {
        struct orr_ready_node *node = queue->oldest;

        queue->oldest = node->newer;
        g_free(node);
    }
    queue->newest = queue->root = queue->stale = NULL;
}

void orr_ready_push(struct orr_ready *queue, struct orr_sched *sched,
                    struct orr_task *task)
{
    struct orr_ready_node *node = g_new0(struct orr_ready_node, 1);

    task->arrival = queue->arrivals++;
    task->note = node;
    node->task = task;
    node->rank = mix(task->arrival + 1);
    orr_sched_missing(sched, task, queue->node, &node->missing);
    chain(queue, node);
    insert(queue, node);
    orr_sched_watch(sched, task, queue->node);
}

void orr_ready_touch(struct orr_ready *queue, struct orr_task *task)
{
    struct orr_ready_node *node = task->note;

    if (node->stale)
        return;
    node->stale = true;
    node->next_stale = queue->stale;
    queue->stale = node;
}

static bool are_equal(const struct orr_missing *a, const struct orr_missing *b)
{
    return a->invalid_bytes == b->invalid_bytes &&
           a->unstarted_bytes == b->unstarted_bytes &&
           a->unallocated_bytes == b->unallocated_bytes;
}

static void refresh(struct orr_ready *queue, struct orr_sched *sched)
{
    while (queue->stale) {
        struct orr_ready_node *node = queue->stale;
        struct orr_missing missing;

        queue->stale = node->next_stale;
        node->stale = false;
        orr_sched_missing(sched, node->task, queue->node, &missing);
        if (are_equal(&missing, &node->missing))
            continue;
        node->missing = missing;
        summarise_up(node);
    }
}

/* The best node among those of at least @priority. */
static struct orr_ready_node *best_of(const struct orr_ready *queue,
                                      int priority)
{
    struct orr_ready_node *node = queue->root;
    struct orr_ready_node *best = NULL;

    while (node) {
        if (node->task->priority < priority) {
            node = node->left;
            continue;
        }
        best = better(best, node);
        if (node->left)
            best = better(best, node->left->best);
        node = node->right;
    }
    return best;
}

static int head_priority(const struct orr_ready *queue)
{
    const struct orr_ready_node *node = queue->root;

    if (!queue->sorted)
        return queue->oldest->task->priority;
    while (node->left)
        node = node->left;
    return node->task->priority;
}

struct orr_task *orr_ready_pop(struct orr_ready *queue, struct orr_sched *sched)
{
    struct orr_ready_node *node;
    struct orr_task *task;

    if (!queue->root)
        return NULL;
    refresh(queue, sched);
    node = best_of(queue, head_priority(queue));
    task = node->task;
    withdraw(queue, node);
    unchain(queue, node);
    g_free(node);
    task->note = NULL;
    return task;
}

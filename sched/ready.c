/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A treap ordered by (highest priority, oldest), in which each node knows the
 * best node of its subtree. Candidates are then a prefix of the order.
 */
#include "sched/ready.h"

struct orr_ready_node {
    struct orr_ready *queue;
    struct orr_task *task;
    int priority;     /* the task's */
    uint64_t arrival; /* the task's */
    struct orr_missing missing;
    uint64_t rank; /* of the treap: less than those below */
    struct orr_ready_node *left, *right, *parent;
    struct orr_ready_node *best;          /* of the subtree */
    struct orr_ready_node *older, *newer; /* by arrival */
    struct orr_ready_node *next;          /* of those touched, or unused */
    bool stale;                           /* in the chain of those touched */
};

/* A mixing function: arrivals become ranks without order. Steele, Lea, Flood,
 * Fast splittable pseudorandom number generators, OOPSLA 2014 (mix64). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static bool precedes(const struct orr_ready_node *a,
                     const struct orr_ready_node *b)
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
    return a->arrival < b->arrival;
}

static void summarise(struct orr_ready_node *node)
{
    struct orr_ready_node *best = node;

    if (node->left && is_better(node->left->best, best))
        best = node->left->best;
    if (node->right && is_better(node->right->best, best))
        best = node->right->best;
    node->best = best;
}

/*
 * @node has gained: it is the best of the subtrees at and above @top up to
 * the first that has a better one.
 */
static void propose(struct orr_ready_node *node, struct orr_ready_node *top)
{
    for (; top && (top->best == node || is_better(node, top->best));
         top = top->parent)
        top->best = node;
}

/* @node has lost or left: those that it was the best of look again. */
static void recall(const struct orr_ready_node *node,
                   struct orr_ready_node *top)
{
    for (; top && top->best == node; top = top->parent)
        summarise(top);
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

/* Makes @child, below @node, the parent of @node. Leaves best as it is. */
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
}

static void insert(struct orr_ready *queue, struct orr_ready_node *node)
{
    struct orr_ready_node **link = &queue->root;

    while (*link) {
        node->parent = *link;
        link = precedes(node, *link) ? &(*link)->left : &(*link)->right;
    }
    *link = node;
    while (node->parent && node->rank < node->parent->rank) {
        struct orr_ready_node *parent = node->parent;

        rotate(queue, parent, node);
        summarise(parent);
    }
    summarise(node);
    propose(node, node->parent);
}

static void withdraw(struct orr_ready *queue, struct orr_ready_node *node)
{
    struct orr_ready_node *child;

    while (node->left && node->right) {
        child = node->left->rank < node->right->rank ? node->left : node->right;
        rotate(queue, node, child);
        child->best = node; /* to be recalled */
    }
    child = node->left ? node->left : node->right;
    *link_to(queue, node) = child;
    if (child)
        child->parent = node->parent;
    recall(node, node->parent);
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
    while (queue->unused) {
        struct orr_ready_node *node = queue->unused;

        queue->unused = node->next;
        g_free(node);
    }
    queue->newest = queue->root = queue->stale = NULL;
}

static struct orr_ready_node *new_node(struct orr_ready *queue)
{
    struct orr_ready_node *node = queue->unused;

    if (!node)
        return g_new(struct orr_ready_node, 1);
    queue->unused = node->next;
    return node;
}

static void free_node(struct orr_ready *queue, struct orr_ready_node *node)
{
    node->next = queue->unused;
    queue->unused = node;
}

void orr_ready_push(struct orr_ready *queue, struct orr_sched *sched,
                    struct orr_task *task)
{
    struct orr_ready_node *node = new_node(queue);

    task->arrival = queue->arrivals++;
    task->note = node;
    *node = (struct orr_ready_node){
        .queue = queue,
        .task = task,
        .priority = task->priority,
        .arrival = task->arrival,
        .rank = mix(task->arrival + 1),
    };
    orr_sched_missing(sched, task, queue->node, &node->missing);
    chain(queue, node);
    insert(queue, node);
    orr_sched_watch(sched, task, queue->node);
}

void orr_ready_touch(struct orr_task *task)
{
    struct orr_ready_node *node = task->note;

    if (node->stale)
        return;
    node->stale = true;
    node->next = node->queue->stale;
    node->queue->stale = node;
}

static void refresh(struct orr_ready *queue, struct orr_sched *sched)
{
    while (queue->stale) {
        struct orr_ready_node *node = queue->stale;
        struct orr_ready_node before = {
            .missing = node->missing,
            .arrival = node->arrival,
        };

        queue->stale = node->next;
        node->stale = false;
        orr_sched_missing(sched, node->task, queue->node, &node->missing);
        if (is_better(node, &before))
            propose(node, node);
        else if (is_better(&before, node))
            recall(node, node);
    }
}

/* The best node among those of at least @priority. */
static struct orr_ready_node *best_of(const struct orr_ready *queue,
                                      int priority)
{
    struct orr_ready_node *node = queue->root;
    struct orr_ready_node *best = NULL;

    while (node) {
        if (node->priority < priority) {
            node = node->left;
            continue;
        }
        if (!best || is_better(node, best))
            best = node;
        if (node->left && is_better(node->left->best, best))
            best = node->left->best;
        node = node->right;
    }
    return best;
}

static int head_priority(const struct orr_ready *queue)
{
    const struct orr_ready_node *node = queue->root;

    if (!queue->sorted)
        return queue->oldest->priority;
    while (node->left)
        node = node->left;
    return node->priority;
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
    free_node(queue, node);
    task->note = NULL;
    return task;
}

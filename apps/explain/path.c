/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/path.h"

struct walk {
    const struct orr_observation *seen;
    GArray *steps;    /* struct orr_step, from the last to the first */
    uint32_t *before; /* by task: the task before it on its worker */
    int64_t
        date; /* date that the walk has reached; the steps so far begin here */
};

/* Adds a step that begins at @from; does nothing if the walk is before @from.
 */
static void step(struct walk *walk, enum orr_step_kind kind, uint32_t index,
                 int64_t from)
{
    struct orr_step one = {kind, index, MAX(from, 0), walk->date};

    if (one.from >= one.to)
        return;
    g_array_append_val(walk->steps, one);
    walk->date = one.from;
}

static uint32_t *find_before(const struct orr_observation *seen)
{
    uint32_t *before = g_new(uint32_t, seen->tasks->len + (size_t)1);
    g_autoptr(GArray) last = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (uint32_t i = 0; i < seen->tasks->len; i++) {
        uint32_t worker = orr_seen_task(seen, i)->worker;
        uint32_t none = ORR_SEEN_NONE;

        while (last->len <= worker)
            g_array_append_val(last, none);
        before[i] = g_array_index(last, uint32_t, worker);
        g_array_index(last, uint32_t, worker) = i;
    }
    return before;
}

/* Returns the last task on the worker of @task that had ended by the date of
 * the walk. */
static uint32_t ended_before(const struct walk *walk, uint32_t task)
{
    uint32_t index = walk->before[task];

    while (index != ORR_SEEN_NONE &&
           orr_seen_task(walk->seen, index)->to > walk->date)
        index = walk->before[index];
    return index;
}

/* Adds steps for the copies for which a task waited, back to the date at which
 * it was ready. */
static void pass_copies(struct walk *walk, uint32_t task)
{
    const struct orr_seen_task *waits = orr_seen_task(walk->seen, task);

    for (uint32_t i = waits->copy; i != ORR_SEEN_NONE;) {
        const struct orr_seen_copy *copy = orr_seen_copy(walk->seen, i);

        step(walk, ORR_STEP_DRIVER, task, MAX(copy->ended, waits->ready));
        step(walk, ORR_STEP_COPY, i, MAX(copy->started, waits->ready));
        if (copy->previous == ORR_SEEN_NONE)
            step(walk, ORR_STEP_QUEUE, i, MAX(copy->submitted, waits->ready));
        i = copy->previous;
    }
}

/* Adds steps for @task and its waits; returns the task before it on the path.
 */
static uint32_t pass(struct walk *walk, uint32_t task)
{
    const struct orr_seen_task *one = orr_seen_task(walk->seen, task);
    uint32_t same = walk->before[task];
    int64_t there = one->copy == ORR_SEEN_NONE ? one->ready : one->arrived;
    uint32_t next;

    step(walk, ORR_STEP_TASK, task, one->from);
    if (same == ORR_SEEN_NONE || orr_seen_task(walk->seen, same)->to < there) {
        pass_copies(walk, task);
        same = ended_before(walk, task);
    }
    next = same;
    if (same == ORR_SEEN_NONE ||
        orr_seen_task(walk->seen, same)->ended < one->ready)
        next = one->parent;
    if (next == ORR_SEEN_NONE)
        step(walk, ORR_STEP_DRIVER, task, 0);
    else
        step(walk, ORR_STEP_DRIVER, task, orr_seen_task(walk->seen, next)->to);
    return next;
}

static void reverse(GArray *steps)
{
    for (guint low = 0, high = steps->len; low + 1 < high; low++) {
        struct orr_step *left = &g_array_index(steps, struct orr_step, low);
        struct orr_step *right = &g_array_index(steps, struct orr_step, --high);
        struct orr_step swapped = *left;

        *left = *right;
        *right = swapped;
    }
}

/* Returns the task whose kernel ended last. */
static uint32_t find_last(const struct orr_observation *seen)
{
    uint32_t last = ORR_SEEN_NONE;

    for (uint32_t i = 0; i < seen->tasks->len; i++)
        if (last == ORR_SEEN_NONE ||
            orr_seen_task(seen, i)->ended > orr_seen_task(seen, last)->ended)
            last = i;
    return last;
}

GArray *orr_path_find(const struct orr_observation *seen, int64_t end)
{
    struct walk walk = {
        .seen = seen,
        .steps = g_array_new(FALSE, FALSE, sizeof(struct orr_step)),
        .before = find_before(seen),
        .date = end,
    };
    uint32_t task = find_last(seen);

    if (task != ORR_SEEN_NONE)
        step(&walk, ORR_STEP_DRIVER, ORR_SEEN_NONE,
             orr_seen_task(seen, task)->to);
    while (task != ORR_SEEN_NONE)
        task = pass(&walk, task);
    step(&walk, ORR_STEP_DRIVER, ORR_SEEN_NONE, 0);
    g_free(walk.before);
    reverse(walk.steps);
    return walk.steps;
}

/* Returns the index of the kernel or the route of a step. */
static uint32_t place_of(const struct orr_observation *seen,
                         const struct orr_step *step)
{
    if (step->kind == ORR_STEP_TASK)
        return orr_seen_task(seen, step->index)->kernel;
    if (step->kind == ORR_STEP_DRIVER)
        return ORR_SEEN_NONE;
    return orr_seen_copy(seen, step->index)->route;
}

/* Returns the part of @kind and @index, which it adds if there is none. */
static struct orr_path_part *find_part(GArray *parts, enum orr_step_kind kind,
                                       uint32_t index)
{
    struct orr_path_part new = {.kind = kind, .index = index};

    for (guint i = 0; i < parts->len; i++) {
        struct orr_path_part *part =
            &g_array_index(parts, struct orr_path_part, i);

        if (part->kind == kind && part->index == index)
            return part;
    }
    g_array_append_val(parts, new);
    return &g_array_index(parts, struct orr_path_part, parts->len - 1);
}

static int by_length(gconstpointer a, gconstpointer b)
{
    const struct orr_path_part *left = a, *right = b;

    return (left->ns < right->ns) - (left->ns > right->ns);
}

GArray *orr_path_sum(const struct orr_observation *seen, const GArray *steps)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct orr_path_part));

    for (guint i = 0; i < steps->len; i++) {
        const struct orr_step *step = &g_array_index(steps, struct orr_step, i);
        struct orr_path_part *part =
            find_part(parts, step->kind, place_of(seen, step));

        part->steps++;
        part->ns += step->to - step->from;
    }
    g_array_sort(parts, by_length);
    return parts;
}

const char *orr_step_name(enum orr_step_kind kind)
{
    static const char *const names[ORR_STEP_KINDS] = {"task", "copy", "queue",
                                                      "driver"};

    return names[kind];
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records tasks and copies of a run for its explanation, with indices instead
 * of names. Names of kernels, routes and links are stored once. The last copy
 * of each datum to each memory node is kept, so that a task finds the copy that
 * it waited for, and a copy through the host its first half.
 */
#include "apps/explain/observation.h"

#include <string.h>

#include "runtime/orrery.h"

/* Returns element @at of an array of uint32_t, which grows if needed; new
 * elements are @unset. */
static uint32_t *element(GArray *array, size_t at, uint32_t unset)
{
    while (array->len <= at)
        g_array_append_val(array, unset);
    return &g_array_index(array, uint32_t, at);
}

/* The index of the last copy of a datum to a memory node. */
static uint32_t *last_copy(struct orr_observation *seen, uint64_t datum,
                           unsigned node)
{
    return element(seen->last, datum * ORR_MAX_NODES + node, ORR_SEEN_NONE);
}

/* Writes the digits of @number to @at, and returns their end. */
static char *put_number(char *at, unsigned number)
{
    char digits[10];
    unsigned count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

/* "gemm(3,2,1)" */
static uint32_t add_name(struct orr_observation *seen,
                         const struct orr_trace_task *task)
{
    uint32_t offset = (uint32_t)seen->names->len;
    char rest[ORR_MAX_COORDINATES * 11 + 2]; /* digits, a mark; ")" and 0 */
    char *at = rest;

    for (unsigned i = 0; i < task->coordinate_count; i++) {
        *at++ = i == 0 ? '(' : ',';
        at = put_number(at, task->coordinates[i]);
    }
    if (task->coordinate_count > 0)
        *at++ = ')';
    *at++ = '\0';
    g_string_append(seen->names, task->name);
    g_string_append_len(seen->names, rest, at - rest);
    return offset;
}

/* Returns the predecessor of @task that ended last. */
static uint32_t find_parent(const struct orr_observation *seen,
                            const struct orr_trace_task *task)
{
    uint32_t parent = ORR_SEEN_NONE;

    for (unsigned i = 0; i < task->parent_count; i++) {
        uint32_t index;

        if (task->parents[i] >= seen->indices->len)
            continue;
        index = g_array_index(seen->indices, uint32_t, task->parents[i]);
        if (index != ORR_SEEN_NONE &&
            (parent == ORR_SEEN_NONE || index > parent))
            parent = index; /* in order of their ends */
    }
    if (parent != ORR_SEEN_NONE &&
        orr_seen_task(seen, parent)->ended <= task->submitted)
        return ORR_SEEN_NONE;
    return parent;
}

/* Returns the copy for @task that ended last. */
static uint32_t find_copy(struct orr_observation *seen,
                          const struct orr_trace_task *task)
{
    uint32_t latest = ORR_SEEN_NONE;

    for (unsigned i = 0; i < task->datum_count; i++) {
        uint32_t index =
            *last_copy(seen, task->accesses[i].datum.number, task->memory_node);
        const struct orr_seen_copy *copy;

        if (index == ORR_SEEN_NONE)
            continue;
        copy = orr_seen_copy(seen, index);
        if (copy->ended > task->taken && copy->ended <= task->arrived &&
            (latest == ORR_SEEN_NONE || index > latest))
            latest = index;
    }
    return latest;
}

/* After a write, older evictions of the datum do not count any more. */
static void record_writes(struct orr_observation *seen,
                          const struct orr_trace_task *task)
{
    for (unsigned i = 0; i < task->datum_count; i++)
        if (task->accesses[i].mode != ORR_R)
            *element(seen->gone, task->accesses[i].datum.number, 0) = 0;
}

/* The index of the kernel of @task by its name. Counts the task. */
static uint32_t find_kernel(struct orr_observation *seen,
                            const struct orr_trace_task *task)
{
    uint32_t *kernel =
        element(seen->numbered, task->kernel_number, ORR_SEEN_NONE);

    (*element(seen->counts, task->kernel_number, 0))++;
    if (*kernel == ORR_SEEN_NONE)
        *kernel = orr_name_index_add(&seen->kernels, task->kernel);
    return *kernel;
}

static void add_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct orr_observation *seen = (struct orr_observation *)trace;
    struct orr_seen_task one = {
        .order = (uint32_t)task->order,
        .implementation = task->implementation,
        .worker = task->worker,
        .kernel = find_kernel(seen, task),
        .name = seen->brief ? 0 : add_name(seen, task),
        .nodes = (uint32_t)task->memory_nodes,
        .parent = find_parent(seen, task),
        .copy = find_copy(seen, task),
        .ready = task->ready,
        .taken = task->taken,
        .arrived = task->arrived,
        .from = task->kernel_started,
        .to = task->kernel_ended,
        .ended = task->ended,
    };

    *element(seen->indices, task->order, ORR_SEEN_NONE) = seen->tasks->len;
    record_writes(seen, task);
    g_array_append_val(seen->tasks, one);
}

/* Whether @copy, between the same memory nodes, crosses the links of @route. */
static bool has_links(const struct orr_observation *seen,
                      const struct orr_seen_route *route,
                      const struct orr_trace_copy *copy)
{
    if (route->links->len != copy->link_count)
        return false;
    for (unsigned i = 0; i < copy->link_count; i++) {
        uint32_t link = g_array_index(route->links, uint32_t, i);

        if (strcmp(orr_name_index_at(&seen->links, link), copy->links[i]) != 0)
            return false;
    }
    return true;
}

static void add_route(struct orr_observation *seen,
                      const struct orr_trace_copy *copy, uint32_t next)
{
    struct orr_seen_route route = {
        .name = g_strdup_printf("%s-%s", copy->from, copy->to),
        .links = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .next = next,
    };

    for (unsigned i = 0; i < copy->link_count; i++) {
        uint32_t link = orr_name_index_add(&seen->links, copy->links[i]);

        g_array_append_val(route.links, link);
    }
    g_array_append_val(seen->routes, route);
}

/* Returns the index of the route of @copy; a pair of nodes may have several
 * routes. */
static uint32_t find_route(struct orr_observation *seen,
                           const struct orr_trace_copy *copy)
{
    uint32_t *first = element(
        seen->first, (size_t)copy->from_node * ORR_MAX_NODES + copy->to_node,
        ORR_SEEN_NONE);
    uint32_t index = *first;

    while (index != ORR_SEEN_NONE) {
        const struct orr_seen_route *route =
            &g_array_index(seen->routes, struct orr_seen_route, index);

        if (has_links(seen, route, copy))
            return index;
        index = route->next;
    }
    add_route(seen, copy, *first);
    return *first = seen->routes->len - 1;
}

/* A copy between two GPUs may go through the host, as two copies. Returns the
 * index of the first one if @copy is the second, else ORR_SEEN_NONE. */
static uint32_t find_previous(struct orr_observation *seen,
                              const struct orr_trace_copy *copy)
{
    uint32_t index = *last_copy(seen, copy->data, copy->from_node);

    return index != ORR_SEEN_NONE &&
                   orr_seen_copy(seen, index)->ended > copy->submitted &&
                   orr_seen_copy(seen, index)->ended <= copy->started
               ? index
               : ORR_SEEN_NONE;
}

static void add_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct orr_observation *seen = (struct orr_observation *)trace;
    uint32_t *gone = element(seen->gone, copy->data, 0);
    uint32_t node = UINT32_C(1) << copy->to_node;
    struct orr_seen_copy one = {
        .from = (uint8_t)copy->from_node,
        .to = (uint8_t)copy->to_node,
        .evicts = strcmp(copy->why, "evict") == 0,
        .again = *gone & node,
        .route = find_route(seen, copy),
        .previous = find_previous(seen, copy),
        .datum = (uint32_t)copy->data,
        .bytes = copy->bytes,
        .submitted = copy->submitted,
        .started = copy->started,
        .ended = copy->ended,
        .alone = copy->alone,
    };

    *gone &= ~node;
    *last_copy(seen, copy->data, copy->to_node) = seen->copies->len;
    g_array_append_val(seen->copies, one);
}

static void add_eviction(struct orr_trace *trace,
                         const struct orr_trace_eviction *eviction)
{
    struct orr_observation *seen = (struct orr_observation *)trace;

    if (!eviction->makes_room)
        return;
    seen->evictions[eviction->memory_node]++;
    *element(seen->gone, eviction->datum.number, 0) |= UINT32_C(1)
                                                       << eviction->memory_node;
}

static void clear_route(gpointer data)
{
    struct orr_seen_route *route = data;

    g_free(route->name);
    g_array_unref(route->links);
}

void orr_observation_init(struct orr_observation *seen, bool brief)
{
    *seen = (struct orr_observation){
        .trace = {ORR_TRACE_INIT, .task = add_task, .copy = add_copy,
                  .eviction = add_eviction,
                  .wants = brief ? 0 : ORR_TRACE_PARENTS},
        .brief = brief,
        .tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_seen_task)),
        .copies = g_array_new(FALSE, FALSE, sizeof(struct orr_seen_copy)),
        .indices = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .counts = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .numbered = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .routes = g_array_new(FALSE, FALSE, sizeof(struct orr_seen_route)),
        .names = g_string_new(NULL),
        .last = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .gone = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .first = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
    };
    orr_name_index_init(&seen->kernels);
    orr_name_index_init(&seen->links);
    g_array_set_clear_func(seen->routes, clear_route);
}

void orr_observation_clear(struct orr_observation *seen)
{
    g_array_unref(seen->first);
    g_array_unref(seen->gone);
    g_array_unref(seen->last);
    orr_name_index_clear(&seen->links);
    orr_name_index_clear(&seen->kernels);
    g_string_free(seen->names, TRUE);
    g_array_unref(seen->routes);
    g_array_unref(seen->numbered);
    g_array_unref(seen->counts);
    g_array_unref(seen->indices);
    g_array_unref(seen->copies);
    g_array_unref(seen->tasks);
}

const char *orr_seen_name(const struct orr_observation *seen,
                          const struct orr_seen_task *task)
{
    return seen->names->str + task->name;
}

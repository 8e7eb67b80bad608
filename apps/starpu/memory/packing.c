/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/memory/packing.h"

#include <glib.h>

#include <stdbool.h>

struct package {
    GArray *tasks;  /* unsigned */
    GArray *data;   /* unsigned, ascending: data of all tasks */
    uint64_t bytes; /* of the data */
    unsigned split; /* tasks before the place of the last merge */
    bool merged;    /* in this round, so that it is left alone */
};

struct packing {
    struct starpu_task **tasks;
    uint64_t memory;
    unsigned parts;
    GHashTable *numbers; /* of data, by handle */
    GArray *sizes;       /* uint64_t, by number of datum */
    GPtrArray *packages;
    GArray *alone; /* unsigned: tasks that share no data with others */
    bool unlimited;
};

/* Which tasks of a package, from one of its ends. */
enum end { ALL, FIRST, LAST };

static unsigned at(const GArray *array, unsigned i)
{
    return g_array_index(array, unsigned, i);
}

/* ---- data ---- */

static unsigned number_of(struct packing *packing, starpu_data_handle_t handle)
{
    void *found = g_hash_table_lookup(packing->numbers, handle);
    if (!found) {
        uint64_t size = starpu_data_get_size(handle);
        g_array_append_val(packing->sizes, size);
        found = GUINT_TO_POINTER(packing->sizes->len);
        g_hash_table_insert(packing->numbers, handle, found);
    }
    return GPOINTER_TO_UINT(found) - 1;
}

static uint64_t size_of(const struct packing *packing, unsigned datum)
{
    return g_array_index(packing->sizes, uint64_t, datum);
}

static bool contains(const GArray *data, unsigned datum)
{
    for (unsigned i = 0; i < data->len; i++)
        if (at(data, i) == datum)
            return true;
    return false;
}

static int compare_numbers(const void *left, const void *right)
{
    unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
    return (a > b) - (a < b);
}

/* The bytes that two packages have in common. */
static uint64_t common_bytes(const struct packing *packing,
                             const struct package *left,
                             const struct package *right)
{
    uint64_t bytes = 0;
    unsigned i = 0, j = 0;
    while (i < left->data->len && j < right->data->len) {
        unsigned a = at(left->data, i), b = at(right->data, j);
        if (a == b)
            bytes += size_of(packing, a);
        i += a <= b;
        j += b <= a;
    }
    return bytes;
}

/* ---- packages ---- */

static void free_package(void *data)
{
    struct package *package = data;
    g_array_unref(package->tasks);
    g_array_unref(package->data);
    g_free(package);
}

static struct package *new_package(struct packing *packing, unsigned task)
{
    struct package *package = g_new0(struct package, 1);
    struct starpu_task *of = packing->tasks[task];
    package->tasks = g_array_new(FALSE, FALSE, sizeof(unsigned));
    package->data = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_array_append_val(package->tasks, task);
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(of); i++) {
        unsigned datum = number_of(packing, STARPU_TASK_GET_HANDLE(of, i));
        package->bytes += size_of(packing, datum);
        if (!contains(package->data, datum))
            g_array_append_val(package->data, datum);
    }
    g_array_sort(package->data, compare_numbers);
    /* As in StarPU, which predicts how long the package takes. */
    starpu_task_expected_length(of, starpu_worker_get_perf_archtype(0, 0), 0);
    return package;
}

static void reverse(struct package *package)
{
    unsigned *tasks = (unsigned *)(void *)package->tasks->data;
    for (unsigned i = 0, j = package->tasks->len - 1; i < j; i++, j--) {
        unsigned task = tasks[i];
        tasks[i] = tasks[j];
        tasks[j] = task;
    }
}

/* ---- ends of packages ---- */

/* Adds the data of a task that are not in @data, unless these have then more
 * than @limit bytes. */
static bool add_data(struct packing *packing, GArray *data, unsigned task,
                     uint64_t *bytes, uint64_t limit)
{
    struct starpu_task *of = packing->tasks[task];
    unsigned before = data->len;
    uint64_t sum = *bytes;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(of); i++) {
        unsigned datum = number_of(packing, STARPU_TASK_GET_HANDLE(of, i));
        if (contains(data, datum))
            continue;
        sum += size_of(packing, datum);
        g_array_append_val(data, datum);
    }
    if (before > 0 && sum > limit) {
        g_array_set_size(data, before);
        return false;
    }
    *bytes = sum;
    return true;
}

/* Data at an end of @package: of the tasks before, or after, its last merge; or
 * if it does not fit the memory, of as many tasks as do. */
static GArray *data_at(struct packing *packing, const struct package *package,
                       enum end end, bool by_split)
{
    GArray *data = g_array_new(FALSE, FALSE, sizeof(unsigned));
    unsigned count = package->tasks->len, most = count;
    uint64_t bytes = 0, limit = by_split ? UINT64_MAX : packing->memory;
    if (end == ALL) {
        g_array_append_vals(data, package->data->data, package->data->len);
        return data;
    }
    if (by_split)
        most = end == FIRST ? package->split : count - package->split;
    for (unsigned i = 0; i < most; i++)
        if (!add_data(packing, data,
                      at(package->tasks, end == FIRST ? i : count - 1 - i),
                      &bytes, limit))
            break;
    return data;
}

/* How many data two ends have in common. */
static unsigned common_at(struct packing *packing, const struct package *left,
                          enum end left_end, const struct package *right,
                          enum end right_end, bool by_split)
{
    GArray *a = data_at(packing, left, left_end, by_split);
    GArray *b = data_at(packing, right, right_end, by_split);
    unsigned common = 0;
    for (unsigned i = 0; i < a->len; i++)
        common += contains(b, at(a, i));
    g_array_unref(a);
    g_array_unref(b);
    return common;
}

/* Both packages fit the memory, or neither does. */
static void join_best_ends(struct packing *packing, struct package *left,
                           struct package *right, bool fit)
{
    unsigned common[2][2], most;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++)
            common[i][j] = common_at(packing, left, i ? LAST : FIRST, right,
                                     j ? LAST : FIRST, fit);
    most =
        MAX(MAX(common[0][0], common[0][1]), MAX(common[1][0], common[1][1]));
    if (most == common[0][1]) {
        reverse(left);
        reverse(right);
    } else if (most == common[1][1]) {
        reverse(right);
    } else if (most == common[0][0]) {
        reverse(left);
    }
}

/* Turns the packages so that the ends that meet have most in common. */
static void turn(struct packing *packing, struct package *left,
                 struct package *right)
{
    bool left_fits = left->bytes <= packing->memory;
    bool right_fits = right->bytes <= packing->memory;
    if (left->tasks->len == 1 || right->tasks->len == 1)
        return;
    if (left_fits == right_fits)
        join_best_ends(packing, left, right, left_fits);
    else if (right_fits &&
             common_at(packing, left, FIRST, right, ALL, false) >
                 common_at(packing, left, LAST, right, ALL, false))
        reverse(left);
    else if (left_fits &&
             common_at(packing, left, ALL, right, LAST, false) >
                 common_at(packing, left, ALL, right, FIRST, false))
        reverse(right);
}

/* @right stays, without tasks, until the end of the round. */
static void merge(struct packing *packing, struct package *left,
                  struct package *right, uint64_t common)
{
    turn(packing, left, right);
    left->split = left->tasks->len;
    left->bytes += right->bytes - common;
    g_array_append_vals(left->tasks, right->tasks->data, right->tasks->len);
    for (unsigned i = 0; i < right->data->len; i++) {
        unsigned datum = at(right->data, i);
        if (!contains(left->data, datum))
            g_array_append_val(left->data, datum);
    }
    g_array_sort(left->data, compare_numbers);
    g_array_set_size(right->tasks, 0);
    left->merged = right->merged = true;
}

/* ---- rounds ---- */

static struct package *package_at(const struct packing *packing, unsigned i)
{
    return g_ptr_array_index(packing->packages, i);
}

static unsigned fewest_tasks(const struct packing *packing)
{
    unsigned fewest = UINT_MAX;
    for (unsigned i = 0; i < packing->packages->len; i++)
        fewest = MIN(fewest, package_at(packing, i)->tasks->len);
    return fewest;
}

/* The most bytes that a package of @fewest tasks shares with another one. */
static uint64_t most_in_common(const struct packing *packing, unsigned fewest)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < packing->packages->len; i++) {
        const struct package *left = package_at(packing, i);
        if (left->tasks->len != fewest)
            continue;
        for (unsigned j = 0; j < packing->packages->len; j++) {
            const struct package *right = package_at(packing, j);
            uint64_t common = i == j ? 0 : common_bytes(packing, left, right);
            if (common > most &&
                (packing->unlimited ||
                 left->bytes + right->bytes - common <= packing->memory))
                most = common;
        }
    }
    return most;
}

/* Packages without tasks are gone. */
static void sweep(struct packing *packing)
{
    for (unsigned i = packing->packages->len; i-- > 0;) {
        package_at(packing, i)->merged = false;
        if (package_at(packing, i)->tasks->len == 0)
            g_ptr_array_remove_index(packing->packages, i);
    }
}

/* The first package that has @most bytes in common with package @i. */
static struct package *partner(const struct packing *packing, unsigned i,
                               uint64_t most)
{
    const struct package *left = package_at(packing, i);
    for (unsigned j = 0; j < packing->packages->len; j++) {
        struct package *right = package_at(packing, j);
        if (i != j && !right->merged &&
            common_bytes(packing, left, right) == most)
            return right;
    }
    return NULL;
}

static void merge_pairs(struct packing *packing, unsigned fewest, uint64_t most)
{
    unsigned left = packing->packages->len;
    for (unsigned i = 0; i < packing->packages->len; i++) {
        struct package *package = package_at(packing, i);
        struct package *other = package->merged || package->tasks->len != fewest
                                    ? NULL
                                    : partner(packing, i, most);
        if (!other)
            continue;
        merge(packing, package, other, most);
        if (--left == packing->parts)
            break;
    }
    sweep(packing);
}

/* The smallest packages share nothing: their tasks go last. Returns whether
 * enough packages are left. */
static bool set_aside(struct packing *packing, unsigned fewest)
{
    unsigned left = packing->packages->len;
    for (unsigned i = 0; i < packing->packages->len; i++) {
        struct package *package = package_at(packing, i);
        if (package->tasks->len != fewest)
            continue;
        g_array_append_vals(packing->alone, package->tasks->data, fewest);
        g_array_set_size(package->tasks, 0);
        left--;
    }
    if (left < packing->parts)
        return false;
    sweep(packing);
    return true;
}

/* Returns whether another round follows. */
static bool play_round(struct packing *packing)
{
    unsigned fewest = fewest_tasks(packing);
    uint64_t most = most_in_common(packing, fewest);
    if (most == 0 && packing->unlimited)
        return set_aside(packing, fewest);
    if (most == 0) {
        packing->unlimited = true;
        return true;
    }
    merge_pairs(packing, fewest, most);
    return packing->packages->len != packing->parts &&
           packing->packages->len != 1;
}

static void write_order(const struct packing *packing, unsigned *order,
                        unsigned *ends)
{
    struct package *first = package_at(packing, 0);
    unsigned n = 0;
    g_array_append_vals(first->tasks, packing->alone->data,
                        packing->alone->len);
    for (unsigned p = 0; p < packing->packages->len; p++) {
        const GArray *tasks = package_at(packing, p)->tasks;
        for (unsigned i = 0; i < tasks->len; i++)
            order[n++] = at(tasks, i);
        if (p < packing->parts)
            ends[p] = n;
    }
}

void sp_pack(struct starpu_task **tasks, unsigned count, uint64_t memory,
             unsigned parts, unsigned *order, unsigned *ends)
{
    struct packing packing = {.tasks = tasks, .memory = memory, .parts = parts};
    packing.numbers = g_hash_table_new(NULL, NULL);
    packing.sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    packing.packages = g_ptr_array_new_with_free_func(free_package);
    packing.alone = g_array_new(FALSE, FALSE, sizeof(unsigned));
    /* The task that became ready first is the first package. */
    for (unsigned i = 0; i < count; i++)
        g_ptr_array_insert(packing.packages, 0, new_package(&packing, i));
    while (play_round(&packing))
        ;
    write_order(&packing, order, ends);
    g_ptr_array_unref(packing.packages);
    g_array_unref(packing.alone);
    g_array_unref(packing.sizes);
    g_hash_table_unref(packing.numbers);
}

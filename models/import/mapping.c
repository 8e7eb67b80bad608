/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/mapping.h"

#include <stdlib.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

void orr_mapping_free(struct orr_mapping *mapping)
{
    if (!mapping)
        return;
    if (mapping->rows)
        g_hash_table_unref(mapping->rows);
    if (mapping->texts)
        g_string_chunk_free(mapping->texts);
    g_free(mapping->order);
    g_free(mapping->first);
    g_free(mapping->tasks);
    g_free(mapping->path);
    g_free(mapping);
}

struct orr_mapping *orr_mapping_new(const char *name)
{
    struct orr_mapping *mapping = g_new0(struct orr_mapping, 1);

    mapping->path = g_strdup(name);
    mapping->texts = g_string_chunk_new(4096);
    return mapping;
}

void orr_mapping_add(struct orr_mapping *mapping,
                     const struct orr_mapping_task *task)
{
    unsigned count = mapping->count;

    if ((count & (count - 1)) == 0) /* the array is full */
        mapping->tasks = g_renew(struct orr_mapping_task, mapping->tasks,
                                 MAX((size_t)count * 2, 1));
    mapping->tasks[count] = (struct orr_mapping_task){
        .number = task->number,
        .name = g_string_chunk_insert_const(mapping->texts, task->name),
        .worker = g_string_chunk_insert_const(mapping->texts, task->worker),
        .start = task->start,
        .implementation = task->implementation,
    };
    mapping->count++;
}

/* The worker that the file calls @text; @count: there is none. */
static unsigned find_worker(const char *const *names, unsigned count,
                            const char *text)
{
    uint64_t number;

    for (unsigned w = 0; w < count; w++) {
        if (strcmp(names[w], text) == 0)
            return w;
    }
    if (orr_parse_count(text, 0, G_MAXUINT, &number, NULL))
        return (unsigned)MIN(number, count);
    return count;
}

char *orr_mapping_where(const struct orr_mapping *mapping,
                        const struct orr_mapping_task *task)
{
    return task->line > 0 ? g_strdup_printf("%s:%u", mapping->path, task->line)
                          : g_strdup(mapping->path);
}

static bool fail_worker(const struct orr_mapping *mapping,
                        const struct orr_mapping_task *task,
                        const char *const *names, unsigned count,
                        GError **error)
{
    g_autofree char *quoted = orr_quote(task->worker);
    g_autofree char *where = orr_mapping_where(mapping, task);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: there is no worker %s; there are %u, from 0 (%s) to %u "
                "(%s)",
                where, quoted, count, names[0], count - 1, names[count - 1]);
    return false;
}

struct key {
    orr_time start;
    unsigned task;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *left = a;
    const struct key *right = b;

    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return (left->task > right->task) - (left->task < right->task);
}

/* Sorts the tasks by worker and date into mapping->order. The tasks of worker w
 * begin at mapping->first[w]. */
static void sort(struct orr_mapping *mapping, const unsigned *workers,
                 unsigned count)
{
    struct key *keys = g_new(struct key, mapping->count);
    unsigned *next = g_new0(unsigned, count + (size_t)2);

    g_free(mapping->first);
    g_free(mapping->order);
    for (unsigned i = 0; i < mapping->count; i++) {
        keys[i] = (struct key){mapping->tasks[i].start, i};
        next[workers[i] + 1]++;
    }
    if (mapping->count > 0)
        qsort(keys, mapping->count, sizeof *keys, compare_keys);
    for (unsigned w = 1; w <= count; w++)
        next[w] += next[w - 1];
    mapping->first =
        g_memdup2(next, (count + (size_t)1) * sizeof *mapping->first);
    mapping->order = g_new(unsigned, mapping->count);
    for (unsigned i = 0; i < mapping->count; i++) {
        unsigned task = keys[i].task;

        mapping->tasks[task].submitted = false;
        mapping->tasks[task].place = next[workers[task]]++;
        mapping->order[mapping->tasks[task].place] = task;
    }
    g_free(keys);
    g_free(next);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct orr_mapping_task *left = a;
    const struct orr_mapping_task *right = b;

    return (left->number > right->number) - (left->number < right->number);
}

bool orr_mapping_resolve(struct orr_mapping *mapping, const char *const *names,
                         unsigned count, GError **error)
{
    unsigned *workers = g_new(unsigned, mapping->count);
    const char *last = NULL; /* neighbours often have the same worker */
    unsigned worker = count;

    g_assert(count > 0);
    if (!mapping->rows && mapping->count > 0)
        qsort(mapping->tasks, mapping->count, sizeof *mapping->tasks,
              compare_numbers);
    for (unsigned i = 0; i < mapping->count; i++) {
        const struct orr_mapping_task *task = &mapping->tasks[i];

        if (!last || task->worker != last)
            worker = find_worker(names, count, task->worker);
        if (worker == count) {
            g_free(workers);
            return fail_worker(mapping, task, names, count, error);
        }
        workers[i] = worker;
        last = task->worker;
    }
    sort(mapping, workers, count);
    g_free(workers);
    return true;
}

unsigned orr_mapping_find(const struct orr_mapping *mapping, uint64_t number,
                          const char *name)
{
    unsigned low = 0;
    unsigned high = mapping->count;

    if (mapping->rows) {
        gpointer row = g_hash_table_lookup(mapping->rows, name);
        char digits[24];

        g_snprintf(digits, sizeof digits, "%" G_GUINT64_FORMAT, number);
        if (!row)
            row = g_hash_table_lookup(mapping->rows, digits);
        return GPOINTER_TO_UINT(row) - 1; /* NULL: ORR_MAPPING_NONE */
    }
    if (number < mapping->count && mapping->tasks[number].number == number)
        return (unsigned)number;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (mapping->tasks[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < mapping->count && mapping->tasks[low].number == number
               ? low
               : ORR_MAPPING_NONE;
}

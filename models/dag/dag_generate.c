/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random layered graphs (dag_generate.h), in four steps: draws the sizes of
 * levels; shares the dependencies of each level among its tasks; draws the
 * parents of each task, without repetition; scales the sizes of data to meet
 * ccr.
 */
#include "models/dag/dag_generate.h"

#include <math.h>
#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_builder.h"
#include "models/rng.h"

#define MIN_ELEMENTS 11264.0
#define MAX_ELEMENTS 4194304.0
#define ELEMENT 8.0    /* bytes */
#define MIN_FLOPS 64.0 /* for each element */
#define MAX_FLOPS 512.0
/* Bytes of memory that a task and a dependency take, at most, until they are
 * written. */
#define TASK_BYTES 400.0
#define DEPENDENCY_BYTES 60.0
#define TRIES 16 /* draws of a parent that is not one yet */

struct generate {
    const struct orr_dag_generate_settings *settings;
    struct orr_dag_builder *builder;
    uint64_t draws;
    GArray *levels;    /* uint32_t: the first task of each level, and the end */
    uint32_t *parents; /* by task: their number */
    uint32_t *children; /* by task: their number */
    uint32_t *marks;    /* by task: its last child, + 1 */
    double *elements;   /* by task */
    double flops;       /* of all tasks */
    double missing;     /* dependencies that earlier levels still lack */
};

static double draw(struct generate *generate, double min, double max)
{
    return min + (max - min) * orr_rng_uniform(generate->settings->seed, 0,
                                               generate->draws++);
}

/* A whole number below @count. */
static uint32_t draw_number(struct generate *generate, uint32_t count)
{
    return MIN((uint32_t)draw(generate, 0, count), count - 1);
}

static uint32_t level_begin(const struct generate *generate, guint level)
{
    return g_array_index(generate->levels, uint32_t, level);
}

static uint32_t level_size(const struct generate *generate, guint level)
{
    return level_begin(generate, level + 1) - level_begin(generate, level);
}

static void make_levels(struct generate *generate)
{
    const struct orr_dag_generate_settings *settings = generate->settings;
    uint32_t tasks = (uint32_t)settings->tasks;
    double average = pow(tasks, settings->fat);
    uint32_t begin = 0;

    while (begin < tasks) {
        double size = round(average * draw(generate, settings->regularity,
                                           2 - settings->regularity));

        g_array_append_val(generate->levels, begin);
        begin += (uint32_t)CLAMP(size, 1, tasks - begin);
    }
    g_array_append_val(generate->levels, begin);
}

static void make_room(struct generate *generate)
{
    size_t tasks = generate->settings->tasks + 1;

    generate->parents = g_new0(uint32_t, tasks);
    generate->children = g_new0(uint32_t, tasks);
    generate->marks = g_new0(uint32_t, tasks);
    generate->elements = g_new0(double, tasks);
}

static bool make_tasks(struct generate *generate, GError **error)
{
    for (uint32_t i = 0; i < generate->settings->tasks; i++) {
        char name[24];
        int length = g_snprintf(name, sizeof name, "task_%u", i + 1);
        uint32_t number =
            orr_dag_define(generate->builder, name, (size_t)length, error);
        struct orr_dag_task *task;

        if (number == ORR_DAG_NONE)
            return false;
        task = orr_dag_task_of(generate->builder, number);
        task->kernel = orr_dag_kernel_of(generate->builder, "task", 4);
        generate->elements[i] =
            floor(draw(generate, MIN_ELEMENTS, MAX_ELEMENTS + 1));
        task->flops =
            floor(generate->elements[i] * draw(generate, MIN_FLOPS, MAX_FLOPS));
        generate->flops += task->flops;
    }
    return true;
}

/* The number of dependencies of all tasks of @level: by the density, and a
 * correction for earlier levels that have too few or too many. */
static double count_parents(struct generate *generate, guint level)
{
    double size = level_size(generate, level);
    double most = level_size(generate, level - 1);
    double wanted =
        generate->settings->density * size * most + generate->missing;
    double count = CLAMP(round(wanted), size, size * most);

    generate->missing = wanted - count;
    return count;
}

/* Whether there is memory for the graph. */
static bool check_memory(struct generate *generate, GError **error)
{
    double count = 0;
    double bytes;
    g_autofree char *needed = NULL;
    g_autofree char *limit = NULL;

    for (guint level = 1; level + 1 < generate->levels->len; level++)
        count += count_parents(generate, level);
    generate->missing = 0;
    bytes = (double)generate->settings->tasks * TASK_BYTES +
            count * DEPENDENCY_BYTES;
    if (bytes <= (double)generate->settings->memory)
        return true;
    needed = orr_format_bytes((uint64_t)MIN(bytes, 1e19));
    limit = orr_format_bytes(generate->settings->memory);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%" G_GUINT64_FORMAT " tasks and %.0f dependencies need %s of "
                "memory, but there are %s",
                generate->settings->tasks, count, needed, limit);
    return false;
}

/* Sets the number of parents of each task of @level: one each; the rest is
 * spread at random. */
static void share_parents(struct generate *generate, guint level)
{
    uint32_t begin = level_begin(generate, level);
    uint32_t size = MAX(level_size(generate, level), 1);
    uint32_t most = level_size(generate, level - 1);
    double count = count_parents(generate, level);

    for (uint32_t i = 0; i < size; i++)
        generate->parents[begin + i] = 1;
    for (uint64_t left = (uint64_t)count - size; left > 0; left--) {
        uint32_t task = draw_number(generate, size);

        while (generate->parents[begin + task] == most)
            task = (task + 1) % size;
        generate->parents[begin + task]++;
    }
}

/* Draws a task of a level before @level that is no parent yet; with @near, of
 * the level right before it, where there is always one. */
static uint32_t choose_parent(struct generate *generate, guint level,
                              uint32_t task, bool near)
{
    uint32_t begin = level_begin(generate, level - 1);
    uint32_t size = level_size(generate, level - 1);
    uint64_t jump = near ? 1 : MIN(generate->settings->jump, level);
    uint32_t parent = 0;

    for (unsigned i = 0; i < TRIES; i++) {
        guint from = level - 1 - draw_number(generate, (uint32_t)jump);

        parent = level_begin(generate, from) +
                 draw_number(generate, level_size(generate, from));
        if (generate->marks[parent] != task + 1)
            return parent;
    }
    parent = draw_number(generate, size);
    while (generate->marks[begin + parent] == task + 1)
        parent = (parent + 1) % size;
    return begin + parent;
}

/* Adds accesses of @task to the data of its parents. A datum has the number of
 * the task that writes it. */
static bool link_task(struct generate *generate, guint level, uint32_t task,
                      GError **error)
{
    for (uint32_t i = 0; i < generate->parents[task]; i++) {
        uint32_t parent = choose_parent(generate, level, task, i == 0);

        generate->marks[parent] = task + 1;
        generate->children[parent]++;
        if (!(generate->settings->ccr > 0
                  ? orr_dag_access(generate->builder, task, parent,
                                   ORR_DAG_READ, error)
                  : orr_dag_edge(generate->builder, parent, task, error)))
            return false;
    }
    return true;
}

static bool link_levels(struct generate *generate, GError **error)
{
    for (guint level = 1; level + 1 < generate->levels->len; level++) {
        share_parents(generate, level);
        for (uint32_t task = level_begin(generate, level);
             task < level_begin(generate, level + 1); task++) {
            if (!link_task(generate, level, task, error))
                return false;
        }
    }
    return true;
}

/* Each task writes a datum, which has its number. */
static bool make_data(struct generate *generate, GError **error)
{
    if (!(generate->settings->ccr > 0))
        return true;
    for (uint32_t i = 0; i < generate->settings->tasks; i++) {
        uint32_t datum = orr_dag_datum_add(
            generate->builder, 0, generate->builder->ids.offsets[i], error);

        if (datum == ORR_DAG_NONE ||
            !orr_dag_access(generate->builder, i, i, ORR_DAG_WRITE, error))
            return false;
    }
    return true;
}

/* Scales the sizes of data to meet ccr. */
static void set_bytes(struct generate *generate)
{
    GArray *data = generate->builder->data;
    double read = 0;
    double factor;

    for (uint32_t i = 0; i < data->len; i++)
        read += generate->children[i] * generate->elements[i] * ELEMENT;
    factor = read > 0 ? generate->settings->ccr * generate->flops / read : 1;
    for (uint32_t i = 0; i < data->len; i++)
        g_array_index(data, struct orr_dag_datum, i).bytes = (uint64_t)MIN(
            round(generate->elements[i] * ELEMENT * factor), 4e18);
}

static bool make(struct generate *generate, GError **error)
{
    make_levels(generate);
    if (!check_memory(generate, error))
        return false;
    make_room(generate);
    if (!make_tasks(generate, error) || !make_data(generate, error) ||
        !link_levels(generate, error))
        return false;
    set_bytes(generate);
    return true;
}

struct orr_dag *
orr_dag_generate(const struct orr_dag_generate_settings *settings,
                 GError **error)
{
    struct generate generate = {
        .settings = settings,
        .builder =
            orr_dag_builder_new("generated", "generated", ORR_DAG_BY_RANK),
        .levels = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
    };
    struct orr_dag *dag = NULL;

    if (make(&generate, error))
        dag = orr_dag_builder_finish(generate.builder, error);
    orr_dag_builder_free(generate.builder);
    g_array_unref(generate.levels);
    g_free(generate.parents);
    g_free(generate.children);
    g_free(generate.marks);
    g_free(generate.elements);
    return dag;
}

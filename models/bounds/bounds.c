/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bounds that follow from durations and dependencies: area, critical path,
 * mixed, and energy. bounds_transfer.c adds the bound that follows from copies.
 *
 * All but the path are linear programs on the program of the area bound
 * (bounds_area.h), whose variables count the tasks of a group on each class.
 * The mixed bound starts with one group a kernel, and splits groups as it adds
 * paths: tasks of one kernel on the same set of paths share their variables.
 */
#include "models/bounds/bounds.h"

#include <glib.h>
#include <math.h>

#include "models/bounds/bounds_area.h"

/* Adds the row: all tasks of a group run on some class. */
static void add_group(struct orr_area *area,
                      const struct orr_workload *workload, unsigned index,
                      const struct orr_bound_group *group)
{
    struct orr_linear_program *program = area->program;
    int row = orr_linear_program_add_row(program, ORR_ROW_EQUAL,
                                         (double)group->count);

    for (unsigned c = 0; c < workload->class_count; c++) {
        int *column = &area->tasks[index * workload->class_count + c];

        if (!isfinite(orr_workload_seconds(workload, group->kernel, c)))
            continue;
        *column = orr_linear_program_add_column(program, 0);
        orr_linear_program_set(program, row, *column, 1);
    }
}

/* Adds the row: the workers of a class need no longer than T. */
static void add_class(struct orr_area *area,
                      const struct orr_workload *workload, unsigned class,
                      const struct orr_bound_group *groups, unsigned count)
{
    struct orr_linear_program *program = area->program;
    int row = orr_linear_program_add_row(program, ORR_ROW_AT_MOST, 0);

    orr_linear_program_set(program, row, area->makespan,
                           -(double)workload->workers[class]);
    for (unsigned g = 0; g < count; g++) {
        int column = area->tasks[g * workload->class_count + class];

        if (column != 0)
            orr_linear_program_set(
                program, row, column,
                orr_workload_seconds(workload, groups[g].kernel, class));
    }
}

void orr_area_init(struct orr_area *area, const struct orr_workload *workload,
                   const struct orr_bound_group *groups, unsigned count)
{
    area->program = orr_linear_program_new();
    area->makespan = orr_linear_program_add_column(area->program, 1);
    area->class_count = workload->class_count;
    area->tasks = g_new0(int, (gsize)count * workload->class_count);
    for (unsigned g = 0; g < count; g++)
        add_group(area, workload, g, &groups[g]);
    for (unsigned c = 0; c < workload->class_count; c++)
        add_class(area, workload, c, groups, count);
}

void orr_area_clear(struct orr_area *area)
{
    orr_linear_program_free(area->program);
    g_free(area->tasks);
}

void orr_area_init_kernels(struct orr_area *area,
                           const struct orr_workload *workload)
{
    struct orr_bound_group *groups =
        g_new0(struct orr_bound_group, workload->kernel_count);

    for (unsigned k = 0; k < workload->kernel_count; k++)
        groups[k].kernel = k;
    for (unsigned i = 0; i < workload->task_count; i++)
        groups[workload->kernels[i]].count++;
    orr_area_init(area, workload, groups, workload->kernel_count);
    g_free(groups);
}

double orr_bound_area_counts(const struct orr_workload *workload,
                             double *counts)
{
    struct orr_area area;
    double least;

    orr_area_init_kernels(&area, workload);
    least = orr_linear_program_minimise(area.program);
    for (size_t i = 0;
         counts && i < (size_t)workload->kernel_count * area.class_count; i++)
        counts[i] = isfinite(least) && area.tasks[i] != 0
                        ? orr_linear_program_value(area.program, area.tasks[i])
                        : 0;
    orr_area_clear(&area);
    return least;
}

double orr_bound_area(const struct orr_workload *workload)
{
    return orr_bound_area_counts(workload, NULL);
}

/* The fastest time of @kernel; INFINITY if no worker can run it. */
static double fastest_seconds(const struct orr_workload *workload,
                              unsigned kernel)
{
    double fastest = INFINITY;

    for (unsigned c = 0; c < workload->class_count; c++)
        fastest = fmin(fastest, orr_workload_seconds(workload, kernel, c));
    return fastest;
}

/*
 * Returns the length of the longest path, in seconds, where task i takes
 * seconds[of[i]]. Sets @ends[i] to the earliest end of task i, and *@last to
 * the last task of the path.
 */
static double longest_path(const struct orr_workload *workload,
                           const double *seconds, const unsigned *of,
                           double *ends, unsigned *last)
{
    double longest = 0;

    *last = 0;
    for (unsigned i = 0; i < workload->task_count; i++) {
        double start = 0;

        for (size_t p = workload->first_predecessor[i];
             p < workload->first_predecessor[i + 1]; p++)
            start = fmax(start, ends[workload->predecessors[p]]);
        ends[i] = start + seconds[of[i]];
        if (ends[i] > longest) {
            longest = ends[i];
            *last = i;
        }
    }
    return longest;
}

double orr_bound_critical_path(const struct orr_workload *workload)
{
    double *seconds = g_new(double, workload->kernel_count);
    double *ends = g_new(double, workload->task_count);
    double longest;
    unsigned last;

    for (unsigned k = 0; k < workload->kernel_count; k++)
        seconds[k] = fastest_seconds(workload, k);
    longest = longest_path(workload, seconds, workload->kernels, ends, &last);
    g_free(ends);
    g_free(seconds);
    return longest;
}

/* The mixed bound: the area bound, limited by paths that are added one by one.
 */

/* The first paths bring nearly all of the gain, and each makes the next
   solution slower. At most the number of bits of a mask. */
enum { MAX_PATHS = 5 };

/* A path counts as longer than the makespan beyond this relative difference. */
#define TOLERANCE 1e-5

struct search {
    const struct orr_workload *workload;
    unsigned *group_of; /* [task] */
    GArray *groups;     /* of struct orr_bound_group */
    GArray *paths;      /* of uint32_t, by group: mask of the paths it is on */
    unsigned path_count;
    double *seconds; /* by group: mean duration under the latest solution */
    double *ends;    /* [task]: earliest end, see longest_path() */
};

static struct orr_bound_group *group_at(const struct search *search, unsigned i)
{
    return &g_array_index(search->groups, struct orr_bound_group, i);
}

static unsigned new_group(struct search *search, unsigned kernel,
                          uint32_t paths)
{
    struct orr_bound_group group = {.kernel = kernel};

    g_array_append_val(search->groups, group);
    g_array_append_val(search->paths, paths);
    return search->groups->len - 1;
}

static void search_init(struct search *search,
                        const struct orr_workload *workload)
{
    *search = (struct search){
        .workload = workload,
        .group_of = g_new(unsigned, workload->task_count),
        .groups = g_array_new(FALSE, FALSE, sizeof(struct orr_bound_group)),
        .paths = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .ends = g_new(double, workload->task_count),
    };
    for (unsigned k = 0; k < workload->kernel_count; k++)
        new_group(search, k, 0);
    for (unsigned i = 0; i < workload->task_count; i++) {
        search->group_of[i] = workload->kernels[i];
        group_at(search, workload->kernels[i])->count++;
    }
}

static void search_clear(struct search *search)
{
    g_free(search->group_of);
    g_array_unref(search->groups);
    g_array_unref(search->paths);
    g_free(search->seconds);
    g_free(search->ends);
}

/* Adds the row: the tasks of path @path, one after the other, take no longer
 * than T. */
static void add_path_row(const struct search *search, struct orr_area *area,
                         unsigned path)
{
    struct orr_linear_program *program = area->program;
    unsigned classes = search->workload->class_count;
    int row = orr_linear_program_add_row(program, ORR_ROW_AT_MOST, 0);

    orr_linear_program_set(program, row, area->makespan, -1);
    for (unsigned g = 0; g < search->groups->len; g++) {
        const double *seconds =
            &search->workload
                 ->seconds[(size_t)group_at(search, g)->kernel * classes];

        if (!(g_array_index(search->paths, uint32_t, g) >> path & 1))
            continue;
        for (unsigned c = 0; c < classes; c++) {
            if (area->tasks[g * classes + c] != 0)
                orr_linear_program_set(
                    program, row, area->tasks[g * classes + c], seconds[c]);
        }
    }
}

/* Keeps the mean duration of the tasks of each group under the solution. */
static void keep_seconds(struct search *search, const struct orr_area *area)
{
    unsigned classes = search->workload->class_count;

    search->seconds =
        g_renew(double, search->seconds, search->groups->len + (size_t)1);
    for (unsigned g = 0; g < search->groups->len; g++) {
        const struct orr_bound_group *group = group_at(search, g);
        double total = 0;

        for (unsigned c = 0; c < classes; c++) {
            int column = area->tasks[g * classes + c];

            if (column != 0)
                total += orr_linear_program_value(area->program, column) *
                         search->workload->seconds[group->kernel * classes + c];
        }
        search->seconds[g] =
            group->count > 0 ? total / (double)group->count : 0;
    }
}

/* Sets *@least to the least T, with search->seconds. Returns false, and sets it
 * to infinity, if there is none. */
static bool solve(struct search *search, double *least)
{
    struct orr_area area;
    bool solved;

    orr_area_init(&area, search->workload, group_at(search, 0),
                  search->groups->len);
    for (unsigned p = 0; p < search->path_count; p++)
        add_path_row(search, &area, p);
    *least = orr_linear_program_minimise(area.program);
    solved = isfinite(*least);
    if (solved)
        keep_seconds(search, &area);
    orr_area_clear(&area);
    return solved;
}

/* The predecessor of @task that ends last; @task itself if it has none. */
static unsigned task_before(const struct search *search, unsigned task)
{
    const struct orr_workload *workload = search->workload;
    unsigned before = task;
    double end = -1;

    for (size_t p = workload->first_predecessor[task];
         p < workload->first_predecessor[task + 1]; p++) {
        unsigned candidate = workload->predecessors[p];

        if (search->ends[candidate] > end) {
            end = search->ends[candidate];
            before = candidate;
        }
    }
    return before;
}

/* Moves the tasks on the path that ends with @last to groups of their own. */
static void split(struct search *search, unsigned last)
{
    unsigned before = search->groups->len;
    unsigned *new_groups =
        g_new0(unsigned, before + 1); /* by old group; 0: none yet */
    uint32_t bit = (uint32_t)1 << search->path_count++;
    unsigned task = last, next = last;

    do {
        unsigned group = search->group_of[task = next];

        if (new_groups[group] == 0)
            new_groups[group] =
                new_group(search, group_at(search, group)->kernel,
                          g_array_index(search->paths, uint32_t, group) | bit);
        group_at(search, group)->count--;
        group_at(search, new_groups[group])->count++;
        search->group_of[task] = new_groups[group];
        next = task_before(search, task);
    } while (next != task);
    g_free(new_groups);
}

double orr_bound_mixed(const struct orr_workload *workload)
{
    struct search search;
    double least, longest;
    unsigned last;
    bool solved;

    if (workload->task_count == 0)
        return 0;
    search_init(&search, workload);
    solved = solve(&search, &least);
    while (solved && search.path_count < MAX_PATHS) {
        longest = longest_path(workload, search.seconds, search.group_of,
                               search.ends, &last);
        if (longest <= least * (1 + TOLERANCE))
            break;
        split(&search, last);
        solved = solve(&search, &least);
    }
    search_clear(&search);
    return fmax(least, orr_bound_critical_path(workload));
}

/* The relative accuracy of a linear program. */
#define SLACK 1e-7

/* Makes the energy of all tasks and of the machine the cost of the program. */
static void take_costs(struct orr_area *area,
                       const struct orr_workload *workload)
{
    orr_linear_program_set_cost(area->program, area->makespan,
                                workload->base_w);
    for (size_t i = 0; i < (size_t)workload->kernel_count * area->class_count;
         i++) {
        if (area->tasks[i] != 0)
            orr_linear_program_set_cost(area->program, area->tasks[i],
                                        workload->joules[i]);
    }
}

/* The least energy, if the makespan is at least @limit_s, or equals it. */
static double least_joules(const struct orr_workload *workload,
                           enum orr_row_kind kind, double limit_s)
{
    struct orr_area area;
    double least;
    int row;

    if (!isfinite(limit_s))
        return INFINITY;
    orr_area_init_kernels(&area, workload);
    take_costs(&area, workload);
    row = orr_linear_program_add_row(area.program, kind, limit_s);
    orr_linear_program_set(area.program, row, area.makespan, 1);
    least = orr_linear_program_minimise(area.program);
    orr_area_clear(&area);
    return least;
}

void orr_energy_bounds_compute(struct orr_energy_bounds *bounds,
                               const struct orr_workload *workload)
{
    double path_s;

    *bounds = (struct orr_energy_bounds){NAN, NAN, NAN};
    if (!workload->joules)
        return;
    path_s = orr_bound_critical_path(workload);
    bounds->least_j = least_joules(workload, ORR_ROW_AT_LEAST, path_s);
    bounds->area_j =
        least_joules(workload, ORR_ROW_EQUAL,
                     fmax(orr_bound_area(workload), path_s) * (1 + SLACK));
    bounds->idle_j = workload->base_w * path_s;
}

void orr_bounds_init(struct orr_bounds *bounds)
{
    *bounds =
        (struct orr_bounds){NAN, NAN, NAN, NAN, .energy = {NAN, NAN, NAN}};
}

void orr_bounds_compute(struct orr_bounds *bounds,
                        const struct orr_workload *workload,
                        const struct orr_supply *supply)
{
    bounds->area_s = orr_bound_area(workload);
    bounds->critical_path_s = orr_bound_critical_path(workload);
    bounds->mixed_s = orr_bound_mixed(workload);
    bounds->transfer_s = orr_bound_transfer(workload, supply);
    orr_energy_bounds_compute(&bounds->energy, workload);
}

double orr_bounds_best(const struct orr_bounds *bounds)
{
    return fmax(fmax(bounds->area_s, bounds->critical_path_s),
                fmax(bounds->mixed_s, bounds->transfer_s));
}

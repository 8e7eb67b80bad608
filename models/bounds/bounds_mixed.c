/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mixed bound: the area bound, limited by paths that are added one by one.
 */
#include <glib.h>
#include <math.h>

#include "models/bounds/bounds.h"
#include "models/bounds/bounds_area.h"
#include "models/bounds/bounds_path.h"

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
    double *ends;    /* [task]: earliest end, see bounds_path.h */
};

static struct orr_bound_group *group_at(const struct search *search, unsigned i)
{
    return &g_array_index(search->groups, struct orr_bound_group, i);
}

static unsigned add_group(struct search *search, unsigned kernel,
                          uint32_t paths)
{
    struct orr_bound_group group = {.kernel = kernel};

    g_array_append_val(search->groups, group);
    g_array_append_val(search->paths, paths);
    return search->groups->len - 1;
}

static void init(struct search *search, const struct orr_workload *workload)
{
    *search = (struct search){
        .workload = workload,
        .group_of = g_new(unsigned, workload->task_count),
        .groups = g_array_new(FALSE, FALSE, sizeof(struct orr_bound_group)),
        .paths = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .ends = g_new(double, workload->task_count),
    };
    for (unsigned k = 0; k < workload->kernel_count; k++)
        add_group(search, k, 0);
    for (unsigned i = 0; i < workload->task_count; i++) {
        search->group_of[i] = workload->kernels[i];
        group_at(search, workload->kernels[i])->count++;
    }
}

static void clear(struct search *search)
{
    g_free(search->group_of);
    g_array_unref(search->groups);
    g_array_unref(search->paths);
    g_free(search->seconds);
    g_free(search->ends);
}

/* Adds the row: the tasks of path @path, one after the other, take no longer
 * than T. */
static void add_row(const struct search *search, struct orr_area *area,
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

    search->seconds = g_renew(double, search->seconds, search->groups->len);
    for (unsigned g = 0; g < search->groups->len; g++) {
        const struct orr_bound_group *group = group_at(search, g);
        double total = 0;

        for (unsigned c = 0; c < classes; c++) {
            int column = area->tasks[g * classes + c];

            if (column != 0)
                total += orr_linear_program_value(area->program, column) *
                         search->workload->seconds[group->kernel * classes + c];
        }
        search->seconds[g] = group->count > 0 ? total / group->count : 0;
    }
}

static double solve(struct search *search)
{
    struct orr_area area;
    double least;

    orr_area_init(&area, search->workload, group_at(search, 0),
                  search->groups->len);
    for (unsigned p = 0; p < search->path_count; p++)
        add_row(search, &area, p);
    least = orr_linear_program_minimise(area.program);
    if (isfinite(least))
        keep_seconds(search, &area);
    orr_area_clear(&area);
    return least;
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
                add_group(search, group_at(search, group)->kernel,
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

    init(&search, workload);
    least = solve(&search);
    while (isfinite(least) && search.path_count < MAX_PATHS) {
        longest = orr_bound_path(workload, search.seconds, search.group_of,
                                 search.ends, &last);
        if (longest <= least * (1 + TOLERANCE))
            break;
        split(&search, last);
        least = solve(&search);
    }
    clear(&search);
    return fmax(least, orr_bound_critical_path(workload));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The transfer bound: the area bound, limited by the bandwidth of links. */
#include <glib.h>
#include <math.h>

#include "models/bounds/bounds.h"
#include "models/bounds/bounds_area.h"
#include "models/bounds/bounds_updates.h"

/* Loads of a phase, R of bounds.h, as multiples of the memory. Each gives a
   valid bound; the workload decides which is the tightest. */
static const double phases[] = {0.25, 0.5, 1, 2, 4, 8};

struct problem {
    const struct orr_workload *workload;
    const struct orr_supply *supply;
    struct orr_updates updates;

    /* Group 2k: the updates of kernel k; group 2k + 1: its other tasks. */
    struct orr_area area;
    int *tiles; /* [route]: the column of its traffic, in tiles */
};

static void init_area(struct problem *problem)
{
    const struct orr_workload *workload = problem->workload;
    size_t count = (size_t)2 * workload->kernel_count;
    struct orr_bound_group *groups = g_new0(struct orr_bound_group, count + 1);

    for (size_t g = 0; g < count; g++)
        groups[g].kernel = (unsigned)(g / 2);
    for (unsigned t = 0; t < workload->task_count; t++) {
        size_t kernel = workload->kernels[t];

        groups[2 * kernel + !problem->updates.is_update[t]].count++;
    }
    orr_area_init(&problem->area, workload, groups, (unsigned)count);
    g_free(groups);
}

static void limit_link(struct problem *problem, unsigned link)
{
    struct orr_linear_program *program = problem->area.program;
    const struct orr_supply *supply = problem->supply;
    int row = orr_linear_program_add_row(program, ORR_ROW_AT_MOST, 0);

    orr_linear_program_set(program, row, problem->area.makespan,
                           -supply->bytes_per_s[link] /
                               problem->updates.tile_bytes);
    for (unsigned r = 0; r < supply->route_count; r++) {
        unsigned times = 0;

        for (unsigned i = 0; i < supply->routes[r].count; i++)
            times += supply->routes[r].links[i] == link;
        if (times > 0)
            orr_linear_program_set(program, row, problem->tiles[r], times);
    }
}

/* The routes that a row adds up. */
enum ways { FROM_HOST, TO_NODE };

/* Adds the row: at least @tiles cross the routes from or to @node. */
static int require(struct problem *problem, enum ways ways, unsigned node,
                   double tiles)
{
    struct orr_linear_program *program = problem->area.program;
    int row = orr_linear_program_add_row(program, ORR_ROW_AT_LEAST, tiles);

    for (unsigned r = 0; r < problem->supply->route_count; r++) {
        const struct orr_supply_route *route = &problem->supply->routes[r];

        if (ways == TO_NODE ? route->to == node : route->from == node)
            orr_linear_program_set(program, row, problem->tiles[r], 1);
    }
    return row;
}

/* Adds to @row: @factor tiles more for each update on GPU @class. */
static void require_for_updates(struct problem *problem, int row,
                                unsigned class, double factor)
{
    const struct orr_workload *workload = problem->workload;

    for (size_t k = 0; k < workload->kernel_count; k++) {
        int column = problem->area.tasks[2 * k * workload->class_count + class];

        if (column != 0)
            orr_linear_program_set(problem->area.program, row, column, -factor);
    }
}

/* F(S) of bounds.h. */
static double updates_for(const struct orr_updates *updates, double tiles)
{
    return updates->coefficient * tiles * sqrt(tiles);
}

/* S / N of bounds.h: the tiles to load for each update. */
static double chord(const struct orr_updates *updates)
{
    return cbrt(pow(updates->count / updates->coefficient, 2)) / updates->count;
}

static void supply_gpu(struct problem *problem, unsigned gpu)
{
    const struct orr_updates *updates = &problem->updates;
    uint64_t bytes = problem->supply->memory_bytes[gpu];
    double room = floor((double)bytes / updates->tile_bytes);
    int row = require(problem, TO_NODE, gpu, 0);

    require_for_updates(problem, row, gpu, chord(updates));
    for (size_t p = 0; bytes < UINT64_MAX && p < G_N_ELEMENTS(phases); p++) {
        double loads = ceil(phases[p] * room);
        double done = updates_for(updates, room + loads);

        if (loads < 1)
            continue;
        row = require(problem, TO_NODE, gpu, -loads);
        require_for_updates(problem, row, gpu, loads / done);
    }
}

static bool any_cpu_can(const struct orr_workload *workload, unsigned kernel)
{
    return workload->workers[0] > 0 &&
           isfinite(workload->seconds[(size_t)kernel * workload->class_count]);
}

/* Bytes that must leave the host for @access of a task. *@settled: the datum
   has left the host or has been overwritten already; is updated. */
static double bytes_for_gpu(const struct orr_workload *workload,
                            const struct orr_workload_access *access,
                            bool needs_gpu, bool *settled)
{
    bool leaves = access->reads && needs_gpu && !*settled;

    *settled |= leaves || !access->reads;
    return leaves ? (double)workload->data[access->data].bytes : 0;
}

/* Bytes that must leave the host in every schedule. */
static double bytes_for_gpus(const struct orr_workload *workload)
{
    bool *settled = g_new0(bool, workload->data_count);
    double bytes = 0;

    for (unsigned t = 0; t < workload->task_count; t++) {
        bool needs_gpu = !any_cpu_can(workload, workload->kernels[t]);

        for (size_t a = workload->first_access[t];
             a < workload->first_access[t + 1]; a++) {
            const struct orr_workload_access *access = &workload->accesses[a];

            bytes += bytes_for_gpu(workload, access, needs_gpu,
                                   &settled[access->data]);
        }
    }
    g_free(settled);
    return bytes;
}

static void supply_all(struct problem *problem)
{
    const struct orr_workload *workload = problem->workload;
    const struct orr_updates *updates = &problem->updates;
    int row;

    require(problem, FROM_HOST, 0,
            bytes_for_gpus(workload) / updates->tile_bytes);
    if (updates->count == 0)
        return;
    row = require(problem, FROM_HOST, 0, 0);
    for (unsigned g = 1; g < workload->class_count; g++) {
        require_for_updates(problem, row, g, chord(updates));
        supply_gpu(problem, g);
    }
}

double orr_bound_transfer(const struct orr_workload *workload,
                          const struct orr_supply *supply)
{
    struct problem problem = {.workload = workload, .supply = supply};
    double least;

    orr_updates_init(&problem.updates, workload);
    if (problem.updates.count == 0)
        problem.updates.tile_bytes = 1;
    init_area(&problem);
    problem.tiles = g_new0(int, supply->route_count + 1);
    for (unsigned r = 0; r < supply->route_count; r++)
        problem.tiles[r] =
            orr_linear_program_add_column(problem.area.program, 0);
    for (unsigned l = 0; l < supply->link_count; l++)
        limit_link(&problem, l);
    if (workload->class_count > 1)
        supply_all(&problem);
    least = orr_linear_program_minimise(problem.area.program);
    g_free(problem.tiles);
    orr_area_clear(&problem.area);
    orr_updates_clear(&problem.updates);
    return least;
}

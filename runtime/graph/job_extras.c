/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a job has behind its accesses: name, coordinates and callback. */
#include "runtime/run.h"

/* The own name of @job, if it is named. */
static const char **name_of(const struct orr_job *job)
{
    return (const char **)&job
        ->accesses[orr_job_pool_units(job->pool) - job->merged - 1];
}

/* The coordinates of @job, if it is placed: their number in the lowest bits,
 * then 20 bits each. */
enum { COORDINATE_BITS = 20, COUNT_BITS = 4 };

static uint64_t *place_of(const struct orr_job *job)
{
    return (uint64_t *)&job->accesses[orr_job_pool_units(job->pool) -
                                      job->merged - job->named - 1];
}

/* The callback of @job, if it calls back. */
static struct orr_job_callback *callback_of(const struct orr_job *job)
{
    return (struct orr_job_callback *)&job
        ->accesses[orr_job_pool_units(job->pool) - job->merged - job->named -
                   job->placed - ORR_CALLBACK_UNITS];
}

const struct orr_job_callback *orr_job_callback(const struct orr_job *job)
{
    return callback_of(job);
}

static uint64_t pack_coordinates(const struct orr_task_spec *spec)
{
    unsigned count = MIN(spec->coordinate_count, ORR_MAX_COORDINATES);
    uint64_t packed = count;

    for (unsigned i = 0; i < count; i++)
        packed |= (uint64_t)spec->coordinates[i]
                  << (COUNT_BITS + i * COORDINATE_BITS);
    return packed;
}

unsigned orr_job_coordinates(const struct orr_job *job,
                             unsigned coordinates[ORR_MAX_COORDINATES])
{
    uint64_t packed = job->placed ? *place_of(job) : 0;
    unsigned count = (unsigned)(packed & ((1 << COUNT_BITS) - 1));

    for (unsigned i = 0; i < count; i++)
        coordinates[i] =
            (unsigned)(packed >> (COUNT_BITS + i * COORDINATE_BITS)) &
            ORR_MAX_COORDINATE;
    return count;
}

const char *orr_job_name(const struct orr_graph *graph,
                         const struct orr_job *job)
{
    if (job->named)
        return *name_of(job);
    return job->kernel ? orr_job_kernel(graph, job)->task_name : NULL;
}

void orr_job_set_extras(struct orr_job *job, const struct orr_task_spec *spec,
                        const char *name)
{
    job->named = name != NULL;
    job->placed = spec->coordinate_count > 0;
    job->calls_back = spec->callback != NULL;
    if (name)
        *name_of(job) = name;
    if (job->placed)
        *place_of(job) = pack_coordinates(spec);
    if (job->calls_back)
        *callback_of(job) =
            (struct orr_job_callback){spec->callback, spec->callback_data};
}

unsigned orr_job_redux(const struct orr_graph *graph, const struct orr_job *job,
                       const uint16_t **places)
{
    const struct orr_kernel *kernel = orr_job_kernel(graph, job);
    gsize size = 0;

    *places = kernel && kernel->given.redux
                  ? g_bytes_get_data(kernel->given.redux, &size)
                  : NULL;
    return (unsigned)(size / sizeof(**places));
}

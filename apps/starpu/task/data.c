/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/task/data.h"
#include "apps/starpu/task/call.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/model/model.h"

/* Data with a reduction that the run knows: struct orr_data *. */
static GHashTable *reduced;
static struct orr_run *run_of_reduced;

static void cost_of(const void *data, unsigned worker, unsigned implementation,
                    struct orr_cost *cost)
{
    const struct orr_task_spec *spec = data;
    *cost = spec->costs[worker * spec->implementations + implementation];
}

/* A kernel with the costs of @spec, for tasks that the run submits itself. */
static struct orr_kernel *kernel_of_costs(const struct orr_task_spec *spec,
                                          const char *name, const char *call)
{
    GError *error = NULL;
    struct orr_kernel *kernel =
        sp_calls->kernel_new(sp_session.run, name, &error);
    if (!kernel || !sp_calls->kernel_set_implementations(sp_session.run, kernel,
                                                         spec->implementations,
                                                         cost_of, spec, &error))
        sp_fail_error(call, error);
    return kernel;
}

/* The first contribution to @handle is submitted: now the model of the codelet
 * that reduces it must know its times. */
G_GNUC_NO_INLINE static void set_reduction(starpu_data_handle_t handle,
                                           struct orr_data *datum,
                                           const struct starpu_task *task,
                                           const char *call)
{
    if (run_of_reduced != sp_session.run) {
        g_clear_pointer(&reduced, g_hash_table_unref);
        reduced = g_hash_table_new(NULL, NULL);
        run_of_reduced = sp_session.run;
    }
    if (!g_hash_table_add(reduced, datum))
        return;
    struct starpu_task reducer;
    starpu_task_init(&reducer);
    reducer.cl = sp_handle_reduction(handle, &reducer.cl_arg);
    if (!reducer.cl)
        sp_fail(call,
                "task %s reduces %s, which has no methods of "
                "starpu_data_set_reduction_methods()",
                sp_task_name(task), sp_handle_name(handle));
    sp_codelet_check(reducer.cl);
    reducer.handles[0] = reducer.handles[1] = handle;
    if (reducer.cl->nbuffers > 2) {
        reducer.handles[2] = sp_handle_reduction_scratch(handle);
        if (!reducer.handles[2])
            sp_fail(call,
                    "task %s reduces %s by a codelet with %d data, but "
                    "starpu_data_set_reduction_scratch() was not called",
                    sp_task_name(task), sp_handle_name(handle),
                    reducer.cl->nbuffers);
    }
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT};
    sp_model_fill(&reducer, &spec, call);
    if (spec.costs)
        spec.kernel = kernel_of_costs(&spec, sp_task_name(&reducer), call);
    sp_calls->data_set_reduction(sp_session.run, datum, spec.kernel,
                                 spec.times);
    sp_task_measure_reduction(&reducer, handle);
    reducer.cl_arg = NULL;
    starpu_task_clean(&reducer);
}

/* Each access of a task may be unordered in StarPU; here all are, or none. */
static void check_consistency(const struct starpu_task *task, unsigned count,
                              struct orr_task_spec *spec, const char *call)
{
    unsigned ordered = 0;
    for (unsigned i = 0; i < count; i++)
        ordered += task->handles_sequential_consistency[i] != 0;
    if (!ordered && count)
        spec->unordered = true;
    else if (ordered < count)
        sp_fail(call,
                "task %s: handles_sequential_consistency differs from datum to "
                "datum, which is not simulated",
                sp_task_name(task));
}

static enum orr_access_mode mode_of(const struct starpu_task *task, unsigned i,
                                    enum starpu_data_access_mode mode,
                                    const char *call)
{
    if (mode & STARPU_REDUX)
        return ORR_REDUX;
    int result = (mode & STARPU_R ? ORR_R : 0) | (mode & STARPU_W ? ORR_W : 0);
    if (!result)
        sp_fail(call,
                "task %s: datum %u has mode %#x, which neither reads nor "
                "writes",
                sp_task_name(task), i, (unsigned)mode);
    if (mode & STARPU_COMMUTE && result == ORR_RW)
        result |= ORR_COMMUTE;
    return (enum orr_access_mode)result;
}

static void *room(void **many, void *few, unsigned count, size_t size)
{
    if (G_LIKELY(count <= STARPU_NMAXBUFS))
        return few;
    return *many = g_malloc_n(count, size);
}

static void prepare(const struct starpu_task *task, starpu_data_handle_t handle,
                    enum starpu_data_access_mode mode, const char *call)
{
    if (!(mode & STARPU_NOPLAN) && !(task->cl->flags & STARPU_CODELET_NOPLANS))
        sp_handle_prepare(handle, mode, call);
}

void sp_task_data_prepare(struct starpu_task *task, const char *call)
{
    unsigned count = sp_task_buffers(task);
    for (unsigned i = 0; i < count; i++)
        if (sp_task_handle(task, i)) {
            (void)sp_handle_data(sp_task_handle(task, i), call);
            prepare(task, sp_task_handle(task, i), sp_task_mode(task, i), call);
        }
}

void sp_task_data_fill(struct starpu_task *task, struct sp_task_data *data,
                       struct orr_task_spec *spec, const char *call)
{
    data->many = data->many_scratch = NULL;
    if (!task->cl)
        return;
    unsigned count = sp_task_buffers(task);
    if (G_UNLIKELY(count > STARPU_NMAXBUFS && !task->dyn_handles))
        sp_fail(call, "task %s has %d data: more than %d need dyn_handles",
                sp_task_name(task), (int)count, STARPU_NMAXBUFS);
    struct orr_access *accesses =
        room(&data->many, data->few, count, sizeof(*accesses));
    struct orr_data **scratch =
        room(&data->many_scratch, data->few_scratch, count, sizeof(void *));
    spec->accesses = accesses;
    spec->scratch = scratch;
    for (unsigned i = 0; i < count; i++) {
        starpu_data_handle_t handle = sp_task_handle(task, i);
        enum starpu_data_access_mode mode = sp_task_mode(task, i);
        if (G_UNLIKELY(!handle))
            sp_fail(call, "task %s: datum %u is NULL", sp_task_name(task), i);
        struct orr_data *datum = sp_handle_data(handle, call);
        prepare(task, handle, mode, call);
        if (mode & STARPU_SCRATCH) {
            scratch[spec->scratch_count++] = datum;
            continue;
        }
        enum orr_access_mode access = mode_of(task, i, mode, call);
        if (G_UNLIKELY(access == ORR_REDUX))
            set_reduction(handle, datum, task, call);
        if (mode & STARPU_R && !sp_handle_has_content(handle))
            sp_fail(call, "task %s reads %s, which has no content yet",
                    sp_task_name(task), sp_handle_name(handle));
        if (access != ORR_R)
            sp_handle_written(handle);
        accesses[spec->count++] = (struct orr_access){datum, access};
    }
    if (G_UNLIKELY(task->handles_sequential_consistency))
        check_consistency(task, count, spec, call);
}

void sp_task_data_clear(struct sp_task_data *data)
{
    if (G_LIKELY(!data->many))
        return;
    g_free(data->many);
    g_free(data->many_scratch);
}

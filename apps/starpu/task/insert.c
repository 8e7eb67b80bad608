/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/task/job.h"
#include "apps/starpu/task/pack.h"
#include "apps/starpu/task/submit.h"

#include <starpu_task_util.h>

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A task while its arguments are read. */
struct build {
    struct starpu_task *task;
    struct starpu_codelet *cl;
    const char *call;
    int buffers, room; /* data so far; of dyn_handles, or 0 */
    int nodes, node_room;
    unsigned dep_count, end_count;
    struct starpu_task **deps, **ends;
    struct starpu_codelet_pack_arg_data packed;
};

static const char *name_of(const struct starpu_codelet *cl)
{
    return cl->name ? cl->name : "without name";
}

/* Modes of a task stand in the task, if its codelet has no fixed number of
 * data, or has no array with room for them. */
static bool task_has_modes(const struct starpu_codelet *cl)
{
    return cl->nbuffers == STARPU_VARIABLE_NBUFFERS ||
           (cl->nbuffers > STARPU_NMAXBUFS && !cl->dyn_modes);
}

static void *grow(void *array, const void *fixed, int used, int room,
                  size_t size)
{
    void *grown = realloc(array, (size_t)room * size);
    if (!grown)
        g_error("out of memory");
    if (!array)
        memcpy(grown, fixed, (size_t)used * size);
    return grown;
}

void starpu_task_insert_data_make_room(struct starpu_codelet *cl,
                                       struct starpu_task *task,
                                       int *allocated_buffers,
                                       int current_buffer, int room)
{
    int needed = current_buffer + room;
    if (G_LIKELY(needed <= MAX(STARPU_NMAXBUFS, *allocated_buffers)))
        return;
    *allocated_buffers = 2 * needed;
    task->dyn_handles = grow(task->dyn_handles, task->handles, current_buffer,
                             *allocated_buffers, sizeof(starpu_data_handle_t));
    if (cl->nbuffers == STARPU_VARIABLE_NBUFFERS || !cl->dyn_modes)
        task->dyn_modes = grow(task->dyn_modes, task->modes, current_buffer,
                               *allocated_buffers, sizeof(*task->dyn_modes));
}

/* The mode of the next datum: of the task, or equal to its codelet's, which
 * gets it if it has none. */
static void set_mode(struct starpu_codelet *cl, struct starpu_task *task, int i,
                     int mode)
{
    if (task_has_modes(cl)) {
        STARPU_DYN_OR_FIXED_(task, modes)
        [i] = (enum starpu_data_access_mode)mode;
        return;
    }
    int of_codelet = (int)STARPU_CODELET_GET_MODE(cl, i);
    const int beside = STARPU_NOFOOTPRINT;
    if (!of_codelet)
        STARPU_CODELET_SET_MODE(cl, (enum starpu_data_access_mode)mode, i);
    else if ((of_codelet & ~beside) != (mode & ~beside))
        sp_fail("starpu_task_insert()",
                "datum %d has mode %#x, but mode %#x in codelet %s", i,
                (unsigned)mode, (unsigned)of_codelet, name_of(cl));
}

static void check_room(const struct starpu_codelet *cl, int i, int key)
{
    if (G_UNLIKELY(!cl))
        sp_fail("starpu_task_insert()",
                "key %#x is for data, but there is no codelet", (unsigned)key);
    if (G_UNLIKELY(cl->nbuffers != STARPU_VARIABLE_NBUFFERS &&
                   i >= cl->nbuffers))
        sp_fail("starpu_task_insert()",
                "more data than the %d of codelet %s, by key %#x: does 0 end "
                "the arguments?",
                cl->nbuffers, name_of(cl), (unsigned)key);
}

/* Arrays of data, of numbers of nodes, ... */
static void check_array(const void *array, int count, int key)
{
    if (count < 0 || count > SP_MOST_ARGUMENTS || (count && !array))
        sp_fail("starpu_task_insert()",
                "key %#x has an array at %p with %d elements", (unsigned)key,
                array, count);
}

void starpu_task_insert_data_process_arg(struct starpu_codelet *cl,
                                         struct starpu_task *task,
                                         int *allocated_buffers,
                                         int *current_buffer, int arg_type,
                                         starpu_data_handle_t handle)
{
    int i = *current_buffer;
    check_room(cl, i, arg_type);
    starpu_task_insert_data_make_room(cl, task, allocated_buffers, i, 1);
    STARPU_TASK_SET_HANDLE(task, handle, i);
    set_mode(cl, task, i,
             arg_type & ~(STARPU_SSEND | STARPU_NOFOOTPRINT | STARPU_MPI_SAME));
    *current_buffer = i + 1;
}

void starpu_task_insert_data_process_array_arg(
    struct starpu_codelet *cl, struct starpu_task *task, int *allocated_buffers,
    int *current_buffer, int nb_handles, starpu_data_handle_t *handles)
{
    check_array(handles, nb_handles, STARPU_DATA_ARRAY);
    if (nb_handles)
        check_room(cl, *current_buffer, STARPU_DATA_ARRAY);
    starpu_task_insert_data_make_room(cl, task, allocated_buffers,
                                      *current_buffer, nb_handles);
    for (int i = 0; i < nb_handles; i++) {
        check_room(cl, *current_buffer, STARPU_DATA_ARRAY);
        STARPU_TASK_SET_HANDLE(task, handles[i], *current_buffer);
        ++*current_buffer;
    }
}

void starpu_task_insert_data_process_mode_array_arg(
    struct starpu_codelet *cl, struct starpu_task *task, int *allocated_buffers,
    int *current_buffer, int nb_descrs, struct starpu_data_descr *descrs)
{
    check_array(descrs, nb_descrs, STARPU_DATA_MODE_ARRAY);
    if (nb_descrs)
        check_room(cl, *current_buffer, STARPU_DATA_MODE_ARRAY);
    starpu_task_insert_data_make_room(cl, task, allocated_buffers,
                                      *current_buffer, nb_descrs);
    for (int i = 0; i < nb_descrs; i++) {
        check_room(cl, *current_buffer, STARPU_DATA_MODE_ARRAY);
        STARPU_TASK_SET_HANDLE(task, descrs[i].handle, *current_buffer);
        set_mode(cl, task, *current_buffer, (int)descrs[i].mode);
        ++*current_buffer;
    }
}

void starpu_task_insert_data_make_node_room(struct starpu_codelet *cl,
                                            struct starpu_task *task,
                                            int *allocated_nodes,
                                            int current_node, int room)
{
    int needed = current_node + room;
    (void)cl;
    task->specific_nodes = 1;
    if (needed <= MAX(STARPU_NMAXBUFS, *allocated_nodes))
        return;
    *allocated_nodes = 2 * needed;
    task->dyn_nodes = grow(task->dyn_nodes, task->nodes, current_node,
                           *allocated_nodes, sizeof(*task->dyn_nodes));
}

void starpu_task_insert_process_node_array_arg(struct starpu_codelet *cl,
                                               struct starpu_task *task,
                                               int *allocated_nodes,
                                               int *current_node, int nb_nodes,
                                               int *node_array)
{
    check_array(node_array, nb_nodes, STARPU_NODE_ARRAY);
    starpu_task_insert_data_make_node_room(cl, task, allocated_nodes,
                                           *current_node, nb_nodes);
    for (int i = 0; i < nb_nodes; i++)
        STARPU_DYN_OR_FIXED_(task, nodes)[(*current_node)++] = node_array[i];
}

/* Keys of one argument, which is a member of the task. */
#define ONE(key, type, member)                                                 \
    case key:                                                                  \
        task->member = va_arg(*arguments, type);                               \
        return true;
/* Also sets whether the argument is freed with the task. */
#define FREED(key, member, is_freed)                                           \
    case key:                                                                  \
        task->member = va_arg(*arguments, void *);                             \
        task->member##_free = (is_freed);                                      \
        return true;
#define FUNCTION(key, member)                                                  \
    case key:                                                                  \
        task->member = va_arg(*arguments, void (*)(void *));                   \
        return true;

static bool read_callback(struct starpu_task *task, int key, va_list *arguments)
{
    switch (key) {
        FUNCTION(STARPU_CALLBACK, callback_func)
        FUNCTION(STARPU_EPILOGUE_CALLBACK, epilogue_callback_func)
        FUNCTION(STARPU_PROLOGUE_CALLBACK, prologue_callback_func)
        FUNCTION(STARPU_PROLOGUE_CALLBACK_POP, prologue_callback_pop_func)
        FREED(STARPU_CALLBACK_ARG, callback_arg, 1)
        FREED(STARPU_CALLBACK_ARG_NFREE, callback_arg, 0)
        FREED(STARPU_EPILOGUE_CALLBACK_ARG, epilogue_callback_arg, 1)
        FREED(STARPU_PROLOGUE_CALLBACK_ARG, prologue_callback_arg, 1)
        FREED(STARPU_PROLOGUE_CALLBACK_ARG_NFREE, prologue_callback_arg, 0)
        FREED(STARPU_PROLOGUE_CALLBACK_POP_ARG, prologue_callback_pop_arg, 1)
        FREED(STARPU_PROLOGUE_CALLBACK_POP_ARG_NFREE, prologue_callback_pop_arg,
              0)
        FREED(STARPU_SOON_CALLBACK_ARG, soon_callback_arg, 1)
        FREED(STARPU_SOON_CALLBACK_ARG_NFREE, soon_callback_arg, 0)
    case STARPU_CALLBACK_WITH_ARG:
    case STARPU_CALLBACK_WITH_ARG_NFREE:
        task->callback_func = va_arg(*arguments, void (*)(void *));
        task->callback_arg = va_arg(*arguments, void *);
        task->callback_arg_free = key == STARPU_CALLBACK_WITH_ARG;
        return true;
    case STARPU_SOON_CALLBACK:
        task->soon_callback_func = va_arg(*arguments, void (*)(void *, double));
        return true;
    default:
        return false;
    }
}

static bool read_member(struct starpu_task *task, int key, va_list *arguments)
{
    switch (key) {
        ONE(STARPU_PRIORITY, int, priority)
        ONE(STARPU_NAME, const char *, name)
        ONE(STARPU_FLOPS, double, flops)
        ONE(STARPU_TASK_COLOR, unsigned, color)
        ONE(STARPU_TASK_FILE, const char *, file)
        ONE(STARPU_TASK_LINE, int, line)
        ONE(STARPU_HYPERVISOR_TAG, int, hypervisor_tag)
        ONE(STARPU_SCHED_CTX, unsigned, sched_ctx)
        ONE(STARPU_TASK_SCHED_DATA, void *, sched_data)
        ONE(STARPU_POSSIBLY_PARALLEL, unsigned, possibly_parallel)
        ONE(STARPU_TAG_ONLY, starpu_tag_t, tag_id)
        ONE(STARPU_WORKER_ORDER, unsigned, workerorder)
        ONE(STARPU_HANDLES_SEQUENTIAL_CONSISTENCY, unsigned char *,
            handles_sequential_consistency)
        ONE(STARPU_TASK_PROFILING_INFO, struct starpu_profiling_task_info *,
            profiling_info)
        ONE(STARPU_TRANSACTION, struct starpu_transaction *, transaction)
        ONE(STARPU_RECURSIVE_TASK_FUNC, starpu_recursive_task_func_t,
            recursive_task_func)
        ONE(STARPU_RECURSIVE_TASK_FUNC_ARG, void *, recursive_task_func_arg)
        ONE(STARPU_RECURSIVE_TASK_GEN_DAG_FUNC,
            starpu_recursive_task_gen_dag_func_t, recursive_task_gen_dag_func)
        ONE(STARPU_RECURSIVE_TASK_GEN_DAG_FUNC_ARG, void *,
            recursive_task_gen_dag_func_arg)
    case STARPU_TAG:
        task->tag_id = va_arg(*arguments, starpu_tag_t);
        task->use_tag = 1;
        return true;
    case STARPU_EXECUTE_WHERE:
        task->where = (int32_t)va_arg(*arguments, unsigned long long);
        return true;
    case STARPU_SEQUENTIAL_CONSISTENCY:
        task->sequential_consistency = va_arg(*arguments, unsigned) & 1;
        return true;
    case STARPU_TASK_SYNCHRONOUS:
        task->synchronous = va_arg(*arguments, int) != 0;
        return true;
    case STARPU_TASK_NO_SUBMITORDER:
        task->no_submitorder = va_arg(*arguments, unsigned) & 1;
        return true;
    case STARPU_TASK_END_DEP:
        starpu_task_end_dep_add(task, va_arg(*arguments, int));
        return true;
    case STARPU_TASK_WORKERIDS:
        task->workerids_len = va_arg(*arguments, unsigned);
        task->workerids = va_arg(*arguments, uint32_t *);
        return true;
    case STARPU_EXECUTE_ON_WORKER: {
        int worker = va_arg(*arguments, int);
        if (worker == -1)
            return true;
        task->workerid = (unsigned)worker;
        task->execute_on_a_specific_worker = 1;
        return true;
    }
    case STARPU_CL_ARGS:
    case STARPU_CL_ARGS_NFREE:
        task->cl_arg = va_arg(*arguments, void *);
        task->cl_arg_size = va_arg(*arguments, size_t);
        task->cl_arg_free = key == STARPU_CL_ARGS;
        return true;
    default:
        return false;
    }
}

/* Keys of several arguments that are not members, and keys of StarPU-MPI, which
 * mean nothing in one process. */
static bool read_rest(struct build *build, int key, va_list *arguments)
{
    switch (key) {
    case STARPU_VALUE: {
        const void *value = va_arg(*arguments, const void *);
        sp_pack_arg(&build->packed, value, va_arg(*arguments, size_t),
                    build->call);
        return true;
    }
    case STARPU_DATA_ARRAY: {
        starpu_data_handle_t *handles =
            va_arg(*arguments, starpu_data_handle_t *);
        starpu_task_insert_data_process_array_arg(
            build->cl, build->task, &build->room, &build->buffers,
            va_arg(*arguments, int), handles);
        return true;
    }
    case STARPU_DATA_MODE_ARRAY: {
        struct starpu_data_descr *data =
            va_arg(*arguments, struct starpu_data_descr *);
        starpu_task_insert_data_process_mode_array_arg(
            build->cl, build->task, &build->room, &build->buffers,
            va_arg(*arguments, int), data);
        return true;
    }
    case STARPU_NODE_ARRAY: {
        int *nodes = va_arg(*arguments, int *);
        starpu_task_insert_process_node_array_arg(
            build->cl, build->task, &build->node_room, &build->nodes,
            va_arg(*arguments, int), nodes);
        return true;
    }
    case STARPU_TASK_DEPS_ARRAY:
        build->dep_count = va_arg(*arguments, unsigned);
        build->deps = va_arg(*arguments, struct starpu_task **);
        return true;
    case STARPU_TASK_END_DEPS_ARRAY:
        build->end_count = va_arg(*arguments, unsigned);
        build->ends = va_arg(*arguments, struct starpu_task **);
        return true;
    case STARPU_EXECUTE_ON_DATA:
    case STARPU_NONE:
    case STARPU_RECURSIVE_TASK_PARENT:
        (void)va_arg(*arguments, void *);
        return true;
    case STARPU_EXECUTE_ON_NODE:
    case STARPU_NODE_SELECTION_POLICY: {
        int ignored = va_arg(*arguments, int);
        (void)ignored;
        return true;
    }
    default:
        return key == STARPU_RECURSIVE_TASK_NO_PRUNE;
    }
}

static void read_arguments(struct build *build, va_list *arguments)
{
    const int modes = STARPU_R | STARPU_W | STARPU_SCRATCH | STARPU_REDUX;
    for (int key; (key = va_arg(*arguments, int)) != 0;) {
        if (key & modes && (unsigned)key < STARPU_ACCESS_MODE_MAX)
            starpu_task_insert_data_process_arg(
                build->cl, build->task, &build->room, &build->buffers, key,
                va_arg(*arguments, starpu_data_handle_t));
        else if (!read_member(build->task, key, arguments) &&
                 !read_rest(build, key, arguments) &&
                 !read_callback(build->task, key, arguments))
            sp_fail(build->call,
                    "%#x is no key of starpu_task_insert(): does 0 end the "
                    "arguments?",
                    (unsigned)key);
    }
}

/* Returns false, after a message, if arguments exclude each other. */
static bool finish(struct build *build)
{
    struct starpu_task *task = build->task;
    struct starpu_codelet *cl = build->cl;
    if (cl && cl->nbuffers == STARPU_VARIABLE_NBUFFERS)
        task->nbuffers = build->buffers;
    else if (cl && build->buffers != cl->nbuffers)
        sp_fail(build->call, "%d data, but %d in codelet %s", build->buffers,
                cl->nbuffers, name_of(cl));
    if (build->packed.nargs && task->cl_arg) {
        sp_warn("%s: task %s has STARPU_VALUE and STARPU_CL_ARGS", build->call,
                sp_task_name(task));
        free(build->packed.arg_buffer);
        return false;
    }
    if (build->packed.nargs)
        starpu_codelet_pack_arg_fini(&build->packed, &task->cl_arg,
                                     &task->cl_arg_size);
    if (build->dep_count)
        starpu_task_declare_deps_array(task, build->dep_count, build->deps);
    if (build->end_count)
        starpu_task_declare_end_deps_array(task, build->end_count, build->ends);
    return true;
}

static bool build_task(struct starpu_task *task, struct starpu_codelet *cl,
                       const char *call, va_list *arguments)
{
    sp_task_need(task, call);
    struct build build = {.task = task, .cl = cl, .call = call};
    starpu_codelet_pack_arg_init(&build.packed);
    task->cl = cl;
    task->cl_arg_free = 1;
    read_arguments(&build, arguments);
    return finish(&build);
}

static void warn_of_no_worker(const struct starpu_task *task, const char *call)
{
    uint32_t where = sp_task_where(task);
    const char *classes = where & STARPU_CPU && where & STARPU_CUDA
                              ? "for CPUs and GPUs"
                          : where & STARPU_CPU  ? "for CPUs"
                          : where & STARPU_CUDA ? "for GPUs"
                                                : "for neither CPUs nor GPUs";

    sp_warn("%s: no worker can run task %s: its codelet is %s, and there are "
            "%u CPUs and %u GPUs",
            call, sp_task_name(task), classes, sp_session.cpus,
            sp_session.gpus);
}

static int insert(struct starpu_codelet *cl, va_list *arguments)
{
    static const char call[] = "starpu_task_insert()";
    struct starpu_task *task = sp_task_new_unseen();
    int result = -EINVAL;
    if (build_task(task, cl, call, arguments)) {
        result = sp_task_submit(task, call);
        if (!result)
            return 0;
        warn_of_no_worker(task, call);
    }
    sp_task_free(task);
    return result;
}

int starpu_task_insert(struct starpu_codelet *cl, ...)
{
    va_list arguments;
    va_start(arguments, cl);
    int result = insert(cl, &arguments);
    va_end(arguments);
    return result;
}

int starpu_insert_task(struct starpu_codelet *cl, ...)
{
    va_list arguments;
    va_start(arguments, cl);
    int result = insert(cl, &arguments);
    va_end(arguments);
    return result;
}

struct starpu_task *starpu_task_build(struct starpu_codelet *cl, ...)
{
    struct starpu_task *task = starpu_task_create();
    task->name = "task_build";
    va_list arguments;
    va_start(arguments, cl);
    bool done = build_task(task, cl, "starpu_task_build()", &arguments);
    va_end(arguments);
    if (done)
        return task;
    sp_task_free(task);
    return NULL;
}

int starpu_task_set(struct starpu_task *task, struct starpu_codelet *cl, ...)
{
    va_list arguments;
    va_start(arguments, cl);
    bool done = build_task(task, cl, "starpu_task_set()", &arguments);
    va_end(arguments);
    return done ? 0 : -EINVAL;
}

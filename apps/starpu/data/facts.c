/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/data/handle_state.h"

#include <stdarg.h>

/* What a program notes about handles, and asks about them. */

void starpu_data_set_name(starpu_data_handle_t handle, const char *name)
{
    SP_KNOWN(handle);
    g_free(handle->name);
    handle->name = g_strdup(name);
    if (!handle->parent && handle->data)
        sp_calls->data_set_name(handle->data, name);
}

void starpu_data_set_coordinates_array(starpu_data_handle_t handle,
                                       unsigned dimensions, int dims[])
{
    SP_KNOWN(handle);
    handle->dimensions = MIN(dimensions, SP_MAX_COORDINATES);
    for (unsigned i = 0; i < handle->dimensions; i++)
        handle->coordinates[i] = dims[i];
    if (dimensions == 2 && dims[0] >= 0 && dims[1] >= 0 && handle->data)
        sp_calls->data_set_coordinates(handle->data, (unsigned)dims[0],
                                       (unsigned)dims[1]);
}

void starpu_data_set_coordinates(starpu_data_handle_t handle,
                                 unsigned dimensions, ...)
{
    SP_KNOWN(handle);
    int coordinates[SP_MAX_COORDINATES];
    unsigned count = MIN(dimensions, SP_MAX_COORDINATES);
    va_list arguments;

    va_start(arguments, dimensions);
    for (unsigned i = 0; i < count; i++)
        coordinates[i] = va_arg(arguments, int);
    va_end(arguments);
    starpu_data_set_coordinates_array(handle, count, coordinates);
}

unsigned starpu_data_get_coordinates_array(starpu_data_handle_t handle,
                                           unsigned dimensions, int dims[])
{
    SP_KNOWN(handle);
    for (unsigned i = 0; i < MIN(dimensions, handle->dimensions); i++)
        dims[i] = handle->coordinates[i];
    return handle->dimensions;
}

void starpu_data_set_user_data(starpu_data_handle_t handle, void *user_data)
{
    SP_KNOWN(handle);
    handle->user_data = user_data;
}

void *starpu_data_get_user_data(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->user_data;
}

void starpu_data_set_sched_data(starpu_data_handle_t handle, void *sched_data)
{
    SP_KNOWN(handle);
    handle->scheduler_data = sched_data;
}

void *starpu_data_get_sched_data(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->scheduler_data;
}

void starpu_data_advise_as_important(starpu_data_handle_t handle,
                                     unsigned is_important)
{
    SP_KNOWN(handle);
    handle->important = is_important != 0;
}

void starpu_data_set_ooc_flag(starpu_data_handle_t handle, unsigned flag)
{
    SP_KNOWN(handle);
    handle->out_of_core = flag != 0;
}

unsigned starpu_data_get_ooc_flag(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->out_of_core;
}

void starpu_data_set_sequential_consistency_flag(starpu_data_handle_t handle,
                                                 unsigned flag)
{
    SP_KNOWN(handle);
    bool unordered = flag == 0;

    for (unsigned i = 0; i < handle->child_count; i++)
        starpu_data_set_sequential_consistency_flag(handle->children[i], flag);
    if (handle->unordered == unordered)
        return;
    handle->unordered = unordered;
    if (handle->data)
        sp_calls->data_set_unordered(sp_session.run, handle->data, unordered);
}

unsigned
starpu_data_get_sequential_consistency_flag(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return !handle->unordered;
}

struct starpu_data_interface_ops *
starpu_data_get_interface_ops(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->ops;
}

enum starpu_data_interface_id
starpu_data_get_interface_id(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->ops->interfaceid;
}

int starpu_data_get_home_node(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->home_node;
}

void *starpu_data_get_interface_on_node(starpu_data_handle_t handle,
                                        unsigned memory_node)
{
    SP_KNOWN(handle);
    return memory_node == 0 ? handle->ram : handle->elsewhere;
}

size_t starpu_data_get_size(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->ops->get_size(handle);
}

size_t starpu_data_get_alloc_size(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->ops->get_alloc_size ? handle->ops->get_alloc_size(handle)
                                       : handle->ops->get_size(handle);
}

starpu_ssize_t starpu_data_get_max_size(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->ops->get_max_size
               ? (starpu_ssize_t)handle->ops->get_max_size(handle)
               : -1;
}

void *starpu_data_handle_to_pointer(starpu_data_handle_t handle, unsigned node)
{
    SP_KNOWN(handle);
    if (node != 0 || !handle->has_memory)
        return NULL;
    if (handle->ops->to_pointer)
        return handle->ops->to_pointer(handle->ram, 0);
    return handle->ops->handle_to_pointer
               ? handle->ops->handle_to_pointer(handle, 0)
               : NULL;
}

void *starpu_data_handle_to_pointer_ref(starpu_data_handle_t handle,
                                        unsigned node)
{
    SP_KNOWN(handle);
    return starpu_data_handle_to_pointer(handle, node);
}

void starpu_data_handle_to_pointer_unref(starpu_data_handle_t handle,
                                         unsigned node)
{
    (void)handle;
    (void)node;
}

void *starpu_data_get_local_ptr(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return starpu_data_handle_to_pointer(handle, 0);
}

void starpu_data_ptr_register(starpu_data_handle_t handle, unsigned node)
{
    SP_KNOWN(handle);
    if (node == 0)
        handle->has_memory = true;
}

void starpu_subdata_ptr_register(starpu_data_handle_t handle, unsigned node)
{
    SP_KNOWN(handle);
    handle->initialized = true;
    handle->home_node = (int)node;
    starpu_data_ptr_register(handle, node);
}

int starpu_data_pack_node(starpu_data_handle_t handle, unsigned node,
                          void **ptr, starpu_ssize_t *count)
{
    SP_KNOWN(handle);
    if (!handle->ops->pack_data)
        sp_fail("starpu_data_pack()", "the kind of %s has no pack_data",
                sp_handle_name(handle));
    return handle->ops->pack_data(handle, node, ptr, count);
}

int starpu_data_pack(starpu_data_handle_t handle, void **ptr,
                     starpu_ssize_t *count)
{
    SP_KNOWN(handle);
    return starpu_data_pack_node(handle, 0, ptr, count);
}

int starpu_data_peek_node(starpu_data_handle_t handle, unsigned node, void *ptr,
                          size_t count)
{
    SP_KNOWN(handle);
    if (!handle->ops->peek_data)
        sp_fail("starpu_data_peek()", "the kind of %s has no peek_data",
                sp_handle_name(handle));
    return handle->ops->peek_data(handle, node, ptr, count);
}

int starpu_data_peek(starpu_data_handle_t handle, void *ptr, size_t count)
{
    SP_KNOWN(handle);
    return starpu_data_peek_node(handle, 0, ptr, count);
}

int starpu_data_unpack_node(starpu_data_handle_t handle, unsigned node,
                            void *ptr, size_t count)
{
    SP_KNOWN(handle);
    if (!handle->ops->unpack_data)
        sp_fail("starpu_data_unpack()", "the kind of %s has no unpack_data",
                sp_handle_name(handle));
    return handle->ops->unpack_data(handle, node, ptr, count);
}

int starpu_data_unpack(starpu_data_handle_t handle, void *ptr, size_t count)
{
    SP_KNOWN(handle);
    return starpu_data_unpack_node(handle, 0, ptr, count);
}

void starpu_data_print(starpu_data_handle_t handle, unsigned node, FILE *stream)
{
    SP_KNOWN(handle);
    char text[64] = "";

    if (node == 0 && handle->ops->describe)
        handle->ops->describe(handle->ram, text, sizeof(text));
    fprintf(stream, "%s", text);
}

/* Temporary data of the run have no reduction, so that such a datum is one with
 * a content that no task reads. */
void starpu_data_set_reduction_methods_with_args(
    starpu_data_handle_t handle, struct starpu_codelet *redux_cl,
    void *redux_cl_arg, struct starpu_codelet *init_cl, void *init_cl_arg)
{
    SP_KNOWN(handle);
    for (unsigned i = 0; i < handle->child_count; i++)
        starpu_data_set_reduction_methods_with_args(
            handle->children[i], redux_cl, redux_cl_arg, init_cl, init_cl_arg);
    handle->reduces = redux_cl;
    handle->reduces_argument = redux_cl_arg;
    handle->initializes = init_cl;
    handle->initializes_argument = init_cl_arg;
    if (handle->home_node < 0 && redux_cl && !handle->initialized)
        sp_handle_register(handle, "starpu_data_set_reduction_methods()");
}

void starpu_data_set_reduction_methods(starpu_data_handle_t handle,
                                       struct starpu_codelet *redux_cl,
                                       struct starpu_codelet *init_cl)
{
    SP_KNOWN(handle);
    starpu_data_set_reduction_methods_with_args(handle, redux_cl, NULL, init_cl,
                                                NULL);
}

unsigned starpu_data_has_reduction_methods(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return handle->reduces != NULL;
}

void starpu_data_set_reduction_scratch(
    starpu_data_handle_t handle, starpu_data_handle_t redux_scratch_handle)
{
    SP_KNOWN(handle);
    handle->reduction_scratch = redux_scratch_handle;
}

struct starpu_codelet *sp_handle_reduction(starpu_data_handle_t handle,
                                           void **argument)
{
    *argument = handle->reduces_argument;
    return handle->reduces;
}

starpu_data_handle_t sp_handle_reduction_scratch(starpu_data_handle_t handle)
{
    return handle->reduction_scratch;
}

struct starpu_codelet *sp_handle_initializer(starpu_data_handle_t handle,
                                             void **argument)
{
    *argument = handle->initializes_argument;
    return handle->initializes;
}

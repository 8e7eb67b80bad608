/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/data/handle_state.h"
#include "apps/starpu/data/plan.h"

#include <starpu_data_filters.h>
#include <stdarg.h>

/* Handles split at once, when all tasks before have ended. */

unsigned sp_filter_parts(starpu_data_handle_t handle,
                         struct starpu_data_filter *filter, const char *call)
{
    const unsigned most = 1 << 24;
    unsigned parts;

    if (!filter)
        sp_fail(call, "%s: the filter is NULL", sp_handle_name(handle));
    parts = filter->get_nchildren ? filter->get_nchildren(filter, handle)
                                  : filter->nchildren;
    if (!filter->filter_func)
        sp_fail(call, "%s: the filter has no filter_func",
                sp_handle_name(handle));
    if (parts == 0)
        sp_fail(call, "%s: the filter makes no parts", sp_handle_name(handle));
    if (parts > most)
        sp_fail(call, "%s: the filter makes %u parts: expected at most %u",
                sp_handle_name(handle), parts, most);
    return parts;
}

/* StarPU adds the number of the part as one more coordinate. */
static void inherit_coordinates(starpu_data_handle_t child,
                                starpu_data_handle_t parent, unsigned index)
{
    child->dimensions = parent->dimensions;
    for (unsigned i = 0; i < parent->dimensions; i++)
        child->coordinates[i] = parent->coordinates[i];
    if (child->dimensions < SP_MAX_COORDINATES)
        child->coordinates[child->dimensions++] = (int)index;
}

starpu_data_handle_t sp_part_new(starpu_data_handle_t parent,
                                 struct starpu_data_filter *filter,
                                 unsigned index, unsigned parts,
                                 const char *call)
{
    struct starpu_data_interface_ops *ops =
        filter->get_child_ops ? filter->get_child_ops(filter, index)
                              : parent->ops;
    starpu_data_handle_t child;

    sp_kind_check(ops, call);
    child = sp_handle_new(ops, parent->home_node);
    child->gathering_node = parent->gathering_node;
    child->parent = parent;
    child->index = index;
    child->unordered = parent->unordered;
    child->initialized = parent->initialized;
    child->has_memory = parent->has_memory;
    child->important = parent->important;
    child->out_of_core = parent->out_of_core;
    child->reduces = parent->reduces;
    child->reduces_argument = parent->reduces_argument;
    child->initializes = parent->initializes;
    child->initializes_argument = parent->initializes_argument;
    inherit_coordinates(child, parent, index);
    if (!parent->has_memory) {
        child->filter = g_memdup2(filter, sizeof(*filter));
        child->siblings = parts;
    }
    filter->filter_func(parent->ram, child->ram, filter, index, parts);
    filter->filter_func(parent->elsewhere, child->elsewhere, filter, index,
                        parts);
    sp_handle_measure(child);
    return child;
}

/* Waits for the tasks that access @handle: afterwards its content is in RAM
 * alone. */
static void gather(starpu_data_handle_t handle, const char *call)
{
    enum orr_access_mode mode = handle->initialized ? ORR_RW : ORR_W;
    GError *error = NULL;

    if (!sp_calls->data_acquire(sp_session.run, handle->data, mode, &error))
        sp_fail_error(call, error);
    sp_calls->data_release(sp_session.run, handle->data);
}

void starpu_data_partition(starpu_data_handle_t initial_handle,
                           struct starpu_data_filter *f)
{
    const char *call = "starpu_data_partition()";
    unsigned parts;

    sp_handle_check(initial_handle, call);
    if (initial_handle->plans)
        sp_fail(call, "%s has planned partitions, too",
                sp_handle_name(initial_handle));
    parts = sp_filter_parts(initial_handle, f, call);
    gather(initial_handle, call);
    initial_handle->children = g_new(starpu_data_handle_t, parts);
    for (unsigned i = 0; i < parts; i++) {
        initial_handle->children[i] =
            sp_part_new(initial_handle, f, i, parts, call);
        sp_handle_register(initial_handle->children[i], call);
    }
    initial_handle->child_count = parts;
}

void starpu_data_unpartition(starpu_data_handle_t root_data,
                             unsigned gathering_node)
{
    SP_KNOWN(root_data);
    const char *call = "starpu_data_unpartition()";
    bool initialized;

    if (root_data->child_count == 0)
        sp_fail(call, "%s is not split into parts", sp_handle_name(root_data));
    if (gathering_node != 0)
        sp_fail(call, "parts are joined in RAM: expected node 0, not %u",
                gathering_node);
    for (unsigned i = 0; i < root_data->child_count; i++) {
        if (root_data->children[i]->child_count > 0)
            starpu_data_unpartition(root_data->children[i], gathering_node);
        gather(root_data->children[i], call);
    }
    initialized = root_data->children[0]->initialized;
    for (unsigned i = 0; i < root_data->child_count; i++) {
        GError *error = NULL;

        if (!sp_calls->data_unregister(sp_session.run,
                                       root_data->children[i]->data, &error))
            sp_fail_error(call, error);
        sp_handle_free(root_data->children[i]);
    }
    g_clear_pointer(&root_data->children, g_free);
    root_data->child_count = 0;
    root_data->initialized = initialized;
}

int starpu_data_get_nb_children(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    return (int)handle->child_count;
}

static starpu_data_handle_t child(starpu_data_handle_t handle, unsigned i,
                                  const char *call)
{
    sp_handle_need(handle, call);
    if (i >= handle->child_count)
        sp_fail(call, "part %u of %s, which has %u parts", i,
                sp_handle_name(handle), handle->child_count);
    return handle->children[i];
}

starpu_data_handle_t starpu_data_get_child(starpu_data_handle_t handle,
                                           unsigned i)
{
    return child(handle, i, "starpu_data_get_child()");
}

starpu_data_handle_t starpu_data_vget_sub_data(starpu_data_handle_t root_data,
                                               unsigned depth, va_list pa)
{
    for (unsigned i = 0; i < depth; i++) {
        root_data = child(root_data, va_arg(pa, unsigned),
                          "starpu_data_get_sub_data()");
    }
    return root_data;
}

starpu_data_handle_t starpu_data_get_sub_data(starpu_data_handle_t root_data,
                                              unsigned depth, ...)
{
    va_list numbers;
    starpu_data_handle_t part;

    va_start(numbers, depth);
    part = starpu_data_vget_sub_data(root_data, depth, numbers);
    va_end(numbers);
    return part;
}

/* Splits all parts of @handle that are not split, or @handle itself. */
static void split_leaves(starpu_data_handle_t handle,
                         struct starpu_data_filter *filter)
{
    sp_handle_need(handle, "starpu_data_map_filters()");
    if (handle->child_count == 0) {
        starpu_data_partition(handle, filter);
        return;
    }
    for (unsigned i = 0; i < handle->child_count; i++)
        split_leaves(handle->children[i], filter);
}

void starpu_data_vmap_filters(starpu_data_handle_t root_data, unsigned nfilters,
                              va_list pa)
{
    for (unsigned i = 0; i < nfilters; i++) {
        split_leaves(root_data, va_arg(pa, struct starpu_data_filter *));
    }
}

void starpu_data_map_filters(starpu_data_handle_t root_data, unsigned nfilters,
                             ...)
{
    va_list filters;

    va_start(filters, nfilters);
    starpu_data_vmap_filters(root_data, nfilters, filters);
    va_end(filters);
}

void starpu_data_map_filters_parray(starpu_data_handle_t root_handle,
                                    int nfilters,
                                    struct starpu_data_filter **filters)
{
    for (int i = 0; i < nfilters; i++)
        split_leaves(root_handle, filters[i]);
}

void starpu_data_map_filters_array(starpu_data_handle_t root_handle,
                                   int nfilters,
                                   struct starpu_data_filter *filters)
{
    for (int i = 0; i < nfilters; i++)
        split_leaves(root_handle, &filters[i]);
}

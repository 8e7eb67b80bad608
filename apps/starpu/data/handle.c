/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/data/handle.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/data/elements.h"
#include "apps/starpu/data/handle_state.h"

#include <starpu_data_filters.h>
#include <starpu_hash.h>

/* The handles of the session, newest first. */
static struct {
    starpu_data_handle_t newest;
    unsigned count; /* all that were registered */
    char *name;     /* sp_handle_name() */
    bool unordered; /* new handles */
    int last_kind;  /* the newest number of a kind of the program */
} handles = {.last_kind = STARPU_MAX_INTERFACE_ID - 1};

static bool is_freed(starpu_data_handle_t handle)
{
    uintptr_t address = (uintptr_t)handle;

    return address >= 4096 && address % sizeof(void *) == 0 &&
           handle->magic == SP_HANDLE_FREED;
}

G_NORETURN static void fail_unknown(starpu_data_handle_t handle,
                                    const char *call)
{
    if (!handle)
        sp_fail(call, "the data handle is NULL");
    if (sp_handle_is_known(handle) || is_freed(handle))
        sp_fail(call, "%s was unregistered before", sp_handle_name(handle));
    sp_fail(call, "the data handle is not one of starpu_data_register()");
}

void sp_handle_unknown(starpu_data_handle_t handle, const char *function)
{
    g_autofree char *call = g_strconcat(function, "()", NULL);

    fail_unknown(handle, call);
}

void sp_handle_need(starpu_data_handle_t handle, const char *call)
{
    if (!sp_handle_is_known(handle))
        fail_unknown(handle, call);
}

void sp_handle_check(starpu_data_handle_t handle, const char *call)
{
    if (!sp_handle_is_known(handle) || !handle->data)
        fail_unknown(handle, call);
    if (handle->child_count > 0)
        sp_fail(call,
                "%s is split into %u parts by starpu_data_partition(): "
                "expected one of its parts",
                sp_handle_name(handle), handle->child_count);
}

struct orr_data *sp_handle_data(starpu_data_handle_t handle, const char *call)
{
    if (G_UNLIKELY(!sp_handle_is_known(handle) || !handle->data ||
                   handle->child_count > 0))
        sp_handle_check(handle, call);
    return handle->data;
}

uint64_t sp_handle_size(starpu_data_handle_t handle)
{
    return handle->bytes;
}

uint32_t sp_handle_footprint(starpu_data_handle_t handle)
{
    return handle->footprint;
}

static void append_name(GString *name, starpu_data_handle_t handle)
{
    if (handle->name) {
        g_string_append(name, handle->name);
    } else if (handle->parent) {
        append_name(name, handle->parent);
        g_string_append_printf(name, ".%u", handle->index);
    } else {
        g_string_append_printf(name, "datum %u", handle->number);
    }
}

const char *sp_handle_name(starpu_data_handle_t handle)
{
    GString *name = g_string_new(NULL);

    append_name(name, handle);
    g_free(handles.name);
    handles.name = g_string_free(name, FALSE);
    return handles.name;
}

void *sp_handle_interface(starpu_data_handle_t handle)
{
    if (G_UNLIKELY(!handle->has_memory))
        sp_handle_allocate(handle, "starpu_task_submit()");
    return handle->ram;
}

void sp_interface_copy(const struct starpu_data_interface_ops *ops, void *from,
                       void *to)
{
    const struct starpu_data_copy_methods *methods = ops->copy_methods;

    if (methods && methods->ram_to_ram)
        methods->ram_to_ram(from, 0, to, 0);
    else if (methods && methods->any_to_any)
        methods->any_to_any(from, 0, to, 0, NULL);
    else
        sp_fail("starpu_data_cpy()", "the kind \"%s\" has no copy method",
                ops->name ? ops->name : "of the program");
}

bool sp_handle_is_unordered(starpu_data_handle_t handle)
{
    return handle->unordered;
}

void sp_handle_written(starpu_data_handle_t handle)
{
    handle->initialized = true;
}

bool sp_handle_has_content(starpu_data_handle_t handle)
{
    return handle->initialized;
}

starpu_data_handle_t sp_handle_root(starpu_data_handle_t handle)
{
    while (handle->parent)
        handle = handle->parent;
    return handle;
}

void *sp_handle_expect(starpu_data_handle_t handle,
                       enum starpu_data_interface_id id, const char *call)
{
    sp_handle_need(handle, call);
    if (handle->ops->interfaceid != id)
        sp_fail(call, "%s is of another kind: \"%s\"", sp_handle_name(handle),
                handle->ops->name ? handle->ops->name : "of the program");
    return handle->ram;
}

/* Filters of StarPU's kinds write their interfaces, whatever kind of parts the
 * program wants: each has room for any of them. */
#define LEAST_INTERFACE sizeof(struct starpu_tensor_interface)
G_STATIC_ASSERT(LEAST_INTERFACE >= sizeof(struct starpu_ndim_interface));
G_STATIC_ASSERT(LEAST_INTERFACE >= sizeof(struct starpu_bcsr_interface));
#define MOST_INTERFACE ((size_t)1 << 20)

void sp_kind_check(const struct starpu_data_interface_ops *ops,
                   const char *call)
{
    const char *name;

    if (!ops)
        sp_fail(call, "the kind of data is NULL");
    name = ops->name ? ops->name : "of the program";
    if (!ops->register_data_handle || !ops->get_size || !ops->footprint)
        sp_fail(call,
                "the kind \"%s\" lacks register_data_handle, get_size or "
                "footprint",
                name);
    if (ops->interface_size > MOST_INTERFACE)
        sp_fail(call, "the kind \"%s\" has interface_size %zu: at most %zu",
                name, ops->interface_size, MOST_INTERFACE);
}

starpu_data_handle_t sp_handle_new(struct starpu_data_interface_ops *ops,
                                   int home_node)
{
    size_t bytes =
        (MAX(ops->interface_size, LEAST_INTERFACE) + 15) & ~(size_t)15;
    starpu_data_handle_t handle = g_malloc0(sizeof(*handle) + 2 * bytes + 15);

    handle->magic = SP_HANDLE;
    handle->ops = ops;
    handle->ram = (void *)(((uintptr_t)(handle + 1) + 15) & ~(uintptr_t)15);
    handle->elsewhere = (char *)handle->ram + bytes;
    if (ops->init) {
        ops->init(handle->ram);
        ops->init(handle->elsewhere);
    }
    handle->home_node = home_node;
    handle->initialized = handle->has_memory = home_node >= 0;
    handle->unordered = handles.unordered;
    handle->important = handle->out_of_core = true;
    handle->number = handles.count++;
    handle->next = handles.newest;
    if (handles.newest)
        handles.newest->previous = handle;
    handles.newest = handle;
    return handle;
}

starpu_data_handle_t sp_handle_of_datum(const struct orr_data *data)
{
    starpu_data_handle_t handle = handles.newest;

    while (handle && handle->data != data)
        handle = handle->next;
    return handle;
}

/* The memory of handles that were freed last stays, so that a program that
 * still uses one gets a message. */
static void free_later(starpu_data_handle_t handle)
{
    static starpu_data_handle_t freed[256];
    static unsigned next;

    handle->magic = SP_HANDLE_FREED;
    handle->data = NULL;
    handle->parent = NULL;
    if (freed[next]) {
        g_free(freed[next]->name);
        g_free(freed[next]);
    }
    freed[next] = handle;
    next = (next + 1) % G_N_ELEMENTS(freed);
}

void sp_handle_free(starpu_data_handle_t handle)
{
    if (handle->ops->unregister_data_handle)
        handle->ops->unregister_data_handle(handle);
    if (handle->owns_memory && handle->ops->free_data_on_node)
        handle->ops->free_data_on_node(handle->ram, 0);
    if (handle->previous)
        handle->previous->next = handle->next;
    else
        handles.newest = handle->next;
    if (handle->next)
        handle->next->previous = handle->previous;
    g_clear_pointer(&handle->plans, g_ptr_array_unref);
    g_clear_pointer(&handle->gone, g_ptr_array_unref);
    g_free(handle->children);
    g_free(handle->filter);
    free_later(handle);
}

/* StarPU seeds the hash by the number of its own kinds. */
void sp_handle_measure(starpu_data_handle_t handle)
{
    int id = handle->ops->interfaceid;
    uint32_t seed = id < STARPU_MAX_INTERFACE_ID ? (uint32_t)id : 0;

    handle->bytes = handle->ops->get_size(handle);
    handle->footprint =
        starpu_hash_crc32c_be(handle->ops->footprint(handle), seed);
}

/* Of a datum in a run. */
#define MOST_BYTES (UINT64_C(1) << 50)

/* Parts of one whole have its name in the run, so that tasks fetch them in
 * StarPU's order. */
static void name_part(starpu_data_handle_t handle)
{
    starpu_data_handle_t root = sp_handle_root(handle);
    g_autofree char *name = g_strdup(sp_handle_name(root));

    sp_calls->data_set_name(handle->data, name);
}

void sp_handle_layout(starpu_data_handle_t handle, uint64_t *column_bytes,
                      uint64_t *columns, uint64_t *pitch_bytes)
{
    struct sp_dense dense;
    uint64_t column = 1;
    unsigned i = 0;

    *column_bytes = *pitch_bytes = MAX(handle->bytes, 1);
    *columns = 1;
    if (handle->ops->interfaceid >= STARPU_MAX_INTERFACE_ID ||
        handle->bytes == 0 || !sp_dense_read(handle->ram, &dense) ||
        !dense.device)
        return;
    while (i < dense.dimensions &&
           (dense.counts[i] == 1 || dense.steps[i] == column))
        column *= dense.counts[i++];
    if (i == dense.dimensions || dense.steps[i] < column)
        return;
    *column_bytes = column * dense.element_bytes;
    *columns = handle->bytes / *column_bytes;
    *pitch_bytes = dense.steps[i] * dense.element_bytes;
}

void sp_handle_register(starpu_data_handle_t handle, const char *call)
{
    uint64_t column, columns, pitch;

    if (handle->bytes > MOST_BYTES)
        sp_fail(call,
                "%s has %" G_GUINT64_FORMAT " bytes: expected at most 2^50",
                sp_handle_name(handle), handle->bytes);
    sp_handle_layout(handle, &column, &columns, &pitch);
    handle->data =
        handle->home_node < 0 && !handle->parent && !handle->reduces
            ? sp_calls->data_register_temporary(sp_session.run, handle->bytes)
            : sp_calls->data_register_matrix(sp_session.run, column, columns,
                                             pitch);
    if (handle->unordered)
        sp_calls->data_set_unordered(sp_session.run, handle->data, true);
    if (handle->parent)
        name_part(handle);
}

void starpu_data_register(starpu_data_handle_t *handleptr, int home_node,
                          void *data_interface,
                          struct starpu_data_interface_ops *ops)
{
    const char *call = "starpu_data_register()";
    starpu_data_handle_t handle;

    sp_need_session(call);
    if (home_node < -1 || home_node >= (int)sp_session.nodes)
        sp_fail(call, "memory node %d: expected -1 to %u", home_node,
                sp_session.nodes - 1);
    if (home_node > 0)
        sp_fail(call,
                "data at home in the memory of a GPU (node %d) are not "
                "simulated",
                home_node);
    if (!handleptr)
        sp_fail(call, "the address of the data handle is NULL");
    sp_kind_check(ops, call);
    starpu_data_register_ops(ops);
    *handleptr = handle = sp_handle_new(ops, home_node);
    ops->register_data_handle(handle, home_node, data_interface);
    sp_handle_measure(handle);
    sp_handle_register(handle, call);
}

void starpu_data_register_ops(struct starpu_data_interface_ops *ops)
{
    if (ops->interfaceid == STARPU_UNKNOWN_INTERFACE_ID)
        ops->interfaceid = starpu_data_interface_get_next_id();
}

int starpu_data_interface_get_next_id(void)
{
    return ++handles.last_kind;
}

void starpu_data_register_same(starpu_data_handle_t *handledst,
                               starpu_data_handle_t handlesrc)
{
    SP_KNOWN(handlesrc);
    starpu_data_register(handledst, -1, handlesrc->ram, handlesrc->ops);
}

void sp_handle_allocate(starpu_data_handle_t handle, const char *call)
{
    if (handle->has_memory)
        return;
    if (handle->parent) {
        sp_handle_allocate(handle->parent, call);
        handle->filter->filter_func(handle->parent->ram, handle->ram,
                                    handle->filter, handle->index,
                                    handle->siblings);
        handle->has_memory = true;
        return;
    }
    if (handle->ops->allocate_data_on_node &&
        handle->ops->allocate_data_on_node(handle->ram, 0) < 0)
        sp_fail(call, "%s: no memory", sp_handle_name(handle));
    handle->has_memory = handle->owns_memory = true;
}

void *sp_handle_copy_new(starpu_data_handle_t handle)
{
    const struct starpu_data_interface_ops *ops = handle->ops;
    void *copy;

    if (!ops->allocate_data_on_node || !ops->free_data_on_node)
        return NULL;
    copy = g_memdup2(handle->ram, ops->interface_size);
    if (ops->allocate_data_on_node(copy, 0) >= 0)
        return copy;
    g_free(copy);
    return NULL;
}

void sp_handle_copy_free(starpu_data_handle_t handle, void *copy)
{
    if (!copy)
        return;
    handle->ops->free_data_on_node(copy, 0);
    g_free(copy);
}

unsigned starpu_data_get_default_sequential_consistency_flag(void)
{
    return !handles.unordered;
}

void starpu_data_set_default_sequential_consistency_flag(unsigned flag)
{
    handles.unordered = flag == 0;
}

void sp_handles_end(void)
{
    starpu_data_handle_t handle;

    while ((handle = handles.newest)) {
        handle->previous = NULL; /* it is the newest one */
        /* Parts are newer than the whole: they are free already. */
        if (handle->plans)
            g_ptr_array_set_free_func(handle->plans, g_free);
        sp_handle_free(handle);
    }
    g_clear_pointer(&handles.name, g_free);
    handles.count = 0;
    handles.unordered = false;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/data/handle_state.h"

#include <starpu_stdlib.h>

/* Questions about copies and memories, as far as a program may ask them. */

/* Bits of enum orr_data_state. */
static unsigned state_on(starpu_data_handle_t handle, unsigned node,
                         const char *call)
{
    sp_need_session(call);
    struct orr_data *data = sp_handle_data(handle, call);
    if (node >= sp_session.nodes)
        sp_fail(call, "memory node %u: expected 0 to %u", node,
                sp_session.nodes - 1);
    return sp_calls->data_state(sp_session.run, data, node);
}

/* A request that StarPU calls loading is one that a driver has begun. */
void starpu_data_query_status2(starpu_data_handle_t handle, int memory_node,
                               int *is_allocated, int *is_valid,
                               int *is_loading, int *is_requested)
{
    unsigned state =
        state_on(handle, (unsigned)memory_node, "starpu_data_query_status2()");

    if (is_allocated)
        *is_allocated = (state & ORR_DATA_ALLOCATED) != 0;
    if (is_valid)
        *is_valid = (state & ORR_DATA_VALID) != 0;
    if (is_loading)
        *is_loading = (state & ORR_DATA_LOADING) != 0;
    if (is_requested)
        *is_requested = (state & ORR_DATA_REQUESTED) != 0;
}

void starpu_data_query_status(starpu_data_handle_t handle, int memory_node,
                              int *is_allocated, int *is_valid,
                              int *is_requested)
{
    starpu_data_query_status2(handle, memory_node, is_allocated, is_valid, NULL,
                              is_requested);
}

unsigned starpu_data_is_on_node(starpu_data_handle_t handle, unsigned node)
{
    return (state_on(handle, node, "starpu_data_is_on_node()") &
            (ORR_DATA_VALID | ORR_DATA_REQUESTED)) != 0;
}

unsigned starpu_data_is_on_node_excluding_prefetch(starpu_data_handle_t handle,
                                                   unsigned node)
{
    return (state_on(handle, node,
                     "starpu_data_is_on_node_excluding_prefetch()") &
            ORR_DATA_VALID) != 0;
}

unsigned starpu_data_test_if_allocated_on_node(starpu_data_handle_t handle,
                                               unsigned memory_node)
{
    SP_KNOWN(handle);
    if (memory_node == 0)
        return handle->has_memory;
    return (state_on(handle, memory_node,
                     "starpu_data_test_if_allocated_on_node()") &
            ORR_DATA_ALLOCATED) != 0;
}

unsigned starpu_data_test_if_mapped_on_node(starpu_data_handle_t handle,
                                            unsigned memory_node)
{
    (void)handle;
    (void)memory_node;
    return 0;
}

/* Hints about write-back and evictions; StarPU does without them, too. */
void starpu_data_set_wt_mask(starpu_data_handle_t handle, uint32_t wt_mask)
{
    (void)handle;
    (void)wt_mask;
}

struct starpu_arbiter {
    uint32_t number;
};

starpu_arbiter_t starpu_arbiter_create(void)
{
    static uint32_t last;
    starpu_arbiter_t arbiter = g_new0(struct starpu_arbiter, 1);
    arbiter->number = ++last;
    return arbiter;
}

void starpu_arbiter_destroy(starpu_arbiter_t arbiter)
{
    g_free(arbiter);
}

void starpu_data_assign_arbiter(starpu_data_handle_t handle,
                                starpu_arbiter_t arbiter)
{
    static const char call[] = "starpu_data_assign_arbiter()";
    struct orr_data *data = sp_handle_data(handle, call);
    if (!arbiter)
        sp_fail(call, "the arbiter is NULL");
    sp_calls->data_set_arbiter(sp_session.run, data, arbiter->number);
}

void starpu_data_set_gathering_node(starpu_data_handle_t handle, unsigned node)
{
    static const char call[] = "starpu_data_set_gathering_node()";
    sp_handle_check(handle, call);
    if (node >= sp_session.nodes)
        sp_fail(call, "memory node %u: expected 0 to %u", node,
                sp_session.nodes - 1);
    if (handle->plans)
        sp_fail(call, "%s has planned partitions already",
                sp_handle_name(handle));
    handle->gathering_node = node;
}

void starpu_memchunk_tidy(unsigned memory_node)
{
    (void)memory_node;
}

/* -1: without a limit, as RAM, or of no session. */
starpu_ssize_t starpu_memory_get_total(unsigned node)
{
    if (node == STARPU_MAIN_RAM || node >= sp_session.nodes || !sp_session.run)
        return -1;
    return (starpu_ssize_t)sp_calls->run_report(sp_session.run)
        ->gpu_memory_bytes;
}

starpu_ssize_t starpu_memory_get_available(unsigned node)
{
    (void)node;
    return -1;
}

size_t starpu_memory_get_used(unsigned node)
{
    (void)node;
    return 0;
}

/* StarPU adds up the memories with a limit. */
starpu_ssize_t starpu_memory_get_total_all_nodes(void)
{
    return 0;
}

starpu_ssize_t starpu_memory_get_available_all_nodes(void)
{
    return 0;
}

size_t starpu_memory_get_used_all_nodes(void)
{
    return 0;
}

int starpu_memory_allocate(unsigned node, size_t size, int flags)
{
    (void)node;
    (void)size;
    (void)flags;
    return 0;
}

void starpu_memory_deallocate(unsigned node, size_t size)
{
    (void)node;
    (void)size;
}

void starpu_memory_wait_available(unsigned node, size_t size)
{
    (void)node;
    (void)size;
}

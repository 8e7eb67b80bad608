/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/data/plan.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/data/handle.h"

/* Planned partitions. */

/* The plan that made @children of @handle. */
static struct sp_plan *find_plan(starpu_data_handle_t handle, unsigned nparts,
                                 starpu_data_handle_t *children,
                                 const char *call)
{
    struct sp_plan *plan = NULL;

    sp_handle_need(handle, call);
    if (nparts > 0 && !children)
        sp_fail(call, "%s: the array of its parts is NULL",
                sp_handle_name(handle));
    if (nparts > 0) {
        sp_handle_check(children[0], call);
        plan = children[0]->of;
    }
    if (!plan || plan->handle != handle)
        sp_fail(call, "%s: these are not parts of a plan for it",
                sp_handle_name(handle));
    if (nparts != plan->count)
        sp_fail(call, "%s: %u parts: expected the %u parts of the plan",
                sp_handle_name(handle), nparts, plan->count);
    return plan;
}

/* The place of the elements of @handle in memory, as the run knows it. */
static struct orr_part describe_part(starpu_data_handle_t handle)
{
    uint64_t column, columns, pitch;

    sp_handle_layout(handle, &column, &columns, &pitch);
    return (struct orr_part){column, columns, pitch};
}

static void free_plan(void *data)
{
    struct sp_plan *plan = data;

    for (unsigned i = 0; i < plan->count; i++)
        sp_handle_free(plan->parts[i]);
    g_free(plan);
}

static struct sp_plan *plan_new(starpu_data_handle_t handle,
                                struct starpu_data_filter *filter,
                                unsigned count, const char *call)
{
    struct sp_plan *plan =
        g_malloc0(sizeof(*plan) + count * sizeof(starpu_data_handle_t));
    g_autofree struct orr_part *parts = g_new(struct orr_part, count);

    plan->handle = handle;
    plan->count = count;
    for (unsigned i = 0; i < count; i++) {
        plan->parts[i] = sp_part_new(handle, filter, i, count, call);
        plan->parts[i]->of = plan;
        parts[i] = describe_part(plan->parts[i]);
    }
    plan->partition = sp_calls->partition_new_parts(sp_session.run,
                                                    handle->data, parts, count);
    if (!plan->partition)
        sp_fail(call, "%s cannot be split into these %u parts",
                sp_handle_name(handle), count);
    if (handle->gathering_node != STARPU_MAIN_RAM)
        sp_calls->partition_gather_on(plan->partition, handle->gathering_node);
    for (unsigned i = 0; i < count; i++)
        plan->parts[i]->data = sp_calls->partition_part(plan->partition, i, 0);
    return plan;
}

void starpu_data_partition_plan(starpu_data_handle_t initial_handle,
                                struct starpu_data_filter *f,
                                starpu_data_handle_t *children)
{
    const char *call = "starpu_data_partition_plan()";
    struct sp_plan *plan;

    sp_handle_check(initial_handle, call);
    if (initial_handle->unordered)
        sp_fail(call, "%s has no sequential consistency",
                sp_handle_name(initial_handle));
    if (!children)
        sp_fail(call, "%s: the array for its parts is NULL",
                sp_handle_name(initial_handle));
    plan = plan_new(initial_handle, f, sp_filter_parts(initial_handle, f, call),
                    call);
    if (!initial_handle->plans)
        initial_handle->plans = g_ptr_array_new_with_free_func(free_plan);
    g_ptr_array_add(initial_handle->plans, plan);
    for (unsigned i = 0; i < plan->count; i++)
        children[i] = plan->parts[i];
}

int starpu_data_partition_get_nplans(starpu_data_handle_t initial_handle)
{
    SP_KNOWN(initial_handle);
    return initial_handle->plans ? (int)initial_handle->plans->len : 0;
}

static void set_content(struct sp_plan *plan, bool initialized)
{
    for (unsigned i = 0; i < plan->count; i++)
        plan->parts[i]->initialized = initialized;
}

static void split(struct sp_plan *plan, bool read_only)
{
    plan->active = true;
    plan->read_only = read_only;
    set_content(plan, true);
    if (read_only)
        sp_calls->partition_split_readonly(plan->partition);
    else
        sp_calls->partition_split(plan->partition);
    if (!read_only)
        plan->handle->initialized = false;
}

static void join(struct sp_plan *plan, bool read_only)
{
    plan->active = plan->read_only = read_only;
    plan->handle->initialized = true;
    if (read_only) {
        sp_calls->partition_join_readonly(plan->partition);
    } else {
        sp_calls->partition_join(plan->partition);
        set_content(plan, false);
    }
}

/* What the program asks for itself. */
static void split_as_asked(starpu_data_handle_t handle, unsigned nparts,
                           starpu_data_handle_t *children, bool read_only,
                           const char *call)
{
    struct sp_plan *plan = find_plan(handle, nparts, children, call);

    if (plan->active && !plan->read_only)
        sp_fail(call, "%s is split into these %u parts already",
                sp_handle_name(handle), nparts);
    split(plan, read_only);
}

static void join_as_asked(starpu_data_handle_t handle, unsigned nparts,
                          starpu_data_handle_t *children, bool read_only,
                          const char *call)
{
    struct sp_plan *plan = find_plan(handle, nparts, children, call);

    if (!plan->active)
        sp_fail(call, "%s is not split into these %u parts",
                sp_handle_name(handle), nparts);
    join(plan, read_only);
}

void starpu_data_partition_submit(starpu_data_handle_t initial_handle,
                                  unsigned nparts,
                                  starpu_data_handle_t *children)
{
    split_as_asked(initial_handle, nparts, children, false,
                   "starpu_data_partition_submit()");
}

void starpu_data_partition_readonly_submit(starpu_data_handle_t initial_handle,
                                           unsigned nparts,
                                           starpu_data_handle_t *children)
{
    split_as_asked(initial_handle, nparts, children, true,
                   "starpu_data_partition_readonly_submit()");
}

void starpu_data_partition_readwrite_upgrade_submit(
    starpu_data_handle_t initial_handle, unsigned nparts,
    starpu_data_handle_t *children)
{
    split_as_asked(initial_handle, nparts, children, false,
                   "starpu_data_partition_readwrite_upgrade_submit()");
}

void starpu_data_partition_readonly_downgrade_submit(
    starpu_data_handle_t initial_handle, unsigned nparts,
    starpu_data_handle_t *children)
{
    join_as_asked(initial_handle, nparts, children, true,
                  "starpu_data_partition_readonly_downgrade_submit()");
}

/* In StarPU the home node of the data, or -1, too. */
static void check_node(starpu_data_handle_t handle, int node, const char *call)
{
    if (node != handle->home_node && node != -1)
        sp_fail(call, "%s is gathered on its home node %d, not on node %d",
                sp_handle_name(handle), handle->home_node, node);
}

void starpu_data_unpartition_submit(starpu_data_handle_t initial_handle,
                                    unsigned nparts,
                                    starpu_data_handle_t *children,
                                    int gathering_node)
{
    static const char call[] = "starpu_data_unpartition_submit()";

    sp_handle_need(initial_handle, call);
    check_node(initial_handle, gathering_node, call);
    join_as_asked(initial_handle, nparts, children, false, call);
}

void starpu_data_unpartition_readonly_submit(
    starpu_data_handle_t initial_handle, unsigned nparts,
    starpu_data_handle_t *children, int gathering_node)
{
    static const char call[] = "starpu_data_unpartition_readonly_submit()";

    sp_handle_need(initial_handle, call);
    check_node(initial_handle, gathering_node, call);
    join_as_asked(initial_handle, nparts, children, true, call);
}

/* Splits and joins that later tasks do not await are not simulated. */
static void check_order(starpu_data_handle_t handle, int ordered,
                        const char *call)
{
    sp_handle_need(handle, call);
    if (!ordered)
        sp_fail(call,
                "%s: a split or join without sequential consistency is "
                "not simulated",
                sp_handle_name(handle));
}

void starpu_data_partition_submit_sequential_consistency(
    starpu_data_handle_t initial_handle, unsigned nparts,
    starpu_data_handle_t *children, int sequential_consistency)
{
    check_order(initial_handle, sequential_consistency,
                "starpu_data_partition_submit_sequential_consistency()");
    starpu_data_partition_submit(initial_handle, nparts, children);
}

void starpu_data_partition_readonly_submit_sequential_consistency(
    starpu_data_handle_t initial_handle, unsigned nparts,
    starpu_data_handle_t *children, int sequential_consistency)
{
    check_order(initial_handle, sequential_consistency,
                "starpu_data_partition_readonly_submit_sequential_"
                "consistency()");
    starpu_data_partition_readonly_submit(initial_handle, nparts, children);
}

void starpu_data_unpartition_submit_sequential_consistency(
    starpu_data_handle_t initial_handle, unsigned nparts,
    starpu_data_handle_t *children, int gathering_node,
    int sequential_consistency)
{
    check_order(initial_handle, sequential_consistency,
                "starpu_data_unpartition_submit_sequential_consistency()");
    starpu_data_unpartition_submit(initial_handle, nparts, children,
                                   gathering_node);
}

static struct sp_plan *active_plan(starpu_data_handle_t handle)
{
    for (unsigned i = 0; handle->plans && i < handle->plans->len; i++) {
        struct sp_plan *plan = handle->plans->pdata[i];

        if (plan->active)
            return plan;
    }
    return NULL;
}

/* Joins all parts of @handle. StarPU does so also for a reader, which could do
 * with parts that can be read. */
static void join_below(starpu_data_handle_t handle)
{
    for (unsigned i = 0; handle->plans && i < handle->plans->len; i++) {
        struct sp_plan *plan = handle->plans->pdata[i];

        if (!plan->active)
            continue;
        for (unsigned part = 0; part < plan->count; part++)
            join_below(plan->parts[part]);
        join(plan, false);
    }
}

/* Whether @handle can be accessed now, as far as the plan above it goes. */
static bool is_accessible(starpu_data_handle_t handle, bool write)
{
    return !handle->of ||
           (handle->of->active && !(write && handle->of->read_only));
}

/* Makes @handle accessible, and splits it by @towards, unless that is NULL. */
static void open_path(starpu_data_handle_t handle, struct sp_plan *towards,
                      bool write)
{
    struct sp_plan *active;

    if (!is_accessible(handle, write))
        open_path(handle->parent, handle->of, write);
    active = active_plan(handle);
    if (active && (write || !active->read_only))
        join_below(handle);
    if (towards)
        split(towards, !write);
}

void sp_handle_prepare(starpu_data_handle_t handle,
                       enum starpu_data_access_mode mode, const char *call)
{
    (void)call;
    if (G_UNLIKELY(handle->plans || handle->of))
        open_path(handle, NULL, (mode & (STARPU_W | STARPU_REDUX)) != 0);
}

void starpu_data_unpartition_submit_r(starpu_data_handle_t initial_handle,
                                      int gathering_node)
{
    SP_KNOWN(initial_handle);
    check_node(initial_handle, gathering_node,
               "starpu_data_unpartition_submit_r()");
    join_below(initial_handle);
}

void starpu_data_partition_clean_node(starpu_data_handle_t root_data,
                                      unsigned nparts,
                                      starpu_data_handle_t *children,
                                      int gather_node)
{
    static const char call[] = "starpu_data_partition_clean()";
    struct sp_plan *plan = find_plan(root_data, nparts, children, call);
    unsigned place;

    if (plan->active) {
        check_node(root_data, gather_node, call);
        join(plan, false);
    }
    sp_calls->partition_remove(plan->partition);
    for (unsigned i = 0; i < plan->count; i++)
        plan->parts[i]->data = NULL;
    g_ptr_array_find(root_data->plans, plan, &place);
    g_ptr_array_steal_index(root_data->plans, place);
    if (!root_data->gone)
        root_data->gone = g_ptr_array_new_with_free_func(free_plan);
    g_ptr_array_add(root_data->gone, plan);
    if (root_data->plans->len == 0)
        g_clear_pointer(&root_data->plans, g_ptr_array_unref);
}

void starpu_data_partition_clean(starpu_data_handle_t root_data,
                                 unsigned nparts,
                                 starpu_data_handle_t *children)
{
    starpu_data_partition_clean_node(root_data, nparts, children,
                                     root_data->home_node);
}

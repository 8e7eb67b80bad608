/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program accesses data, moves them, and ends their lives. */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/data/handle_state.h"

#include <errno.h>

static struct orr_data *datum_of(starpu_data_handle_t handle, const char *call)
{
    sp_need_session(call);
    return sp_handle_data(handle, call);
}

/* The access of the run that @mode is; the program's accesses do not commute
 * with others. */
static enum orr_access_mode access_mode(starpu_data_handle_t handle,
                                        enum starpu_data_access_mode mode,
                                        const char *call)
{
    unsigned access = (unsigned)mode & STARPU_RW;

    if (access == 0)
        sp_fail(call,
                "mode %d for %s: expected STARPU_R, STARPU_W or "
                "STARPU_RW",
                (int)mode, sp_handle_name(handle));
    return (enum orr_access_mode)access;
}

static void check_node(int node, const char *call)
{
    if (node >= (int)sp_session.nodes || node < STARPU_ACQUIRE_NO_NODE_LOCK_ALL)
        sp_fail(call, "memory node %d: expected less than %u", node,
                sp_session.nodes);
}

/* Reading what was never written is an error, as in StarPU. */
static void check_content(starpu_data_handle_t handle,
                          enum starpu_data_access_mode mode, const char *call)
{
    if ((mode & STARPU_R) && !handle->initialized && !handle->initializes)
        sp_fail(call, "%s has no content yet, so it cannot be read",
                sp_handle_name(handle));
    if (mode & STARPU_W)
        handle->initialized = true;
}

/* Checks an access of the program, and says how to acquire @handle. */
static struct orr_acquire begin(starpu_data_handle_t handle, int node,
                                enum starpu_data_access_mode mode,
                                const char *call)
{
    (void)datum_of(handle, call);
    check_node(node, call);
    sp_handle_prepare(handle, mode, call);
    check_content(handle, mode, call);
    if (node == 0)
        sp_handle_allocate(handle, call);
    return (struct orr_acquire){ORR_ACQUIRE_INIT,
                                .mode = access_mode(handle, mode, call),
                                .node = node};
}

/* An error that follows from an acquisition names its handle. */
G_NORETURN static void fail(starpu_data_handle_t handle, const char *call,
                            GError *error)
{
    if (handle->acquired > 0)
        sp_fail(call, "%s, which is acquired already: %s",
                sp_handle_name(handle), error->message);
    sp_fail_error(call, error);
}

int starpu_data_acquire_on_node(starpu_data_handle_t handle, int node,
                                enum starpu_data_access_mode mode)
{
    struct orr_acquire how =
        begin(handle, node, mode, "starpu_data_acquire_on_node()");
    GError *error = NULL;

    if (!sp_calls->data_acquire_as(sp_session.run, handle->data, &how, &error))
        fail(handle, "starpu_data_acquire_on_node()", error);
    handle->acquired++;
    return 0;
}

int starpu_data_acquire(starpu_data_handle_t handle,
                        enum starpu_data_access_mode mode)
{
    const char *call = "starpu_data_acquire()";
    struct orr_acquire how = begin(handle, 0, mode, call);
    GError *error = NULL;

    if (!sp_calls->data_acquire(sp_session.run, handle->data, how.mode, &error))
        fail(handle, call, error);
    handle->acquired++;
    return 0;
}

/* A callback of StarPU's interface, which has no argument for the run. */
struct callback {
    starpu_data_handle_t handle;
    void (*function)(void *argument);
    void *argument;
};

static void call_back(struct orr_run *run, void *data)
{
    struct callback callback = *(struct callback *)data;

    (void)run;
    g_free(data);
    callback.handle->acquired++;
    callback.function(callback.argument);
}

int starpu_data_acquire_on_node_cb_sequential_consistency(
    starpu_data_handle_t handle, int node, enum starpu_data_access_mode mode,
    void (*callback)(void *), void *arg, int sequential_consistency)
{
    struct orr_acquire how =
        begin(handle, node, mode, "starpu_data_acquire_on_node_cb()");
    struct callback *noted = g_new(struct callback, 1);

    if (!callback)
        sp_fail("starpu_data_acquire_on_node_cb()", "the callback is NULL");
    *noted = (struct callback){handle, callback, arg};
    how.unordered = !sequential_consistency;
    how.callback = (struct orr_call){call_back, noted};
    sp_calls->data_acquire_later(sp_session.run, handle->data, &how);
    return 0;
}

int starpu_data_acquire_on_node_cb_sequential_consistency_quick(
    starpu_data_handle_t handle, int node, enum starpu_data_access_mode mode,
    void (*callback)(void *), void *arg, int sequential_consistency, int quick)
{
    (void)quick;
    return starpu_data_acquire_on_node_cb_sequential_consistency(
        handle, node, mode, callback, arg, sequential_consistency);
}

int starpu_data_acquire_on_node_cb(starpu_data_handle_t handle, int node,
                                   enum starpu_data_access_mode mode,
                                   void (*callback)(void *), void *arg)
{
    return starpu_data_acquire_on_node_cb_sequential_consistency(
        handle, node, mode, callback, arg, 1);
}

int starpu_data_acquire_cb_sequential_consistency(
    starpu_data_handle_t handle, enum starpu_data_access_mode mode,
    void (*callback)(void *), void *arg, int sequential_consistency)
{
    return starpu_data_acquire_on_node_cb_sequential_consistency(
        handle, 0, mode, callback, arg, sequential_consistency);
}

int starpu_data_acquire_cb(starpu_data_handle_t handle,
                           enum starpu_data_access_mode mode,
                           void (*callback)(void *), void *arg)
{
    return starpu_data_acquire_on_node_cb(handle, 0, mode, callback, arg);
}

/* An acquisition that ends when it has begun: only its begin matters. */
struct attempt {
    struct orr_data *data;
    bool begun, late; /* late: the program knows that it had to wait */
};

static void begin_attempt(struct orr_run *run, void *data)
{
    struct attempt *attempt = data;

    sp_calls->data_release_on(run, attempt->data, ORR_NO_NODE);
    attempt->begun = true;
    if (attempt->late)
        g_free(attempt);
}

/* Whether tasks must end before the program can acquire @handle as @how says.
 */
static bool is_awaited(starpu_data_handle_t handle, struct orr_acquire how)
{
    struct attempt *attempt = g_new(struct attempt, 1);

    *attempt = (struct attempt){.data = handle->data};
    how.node = ORR_NO_NODE;
    how.callback = (struct orr_call){begin_attempt, attempt};
    sp_calls->data_acquire_later(sp_session.run, handle->data, &how);
    attempt->late = !attempt->begun;
    if (attempt->late)
        return true;
    g_free(attempt);
    return false;
}

int starpu_data_acquire_on_node_try(starpu_data_handle_t handle, int node,
                                    enum starpu_data_access_mode mode)
{
    const char *call = "starpu_data_acquire_try()";
    struct orr_acquire how = begin(handle, node, mode, call);
    GError *error = NULL;

    if (is_awaited(handle, how))
        return -EAGAIN;
    how.unordered = true;
    if (!sp_calls->data_acquire_as(sp_session.run, handle->data, &how, &error))
        fail(handle, call, error);
    handle->acquired++;
    return 0;
}

int starpu_data_acquire_try(starpu_data_handle_t handle,
                            enum starpu_data_access_mode mode)
{
    return starpu_data_acquire_on_node_try(handle, 0, mode);
}

static struct orr_data *begin_release(starpu_data_handle_t handle,
                                      const char *call)
{
    struct orr_data *data = datum_of(handle, call);

    if (handle->acquired == 0)
        sp_fail(call, "%s is not acquired", sp_handle_name(handle));
    handle->acquired--;
    return data;
}

void starpu_data_release_on_node(starpu_data_handle_t handle, int node)
{
    const char *call = "starpu_data_release_on_node()";
    struct orr_data *data = begin_release(handle, call);

    check_node(node, call);
    sp_calls->data_release_on(sp_session.run, data, node);
}

void starpu_data_release(starpu_data_handle_t handle)
{
    sp_calls->data_release(sp_session.run,
                           begin_release(handle, "starpu_data_release()"));
}

void starpu_data_invalidate(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    const char *call = "starpu_data_invalidate()";
    GError *error = NULL;

    sp_handle_prepare(handle, STARPU_W, call);
    if (!sp_calls->data_invalidate(sp_session.run, datum_of(handle, call),
                                   &error))
        sp_fail_error(call, error);
    handle->initialized = false;
}

void starpu_data_invalidate_submit(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    const char *call = "starpu_data_invalidate_submit()";

    sp_handle_prepare(handle, STARPU_W, call);
    sp_calls->data_invalidate_submit(sp_session.run, datum_of(handle, call));
    handle->initialized = false;
}

void starpu_data_deinitialize(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    const char *call = "starpu_data_deinitialize()";
    GError *error = NULL;

    sp_handle_prepare(handle, STARPU_W, call);
    if (!sp_calls->data_deinitialize(sp_session.run, datum_of(handle, call),
                                     &error))
        sp_fail_error(call, error);
    handle->initialized = false;
}

void starpu_data_deinitialize_submit(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    const char *call = "starpu_data_deinitialize_submit()";

    sp_handle_prepare(handle, STARPU_W, call);
    sp_calls->data_deinitialize_submit(sp_session.run, datum_of(handle, call));
    handle->initialized = false;
}

/* The datum of @handle, which ends; in the order of submission it is a whole.
 */
static struct orr_data *end_handle(starpu_data_handle_t handle,
                                   const char *call)
{
    struct orr_data *data = datum_of(handle, call);

    if (handle->parent)
        sp_fail(call, "%s is a part, which ends with the partition",
                sp_handle_name(handle));
    if (handle->plans)
        sp_fail(call,
                "%s has planned partitions: expected "
                "starpu_data_partition_clean() before",
                sp_handle_name(handle));
    return data;
}

void starpu_data_unregister(starpu_data_handle_t handle)
{
    const char *call = "starpu_data_unregister()";
    struct orr_data *data = end_handle(handle, call);
    GError *error = NULL;

    if (!sp_calls->data_unregister(sp_session.run, data, &error))
        fail(handle, call, error);
    sp_handle_free(handle);
}

void starpu_data_unregister_no_coherency(starpu_data_handle_t handle)
{
    const char *call = "starpu_data_unregister_no_coherency()";
    struct orr_data *data = end_handle(handle, call);
    GError *error = NULL;

    if (!sp_calls->data_unregister_no_coherency(sp_session.run, data, &error))
        fail(handle, call, error);
    sp_handle_free(handle);
}

/* Tasks that are under way may still refer to the handle: the session frees
 * it. */
void starpu_data_unregister_submit(starpu_data_handle_t handle)
{
    const char *call = "starpu_data_unregister_submit()";

    sp_calls->data_unregister_submit(sp_session.run, end_handle(handle, call));
    handle->data = NULL;
}

void starpu_data_wont_use(starpu_data_handle_t handle)
{
    SP_KNOWN(handle);
    for (unsigned i = 0; i < handle->child_count; i++)
        starpu_data_wont_use(handle->children[i]);
    if (handle->child_count == 0)
        sp_calls->data_wont_use(sp_session.run,
                                datum_of(handle, "starpu_data_wont_use()"));
}

/* Waits until the content of @handle is on @node. */
static void fetch(starpu_data_handle_t handle, unsigned node, const char *call)
{
    struct orr_acquire how = begin(handle, (int)node, STARPU_R, call);
    GError *error = NULL;

    how.unordered = true;
    if (!sp_calls->data_acquire_as(sp_session.run, handle->data, &how, &error))
        sp_fail_error(call, error);
    sp_calls->data_release_on(sp_session.run, handle->data, (int)node);
}

int starpu_data_prefetch_on_node_prio(starpu_data_handle_t handle,
                                      unsigned node, unsigned async, int prio)
{
    const char *call = "starpu_data_prefetch_on_node()";
    struct orr_data *data = datum_of(handle, call);

    (void)prio;
    check_node((int)node, call);
    if (!async) {
        fetch(handle, node, call);
        return 0;
    }
    sp_handle_prepare(handle, STARPU_R, call);
    sp_calls->data_prefetch(sp_session.run, data, node);
    return 0;
}

int starpu_data_prefetch_on_node(starpu_data_handle_t handle, unsigned node,
                                 unsigned async)
{
    return starpu_data_prefetch_on_node_prio(handle, node, async, 0);
}

int starpu_data_idle_prefetch_on_node_prio(starpu_data_handle_t handle,
                                           unsigned node, unsigned async,
                                           int prio)
{
    const char *call = "starpu_data_idle_prefetch_on_node()";
    struct orr_data *data = datum_of(handle, call);

    (void)prio;
    check_node((int)node, call);
    if (!async) {
        fetch(handle, node, call);
        return 0;
    }
    sp_handle_prepare(handle, STARPU_R, call);
    sp_calls->data_idle_prefetch(sp_session.run, data, node);
    return 0;
}

int starpu_data_idle_prefetch_on_node(starpu_data_handle_t handle,
                                      unsigned node, unsigned async)
{
    return starpu_data_idle_prefetch_on_node_prio(handle, node, async, 0);
}

int starpu_data_evict_from_node(starpu_data_handle_t handle, unsigned node)
{
    static const char call[] = "starpu_data_evict_from_node()";
    struct orr_data *data = datum_of(handle, call);

    check_node((int)node, call);
    return sp_calls->data_evict(sp_session.run, data, node) ? 0 : -1;
}

int starpu_data_fetch_on_node(starpu_data_handle_t handle, unsigned node,
                              unsigned async)
{
    return starpu_data_prefetch_on_node_prio(handle, node, async, 0);
}

/* StarPU makes room for the copy; here the copy itself does. */
int starpu_data_request_allocation(starpu_data_handle_t handle, unsigned node)
{
    (void)datum_of(handle, "starpu_data_request_allocation()");
    check_node((int)node, "starpu_data_request_allocation()");
    return 0;
}

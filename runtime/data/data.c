/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/data.h"

#include "runtime/run.h"

void orr_data_pool_init(struct orr_pool *pool, unsigned node_count)
{
    orr_pool_init(pool, sizeof(struct orr_data) +
                            node_count * sizeof(struct orr_replicate));
}

struct orr_data *orr_data_new(struct orr_pool *pool, unsigned node_count,
                              uint64_t id, uint64_t bytes)
{
    struct orr_data *data = orr_pool_take(pool);

    data->id = id;
    data->bytes = bytes;
    data->mode = ORR_R;
    for (unsigned node = 0; node < node_count; node++) {
        data->copies[node].data = data;
        data->copies[node].node = (uint8_t)node;
    }
    data->valid = 1u << ORR_RAM;
    data->copies[ORR_RAM].state = ORR_OWNER;
    data->copies[ORR_RAM].allocated = true;
    return data;
}

void orr_data_set_coordinates(struct orr_data *data, unsigned row,
                              unsigned column)
{
    if (!data)
        return;
    data->has_coordinates = true;
    data->row = row;
    data->column = column;
}

void orr_data_touch_lock(struct orr_run *run, struct orr_data *data)
{
    if (orr_switches_quirks(&run->switches) && run->switches.overheads)
        orr_spinlock_touch(&data->lock, &run->engine);
}

/* The bytes that a reader of @copy lacks; a writer lacks only the buffer. */
static struct orr_missing lack(const struct orr_replicate *copy)
{
    uint64_t bytes = copy->data->bytes;
    bool valid = copy->state != ORR_INVALID;

    return (struct orr_missing){
        .invalid_bytes = valid ? 0 : bytes,
        .unstarted_bytes = valid || copy->loading ? 0 : bytes,
        .unallocated_bytes = copy->allocated ? 0 : bytes,
    };
}

static struct orr_missing difference(const struct orr_missing *now,
                                     const struct orr_missing *before)
{
    return (struct orr_missing){
        .invalid_bytes = now->invalid_bytes - before->invalid_bytes,
        .unstarted_bytes = now->unstarted_bytes - before->unstarted_bytes,
        .unallocated_bytes = now->unallocated_bytes - before->unallocated_bytes,
    };
}

static void add_lack(struct orr_missing *missing, bool reads,
                     const struct orr_missing *change)
{
    missing->unallocated_bytes += change->unallocated_bytes;
    if (!reads)
        return;
    missing->invalid_bytes += change->invalid_bytes;
    missing->unstarted_bytes += change->unstarted_bytes;
}

/* Updates the tasks that watch @copy, of which they lacked @before. Tells the
 * policy once, until it asks. */
static G_GNUC_NO_INLINE void touch(struct orr_run *run,
                                   struct orr_replicate *copy,
                                   const struct orr_missing *before)
{
    struct orr_missing now = lack(copy), change = difference(&now, before);

    if (!change.invalid_bytes && !change.unstarted_bytes &&
        !change.unallocated_bytes)
        return;
    run->engine.effects |= ORR_EFFECT_POLICY;
    for (struct orr_watch *watch = copy->watchers; watch; watch = watch->next) {
        struct orr_active *active = watch->active;

        add_lack(&active->missing, watch->reads, &change);
        if (!active->told) {
            active->told = true;
            orr_sched_touched(run->sched, &active->task);
        }
    }
}

static void set_valid(struct orr_replicate *copy, enum orr_state state)
{
    copy->state = (uint8_t)state;
    copy->data->valid ^= 1u << copy->node;
}

static void set_state(struct orr_run *run, struct orr_replicate *copy,
                      enum orr_state state)
{
    struct orr_missing before;

    if ((copy->state != ORR_INVALID) == (state != ORR_INVALID)) {
        copy->state = (uint8_t)state;
        return;
    }
    if (!copy->watchers) {
        set_valid(copy, state);
        return;
    }
    before = lack(copy);
    set_valid(copy, state);
    touch(run, copy, &before);
}

void orr_replicate_set_allocated(struct orr_run *run,
                                 struct orr_replicate *copy, bool allocated)
{
    struct orr_missing before;

    if (!copy->watchers) {
        copy->allocated = allocated;
        return;
    }
    before = lack(copy);
    copy->allocated = allocated;
    touch(run, copy, &before);
}

void orr_replicate_set_loading(struct orr_run *run, struct orr_replicate *copy,
                               struct orr_request *request)
{
    struct orr_missing before;

    if (!copy->watchers) {
        copy->loading = request;
        return;
    }
    before = lack(copy);
    copy->loading = request;
    touch(run, copy, &before);
}

void orr_replicate_release(struct orr_run *run, struct orr_replicate *copy)
{
    copy->data->uses--;
    if (--copy->uses == 0)
        orr_eviction_consider_copy(run, copy);
}

/* Returns whether anything changed. */
static bool grant_write(struct orr_run *run, struct orr_replicate *copy)
{
    struct orr_data *data = copy->data;
    uint32_t others = data->valid & ~(1u << copy->node);
    bool changed = others || copy->state != ORR_OWNER;

    for (; others; others &= others - 1)
        set_state(run, &data->copies[__builtin_ctz(others)], ORR_INVALID);
    set_state(run, copy, ORR_OWNER);
    if (copy->node != ORR_RAM)
        orr_memory_dirtied(&run->memories[copy->node], copy);
    return changed;
}

static bool grant_read(struct orr_run *run, struct orr_replicate *copy)
{
    struct orr_data *data = copy->data;
    uint32_t others = data->valid;

    if (copy->state != ORR_INVALID)
        return false; /* it is valid already */
    for (; others; others &= others - 1)
        data->copies[__builtin_ctz(others)].state = ORR_SHARED;
    set_state(run, copy, ORR_SHARED);
    return true;
}

void orr_replicate_grant(struct orr_run *run, struct orr_replicate *copy,
                         enum orr_access_mode mode)
{
    if (mode & ORR_W ? grant_write(run, copy) : grant_read(run, copy))
        orr_eviction_consider(run, copy->data);
}

void orr_replicate_drop(struct orr_run *run, struct orr_replicate *copy)
{
    struct orr_data *data = copy->data;

    if (copy->state == ORR_INVALID)
        return;
    set_state(run, copy, ORR_INVALID);
    g_assert(data->valid);
    if (!(data->valid & (data->valid - 1)))
        data->copies[__builtin_ctz(data->valid)].state = ORR_OWNER;
    orr_eviction_consider(run, data);
}

bool orr_route_is_direct(const struct orr_run *run, unsigned from, unsigned to)
{
    if (from == ORR_RAM || to == ORR_RAM)
        return true;
    return run->memories[to].peer &&
           orr_platform_route(run->platform, from, to)->count > 0;
}

/* Some copy is always valid. */
static unsigned last_resort(uint32_t valid)
{
    if (valid & 1u << ORR_RAM)
        return ORR_RAM;
    return 31u - (unsigned)__builtin_clz(valid);
}

/* See orr_data_source(). */
static unsigned find_source(const struct orr_run *run, uint32_t valid,
                            unsigned to, uint64_t bytes)
{
    orr_time least = ORR_NEVER;
    unsigned best = ORR_MAX_NODES;

    for (uint32_t left = valid; left; left &= left - 1) {
        unsigned from = (unsigned)__builtin_ctz(left);
        orr_time time;

        if (!orr_route_is_direct(run, from, to))
            continue;
        time = orr_run_predict(run, from, to, bytes);
        if (time == 0)
            return last_resort(valid);
        if (time < least) {
            least = time;
            best = from;
        }
    }
    return best != ORR_MAX_NODES ? best : last_resort(valid);
}

static struct orr_source compute(const struct orr_run *run, uint32_t valid,
                                 unsigned to, uint64_t bytes)
{
    unsigned from = find_source(run, valid, to, bytes);
    struct orr_source source = {.known = true, .node = (uint8_t)from};

    if (orr_route_is_direct(run, from, to))
        source.time = orr_run_predict(run, from, to, bytes);
    else
        source.time = orr_run_predict(run, from, ORR_RAM, bytes) +
                      orr_run_predict(run, ORR_RAM, to, bytes);
    return source;
}

/* From a table, for data of the usual size on machines with few nodes. */
static struct orr_source look_up(const struct orr_run *run,
                                 const struct orr_data *data, unsigned to)
{
    struct orr_source *known;

    if (!run->sources || data->bytes != run->predicted_bytes)
        return compute(run, data->valid, to, data->bytes);
    known = &run->sources[to << run->node_count | data->valid];
    if (!known->known)
        *known = compute(run, data->valid, to, data->bytes);
    return *known;
}

unsigned orr_data_source(const struct orr_run *run, const struct orr_data *data,
                         unsigned to)
{
    return look_up(run, data, to).node;
}

static void set_mode(struct orr_run *run, struct orr_data *data,
                     enum orr_access_mode mode)
{
    bool relaxed = data->mode == ORR_W && mode == ORR_R;

    data->mode = (uint8_t)mode;
    if (relaxed)
        orr_eviction_consider(run, data);
}

void orr_data_acquire(struct orr_run *run, struct orr_data *data,
                      enum orr_access_mode mode)
{
    set_mode(run, data, mode);
    data->users++;
}

void orr_data_write_back(struct orr_run *run, struct orr_data *data)
{
    struct orr_request_spec spec = {
        .to = &data->copies[ORR_RAM],
        .mode = ORR_R,
        .level = ORR_IDLE,
    };

    if (data->users > 0 && data->mode == ORR_W) {
        data->wont_use_pending = true;
        return;
    }
    data->wont_use_pending = false;
    set_mode(run, data, ORR_R);
    orr_request_submit(run, &spec);
}

void orr_data_release(struct orr_run *run, struct orr_data *data)
{
    data->users--;
    if (data->wont_use_pending && data->users == 0)
        orr_data_write_back(run, data);
}

void orr_job_prefetch_cache_data(const struct orr_run *run,
                                 const struct orr_job *job)
{
    for (unsigned i = 0; i < job->access_count; i++)
        __builtin_prefetch(orr_access_data(&job->accesses[i]));
    for (unsigned i = 0; i < job->access_count; i++) {
        __builtin_prefetch(&orr_access_data(&job->accesses[i])->lock);
        for (unsigned node = 0; node < run->node_count; node++)
            __builtin_prefetch(
                &orr_access_data(&job->accesses[i])->copies[node]);
    }
}

void orr_job_transfers(const struct orr_run *run, const struct orr_job *job,
                       uint32_t nodes, orr_time *times)
{
    for (uint32_t left = nodes; left; left &= left - 1)
        times[__builtin_ctz(left)] = 0;
    for (unsigned i = 0; i < job->access_count; i++) {
        const struct orr_data *data = orr_access_data(&job->accesses[i]);
        uint32_t left = nodes & ~data->valid;

        if (!(job->accesses[i].mode & ORR_R))
            continue;
        for (; left; left &= left - 1) {
            unsigned node = (unsigned)__builtin_ctz(left);

            if (data->incoming == 0 || !data->copies[node].requests)
                times[node] += look_up(run, data, node).time;
        }
    }
}

orr_time orr_job_transfer(const struct orr_run *run, const struct orr_job *job,
                          unsigned node)
{
    orr_time times[ORR_MAX_NODES];

    orr_job_transfers(run, job, 1u << node, times);
    return times[node];
}

void orr_active_missing(struct orr_active *active, unsigned node,
                        struct orr_missing *missing)
{
    const struct orr_job *job;

    if (active->watched && active->watched_node == node) {
        *missing = active->missing;
        active->told = false;
        return;
    }
    job = active->task.job;
    *missing = (struct orr_missing){0};
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_missing more =
            lack(&orr_access_data(&job->accesses[i])->copies[node]);

        add_lack(missing, job->accesses[i].mode & ORR_R, &more);
    }
}

void orr_job_watch(struct orr_job *job, unsigned node)
{
    struct orr_active *active = job->active;

    g_assert(active);
    orr_active_missing(active, node, &active->missing);
    active->watched_node = (uint8_t)node;
    active->watched = true;
    active->told = false;
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_replicate *copy =
            &orr_access_data(&job->accesses[i])->copies[node];
        struct orr_watch *watch = &active->watches[i];

        watch->active = active;
        watch->reads = job->accesses[i].mode & ORR_R;
        watch->next = copy->watchers;
        watch->link = &copy->watchers;
        if (copy->watchers)
            copy->watchers->link = &watch->next;
        copy->watchers = watch;
    }
}

void orr_job_unwatch(struct orr_job *job)
{
    if (!job->active->watched)
        return;
    job->active->watched = false;
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_watch *watch = &job->active->watches[i];

        *watch->link = watch->next;
        if (watch->next)
            watch->next->link = watch->link;
        watch->link = NULL;
    }
}

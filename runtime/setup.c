/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The beginning and the end of a run. */
#include "models/base/sized.h"
#include "models/import/mapping.h"
#include "models/import/record.h"
#include "models/rng.h"
#include "runtime/application/acquire.h"
#include "runtime/application/gather.h"
#include "runtime/application/hints.h"
#include "runtime/application/partition.h"
#include "runtime/arguments.h"
#include "runtime/config/run_config.h"
#include "runtime/data/parents.h"
#include "runtime/data/victim.h"
#include "runtime/decide_policy.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/executor/duration.h"
#include "runtime/executor/executor_sim.h"
#include "runtime/executor/kernel.h"
#include "runtime/explore/footprint.h"
#include "runtime/explore/tsan.h"
#include "runtime/fixed_mapping.h"
#include "runtime/graph/tags.h"
#include "runtime/interleaving_plain.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/recording.h"
#include "runtime/run.h"
#include "runtime/worker/accesses.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/policy_checks.h"
#include "runtime/worker/preemption.h"
#include "runtime/worker/steps.h"
#include "runtime/worker/submit.h"
#include "runtime/worker/worker.h"
#include "runtime/worker/worker_locks.h"
#include "sched/evict/evict_registry.h"
#include "sched/plugin.h"
#include "sched/policy/bucket_plan.h"
#include "sched/registry.h"

#define MIB ((uint64_t)1024 * 1024)

static bool find_policy(struct orr_run *run, const struct orr_config *config,
                        GError **error)
{
    const char *name = config->sched ? config->sched : ORR_DEFAULT_SCHED;

    run->policy.ops = config->mapping ? &orr_policy_fixed : config->policy;
    run->policy.mapping = config->mapping;
    if (run->policy.ops)
        return true;
    if (!orr_plugin_is_named(name)) {
        run->policy.ops = orr_policy_choose(name, error);
        return run->policy.ops &&
               (!orr_sched_file(name) ||
                orr_fixed_mapping_read(run, orr_sched_file(name), error));
    }
    run->policy.plugin = orr_plugin_open(name, error);
    if (!run->policy.plugin || !orr_plugin_begin(run->policy.plugin, error))
        return false;
    run->policy.plugin_guard =
        orr_policy_guard_new(orr_plugin_policy(run->policy.plugin), name,
                             &run->policy.host, config->watch, &run->error);
    run->policy.guard = orr_policy_guard_calls(run->policy.plugin_guard);
    run->policy.ops = orr_policy_guard_policy(run->policy.plugin_guard);
    run->totals.report.sched_file = orr_plugin_path(run->policy.plugin);
    return true;
}

/* Buckets are for one policy. */
static bool read_buckets(struct orr_run *run, const struct orr_config *config,
                         GError **error)
{
    run->diagnosis.buckets_given = config->buckets != NULL;
    if (!config->buckets || run->policy.ops != &orr_policy_heteroprio)
        return true;
    run->policy.buckets = orr_bucket_plan_parse(config->buckets, error);
    return run->policy.buckets;
}

/* Sets *@ops to the eviction policy of @config; NULL: the runtime evicts
 * itself. */
static bool find_eviction(struct orr_run *run, const struct orr_config *config,
                          const struct orr_evict_ops **ops, GError **error)
{
    if (!config->evict)
        *ops = run->policy.ops->evict;
    else if (orr_evict_is_file(config->evict))
        *ops = orr_evict_load(config->evict, error);
    else
        *ops = orr_evict_choose(config->evict, error);
    if (config->evict && !*ops)
        return false;
    run->totals.report.evict = *ops ? (*ops)->name : NULL;
    if (*ops == &orr_evict_lru)
        *ops = NULL;
    return true;
}

/* Guards the policy, if it is in a plug-in. Two plug-ins share a guard. */
static void guard_eviction(struct orr_run *run, const struct orr_config *config)
{
    struct orr_victims *victims = run->store.victims;
    const struct orr_guarded plugin = {
        .kind = "eviction policy",
        .name = victims->ops->name,
        .file = config->evict,
        .code = (const void *)(uintptr_t)victims->ops->choose,
    };

    if (config->evict ? !orr_evict_is_file(config->evict) : !run->policy.guard)
        return;
    if (!run->policy.guard)
        run->policy.guard = victims->calls = orr_guard_new(
            &plugin, ORR_ERROR_POLICY, config->watch, &run->error);
    victims->guard = orr_evict_guard_new(victims->ops, run->policy.guard);
    victims->ops = orr_evict_guard_policy(victims->guard);
}

/* Finds the eviction policy of @config and sets run->store.victims; leaves it
 * NULL if the runtime evicts itself and nothing is to be recorded. To be called
 * before the policy of the run begins. */
static bool find_victims(struct orr_run *run, const struct orr_config *config,
                         GError **error)
{
    const struct orr_evict_ops *ops;

    if (!find_eviction(run, config, &ops, error))
        return false;
    if (ops && ops->future &&
        (!config->future || !orr_future_is_known(config->future))) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the eviction policy %s needs the future: run the same "
                    "tasks once without it (orr_config_set_future())",
                    ops->name);
        return false;
    }
    if (!ops && !config->future)
        return true;
    run->store.victims = g_new0(struct orr_victims, 1);
    run->store.victims->ops = ops;
    run->store.victims->future = config->future;
    if (config->future)
        orr_future_begin(config->future, !ops || !ops->future);
    if (ops)
        guard_eviction(run, config);
    return true;
}

/* The defaults of the platform, then the choices of the user. */
static bool set_switches(struct orr_run *run, const char *models,
                         GError **error)
{
    orr_switches_init(&run->switches);
    if (run->platform->models)
        orr_switches_parse(&run->switches, run->platform->models, NULL);
    run->machine_switches = run->switches;
    if (models && !orr_switches_parse(&run->switches, models, error))
        return false;
    if (run->store.instant_copies)
        run->switches.memory = false;
    if (run->switches.quirks != ORR_QUIRKS_EXACT || orr_turns_lockstep)
        return true;
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                        "quirks=exact needs lock-step, which this build leaves "
                        "out (configure --disable-lockstep)");
    return false;
}

/* Borrows the machine of @config or reads one. */
static bool find_machine(struct orr_run *run, const struct orr_config *config,
                         GError **error)
{
    const struct orr_machine *machine = config->machine;

    if (!machine)
        machine = run->own_machine = orr_machine_new(config, error);
    if (!machine)
        return false;
    run->platform = machine->platform;
    run->changes = machine->changes;
    run->totals.report.change_count = machine->changes->count;
    run->totals.report.changes = machine->change_texts;
    return true;
}

/* The record to replay, if durations are replayed. */
static bool read_record(struct orr_run *run, const char *path, GError **error)
{
    if (run->switches.durations != ORR_DURATIONS_REPLAYED)
        return true;
    if (path)
        return orr_duration_read(run, path, error);
    g_set_error_literal(
        error, ORR_ERROR, ORR_ERROR_VALUE,
        "the model durations=replayed needs a record of task durations "
        "(--record FILE)");
    return false;
}

static bool count_workers(struct orr_run *run, const struct orr_config *config,
                          GError **error)
{
    const struct orr_platform *platform = run->platform;
    unsigned cpus;

    if (config->gpus > (int)platform->gpu_count) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "gpus is %d, but the machine was read with %u GPUs",
                    config->gpus, platform->gpu_count);
        return false;
    }
    run->gpu_count =
        config->gpus < 0 ? platform->gpu_count : (unsigned)config->gpus;
    cpus = platform->cores - MIN(platform->cores, run->gpu_count);
    if (config->cpus >= 0 && (unsigned)config->cpus > cpus) {
        g_set_error(
            error, ORR_ERROR, ORR_ERROR_VALUE,
            "%d CPU workers requested, but of the %u cores, %u drive GPUs",
            config->cpus, platform->cores, run->gpu_count);
        return false;
    }
    if (config->cpus >= 0)
        cpus = (unsigned)config->cpus;
    run->worker_count = run->gpu_count + cpus;
    if (run->worker_count == 0) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "a run needs at least one CPU or GPU worker");
        return false;
    }
    return true;
}

/* Other GPUs can copy to some directly, if there is a route. */
static bool is_direct(const struct orr_platform *platform, unsigned from,
                      unsigned to)
{
    return from == ORR_RAM || to == ORR_RAM ||
           (platform->gpus[to - 1].peer &&
            orr_platform_route(platform, from, to)->count > 0);
}

static void find_direct_routes(struct orr_run *run)
{
    for (unsigned to = 0; to < run->node_count; to++) {
        for (unsigned from = 0; from < run->node_count; from++) {
            if (is_direct(run->platform, from, to))
                run->store.direct_nodes[to] |= 1u << from;
        }
    }
}

static void make_memories(struct orr_run *run, const struct orr_config *config)
{
    run->node_count = run->gpu_count + 1;
    run->store.memories = g_new0(struct orr_memory, run->node_count);
    orr_memory_init(&run->store.memories[ORR_RAM]);
    for (unsigned node = 1; node < run->node_count; node++) {
        const struct orr_platform_gpu *gpu = &run->platform->gpus[node - 1];
        struct orr_memory *memory = &run->store.memories[node];
        uint64_t bytes = config->gpu_memory_bytes
                             ? config->gpu_memory_bytes / MIB * MIB
                             : orr_memory_usable(gpu->memory_bytes);

        memory->node = node;
        orr_memory_init(memory);
        if (node == 1 || bytes < run->gpu_memory_bytes)
            run->gpu_memory_bytes = bytes;
        if (!run->switches.memory)
            bytes = UINT64_MAX;
        memory->pool =
            orr_suballoc_new(bytes, orr_switches_quirks(&run->switches));
    }
    run->totals.report.gpu_memory_bytes = run->gpu_memory_bytes;
    if (!run->switches.memory)
        run->gpu_memory_bytes = UINT64_MAX;
    find_direct_routes(run);
}

static void make_workers(struct orr_run *run)
{
    run->workers = g_new0(struct orr_worker *, run->worker_count);
    run->totals.workers = g_new0(struct orr_worker_report, run->worker_count);
    for (unsigned i = 0; i < run->worker_count; i++) {
        bool is_gpu = i < run->gpu_count;
        g_autofree char *name =
            is_gpu ? g_strdup(run->platform->gpus[i].name)
                   : g_strdup_printf("CPU%u", i - run->gpu_count);

        run->workers[i] =
            orr_worker_new(run, i, is_gpu ? i + 1 : ORR_RAM, name);
        if (is_gpu)
            run->store.memories[i + 1].driver = &run->workers[i]->actor;
        run->totals.workers[i].name = run->workers[i]->name;
        run->totals.workers[i].memory_node = run->workers[i]->device;
    }
}

/*
 * A run is in lock-step if it follows the reference (--model quirks and
 * overheads), and its policy says how it queues tasks
 * (sched/policy/queueing.h). There, many actors meet at one date at a few
 * locks, and single operations decide which one is first. Without CPU workers
 * that matters little for its cost, and under some policies it costs much, so
 * quirks=exact must ask for it. A decider (decision.h) needs the plain
 * interleaving, which allows more orders.
 */
static bool is_lockstep(const struct orr_run *run)
{
    bool is_worth_it =
        run->switches.quirks == ORR_QUIRKS_EXACT ||
        (run->switches.quirks == ORR_QUIRKS_ON &&
         run->worker_count > run->gpu_count && run->policy.queueing &&
         !run->policy.queueing->only_if_exact);

    return is_worth_it && run->switches.overheads && run->policy.queueing &&
           !run->engine.decider;
}

static void choose_interleaving(struct orr_run *run)
{
    run->mistakes_kernels =
        run->switches.quirks == ORR_QUIRKS_EXACT && !run->engine.decider;
    run->turns = orr_turns_lockstep && is_lockstep(run) ? orr_turns_lockstep
                                                        : &orr_turns_plain;
    orr_engine_init(&run->engine, run->turns->engine);
    run->store.skips_ram =
        run->turns->workers.skips_idle && run->worker_count == run->gpu_count;
}

static void start_workers(struct orr_run *run)
{
    for (unsigned i = 0; i < run->worker_count; i++) {
        struct orr_worker *worker = run->workers[i];

        if (i < run->gpu_count)
            orr_worker_call_gpu(worker);
        else
            orr_worker_call_cpu(worker);
        orr_actor_start(&worker->actor);
    }
}

static void set_overheads(struct orr_run *run)
{
    if (run->switches.overheads)
        run->overheads = run->platform->overheads;
    if (!orr_switches_quirks(&run->switches))
        run->overheads.stream_start = 0;
}

static void describe(struct orr_run *run)
{
    struct orr_report *report = &run->totals.report;

    run->totals.models = orr_switches_format(&run->switches);
    report->platform = run->platform->name;
    report->sched = run->policy.ops->name;
    report->gpus = run->gpu_count;
    report->cpus = run->worker_count - run->gpu_count;
    report->seed = run->seed;
    report->models = run->totals.models;
    report->worker_count = run->worker_count;
    report->workers = run->totals.workers;
}

static bool continues(void *run)
{
    return orr_preemption_resume_one(run) || orr_stall_retry_fetches(run);
}

static const struct orr_job_ops *const job_ops[ORR_JOB_KINDS] = {
    [ORR_JOB_KERNEL] = &orr_kernel_jobs,
    [ORR_JOB_COLLECT] = &orr_collecting_jobs,
    [ORR_JOB_WONT_USE] = &orr_wont_use_jobs,
    [ORR_JOB_SYNC] = &orr_synchronising_jobs,
    [ORR_JOB_ACQUIRE] = &orr_acquiring_jobs,
    [ORR_JOB_GATHER] = &orr_gathering_jobs,
    [ORR_JOB_END] = &orr_end_jobs,
};

/* Reads the trace of a program, if there is one. */
static bool read_trace(struct orr_run *run, const struct orr_config *config,
                       GError **error)
{
    g_autofree char *why = NULL;

    if (!config->trace)
        return true;
    if (!orr_sized_read(ORR_SIZED(orr_trace, ORR_TRACE_INIT), config->trace,
                        &run->totals.calls, &why)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "trace: %s", why);
        return false;
    }
    run->totals.trace = config->trace;
    if (run->totals.calls.wants & ORR_TRACE_PARENTS)
        run->store.parents = orr_parents_new();
    return true;
}

static void copy_config(struct orr_run *run, const struct orr_config *config)
{
    run->seed = config->seed;
    run->pipeline = (unsigned)MAX(config->pipeline, 1);
    run->awaits_kernels = config->pipeline == 0;
    run->diagnosis.pipeline_given = config->pipeline != ORR_DEFAULT_PIPELINE;
    run->kernels.perturb = config->perturb.share;
    run->kernels.perturb_by_device = config->perturb.by_device;
    run->kernels.spread = config->spread;
    run->policy.weights = (struct orr_sched_weights){
        config->alpha, config->beta,
        config->gamma < 0 ? ORR_DEFAULT_GAMMA : config->gamma,
        config->idle_power_w};
    run->diagnosis.memory_given = config->gpu_memory_bytes > 0;
    run->diagnosis.cpus_given = config->cpus >= 0;
    run->window.limits.shuts = config->window.most;
    run->window.limits.opens = config->window.most - 1;
    if (config->window.least >= 0) {
        run->window.limits.shuts = MIN(config->window.most, UINT64_MAX - 1) + 1;
        run->window.limits.opens = (uint64_t)config->window.least;
    }
    run->left_out.tasks = g_memdup2(
        config->left_out, config->left_out_count * sizeof(*config->left_out));
    run->left_out.next = run->left_out.tasks;
    run->left_out.count = config->left_out_count;
    run->kernels.where = orr_texts_copy(config->where);
    run->store.instant_copies = config->instant_copies;
    run->ignores_races = config->ignore_races;
    run->engine.decider = config->decider;
    run->app.job_ops = job_ops;
    orr_watchdog_begin(run);
    run->diagnosis.progress = config->progress;
    run->diagnosis.progress_data = config->progress_data;
}

/* To be called when the nodes are known. */
static void init_pools(struct orr_run *run)
{
    struct orr_arena *arena = &run->graph.arena;

    orr_graph_init(&run->graph);
    orr_data_pool_init(&run->store.data_pool, run->node_count, arena);
    orr_pool_init_in(&run->store.requests, sizeof(struct orr_request), arena);
    orr_pool_init_in(&run->store.watchers,
                     run->node_count * sizeof(struct orr_watch *), arena);
    orr_pool_init_in(&run->store.watchings, sizeof(struct orr_watching), arena);
    orr_pool_init_in(&run->store.watches, sizeof(struct orr_watch), arena);
    orr_pool_init(&run->store.chains, sizeof(struct orr_chain));
    orr_pool_init(&run->store.callbacks, sizeof(struct orr_callback));
    run->store.data = g_ptr_array_new();
}

static void begin_call(struct orr_caller *caller)
{
    orr_accesses_call(caller);
    orr_steps_call(caller);
    orr_worker_locks_enter(caller);
}

static void end_call(struct orr_caller *caller, uint64_t id)
{
    orr_worker_locks_leave(caller);
    orr_steps_return(caller);
    if (caller->run->policy.checks && caller->call == ORR_CALL_PUSH)
        orr_policy_checks_push_ends(caller->run->policy.checks, id);
}

static void free_detector(struct orr_concurrency *concurrency)
{
    orr_detector_free(concurrency->detector);
}

static const struct orr_call_hooks call_hooks = {
    .enter = orr_accesses_enter,
    .begin = begin_call,
    .end = end_call,
    .free = free_detector,
};

static void begin_concurrency(struct orr_run *run)
{
    orr_tsan_keep();
    run->policy.concurrency = orr_concurrency_new(run);
    run->policy.concurrency->hooks = &call_hooks;
    if (run->policy.ops->worker_locks)
        orr_worker_locks_begin(run);
}

/* A buffer has arrived for the task of the worker @data. */
static void note_arrival(struct orr_run *run, void *data)
{
    orr_run_buffer_arrived(run, data);
}

void orr_run_lend(struct orr_run *run)
{
    struct orr_store *store = &run->store;

    store->run = run;
    store->engine = &run->engine;
    store->turns = &run->turns->data;
    store->platform = run->platform;
    store->switches = &run->switches;
    store->sched = &run->policy.sched;
    store->totals = &run->totals;
    store->history = &run->history;
    store->arrived = note_arrival;
    store->node_count = run->node_count;
    store->gpu_count = run->gpu_count;
    store->stream_start = run->overheads.stream_start;
}

bool orr_run_set_up(struct orr_run *run, const struct orr_config *config,
                    GError **error)
{
    if (!orr_config_check(config, error))
        return false;
    copy_config(run, config);
    if (!read_trace(run, config, error) || !find_policy(run, config, error) ||
        !read_buckets(run, config, error) ||
        !orr_concurrency_check(run, error) || !find_victims(run, config, error))
        return false;
    run->policy.queueing = orr_sched_queueing(run->policy.ops);
    run->policy.priorities = run->policy.ops->priorities;
    run->policy.max_priority = run->policy.ops->max_priority;
    if (!find_machine(run, config, error) ||
        !set_switches(run, config->models, error) ||
        !count_workers(run, config, error) ||
        !read_record(run, config->record, error))
        return false;

    set_overheads(run);
    run->policy.prefetches = !run->policy.ops->prefetches &&
                             !run->policy.ops->pop_prefetches &&
                             run->gpu_count > 0;
    make_memories(run, config);
    init_pools(run);
    choose_interleaving(run);
    orr_run_lend(run);
    run->policy.places =
        run->policy.ops->place && !run->turns->workers.steps_pushes;
    run->policy.passes_locks =
        run->policy.ops->prefetches && !run->turns->workers.steps_pushes;
    run->policy.pops_first = run->policy.ops->pushed && !run->policy.buckets &&
                             !run->turns->workers.steps_pushes;
    run->turns->workers.begin(run);
    make_workers(run);
    orr_copies_init(&run->store);
    orr_threads_begin(run);
    run->store.executor = orr_executor_sim_new(run);
    run->engine.on_stall = continues;
    run->engine.context = run;
    run->engine.footprint_source = &orr_footprint_source;
    orr_run_host_policy(run);
    orr_energy_init(run, config->polling, config->gamma >= 0);
    if (run->policy.mapping && !orr_fixed_mapping_begin(run, error))
        return false;
    if (run->engine.decider)
        run->policy.preemption = orr_preemption_new(run);
    run->policy.checks =
        orr_policy_checks_new(run, config->max_wait, config->check_priorities);
    if (run->policy.ops->concurrent)
        begin_concurrency(run);
    run->policy.sched = orr_sched_new(
        run->policy.ops, run->policy.plugin_guard
                             ? orr_policy_guard_host(run->policy.plugin_guard)
                             : &run->policy.host);
    orr_victims_begin(&run->store);
    start_workers(run);
    describe(run);
    orr_decide_begin(run);
    run->rare = run->left_out.count > 0 || run->window.limits.shuts > 0 ||
                run->kernels.record || run->policy.mapping ||
                run->store.parents;
    orr_guard_restore_stack(run->policy.guard);
    return true; /* orr_run_wait() reports errors of the policy */
}

static void clear_memory(struct orr_memory *memory)
{
    orr_suballoc_free(memory->pool);
    orr_memory_clear_spares(memory);
    orr_pool_clear(&memory->buffer_pool);
    for (unsigned peer = 0; peer < ORR_MAX_NODES; peer++) {
        for (unsigned way = 0; way < ORR_DIRECTIONS; way++) {
            for (unsigned level = 0; level < ORR_LEVELS; level++)
                orr_waiting_clear(
                    &memory->queues.lanes[peer][way].waiting[level]);
        }
    }
}

void orr_run_tear_down(struct orr_run *run)
{
    run->closing = true;
    orr_victims_free(run->store.victims);
    orr_sched_free(run->policy.sched);
    orr_worker_locks_end(run);
    g_free(run->policy.plain_host);
    orr_concurrency_free(run->policy.concurrency);
    orr_preemption_free(run->policy.preemption);
    orr_policy_checks_free(run->policy.checks);
    if (run->store.executor)
        run->store.executor->free(run->store.executor);
    orr_copies_clear(&run->store);
    orr_energy_clear(run);
    for (unsigned i = 0; run->workers && i < run->worker_count; i++)
        orr_worker_free(run->workers[i]);
    for (unsigned i = 0; run->store.memories && i < run->node_count; i++)
        clear_memory(&run->store.memories[i]);
    g_clear_pointer(&run->buffers.redux, g_hash_table_unref);
    orr_texts_free(run->kernels.where);
    g_free(run->left_out.tasks);
    orr_kernels_free(run->kernels.first);
    orr_kernels_free(run->kernels.first_given);
    g_clear_pointer(&run->kernels.by_given, g_hash_table_unref);
    g_clear_pointer(&run->kernels.by_durations, g_hash_table_unref);
    g_clear_pointer(&run->kernels.sets, g_hash_table_unref);
    g_clear_pointer(&run->buffers.scratch, g_hash_table_unref);
    g_clear_pointer(&run->kernels.models, g_ptr_array_unref);
    g_clear_pointer(&run->store.data, g_ptr_array_unref);
    g_clear_pointer(&run->store.matrices, g_hash_table_unref);
    orr_recording_free(run->recording);
    orr_parents_free(run->store.parents);
    orr_pool_clear(&run->store.data_pool);
    orr_pool_clear(&run->store.watchers);
    orr_pool_clear(&run->store.watchings);
    orr_pool_clear(&run->store.watches);
    orr_acquisitions_free(run);
    orr_partitions_free(run);
    g_clear_pointer(&run->pause.stopped, g_ptr_array_unref);
    orr_tags_free(run->graph.tags);
    orr_graph_clear(&run->graph);
    orr_pool_clear(&run->store.requests);
    orr_pool_clear(&run->store.chains);
    orr_pool_clear(&run->store.callbacks);
    orr_threads_clear(run);
    if (run->turns)
        run->turns->workers.end(run);
    orr_engine_clear(&run->engine);
    orr_record_free(run->kernels.record);
    orr_machine_free(run->own_machine);
    orr_policy_guard_free(run->policy.plugin_guard);
    orr_mapping_free(run->policy.own_mapping);
    orr_bucket_plan_free(run->policy.buckets);
    if (run->policy.unmapped_tasks)
        g_array_unref(run->policy.unmapped_tasks);
    orr_plugin_close(run->policy.plugin);
    g_strfreev(run->diagnosis.unused);
    g_clear_pointer(&run->texts, g_string_chunk_free);
    g_clear_error(&run->error);
    orr_hang_free(run->diagnosis.hang);
    g_free(run->workers);
    g_free(run->totals.workers);
    g_free(run->store.memories);
    for (unsigned i = 0; i <= run->store.size_count; i++) {
        g_free(run->store.sizes[i].predictions);
        g_free(run->store.sizes[i].sources);
    }
    g_free(run->totals.models);
}

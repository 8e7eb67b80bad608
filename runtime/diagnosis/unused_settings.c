/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One function for each kind of setting, named ..._idle: it returns the reason
 * why the setting had no influence, to be freed, or NULL if it may have had
 * some.
 */
#include "runtime/diagnosis/unused_settings.h"

#include <string.h>

#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* The route of @pair: from * nodes + to. */
static const struct orr_platform_route *route_of(const struct orr_run *run,
                                                 unsigned pair)
{
    return orr_platform_route(run->platform, pair / run->node_count,
                              pair % run->node_count);
}

static unsigned times_listed(const struct orr_platform_route *route,
                             unsigned link)
{
    unsigned times = 0;

    for (unsigned i = 0; i < route->count; i++)
        times += route->links[i] == link;
    return times;
}

/* Whether @link is on a route between memories in use; with @taken, on a route
 * that a copy took. */
static bool is_on_route(const struct orr_run *run, unsigned link, bool taken)
{
    for (unsigned p = 0; p < run->node_count * run->node_count; p++) {
        const struct orr_platform_route *route = route_of(run, p);

        if ((!taken || run->store.copies.streams[p].used) &&
            times_listed(route, link) > 0)
            return true;
    }
    return false;
}

/* Whether every copy over @link crossed @other at least as often. */
static bool is_covered(const struct orr_run *run, unsigned link, unsigned other)
{
    for (unsigned p = 0; p < run->node_count * run->node_count; p++) {
        const struct orr_platform_route *route = route_of(run, p);

        if (run->store.copies.streams[p].used &&
            times_listed(route, link) > times_listed(route, other))
            return false;
    }
    return true;
}

static bool changes_link(const struct orr_change *change, unsigned link)
{
    for (unsigned i = 0; i < change->parameters->len; i++) {
        if (g_array_index(change->parameters, struct orr_parameter, i).index ==
            link)
            return true;
    }
    return false;
}

/* Another link that all copies over the link of @figure cross, that @change
 * does not change, and that is no faster than the link of @figure before and
 * after the change; or NULL. */
static const struct orr_platform_link *
narrower_link(const struct orr_run *run, const struct orr_change *change,
              const struct orr_parameter *figure)
{
    for (unsigned l = 0; l < run->platform->link_count; l++) {
        const struct orr_platform_link *link = &run->platform->links[l];

        if (link->bytes_per_s <= MIN(figure->before, figure->after) &&
            is_covered(run, figure->index, l) && !changes_link(change, l))
            return link;
    }
    return NULL;
}

static char *link_idle(const struct orr_run *run,
                       const struct orr_change *change,
                       const struct orr_parameter *figure)
{
    const struct orr_platform_link *narrower;

    if (!is_on_route(run, figure->index, true))
        return g_strdup_printf("no copy took %s", change->parameters->len > 1
                                                      ? "any such link"
                                                      : "that link");
    if (figure->kind != ORR_PARAMETER_BANDWIDTH)
        return NULL;
    narrower = narrower_link(run, change, figure);
    return narrower
               ? g_strdup_printf(
                     "copies over %s also cross %s, which is no faster",
                     run->platform->links[figure->index].name, narrower->name)
               : NULL;
}

/* Whether a GPU was ever full, or would have been with a card of @bytes. */
static bool was_full(const struct orr_suballoc *pool, uint64_t bytes)
{
    return orr_suballoc_was_full(pool) ||
           orr_suballoc_peak(pool) > orr_memory_usable(bytes);
}

static char *memory_idle(const struct orr_run *run,
                         const struct orr_parameter *figure)
{
    const struct orr_suballoc *pool;
    g_autofree char *peak = NULL;

    if (figure->index >= run->node_count)
        return g_strdup("that GPU is not in use");
    if (!run->switches.memory)
        return g_strdup("with memory=off, memory is unlimited");
    if (run->diagnosis.memory_given)
        return g_strdup("the usable memory of GPUs is set separately");
    pool = run->store.memories[figure->index].pool;
    if (was_full(pool, (uint64_t)figure->before))
        return NULL;
    peak = orr_format_bytes(orr_suballoc_peak(pool));
    return g_strdup_printf("%s was never full, it held %s at most",
                           orr_platform_node_name(run->platform, figure->index),
                           peak);
}

/* With several GPUs, the runtime asks, too, to choose the source of a copy. */
static char *prediction_idle(const struct orr_run *run)
{
    return run->policy.asked_transfers || run->gpu_count > 1
               ? NULL
               : g_strdup_printf("policy %s does not ask how long copies take",
                                 run->policy.ops->name);
}

static char *belief_idle(const struct orr_run *run,
                         const struct orr_parameter *figure)
{
    unsigned nodes = run->platform->node_count;

    if (figure->index / nodes >= run->node_count ||
        figure->index % nodes >= run->node_count)
        return g_strdup("that GPU is not in use");
    if (run->switches.belief != ORR_BELIEF_REFERENCE)
        return g_strdup("with belief=route, policies use the route");
    return prediction_idle(run);
}

static bool ran_on_gpus(const struct orr_run *run)
{
    for (const struct orr_kernel *k = run->kernels.first; k; k = k->next) {
        if (k->devices & ~(1u << ORR_RAM))
            return true;
    }
    return false;
}

/* Whether the run paid overhead number @i, which is not switched off. */
static bool was_paid(const struct orr_run *run, unsigned i)
{
    const char *name = orr_platform_overhead_name(i);

    if (strcmp(name, "kernel-queue") == 0 || strcmp(name, "gpu-alloc") == 0)
        return ran_on_gpus(run);
    if (strcmp(name, "transfer-queue") == 0)
        return run->totals.report.copies > 0;
    if (strcmp(name, "stream-start") == 0)
        return run->totals.report.copies > 0 &&
               orr_switches_quirks(&run->switches);
    if (strcmp(name, "gpu-free") == 0)
        return run->diagnosis.driver_freed;
    if (strcmp(name, "host-pin") == 0)
        return run->buffers.pinning.paid;
    return true;
}

static char *overhead_idle(const struct orr_run *run,
                           const struct orr_parameter *figure)
{
    if (!run->switches.overheads)
        return g_strdup("with overheads=off, it costs nothing");
    return was_paid(run, figure->index)
               ? NULL
               : g_strdup("nothing in the run costs it");
}

/* Whether @figure is a duration of @kernel. */
static bool is_of(const struct orr_kernel *kernel, const struct orr_run *run,
                  const struct orr_parameter *figure)
{
    return kernel->model == &run->platform->kernels[figure->index] &&
           (figure->tile == 0 || figure->tile == kernel->tile);
}

static char *kernel_idle(const struct orr_run *run,
                         const struct orr_parameter *figure)
{
    const struct orr_platform_kernel *model =
        &run->platform->kernels[figure->index];
    const struct orr_platform_duration *duration;

    if (run->switches.durations == ORR_DURATIONS_REPLAYED)
        return g_strdup(
            "with durations=replayed, durations come from the record");
    duration = orr_platform_find_duration(model, figure->tile, figure->device);
    if (figure->kind == ORR_PARAMETER_DEVIATION &&
        run->switches.durations == ORR_DURATIONS_MEAN)
        return g_strdup("with durations=mean, durations do not vary");
    if (figure->kind == ORR_PARAMETER_DEVIATION && duration &&
        duration->histogram)
        return g_strdup("a histogram replaces it");
    for (const struct orr_kernel *k = run->kernels.first; k; k = k->next) {
        if (is_of(k, run, figure) && k->devices & 1u << figure->device)
            return NULL;
    }
    return g_strdup_printf("%s never ran there", model->name);
}

static char *parameter_idle(const struct orr_run *run,
                            const struct orr_change *change,
                            const struct orr_parameter *figure)
{
    switch (figure->kind) {
    case ORR_PARAMETER_BANDWIDTH:
    case ORR_PARAMETER_LATENCY:
        return link_idle(run, change, figure);
    case ORR_PARAMETER_MEMORY:
        return memory_idle(run, figure);
    case ORR_PARAMETER_BELIEF_BANDWIDTH:
    case ORR_PARAMETER_BELIEF_LATENCY:
        return belief_idle(run, figure);
    case ORR_PARAMETER_PITCH_BANDWIDTH:
    case ORR_PARAMETER_PITCH_LATENCY:
        return run->totals.report.copies_by_segment == 0
                   ? g_strdup("no copy matched a pitch segment")
                   : NULL;
    case ORR_PARAMETER_OVERHEAD:
        return overhead_idle(run, figure);
    case ORR_PARAMETER_CORES:
        return run->diagnosis.cpus_given
                   ? g_strdup("the number of CPU workers is set separately")
                   : NULL;
    default:
        return kernel_idle(run, figure);
    }
}

/* Whether the policy may have planned with a link that was never used. */
static bool was_link_expected(const struct orr_run *run,
                              const struct orr_change *change,
                              const struct orr_parameter *figure)
{
    if (!change->beliefs && run->switches.belief != ORR_BELIEF_ROUTE)
        return false;
    return (run->policy.asked_transfers || run->gpu_count > 1) &&
           is_on_route(run, figure->index, false);
}

static bool was_kernel_expected(const struct orr_run *run,
                                const struct orr_parameter *figure)
{
    for (const struct orr_kernel *k = run->kernels.first; k; k = k->next) {
        if (is_of(k, run, figure) && figure->device < run->node_count &&
            k->durations[figure->device] != ORR_NEVER)
            return run->policy.asked_durations;
    }
    return false;
}

static bool was_expected(const struct orr_run *run,
                         const struct orr_change *change)
{
    for (unsigned i = 0; i < change->parameters->len; i++) {
        const struct orr_parameter *figure =
            &g_array_index(change->parameters, struct orr_parameter, i);
        bool link = figure->kind == ORR_PARAMETER_BANDWIDTH ||
                    figure->kind == ORR_PARAMETER_LATENCY;

        if (link && was_link_expected(run, change, figure))
            return true;
        if (figure->kind >= ORR_PARAMETER_SCALE &&
            figure->kind != ORR_PARAMETER_DEVIATION &&
            was_kernel_expected(run, figure))
            return true;
    }
    return false;
}

static char *stale_idle(const struct orr_run *run)
{
    return run->switches.belief != ORR_BELIEF_REFERENCE
               ? g_strdup("with belief=route, policies use the route")
               : prediction_idle(run);
}

/* Why @change had no influence: the reason of its first figure; or NULL. */
static char *change_idle(const struct orr_run *run,
                         const struct orr_change *change)
{
    char *first = NULL;

    if (change->idle)
        return g_strdup(change->idle);
    if (change->power)
        return NULL;
    if (strcmp(change->text, "stale-calibration") == 0)
        return stale_idle(run);
    for (unsigned i = 0; i < change->parameters->len; i++) {
        char *why = parameter_idle(
            run, change,
            &g_array_index(change->parameters, struct orr_parameter, i));

        if (!why) {
            g_free(first);
            return NULL;
        }
        if (first)
            g_free(why);
        else
            first = why;
    }
    return first;
}

static void add_change(const struct orr_run *run,
                       const struct orr_change *change, GPtrArray *notes)
{
    const char *sign = strrchr(change->text, '=');
    g_autofree char *path =
        sign ? g_strndup(change->text, (gsize)(sign - change->text))
             : g_strdup(change->text);
    g_autofree char *why = change_idle(run, change);

    if (!why)
        return;
    g_ptr_array_add(
        notes,
        g_strdup_printf(was_expected(run, change)
                            ? "%s influenced only predictions of the policy: %s"
                        : change->idle ? "%s changed nothing: %s"
                                       : "%s was never used: %s",
                        path, why));
}

/* The setting gpu-memory, if no GPU was ever full, nor would have been with all
 * of its card. */
static void add_memory(const struct orr_run *run, GPtrArray *notes)
{
    g_autofree char *peak = NULL;
    uint64_t most = 0;

    if (!run->diagnosis.memory_given || !run->switches.memory ||
        run->gpu_count == 0)
        return;
    for (unsigned node = 1; node < run->node_count; node++) {
        const struct orr_suballoc *pool = run->store.memories[node].pool;

        most = MAX(most, orr_suballoc_peak(pool));
        if (was_full(pool, run->platform->gpus[node - 1].memory_bytes))
            return;
    }
    peak = orr_format_bytes(most);
    g_ptr_array_add(notes,
                    g_strdup_printf("gpu-memory was never used: no GPU was "
                                    "ever full, they held %s at most",
                                    peak));
}

/* Takes @why; NULL: the model may have had an influence. */
static void add_model(GPtrArray *notes, const char *item, char *why)
{
    if (why)
        g_ptr_array_add(notes,
                        g_strdup_printf("%s was never used: %s", item, why));
    g_free(why);
}

/* Why quirks=exact is the same as quirks=on. */
static char *exact_idle(const struct orr_run *run)
{
    if (run->engine.interleaving)
        return NULL;
    if (!orr_turns_lockstep)
        return g_strdup("this build has no lock-step");
    if (!run->switches.overheads)
        return g_strdup("with overheads=off, no run is in lock-step");
    if (!run->policy.queueing)
        return g_strdup_printf("no run under policy %s is in lock-step",
                               run->policy.ops->name);
    return g_strdup("no run whose decisions are chosen is in lock-step");
}

/* Why no duration is random. */
static char *sampled_idle(const struct orr_run *run)
{
    const struct orr_report *report = &run->totals.report;

    return run->kernels.spread >= 0 || report->tasks == 0 ||
                   report->sources.histogram > 0 ||
                   report->sources.lognormal > 0
               ? NULL
               : g_strdup("no task has times of the machine, which vary");
}

/* The models that differ from the defaults of the machine. */
static void add_models(const struct orr_run *run, GPtrArray *notes)
{
    const struct orr_switches *asked = &run->switches;
    const struct orr_switches *machine = &run->machine_switches;
    const char *no_copy =
        run->totals.report.copies == 0 ? "nothing was copied" : NULL;

    if (asked->network_full != machine->network_full)
        add_model(notes, asked->network_full ? "network=full" : "network=crude",
                  g_strdup(no_copy));
    if (asked->pitch != machine->pitch && run->platform->segment_count == 0)
        add_model(notes, asked->pitch ? "pitch=on" : "pitch=off",
                  g_strdup("no copy on this machine depends on the pitch"));
    if (asked->sharing_weighted != machine->sharing_weighted)
        add_model(notes,
                  asked->sharing_weighted ? "sharing=weighted" : "sharing=fair",
                  asked->network_full
                      ? g_strdup(no_copy)
                      : g_strdup("with network=crude, copies share no link"));
    if (asked->belief != machine->belief)
        add_model(notes,
                  asked->belief == ORR_BELIEF_ROUTE ? "belief=route"
                                                    : "belief=reference",
                  prediction_idle(run));
    if (asked->quirks == ORR_QUIRKS_EXACT && asked->quirks != machine->quirks)
        add_model(notes, "quirks=exact", exact_idle(run));
    if (asked->durations == ORR_DURATIONS_SAMPLED)
        add_model(notes, "durations=sampled", sampled_idle(run));
}

void orr_unused_settings_find(struct orr_run *run)
{
    GPtrArray *notes = g_ptr_array_new();

    for (unsigned i = 0; i < run->changes->count; i++)
        add_change(run, &run->changes->items[i], notes);
    add_memory(run, notes);
    if (run->diagnosis.buckets_given && !run->policy.buckets)
        g_ptr_array_add(notes,
                        g_strdup_printf("buckets was never used: policy %s has "
                                        "none that are given",
                                        run->policy.ops->name));
    if (run->window.limits.shuts > 0 && !run->window.closed)
        g_ptr_array_add(notes, g_strdup("window was never used: submission "
                                        "never waited for it"));
    if (run->diagnosis.pipeline_given && run->gpu_count > 0 &&
        !ran_on_gpus(run))
        g_ptr_array_add(notes, g_strdup("pipeline was never used: no task ran "
                                        "on a GPU"));
    add_models(run, notes);
    g_ptr_array_add(notes, NULL);
    g_strfreev(run->diagnosis.unused);
    run->diagnosis.unused = (char **)g_ptr_array_free(notes, FALSE);
}

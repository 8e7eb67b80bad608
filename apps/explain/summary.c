/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/explain/summary.h"

#include "models/base/units.h"

/* A link with at least this load counts as full, as some time passes between
 * copies. */
static const double FULL_LINK = 0.8;

enum orr_worker_state orr_main_loss(const int64_t *ns)
{
    enum orr_worker_state most = ORR_STARVATION;

    for (enum orr_worker_state state = ORR_STARVATION; state < ORR_STATES;
         state++)
        if (ns[state] > ns[most])
            most = state;
    return most;
}

static uint64_t sum_reloaded(const struct orr_traffic *traffic)
{
    uint64_t sum = 0;

    for (unsigned node = 0; node < ORR_MAX_NODES; node++)
        sum += traffic->reloaded_bytes[node];
    return sum;
}

/* Returns the cause of @state, for the end of the sentence. A full link is a
 * cause of any state: tasks that wait for copies delay their successors, and
 * policies keep tasks near their data. */
static char *find_reason(const struct orr_explanation *explanation,
                         enum orr_worker_state state)
{
    const struct orr_traffic *traffic = &explanation->traffic;
    const struct orr_link_traffic *link = traffic->links;
    uint64_t reloaded = sum_reloaded(traffic);
    bool waits = state == ORR_WAITING || state == ORR_LATENCY;
    g_autofree char *bytes = orr_format_bytes(reloaded);
    GString *text = g_string_new(NULL);

    if (traffic->link_count > 0 && (waits || link->load >= FULL_LINK))
        g_string_append_printf(
            text, "; link %s carries %.0f %% of what it could, for %u route%s",
            link->name, 100 * link->load, link->sharers->len,
            link->sharers->len == 1 ? "" : "s");
    if (traffic->link_count > 0 && waits && reloaded > 0)
        g_string_append_printf(
            text, "; %s come back to GPUs that had evicted them", bytes);
    return g_string_free(text, FALSE);
}

/* Returns a clause on the state that took @share of the time of all workers,
 * and its cause. */
static char *describe_loss(const struct orr_explanation *explanation,
                           enum orr_worker_state state, double share)
{
    static const char *const meanings[ORR_STATES] = {
        [ORR_STARVATION] = "no task that they could run was ready",
        [ORR_LATENCY] = "copies take their time, even alone on their links",
        [ORR_OVERHEAD] = "tasks are kept for other workers, or drivers work",
        [ORR_WAITING] = "copies wait for each other, or for memory",
    };
    g_autofree char *reason = find_reason(explanation, state);

    return g_strdup_printf("; most is lost to %s (%.0f %%): %s%s",
                           orr_worker_state_name(state), share, meanings[state],
                           reason);
}

char *orr_explanation_summary(const struct orr_explanation *explanation)
{
    const struct orr_breakdown *breakdown = &explanation->breakdown;
    int64_t sums[ORR_STATES] = {0};
    double all = (double)explanation->end * breakdown->worker_count;
    g_autofree char *loss = NULL;
    enum orr_worker_state state;
    double share;

    for (unsigned w = 0; w < breakdown->worker_count; w++)
        for (unsigned i = 0; i < ORR_STATES; i++)
            sums[i] += breakdown->ns[w][i];
    state = orr_main_loss(sums);
    share = 100 * (double)sums[state] / MAX(all, 1);
    loss = share < 0.5 ? NULL : describe_loss(explanation, state, share);
    return g_strdup_printf("workers compute %.0f %% of the time%s",
                           100 * (double)sums[ORR_COMPUTING] / MAX(all, 1),
                           loss ? loss : "");
}

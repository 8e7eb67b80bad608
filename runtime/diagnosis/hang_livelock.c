/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The chain of a livelock. */
#include "runtime/diagnosis/hang_private.h"
#include "runtime/run.h"
#include "runtime/worker/lock.h"
#include "runtime/worker/worker.h"

static bool any_tries(const struct orr_run *run)
{
    struct orr_blocked blocked;

    for (unsigned w = 0; w < run->worker_count; w++) {
        if (orr_run_blocked(run, w, &blocked) && blocked.tries)
            return true;
    }
    return false;
}

static char *describe_activity(const struct orr_hang *hang,
                               const struct orr_run *run)
{
    const struct orr_watchdog *watchdog = &run->diagnosis.watchdog;
    g_autofree char *since =
        orr_format_time(watchdog->date - run->totals.first_submission);
    g_autofree char *bytes =
        orr_format_bytes(orr_watchdog_bytes(run) - watchdog->bytes);

    if (hang->kind == ORR_HANG_SPINNING &&
        run->totals.report.copies == watchdog->copies)
        return g_strdup_printf(
            "since %s no task has been submitted or has ended, no kernel has "
            "run and nothing has been copied, but workers %s",
            since,
            any_tries(run) ? "keep trying to take locks" : "keep polling");
    return g_strdup_printf("since %s no task has been submitted or has ended, "
                           "and no kernel has run, but %" G_GUINT64_FORMAT
                           " copies have moved %s and "
                           "%" G_GUINT64_FORMAT " buffers were evicted",
                           since, run->totals.report.copies - watchdog->copies,
                           bytes,
                           run->totals.report.evictions - watchdog->evictions);
}

/* How often the history has this eviction. */
static unsigned count_evictions(const struct orr_decision_history *history,
                                const struct orr_past_decision *like)
{
    unsigned count = 0;

    for (unsigned i = 0; i < ORR_HISTORY_LENGTH; i++) {
        const struct orr_past_decision *note = &history->notes[i];

        count += note->what == like->what && note->kind == ORR_PAST_EVICT &&
                 note->from == like->from;
    }
    return count;
}

/* The data repeatedly evicted from @node: "A(0,0), A(1,0)"; or NULL. */
static char *list_evicted(const struct orr_run *run, unsigned node)
{
    g_autoptr(GPtrArray) listed = g_ptr_array_new();
    GString *text = g_string_new(NULL);

    for (unsigned i = 0; i < ORR_HISTORY_LENGTH; i++) {
        const struct orr_past_decision *note = &run->history.notes[i];
        g_autofree char *name = NULL;

        if (note->kind != ORR_PAST_EVICT || note->from != node ||
            count_evictions(&run->history, note) < 2 ||
            g_ptr_array_find(listed, note->what, NULL))
            continue;
        g_ptr_array_add(listed, (gpointer)note->what);
        name = orr_data_describe(note->what);
        g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", name);
    }
    return g_string_free(text, listed->len == 0);
}

static void add_evictions(GPtrArray *chain, const struct orr_run *run)
{
    for (unsigned node = 1; node < run->node_count; node++) {
        g_autofree char *data = list_evicted(run, node);

        if (data)
            g_ptr_array_add(
                chain, g_strdup_printf("%s are evicted from %s again and again",
                                       data, orr_hang_name_node(run, node)));
    }
}

/* Tells which workers wait for the data of their task. */
static void add_fetching(GPtrArray *chain, const struct orr_scene *scene)
{
    for (unsigned w = 0; w < scene->run->worker_count; w++) {
        const struct orr_worker *worker = scene->run->workers[w];

        if (worker->fetching)
            g_ptr_array_add(chain,
                            orr_lead_of_task(scene, worker->fetching).why);
    }
}

static void add_policy(GPtrArray *chain, const struct orr_scene *scene)
{
    const struct orr_job *first = NULL;
    unsigned held = 0;
    g_autofree char *name = NULL;
    g_autofree char *more = NULL;

    for (guint i = 0; i < scene->jobs->len; i++) {
        const struct orr_job *job = g_ptr_array_index(scene->jobs, i);

        if (!job->activated || !job->active->pushed)
            continue;
        first = first ? first : job;
        held++;
    }
    if (held == 0)
        return;
    name = orr_hang_name_job(scene->run, first);
    more = held > 1 ? g_strdup_printf(" and %u more", held - 1) : NULL;
    g_ptr_array_add(chain,
                    g_strdup_printf("policy %s holds %s%s: its pop returns no "
                                    "task, and workers keep calling it",
                                    scene->run->policy.ops->name, name,
                                    more ? more : ""));
}

/* Tells which workers wait or try to take locks inside the policy. Returns
 * whether there are any. */
static bool add_blocked(GPtrArray *chain, const struct orr_scene *scene)
{
    struct orr_blocked blocked;
    bool some = false;

    for (unsigned w = 0; w < scene->run->worker_count; w++) {
        if (!orr_run_blocked(scene->run, w, &blocked))
            continue;
        g_ptr_array_add(chain,
                        orr_lead_of_worker(scene, scene->run->workers[w]).why);
        some = true;
    }
    return some;
}

void orr_hang_describe_livelock(struct orr_hang *hang,
                                const struct orr_scene *scene)
{
    GPtrArray *chain = g_ptr_array_new();

    g_ptr_array_add(chain, describe_activity(hang, scene->run));
    add_fetching(chain, scene);
    if (hang->kind == ORR_HANG_EVICTION_PING_PONG)
        add_evictions(chain, scene->run);
    else if (!add_blocked(chain, scene))
        add_policy(chain, scene);
    g_ptr_array_add(chain, NULL);
    hang->chain = (char **)g_ptr_array_free(chain, FALSE);
}

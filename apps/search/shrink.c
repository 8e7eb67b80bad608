/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shrinks a token by delta debugging; shrink.h describes the two searches.
 *
 * Each candidate is a copy of the smallest token so far with one reduction: a
 * smaller problem, fewer workers, a list of tasks left out, or fewer decisions.
 * It replaces the smallest token if it hangs in the same way. First, decisions
 * are dropped and the problem is made smaller. Then GPUs, CPUs, tasks and
 * decisions are reduced until nothing more can be removed. At last, one other
 * decision is tried in place of several, and the second search begins; if
 * either succeeds, the reductions are repeated. Leaving out tasks removes
 * halves of the list, then quarters and so on, from the end; the numbers of the
 * remaining tasks do not change, so that decisions still apply.
 */
#include "apps/search/shrink.h"

#include <string.h>

#include "models/base/error.h"
#include "runtime/explore/strategy.h"

/* Schedules of each strategy for smaller problems or fewer workers: few cases
 * to try. */
enum { SCHEDULES = 10 };

/* Schedules of each strategy for the second search, which begins if the first
 * one leaves more than SURVEYED tasks: more than a user reads at a glance. */
enum { MORE_SCHEDULES = 100, SURVEYED = 12 };

/* The second search leaves out parts of the tasks, with several schedules each,
 * only if at most this many tasks are left. */
enum { MOST_TASKS = 36 };

/* A run with at most this many options in all is short enough to try each
 * option. */
enum { MOST_OPTIONS = 1000 };

/* Shrinking often ends before its budget: the time left that is shown is an
 * upper bound. */
static void show_progress(struct orr_shrink *shrink)
{
    const struct orr_case_size *extent = &shrink->after;
    gint64 now_us = g_get_monotonic_time();
    g_autofree char *text = NULL;

    if (!orr_progress_is_due(&shrink->progress, now_us))
        return;
    text = g_strdup_printf(
        "%" G_GUINT64_FORMAT " of at most %" G_GUINT64_FORMAT
        " runs: %s %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
        " tasks, %u workers, %" G_GUINT64_FORMAT " decisions",
        shrink->runs.count, shrink->budget,
        shrink->scale ? shrink->scale : "size", extent->scale, extent->tasks,
        extent->gpus + extent->cpus, extent->decisions);
    orr_progress_show(&shrink->progress, now_us, text,
                      (double)shrink->runs.count / (double)shrink->budget);
}

static bool is_spent(struct orr_shrink *shrink)
{
    if (shrink->runs.count < shrink->budget)
        return false;
    shrink->complete = false;
    return true;
}

/* Counts the tasks that are not left out. */
static void count_submitted(struct orr_shrink *shrink)
{
    const GArray *left_out = shrink->token.left_out;
    uint64_t all = shrink->submitted;

    shrink->after.tasks = all;
    for (guint i = 0; i < left_out->len; i++)
        shrink->after.tasks -= g_array_index(left_out, uint64_t, i) < all;
}

/* Makes @candidate, which is taken, the smallest token, with the decisions of
 * its run. */
static void accept(struct orr_shrink *shrink, struct orr_token *candidate,
                   const struct orr_outcome *outcome)
{
    orr_token_clear(&shrink->token);
    shrink->token = *candidate;
    *candidate = (struct orr_token){0};
    g_array_unref(shrink->token.decisions);
    shrink->token.decisions = g_array_ref(outcome->decisions);
    g_free(shrink->token.hang);
    shrink->token.hang = g_strdup(outcome->hang);
    shrink->token.digest = outcome->digest;
    shrink->asked = outcome->asked;
    shrink->submitted = outcome->tasks;
    count_submitted(shrink);
    shrink->after.gpus = outcome->gpus;
    shrink->after.cpus = outcome->cpus;
    shrink->after.decisions = outcome->decisions->len;
}

/* Whether one mistake may cause both kinds of hang, depending on the schedule.
 */
static bool are_siblings(const char *kind, const char *other)
{
    static const char *const families[][5] = {
        {"lost-wakeup", "tasks-held", "never-offered", "window", "starvation"},
        {"memory", "eviction-ping-pong", "spinning"},
    };
    bool kinds = false, others = false;

    for (size_t f = 0; f < G_N_ELEMENTS(families) && !(kinds && others); f++) {
        kinds = others = false;
        for (size_t i = 0; i < 5 && families[f][i]; i++) {
            kinds |= strcmp(families[f][i], kind) == 0;
            others |= strcmp(families[f][i], other) == 0;
        }
    }
    return kinds && others;
}

static bool is_alike(const struct orr_shrink *shrink, const char *hang)
{
    return hang &&
           (strcmp(hang, shrink->token.hang) == 0 ||
            (shrink->explores && are_siblings(shrink->token.hang, hang)));
}

/*
 * Runs @candidate, and accepts it if it hangs in the same way as the token;
 * returns whether it does. @other (or NULL) takes the decisions that @candidate
 * does not have.
 */
static bool try_once(struct orr_shrink *shrink, struct orr_token *candidate,
                     struct orr_decider *other)
{
    struct orr_outcome outcome;
    bool same;

    if (is_spent(shrink))
        return false;
    show_progress(shrink);
    orr_token_run(&shrink->runs, candidate, other, false, &outcome);
    shrink->is_large = outcome.tasks >= shrink->after.tasks;
    same = is_alike(shrink, outcome.hang) &&
           !(shrink->looks_for_scale && shrink->is_large);
    if (same)
        accept(shrink, candidate, &outcome);
    orr_outcome_clear(&outcome);
    return same;
}

/* As try_once(), with some schedules of each strategy. */
static bool try_strategies(struct orr_shrink *shrink,
                           struct orr_token *candidate)
{
    const struct orr_strategy_scope scope = {
        .workers = shrink->after.gpus + shrink->after.cpus,
        .decisions = MAX(shrink->asked, 1),
    };
    bool same = false;

    for (unsigned kind = 0; kind < ORR_STRATEGIES && !same; kind++) {
        struct orr_strategy *strategy =
            orr_strategy_new((enum orr_strategy_kind)kind, &scope);

        for (unsigned i = 0; i < shrink->schedules && !same; i++)
            same = try_once(shrink, candidate, orr_strategy_begin(strategy, i));
        orr_strategy_free(strategy);
    }
    return same;
}

/* Returns whether @candidate hangs as the token does in one of the schedules
 * tried. Clears @candidate. */
static bool try_candidate(struct orr_shrink *shrink,
                          struct orr_token *candidate)
{
    bool same = try_once(shrink, candidate, NULL);
    bool tries = shrink->has_decisions || shrink->explores;

    if (!same && candidate->decisions->len > 0) {
        g_array_set_size(candidate->decisions, 0);
        same = try_once(shrink, candidate, NULL);
    }
    if (!same && tries && !(shrink->looks_for_scale && shrink->is_large))
        same = try_strategies(shrink, candidate);
    orr_token_clear(candidate);
    return same;
}

/* Tries the values of option @name from @least to @now - 1. */
static bool reduce_number(struct orr_shrink *shrink, const char *name,
                          uint64_t least, uint64_t now)
{
    for (uint64_t number = least; number < now && !is_spent(shrink); number++) {
        struct orr_token candidate;

        orr_token_copy(&candidate, &shrink->token);
        orr_token_set_option(&candidate, "cpus", shrink->after.cpus);
        orr_token_set_option(&candidate, "gpus", shrink->after.gpus);
        orr_token_set_option(&candidate, name, number);
        if (try_candidate(shrink, &candidate))
            return true;
    }
    return false;
}

/* Reduces the problem of @token: the largest count becomes @scale, the others
 * shrink in proportion. */
static void set_scale(const struct orr_shrink *shrink, struct orr_token *token,
                      uint64_t scale)
{
    struct orr_shape shape = shrink->shape;
    g_autofree char *text = NULL;

    orr_shape_scale(&shape, orr_shape_largest(&shape), scale,
                    shrink->least_scale);
    text = orr_shape_format(&shape);
    orr_token_set_option_text(token, shrink->scale, text);
}

/* Reduces the size of the problem, before anything else, as this renumbers
 * tasks. The second search uses the workers of the original run. Returns
 * whether it could. */
static bool reduce_problem(struct orr_shrink *shrink)
{
    struct orr_token candidate;

    for (uint64_t scale = shrink->least_scale;
         shrink->scale && scale < shrink->after.scale && !is_spent(shrink);
         scale++) {
        orr_token_copy(&candidate, &shrink->token);
        if (shrink->axis)
            orr_token_drop_option(&candidate, shrink->axis);
        set_scale(shrink, &candidate, scale);
        g_array_set_size(candidate.left_out, 0);
        if (shrink->looks_for_scale) {
            orr_token_set_option(&candidate, "cpus", shrink->before.cpus);
            orr_token_set_option(&candidate, "gpus", shrink->before.gpus);
        }
        if (try_candidate(shrink, &candidate)) {
            shrink->after.scale = scale;
            return true;
        }
        if (shrink->looks_for_scale && shrink->is_large)
            return false;
    }
    return false;
}

/* Returns the numbers of the tasks that are not left out. */
static GArray *list_tasks(const struct orr_shrink *shrink)
{
    uint64_t count = shrink->submitted;
    const GArray *left_out = shrink->token.left_out;
    GArray *tasks = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    guint passed = 0;

    for (uint64_t task = 0; task < count; task++) {
        if (passed < left_out->len &&
            g_array_index(left_out, uint64_t, passed) == task)
            passed++;
        else
            g_array_append_val(tasks, task);
    }
    return tasks;
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    const uint64_t *one = a;
    const uint64_t *other = b;

    return (*one > *other) - (*one < *other);
}

static guint count_tasks(const struct orr_shrink *shrink)
{
    return (guint)shrink->after.tasks;
}

/* Tries to leave out @count tasks from index @first of list_tasks() on. */
static bool try_without_tasks(struct orr_shrink *shrink, guint first,
                              guint count)
{
    g_autoptr(GArray) tasks = list_tasks(shrink);
    struct orr_token candidate;

    /* Tasks that are left out still depend on others, but a hang of no task
     * explains nothing. */
    if (first + count > tasks->len || count == tasks->len)
        return false;
    orr_token_copy(&candidate, &shrink->token);
    g_array_append_vals(candidate.left_out,
                        &g_array_index(tasks, uint64_t, first), count);
    g_array_sort(candidate.left_out, compare_numbers);
    return try_candidate(shrink, &candidate);
}

static guint count_decisions(const struct orr_shrink *shrink)
{
    return shrink->token.decisions->len;
}

static bool try_without_decisions(struct orr_shrink *shrink, guint first,
                                  guint count)
{
    struct orr_token candidate;
    bool same;

    orr_token_copy(&candidate, &shrink->token);
    g_array_remove_range(candidate.decisions, first, count);
    same = try_once(shrink, &candidate, NULL);
    orr_token_clear(&candidate);
    return same;
}

/* Removes parts of a list, first large ones, then smaller ones, each time from
 * the end. Returns whether something was removed. */
static bool reduce_list(struct orr_shrink *shrink,
                        guint (*count)(const struct orr_shrink *shrink),
                        bool (*try_without)(struct orr_shrink *shrink,
                                            guint first, guint count))
{
    guint before = count(shrink);

    for (guint part = before; part > 0; part /= 2) {
        guint end = count(shrink);

        while (end > 0 && !is_spent(shrink)) {
            guint first = end > part ? end - part : 0;

            try_without(shrink, first, end - first);
            end = MIN(first, count(shrink));
        }
    }
    return count(shrink) < before;
}

/* Returns the decisions of the default run with their options; NULL if there
 * are too many options to try each. */
static GArray *list_points(struct orr_shrink *shrink)
{
    struct orr_token candidate;
    struct orr_outcome outcome;
    GArray *points;
    uint64_t options = 0;

    orr_token_copy(&candidate, &shrink->token);
    g_array_set_size(candidate.decisions, 0);
    orr_token_run(&shrink->runs, &candidate, NULL, true, &outcome);
    points = g_array_ref(outcome.points);
    orr_outcome_clear(&outcome);
    orr_token_clear(&candidate);
    for (guint i = 0; i < points->len; i++)
        options += g_array_index(points, struct orr_decision_point, i).count;
    if (options <= MOST_OPTIONS)
        return points;
    g_array_unref(points);
    return NULL;
}

/* If several decisions differ from the default, tries to replace them by a
 * single other decision. Returns whether that hangs. */
static bool reduce_to_one(struct orr_shrink *shrink)
{
    GArray *points = shrink->after.decisions > 1 ? list_points(shrink) : NULL;
    bool same = false;

    for (guint i = 0; points && i < points->len && !same; i++) {
        unsigned count =
            g_array_index(points, struct orr_decision_point, i).count;

        for (unsigned option = 1; option < count && !same; option++) {
            const struct orr_deviation one = {.position = i, .option = option};
            struct orr_token candidate;

            orr_token_copy(&candidate, &shrink->token);
            g_array_set_size(candidate.decisions, 0);
            g_array_append_val(candidate.decisions, one);
            same = try_once(shrink, &candidate, NULL);
            orr_token_clear(&candidate);
        }
    }
    if (points)
        g_array_unref(points);
    return same;
}

static bool reduce_rest(struct orr_shrink *shrink)
{
    bool fewer;

    shrink->schedules = SCHEDULES;
    fewer = reduce_number(shrink, "gpus", 0, shrink->after.gpus);
    fewer |= reduce_number(shrink, "cpus", 0, shrink->after.cpus);
    shrink->schedules = 1;
    fewer |= reduce_list(shrink, count_tasks, try_without_tasks);
    fewer |= reduce_list(shrink, count_decisions, try_without_decisions);
    return fewer;
}

/* If many tasks are left, explores smaller problems, or leaves out tasks, with
 * more schedules; accepts a hang of a sibling kind. Returns whether one was
 * found. */
static bool explore_smaller(struct orr_shrink *shrink)
{
    bool smaller;

    if (shrink->after.tasks <= SURVEYED || is_spent(shrink))
        return false;
    shrink->explores = shrink->looks_for_scale = true;
    shrink->schedules = MORE_SCHEDULES;
    smaller = reduce_problem(shrink);
    shrink->looks_for_scale = false;
    shrink->schedules = SCHEDULES;
    if (!smaller && shrink->after.tasks <= MOST_TASKS)
        smaller = reduce_list(shrink, count_tasks, try_without_tasks);
    shrink->explores = false;
    return smaller;
}

/* Determines the option of the size of the problem, and its least value. */
static void find_scale(struct orr_shrink *shrink,
                       const struct orr_scenario *scenario)
{
    const struct orr_app *app = scenario->problem.app;

    shrink->axis = app->axis;
    shrink->scale = app->scale;
    if (!app->scale)
        return;
    shrink->shape = orr_app_values_shape(scenario->problem.values, app->scale);
    shrink->after.scale = orr_shape_largest(&shrink->shape);
    shrink->least_scale = (uint64_t)MAX(
        orr_app_option(app, app->scale, strlen(app->scale))->min, 1);
}

/* Runs the original token, which must hang in the way that it records. */
static bool begin(struct orr_shrink *shrink, GError **error)
{
    struct orr_settings settings;
    struct orr_outcome outcome;
    struct orr_token same;
    bool hangs;

    orr_settings_init(&settings);
    hangs =
        orr_token_apply(&shrink->token, &settings, error) &&
        orr_settings_resolve(&settings, orr_token_app(&shrink->token), error);
    if (hangs)
        find_scale(shrink, &settings.scenario);
    orr_settings_clear(&settings);
    if (!hangs)
        return false;
    orr_token_run(&shrink->runs, &shrink->token, NULL, false, &outcome);
    hangs = outcome.hang && *outcome.hang &&
            strcmp(outcome.hang, shrink->token.hang) == 0;
    orr_token_copy(&same, &shrink->token);
    if (hangs)
        accept(shrink, &same, &outcome);
    else
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the run of the token %s",
                    outcome.why ? outcome.why : "finishes");
    orr_token_clear(&same);
    orr_outcome_clear(&outcome);
    return hangs;
}

bool orr_shrink_perform(struct orr_shrink *shrink,
                        const struct orr_token *token, GError **error)
{
    orr_token_copy(&shrink->token, token);
    shrink->complete = true;
    shrink->schedules = SCHEDULES;
    shrink->has_decisions = token->decisions->len > 0;
    orr_progress_begin(&shrink->progress);
    if (!begin(shrink, error))
        return false;
    shrink->before = shrink->after;
    reduce_list(shrink, count_decisions, try_without_decisions);
    reduce_problem(shrink);
    do {
        while (reduce_rest(shrink) && !is_spent(shrink))
            ;
    } while ((reduce_to_one(shrink) || explore_smaller(shrink)) &&
             !is_spent(shrink));
    /* The critical decision, the main result, gets a budget of its own. */
    orr_critical_decision_find(&shrink->critical, &shrink->runs, &shrink->token,
                               shrink->runs.count + shrink->budget);
    shrink->token.critical =
        shrink->critical.found ? shrink->critical.position + 1 : 0;
    orr_progress_erase(&shrink->progress);
    return true;
}

void orr_shrink_clear(struct orr_shrink *shrink)
{
    orr_critical_decision_clear(&shrink->critical);
    orr_token_clear(&shrink->token);
    orr_token_runs_clear(&shrink->runs);
}

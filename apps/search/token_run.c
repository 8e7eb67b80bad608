/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs a token with a decider that repeats its decisions. If a trace is
 * requested, a second layer records every decision together with the steps of
 * all callers; their texts are made at the end of the run, while the policy is
 * still loaded.
 */
#include "apps/search/token_run.h"

#include <string.h>

#include "apps/simulation/simulate.h"
#include "models/base/error.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"

/* A decider that forwards to a decision log and stores each decision, and a
 * trace that stores steps, if they are wanted. */
struct recorder {
    struct orr_decider decider; /* first */
    struct orr_decision_log *log;
    GArray *points;
    struct orr_step_log steps;
};

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct recorder *recorder = (struct recorder *)decider;
    struct orr_decider *log = &recorder->log->decider;
    struct orr_decision_point point = {
        .kind = decision->kind,
        .count = decision->count,
        .option = log->decide(log, decision),
        .first = ORR_NO_ACTOR,
        .taken = ORR_NO_ACTOR,
    };

    if (decision->actors) {
        point.first = decision->actors[0];
        point.taken = decision->actors[point.option];
    }
    if (recorder->points) {
        g_array_append_val(recorder->points, point);
        recorder->steps.moment = recorder->points->len;
    }
    return point.option;
}

static void clear_point(void *point)
{
    g_free(((struct orr_decision_point *)point)->what);
}

/* "CPU0", "the application", "another event". */
static const char *name_actor(const struct orr_run *run, unsigned who)
{
    if (who == ORR_NO_WORKER)
        return "the application";
    return who == ORR_NO_ACTOR ? "another event" : run->workers[who]->name;
}

/* Returns the effect of the option taken at @point, a clause; NULL if it is the
 * default. Free with g_free(). */
static char *describe(const struct orr_run *run,
                      const struct orr_decision_point *point)
{
    const char *taken = name_actor(run, point->taken);
    const char *first = name_actor(run, point->first);

    if (point->option == 0)
        return NULL;
    switch (point->kind) {
    case ORR_DECIDE_EVENT:
        return g_strdup_printf("%s comes before %s", taken, first);
    case ORR_DECIDE_WAKE:
        return g_strdup_printf("%s is woken, not %s", taken, first);
    case ORR_DECIDE_LOCK:
        return g_strdup_printf("%s goes on before %s, which waited longer",
                               taken, first);
    case ORR_DECIDE_VICTIM:
        return g_strdup_printf("buffer %u is evicted, counted from the least "
                               "recently used one, 0",
                               point->option);
    case ORR_DECIDE_COPY:
        return g_strdup_printf("request %u of a queue starts before the first, "
                               "0",
                               point->option);
    case ORR_DECIDE_DURATION:
        return g_strdup_printf("a kernel takes quantile %u of %u",
                               point->option, point->count - 1);
    case ORR_DECIDE_STEP:
    case ORR_DECIDE_ORDER:
    case ORR_DECIDE_GAP:
    case ORR_DECISION_KINDS:
        break;
    }
    return g_strdup("a worker is held back in the policy");
}

/* Decisions to preempt an actor are described by the step that executes them.
 */
static void describe_waits(struct recorder *recorder)
{
    for (guint i = 0; i < recorder->steps.steps->len; i++) {
        const struct orr_step *step =
            &g_array_index(recorder->steps.steps, struct orr_step, i);
        struct orr_decision_point *point;

        if (step->event.kind != ORR_TRACE_HOLDS_BACK)
            continue;
        point = &g_array_index(recorder->points, struct orr_decision_point,
                               step->moment - 1);
        g_free(point->what);
        point->what = orr_step_log_text(&recorder->steps, i);
    }
}

static void describe_all(const struct orr_run *run, struct recorder *recorder)
{
    describe_waits(recorder);
    for (guint i = 0; i < recorder->points->len; i++) {
        struct orr_decision_point *point =
            &g_array_index(recorder->points, struct orr_decision_point, i);

        if (!point->what)
            point->what = describe(run, point);
    }
}

void orr_token_runs_clear(struct orr_token_runs *runs)
{
    orr_machine_free(runs->machine);
    g_free(runs->machine_options);
}

/* Returns the options of @token for the machine as one text. */
static char *machine_options_of(const struct orr_token *token)
{
    static const struct orr_option_group *const groups[] = {
        &orr_options_machine, NULL};
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < token->options->len; i++) {
        const char *option = token->options->pdata[i];

        if (orr_option_find(groups, option, strcspn(option, "="), NULL))
            g_string_append_printf(text, "%s\n", option);
    }
    return g_string_free(text, FALSE);
}

/* Sets settings->machine: the machine of the last run, or a new one if the
 * options differ. */
static bool share_machine(struct orr_token_runs *runs,
                          const struct orr_token *token,
                          struct orr_settings *settings, GError **error)
{
    g_autofree char *options = machine_options_of(token);

    if (g_strcmp0(options, runs->machine_options) != 0) {
        g_clear_pointer(&runs->machine, orr_machine_free);
        g_clear_pointer(&runs->machine_options, g_free);
        runs->machine = orr_simulate_machine(&settings->scenario, error);
        if (!runs->machine)
            return false;
        runs->machine_options = g_steal_pointer(&options);
    }
    settings->scenario.run.machine = runs->machine;
    return true;
}

static const char *ending_of(const struct orr_run *run, const GError *error)
{
    const struct orr_hang *hang = orr_run_hang(run);

    if (hang)
        return orr_hang_kind_name(hang->kind);
    return error ? orr_error_policy_kind(error) : "";
}

static void set_outcome(struct orr_outcome *outcome, struct orr_run *run,
                        const GError *error)
{
    const struct orr_report *report = orr_run_report(run);

    outcome->hang = ending_of(run, error);
    outcome->digest = report->digest;
    outcome->tasks = run->graph.submitted + run->left_out.before;
    outcome->cpus = report->cpus;
    outcome->gpus = report->gpus;
}

/* Simulates the run. */
static void perform(const struct orr_scenario *scenario,
                    struct recorder *recorder, struct orr_outcome *outcome,
                    GError **error)
{
    struct orr_trace *trace = recorder->points ? &recorder->steps.trace : NULL;
    struct orr_run *run;
    enum orr_exit status =
        orr_simulate_run(scenario, scenario->config.sched, trace, &run, error);

    if (orr_exit_has_facts(status) || (*error && orr_error_policy_kind(*error)))
        set_outcome(outcome, run, *error);
    if (run && recorder->points) {
        describe_all(run, recorder);
        outcome->error_trace =
            orr_error_trace_new(&recorder->steps, recorder->points);
    }
    orr_run_free(run);
}

static void begin(struct recorder *recorder, const struct orr_token *token,
                  struct orr_decider *other, bool points)
{
    *recorder = (struct recorder){.decider = {.decide = decide}};
    recorder->log = orr_decision_log_new(
        (const struct orr_deviation *)(void *)token->decisions->data,
        token->decisions->len, other);
    if (!points)
        return;
    recorder->points =
        g_array_new(FALSE, FALSE, sizeof(struct orr_decision_point));
    g_array_set_clear_func(recorder->points, clear_point);
    orr_step_log_init(&recorder->steps);
}

void orr_token_run(struct orr_token_runs *runs, const struct orr_token *token,
                   struct orr_decider *other, bool points,
                   struct orr_outcome *outcome)
{
    struct orr_settings settings;
    struct recorder recorder;
    g_autoptr(GError) error = NULL;

    *outcome = (struct orr_outcome){0};
    runs->count++;
    begin(&recorder, token, other, points);
    orr_settings_init(&settings);
    if (orr_token_apply(token, &settings, &error) &&
        orr_settings_resolve(&settings, orr_token_app(token), &error) &&
        share_machine(runs, token, &settings, &error)) {
        settings.scenario.config.decider = &recorder.decider;
        perform(&settings.scenario, &recorder, outcome, &error);
    }
    if (error)
        outcome->why = g_strdup(error->message);
    outcome->asked = recorder.log->asked;
    outcome->decisions = g_array_ref(recorder.log->deviations);
    outcome->points = recorder.points;
    settings.scenario.run.machine = NULL; /* owned by @runs */
    orr_settings_clear(&settings);
    orr_decision_log_free(recorder.log);
    orr_step_log_clear(&recorder.steps);
}

void orr_outcome_clear(struct orr_outcome *outcome)
{
    g_free(outcome->why);
    g_clear_pointer(&outcome->decisions, g_array_unref);
    g_clear_pointer(&outcome->points, g_array_unref);
    g_clear_pointer(&outcome->error_trace, g_array_unref);
}

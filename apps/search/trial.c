/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/trial.h"

#include <string.h>

#include "apps/study/simulate.h"
#include "models/base/error.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"

/* A decider that forwards to a decision log and stores each decision. */
struct recorder {
    struct orr_decider decider; /* first */
    struct orr_decision_log *log;
    GArray *points;
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
    };

    if (recorder->points)
        g_array_append_val(recorder->points, point);
    return point.option;
}

void orr_trials_clear(struct orr_trials *trials)
{
    orr_machine_free(trials->machine);
    g_free(trials->machine_options);
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

/* Sets settings->machine: the last one, or a new one if the options differ. */
static bool share_machine(struct orr_trials *trials,
                          const struct orr_token *token,
                          struct orr_settings *settings, GError **error)
{
    g_autofree char *options = machine_options_of(token);

    if (g_strcmp0(options, trials->machine_options) != 0) {
        g_clear_pointer(&trials->machine, orr_machine_free);
        g_clear_pointer(&trials->machine_options, g_free);
        trials->machine = orr_simulate_machine(settings, error);
        if (!trials->machine)
            return false;
        trials->machine_options = g_steal_pointer(&options);
    }
    settings->machine = trials->machine;
    return true;
}

static const char *ending_of(const struct orr_run *run, const GError *error)
{
    const struct orr_hang *hang = orr_run_hang(run);

    if (hang)
        return orr_hang_kind_name(hang->kind);
    return error ? "policy" : "";
}

static void note_run(struct orr_outcome *outcome, struct orr_run *run,
                     const GError *error)
{
    const struct orr_report *report = orr_run_report(run);

    outcome->hang = ending_of(run, error);
    outcome->digest = report->digest;
    outcome->tasks = run->graph.submitted + run->left_out_before;
    outcome->cpus = report->cpus;
    outcome->gpus = report->gpus;
}

/* Simulates the run. */
static void perform(const struct orr_settings *settings,
                    struct orr_outcome *outcome, GError **error)
{
    struct orr_run *run;
    enum orr_exit status =
        orr_simulate_run(settings, settings->sched, NULL, &run, error);

    if (orr_exit_has_facts(status) ||
        g_error_matches(*error, ORR_ERROR, ORR_ERROR_POLICY))
        note_run(outcome, run, *error);
    orr_run_free(run);
}

void orr_trial_run(struct orr_trials *trials, const struct orr_token *token,
                   struct orr_decider *other, bool points,
                   struct orr_outcome *outcome)
{
    struct orr_settings settings;
    struct recorder recorder = {.decider = {.decide = decide}};
    g_autoptr(GError) error = NULL;

    *outcome = (struct orr_outcome){0};
    trials->count++;
    if (points)
        recorder.points =
            g_array_new(FALSE, FALSE, sizeof(struct orr_decision_point));
    recorder.log = orr_decision_log_new(
        (const struct orr_deviation *)(void *)token->decisions->data,
        token->decisions->len, other);
    orr_settings_init(&settings);
    if (orr_token_apply(token, &settings, &error) &&
        orr_settings_resolve(&settings, orr_token_app(token), &error) &&
        share_machine(trials, token, &settings, &error)) {
        settings.decider = &recorder.decider;
        perform(&settings, outcome, &error);
    }
    if (error)
        outcome->why = g_strdup(error->message);
    outcome->asked = recorder.log->asked;
    outcome->decisions = g_array_ref(recorder.log->deviations);
    outcome->points = recorder.points;
    settings.machine = NULL; /* owned by @trials */
    orr_settings_clear(&settings);
    orr_decision_log_free(recorder.log);
}

void orr_outcome_clear(struct orr_outcome *outcome)
{
    g_free(outcome->why);
    g_clear_pointer(&outcome->decisions, g_array_unref);
    g_clear_pointer(&outcome->points, g_array_unref);
}

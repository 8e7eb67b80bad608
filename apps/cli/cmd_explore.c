/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/output/csv.h"
#include "apps/output/output.h"
#include "apps/search/exploration.h"
#include "apps/search/junit.h"
#include "apps/search/matrix.h"
#include "apps/search/resume.h"
#include "apps/settings/command.h"
#include "apps/simulation/simulate.h"
#include "models/base/file.h"

static const struct orr_syntax syntax = {
    "explore",
    "APP",
    1,
    1,
    "Simulates the application APP many times, to find schedules that do not "
    "finish.\nWhere several choices are equally possible (which event of a "
    "date comes first,\nwhich worker wakes up, which buffer is evicted), each "
    "run may choose\ndifferently.",
    {&orr_options_application, &orr_options_kernels, &orr_options_machine,
     &orr_options_policy, &orr_options_runtime, &orr_options_checks,
     &orr_options_explore, &orr_options_plugin, &orr_options_output, NULL},
};

static void print(JsonObject *facts, const struct orr_settings *settings,
                  void (*print_text)(JsonObject *facts, bool timing))
{
    if (settings->format == ORR_FORMAT_TEXT)
        print_text(facts, settings->outputs.timing);
    else if (settings->format == ORR_FORMAT_JSON)
        orr_output_object(facts);
    else
        orr_csv_print_pairs(facts);
}

/* Returns the exit status for the first failure, if there is one; a policy that
 * is not deterministic counts as one. */
static enum orr_exit status_of(const struct orr_exploration *exploration)
{
    const struct orr_failure *first;

    if (exploration->failures->len == 0)
        return exploration->difference ? ORR_EXIT_FAILURE : ORR_EXIT_OK;
    first = exploration->failures->pdata[0];
    return first->status;
}

static enum orr_exit report(const struct orr_exploration *exploration,
                            const struct orr_settings *settings, GError **error)
{
    JsonObject *facts = orr_exploration_facts(exploration, error);

    if (!facts)
        return ORR_EXIT_FAILURE;
    print(facts, settings, orr_exploration_print);
    json_object_unref(facts);
    return status_of(exploration);
}

/* What follows after @status of an exploration with @schedules: prints whether
 * it was stopped. Returns whether there is something to report. */
static bool has_results(enum orr_exit status, uint64_t schedules)
{
    if (status > ORR_EXIT_SIGNAL)
        orr_message_print(syntax.command,
                          "stopped after %" G_GUINT64_FORMAT " schedules",
                          schedules);
    return status == ORR_EXIT_OK || status > ORR_EXIT_SIGNAL;
}

/* Explores, and reports what was found. */
static enum orr_exit perform(struct orr_exploration *exploration,
                             const struct orr_settings *settings,
                             GError **error)
{
    enum orr_exit status = orr_exploration_perform(exploration, error), found;

    if (has_results(status, exploration->schedules)) {
        found = report(exploration, settings, error);
        if (status == ORR_EXIT_OK)
            status = found;
    }
    orr_exploration_clear(exploration);
    return status;
}

/* As perform(), with the file of --resume. */
static enum orr_exit perform_resumed(struct orr_exploration *exploration,
                                     const struct orr_settings *settings,
                                     GError **error)
{
    struct orr_resume *resume =
        orr_resume_open(settings->exploration.resume, error);
    enum orr_exit status = ORR_EXIT_FAILURE;

    if (!resume)
        return ORR_EXIT_FAILURE;
    exploration->resume = resume;
    exploration->name = settings->scenario.problem.app->name;
    if (orr_resume_expect(resume, exploration->name, &settings->scenario,
                          &settings->exploration, error) &&
        orr_resume_check(resume, error))
        status = perform(exploration, settings, error);
    orr_resume_free(resume);
    return status;
}

static enum orr_exit explore_one(const char *app, struct orr_settings *settings,
                                 GError **error)
{
    struct orr_exploration exploration = {
        .scenario = &settings->scenario,
        .settings = &settings->exploration,
        .command = syntax.command,
    };
    enum orr_exit status;

    status = orr_simulate_prepare(settings, app, syntax.command, error);
    if (status != ORR_EXIT_OK)
        return status;
    if (!orr_app_check_tasks(
            settings->scenario.problem.values,
            orr_window_is_set(&settings->scenario.config.window), error))
        return ORR_EXIT_FAILURE;
    return settings->exploration.resume
               ? perform_resumed(&exploration, settings, error)
               : perform(&exploration, settings, error);
}

/* Writes NAME.json and NAME.xml of --ci NAME. */
static bool write_ci(JsonObject *facts, const struct orr_settings *settings,
                     GError **error)
{
    g_autofree char *json =
        g_strconcat(settings->exploration.ci, ".json", NULL);
    g_autofree char *xml = g_strconcat(settings->exploration.ci, ".xml", NULL);
    g_autoptr(JsonNode) node = json_node_init_object(json_node_alloc(), facts);
    g_autofree char *text = json_to_string(node, TRUE);
    const char *sched = settings->scenario.config.sched
                            ? settings->scenario.config.sched
                            : ORR_DEFAULT_SCHED;

    return orr_file_replace(json, text, strlen(text), error) &&
           orr_junit_write(xml, facts, sched, error);
}

static enum orr_exit report_cases(const struct orr_matrix *cases,
                                  const struct orr_settings *settings,
                                  GError **error)
{
    JsonObject *facts = orr_matrix_facts(cases, error);
    const struct orr_matrix_case *first = orr_matrix_first(cases);
    bool written;

    if (!facts)
        return ORR_EXIT_FAILURE;
    print(facts, settings, orr_matrix_print);
    written = !settings->exploration.ci || write_ci(facts, settings, error);
    json_object_unref(facts);
    if (!written)
        return ORR_EXIT_FAILURE;
    return first ? status_of(&first->exploration) : ORR_EXIT_OK;
}

static enum orr_exit explore_cases(const char *app,
                                   const struct orr_settings *settings,
                                   GError **error)
{
    struct orr_matrix cases = {.command = syntax.command};
    enum orr_exit status = ORR_EXIT_FAILURE, found;

    if (orr_matrix_init(&cases, settings, app, error))
        status = orr_matrix_explore(&cases, error);
    else
        status = orr_exit_of_name(*error);
    if (has_results(status, cases.schedules)) {
        found = report_cases(&cases, settings, error);
        if (status == ORR_EXIT_OK)
            status = found;
    }
    orr_matrix_clear(&cases);
    return status;
}

static enum orr_exit explore(const char *app, struct orr_settings *settings,
                             GError **error)
{
    bool several = settings->exploration.matrix ||
                   settings->exploration.seeds > 1 || settings->exploration.ci;

    return several ? explore_cases(app, settings, error)
                   : explore_one(app, settings, error);
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, explore);
}

const struct orr_cmd orr_cmd_explore = {
    .name = "explore",
    .summary = "look for schedules that do not finish",
    .syntax = &syntax,
    .main = command};

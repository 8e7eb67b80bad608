/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/output/csv.h"
#include "apps/output/output.h"
#include "apps/search/exploration.h"
#include "apps/settings/command.h"
#include "apps/study/simulate.h"

static const struct orr_syntax syntax = {
    "explore",
    "APP",
    1,
    1,
    "Simulates the application APP many times, to find schedules that do not "
    "finish.\nWhere several choices are equally possible (which event of a "
    "date comes first,\nwhich worker wakes up, which buffer is evicted), each "
    "run may choose\ndifferently.",
    {&orr_options_application, &orr_options_machine, &orr_options_runtime,
     &orr_options_explore, &orr_options_plugin, &orr_options_output, NULL},
};

static void print(JsonObject *facts, const struct orr_settings *settings)
{
    if (settings->format == ORR_FORMAT_TEXT)
        orr_exploration_print(facts, settings->timing);
    else if (settings->format == ORR_FORMAT_JSON)
        orr_output_object(facts);
    else
        orr_csv_print_pairs(facts);
}

/* Returns the exit status for the first finding, if there is one; a policy that
 * is not deterministic counts as one. */
static enum orr_exit status_of(const struct orr_exploration *exploration)
{
    const struct orr_finding *first;

    if (exploration->findings->len == 0)
        return exploration->difference ? ORR_EXIT_FAILURE : ORR_EXIT_OK;
    first = exploration->findings->pdata[0];
    return first->status;
}

static enum orr_exit report(const struct orr_exploration *exploration,
                            GError **error)
{
    JsonObject *facts = orr_exploration_facts(exploration, error);

    if (!facts)
        return ORR_EXIT_FAILURE;
    print(facts, exploration->settings);
    json_object_unref(facts);
    return status_of(exploration);
}

static enum orr_exit explore(const char *app, struct orr_settings *settings,
                             GError **error)
{
    struct orr_exploration exploration = {
        .settings = settings,
        .command = syntax.command,
    };
    enum orr_exit status, found;

    status = orr_simulate_prepare(settings, app, syntax.command, error);
    if (status != ORR_EXIT_OK)
        return status;
    if (!orr_app_check_tasks(settings->values,
                             orr_window_is_set(&settings->window), error))
        return ORR_EXIT_FAILURE;
    status = orr_exploration_perform(&exploration, error);
    if (status > ORR_EXIT_SIGNAL)
        orr_message_print(syntax.command,
                          "stopped after %" G_GUINT64_FORMAT " schedules",
                          exploration.schedules);
    if (status == ORR_EXIT_OK || status > ORR_EXIT_SIGNAL) {
        found = report(&exploration, error);
        if (status == ORR_EXIT_OK)
            status = found;
    }
    orr_exploration_clear(&exploration);
    return status;
}

enum orr_exit orr_cmd_explore(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, explore);
}

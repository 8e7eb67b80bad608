/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/policies.h"
#include "apps/single.h"

static const struct orr_syntax syntax = {
    "run",
    "APP",
    1,
    1,
    "Simulates the application APP once and reports what it did. 'orrery app "
    "list'\nlists the applications, 'orrery platform list' the machines and "
    "'orrery sched\nlist' the policies.",
    {&orr_options_application, &orr_options_machine, &orr_options_runtime,
     &orr_options_run, &orr_options_output, NULL},
};

static enum orr_exit run(const char *app, struct orr_settings *settings,
                         GError **error)
{
    if (!orr_settings_resolve(settings, app, error))
        return ORR_EXIT_USAGE;
    if (!settings->sched)
        settings->sched = ORR_DEFAULT_SCHED;
    if (!orr_policies_check(settings->sched, error))
        return orr_policies_status(*error);
    return orr_single_run(syntax.command, settings, error);
}

enum orr_exit orr_cmd_run(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, run);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The options of all commands that simulate: those that decide what a run does
 * are in runtime/config/config_options.c.
 */
#include "apps/options/completion.h"
#include "apps/options/values.h"
#include "apps/settings/settings.h"

/* More than can be simulated. */
#define MAX_SECONDS 1000000

#define MEMBER(name) offsetof(struct orr_settings, name)

/* A group of options of a run, whose members are in settings->scenario.config.
 */
#define RUN_GROUP(name, table)                                                 \
    {                                                                          \
        .title = (name), .options = (table), .count = G_N_ELEMENTS(table),     \
        .member = offsetof(struct orr_settings, scenario.config)               \
    }

static const struct orr_option application[] = {
    {"app", "APP", "the application, instead of the operand APP",
     .parse = orr_value_text, .member = MEMBER(outputs.app_name),
     .offer = orr_offer_apps,
     .facts = {{"app", .kind = ORR_FACT_TEXT},
               {"app_file", .kind = ORR_FACT_TEXT}},
     .manual = "The application, instead of the operand *APP*."},
};

static const struct orr_option plugin[] = {
    {"plugin-timeout", "S",
     "time limit of a plug-in's call in s (default 10; 0: none)",
     .parse = orr_value_seconds, .member = MEMBER(outputs.plugin_timeout_s),
     .max = MAX_SECONDS,
     .manual =
         "The time in seconds that a call of a policy or of an application in "
         "a file may take: 0 (no limit), or at least 0.1; 10 by default. For "
         "an application that submits tasks, it starts again with each task. A "
         "call that does not return is an error, which names the policy, the "
         "function, the task and the worker, or the application and the "
         "function; that of a policy is a finding of `explore`. In a debugger, "
         "0 is useful, although time does not pass while all threads of the "
         "program are stopped. Built-in policies and applications have no "
         "limit."},
};

const struct orr_option_group orr_options_application =
    ORR_OPTION_GROUP("Application", application);
const struct orr_option_group orr_options_kernels =
    RUN_GROUP("Kernels", orr_config_kernels);
const struct orr_option_group orr_options_machine =
    RUN_GROUP("Machine", orr_config_machine);
const struct orr_option_group orr_options_policy =
    RUN_GROUP("Policy", orr_config_policy);
const struct orr_option_group orr_options_runtime =
    RUN_GROUP("Runtime", orr_config_runtime);
const struct orr_option_group orr_options_checks = {
    .title = "Checks of the policy",
    .options = orr_config_checks,
    .count = G_N_ELEMENTS(orr_config_checks),
    .member = offsetof(struct orr_settings, scenario.config),
    .manual = "Rules for a policy, beside giving each task to a worker. A "
              "violation ends the run with an error (exit status 1)."};
const struct orr_option_group orr_options_plugin =
    ORR_OPTION_GROUP("Plug-ins", plugin);

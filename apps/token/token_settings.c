/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conversions between settings and tokens. */
#include <string.h>

#include "apps/settings/policies.h"
#include "apps/simulation/simulate.h"
#include "apps/token/token.h"
#include "config.h"
#include "models/base/error.h"
#include "models/base/input.h"
#include "models/base/units.h"
#include "models/format/platform_save.h"
#include "models/import/record.h"
#include "runtime/machine.h"
#include "runtime/programs/process_app.h"
#include "sched/evict/evict_registry.h"

/* Returns the first 64 bits of @digest, hexadecimal digits, and frees it; 1
 * instead of 0, which means "not used". */
static uint64_t shorten(char *digest)
{
    uint64_t result;

    digest[16] = '\0';
    result = g_ascii_strtoull(digest, NULL, 16);
    g_free(digest);
    return MAX(result, 1);
}

static bool hash_file(const char *path, uint64_t *result, GError **error)
{
    /* No plug-in is larger than this limit. */
    char *digest = orr_input_digest(path, ORR_RECORD_MAX_BYTES, error);

    if (digest)
        *result = shorten(digest);
    return digest;
}

/* Hashes the machine as a platform file, whatever format it was read from. */
static bool hash_platform(const struct orr_scenario *scenario, uint64_t *result,
                          GError **error)
{
    struct orr_machine *machine = scenario->run.machine;

    if (!machine)
        machine = orr_simulate_machine(scenario, error);
    if (!machine)
        return false;
    *result = shorten(orr_platform_digest(machine->platform));
    if (machine != scenario->run.machine)
        orr_machine_free(machine);
    return true;
}

/* Hashes the file of the application called @name, and the arguments of a
 * program. */
static bool hash_app(const char *name, uint64_t *hash, GError **error)
{
    g_autofree char *path = orr_app_path(name, error);
    g_autofree char *arguments =
        orr_process_is_command(name) ? orr_process_arguments(name) : NULL;

    if (!path || !hash_file(path, hash, error))
        return false;
    if (arguments && *arguments)
        *hash ^= shorten(
            g_compute_checksum_for_string(G_CHECKSUM_SHA256, arguments, -1));
    return true;
}

static bool hash_inputs(const struct orr_scenario *scenario, const char *sched,
                        uint64_t inputs[ORR_TOKEN_INPUTS], GError **error)
{
    g_autofree char *policy = orr_policies_file(sched);

    memset(inputs, 0, sizeof(uint64_t[ORR_TOKEN_INPUTS]));
    if (!hash_platform(scenario, &inputs[ORR_TOKEN_PLATFORM], error))
        return false;
    if (policy && !hash_file(policy, &inputs[ORR_TOKEN_SCHED], error))
        return false;
    if (orr_app_file(scenario->problem.app) &&
        !hash_app(orr_app_file(scenario->problem.app), &inputs[ORR_TOKEN_APP],
                  error))
        return false;
    if (scenario->config.evict && orr_evict_is_file(scenario->config.evict) &&
        !hash_file(scenario->config.evict, &inputs[ORR_TOKEN_EVICT], error))
        return false;
    return !scenario->config.record ||
           hash_file(scenario->config.record, &inputs[ORR_TOKEN_RECORD], error);
}

bool orr_token_init(struct orr_token *token,
                    const struct orr_scenario *scenario, const char *sched,
                    GError **error)
{
    g_autofree char *policy = g_strconcat("sched=", sched, NULL);
    const char *file = orr_app_file(scenario->problem.app);
    g_autofree char *app = file ? g_strconcat("app=", file, NULL) : NULL;

    *token = (struct orr_token){
        .version = g_strdup(ORR_VERSION),
        .app = file ? orr_token_file_name(file)
                    : g_strdup(scenario->problem.app->name),
        .options = g_ptr_array_new_with_free_func(g_free),
        .strategy = g_strdup(""),
        .hang = g_strdup(""),
        .decisions = g_array_new(FALSE, FALSE, sizeof(struct orr_deviation)),
        .left_out = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
    };
    for (guint i = 0; scenario->given && i < scenario->given->len; i++) {
        const char *text = scenario->given->pdata[i];

        if (!g_str_has_prefix(text, "sched=") &&
            !g_str_has_prefix(text, "app="))
            orr_token_add_option(token, text);
    }
    if (app)
        orr_token_add_option(token, app);
    orr_token_add_option(token, policy);
    return hash_inputs(scenario, sched, token->inputs, error);
}

const char *orr_token_app(const struct orr_token *token)
{
    const char *file = token->files[ORR_TOKEN_APP];

    return file ? file : token->app;
}

/* Opens the application of @token. Checks the hash of a file first, as opening
 * a plug-in runs its code. */
static bool open_app(const struct orr_token *token,
                     struct orr_settings *settings, GError **error)
{
    const char *name = orr_token_app(token);
    uint64_t hash = 0;

    if (orr_app_name_is_file(name) && name == token->app)
        return orr_token_refuse(token, ORR_TOKEN_APP, NULL, error);
    if (orr_app_name_is_file(name) && !hash_app(name, &hash, error))
        return false;
    if (hash != token->inputs[ORR_TOKEN_APP])
        return orr_token_refuse(token, ORR_TOKEN_APP, name, error);
    return orr_settings_open(settings, name, error);
}

bool orr_token_apply(const struct orr_token *token,
                     struct orr_settings *settings, GError **error)
{
    g_autofree char *quoted = orr_quote(token->version);

    if (strcmp(token->version, ORR_VERSION) != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the token was made by version %s of orrery, this "
                    "is " ORR_VERSION,
                    quoted);
        return false;
    }
    if (!open_app(token, settings, error))
        return false;
    for (guint i = 0; i < token->options->len; i++) {
        const char *option = token->options->pdata[i];

        if (!orr_token_names_file(option) &&
            !orr_settings_give(settings, option, error)) {
            g_prefix_error(error, "in the token: ");
            return false;
        }
    }
    settings->scenario.config.left_out =
        (const uint64_t *)(void *)token->left_out->data;
    settings->scenario.config.left_out_count = token->left_out->len;
    return orr_token_give_files(token, settings, error);
}

bool orr_token_check(const struct orr_token *token,
                     const struct orr_scenario *scenario, GError **error)
{
    const char *const inputs[ORR_TOKEN_INPUTS] = {
        [ORR_TOKEN_PLATFORM] = scenario->config.platform,
        [ORR_TOKEN_SCHED] = scenario->config.sched,
        [ORR_TOKEN_RECORD] = scenario->config.record,
        [ORR_TOKEN_APP] = scenario->problem.name,
        [ORR_TOKEN_EVICT] = scenario->config.evict,
    };
    uint64_t here[ORR_TOKEN_INPUTS];

    if (!hash_inputs(scenario, scenario->config.sched, here, error))
        return false;
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        if (here[i] != token->inputs[i])
            return orr_token_refuse(token, i, inputs[i], error);
    }
    return true;
}

enum orr_exit orr_token_prepare(struct orr_token *token,
                                struct orr_settings *settings, GError **error)
{
    if (!orr_token_take_files(token, &settings->outputs, error))
        return ORR_EXIT_USAGE;
    if (!orr_token_apply(token, settings, error) ||
        !orr_settings_resolve(settings, orr_token_app(token), error) ||
        !orr_token_check(token, &settings->scenario, error) ||
        !orr_policies_check(settings->scenario.config.sched,
                            error) || /* loading these runs their code */
        !orr_policies_check_eviction(settings->scenario.config.evict, error))
        return ORR_EXIT_FAILURE;
    return ORR_EXIT_OK;
}

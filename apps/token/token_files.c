/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files of a token: it holds their names and hashes, the user gives the
 * paths. */
#include <string.h>

#include "apps/settings/policies.h"
#include "apps/token/token.h"
#include "models/base/error.h"
#include "models/base/units.h"
#include "models/import/platform_find.h"
#include "models/starpu/platform_starpu.h"
#include "runtime/programs/process_app.h"
#include "sched/evict/evict_registry.h"
#include "sched/registry.h"

/* Returns the name of the option for @input. */
static const char *option_of(unsigned input)
{
    return orr_options_token_files.options[input].name;
}

static const char *const nouns[ORR_TOKEN_INPUTS] = {
    [ORR_TOKEN_PLATFORM] = "platform",     [ORR_TOKEN_SCHED] = "policy",
    [ORR_TOKEN_RECORD] = "record",         [ORR_TOKEN_APP] = "application",
    [ORR_TOKEN_EVICT] = "eviction policy",
};

/* Whether @value of the option for @input is a file, not the name of something
 * built in. */
static bool is_file(unsigned input, const char *value)
{
    g_autofree char *policy = NULL;

    switch (input) {
    case ORR_TOKEN_PLATFORM:
        return orr_platform_is_file(value);
    case ORR_TOKEN_SCHED:
        policy = orr_policies_file(value);
        return policy != NULL;
    case ORR_TOKEN_EVICT:
        return orr_evict_is_file(value);
    case ORR_TOKEN_APP:
        return orr_app_name_is_file(value);
    default:
        return true;
    }
}

/* Returns the value in @text, "name=value", if it is the option for @input. */
static const char *value_in(const char *text, unsigned input)
{
    const char *option = option_of(input);
    size_t length = strlen(option);

    return strncmp(text, option, length) == 0 && text[length] == '='
               ? text + length + 1
               : NULL;
}

/* As value_in(), if the value is a file; else NULL. */
static const char *file_in(const char *text, unsigned input)
{
    const char *value = value_in(text, input);

    return value && is_file(input, value) ? value : NULL;
}

bool orr_token_names_file(const char *option)
{
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        if (file_in(option, i))
            return true;
    }
    return false;
}

/* Returns "chol -nblocks 10" of "-- ./chol -nblocks 10". */
static char *name_of_program(const char *value)
{
    g_autofree char *arguments = orr_process_arguments(value);
    g_autofree char *path = orr_process_path(value, NULL);
    g_autofree char *name = g_path_get_basename(path ? path : "");

    return g_strconcat(name, *arguments ? " " : "", arguments, NULL);
}

char *orr_token_file_name(const char *value)
{
    const char *colon = strrchr(value, ':');
    g_autofree char *folder = NULL;
    g_autofree char *name = NULL;

    if (orr_process_is_command(value))
        return name_of_program(value);
    if (orr_sched_file(value)) {
        name = g_path_get_basename(orr_sched_file(value));
        return g_strconcat("fixed:", name, NULL);
    }
    if (!g_str_has_prefix(value, ORR_PLATFORM_STARPU))
        return g_path_get_basename(value);
    if (colon < value + strlen(ORR_PLATFORM_STARPU)) { /* of a policy */
        name = g_path_get_basename(value + strlen(ORR_PLATFORM_STARPU));
        return g_strconcat(ORR_PLATFORM_STARPU, name, NULL);
    }
    value += strlen(ORR_PLATFORM_STARPU);
    name = g_strndup(value, (size_t)(colon - value));
    folder = g_path_get_basename(name);
    return g_strconcat(ORR_PLATFORM_STARPU, folder, colon, NULL);
}

/* Returns the value for the file @value without its folder, but with "./", as
 * it would otherwise look like a built-in name. Free with g_free(). */
static char *shorten(unsigned input, const char *value)
{
    g_autofree char *name = orr_token_file_name(value);
    bool prefixed =
        g_str_has_prefix(name, ORR_PLATFORM_STARPU) || orr_sched_file(name);

    return g_strconcat(option_of(input),
                       orr_process_is_command(value) ? "=-- "
                       : prefixed                    ? "="
                                                     : "=./",
                       name, NULL);
}

void orr_token_add_option(struct orr_token *token, const char *text)
{
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        const char *file = file_in(text, i);

        if (!value_in(text, i))
            continue;
        g_free(token->files[i]);
        token->files[i] = g_strdup(file);
        g_ptr_array_add(token->options,
                        file ? shorten(i, file) : g_strdup(text));
        return;
    }
    g_ptr_array_add(token->options, g_strdup(text));
}

/* Returns the file that @token needs for @input, as it is in the token; NULL if
 * it needs none. */
static const char *needed_file(const struct orr_token *token, unsigned input)
{
    for (guint i = token->options->len; i-- > 0;) {
        const char *text = token->options->pdata[i];

        if (file_in(text, input))
            return file_in(text, input);
        if (value_in(text, input))
            return NULL; /* the last one counts */
    }
    return NULL;
}

/* Returns the name of that file, without its folder. Free with g_free(). */
static char *needed_name(const struct orr_token *token, unsigned input)
{
    const char *file = needed_file(token, input);

    return file ? orr_token_file_name(file) : NULL;
}

static bool needs_program(const struct orr_token *token, unsigned input)
{
    const char *file = needed_file(token, input);

    return file && orr_process_is_command(file);
}

/* Fails if files are missing, with all of them in one message. */
static bool check_missing(const struct orr_token *token, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);

    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        g_autofree char *name = needed_name(token, i);
        g_autofree char *quoted = name ? orr_quote(name) : NULL;

        if (!name || token->files[i])
            continue;
        if (needs_program(token, i))
            g_string_append_printf(list, "%s--%s '-- %s' (with its folder)",
                                   list->len > 0 ? ", " : "", option_of(i),
                                   name);
        else
            g_string_append_printf(list, "%s--%s FILE (the %s %s)",
                                   list->len > 0 ? ", " : "", option_of(i),
                                   nouns[i], quoted);
    }
    if (list->len == 0)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "the token was made with files; give them again: %s",
                list->str);
    return false;
}

/* A platform may always be given, as it may have another name on this machine.
 */
static bool check_given(const struct orr_token *token, unsigned input,
                        GError **error)
{
    const char *file = token->files[input];
    g_autofree char *name = needed_name(token, input);
    g_autofree char *quoted = file ? orr_quote(file) : NULL;

    if (!file || input == ORR_TOKEN_PLATFORM)
        return true;
    if (!name)
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "--%s %s: the token was made without a file of %s %s",
                    option_of(input), quoted,
                    input == ORR_TOKEN_APP ? "an" : "a", nouns[input]);
    else if (!is_file(input, file))
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "--%s %s is not a file; if it is one, write it with its "
                    "folder, ./%s",
                    option_of(input), quoted, file);
    else
        return true;
    return false;
}

bool orr_token_take_files(struct orr_token *token,
                          const struct orr_output_settings *outputs,
                          GError **error)
{
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        if (outputs->token_files[i]) {
            g_free(token->files[i]);
            token->files[i] = g_strdup(outputs->token_files[i]);
        }
        if (!check_given(token, i, error))
            return false;
    }
    return check_missing(token, error);
}

bool orr_token_give_files(const struct orr_token *token,
                          struct orr_settings *settings, GError **error)
{
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        g_autofree char *text = NULL;

        if (!token->files[i] || i == ORR_TOKEN_APP) /* opened already */
            continue;
        text = g_strconcat(option_of(i), "=", token->files[i], NULL);
        if (!orr_settings_give(settings, text, error))
            return false;
    }
    return true;
}

bool orr_token_refuse(const struct orr_token *token, enum orr_token_input input,
                      const char *here, GError **error)
{
    g_autofree char *name = needed_name(token, input);
    g_autofree char *quoted = orr_quote(name ? name : "");

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "the %s %s is not the one of the token%s%s%s", nouns[input],
                here ? here : "of none", name ? ", " : "", name ? quoted : "",
                !name                         ? ""
                : needs_program(token, input) ? ": program or arguments differ"
                                              : ": the content differs");
    return false;
}

/* Quotes @text for a shell if that is needed. */
static char *quote_for_shell(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (!g_ascii_isalnum(*c) && !strchr("_./:,+=@%-", *c))
            return g_shell_quote(text);
    }
    return *text ? g_strdup(text) : g_shell_quote(text);
}

void orr_token_list_files(const struct orr_token *token, GPtrArray *arguments)
{
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        if (!token->files[i])
            continue;
        g_ptr_array_add(arguments, g_strconcat("--", option_of(i), NULL));
        g_ptr_array_add(arguments, g_strdup(token->files[i]));
    }
}

char *orr_token_files_text(const struct orr_token *token)
{
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    GString *text = g_string_new(NULL);

    orr_token_list_files(token, arguments);
    for (guint i = 0; i < arguments->len; i++) {
        g_autofree char *quoted = quote_for_shell(arguments->pdata[i]);

        g_string_append_printf(text, " %s", quoted);
    }
    return g_string_free(text, FALSE);
}

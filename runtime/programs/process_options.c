/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/process_options.h"

#include <string.h>

#include "models/base/error.h"
#include "runtime/remote/process.h"

/* Values of the argument that is reduced. */
#define MAX_ARGUMENT 1e9

/* In s: 30 years. */
#define MAX_LIMIT 1e9

void orr_process_options_init(
    struct orr_app_option options[ORR_PROCESS_OPTIONS], const char *arguments)
{
    const struct orr_app_option table[] = {
        {ORR_PROCESS_ARGUMENTS, "TEXT",
         "arguments of the program, quoted as for a shell", ORR_APP_TEXT, 0, 0,
         arguments, NULL},
        {"execute", NULL, "call cpu_funcs, in no time, when their tasks end",
         ORR_APP_FLAG, 0, 0, NULL, NULL},
        {"measure", "FILE", "with --execute, write the times of cpu_funcs here",
         ORR_APP_TEXT, 0, 0, NULL, NULL},
        {"times", "FILE", "times of tasks without a calibration", ORR_APP_TEXT,
         0, 0, NULL, NULL},
        {"assume-speed", "S,...",
         "speeds for STARPU_FLOPS: CPU=20GFlop/s,CUDA=1TFlop/s", ORR_APP_TEXT,
         0, 0, NULL, NULL},
        {"time-limit", "S", "end a program that makes no call (default 600)",
         ORR_APP_TEXT, 0, 0, NULL, NULL},
        {"shrink-by", "NAME",
         "the argument before the number that `shrink` reduces", ORR_APP_TEXT,
         0, 0, NULL, NULL},
        {ORR_PROCESS_SCALE, "N",
         "the number behind the argument of --shrink-by", ORR_APP_SHAPE, 1,
         MAX_ARGUMENT, NULL, NULL},
        {0},
    };

    G_STATIC_ASSERT(G_N_ELEMENTS(table) == ORR_PROCESS_OPTIONS);
    memcpy(options, table, sizeof(table));
}

static bool parse_seconds(const char *text, double *seconds)
{
    char *end;

    *seconds = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && *seconds > 0 && *seconds <= MAX_LIMIT;
}

static bool fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool fail(GError **error, const char *format, ...)
{
    va_list arguments;
    g_autofree char *message = NULL;

    va_start(arguments, format);
    message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, message);
    return false;
}

/* The arguments as they are given. Fails as orr_process_options_list(). */
static char **split(const struct orr_app_values *values, GError **error)
{
    const char *text = orr_app_text(values, ORR_PROCESS_ARGUMENTS);
    g_autoptr(GError) why = NULL;
    char **words = NULL;

    if (!text || !*text)
        return g_strsplit("", " ", -1);
    if (!g_shell_parse_argv(text, NULL, &words, &why)) {
        if (g_error_matches(why, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
            return g_strsplit("", " ", -1);
        fail(error, "--" ORR_PROCESS_ARGUMENTS ": %s", why->message);
    }
    return words;
}

/* The argument behind @name, in @words; NULL with @error: there is none. */
static char **find_behind(char **words, const char *name, GError **error)
{
    for (char **word = words; *word; word++) {
        if (strcmp(*word, name) == 0 && word[1])
            return word + 1;
    }
    fail(error, "--shrink-by: the arguments have no '%s' with another behind",
         name);
    return NULL;
}

/* The value of --argument, unless it is given, is the one in the arguments. */
static bool take_argument(struct orr_app_values *values, const char *name,
                          GError **error)
{
    g_auto(GStrv) words = split(values, error);
    char **behind = words ? find_behind(words, name, error) : NULL;
    struct orr_shape shape = {0};
    g_autoptr(GError) why = NULL;

    if (!behind)
        return false;
    if (!orr_shape_parse(*behind, 1, (uint64_t)MAX_ARGUMENT, &shape, &why) ||
        shape.dimensions != 1)
        return fail(error,
                    "--shrink-by: '%s' behind %s is not a number from 1 "
                    "to 1e9",
                    *behind, name);
    if (!orr_app_is_given(values, ORR_PROCESS_SCALE))
        orr_app_values_set_shape(values, ORR_PROCESS_SCALE, &shape);
    return true;
}

bool orr_process_options_complete(struct orr_app_values *values, GError **error)
{
    const char *limit = orr_app_text(values, "time-limit");
    const char *name = orr_app_text(values, "shrink-by");
    double seconds;

    if (orr_app_text(values, "measure") && !orr_app_flag(values, "execute"))
        return fail(error, "--measure: only with --execute");
    if (limit && !parse_seconds(limit, &seconds))
        return fail(error,
                    "--time-limit: '%s' is not a number of seconds above 0, "
                    "up to 1e9",
                    limit);
    if (name)
        return take_argument(values, name, error);
    return !orr_app_is_given(values, ORR_PROCESS_SCALE) ||
           fail(error, "--" ORR_PROCESS_SCALE ": only with --shrink-by");
}

char **orr_process_options_list(const struct orr_app_values *values,
                                GError **error)
{
    const char *name = orr_app_text(values, "shrink-by");
    g_auto(GStrv) words = split(values, error);
    char **behind = words && name ? find_behind(words, name, error) : NULL;
    const struct orr_shape shape =
        orr_app_values_shape(values, ORR_PROCESS_SCALE);

    if (!words || (name && !behind))
        return NULL;
    if (behind) {
        g_free(*behind);
        *behind = orr_shape_format(&shape);
    }
    return g_steal_pointer(&words);
}

static void add(GPtrArray *list, const char *name, const char *value)
{
    if (value)
        g_ptr_array_add(list, g_strconcat(name, "=", value, NULL));
}

char **orr_process_options_environment(const struct orr_app_values *values)
{
    GPtrArray *list = g_ptr_array_new();

    add(list, "ORRERY_STARPU_EXECUTE",
        orr_app_flag(values, "execute") ? "1" : NULL);
    add(list, "ORRERY_STARPU_MEASURE", orr_app_text(values, "measure"));
    add(list, "ORRERY_STARPU_TIMES", orr_app_text(values, "times"));
    add(list, "ORRERY_STARPU_ASSUME_SPEED",
        orr_app_text(values, "assume-speed"));
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

double orr_process_limit(const char *text)
{
    double seconds;

    return text && parse_seconds(text, &seconds) ? seconds
                                                 : ORR_PROCESS_LIMIT_S;
}

double orr_process_options_limit(const struct orr_app_values *values)
{
    return orr_process_limit(orr_app_text(values, "time-limit"));
}

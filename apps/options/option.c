/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/option.h"

#include <stdio.h>
#include <string.h>

#include "apps/options/completion.h"
#include "models/base/names.h"
#include "models/base/units.h"

/* Returns the option named by the first @length bytes of @text, "--name". */
static const struct orr_option *find(const struct orr_syntax *syntax,
                                     const char *text, size_t length,
                                     size_t *member)
{
    if (length < 2 || text[1] != '-')
        return NULL;
    return orr_option_find(syntax->groups, text + 2, length - 2, member);
}

static void print_option(const char *name, const char *value, const char *help)
{
    g_autofree char *text = g_strconcat("--", name, NULL);
    const char *form = orr_option_short(text);
    g_autofree char *left =
        g_strconcat(name, form ? ", " : "", form ? form : "", value ? " " : "",
                    value, NULL);

    printf("  --%-21s %s\n", left, help);
}

bool orr_syntax_takes_program(const struct orr_syntax *syntax)
{
    return orr_option_find(syntax->groups, "app", strlen("app"), NULL) &&
           g_strcmp0(syntax->operands, "APP") == 0;
}

static void print_help(const struct orr_syntax *syntax)
{
    bool options = syntax->groups[0];

    printf("Usage: orrery %s%s%s%s\n", syntax->command,
           syntax->operands ? " " : "",
           syntax->operands ? syntax->operands : "",
           options ? " [OPTION...]" : "");
    if (orr_syntax_takes_program(syntax))
        printf("       orrery %s [OPTION...] -- PROGRAM [ARGUMENT...]\n",
               syntax->command);
    printf("\n%s\n", syntax->description);
    for (size_t g = 0; syntax->groups[g]; g++) {
        const struct orr_option_group *group = syntax->groups[g];

        printf("\n%s:\n", group->title);
        for (size_t i = 0; i < group->count; i++)
            print_option(group->options[i].name, group->options[i].value,
                         group->options[i].help);
    }
    puts("");
    print_option("help", NULL, "show this help");
}

/* @text: "--name" or "--name=value", as given. */
static void complain_unknown(const struct orr_syntax *syntax, const char *text,
                             const char *more)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *name = g_strndup(text, strcspn(text, "="));
    g_autofree char *quoted = orr_quote(name);
    g_autofree char *hint = NULL;

    for (size_t g = 0; syntax->groups[g]; g++) {
        for (size_t i = 0; i < syntax->groups[g]->count; i++)
            g_ptr_array_add(names,
                            (gpointer)syntax->groups[g]->options[i].name);
    }
    g_ptr_array_add(names, NULL);
    hint = orr_names_hint((const char *const *)names->pdata,
                          name + strspn(name, "-"), "--");
    orr_message_print(syntax->command,
                      "unknown option %s%s; see 'orrery %s --help'%s", quoted,
                      hint, syntax->command, more ? more : "");
}

/*
 * Reads the option @given, "--name", "--name=value" or a short form. @next is
 * the argument after it, or NULL. Returns the number of arguments used, 1 or 2;
 * 0 after an error.
 */
static int read_option(const struct orr_syntax *syntax, const char *given,
                       const char *next, const struct orr_values *into)
{
    const char *text = orr_option_long(given);
    size_t length = strcspn(text, "=");
    size_t member;
    const struct orr_option *option = find(syntax, text, length, &member);
    const char *value = text[length] ? text + length + 1 : next;
    g_autoptr(GError) error = NULL;

    if (!option) {
        complain_unknown(syntax, given, into->hint);
        return 0;
    }
    if (!option->value && text[length]) {
        orr_message_print(syntax->command, "--%s takes no value", option->name);
        return 0;
    }
    if (!option->value)
        value = "";
    if (!value) {
        orr_message_print(syntax->command, "--%s needs a value: --%s %s",
                          option->name, option->name, option->value);
        return 0;
    }
    if (!option->parse(option, value, (char *)into->values + member, &error)) {
        orr_message_print(syntax->command, "--%s: %s", option->name,
                          error->message);
        return 0;
    }
    if (into->given)
        into->given(option, value, into->values);
    return next && value == next ? 2 : 1;
}

static bool check_operands(const struct orr_syntax *syntax, int count,
                           char **operands)
{
    if (count < syntax->min_operands) {
        orr_message_print(syntax->command,
                          "%s is missing; see 'orrery %s --help'",
                          syntax->operands, syntax->command);
        return false;
    }
    if (count > syntax->max_operands) {
        g_autofree char *quoted = orr_quote(operands[syntax->max_operands]);

        orr_message_print(syntax->command,
                          "unexpected argument %s; see 'orrery %s --help'",
                          quoted, syntax->command);
        return false;
    }
    return true;
}

/* Returns whether @text is an option, known or not. */
static bool is_option(const char *text)
{
    return text[0] == '-' && text[1] != '\0';
}

bool orr_syntax_read_into(const struct orr_syntax *syntax, int argc,
                          char **argv, const struct orr_values *into,
                          int *operands, enum orr_exit *status)
{
    bool options = true; /* until "--" */
    int count = 0;
    int taken;

    if (argc > 1 && strcmp(argv[1], ORR_COMPLETE) == 0) {
        orr_completion_print(syntax, into->app, argc - 2, argv + 2);
        *status = ORR_EXIT_OK;
        return false;
    }
    *status = ORR_EXIT_USAGE;
    for (int i = 1; i < argc; i += taken) {
        taken = 1;
        if (!options || !is_option(argv[i])) {
            argv[count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            options = false;
        } else if (strcmp(orr_option_long(argv[i]), "--help") == 0) {
            print_help(syntax);
            *status = ORR_EXIT_OK;
            return false;
        } else {
            taken = read_option(syntax, argv[i],
                                i + 1 < argc ? argv[i + 1] : NULL, into);
            if (taken == 0)
                return false;
        }
    }
    *operands = count;
    return check_operands(syntax, count, argv);
}

bool orr_syntax_read(const struct orr_syntax *syntax, int argc, char **argv,
                     void *values, int *operands, enum orr_exit *status)
{
    const struct orr_values into = {.values = values};

    return orr_syntax_read_into(syntax, argc, argv, &into, operands, status);
}

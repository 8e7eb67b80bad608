/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/fill.h"

#include <stdio.h>
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/options/manual.h"
#include "apps/settings/command.h"

/* ---- The manual page ---- */

/* A table of options in the manual page, and the commands that have it. */
struct section {
    const struct orr_option_group *group; /* all of the table */
    GPtrArray *commands; /* const struct orr_syntax *, by the order of help */
};

/* Tables of more commands come last: nearly every command has them. */
enum { MOST_NAMED = 10 };

static struct section *find_section(GArray *sections,
                                    const struct orr_option_group *group)
{
    struct section *section;

    for (guint i = 0; i < sections->len; i++) {
        section = &g_array_index(sections, struct section, i);
        if (section->group->options == group->options)
            return section;
    }
    g_array_set_size(sections, sections->len + 1);
    section = &g_array_index(sections, struct section, sections->len - 1);
    *section = (struct section){group, g_ptr_array_new()};
    return section;
}

/* Adds the tables of all commands, each once. */
static void collect(GArray *sections, const struct orr_cmd *const *commands)
{
    for (; *commands; commands++) {
        const struct orr_syntax *syntax = (*commands)->syntax;

        if ((*commands)->commands)
            collect(sections, (*commands)->commands);
        for (size_t g = 0; syntax && syntax->groups[g]; g++) {
            const struct orr_option_group *group = syntax->groups[g];
            struct section *section = find_section(sections, group);

            if (group->count > section->group->count)
                section->group = group;
            g_ptr_array_add(section->commands, (gpointer)syntax);
        }
    }
}

static void clear_section(gpointer section)
{
    g_ptr_array_unref(((struct section *)section)->commands);
}

/* Whether the heading of @section names its commands: not if there are many,
 * nor the only one if the title is its name. */
static bool names_commands(const struct section *section)
{
    const struct orr_syntax *first = section->commands->pdata[0];

    return section->commands->len <= MOST_NAMED &&
           (section->commands->len > 1 ||
            g_ascii_strcasecmp(section->group->title, first->command) != 0);
}

static void add_heading(GString *page, const struct section *section)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < section->commands->len; i++) {
        const struct orr_syntax *syntax = section->commands->pdata[i];

        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
                               syntax->command);
    }
    if (names_commands(section))
        g_string_append_printf(page, ".SS \"%s (%s)\"\n", section->group->title,
                               names->str);
    else
        g_string_append_printf(page, ".SS \"%s\"\n", section->group->title);
    g_string_free(names, TRUE);
}

/* Appends the names of the options that @syntax has, if these are only some of
 * the table. */
static void add_partial(GString *page, const struct section *section,
                        const struct orr_syntax *syntax)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const struct orr_option_group *const *group = syntax->groups;

    while ((*group)->options != section->group->options)
        group++;
    if ((*group)->count == section->group->count)
        return;
    g_string_append_printf(text, "`%s` has only", syntax->command);
    for (size_t i = 0; i < (*group)->count; i++)
        g_string_append_printf(text, "%s `--%s`", i > 0 ? "," : "",
                               (*group)->options[i].name);
    g_string_append_c(text, '.');
    orr_manual_add_text(page, text->str);
}

static void add_section(GString *page, const struct section *section)
{
    add_heading(page, section);
    if (section->group->manual)
        orr_manual_add_text(page, section->group->manual);
    for (guint i = 0; i < section->commands->len; i++)
        add_partial(page, section, section->commands->pdata[i]);
    orr_manual_add_options(page, section->group->options,
                           section->group->count);
}

/* Appends the options of each application. */
static void add_apps(GString *page)
{
    GPtrArray *groups = orr_settings_app_groups();

    for (guint i = 0; i < groups->len; i++) {
        const struct orr_option_group *group = groups->pdata[i];

        g_string_append_printf(page, ".SS \"Application %s\"\n", group->title);
        orr_manual_add_options(page, group->options, group->count);
    }
    g_ptr_array_unref(groups);
}

/* Appends all options: first the tables of few commands, then those of many. */
static void add_options(GString *page)
{
    GArray *sections = g_array_new(FALSE, FALSE, sizeof(struct section));

    g_array_set_clear_func(sections, clear_section);
    collect(sections, orr_commands);
    for (int many = 0; many <= 1; many++) {
        for (guint i = 0; i < sections->len; i++) {
            const struct section *section =
                &g_array_index(sections, struct section, i);

            if ((section->commands->len > MOST_NAMED) != many)
                continue;
            add_section(page, section);
            if (section->group == &orr_options_application)
                add_apps(page);
        }
    }
    g_array_unref(sections);
}

/* ---- The schemas ---- */

/* Appends a property with one of @choices or, if these are NULL, of @type;
 * @help becomes its description. */
static void add_property(GString *page, const char *indent, const char *name,
                         const char *type, const char *const *choices,
                         const char *help)
{
    g_autofree char *quoted = g_strescape(help, NULL);

    g_string_append_printf(page,
                           "%s\"%s\": {\n%s  \"description\": \"%s\",\n%s  ",
                           indent, name, indent, quoted, indent);
    if (!choices)
        g_string_append(page, type);
    for (size_t i = 0; choices && choices[i]; i++)
        g_string_append_printf(page, "%s\"%s\"%s", i > 0 ? ", " : "\"enum\": [",
                               choices[i], choices[i + 1] ? "" : "]");
    g_string_append_printf(page, "\n%s},\n", indent);
}

#define COUNT "\"type\": \"integer\", \"minimum\": 0"
#define TEXT "\"type\": \"string\""
#define FLAG "\"type\": \"boolean\""

static const char *type_of(enum orr_fact_kind kind)
{
    static const char *const types[] = {
        [ORR_FACT_TEXT] = TEXT,
        [ORR_FACT_COUNT] = COUNT,
        [ORR_FACT_NUMBER] = "\"type\": \"number\", \"minimum\": 0",
        [ORR_FACT_FLAG] = FLAG,
        [ORR_FACT_TEXTS] =
            "\"type\": \"array\", \"items\": {\"type\": \"string\"}",
    };

    return types[kind];
}

/* The type of an option that applications have, for all that have it. */
static const char *app_type(enum orr_app_kind kind)
{
    static const char *const types[] = {
        [ORR_APP_COUNT] = COUNT,
        [ORR_APP_NUMBER] = "\"type\": \"number\"",
        [ORR_APP_CHOICE] = TEXT,
        [ORR_APP_FLAG] = FLAG,
        [ORR_APP_TEXT] = TEXT,
        [ORR_APP_SHAPE] = "\"type\": [\"integer\", \"string\"], \"minimum\": 0",
    };

    return types[kind];
}

/* The kind of option @name over all applications: a shape may be a count. */
static enum orr_app_kind kind_of(const struct orr_app_option *option)
{
    const struct orr_app *app;

    for (size_t i = 0; (app = orr_app_at(i)); i++) {
        const struct orr_app_option *other =
            orr_app_option(app, option->name, strlen(option->name));

        if (other && other->kind == ORR_APP_SHAPE)
            return ORR_APP_SHAPE;
    }
    return option->kind;
}

static void add_app_properties(GString *page, const char *indent)
{
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
    const struct orr_app *app;

    for (size_t i = 0; (app = orr_app_at(i)); i++) {
        for (size_t o = 0; app->options[o].name; o++) {
            const struct orr_app_option *option = &app->options[o];

            if (g_hash_table_add(done, (gpointer)option->name))
                add_property(page, indent, option->name,
                             app_type(kind_of(option)), option->choices,
                             option->help);
        }
    }
}

static void add_settings(GString *page, const char *indent, const char *without)
{
    const struct orr_option *option;

    for (size_t i = 0; (option = orr_settings_option(i)); i++) {
        const struct orr_fact *fact = option->facts;

        for (; fact->name && g_strcmp0(option->name, without) != 0; fact++)
            add_property(page, indent, fact->name, type_of(fact->kind),
                         fact->choices, option->help);
    }
    add_app_properties(page, indent);
}

/* ---- Templates ---- */

/* Appends @line, or the text that it stands for. */
static void add_line(GString *page, const char *line)
{
    g_autofree char *text = g_strstrip(g_strdup(line));
    g_autofree char *indent = g_strndup(line, strspn(line, " "));
    const char *without = "@settings without ";

    if (strcmp(text, "@options@") == 0) {
        add_options(page);
    } else if (strcmp(text, "@settings@") == 0) {
        add_settings(page, indent, NULL);
    } else if (g_str_has_prefix(text, without)) {
        text[strlen(text) - 1] = '\0';
        add_settings(page, indent, text + strlen(without));
    } else {
        g_string_append_printf(page, "%s\n", line);
    }
}

enum orr_exit orr_fill(const char *path)
{
    g_autoptr(GString) page = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) lines = NULL;
    g_autofree char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, &error)) {
        orr_message_print("", "%s", error->message);
        return ORR_EXIT_FAILURE;
    }
    lines = g_strsplit(g_strchomp(text), "\n", -1);
    for (char **line = lines; *line; line++)
        add_line(page, *line);
    fputs(page->str, stdout);
    return ORR_EXIT_OK;
}

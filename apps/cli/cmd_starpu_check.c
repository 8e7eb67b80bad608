/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/cli/starpu_functions.h"
#include "apps/output/output.h"
#include "apps/settings/command.h"
#include "models/base/elf_imports.h"

static const struct orr_syntax syntax = {
    "starpu check",
    "FILE...",
    1,
    INT_MAX,
    "Checks programs, libraries or object files that use StarPU's interface. "
    "A function\nof it is direct, ignored (it does nothing), refused (it ends "
    "the program) or\nunknown. Text has the functions that are not direct, "
    "other "
    "formats all. Fails if a\nfunction is refused or unknown.",
    {&orr_options_output, NULL},
};

/* Columns of functions.tsv. */
enum { NAME, HOW, SECTION, NOTE, COLUMNS };

/* From names to the columns of their lines. Free with g_hash_table_unref(). */
static GHashTable *known_functions(void)
{
    GHashTable *known = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                              (GDestroyNotify)g_strfreev);
    g_auto(GStrv) lines = g_strsplit(orr_starpu_functions, "\n", -1);

    for (size_t i = 0; lines[i] != NULL; i++) {
        char **columns = g_strsplit(lines[i], "\t", COLUMNS);

        if (g_strv_length(columns) == COLUMNS)
            g_hash_table_insert(known, columns[NAME], columns);
        else
            g_strfreev(columns);
    }
    return known;
}

static bool is_starpu(const char *name)
{
    return g_str_has_prefix(name, "starpu_") ||
           g_str_has_prefix(name, "fstarpu_");
}

static bool is_direct(JsonObject *row)
{
    return strcmp(json_object_get_string_member(row, "simulated"), "direct") ==
           0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds a row for @name in @path. Returns whether it may be called. */
static bool add_row(JsonArray *rows, const char *path, const char *name,
                    GHashTable *known)
{
    char **columns = g_hash_table_lookup(known, name);
    JsonObject *row = orr_output_add_object(rows);
    const char *how = columns != NULL ? columns[HOW] : "unknown";

    orr_output_set_text(row, "file", path);
    orr_output_set_text(row, "function", name);
    orr_output_set_text(row, "simulated", how);
    orr_output_set_text(row, "section",
                        columns != NULL ? columns[SECTION] : NULL);
    orr_output_set_text(
        row, "note",
        columns != NULL && *columns[NOTE] != '\0' ? columns[NOTE] : NULL);
    return strcmp(how, "direct") == 0 || strcmp(how, "ignored") == 0;
}

/* The functions of StarPU's interface among @names, in order. */
static GPtrArray *keep_starpu(const GPtrArray *names)
{
    GPtrArray *kept = g_ptr_array_new();

    for (unsigned i = 0; i < names->len; i++)
        if (is_starpu(g_ptr_array_index(names, i)))
            g_ptr_array_add(kept, g_ptr_array_index(names, i));
    g_ptr_array_sort(kept, compare_names);
    return kept;
}

/* Prints the functions from @first on that are not direct. */
static void print(const char *path, JsonArray *rows, unsigned first)
{
    unsigned count = json_array_get_length(rows), direct = 0;

    for (unsigned i = first; i < count; i++)
        direct += is_direct(json_array_get_object_element(rows, i));
    printf("%s: %u functions of StarPU's interface, %u of them direct\n", path,
           count - first, direct);
    for (unsigned i = first; i < count; i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        g_autofree char *section =
            orr_output_value("section", json_object_get_member(row, "section"));
        g_autofree char *note =
            orr_output_value("note", json_object_get_member(row, "note"));

        if (!is_direct(row))
            printf("  %-7s  %s (%s: %s)\n",
                   json_object_get_string_member(row, "simulated"),
                   json_object_get_string_member(row, "function"), section,
                   note);
    }
}

static bool check(JsonArray *rows, const char *path, GHashTable *known,
                  enum orr_format format)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) names = orr_elf_imports(path, &error);
    unsigned first = json_array_get_length(rows);
    bool works = true;

    if (names == NULL) {
        orr_message_print(syntax.command, "%s", error->message);
        return false;
    }
    g_autoptr(GPtrArray) used = keep_starpu(names);
    for (unsigned i = 0; i < used->len; i++)
        if (!add_row(rows, path, g_ptr_array_index(used, i), known))
            works = false;
    if (format == ORR_FORMAT_TEXT)
        print(path, rows, first);
    return works;
}

static enum orr_exit command(int argc, char **argv)
{
    enum orr_exit status = ORR_EXIT_OK;
    struct orr_settings settings;
    int operands;

    orr_settings_init(&settings);
    if (orr_syntax_read(&syntax, argc, argv, &settings, &operands, &status)) {
        g_autoptr(GHashTable) known = known_functions();
        g_autoptr(JsonArray) rows = json_array_new();

        status = ORR_EXIT_OK;
        for (int i = 0; i < operands; i++)
            if (!check(rows, argv[i], known, settings.format))
                status = ORR_EXIT_FAILURE;
        if (settings.format != ORR_FORMAT_TEXT)
            orr_output_rows(rows, settings.format);
    }
    orr_settings_clear(&settings);
    return status;
}

const struct orr_cmd orr_cmd_starpu_check = {
    .name = "check",
    .summary = "list the functions of StarPU that a program uses",
    .syntax = &syntax,
    .main = command};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chooses the reader of a file, by its name or its first bytes. */
#include <string.h>

#include "models/dagfile/dag_read_private.h"

struct format {
    const char *suffix;
    orr_dag_reader *read;
};

static const struct format formats[] = {
    {".rec", orr_dag_read_rec}, {".json", orr_dag_read_wfformat},
    {".csv", orr_dag_read_csv}, {".dot", orr_dag_read_dot},
    {".gv", orr_dag_read_dot},  {".dax", orr_dag_read_dax},
    {".xml", orr_dag_read_dax}, {".stg", orr_dag_read_stg},
};

static orr_dag_reader *by_name(const char *path)
{
    g_autofree char *name = g_ascii_strdown(path, -1);

    if (g_str_has_suffix(name, ".gz"))
        name[strlen(name) - strlen(".gz")] = '\0';
    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (g_str_has_suffix(name, formats[i].suffix))
            return formats[i].read;
    }
    return NULL;
}

/* Whether @text begins as a recutils file does: "Name:", or a comment. */
static bool is_rec(const char *text)
{
    size_t name = strspn(text, "%ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz_0123456789");

    return *text == '#' || (name > 0 && text[name] == ':');
}

/* Whether the first line of @text is nothing but a number. */
static bool is_stg(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    size_t blanks = strspn(text + digits, " \t\r");

    return digits > 0 && strchr("\n#", text[digits + blanks]);
}

static bool is_dot(const char *text)
{
    static const char *const words[] = {"digraph", "strict", "graph", "/*",
                                        "//"};

    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        if (g_ascii_strncasecmp(text, words[i], strlen(words[i])) == 0)
            return true;
    }
    return false;
}

/* Whether the first line of @text has names of columns. */
static bool is_csv(const char *text)
{
    size_t line = strcspn(text, "\n");
    size_t comma = strcspn(text, ",");

    return comma > 0 && comma < line;
}

static orr_dag_reader *by_content(const char *text)
{
    text += strspn(text, " \t\r\n");
    if (*text == '{')
        return orr_dag_read_wfformat;
    if (*text == '<')
        return orr_dag_read_dax;
    if (is_dot(text))
        return orr_dag_read_dot;
    if (is_stg(text))
        return orr_dag_read_stg;
    if (is_rec(text))
        return orr_dag_read_rec;
    return is_csv(text) ? orr_dag_read_csv : NULL;
}

/* Skips a byte order mark of UTF-8; refuses UTF-16. */
static bool skip_mark(struct orr_input *input, GError **error)
{
    const char *text;
    char mark[3];
    size_t size;

    if (!orr_input_peek(input, &text, &size, error))
        return false;
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 ||
                      memcmp(text, "\xfe\xff", 2) == 0)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                    "%s:1: the file is in UTF-16; it has to be in UTF-8",
                    orr_input_path(input));
        return false;
    }
    return size < 3 || memcmp(text, "\xef\xbb\xbf", 3) != 0 ||
           orr_input_read(input, mark, sizeof mark, &size, error);
}

static struct orr_dag *read_input(struct orr_input *input, const char *path,
                                  const struct orr_dag_read_settings *settings,
                                  GError **error)
{
    orr_dag_reader *read = by_name(path);
    g_autofree char *begin = NULL;
    const char *text;
    size_t size;

    if (!skip_mark(input, error))
        return NULL;
    if (!read) {
        if (!orr_input_peek(input, &text, &size, error))
            return NULL;
        begin = g_strndup(text, size);
        read = by_content(begin);
    }
    if (read)
        return read(input, path, settings, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                "%s: not a task graph: neither its name nor its first bytes "
                "are those of a rec, csv, json, dot, dax or stg file",
                orr_input_path(input));
    return NULL;
}

struct orr_dag *orr_dag_read(const char *path,
                             const struct orr_dag_read_settings *settings,
                             GError **error)
{
    const struct orr_input_limits limits = orr_input_limits(ORR_DAG_MAX_BYTES);
    struct orr_input *input = orr_input_open(path, &limits, error);
    struct orr_dag *dag;

    if (!input)
        return NULL;
    dag = read_input(input, path, settings, error);
    orr_input_close(input);
    return dag;
}

/* @path, with @old at its end replaced by @new; NULL if it is not there. */
static char *with_end(const char *path, const char *old, const char *new)
{
    size_t length = strlen(path);

    if (length < strlen(old) ||
        g_ascii_strcasecmp(path + length - strlen(old), old) != 0)
        return NULL;
    return g_strdup_printf("%.*s%s", (int)(length - strlen(old)), path, new);
}

char *orr_dag_data_path(const char *path)
{
    static const char *const ends[][2] = {
        {"rec.tasks.csv", "rec.data_handles.csv"},
        {"tasks.rec", "data.rec"},
        {".rec", ".data.rec"},
    };
    g_autofree char *plain = g_str_has_suffix(path, ".gz")
                                 ? g_strndup(path, strlen(path) - 3)
                                 : g_strdup(path);

    for (unsigned i = 0; i < G_N_ELEMENTS(ends); i++) {
        char *beside = with_end(plain, ends[i][0], ends[i][1]);
        char *packed;

        if (!beside)
            continue;
        if (g_file_test(beside, G_FILE_TEST_EXISTS))
            return beside;
        packed = g_strconcat(beside, ".gz", NULL);
        g_free(beside);
        if (g_file_test(packed, G_FILE_TEST_EXISTS))
            return packed;
        g_free(packed);
        return NULL;
    }
    return NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads files of the Standard Task Graph set: the number of tasks, then a line
 * for each task with its number, its time, the number of its predecessors, and
 * their numbers. Beside the tasks there may be an entry and an exit, of time 0.
 * A comment begins with "#".
 */
#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_read_private.h"

struct reader {
    struct orr_dag_builder *builder;
    const struct orr_dag_read_settings *settings;
    uint64_t count; /* of tasks, as the file says */
};

/* The next word of the line *@at, ended by a 0; NULL if there is none. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t\r");

    *at = word + strcspn(word, " \t\r");
    if (*word == '\0')
        return NULL;
    if (**at)
        *(*at)++ = '\0';
    return word;
}

static bool fail_word(const struct reader *reader, const char *what,
                      const char *word, GError **error)
{
    g_autofree char *quoted = word ? orr_quote(word) : g_strdup("nothing");

    return orr_dag_fail(reader->builder, reader->builder->line, ORR_ERROR_VALUE,
                        error, "expected %s, found %s", what, quoted);
}

static bool read_count(struct reader *reader, char *line, GError **error)
{
    const char *word = next_word(&line);

    return (word && orr_dag_whole(word, ORR_DAG_MAX_TASKS, &reader->count)) ||
           fail_word(reader, "the number of tasks, at most 20000000", word,
                     error);
}

static bool set_time(const struct reader *reader, struct orr_dag_task *task,
                     const char *word, GError **error)
{
    double number;

    if (!word || !orr_dag_real(word, false, &number))
        return fail_word(reader, "a time", word, error);
    if (!reader->settings->runtime_is_flops && number > ORR_DAG_MAX_SECONDS)
        return orr_dag_fail(reader->builder, reader->builder->line,
                            ORR_ERROR_VALUE, error, "the time %.32s is %s",
                            word, ORR_DAG_TOO_LONG);
    if (number > 0)
        task->kernel = orr_dag_kernel_of(reader->builder, "task", 4);
    if (reader->settings->runtime_is_flops)
        task->flops = number;
    else
        orr_dag_scaled(word, 9, &task->duration);
    return true;
}

static bool add_task(struct reader *reader, char *line, GError **error)
{
    struct orr_dag_builder *builder = reader->builder;
    const char *word = next_word(&line);
    uint64_t value = 0;
    struct orr_dag_task task;
    uint32_t number;

    if (!word || !orr_dag_whole(word, ORR_DAG_MAX_TASKS, &value))
        return fail_word(reader, "the number of a task", word, error);
    number = orr_dag_define(builder, word, strlen(word), error);
    if (number == ORR_DAG_NONE)
        return false;
    task = *orr_dag_task_of(builder, number);
    if (!set_time(reader, &task, next_word(&line), error))
        return false;
    *orr_dag_task_of(builder, number) = task;
    word = next_word(&line);
    if (!word || !orr_dag_whole(word, ORR_DAG_MAX_TASKS, &value))
        return fail_word(reader, "the number of predecessors", word, error);
    for (; value > 0; value--) {
        uint32_t before;

        word = next_word(&line);
        if (!word)
            return fail_word(reader, "a predecessor", word, error);
        before = orr_dag_refer(builder, word, strlen(word), error);
        if (before == ORR_DAG_NONE ||
            !orr_dag_edge(builder, before, number, error))
            return false;
    }
    word = next_word(&line);
    return !word || fail_word(reader, "the end of the line", word, error);
}

static bool read_lines(struct reader *reader, struct orr_input *input,
                       GError **error)
{
    GError *reason = NULL;
    bool first = true;
    char *line;
    size_t length;

    while (orr_input_next_line(input, &line, &length, &reason)) {
        char *comment = strchr(line, '#');

        reader->builder->line++;
        if (comment)
            *comment = '\0';
        if (line[strspn(line, " \t\r")] == '\0')
            continue;
        if (!(first ? read_count : add_task)(reader, line, error))
            return false;
        first = false;
    }
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    return true;
}

/* Checks that the file has as many tasks as its first line says, with or
 * without the entry and the exit. */
static bool check_count(const struct reader *reader, GError **error)
{
    uint64_t found = reader->builder->tasks->len;

    return found == reader->count || found == reader->count + 2 ||
           orr_dag_fail(reader->builder, reader->builder->line, ORR_ERROR_VALUE,
                        error,
                        "the first line says %" G_GUINT64_FORMAT
                        " tasks, but there are %" G_GUINT64_FORMAT,
                        reader->count, found);
}

struct orr_dag *orr_dag_read_stg(struct orr_input *input, const char *path,
                                 const struct orr_dag_read_settings *settings,
                                 GError **error)
{
    struct reader reader = {
        .builder = orr_dag_builder_new(path, "stg", ORR_DAG_BY_EDGES),
        .settings = settings,
    };
    struct orr_dag *dag = NULL;

    if (read_lines(&reader, input, error) && check_count(&reader, error))
        dag = orr_dag_builder_finish(reader.builder, error);
    orr_dag_builder_free(reader.builder);
    return dag;
}

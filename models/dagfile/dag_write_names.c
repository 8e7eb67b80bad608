/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes unique names for tasks and data in a file. */
#include <string.h>

#include "models/dag/dag_names.h"
#include "models/dagfile/dag_write_private.h"

/* Names of one kind: unique names stay, others are changed. */
struct written {
    struct orr_dag_texts texts;
    struct orr_dag_names names;
    uint32_t *offsets; /* by task or datum: in texts */
};

struct orr_dag_written_names {
    struct written tasks;
    struct written data;
};

/* Makes a name valid in the file and, unless it is @unique, adds @number. */
typedef char *make_function(const char *name, bool unique, uint32_t number);

static char *make_task(const char *name, bool unique, uint32_t number)
{
    if (unique)
        return g_strdup(name);
    return g_strdup_printf("%s_ID%07u", *name ? name : "task", number + 1);
}

/* A name of a datum, of the letters that WfFormat allows. */
static char *make_datum(const char *name, bool unique, uint32_t number)
{
    char *id =
        unique ? g_strdup(name)
               : g_strdup_printf("%s#%u", *name ? name : "data", number + 1);

    for (char *c = id; *c; c++) {
        if (!g_ascii_isalnum(*c) && !strchr("-_./:#", *c))
            *c = '_';
    }
    return id;
}

/* Adds @id, followed by "_" until it is new. Returns its offset. */
static uint32_t add_unique(struct written *written, const char *id)
{
    g_autoptr(GString) text = g_string_new(id);
    uint32_t number;

    while (orr_dag_names_find(&written->names, text->str, text->len) !=
           ORR_DAG_NONE)
        g_string_append_c(text, '_');
    number = orr_dag_names_add(&written->names, text->str, text->len);
    return number == ORR_DAG_NONE ? 0 : written->names.offsets[number];
}

/* Counts how often each name occurs, by number in written->names, without the
 * names that are changed. Sets @numbers, by task or datum. */
static GArray *count_names(struct written *written, const char *texts,
                           const uint32_t *names, uint32_t count,
                           make_function *make, uint32_t *numbers)
{
    GArray *times = g_array_new(FALSE, TRUE, sizeof(uint32_t));

    for (uint32_t i = 0; i < count; i++) {
        const char *name = texts + names[i];
        g_autofree char *id = make(name, true, i);

        numbers[i] = ORR_DAG_NONE;
        if (!*name || strcmp(id, name) != 0)
            continue;
        numbers[i] = orr_dag_names_add(&written->names, name, strlen(name));
        if (numbers[i] == ORR_DAG_NONE)
            continue;
        if (numbers[i] >= times->len)
            g_array_set_size(times, numbers[i] + 1);
        g_array_index(times, uint32_t, numbers[i])++;
    }
    return times;
}

/* @names: offsets in @texts, by task or datum. */
static void fill(struct written *written, const char *texts,
                 const uint32_t *names, uint32_t count, make_function *make)
{
    uint32_t *numbers = g_new(uint32_t, count + (size_t)1);
    GArray *times;

    orr_dag_texts_init(&written->texts);
    orr_dag_names_init(&written->names, &written->texts);
    written->offsets = g_new(uint32_t, count + (size_t)1);
    times = count_names(written, texts, names, count, make, numbers);
    for (uint32_t i = 0; i < count; i++) {
        g_autofree char *id = NULL;

        if (numbers[i] != ORR_DAG_NONE &&
            g_array_index(times, uint32_t, numbers[i]) == 1) {
            written->offsets[i] = written->names.offsets[numbers[i]];
            continue;
        }
        id = make(texts + names[i], false, i);
        written->offsets[i] = add_unique(written, id);
    }
    g_array_unref(times);
    g_free(numbers);
}

static void clear(struct written *written)
{
    orr_dag_names_clear(&written->names);
    orr_dag_texts_clear(&written->texts);
    g_free(written->offsets);
}

struct orr_dag_written_names *
orr_dag_written_names_new(const struct orr_dag *dag)
{
    struct orr_dag_written_names *names =
        g_new0(struct orr_dag_written_names, 1);
    uint32_t *offsets =
        g_new(uint32_t, MAX(dag->task_count, dag->datum_count) + (size_t)1);

    for (uint32_t i = 0; i < dag->task_count; i++)
        offsets[i] = dag->tasks[i].name;
    fill(&names->tasks, dag->texts, offsets, dag->task_count, make_task);
    for (uint32_t i = 0; i < dag->datum_count; i++)
        offsets[i] = dag->data[i].name;
    fill(&names->data, dag->texts, offsets, dag->datum_count, make_datum);
    g_free(offsets);
    return names;
}

void orr_dag_written_names_free(struct orr_dag_written_names *names)
{
    if (!names)
        return;
    clear(&names->tasks);
    clear(&names->data);
    g_free(names);
}

const char *orr_dag_task_id(const struct orr_dag_writing *writing,
                            uint32_t task)
{
    return writing->names->tasks.texts.texts +
           writing->names->tasks.offsets[task];
}

const char *orr_dag_datum_id(const struct orr_dag_writing *writing,
                             uint32_t datum)
{
    return writing->names->data.texts.texts +
           writing->names->data.offsets[datum];
}

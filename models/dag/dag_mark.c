/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dag/dag_mark.h"

#include <string.h>

#include "models/dag/dag_number.h"

const char *const orr_dag_mark_names[ORR_DAG_MARKS] = {
    [ORR_DAG_MARK_ITERATION] = "iteration",
    [ORR_DAG_MARK_PARAMETERS] = "parameters",
    [ORR_DAG_MARK_FOOTPRINT] = "footprint",
    [ORR_DAG_MARK_CRITICAL] = "critical",
    [ORR_DAG_MARK_SYNCHRONOUS] = "synchronous",
};

static const char *set_footprint(struct orr_dag_task *task, const char *text)
{
    task->footprint = 0;
    return !*text || orr_dag_hexadecimal(text, &task->footprint)
               ? NULL
               : "a hexadecimal number";
}

/* "0" and "1" become the numbers, "" becomes -1. */
static bool read_bit(const char *text, int *bit)
{
    *bit = *text ? *text - '0' : -1;
    return !*text || ((*bit == 0 || *bit == 1) && text[1] == '\0');
}

static const char *set_critical(struct orr_dag_task *task, const char *text)
{
    int bit;

    if (!read_bit(text, &bit))
        return "0 or 1";
    task->critical = ORR_DAG_CRITICAL_UNKNOWN;
    if (bit >= 0)
        task->critical = bit ? ORR_DAG_CRITICAL : ORR_DAG_NOT_CRITICAL;
    return NULL;
}

static const char *set_synchronous(struct orr_dag_task *task, const char *text)
{
    int bit;

    if (!read_bit(text, &bit))
        return "0 or 1";
    task->synchronous = bit == 1;
    return NULL;
}

const char *orr_dag_mark_set(struct orr_dag_builder *builder,
                             struct orr_dag_task *task, enum orr_dag_mark mark,
                             const char *text)
{
    switch (mark) {
    case ORR_DAG_MARK_ITERATION:
        task->iteration = orr_dag_share(builder, text, strlen(text));
        return NULL;
    case ORR_DAG_MARK_PARAMETERS:
        task->parameters = strcmp(text, "0") == 0
                               ? 0
                               : orr_dag_share(builder, text, strlen(text));
        return NULL;
    case ORR_DAG_MARK_FOOTPRINT:
        return set_footprint(task, text);
    case ORR_DAG_MARK_CRITICAL:
        return set_critical(task, text);
    case ORR_DAG_MARK_SYNCHRONOUS:
    case ORR_DAG_MARKS:
        break;
    }
    return set_synchronous(task, text);
}

void orr_dag_mark_put(const struct orr_dag *dag,
                      const struct orr_dag_task *task, enum orr_dag_mark mark,
                      GString *value)
{
    switch (mark) {
    case ORR_DAG_MARK_ITERATION:
        g_string_append(value, orr_dag_text(dag, task->iteration));
        break;
    case ORR_DAG_MARK_PARAMETERS:
        g_string_append(value, orr_dag_text(dag, task->parameters));
        break;
    case ORR_DAG_MARK_FOOTPRINT:
        if (task->footprint)
            g_string_append_printf(value, "%08x", task->footprint);
        break;
    case ORR_DAG_MARK_CRITICAL:
        if (task->critical != ORR_DAG_CRITICAL_UNKNOWN)
            g_string_append_c(value,
                              task->critical == ORR_DAG_CRITICAL ? '1' : '0');
        break;
    case ORR_DAG_MARK_SYNCHRONOUS:
    case ORR_DAG_MARKS:
        g_string_append(value, task->synchronous ? "1" : "");
        break;
    }
}

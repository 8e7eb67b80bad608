/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "apps/cli/cmd.h"
#include "apps/options/option.h"
#include "apps/options/values.h"
#include "models/base/error.h"
#include "models/base/units.h"
#include "models/dag/dag_generate.h"
#include "models/dagfile/dag_write.h"

struct values {
    struct orr_dag_generate_settings graph;
    const char *output;
};

/* A number from 0 to option->max. */
static bool parse_number(const struct orr_option *option, const char *text,
                         void *member, GError **error)
{
    g_autofree char *quoted = orr_quote(text);
    char *end;
    double number = g_ascii_strtod(text, &end);

    if (g_ascii_isdigit(*text) && *end == '\0' && number >= 0 &&
        number <= (double)option->max) {
        *(double *)member = number;
        return true;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s is not a number from 0 to %" G_GUINT64_FORMAT, quoted,
                option->max);
    return false;
}

#define MEMBER(name) offsetof(struct values, name)

static const struct orr_option options[] = {
    {"tasks", "N", "number of tasks (default 100)", orr_value_count,
     MEMBER(graph.tasks), 1, ORR_DAG_GENERATE_MAX_TASKS},
    {"fat", "F", "levels have N^F tasks on average (default 0.5)", parse_number,
     MEMBER(graph.fat), 0, 1},
    {"regularity", "R", "how alike levels are, 0 to 1 (default 0.9)",
     parse_number, MEMBER(graph.regularity), 0, 1},
    {"density", "D", "dependencies among the possible, 0 to 1 (default 0.5)",
     parse_number, MEMBER(graph.density), 0, 1},
    {"jump", "N", "levels that a dependency may span (default 1)",
     orr_value_count, MEMBER(graph.jump), 1, ORR_DAG_MAX_TASKS},
    {"ccr", "B", "bytes read for each flop (default 0.03)", parse_number,
     MEMBER(graph.ccr), 0, 1000000},
    {"seed", "N", "seed of the random numbers (default 1)", orr_value_count,
     MEMBER(graph.seed), 0, UINT64_MAX},
    {"output", "FILE", "the file to write: .rec, .json, .csv or .dot",
     orr_value_text, MEMBER(output), 0, 0},
};

static const struct orr_option_group group = {"Graph", options,
                                              G_N_ELEMENTS(options), 0, NULL};

static const struct orr_syntax syntax = {
    "graph generate",
    NULL,
    0,
    0,
    "Writes a random task graph in levels, with the parameters of daggen. The "
    "same\nparameters and seed give the same file.",
    {&group, NULL},
};

/* Bytes of memory that this process may take: of the machine, or of the limit
 * that ulimit -v sets. */
static uint64_t find_memory(void)
{
    struct rlimit limit;
    long pages = sysconf(_SC_PHYS_PAGES);
    long size = sysconf(_SC_PAGESIZE);
    uint64_t bytes =
        pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 1u << 30;

    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        bytes = MIN(bytes, (uint64_t)limit.rlim_cur);
    return bytes / 4 * 3;
}

static bool generate(const struct values *values, GError **error)
{
    struct orr_dag *dag = orr_dag_generate(&values->graph, error);
    bool good = dag && orr_dag_write(dag, values->output, error);

    orr_dag_free(dag);
    return good;
}

enum orr_exit orr_cmd_graph_generate(int argc, char **argv)
{
    struct values values = {.graph = {.tasks = 100,
                                      .fat = 0.5,
                                      .regularity = 0.9,
                                      .density = 0.5,
                                      .jump = 1,
                                      .ccr = 0.03,
                                      .seed = 1,
                                      .memory = find_memory()}};
    g_autoptr(GError) error = NULL;
    enum orr_exit status;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        return status;
    if (!values.output) {
        orr_message_print(syntax.command, "--output FILE is missing");
        return ORR_EXIT_USAGE;
    }
    if (!orr_dag_write_check(values.output, &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        return ORR_EXIT_USAGE;
    }
    if (generate(&values, &error))
        return ORR_EXIT_OK;
    orr_message_print(syntax.command, "%s", error->message);
    return ORR_EXIT_FAILURE;
}

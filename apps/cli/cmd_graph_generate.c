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
    {"tasks", "N", "number of tasks (default 100)", .parse = orr_value_count,
     .member = MEMBER(graph.tasks), .min = 1,
     .max = ORR_DAG_GENERATE_MAX_TASKS},
    {"fat", "F", "levels have N^F tasks on average (default 0.5)",
     .parse = parse_number, .member = MEMBER(graph.fat), .max = 1,
     .manual = "Levels have N to the power of F tasks on average: 0 is a "
               "chain, 1 is one level (default 0.5)."},
    {"regularity", "R", "how alike levels are, 0 to 1 (default 0.9)",
     .parse = parse_number, .member = MEMBER(graph.regularity), .max = 1,
     .manual = "How alike levels are: each has from R to 2-R times the average "
               "(default 0.9)."},
    {"density", "D", "dependencies among the possible, 0 to 1 (default 0.5)",
     .parse = parse_number, .member = MEMBER(graph.density), .max = 1,
     .manual =
         "Dependencies, in relation to all pairs of tasks of neighbouring "
         "levels; each task has at least one (default 0.5)."},
    {"jump", "N", "levels that a dependency may span (default 1)",
     .parse = orr_value_count, .member = MEMBER(graph.jump), .min = 1,
     .max = ORR_DAG_MAX_TASKS,
     .manual = "How many levels a dependency may span (default 1)."},
    {"ccr", "B", "bytes read for each flop (default 0.03)",
     .parse = parse_number, .member = MEMBER(graph.ccr), .max = 1000000,
     .manual = "Bytes that tasks read of what others wrote, for each flop "
               "(default 0.03)."},
    {"seed", "N", "seed of the random numbers (default 1)",
     .parse = orr_value_count, .member = MEMBER(graph.seed), .max = UINT64_MAX,
     .manual = "The seed of the random numbers (default 1)."},
    {"output", "FILE", "the file to write: .rec, .json, .csv or .dot",
     .parse = orr_value_text, .member = MEMBER(output)},
};

static const struct orr_option_group group = ORR_OPTION_GROUP("Graph", options);

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

static enum orr_exit command(int argc, char **argv)
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

const struct orr_cmd orr_cmd_graph_generate = {.name = "generate",
                                               .summary =
                                                   "write a random task graph",
                                               .syntax = &syntax,
                                               .main = command};

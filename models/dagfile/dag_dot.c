/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads DOT, as SimGrid and daggen write it, with the parser of Graphviz: the
 * size of a node is its flops, that of an edge its bytes. The parser does not
 * tell lines of nodes, so messages about them name the file alone.
 */
#include <graphviz/cgraph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_read_private.h"

/* Graphviz takes ten times this in memory. */
#define MAX_DOT ((uint64_t)256 << 20)
#define MAX_BYTES 4e18

struct source {
    struct orr_input *input;
    uint64_t read;
    GError *error;
};

static int read_some(void *channel, char *buffer, int size)
{
    struct source *source = channel;
    size_t got = 0;

    if (source->error || size <= 0 ||
        !orr_input_read(source->input, buffer, (size_t)size, &got,
                        &source->error))
        return 0;
    source->read += got;
    if (source->read > MAX_DOT) {
        g_set_error(&source->error, ORR_ERROR, ORR_ERROR_IO,
                    "%s: the file is larger than 256 MiB, the limit of DOT",
                    orr_input_path(source->input));
        return 0;
    }
    /* A 0 would end the text for the parser; it is no letter of DOT. */
    for (size_t i = 0; i < got; i++) {
        if (buffer[i] == '\0')
            buffer[i] = '\1';
    }
    return (int)got;
}

/* Sets @error to what Graphviz says: "syntax error in line 3 near 'x'". */
static void fail_syntax(struct orr_dag_builder *builder, GError **error)
{
    char *last = aglasterr(); /* ours to free */
    char *line = last ? strstr(last, "in line ") : NULL;
    char *near = line ? strstr(line, "near '") : NULL;
    char *end = near ? strrchr(near, '\'') : NULL;
    g_autofree char *quoted = NULL;

    if (!end || end < near + strlen("near '")) {
        orr_dag_fail(builder, 0, ORR_ERROR_SYNTAX, error, "not a graph in DOT");
        free(last);
        return;
    }
    *end = '\0';
    quoted = orr_quote(near + strlen("near '"));
    builder->without_lines = false;
    orr_dag_fail(
        builder,
        (unsigned)g_ascii_strtoull(line + strlen("in line "), NULL, 10),
        ORR_ERROR_SYNTAX, error, "not DOT: a syntax error near %s", quoted);
    free(last);
}

static Agraph_t *parse(struct orr_input *input, struct orr_dag_builder *builder,
                       GError **error)
{
    Agiodisc_t channel = AgIoDisc;
    Agdisc_t discipline = {&AgMemDisc, &AgIdDisc, &channel};
    struct source source = {.input = input};
    Agraph_t *graph;

    channel.afread = read_some;
    agseterr(AGMAX); /* it keeps messages, and prints none */
    agreseterrors();
    agsetfile((char *)"");
    graph = agread(&source, &discipline);
    if (source.error) {
        if (graph)
            agclose(graph);
        g_propagate_error(error, source.error);
        return NULL;
    }
    if (!graph || agerrors() >= AGERR) {
        fail_syntax(builder, error);
        if (graph)
            agclose(graph);
        return NULL;
    }
    return graph;
}

/* The attribute @name of a node or an edge; NULL if it is absent or empty. */
static const char *attribute(void *object, const char *name)
{
    const char *text = agget(object, (char *)name);

    return text && *text ? text : NULL;
}

static bool fail_size(const struct orr_dag_builder *builder, const char *what,
                      const char *text, GError **error)
{
    g_autofree char *name = orr_quote(what);
    g_autofree char *quoted = orr_quote(text);

    return orr_dag_fail(builder, 0, ORR_ERROR_VALUE, error,
                        "%s: the size %s is not a number >= 0", name, quoted);
}

/* "gemm" of "gemm_12"; "task" if there is nothing but a number. */
static void set_kernel(struct orr_dag_builder *builder,
                       struct orr_dag_task *task, Agnode_t *node)
{
    const char *kernel = attribute(node, "kernel");
    size_t length;

    if (!kernel)
        kernel = attribute(node, "category");
    length = kernel ? strlen(kernel) : orr_dag_kernel_length(agnameof(node));
    if (!kernel)
        kernel = agnameof(node);
    if (length == 0) {
        kernel = "task";
        length = strlen(kernel);
    }
    task->kernel = orr_dag_kernel_of(builder, kernel, length);
}

static bool set_numbers(const struct orr_dag_builder *builder,
                        struct orr_dag_task *task, Agnode_t *node,
                        GError **error)
{
    const char *size = attribute(node, "size");
    const char *seconds = attribute(node, "seconds");
    const char *priority = attribute(node, "priority");
    double number;

    if (size && !orr_dag_real(size, false, &task->flops))
        return fail_size(builder, agnameof(node), size, error);
    if (seconds && (!orr_dag_real(seconds, false, &number) || number > 1e9 ||
                    !orr_dag_scaled(seconds, 9, &task->duration)))
        return fail_size(builder, agnameof(node), seconds, error);
    if (priority && !orr_dag_signed(priority, &task->priority))
        return fail_size(builder, agnameof(node), priority, error);
    return true;
}

static bool add_node(struct orr_dag_builder *builder, Agnode_t *node,
                     GError **error)
{
    const char *name = agnameof(node);
    uint32_t number = orr_dag_define(builder, name, strlen(name), error);
    struct orr_dag_task task;
    bool end;

    if (number == ORR_DAG_NONE)
        return false;
    task = *orr_dag_task_of(builder, number);
    if (!set_numbers(builder, &task, node, error))
        return false;
    /* The ends that SimGrid adds do nothing. */
    end = strcmp(name, "root") == 0 || strcmp(name, "end") == 0;
    if (!end || task.flops > 0 || task.duration > 0)
        set_kernel(builder, &task, node);
    *orr_dag_task_of(builder, number) = task;
    return true;
}

/* An edge; SimGrid writes -1 where there are no bytes. */
static bool add_edge(struct orr_dag_builder *builder, Agedge_t *edge,
                     GError **error)
{
    const char *names[] = {agnameof(agtail(edge)), agnameof(aghead(edge))};
    const char *size = attribute(edge, "size");
    double bytes = 0;

    if (size && (!orr_dag_real(size, true, &bytes) || bytes > MAX_BYTES ||
                 (bytes < 0 && fabs(bytes + 1) > 0))) {
        g_autofree char *what = g_strdup_printf("%s -> %s", names[0], names[1]);

        return fail_size(builder, what, size, error);
    }
    return orr_dag_transfer(
        builder, orr_dag_refer(builder, names[0], strlen(names[0]), error),
        orr_dag_refer(builder, names[1], strlen(names[1]), error),
        bytes > 0 ? (uint64_t)(bytes + 0.5) : 0, error);
}

static bool add_all(struct orr_dag_builder *builder, Agraph_t *graph,
                    GError **error)
{
    if (!agisdirected(graph))
        return orr_dag_fail(builder, 0, ORR_ERROR_VALUE, error,
                            "the graph is not directed: graph, not digraph");
    for (Agnode_t *node = agfstnode(graph); node;
         node = agnxtnode(graph, node)) {
        if (!add_node(builder, node, error))
            return false;
    }
    for (Agnode_t *node = agfstnode(graph); node;
         node = agnxtnode(graph, node)) {
        for (Agedge_t *edge = agfstout(graph, node); edge;
             edge = agnxtout(graph, edge)) {
            if (!add_edge(builder, edge, error))
                return false;
        }
    }
    return true;
}

struct orr_dag *orr_dag_read_dot(struct orr_input *input, const char *path,
                                 const struct orr_dag_read_settings *settings,
                                 GError **error)
{
    struct orr_dag_builder *builder =
        orr_dag_builder_new(path, "dot", ORR_DAG_BY_EDGES);
    struct orr_dag *dag = NULL;
    Agraph_t *graph;

    (void)settings;
    builder->without_lines = true;
    graph = parse(input, builder, error);
    if (graph) {
        if (add_all(builder, graph, error))
            dag = orr_dag_builder_finish(builder, error);
        agclose(graph);
    }
    orr_dag_builder_free(builder);
    return dag;
}

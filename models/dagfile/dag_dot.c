/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads DOT, as SimGrid and daggen write it, by the whole grammar of Graphviz:
 * the size of a node is its flops, that of an edge its bytes. Not with the
 * library of Graphviz, which takes time and memory without a bound for groups
 * of nodes and long texts, and does not tell lines of nodes.
 */
#include "models/dagfile/dag_dot_private.h"

#include "models/dagfile/dag_read_private.h"

#define MAX_DEPTH 100

static bool read_statements(struct orr_dot *dot);

static bool accept(struct orr_dot *dot, int token)
{
    if (dot->lexer.token != token)
        return false;
    orr_dot_next(&dot->lexer);
    return true;
}

static bool expect(struct orr_dot *dot, int token)
{
    return accept(dot, token) || orr_dot_fail_syntax(&dot->lexer);
}

/* "[name=value, ...] ..." */
static bool read_attributes(struct orr_dot *dot, enum orr_dot_kind kind,
                            guint ends, struct orr_dot_values *values)
{
    g_autoptr(GString) name = g_string_new(NULL);

    while (accept(dot, '[')) {
        while (!accept(dot, ']')) {
            if (dot->lexer.token != ORR_DOT_ID)
                return orr_dot_fail_syntax(&dot->lexer);
            g_string_assign(name, dot->lexer.text->str);
            orr_dot_next(&dot->lexer);
            if (!expect(dot, '='))
                return false;
            if (dot->lexer.token != ORR_DOT_ID)
                return orr_dot_fail_syntax(&dot->lexer);
            if (!orr_dot_set(dot, kind, name->str, dot->lexer.text->str, ends,
                             values))
                return false;
            orr_dot_next(&dot->lexer);
            if (!accept(dot, ','))
                accept(dot, ';');
        }
    }
    return true;
}

/* "node [...]": of nodes that are to come. */
static bool read_defaults(struct orr_dot *dot)
{
    struct orr_dot_values ignored = {.task = {.flops = -1}};
    int token = dot->lexer.token;

    orr_dot_next(&dot->lexer);
    if (dot->lexer.token != '[')
        return orr_dot_fail_syntax(&dot->lexer);
    if (token == ORR_DOT_NODE)
        return read_attributes(dot, ORR_DOT_OF_NODE, dot->ends->len,
                               &dot->node_values);
    if (token == ORR_DOT_EDGE)
        return read_attributes(dot, ORR_DOT_OF_EDGE, dot->ends->len,
                               &dot->edge_values);
    return read_attributes(dot, ORR_DOT_OF_GRAPH, dot->ends->len, &ignored);
}

/* "subgraph name { ... }": what it says of nodes and edges ends with it. */
static bool read_subgraph(struct orr_dot *dot)
{
    struct orr_dot_values node_values = dot->node_values;
    struct orr_dot_values edge_values = dot->edge_values;
    bool good;

    if (accept(dot, ORR_DOT_SUBGRAPH))
        accept(dot, ORR_DOT_ID);
    if (dot->lexer.token != '{')
        return orr_dot_fail_syntax(&dot->lexer);
    if (dot->depth == MAX_DEPTH)
        return orr_dag_fail(dot->builder, dot->builder->line, ORR_ERROR_SYNTAX,
                            &dot->lexer.error,
                            "subgraphs nested more than %d levels deep",
                            MAX_DEPTH);
    dot->depth++;
    orr_dot_next(&dot->lexer);
    good = read_statements(dot) && expect(dot, '}');
    dot->depth--;
    dot->node_values = node_values;
    dot->edge_values = edge_values;
    return good;
}

/* Behind the name of a node: ":port:compass". */
static bool read_port(struct orr_dot *dot)
{
    for (unsigned i = 0; i < 2 && accept(dot, ':'); i++) {
        if (!expect(dot, ORR_DOT_ID))
            return false;
    }
    return true;
}

/* Where an edge begins or ends: a node, or all nodes of a subgraph. */
static bool read_end(struct orr_dot *dot)
{
    struct orr_dot_end end = {.begin = dot->nodes->len};

    if (dot->lexer.token == ORR_DOT_ID) {
        if (!orr_dot_add_node(dot, dot->lexer.text->str, dot->lexer.text->len))
            return false;
        orr_dot_next(&dot->lexer);
        if (!read_port(dot))
            return false;
    } else if (!read_subgraph(dot)) {
        return false;
    }
    end.end = dot->nodes->len;
    g_array_append_val(dot->ends, end);
    return true;
}

/* The attributes of the one node at the end of dot->nodes. */
static bool read_node_attributes(struct orr_dot *dot, guint ends)
{
    uint32_t node = g_array_index(dot->nodes, uint32_t, dot->nodes->len - 1);

    return read_attributes(
        dot, ORR_DOT_OF_NODE, ends,
        &g_array_index(dot->values, struct orr_dot_values, node));
}

/* What follows the first end: "-> ... [...]", or the attributes of a node. */
static bool read_chain(struct orr_dot *dot, guint ends, bool is_node)
{
    struct orr_dot_values values = dot->edge_values;

    if (dot->lexer.token == '[' && is_node)
        return read_node_attributes(dot, ends);
    while (accept(dot, ORR_DOT_ARROW)) {
        if (!read_end(dot))
            return false;
    }
    values.has_bytes = false;
    return read_attributes(dot, ORR_DOT_OF_EDGE, ends, &values) &&
           orr_dot_add_edges(dot, ends, &values);
}

/* "name = value" of the graph, or what begins with the node @name. */
static bool read_named(struct orr_dot *dot, guint ends)
{
    struct orr_dot_end end = {.begin = dot->nodes->len};
    g_autoptr(GString) name =
        g_string_new_len(dot->lexer.text->str, (gssize)dot->lexer.text->len);

    orr_dot_next(&dot->lexer);
    if (accept(dot, '='))
        return expect(dot, ORR_DOT_ID);
    if (dot->lexer.token == ORR_DOT_ERROR ||
        !orr_dot_add_node(dot, name->str, name->len) || !read_port(dot))
        return false;
    end.end = dot->nodes->len;
    g_array_append_val(dot->ends, end);
    return read_chain(dot, ends, true);
}

static bool read_statement(struct orr_dot *dot)
{
    guint ends = dot->ends->len;
    bool good;

    switch (dot->lexer.token) {
    case ORR_DOT_GRAPH:
    case ORR_DOT_NODE:
    case ORR_DOT_EDGE:
        return read_defaults(dot);
    case ORR_DOT_ID:
        good = read_named(dot, ends);
        break;
    case ORR_DOT_SUBGRAPH:
    case '{':
        good = read_end(dot) && read_chain(dot, ends, false);
        break;
    default:
        return orr_dot_fail_syntax(&dot->lexer);
    }
    g_array_set_size(dot->ends, ends);
    if (dot->depth == 0)
        g_array_set_size(dot->nodes, 0);
    return good;
}

static bool read_statements(struct orr_dot *dot)
{
    while (dot->lexer.token != '}') {
        if (!accept(dot, ';') && !read_statement(dot))
            return false;
    }
    return true;
}

static bool fail_graph(struct orr_dot *dot, const char *message)
{
    return orr_dag_fail(dot->builder, dot->builder->line, ORR_ERROR_VALUE,
                        &dot->lexer.error, "%s", message);
}

static bool read_graph(struct orr_dot *dot)
{
    int token = orr_dot_next(&dot->lexer);

    dot->strict = accept(dot, ORR_DOT_STRICT);
    if (dot->lexer.token == ORR_DOT_GRAPH)
        return fail_graph(dot, "the graph is not directed: graph, not digraph");
    if (token == ORR_DOT_END)
        return fail_graph(dot, "not a graph in DOT: the file is empty");
    if (!expect(dot, ORR_DOT_DIGRAPH))
        return false;
    accept(dot, ORR_DOT_ID);
    if (!expect(dot, '{') || !read_statements(dot) || !expect(dot, '}'))
        return false;
    if (dot->lexer.token == ORR_DOT_STRICT ||
        dot->lexer.token == ORR_DOT_GRAPH ||
        dot->lexer.token == ORR_DOT_DIGRAPH)
        return fail_graph(dot, "a second graph, but a file may have only one");
    return dot->lexer.token == ORR_DOT_END || orr_dot_fail_syntax(&dot->lexer);
}

struct orr_dag *orr_dag_read_dot(struct orr_input *input, const char *path,
                                 const struct orr_dag_read_settings *settings,
                                 GError **error)
{
    struct orr_dag_builder *builder =
        orr_dag_builder_new(path, "dot", ORR_DAG_BY_EDGES);
    struct orr_dag *dag = NULL;
    struct orr_dot dot;

    (void)settings;
    orr_dot_init(&dot, builder, input);
    if (read_graph(&dot) && orr_dot_finish(&dot))
        dag = orr_dag_builder_finish(builder, error);
    else
        g_propagate_error(error, g_steal_pointer(&dot.lexer.error));
    orr_dot_clear(&dot);
    orr_dag_builder_free(builder);
    return dag;
}

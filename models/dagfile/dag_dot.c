/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads DOT, as SimGrid and daggen write it, by the whole grammar of Graphviz:
 * the size of a node is its flops, the size of an edge its bytes. The library
 * of Graphviz is not used: it takes time and memory without a bound for groups
 * of nodes and long texts, and does not say on which line a node is.
 *
 * A recursive descent over the tokens of dag_dot_lex.h, one function a rule.
 * dot.nodes and dot.ends are stacks: the nodes that open statements mention,
 * and for each end of an edge its range of nodes (one node, or all nodes of a
 * subgraph). A statement removes its entries when it ends. Attributes of a node
 * may come in several statements, so tasks are completed after the last one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_mark.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_dot_lex.h"
#include "models/dagfile/dag_read_private.h"

#define MAX_DEPTH 100 /* of nested subgraphs */
#define MAX_BYTES 4e18

/* Edges of groups, as in {a b} -> {c d}: a short file could ask for any number
 * of them. */
#define MAX_GROUP_EDGES 5000000u

/* Attributes of a node, or of an edge. */
struct dot_values {
    struct orr_dag_task task; /* its flops, duration, priority and marks */
    uint32_t kernel;          /* index; ORR_DAG_NONE: no attribute kernel */
    uint32_t category;        /* index; ORR_DAG_NONE: no attribute category */
    bool synchronises;        /* the attribute kernel is "" */
    uint64_t bytes;           /* of an edge; 0: only a dependency */
    bool has_bytes;           /* the edge has a size, be it 0 */
};

enum dot_kind { OF_NODE, OF_EDGE, OF_GRAPH };

/* Nodes at one end of an edge: a range in dot.nodes. */
struct dot_end {
    guint begin, end;
};

struct dot {
    struct orr_dot_lexer lexer;
    struct orr_dag_builder *builder;
    bool strict; /* at most one edge from one node to another */
    unsigned depth;
    struct dot_values node_values; /* defaults of nodes that follow */
    struct dot_values edge_values; /* defaults of edges that follow */
    GArray *values;                /* struct dot_values, by task */
    GArray *nodes;                 /* uint32_t: stack, of the open statements */
    GArray *ends;         /* struct dot_end: stack, of the open statements */
    GArray *left, *right; /* uint32_t: nodes, without repetitions */
    uint32_t *marks;      /* by task: number of the last search that saw it */
    size_t mark_count;
    uint32_t search;
    uint64_t group_edges; /* number of edges between groups so far */
    GArray *edges;        /* struct dot_edge; only used if strict */
};

struct dot_edge {
    uint32_t before, after;
    uint32_t number; /* in the file */
    bool has_bytes;
    uint64_t bytes;
};

static void dot_init(struct dot *dot, struct orr_dag_builder *builder,
                     struct orr_input *input)
{
    const struct dot_values unknown = {.task = {.flops = -1, .duration = -1},
                                       .kernel = ORR_DAG_NONE,
                                       .category = ORR_DAG_NONE};

    *dot = (struct dot){
        .builder = builder, .node_values = unknown, .edge_values = unknown};
    orr_dot_lexer_init(&dot->lexer, builder, input);
    dot->values = g_array_new(FALSE, FALSE, sizeof(struct dot_values));
    dot->nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    dot->ends = g_array_new(FALSE, FALSE, sizeof(struct dot_end));
    dot->left = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    dot->right = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    dot->edges = g_array_new(FALSE, FALSE, sizeof(struct dot_edge));
}

static void dot_clear(struct dot *dot)
{
    orr_dot_lexer_clear(&dot->lexer);
    g_array_unref(dot->values);
    g_array_unref(dot->nodes);
    g_array_unref(dot->ends);
    g_array_unref(dot->left);
    g_array_unref(dot->right);
    g_array_unref(dot->edges);
    g_free(dot->marks);
}

static const char *name_of(const struct dot *dot, uint32_t node)
{
    return dot->builder->texts.texts + dot->builder->ids.offsets[node];
}

static bool add_node(struct dot *dot, const char *name, size_t length)
{
    struct orr_dag_builder *builder = dot->builder;
    uint32_t node = orr_dag_refer(builder, name, length, &dot->lexer.error);

    if (node == ORR_DAG_NONE)
        return false;
    if (node == dot->values->len) {
        g_array_append_val(dot->values, dot->node_values);
        orr_dag_task_of(builder, node)->name = 0; /* named by its id */
    }
    g_array_append_val(dot->nodes, node);
    return true;
}

/* ---- attributes ---- */

/* Whose attributes are read: "'a'", "'a -> b'", or "" for defaults. */
static char *name_ends(const struct dot *dot, guint ends)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *quoted = NULL;

    for (guint i = ends; i < dot->ends->len && i < ends + 2; i++) {
        const struct dot_end *end =
            &g_array_index(dot->ends, struct dot_end, i);

        g_string_append_printf(
            text, "%s%s", i > ends ? " -> " : "",
            end->begin < end->end
                ? name_of(dot, g_array_index(dot->nodes, uint32_t, end->begin))
                : "{}");
    }
    if (ends == dot->ends->len)
        return g_strdup("");
    quoted = orr_quote(text->str);
    return g_strdup_printf("%s: ", quoted);
}

static bool fail_value(struct dot *dot, guint ends, const char *name,
                       const char *text, const char *expected)
{
    g_autofree char *quoted = orr_quote(text);
    g_autofree char *subject = name_ends(dot, ends);

    return orr_dag_fail(dot->builder, dot->builder->line, ORR_ERROR_VALUE,
                        &dot->lexer.error, "%sthe %s %s is not %s", subject,
                        name, quoted, expected);
}

/* The size of an edge; SimGrid writes -1 where there are no bytes. */
static bool set_bytes(struct dot *dot, const char *text, guint ends,
                      struct dot_values *values)
{
    double bytes = 0;

    if (*text && (!orr_dag_real(text, true, &bytes) || bytes > MAX_BYTES ||
                  (bytes < 0 && fabs(bytes + 1) > 0)))
        return fail_value(dot, ends, "size", text,
                          "a number from 0 to 4e+18, or -1");
    values->bytes = bytes > 0 ? (uint64_t)(bytes + 0.5) : 0;
    values->has_bytes = true;
    return true;
}

static uint32_t kernel_of(struct dot *dot, const char *text)
{
    return *text ? orr_dag_kernel_of(dot->builder, text, strlen(text))
                 : ORR_DAG_NONE;
}

static bool set_seconds(struct dot *dot, const char *text, guint ends,
                        struct dot_values *values)
{
    double number;

    values->task.duration = -1;
    if (!*text ||
        (orr_dag_real(text, false, &number) && number <= ORR_DAG_MAX_SECONDS &&
         orr_dag_scaled(text, 9, &values->task.duration)))
        return true;
    return fail_value(dot, ends, "seconds", text, "a number from 0 to 1e+09");
}

/* Sets the attribute if it is a mark (dag_mark.h), else ignores it. */
static bool set_mark(struct dot *dot, const char *name, const char *text,
                     guint ends, struct dot_values *values)
{
    for (unsigned i = 0; i < ORR_DAG_MARKS; i++) {
        const char *expected;

        if (strcmp(name, orr_dag_mark_names[i]) != 0)
            continue;
        expected = orr_dag_mark_set(dot->builder, &values->task,
                                    (enum orr_dag_mark)i, text);
        return !expected || fail_value(dot, ends, name, text, expected);
    }
    return true;
}

static bool set_node(struct dot *dot, const char *name, const char *text,
                     guint ends, struct dot_values *values)
{
    if (strcmp(name, "size") == 0) {
        values->task.flops = -1;
        return !*text || orr_dag_real(text, false, &values->task.flops) ||
               fail_value(dot, ends, name, text, "a number >= 0");
    }
    if (strcmp(name, "seconds") == 0)
        return set_seconds(dot, text, ends, values);
    if (strcmp(name, "priority") == 0) {
        values->task.priority = 0;
        return !*text || orr_dag_signed(text, &values->task.priority) ||
               fail_value(dot, ends, name, text, "a whole number of 32 bits");
    }
    if (strcmp(name, "kernel") == 0) {
        values->kernel = kernel_of(dot, text);
        values->synchronises = !*text;
        return true;
    }
    if (strcmp(name, "category") == 0) {
        values->category = kernel_of(dot, text);
        return true;
    }
    return set_mark(dot, name, text, ends, values);
}

static bool set_attribute(struct dot *dot, enum dot_kind kind, const char *name,
                          const char *text, guint ends,
                          struct dot_values *values)
{
    if (kind == OF_NODE)
        return set_node(dot, name, text, ends, values);
    if (kind == OF_EDGE && strcmp(name, "size") == 0)
        return set_bytes(dot, text, ends, values);
    return true;
}

/* ---- edges ---- */

static bool add_edge(struct dot *dot, uint32_t before, uint32_t after,
                     const struct dot_values *values)
{
    struct dot_edge edge = {before, after, dot->edges->len, values->has_bytes,
                            values->bytes};

    if (before == after) {
        g_autofree char *quoted = orr_quote(name_of(dot, before));

        return orr_dag_fail(dot->builder, dot->builder->line, ORR_ERROR_VALUE,
                            &dot->lexer.error, "a cycle of tasks: %s -> %s",
                            quoted, quoted);
    }
    if (!dot->strict)
        return orr_dag_transfer(dot->builder, before, after, values->bytes,
                                &dot->lexer.error);
    if (dot->edges->len >= ORR_DAG_MAX_ACCESSES)
        return orr_dag_fail(dot->builder, dot->builder->line, ORR_ERROR_VALUE,
                            &dot->lexer.error, "more than %u edges",
                            ORR_DAG_MAX_ACCESSES);
    g_array_append_val(dot->edges, edge);
    return true;
}

/* Sets @nodes to the nodes of an end, each once. */
static void gather(struct dot *dot, guint number, GArray *nodes)
{
    struct dot_end end = g_array_index(dot->ends, struct dot_end, number);

    if (dot->mark_count < dot->values->len) {
        size_t count = 2 * (size_t)dot->values->len;

        dot->marks = g_renew(uint32_t, dot->marks, count);
        memset(dot->marks + dot->mark_count, 0,
               (count - dot->mark_count) * sizeof *dot->marks);
        dot->mark_count = count;
    }
    g_array_set_size(nodes, 0);
    dot->search++;
    for (guint i = end.begin; i < end.end; i++) {
        uint32_t node = g_array_index(dot->nodes, uint32_t, i);

        if (dot->marks[node] == dot->search)
            continue;
        dot->marks[node] = dot->search;
        g_array_append_val(nodes, node);
    }
}

static bool check_group(struct dot *dot)
{
    if (dot->left->len > 1 || dot->right->len > 1)
        dot->group_edges += (uint64_t)dot->left->len * dot->right->len;
    return dot->group_edges <= MAX_GROUP_EDGES ||
           orr_dag_fail(dot->builder, dot->builder->line, ORR_ERROR_VALUE,
                        &dot->lexer.error,
                        "more than %u edges between groups of nodes",
                        MAX_GROUP_EDGES);
}

/* Adds edges from each node in dot->left to each one in dot->right. */
static bool add_group(struct dot *dot, const struct dot_values *values)
{
    for (guint i = 0; i < dot->left->len; i++) {
        uint32_t before = g_array_index(dot->left, uint32_t, i);

        for (guint j = 0; j < dot->right->len; j++) {
            if (!add_edge(dot, before, g_array_index(dot->right, uint32_t, j),
                          values))
                return false;
        }
    }
    return true;
}

static bool add_edges(struct dot *dot, guint ends,
                      const struct dot_values *values)
{
    for (guint i = ends + 1; i < dot->ends->len; i++) {
        gather(dot, i - 1, dot->left);
        gather(dot, i, dot->right);
        if (!check_group(dot) || !add_group(dot, values))
            return false;
    }
    return true;
}

static int compare_edges(const void *a, const void *b)
{
    const struct dot_edge *left = a;
    const struct dot_edge *right = b;

    if (left->before != right->before)
        return left->before < right->before ? -1 : 1;
    if (left->after != right->after)
        return left->after < right->after ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

/* Adds the edges of a strict graph. If several edges are between the same
 * nodes, the last one that states a size counts. */
static bool add_strict_edges(struct dot *dot)
{
    g_array_sort(dot->edges, compare_edges);
    for (guint i = 0; i < dot->edges->len;) {
        struct dot_edge edge = g_array_index(dot->edges, struct dot_edge, i);

        for (i++; i < dot->edges->len; i++) {
            const struct dot_edge *next =
                &g_array_index(dot->edges, struct dot_edge, i);

            if (next->before != edge.before || next->after != edge.after)
                break;
            if (next->has_bytes)
                edge.bytes = next->bytes;
        }
        if (!orr_dag_transfer(dot->builder, edge.before, edge.after, edge.bytes,
                              &dot->lexer.error))
            return false;
    }
    return true;
}

/* ---- the end ---- */

/* The kernel in the name of a node: "gemm" in "gemm_12"; "task" if the name is
 * only a number. */
static uint32_t kernel_of_name(struct dot *dot, uint32_t node)
{
    const char *name = name_of(dot, node);
    size_t length = orr_dag_kernel_length(name);
    g_autofree char *kernel =
        length > 0 ? g_strndup(name, length) : g_strdup("task");

    /* A copy, as adding it may move all texts. */
    return kernel_of(dot, kernel);
}

static void set_task(struct dot *dot, uint32_t node)
{
    const struct dot_values *values =
        &g_array_index(dot->values, struct dot_values, node);
    const char *name = name_of(dot, node);
    struct orr_dag_task *task = orr_dag_task_of(dot->builder, node);
    struct orr_dag_task own = *task;
    bool works = values->task.flops > 0 || values->task.duration > 0;

    *task = values->task;
    task->name = own.name;
    task->line = own.line;
    task->kernel = own.kernel;
    task->device = own.device;
    /* SimGrid adds nodes called root and end, which do no work. */
    if (!works && (values->synchronises || strcmp(name, "root") == 0 ||
                   strcmp(name, "end") == 0))
        return;
    if (values->kernel != ORR_DAG_NONE)
        task->kernel = values->kernel;
    else if (values->category != ORR_DAG_NONE)
        task->kernel = values->category;
    else
        task->kernel = kernel_of_name(dot, node);
}

/* Sets @in[i] if an edge leads to node i, and @out[i] if one leads from it. All
 * data of the builder belong to edges. */
static void find_ends(const struct orr_dag_builder *builder, bool *in,
                      bool *out)
{
    for (guint i = 0; i < builder->edges->len; i++) {
        struct orr_dag_pending_edge edge =
            g_array_index(builder->edges, struct orr_dag_pending_edge, i);

        out[edge.before] = in[edge.after] = true;
    }
    for (guint i = 0; i < builder->accesses->len; i++) {
        struct orr_dag_pending_access access =
            g_array_index(builder->accesses, struct orr_dag_pending_access, i);

        (access.mode & ORR_DAG_WRITE ? out : in)[access.task] = true;
    }
}

/* The node called @name that does work and is not in @linked, or
 * ORR_DAG_NONE. */
static uint32_t find_end(const struct dot *dot, const char *name,
                         const bool *linked)
{
    for (uint32_t node = 0; node < dot->values->len; node++) {
        if (!linked[node] && strcmp(name_of(dot, node), name) == 0 &&
            orr_dag_task_of(dot->builder, node)->kernel != ORR_DAG_NONE)
            return node;
    }
    return ORR_DAG_NONE;
}

/* Adds the same edges as SimGrid: from a root that does work to all nodes
 * without an edge to them, and to such an end from all nodes without an edge
 * from them. */
static bool link_ends(struct dot *dot)
{
    uint32_t count = dot->values->len;
    bool *in = g_new0(bool, count + (size_t)1);
    bool *out = g_new0(bool, count + (size_t)1);
    uint32_t root, end;
    bool good = true;

    find_ends(dot->builder, in, out);
    root = find_end(dot, "root", in);
    end = find_end(dot, "end", out);
    for (uint32_t node = 0; good && node < count; node++) {
        if (root != ORR_DAG_NONE && node != root && node != end && !in[node])
            good = orr_dag_edge(dot->builder, root, node, &dot->lexer.error);
        if (good && end != ORR_DAG_NONE && node != end && !out[node])
            good = orr_dag_edge(dot->builder, node, end, &dot->lexer.error);
    }
    g_free(in);
    g_free(out);
    return good;
}

static bool dot_finish(struct dot *dot)
{
    for (uint32_t node = 0; node < dot->values->len; node++)
        set_task(dot, node);
    return add_strict_edges(dot) && link_ends(dot);
}

static bool read_statements(struct dot *dot);

static bool accept(struct dot *dot, int token)
{
    if (dot->lexer.token != token)
        return false;
    orr_dot_next(&dot->lexer);
    return true;
}

static bool expect(struct dot *dot, int token)
{
    return accept(dot, token) || orr_dot_fail_syntax(&dot->lexer);
}

/* "[name=value, ...] ..." */
static bool read_attributes(struct dot *dot, enum dot_kind kind, guint ends,
                            struct dot_values *values)
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
            if (!set_attribute(dot, kind, name->str, dot->lexer.text->str, ends,
                               values))
                return false;
            orr_dot_next(&dot->lexer);
            if (!accept(dot, ','))
                accept(dot, ';');
        }
    }
    return true;
}

/* Reads "node [...]" or "edge [...]": the default attributes of the nodes or
 * edges that follow in the file. */
static bool read_defaults(struct dot *dot)
{
    struct dot_values ignored = {.task = {.flops = -1}};
    int token = dot->lexer.token;

    orr_dot_next(&dot->lexer);
    if (dot->lexer.token != '[')
        return orr_dot_fail_syntax(&dot->lexer);
    if (token == ORR_DOT_NODE)
        return read_attributes(dot, OF_NODE, dot->ends->len, &dot->node_values);
    if (token == ORR_DOT_EDGE)
        return read_attributes(dot, OF_EDGE, dot->ends->len, &dot->edge_values);
    return read_attributes(dot, OF_GRAPH, dot->ends->len, &ignored);
}

/* Reads "subgraph name { ... }". Defaults set in it end with it. */
static bool read_subgraph(struct dot *dot)
{
    struct dot_values node_values = dot->node_values;
    struct dot_values edge_values = dot->edge_values;
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
static bool read_port(struct dot *dot)
{
    for (unsigned i = 0; i < 2 && accept(dot, ':'); i++) {
        if (!expect(dot, ORR_DOT_ID))
            return false;
    }
    return true;
}

/* Reads one end of an edge: a node, or all nodes of a subgraph. */
static bool read_end(struct dot *dot)
{
    struct dot_end end = {.begin = dot->nodes->len};

    if (dot->lexer.token == ORR_DOT_ID) {
        if (!add_node(dot, dot->lexer.text->str, dot->lexer.text->len))
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

/* Reads the attributes of the last node in dot->nodes. */
static bool read_node_attributes(struct dot *dot, guint ends)
{
    uint32_t node = g_array_index(dot->nodes, uint32_t, dot->nodes->len - 1);

    return read_attributes(
        dot, OF_NODE, ends,
        &g_array_index(dot->values, struct dot_values, node));
}

/* Reads the rest of a statement behind its first end: "-> ... [...]", or the
 * attributes of a node. */
static bool read_chain(struct dot *dot, guint ends, bool is_node)
{
    struct dot_values values = dot->edge_values;

    if (dot->lexer.token == '[' && is_node)
        return read_node_attributes(dot, ends);
    while (accept(dot, ORR_DOT_ARROW)) {
        if (!read_end(dot))
            return false;
    }
    values.has_bytes = false;
    return read_attributes(dot, OF_EDGE, ends, &values) &&
           add_edges(dot, ends, &values);
}

/* Reads "name = value" of the graph, or a statement that begins with a node. */
static bool read_named(struct dot *dot, guint ends)
{
    struct dot_end end = {.begin = dot->nodes->len};
    g_autoptr(GString) name =
        g_string_new_len(dot->lexer.text->str, (gssize)dot->lexer.text->len);

    orr_dot_next(&dot->lexer);
    if (accept(dot, '='))
        return expect(dot, ORR_DOT_ID);
    if (dot->lexer.token == ORR_DOT_ERROR ||
        !add_node(dot, name->str, name->len) || !read_port(dot))
        return false;
    end.end = dot->nodes->len;
    g_array_append_val(dot->ends, end);
    return read_chain(dot, ends, true);
}

static bool read_statement(struct dot *dot)
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

static bool read_statements(struct dot *dot)
{
    while (dot->lexer.token != '}') {
        if (!accept(dot, ';') && !read_statement(dot))
            return false;
    }
    return true;
}

static bool fail_graph(struct dot *dot, const char *message)
{
    return orr_dag_fail(dot->builder, dot->builder->line, ORR_ERROR_VALUE,
                        &dot->lexer.error, "%s", message);
}

static bool read_graph(struct dot *dot)
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
    struct dot dot;

    (void)settings;
    dot_init(&dot, builder, input);
    if (read_graph(&dot) && dot_finish(&dot))
        dag = orr_dag_builder_finish(builder, error);
    else
        g_propagate_error(error, g_steal_pointer(&dot.lexer.error));
    dot_clear(&dot);
    orr_dag_builder_free(builder);
    return dag;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_DOT_PRIVATE_H
#define ORR_DAG_DOT_PRIVATE_H

#include "models/dagfile/dag_dot_lex.h"

/* Shared by dag_dot.c, which knows the grammar of DOT, and dag_dot_graph.c,
 * which knows what nodes, edges and their attributes mean. */

/* What attributes say of a node, or of an edge. */
struct orr_dot_values {
    struct orr_dag_task task; /* flops, duration, priority and marks of it */
    uint32_t kernel;          /* index; ORR_DAG_NONE: not said */
    uint32_t category;        /* the same */
    bool synchronises;        /* the kernel is said to be "" */
    uint64_t bytes;           /* of an edge; 0: only a dependency */
    bool has_bytes;           /* they are said, be it 0 */
};

enum orr_dot_kind { ORR_DOT_OF_NODE, ORR_DOT_OF_EDGE, ORR_DOT_OF_GRAPH };

/* Nodes that an edge begins or ends with: a range in orr_dot.nodes. */
struct orr_dot_end {
    guint begin, end;
};

struct orr_dot {
    struct orr_dot_lexer lexer;
    struct orr_dag_builder *builder;
    bool strict; /* nodes have at most one edge from one to the other */
    unsigned depth;
    struct orr_dot_values node_values; /* of nodes that are to come */
    struct orr_dot_values edge_values;
    GArray *values;       /* struct orr_dot_values, by task */
    GArray *nodes;        /* uint32_t: those of the statements that are open */
    GArray *ends;         /* struct orr_dot_end: the same */
    GArray *left, *right; /* uint32_t: nodes, without repetitions */
    uint32_t *marks;      /* by task: the last search that saw it */
    size_t mark_count;
    uint32_t search;
    uint64_t group_edges; /* so far, of groups of nodes */
    GArray *edges;        /* of a strict graph: struct orr_dot_edge */
};

struct orr_dot_edge {
    uint32_t before, after;
    uint32_t number; /* in the file */
    bool has_bytes;
    uint64_t bytes;
};

void orr_dot_init(struct orr_dot *dot, struct orr_dag_builder *builder,
                  struct orr_input *input);
void orr_dot_clear(struct orr_dot *dot);

/* Return false with dot->lexer.error. */

/* Adds a mention of the node, which it makes if need be. */
bool orr_dot_add_node(struct orr_dot *dot, const char *name, size_t length);

/* Sets what the attribute @name says to @text, in @values. @ends: where the
 * nodes or edges begin in dot->ends, for messages; or dot->ends->len. */
bool orr_dot_set(struct orr_dot *dot, enum orr_dot_kind kind, const char *name,
                 const char *text, guint ends, struct orr_dot_values *values);

/* Adds edges from end to end, from the one at @ends in dot->ends on. */
bool orr_dot_add_edges(struct orr_dot *dot, guint ends,
                       const struct orr_dot_values *values);

/* After the last statement. */
bool orr_dot_finish(struct orr_dot *dot);

#endif

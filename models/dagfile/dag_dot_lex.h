/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_DOT_LEX_H
#define ORR_DAG_DOT_LEX_H

#include "models/base/input.h"
#include "models/dag/dag_builder.h"

/*
 * Cuts a file in DOT into tokens, as the language of Graphviz says: names,
 * numbers, texts in quotation marks (joined by +, or in HTML), comments of C
 * and C++ and lines that begin with #. The file is read piece by piece.
 *
 * A token is one of these, or a character: { } [ ] = ; , :
 */
enum orr_dot_token {
    ORR_DOT_END = 256, /* of the file */
    ORR_DOT_ERROR,     /* orr_dot_lexer.error says which */
    ORR_DOT_ID,        /* a name, a number or a text */
    ORR_DOT_ARROW,     /* -> */
    ORR_DOT_LINE,      /* -- */
    ORR_DOT_STRICT,    /* keywords, in large or small letters */
    ORR_DOT_GRAPH,
    ORR_DOT_DIGRAPH,
    ORR_DOT_NODE,
    ORR_DOT_EDGE,
    ORR_DOT_SUBGRAPH,
};

struct orr_dot_lexer {
    struct orr_dag_builder *builder; /* its line is the line of the token */
    struct orr_input *input;
    GError *error;
    int token;     /* the current one */
    GString *text; /* of the current token; without its quotation marks */

    unsigned line; /* of the next byte */
    bool line_begins;
    char *piece;
    size_t next, end; /* of the unread rest of the piece */
};

/* Borrows both; orr_dot_lexer_clear() frees the rest. */
void orr_dot_lexer_init(struct orr_dot_lexer *lexer,
                        struct orr_dag_builder *builder,
                        struct orr_input *input);
void orr_dot_lexer_clear(struct orr_dot_lexer *lexer);

/* Goes to the next token, and returns it. */
int orr_dot_next(struct orr_dot_lexer *lexer);

/* Sets lexer->error, if there is none yet, to the line and the text of the
 * current token. Returns false. */
bool orr_dot_fail_syntax(struct orr_dot_lexer *lexer);

#endif

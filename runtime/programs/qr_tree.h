/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_QR_TREE_H
#define ORR_QR_TREE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Elimination lists of tiled QR factorisations: which row of tiles kills which
 * one, in which order, in each panel. Passive: neither tasks nor data.
 *
 * A kill combines the triangle of row @pivot with row @row, which becomes zero.
 * If it is of kind TS, row @row is a full tile; of kind TT, it is a triangle,
 * so a kernel of its own (geqrt) comes before. All pivots are triangles.
 *
 *   H. Bouwmeester, M. Jacquelin, J. Langou, Y. Robert: Tiled QR factorization
 *   algorithms. SC'11: all trees; greedy is its algorithm with TT kernels.
 *   J. Dongarra, M. Faverge, T. Herault, M. Jacquelin, J. Langou, Y. Robert:
 *   Hierarchical QR factorization algorithms for multi-core clusters. Parallel
 *   Computing 39, 2013: trees of trees.
 *   J. J. Modi, M. R. B. Clarke: An alternative Givens ordering. Numerische
 *   Mathematik 43, 1984: Fibonacci of order 1.
 */
enum orr_qr_tree {
    ORR_QR_FLAT,      /* the diagonal row kills all others, from the top */
    ORR_QR_BINARY,    /* rows at distance 1, 2, 4, ... */
    ORR_QR_GREEDY,    /* as many as possible at each step, from the bottom */
    ORR_QR_FIBONACCI, /* groups of 1, 2, 3, ... rows, from the bottom */
    ORR_QR_PLASMA,    /* flat in domains of rows, binary between domains */
};

struct orr_qr_kill {
    unsigned row;
    unsigned pivot; /* < row */
    bool triangles; /* kind TT; otherwise TS */
};

/* A factorisation of @rows x @columns tiles. */
struct orr_qr_plan {
    unsigned rows, columns;
    enum orr_qr_tree tree;
    unsigned domain; /* rows of a domain of the tree plasma */
    bool triangles; /* all kills are of kind TT; otherwise the kills of the flat
                       tree, and inside a domain of plasma, are of kind TS */
};

/* Whether @tree needs kills of kind TT only. */
bool orr_qr_needs_triangles(enum orr_qr_tree tree);

/* Panels to factor: the smaller of rows and columns. */
unsigned orr_qr_panels(const struct orr_qr_plan *plan);

/* The kills of all panels: an array of them, of GArray of struct orr_qr_kill,
 * each in an order that can be executed. Free with g_ptr_array_unref(). */
GPtrArray *orr_qr_kills(const struct orr_qr_plan *plan);

/* Whether row @row becomes a triangle by itself in panel @panel (geqrt). */
bool orr_qr_is_head(const struct orr_qr_plan *plan, unsigned panel,
                    unsigned row);

/* The number of tasks, panels and updates; exact below 2^53. */
double orr_qr_tasks(const struct orr_qr_plan *plan);

#endif

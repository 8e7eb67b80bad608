/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ROWS_PRIVATE_H
#define ORR_ROWS_PRIVATE_H

#include "apps/chart/rows.h"

/* A kind of table: how to read it. */
struct orr_rows_kind {
    bool (*select)(struct orr_rows *rows, GError **error);
    /* Sets rows->fields, or rows->ended. */
    bool (*next)(struct orr_rows *rows, GError **error);
    void (*close)(struct orr_rows *rows);
};

struct orr_rows {
    const struct orr_rows_kind *kind;
    char *path;          /* for messages */
    unsigned line;       /* of the last row; 0: files of this kind have none */
    GPtrArray *names;    /* char *, of the columns, NULL-terminated; owned */
    guint *columns;      /* those that are selected */
    guint count;         /* of them */
    const char **fields; /* [count] */
    bool ended;
    void *state; /* of the kind; owned */
};

/* Take the file that is open at the beginning, or fail. Set kind, names and
 * state. */
bool orr_rows_open_csv(struct orr_rows *rows, const char *path, GError **error);
bool orr_rows_open_db(struct orr_rows *rows, const char *path, GError **error);

#endif

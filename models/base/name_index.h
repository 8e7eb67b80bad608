/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NAME_INDEX_H
#define ORR_NAME_INDEX_H

#include <glib.h>

/* Names, numbered from 0 in the order in which they are added. */
struct orr_name_index {
    GPtrArray *names;   /* char *, by number; owned */
    GHashTable *number; /* number plus 1, by name */
};

void orr_name_index_init(struct orr_name_index *index);
void orr_name_index_clear(struct orr_name_index *index);

/* Returns the number of @name, which is added if it is not there. */
guint orr_name_index_add(struct orr_name_index *index, const char *name);

/* Returns the number of @name; G_MAXUINT if it is not there. */
guint orr_name_index_find(const struct orr_name_index *index, const char *name);

static inline const char *orr_name_index_at(const struct orr_name_index *index,
                                            guint number)
{
    return index->names->pdata[number];
}

static inline guint orr_name_index_count(const struct orr_name_index *index)
{
    return index->names->len;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/name_index.h"

void orr_name_index_init(struct orr_name_index *index)
{
    index->names = g_ptr_array_new_with_free_func(g_free);
    index->number = g_hash_table_new(g_str_hash, g_str_equal);
}

void orr_name_index_clear(struct orr_name_index *index)
{
    g_hash_table_unref(index->number);
    g_ptr_array_unref(index->names);
}

guint orr_name_index_find(const struct orr_name_index *index, const char *name)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(index->number, name)) - 1;
}

guint orr_name_index_add(struct orr_name_index *index, const char *name)
{
    guint number = orr_name_index_find(index, name);
    char *copy;

    if (number != G_MAXUINT)
        return number;
    copy = g_strdup(name);
    g_ptr_array_add(index->names, copy);
    g_hash_table_insert(index->number, copy,
                        GUINT_TO_POINTER(index->names->len));
    return index->names->len - 1;
}

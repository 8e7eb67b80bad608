/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/task/submitted.h"

#include <glib.h>

static GHashTable *submitted; /* struct starpu_task by number; NULL: none yet */

void sp_submitted_add(uint64_t number, struct starpu_task *task)
{
    if (!submitted)
        submitted = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(submitted, GSIZE_TO_POINTER(number), task);
}

struct starpu_task *sp_submitted_take(uint64_t number)
{
    gpointer task = NULL;

    if (submitted)
        g_hash_table_steal_extended(submitted, GSIZE_TO_POINTER(number), NULL,
                                    &task);
    return task;
}

void sp_submitted_end(void (*forget)(void *number, void *task, void *unused))
{
    if (submitted)
        g_hash_table_foreach(submitted, forget, NULL);
    g_clear_pointer(&submitted, g_hash_table_unref);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/kernel_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "apps/picture/plot_commands.h"

#define OTHER_COLOUR "#707070"

/* Number of kernels with their own colour: the ones with the longest total
 * time. */
enum { OWN_COLOURS = 8 };

/* A kernel, in all runs. */
struct kernel {
    const char *name;
    double time_s;
    unsigned kind;
};

void orr_kernel_kinds_init(struct orr_kernel_kinds *kinds)
{
    *kinds = (struct orr_kernel_kinds){
        .kernels = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
        .kinds = g_array_new(FALSE, FALSE, sizeof(struct orr_gantt_kind)),
    };
}

void orr_kernel_kinds_clear(struct orr_kernel_kinds *kinds)
{
    g_array_unref(kinds->kinds);
    g_hash_table_unref(kinds->kernels);
}

void orr_kernel_kinds_measure(struct orr_kernel_kinds *kinds,
                              const char *kernel, double time_s)
{
    struct kernel *found = g_hash_table_lookup(kinds->kernels, kernel);

    if (!found) {
        found = g_new0(struct kernel, 1);
        found->name = kernel;
        g_hash_table_insert(kinds->kernels, (gpointer)kernel, found);
    }
    found->time_s += time_s;
}

static int compare_times(gconstpointer a, gconstpointer b)
{
    const struct kernel *left = *(const struct kernel *const *)a;
    const struct kernel *right = *(const struct kernel *const *)b;

    if (left->time_s > right->time_s)
        return -1;
    return left->time_s < right->time_s ? 1 : strcmp(left->name, right->name);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    const struct kernel *left = *(const struct kernel *const *)a;
    const struct kernel *right = *(const struct kernel *const *)b;

    return strcmp(left->name, right->name);
}

unsigned orr_kernel_kinds_add(struct orr_kernel_kinds *kinds, const char *name,
                              const char *colour)
{
    const struct orr_gantt_kind kind = {name, colour};

    g_array_append_val(kinds->kinds, kind);
    return kinds->kinds->len - 1;
}

void orr_kernel_kinds_choose(struct orr_kernel_kinds *kinds)
{
    g_autoptr(GPtrArray) kernels = g_ptr_array_new();
    guint own = MIN(g_hash_table_size(kinds->kernels), OWN_COLOURS);
    GHashTableIter iter;
    gpointer kernel_at;
    unsigned other;

    g_hash_table_iter_init(&iter, kinds->kernels);
    while (g_hash_table_iter_next(&iter, NULL, &kernel_at))
        g_ptr_array_add(kernels, kernel_at);
    g_ptr_array_sort(kernels, compare_times);
    if (own > 0)
        qsort(kernels->pdata, own, sizeof(kernels->pdata[0]), compare_names);
    for (guint i = 0; i < own; i++) {
        struct kernel *kernel = kernels->pdata[i];

        kernel->kind =
            orr_kernel_kinds_add(kinds, kernel->name, orr_look(i).colour);
    }
    if (own == kernels->len)
        return;
    other = orr_kernel_kinds_add(kinds, "other kernels", OTHER_COLOUR);
    for (guint i = own; i < kernels->len; i++)
        ((struct kernel *)kernels->pdata[i])->kind = other;
}

unsigned orr_kernel_kinds_of(const struct orr_kernel_kinds *kinds,
                             const char *kernel)
{
    const struct kernel *found = g_hash_table_lookup(kinds->kernels, kernel);

    return found->kind;
}

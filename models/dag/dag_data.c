/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of data in a builder. */
#include <stdlib.h>

#include "models/dag/dag_builder.h"

struct place {
    uint32_t key;
    uint32_t datum;
};

static int compare(const void *a, const void *b)
{
    const struct place *left = a;
    const struct place *right = b;

    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return (left->datum > right->datum) - (left->datum < right->datum);
}

void orr_dag_builder_sort_data(struct orr_dag_builder *builder,
                               const uint32_t *keys)
{
    uint32_t count = builder->data->len;
    struct place *places = g_new(struct place, count + (size_t)1);
    uint32_t *numbers = g_new(uint32_t, count + (size_t)1); /* the new ones */
    GArray *data =
        g_array_sized_new(FALSE, FALSE, sizeof(struct orr_dag_datum), count);

    for (uint32_t i = 0; i < count; i++)
        places[i] = (struct place){keys[i], i};
    qsort(places, count, sizeof *places, compare);
    for (uint32_t i = 0; i < count; i++) {
        numbers[places[i].datum] = i;
        g_array_append_val(data,
                           g_array_index(builder->data, struct orr_dag_datum,
                                         places[i].datum));
    }
    g_array_unref(builder->data);
    builder->data = data;
    for (guint i = 0; i < builder->accesses->len; i++) {
        uint32_t *datum =
            &g_array_index(builder->accesses, struct orr_dag_pending_access, i)
                 .datum;

        *datum = numbers[*datum];
    }
    for (guint i = 0; i < builder->hints->len; i++) {
        uint32_t *datum =
            &g_array_index(builder->hints, struct orr_dag_pending_hint, i)
                 .datum;

        *datum = numbers[*datum];
    }
    g_free(places);
    g_free(numbers);
}

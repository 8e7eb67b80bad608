/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KEYS_H
#define ORR_KEYS_H

#include <stdbool.h>

#include "models/base/name_index.h"

/*
 * The distinct values of a setting in a table, such as sizes or policies:
 * numbered from 0 in the order of rows, and sorted at the end.
 */
struct orr_keys {
    struct orr_name_index texts;
    guint last;     /* number of the text added last */
    GArray *places; /* guint, [number]: place in the order */
    guint *numbers; /* [place]: the number of its text */
    double *values; /* [place]: the value as a number; NULL: values are texts */
};

void orr_keys_init(struct orr_keys *keys);
void orr_keys_clear(struct orr_keys *keys);

/* Returns the number of @text. */
guint orr_keys_add(struct orr_keys *keys, const char *text);

/*
 * Sorts the keys. Numbers without a unit ("4.5"), or all with the same unit
 * ("0.25x", "1x"), are sorted by value; others keep the order of rows. Sets
 * keys->places, keys->numbers and, of numbers without a unit, keys->values.
 */
void orr_keys_sort(struct orr_keys *keys);

static inline guint orr_keys_count(const struct orr_keys *keys)
{
    return orr_name_index_count(&keys->texts);
}

/* Returns the text at @place in the order. */
const char *orr_keys_at(const struct orr_keys *keys, guint place);

static inline guint orr_keys_place(const struct orr_keys *keys, guint number)
{
    return g_array_index(keys->places, guint, number);
}

#endif

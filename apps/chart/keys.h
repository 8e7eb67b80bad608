/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KEYS_H
#define ORR_KEYS_H

#include <stdbool.h>

#include "models/base/name_index.h"

/*
 * The values of a setting that rows have in common, such as the sizes or the
 * policies: numbered from 0 as they come, and put in order at the end.
 */
struct orr_keys {
    struct orr_name_index texts;
    guint last;     /* number of the text that came last */
    GArray *places; /* guint, [number]: place in the order */
    guint *numbers; /* [place]: the number of its text */
    double *values; /* [place]: the number that it is; NULL: it is a text */
};

void orr_keys_init(struct orr_keys *keys);
void orr_keys_clear(struct orr_keys *keys);

/* Returns the number of @text. */
guint orr_keys_add(struct orr_keys *keys, const char *text);

/*
 * Puts the keys in order: numbers, such as 4.5, or all with the same unit, such
 * as "0.25x", "1x", by value; others as they came. Sets keys->places,
 * keys->numbers and, of numbers without a unit, keys->values.
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

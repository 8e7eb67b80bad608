/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/chart/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void orr_keys_init(struct orr_keys *keys)
{
    *keys =
        (struct orr_keys){.places = g_array_new(FALSE, TRUE, sizeof(guint))};
    orr_name_index_init(&keys->texts);
}

void orr_keys_clear(struct orr_keys *keys)
{
    orr_name_index_clear(&keys->texts);
    g_array_unref(keys->places);
    g_free(keys->numbers);
    g_free(keys->values);
}

guint orr_keys_add(struct orr_keys *keys, const char *text)
{
    /* Consecutive rows often have the same text. */
    if (orr_keys_count(keys) == 0 ||
        strcmp(orr_name_index_at(&keys->texts, keys->last), text) != 0)
        keys->last = orr_name_index_add(&keys->texts, text);
    return keys->last;
}

/* A key to be sorted. */
struct entry {
    double value;
    guint number;
};

static int compare(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;

    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

/* Sets the values of @entries. Returns whether all texts are numbers; sets
 * *@unit to their common unit. */
static bool read_values(const struct orr_keys *keys, struct entry *entries,
                        const char **unit)
{
    for (guint i = 0; i < orr_keys_count(keys); i++) {
        const char *text = orr_name_index_at(&keys->texts, i);
        char *end;

        entries[i].value = g_ascii_strtod(text, &end);
        if (i == 0)
            *unit = end;
        if (end == text || !isfinite(entries[i].value) ||
            strcmp(end, *unit) != 0)
            return false;
    }
    return true;
}

void orr_keys_sort(struct orr_keys *keys)
{
    guint count = orr_keys_count(keys);
    struct entry *entries = g_new0(struct entry, count + 1);
    const char *unit = "";
    bool numbers = read_values(keys, entries, &unit);

    g_array_set_size(keys->places, count);
    keys->numbers = g_new(guint, count + 1);
    if (numbers && *unit == '\0')
        keys->values = g_new(double, count + 1);
    for (guint i = 0; i < count; i++)
        entries[i].number = i;
    if (numbers)
        qsort(entries, count, sizeof(*entries), compare);
    for (guint i = 0; i < count; i++) {
        keys->numbers[i] = entries[i].number;
        g_array_index(keys->places, guint, entries[i].number) = i;
        if (keys->values)
            keys->values[i] = entries[i].value;
    }
    g_free(entries);
}

const char *orr_keys_at(const struct orr_keys *keys, guint place)
{
    return orr_name_index_at(&keys->texts, keys->numbers[place]);
}

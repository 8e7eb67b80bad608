/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KEY_H
#define ORR_KEY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A setting that a campaign varies, and its values in the order given. They are
 * a list of items with "," or ";" between them. An item is one value, or a
 * range FROM:TO or FROM:TO:STEP of decimal numbers with the same unit: 1:8,
 * 960:80640:960, 0.25x:2x:0.25x. TO need not be reached; STEP is 1 unless it is
 * given. Ranges are kept as such: they may be long. Numbers in ranges are
 * exact, not floating point: 0:0.3:0.1 ends with 0.3.
 *
 * Text in quotation marks, '...' or "...", is one value: "5:20" is no range,
 * and "a,b" no list.
 */

enum orr_column_type { ORR_COLUMN_INTEGER, ORR_COLUMN_REAL, ORR_COLUMN_TEXT };

struct orr_key {
    char *name;    /* name of the setting; owned */
    GArray *items; /* struct orr_key_item */
    uint64_t
        count; /* number of values, at least 1; UINT64_MAX: that many or more */
    enum orr_column_type type; /* the narrowest type that holds all values */
};

/* Parses "NAME=LIST". Returns NULL with ORR_ERROR_VALUE. Free with
 * orr_key_free(), which allows NULL. */
struct orr_key *orr_key_parse(const char *text, GError **error);
void orr_key_free(struct orr_key *key);

/* Returns value @i, which is below key->count. Free with g_free(). */
char *orr_key_value(const struct orr_key *key, uint64_t i);

/* Returns the list as text, each range with its step; orr_key_parse() would
 * make an equal key. Free with g_free(). */
char *orr_key_format(const struct orr_key *key);

/*
 * Splits @text into a decimal number and a unit, "0.25" and "x": it is *@number
 * / 10^*@decimals, of at most 18 digits. Sets *@unit to the rest, borrowed:
 * letters, "/" and "%", or "". Returns false if @text is anything else.
 */
bool orr_key_number(const char *text, int64_t *number, unsigned *decimals,
                    const char **unit);

#endif

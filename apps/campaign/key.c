/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses lists of values and ranges. Numbers of a range are integers with a
 * common count of decimals, so that values are exact; value i is computed on
 * demand, as a range may be long.
 */
#include "apps/campaign/key.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

enum { MOST_DIGITS = 18 };

/* Characters that separate the items of a list. */
#define SEPARATORS ",;"

/* One value, or a range of numbers. */
struct orr_key_item {
    char *text;         /* the value; NULL: a range; owned */
    char *unit;         /* unit of all numbers of the range; owned */
    int64_t from, step; /* numbers times 10^decimals */
    unsigned decimals;
    uint64_t count; /* number of values */
};

bool orr_key_number(const char *text, int64_t *number, unsigned *decimals,
                    const char **unit)
{
    bool negative = *text == '-';
    bool point = false;
    unsigned digits = 0;

    *number = 0;
    *decimals = 0;
    text += negative;
    for (; g_ascii_isdigit(*text) ||
           (*text == '.' && !point && digits > 0 && g_ascii_isdigit(text[1]));
         text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if (++digits > MOST_DIGITS)
            return false;
        *number = *number * 10 + (*text - '0');
        *decimals += point;
    }
    if (negative)
        *number = -*number;
    *unit = text;
    while (g_ascii_isalpha(*text) || *text == '/' || *text == '%')
        text++;
    return digits > 0 && *text == '\0';
}

static bool refuse(const char *text, const char *why, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s %s", quoted, why);
    return false;
}

/* Gives *@number @more decimals. */
static bool scale(int64_t *number, unsigned more)
{
    for (; more > 0; more--) {
        if (__builtin_mul_overflow(*number, 10, number))
            return false;
    }
    return true;
}

/* Counts the values of the range @item, which ends at @to. */
static bool count_values(struct orr_key_item *item, int64_t to,
                         const char *text, GError **error)
{
    int64_t length;

    if (item->step <= 0)
        return refuse(text, "has a step that is not above 0", error);
    if (to < item->from)
        return refuse(text, "is an empty range: it ends before it begins",
                      error);
    if (__builtin_sub_overflow(to, item->from, &length))
        return refuse(text, "is too long", error);
    item->count = (uint64_t)(length / item->step) + 1;
    return true;
}

/* Makes a range of the texts "FROM", "TO" and "STEP"; without STEP, @parts ends
 * after TO. */
static bool parse_range(struct orr_key_item *item, char *const *parts,
                        const char *text, GError **error)
{
    int64_t numbers[3] = {0, 0, 1};
    unsigned decimals[3] = {0, 0, 0};
    const char *units[3] = {"", "", ""};

    for (unsigned i = 0; parts[i]; i++) {
        if (!orr_key_number(parts[i], &numbers[i], &decimals[i], &units[i]))
            return refuse(text, "is not a range FROM:TO or FROM:TO:STEP",
                          error);
        if (strcmp(units[i], units[0]) != 0)
            return refuse(text, "mixes units in a range", error);
        item->decimals = MAX(item->decimals, decimals[i]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (!scale(&numbers[i], item->decimals - decimals[i]))
            return refuse(text, "has too many digits", error);
    }
    item->unit = g_strdup(units[0]);
    item->from = numbers[0];
    item->step = numbers[2];
    return count_values(item, numbers[1], text, error);
}

/* Whether @parts, which colons separated, are a range: the first is a number.
 * "starpu:DIR:HOST" is one value. */
static bool is_range(char *const *parts)
{
    unsigned count = g_strv_length((char **)parts);
    const char *unit;
    unsigned decimals;
    int64_t number;

    return (count == 2 || count == 3) &&
           orr_key_number(parts[0], &number, &decimals, &unit);
}

/* Makes an item of @text, which stood in quotation marks if @quoted. */
static bool parse_item(struct orr_key_item *item, const char *text, bool quoted,
                       GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);

    if (*text == '\0') {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "a value is empty");
        return false;
    }
    if (!quoted && is_range(parts))
        return parse_range(item, parts, text, error);
    item->text = g_strdup(text);
    item->count = 1;
    return true;
}

static const char *skip_blanks(const char *text)
{
    while (g_ascii_isspace(*text))
        text++;
    return text;
}

/*
 * Reads the item at *@next and moves *@next behind it: to a separator or the
 * end. Removes quotation marks around the item, and sets *@quoted if there were
 * some. NULL with @error. Free with g_free().
 */
static char *take_item(const char **next, bool *quoted, GError **error)
{
    const char *start = skip_blanks(*next);
    const char *end;

    *quoted = *start == '"' || *start == '\'';
    if (!*quoted) {
        *next = start + strcspn(start, SEPARATORS);
        return g_strchomp(g_strndup(start, (gsize)(*next - start)));
    }
    end = strchr(start + 1, *start);
    if (end) {
        *next = skip_blanks(end + 1);
        if (**next == '\0' || strchr(SEPARATORS, **next))
            return g_strndup(start + 1, (gsize)(end - start - 1));
    }
    refuse(start,
           end ? "continues after a quotation mark" : "lacks a quotation mark",
           error);
    return NULL;
}

static void clear_item(gpointer data)
{
    struct orr_key_item *item = data;

    g_free(item->text);
    g_free(item->unit);
}

/* The type of a column for @text, exactly as written. */
static enum orr_column_type type_of(const char *text)
{
    unsigned decimals;
    const char *unit;
    int64_t number;
    bool zeros = text[*text == '-'] == '0' && text[1 + (*text == '-')] &&
                 text[1 + (*text == '-')] != '.';

    if (!orr_key_number(text, &number, &decimals, &unit) || *unit || zeros)
        return ORR_COLUMN_TEXT;
    return decimals > 0 ? ORR_COLUMN_REAL : ORR_COLUMN_INTEGER;
}

static enum orr_column_type type_of_item(const struct orr_key_item *item)
{
    if (item->text)
        return type_of(item->text);
    if (item->unit && *item->unit)
        return ORR_COLUMN_TEXT;
    return item->decimals > 0 ? ORR_COLUMN_REAL : ORR_COLUMN_INTEGER;
}

/* Adds the item @text. */
static bool add_item(struct orr_key *key, const char *text, bool quoted,
                     GError **error)
{
    struct orr_key_item item = {0};
    bool good = parse_item(&item, text, quoted, error);

    g_array_append_val(key->items, item);
    if (!good)
        return false;
    if (__builtin_add_overflow(key->count, item.count, &key->count))
        key->count = UINT64_MAX;
    key->type = MAX(key->type, type_of_item(&item));
    return true;
}

/* Adds the items of @list. */
static bool parse_list(struct orr_key *key, const char *list, GError **error)
{
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    bool more = true;

    if (*list == '\0')
        return refuse(key->name, "has no values", error);
    while (more) {
        bool quoted;
        char *text = take_item(&list, &quoted, error);

        if (!text)
            return false;
        if (!g_hash_table_add(seen, text))
            return refuse(text, "is there twice", error);
        if (!add_item(key, text, quoted, error))
            return false;
        more = *list++ != '\0';
    }
    return true;
}

struct orr_key *orr_key_parse(const char *text, GError **error)
{
    const char *list = strchr(text, '=');
    struct orr_key *key;

    if (!list || list == text) {
        refuse(text, "is not KEY=LIST, such as gpus=1:4", error);
        return NULL;
    }
    key = g_new0(struct orr_key, 1);
    key->name = g_strndup(text, (gsize)(list - text));
    g_strstrip(key->name);
    key->items = g_array_new(FALSE, FALSE, sizeof(struct orr_key_item));
    g_array_set_clear_func(key->items, clear_item);
    if (parse_list(key, list + 1, error))
        return key;
    g_prefix_error(error, "%s: ", key->name);
    orr_key_free(key);
    return NULL;
}

void orr_key_free(struct orr_key *key)
{
    if (!key)
        return;
    g_array_unref(key->items);
    g_free(key->name);
    g_free(key);
}

/* Returns @number / 10^decimals, followed by the unit, as text. */
static char *format_number(int64_t number, unsigned decimals, const char *unit)
{
    uint64_t magnitude = number < 0 ? -(uint64_t)number : (uint64_t)number;
    uint64_t power = 1;

    for (unsigned i = 0; i < decimals; i++)
        power *= 10;
    if (decimals == 0)
        return g_strdup_printf("%s%" G_GUINT64_FORMAT "%s",
                               number < 0 ? "-" : "", magnitude, unit);
    return g_strdup_printf("%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT "%s",
                           number < 0 ? "-" : "", magnitude / power,
                           (int)decimals, magnitude % power, unit);
}

/* As format_number(), without zeros at the end of the decimals. */
static char *format_value(const struct orr_key_item *item, uint64_t i)
{
    int64_t number = item->from + (int64_t)i * item->step;
    unsigned decimals = item->decimals;

    for (; decimals > 0 && number % 10 == 0; decimals--)
        number /= 10;
    return format_number(number, decimals, item->unit);
}

char *orr_key_value(const struct orr_key *key, uint64_t i)
{
    guint place = 0;
    const struct orr_key_item *item;

    g_assert(i < key->count);
    for (;; place++) {
        item = &g_array_index(key->items, struct orr_key_item, place);
        if (i < item->count)
            break;
        i -= item->count;
    }
    return item->text ? g_strdup(item->text) : format_value(item, i);
}

/* Returns @text quoted, if needed, so that it is one item of a list. */
static char *format_text(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    size_t length = strlen(text);
    char mark = strchr(text, '"') ? '\'' : '"';

    if (!is_range(parts) && !strpbrk(text, SEPARATORS) &&
        !strchr("\"'", *text) && !g_ascii_isspace(*text) &&
        !g_ascii_isspace(text[length - 1]))
        return g_strdup(text);
    return g_strdup_printf("%c%s%c", mark, text, mark);
}

static char *format_item(const struct orr_key_item *item)
{
    g_autofree char *from = NULL, *to = NULL, *step = NULL;

    if (item->text)
        return format_text(item->text);
    from = format_value(item, 0);
    to = format_value(item, item->count - 1);
    step = format_number(item->step, item->decimals, item->unit);
    return g_strdup_printf("%s:%s:%s", from, to, step);
}

char *orr_key_format(const struct orr_key *key)
{
    GString *list = g_string_new(NULL);

    for (guint i = 0; i < key->items->len; i++) {
        g_autofree char *text =
            format_item(&g_array_index(key->items, struct orr_key_item, i));

        g_string_append_printf(list, "%s%s", i > 0 ? "," : "", text);
    }
    return g_string_free(list, FALSE);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A recursive descent parser with one function for each level of precedence:
 * or, and, not, comparison. A comparison is evaluated at once for all values of
 * its key and becomes a bit set, so a point is tested by looking up bits.
 */
#include "apps/campaign/where_filter.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"

enum {
    DEEPEST = 100,   /* nesting of an expression */
    LONGEST = 10000, /* bytes of its text */
};

/* Bytes of all comparisons together. */
#define MOST_BYTES ((uint64_t)256 << 20)

enum kind { OR, AND, NOT, COMPARISON };
enum operator{ EQUAL, UNEQUAL, BELOW, AT_MOST, ABOVE, AT_LEAST };

struct node {
    enum kind kind;
    struct node *left, *right; /* right: NULL for NOT; both for COMPARISON */
    unsigned key;              /* index of the key of a comparison */
    guint8 *holds;             /* a bit for each value of the key */
};

struct orr_where_filter {
    struct node *root;
};

struct parser {
    const char *text, *next;
    const GPtrArray *keys;
    unsigned depth;
    uint64_t bytes; /* bytes of all comparisons so far */
    GError **error;
};

static void free_node(struct node *node)
{
    if (!node)
        return;
    free_node(node->left);
    free_node(node->right);
    g_free(node->holds);
    g_free(node);
}

static struct node *fail(const struct parser *parser, const char *expected)
{
    g_autofree char *rest = orr_quote(parser->next);

    g_set_error(parser->error, ORR_ERROR, ORR_ERROR_VALUE, "expected %s%s%s",
                expected, *parser->next ? " before " : "",
                *parser->next ? rest : " at the end");
    return NULL;
}

static void skip_blanks(struct parser *parser)
{
    while (g_ascii_isspace(*parser->next))
        parser->next++;
}

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || (c & 0x80) || (c && strchr("_-.:/+%x*@", c));
}

/* Skips @word if it is the next word, and returns whether it was. */
static bool take(struct parser *parser, const char *word)
{
    size_t length = strlen(word);

    skip_blanks(parser);
    if (strncmp(parser->next, word, length) != 0 ||
        (g_ascii_isalpha(*word) && is_word(parser->next[length])))
        return false;
    parser->next += length;
    return true;
}

/* Returns the word or the quoted text that comes next, or NULL. Free with
 * g_free(). */
static char *take_word(struct parser *parser)
{
    const char *start, *end;

    skip_blanks(parser);
    start = parser->next;
    if (*start == '"' || *start == '\'') {
        end = strchr(start + 1, *start);
        if (!end)
            return NULL;
        parser->next = end + 1;
        return g_strndup(start + 1, (gsize)(end - start - 1));
    }
    for (end = start; is_word(*end); end++)
        ;
    parser->next = end;
    return end > start ? g_strndup(start, (gsize)(end - start)) : NULL;
}

static bool take_operator(struct parser *parser, enum operator* sign)
{
    static const struct {
        const char *text;
        enum operator sign;
    } signs[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"!=", UNEQUAL},
                 {"==", EQUAL},   {"=", EQUAL},     {"<", BELOW},
                 {">", ABOVE}};

    for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
        if (take(parser, signs[i].text)) {
            *sign = signs[i].sign;
            return true;
        }
    }
    return false;
}

static bool find_key(const struct parser *parser, const char *name,
                     unsigned *index)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < parser->keys->len; i++) {
        const struct orr_key *key = parser->keys->pdata[i];

        if (strcmp(key->name, name) == 0) {
            *index = i;
            return true;
        }
        g_ptr_array_add(names, key->name);
    }
    g_ptr_array_add(names, NULL);
    orr_names_fail("varied setting", (const char *const *)names->pdata, name,
                   parser->error);
    return false;
}

/* Numbers with decimals @a and @b, of at most 18 digits each. */
static int compare_numbers(int64_t x, unsigned a, int64_t y, unsigned b)
{
    __int128 left = x, right = y;

    for (; a < b; a++)
        left *= 10;
    for (; b < a; b++)
        right *= 10;
    return (left > right) - (left < right);
}

/* Compares @a and @b as numbers: sets *@order below 0, to 0 or above 0. Returns
 * false if they are not numbers of one unit. */
static bool compare(const char *a, const char *b, int *order)
{
    unsigned x_decimals, y_decimals;
    const char *x_unit, *y_unit;
    uint64_t x_bytes, y_bytes;
    int64_t x, y;

    if (orr_key_number(a, &x, &x_decimals, &x_unit) &&
        orr_key_number(b, &y, &y_decimals, &y_unit) &&
        strcmp(x_unit, y_unit) == 0)
        *order = compare_numbers(x, x_decimals, y, y_decimals);
    else if (orr_parse_bytes(a, &x_bytes, NULL) &&
             orr_parse_bytes(b, &y_bytes, NULL))
        *order = (x_bytes > y_bytes) - (x_bytes < y_bytes);
    else
        return false;
    return true;
}

static bool holds(enum operator sign, int order)
{
    switch (sign) {
    case EQUAL:
        return order == 0;
    case UNEQUAL:
        return order != 0;
    case BELOW:
        return order < 0;
    case AT_MOST:
        return order <= 0;
    case ABOVE:
        return order > 0;
    default:
        return order >= 0;
    }
}

/* Decides the comparison for each value of @key. */
static bool decide(struct parser *parser, struct node *node,
                   const struct orr_key *key, enum operator sign,
                   const char *value)
{
    g_autofree char *quoted = orr_quote(value);

    parser->bytes += key->count / 8 + 1;
    if (key->count / 8 > MOST_BYTES || parser->bytes > MOST_BYTES) {
        g_set_error(parser->error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s has too many values", key->name);
        return false;
    }
    node->holds = g_malloc0(key->count / 8 + 1);
    for (uint64_t i = 0; i < key->count; i++) {
        g_autofree char *own = orr_key_value(key, i);
        int order = strcmp(own, value) != 0;

        if (!compare(own, value, &order) && sign > UNEQUAL) {
            g_autofree char *shown = orr_quote(own);

            g_set_error(parser->error, ORR_ERROR, ORR_ERROR_VALUE,
                        "the values %s and %s of %s have no order", shown,
                        quoted, key->name);
            return false;
        }
        if (holds(sign, order))
            node->holds[i / 8] |= (guint8)(1 << i % 8);
    }
    return true;
}

static struct node *parse_comparison(struct parser *parser)
{
    g_autofree char *name = take_word(parser);
    g_autofree char *value = NULL;
    enum operator sign = EQUAL;
    struct node *node;

    if (!name)
        return fail(parser, "the name of a varied setting");
    node = g_new0(struct node, 1);
    node->kind = COMPARISON;
    if (!find_key(parser, name, &node->key)) {
        /* find_key() has set the error. */
    } else if (!take_operator(parser, &sign)) {
        fail(parser, "one of = != < <= > >=");
    } else if (!(value = take_word(parser))) {
        fail(parser, "a value");
    } else if (decide(parser, node, parser->keys->pdata[node->key], sign,
                      value)) {
        return node;
    }
    free_node(node);
    return NULL;
}

static struct node *parse_or(struct parser *parser);

static struct node *parse_factor(struct parser *parser);

static struct node *parse_not(struct parser *parser)
{
    struct node *left = parse_factor(parser);
    struct node *node;

    if (!left)
        return NULL;
    node = g_new0(struct node, 1);
    node->kind = NOT;
    node->left = left;
    return node;
}

static struct node *parse_brackets(struct parser *parser)
{
    struct node *node = parse_or(parser);

    if (!node || take(parser, ")"))
        return node;
    free_node(node);
    return fail(parser, "')'");
}

static struct node *parse_factor(struct parser *parser)
{
    struct node *node;

    if (parser->depth >= DEEPEST)
        return fail(parser, "fewer brackets");
    parser->depth++;
    if (take(parser, "not"))
        node = parse_not(parser);
    else if (take(parser, "("))
        node = parse_brackets(parser);
    else
        node = parse_comparison(parser);
    parser->depth--;
    return node;
}

/* Parses operands by @operand with @word between them. */
static struct node *parse_chain(struct parser *parser, const char *word,
                                enum kind kind,
                                struct node *(*operand)(struct parser *))
{
    struct node *node = operand(parser);

    while (node && take(parser, word)) {
        struct node *both = g_new0(struct node, 1);

        both->kind = kind;
        both->left = node;
        both->right = operand(parser);
        node = both;
        if (!both->right)
            g_clear_pointer(&node, free_node);
    }
    return node;
}

static struct node *parse_and(struct parser *parser)
{
    return parse_chain(parser, "and", AND, parse_factor);
}

static struct node *parse_or(struct parser *parser)
{
    return parse_chain(parser, "or", OR, parse_and);
}

struct orr_where_filter *
orr_where_filter_new(const char *text, const GPtrArray *keys, GError **error)
{
    struct parser parser = {
        .text = text, .next = text, .keys = keys, .error = error};
    struct orr_where_filter *filter;
    struct node *root = NULL;

    if (strlen(text) > LONGEST)
        fail(&parser, "a shorter expression");
    else
        root = parse_or(&parser);
    skip_blanks(&parser);
    if (root && *parser.next) {
        g_clear_pointer(&root, free_node);
        fail(&parser, "'and' or 'or'");
    }
    if (!root)
        return NULL;
    filter = g_new0(struct orr_where_filter, 1);
    filter->root = root;
    return filter;
}

void orr_where_filter_free(struct orr_where_filter *filter)
{
    if (filter)
        free_node(filter->root);
    g_free(filter);
}

static bool evaluate(const struct node *node, const uint64_t *values)
{
    uint64_t value;

    switch (node->kind) {
    case OR:
        return evaluate(node->left, values) || evaluate(node->right, values);
    case AND:
        return evaluate(node->left, values) && evaluate(node->right, values);
    case NOT:
        return !evaluate(node->left, values);
    default:
        value = values[node->key];
        return node->holds[value / 8] >> value % 8 & 1;
    }
}

bool orr_where_filter_has(const struct orr_where_filter *filter,
                          const uint64_t *values)
{
    return evaluate(filter->root, values);
}

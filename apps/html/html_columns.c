/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/html/html_columns.h"

#include <gio/gio.h>
#include <string.h>

G_STATIC_ASSERT(sizeof(float) == 4);

void orr_html_columns_init(struct orr_html_columns *columns)
{
    columns->bytes = g_byte_array_new();
}

void orr_html_columns_clear(struct orr_html_columns *columns)
{
    g_byte_array_unref(columns->bytes);
}

/* Describes the next column, which begins at a multiple of 8 bytes, and
 * allocates it. Returns its address. */
static guint8 *begin(struct orr_html_columns *columns, JsonObject *table,
                     const char *name, const char *type, size_t count,
                     size_t width)
{
    static const guint8 zeros[8];
    JsonObject *column = json_object_new();
    guint at;

    g_byte_array_append(columns->bytes, zeros, -columns->bytes->len % 8);
    at = columns->bytes->len;
    json_object_set_string_member(column, "type", type);
    json_object_set_int_member(column, "at", at);
    json_object_set_int_member(column, "count", (gint64)count);
    json_object_set_object_member(table, name, column);
    g_byte_array_set_size(columns->bytes, (guint)(at + count * width));
    return columns->bytes->data + at;
}

static void put_u32(guint8 *to, uint32_t number)
{
    guint32 little = GUINT32_TO_LE(number);

    memcpy(to, &little, sizeof little);
}

void orr_html_add_u32(struct orr_html_columns *columns, JsonObject *table,
                      const char *name, const uint32_t *numbers, size_t count)
{
    guint8 *to = begin(columns, table, name, "u32", count, 4);

    for (size_t i = 0; i < count; i++)
        put_u32(to + 4 * i, numbers[i]);
}

void orr_html_add_i32(struct orr_html_columns *columns, JsonObject *table,
                      const char *name, const int32_t *numbers, size_t count)
{
    guint8 *to = begin(columns, table, name, "i32", count, 4);

    for (size_t i = 0; i < count; i++)
        put_u32(to + 4 * i, (uint32_t)numbers[i]);
}

void orr_html_add_u8(struct orr_html_columns *columns, JsonObject *table,
                     const char *name, const uint8_t *numbers, size_t count)
{
    guint8 *to = begin(columns, table, name, "u8", count, 1);

    if (count > 0)
        memcpy(to, numbers, count);
}

void orr_html_add_f32(struct orr_html_columns *columns, JsonObject *table,
                      const char *name, const float *numbers, size_t count)
{
    guint8 *to = begin(columns, table, name, "f32", count, 4);

    for (size_t i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, &numbers[i], sizeof bits);
        put_u32(to + 4 * i, bits);
    }
}

void orr_html_add_i64(struct orr_html_columns *columns, JsonObject *table,
                      const struct orr_html_i64 *column)
{
    const int64_t *numbers = column->numbers;
    guint8 *to = begin(columns, table, column->name, "i64", column->count, 8);
    JsonObject *about = json_object_get_object_member(table, column->name);

    if (column->of)
        json_object_set_string_member(about, "of", column->of);
    else
        json_object_set_boolean_member(about, "step", TRUE);
    for (size_t i = 0; i < column->count; i++) {
        int64_t before = i > 0 ? numbers[i - 1] : 0;
        int64_t base = column->of ? column->base[i] : before;
        gint64 little = GINT64_TO_LE(numbers[i] - base);

        memcpy(to + 8 * i, &little, sizeof little);
    }
}

static char *write_json(JsonObject *object)
{
    g_autoptr(JsonNode) node = json_node_alloc();

    json_node_init_object(node, object);
    return json_to_string(node, FALSE);
}

/* Appends @bytes, compressed, to @to. Writing to memory cannot fail. */
static void compress(GByteArray *to, const GByteArray *bytes)
{
    g_autoptr(GZlibCompressor) gzip =
        g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
    GConverterResult result = G_CONVERTER_CONVERTED;
    gsize done = 0;

    while (result != G_CONVERTER_FINISHED) {
        guint8 part[1 << 14];
        gsize taken, given;

        result = g_converter_convert(
            G_CONVERTER(gzip), bytes->data + done, bytes->len - done, part,
            sizeof part, G_CONVERTER_INPUT_AT_END, &taken, &given, NULL);
        g_assert(result != G_CONVERTER_ERROR);
        done += taken;
        g_byte_array_append(to, part, (guint)given);
    }
}

char *orr_html_columns_pack(const struct orr_html_columns *columns,
                            JsonObject *description)
{
    g_autoptr(GByteArray) whole = g_byte_array_new();
    g_autoptr(GByteArray) packed = g_byte_array_new();
    g_autofree char *json = write_json(description);
    guint8 length[4];

    put_u32(length, (uint32_t)strlen(json));
    g_byte_array_append(whole, length, sizeof length);
    g_byte_array_append(whole, (const guint8 *)json, (guint)strlen(json));
    g_byte_array_append(whole, columns->bytes->data, columns->bytes->len);
    compress(packed, whole);
    return g_base64_encode(packed->data, packed->len);
}

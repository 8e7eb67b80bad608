/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_file.h"

#include <errno.h>
#include <math.h>

#include "models/base/folder.h"

char **orr_trace_one_file(const char *path)
{
    char **files = g_new0(char *, 2);

    files[0] = g_strdup(path);
    return files;
}

char **orr_trace_one_folder(const char *path)
{
    g_autofree char *name = orr_new_folder_name(path);

    return orr_trace_one_file(name);
}

/* Compresses the @size bytes at @from into the draft; @flags may end the
 * stream. */
static void compress(struct orr_trace_file *file, const char *from, size_t size,
                     GConverterFlags flags)
{
    GConverterResult result = G_CONVERTER_CONVERTED;

    while (size > 0 ||
           (flags != G_CONVERTER_NO_FLAGS && result != G_CONVERTER_FINISHED)) {
        char to[1 << 14];
        gsize taken, given;

        result = g_converter_convert(file->gzip, from, size, to, sizeof(to),
                                     flags, &taken, &given, NULL);
        if (result == G_CONVERTER_ERROR) {
            file->draft.reason = file->draft.reason ? file->draft.reason : EIO;
            return;
        }
        fwrite(to, 1, given, file->draft.file);
        orr_draft_check(&file->draft);
        if (taken > 0) /* otherwise @from may be NULL */
            from += taken;
        size -= taken;
    }
}

static void send_bytes(struct orr_trace_file *file, const char *from,
                       size_t size)
{
    if (file->gzip) {
        compress(file, from, size, G_CONVERTER_NO_FLAGS);
        return;
    }
    fwrite(from, 1, size, file->draft.file);
    orr_draft_check(&file->draft);
}

/* Prepares a file whose draft is open. @level: compression level of zlib; 0:
 * stored, -1: the default. */
static void begin(struct orr_trace_file *file, const char *path, int level)
{
    if (g_str_has_suffix(path, ".gz"))
        file->gzip = G_CONVERTER(
            g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, level));
    file->buffer = g_malloc(ORR_TRACE_BUFFER);
}

bool orr_trace_file_open(struct orr_trace_file *file, const char *path,
                         GError **error)
{
    *file = (struct orr_trace_file){.gzip = NULL};
    if (!orr_draft_open(&file->draft, path, error))
        return false;
    begin(file, path, -1);
    return true;
}

bool orr_trace_file_open_in(struct orr_trace_file *file, const char *folder,
                            const char *path, GError **error)
{
    *file = (struct orr_trace_file){.gzip = NULL};
    if (!orr_draft_open_in(&file->draft, folder, path, error))
        return false;
    begin(file, path, 0);
    return true;
}

void orr_trace_file_flush(struct orr_trace_file *file)
{
    send_bytes(file, file->buffer, file->used);
    file->used = 0;
}

bool orr_trace_file_finish(struct orr_trace_file *file, GError **error)
{
    orr_trace_file_flush(file);
    if (file->gzip)
        compress(file, NULL, 0, G_CONVERTER_INPUT_AT_END);
    g_clear_pointer(&file->buffer, g_free);
    return orr_draft_finish(&file->draft, error);
}

void orr_trace_file_clear(struct orr_trace_file *file)
{
    orr_draft_clear(&file->draft);
    g_clear_object(&file->gzip);
    g_clear_pointer(&file->buffer, g_free);
}

void orr_trace_put_large(struct orr_trace_file *file, const void *bytes,
                         size_t size)
{
    orr_trace_file_flush(file);
    send_bytes(file, bytes, size);
}

void orr_trace_printf(struct orr_trace_file *file, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    orr_trace_put(file, text);
}

/* Returns the class of character @c: a text with it is not plain. */
static unsigned kind_of(unsigned char c)
{
    switch (c) {
    case '"':
        return ORR_TRACE_QUOTES;
    case ',':
        return ORR_TRACE_COMMAS;
    case '\\':
    case '<':
    case '>':
    case '&':
        return ORR_TRACE_ESCAPES;
    default:
        return c < ' ' || c >= 0x7f ? ORR_TRACE_OTHERS : 0;
    }
}

/* The end of @text, or NULL if it is not plain. */
static const char *plain_end(const char *text, unsigned without)
{
    for (; *text; text++) {
        if (!g_ascii_isalnum(*text) &&
            kind_of((unsigned char)*text) & (without | ORR_TRACE_OTHERS))
            return NULL;
    }
    return text;
}

bool orr_trace_is_plain(const char *text, unsigned without)
{
    return plain_end(text, without);
}

bool orr_trace_put_plain(struct orr_trace_file *file, const char *text,
                         unsigned without)
{
    const char *end = plain_end(text, without);

    if (end)
        orr_trace_put_bytes(file, text, (size_t)(end - text));
    return end;
}

void orr_trace_put_real(struct orr_trace_file *file, double value)
{
    static const double powers[] = {1,   1e1, 1e2, 1e3, 1e4,  1e5,
                                    1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    if (fpclassify(value) == FP_ZERO) {
        orr_trace_put_char(file, '0');
        return;
    }
    if (value >= 1 && value < 1e11) {
        unsigned digits = 11; /* digits after the decimal point, of 12 */
        int64_t number;
        double rest;

        while (value >= powers[12 - digits])
            digits--;
        number = (int64_t)(value * powers[digits]);
        rest = value * powers[digits] - (double)number;
        number += rest > 0.5;
        if (rest < 0.499 || rest > 0.501) { /* otherwise the rounding error of
                                               the product could decide */
            for (; digits > 0 && number % 10 == 0; digits--)
                number /= 10;
            orr_trace_put_time(file, number, digits);
            return;
        }
    }
    orr_trace_put(file, g_ascii_formatd(text, sizeof(text), "%.12g", value));
}

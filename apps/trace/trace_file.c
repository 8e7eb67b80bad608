/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): for fopencookie() */
#define _GNU_SOURCE
#include "apps/trace/trace_file.h"

#include <errno.h>
#include <string.h>

/* Compresses the @size bytes at @from into the draft; with @flags, ends.
 * Returns false with errno. */
static bool compress(struct orr_trace_file *file, const char *from, size_t size,
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
            errno = EIO;
            return false;
        }
        if (fwrite(to, 1, given, file->draft.file) < given)
            return false;
        from += taken;
        size -= taken;
    }
    return true;
}

static ssize_t write_compressed(void *cookie, const char *from, size_t size)
{
    struct orr_trace_file *file = cookie;

    if (compress(file, from, size, G_CONVERTER_NO_FLAGS))
        return (ssize_t)size;
    orr_draft_check(&file->draft);
    return 0;
}

static void open_compressed(struct orr_trace_file *file)
{
    const cookie_io_functions_t functions = {.write = write_compressed};

    file->gzip =
        G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
    file->file = fopencookie(file, "w", functions);
    g_assert(file->file);
    setvbuf(file->file, NULL, _IOFBF, 1 << 16);
}

bool orr_trace_file_open(struct orr_trace_file *file, const char *path,
                         GError **error)
{
    *file = (struct orr_trace_file){.file = NULL};
    if (!orr_draft_open(&file->draft, path, error))
        return false;
    if (g_str_has_suffix(path, ".gz"))
        open_compressed(file);
    else
        file->file = file->draft.file;
    return true;
}

void orr_trace_file_check(struct orr_trace_file *file)
{
    orr_draft_check(&file->draft);
}

/* Ends the compression, if any. */
static void end(struct orr_trace_file *file)
{
    if (!file->gzip || !file->file)
        return;
    fclose(file->file);
    file->file = NULL;
    if (!compress(file, NULL, 0, G_CONVERTER_INPUT_AT_END))
        orr_draft_check(&file->draft);
}

bool orr_trace_file_finish(struct orr_trace_file *file, GError **error)
{
    end(file);
    file->file = NULL;
    return orr_draft_finish(&file->draft, error);
}

void orr_trace_file_clear(struct orr_trace_file *file)
{
    end(file);
    orr_draft_clear(&file->draft);
    g_clear_object(&file->gzip);
}

void orr_trace_put(FILE *file, const char *text)
{
    fwrite_unlocked(text, 1, strlen(text), file);
}

bool orr_trace_is_plain(const char *text, const char *special)
{
    for (const char *at = text; *at; at++) {
        if (*at < ' ' || *at == '\177')
            return false;
        for (const char *other = special; *other; other++)
            if (*at == *other)
                return false;
    }
    return true;
}

/* Writes the digits of @count before @end, at least @least of them. Returns the
 * first one. */
static char *digits_of(uint64_t count, char *end, unsigned least)
{
    char *at = end;

    for (; count > 0 || end - at < (int)least; count /= 10)
        *--at = (char)('0' + count % 10);
    return at;
}

void orr_trace_put_count(FILE *file, uint64_t count)
{
    char text[20];
    char *end = text + sizeof(text);
    char *at = digits_of(count, end, 1);

    fwrite_unlocked(at, 1, (size_t)(end - at), file);
}

void orr_trace_put_time(FILE *file, int64_t ns, unsigned digits)
{
    char text[24];
    char *end = text + sizeof(text);
    uint64_t rest = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    uint64_t unit = 1;
    char *at;

    for (unsigned i = 0; i < digits; i++)
        unit *= 10;
    at = digits_of(rest % unit, end, digits);
    if (digits > 0)
        *--at = '.';
    at = digits_of(rest / unit, at, 1);
    if (ns < 0)
        *--at = '-';
    fwrite_unlocked(at, 1, (size_t)(end - at), file);
}

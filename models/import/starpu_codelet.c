/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the file of a codelet: durations by device and shape of the operands.
 * Versions 44 and 45 differ by one line (StarPU,
 * src/core/perfmodel/perfmodel_history.c).
 */
#include <string.h>

#include "models/import/starpu_private.h"

enum { MIN_VERSION = 44, MAX_VERSION = 45 };

/* Far beyond any machine, and within the limits of platform files. */
#define MAX_COMBINATIONS 10000
#define MAX_DEVICES 1000
#define MAX_IMPLEMENTATIONS 1000
#define MAX_ENTRIES 100000
#define MAX_COEFFICIENTS 10000
#define MAX_TILE 1000000u
#define MAX_SAMPLES 1000000000
#define MAX_MEAN (86400 * ORR_S)

enum { CPU = 0, CUDA = 1 }; /* device types of StarPU that platforms have */

/* A file being read. */
struct reader {
    struct orr_starpu_text text;
    struct orr_platform_kernel *kernel;
    const struct orr_starpu_codelet *codelet;
    unsigned gpus;
    uint64_t version;
    unsigned device; /* of the current entries; DROP: not in the platform */
    unsigned skipped;
};

#define DROP UINT32_MAX

static uint32_t crc(uint32_t value, uint32_t start)
{
    for (int i = 0; i < 4; i++) {
        start ^= (value >> (8 * i) & 0xff) << 24;
        for (int bit = 0; bit < 8; bit++)
            start = start & 0x80000000u ? start << 1 ^ 0x1edc6f41u : start << 1;
    }
    return start;
}

uint32_t orr_starpu_footprint(unsigned rows, unsigned buffers)
{
    const uint32_t matrix = 0; /* the number that stands for a matrix */
    uint32_t shape = crc(crc(rows, rows), matrix);
    uint32_t task = 0;

    for (unsigned i = 0; i < buffers; i++)
        task = crc(shape, task);
    return task;
}

/* Reads a line that is one whole number. */
static bool read_count(struct reader *reader, const char *what, uint64_t max,
                       uint64_t *value, GError **error)
{
    return orr_starpu_text_expect(&reader->text, what, 1, error) &&
           orr_starpu_text_count(&reader->text, 0, what, max, value, error);
}

/* The tile size of an entry with these @bytes and @hash; 0 for other shapes. */
static unsigned find_tile(const struct orr_starpu_codelet *codelet,
                          uint32_t hash, uint64_t bytes)
{
    unsigned each = codelet->buffers * codelet->element_bytes;
    unsigned low = 0;
    unsigned high = MAX_TILE;

    while (low < high) {
        unsigned middle = (low + high + 1) / 2;

        if ((uint64_t)middle * middle * each > bytes)
            high = middle - 1;
        else
            low = middle;
    }
    if ((uint64_t)low * low * each != bytes ||
        orr_starpu_footprint(low, codelet->buffers) != hash)
        return 0;
    return low;
}

static bool get_hash(const struct reader *reader, uint32_t *hash,
                     GError **error)
{
    const char *word = reader->text.words[0];
    g_autofree char *quoted = orr_quote(word);

    if (strlen(word) != 8 || strspn(word, "0123456789abcdefABCDEF") != 8)
        return orr_starpu_text_fail(&reader->text, ORR_ERROR_VALUE, error,
                                    "hash: %s: expected 8 hexadecimal digits",
                                    quoted);
    *hash = (uint32_t)g_ascii_strtoull(word, NULL, 16);
    return true;
}

/* Formats half of @us with the digits that StarPU writes. */
static const char *halved(char digits[G_ASCII_DTOSTR_BUF_SIZE], double us)
{
    return g_ascii_formatd(digits, G_ASCII_DTOSTR_BUF_SIZE, "%.6e", us / 2);
}

/*
 * Reads a duration in us. Halved ones are rounded to the seven digits that
 * StarPU writes, so that they equal those that StarPU has halved itself.
 */
static bool get_time(const struct reader *reader, unsigned index,
                     const char *what, bool halve, orr_time *time,
                     GError **error)
{
    const char *word = reader->text.words[index];
    g_autofree char *quoted = orr_quote(word);
    g_autofree char *text = NULL;
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    double us;

    if (!orr_starpu_text_number(&reader->text, index, what, &us, error))
        return false;
    if (halve)
        word = halved(digits, us);
    text = g_strconcat(word, "us", NULL);
    /* Parsed as platform files are, so that both give the same ns. */
    if (us >= 0 && orr_parse_time(text, time, NULL) && *time <= MAX_MEAN)
        return true;
    return orr_starpu_text_fail(&reader->text, ORR_ERROR_VALUE, error,
                                "%s: %s: expected a time of at most a day, "
                                "in us",
                                what, quoted);
}

static bool add_duration(struct reader *reader,
                         const struct orr_platform_duration *duration,
                         GError **error)
{
    struct orr_platform_kernel *kernel = reader->kernel;

    for (unsigned i = 0; i < kernel->count; i++) {
        if (kernel->durations[i].tile == duration->tile &&
            kernel->durations[i].device == duration->device)
            return orr_starpu_text_fail(
                &reader->text, ORR_ERROR_VALUE, error,
                "second entry of tiles of %u on this device", duration->tile);
    }
    kernel->durations = g_renew(struct orr_platform_duration, kernel->durations,
                                kernel->count + 1);
    kernel->durations[kernel->count++] = *duration;
    return true;
}

/* The mean in word @index, in s, not rounded to ns. */
static double exact_mean(const struct reader *reader, unsigned index)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    double us = g_ascii_strtod(reader->text.words[index], NULL);

    if (reader->codelet->halved)
        us = g_ascii_strtod(halved(digits, us), NULL);
    return us / 1e6;
}

/* Reads an entry: "hash size [flops] mean deviation sum sum2 samples". */
static bool take_entry(struct reader *reader, GError **error)
{
    struct orr_platform_duration duration = {.device = reader->device};
    unsigned count = reader->text.count;
    uint64_t bytes;
    uint64_t samples;
    uint32_t hash = 0;

    if (count != 7 && count != 8)
        return orr_starpu_text_fail(&reader->text, ORR_ERROR_SYNTAX, error,
                                    "an entry of %u words, not 8 or 7", count);
    if (!get_hash(reader, &hash, error) ||
        !orr_starpu_text_count(&reader->text, 1, "size", INT64_MAX, &bytes,
                               error) ||
        !get_time(reader, count - 5, "mean", reader->codelet->halved,
                  &duration.mean, error) ||
        !get_time(reader, count - 4, "deviation", false, &duration.deviation,
                  error) ||
        !orr_starpu_text_count(&reader->text, count - 1, "samples", MAX_SAMPLES,
                               &samples, error))
        return false;
    if (reader->device == DROP || samples == 0)
        return true;
    duration.mean_s = exact_mean(reader, count - 5);
    if (duration.mean == 0)
        return orr_starpu_text_fail(&reader->text, ORR_ERROR_VALUE, error,
                                    "a mean of less than half a ns");
    duration.samples = (unsigned)samples;
    duration.tile = find_tile(reader->codelet, hash, bytes);
    if (duration.tile != 0)
        return add_duration(reader, &duration, error);
    reader->skipped++;
    return true;
}

/* Skips the values of @count coefficients, over any number of lines. */
static bool skip_coefficients(struct reader *reader, uint64_t count,
                              GError **error)
{
    for (uint64_t seen = 0; seen < count; seen += reader->text.count) {
        if (!orr_starpu_text_expect(&reader->text, "coefficients", 0, error))
            return false;
    }
    return true;
}

/*
 * Skips the results of regressions. The number of coefficients comes after
 * "a b c"; in a file that Debian ships, before.
 */
static bool skip_regressions(struct reader *reader, GError **error)
{
    struct orr_starpu_text *text = &reader->text;
    uint64_t coefficients = 0;

    if (!orr_starpu_text_expect(text, "sumlnx ... maxx", 9, error))
        return false;
    if (reader->version < 45)
        return orr_starpu_text_expect(text, "a b c", 3, error);
    if (!orr_starpu_text_expect(text, "a b c", 0, error))
        return false;
    if (text->count == 1)
        return orr_starpu_text_count(text, 0, "coefficients before a b c", 0,
                                     &coefficients, error) &&
               orr_starpu_text_expect(text, "a b c", 3, error);
    if (text->count != 3)
        return orr_starpu_text_fail(text, ORR_ERROR_SYNTAX, error,
                                    "a b c should be 3 words, not %u",
                                    text->count);
    return read_count(reader, "the number of coefficients", MAX_COEFFICIENTS,
                      &coefficients, error) &&
           skip_coefficients(reader, coefficients, error);
}

static bool read_implementation(struct reader *reader, GError **error)
{
    uint64_t entries;

    if (!read_count(reader, "the number of entries", MAX_ENTRIES, &entries,
                    error) ||
        !skip_regressions(reader, error))
        return false;
    for (uint64_t i = 0; i < entries; i++) {
        if (!orr_starpu_text_expect(&reader->text, "an entry", 0, error) ||
            !take_entry(reader, error))
            return false;
    }
    return true;
}

/* Reads a combination of devices. Only a single core or CUDA device is used. */
static bool read_devices(struct reader *reader, GError **error)
{
    uint64_t count;
    uint64_t type;
    uint64_t number;
    uint64_t cores;

    if (!read_count(reader, "the number of devices", MAX_DEVICES, &count,
                    error))
        return false;
    reader->device = DROP;
    for (uint64_t i = 0; i < count; i++) {
        if (!read_count(reader, "the type of a device", UINT32_MAX, &type,
                        error) ||
            !read_count(reader, "the number of a device", UINT32_MAX, &number,
                        error) ||
            !read_count(reader, "the number of cores", UINT32_MAX, &cores,
                        error))
            return false;
        if (count > 1 || cores != 1)
            continue;
        if (type == CPU && number == 0)
            reader->device = 0;
        else if (type == CUDA && number < reader->gpus)
            reader->device = (unsigned)number + 1;
    }
    return true;
}

/* Reads the entries of a combination. Only the first implementation is used. */
static bool read_combination(struct reader *reader, GError **error)
{
    uint64_t implementations;

    if (!read_devices(reader, error) ||
        !read_count(reader, "the number of implementations",
                    MAX_IMPLEMENTATIONS, &implementations, error))
        return false;
    for (uint64_t i = 0; i < implementations; i++) {
        if (!read_implementation(reader, error))
            return false;
        reader->device = DROP;
    }
    return true;
}

static bool read_file(struct reader *reader, GError **error)
{
    uint64_t combinations;

    if (!read_count(reader, "the version", UINT32_MAX, &reader->version, error))
        return false;
    if (reader->version < MIN_VERSION || reader->version > MAX_VERSION)
        return orr_starpu_text_fail(&reader->text, ORR_ERROR_SYNTAX, error,
                                    "version %" G_GUINT64_FORMAT
                                    " is not known, only %d and %d are",
                                    reader->version, MIN_VERSION, MAX_VERSION);
    if (!read_count(reader, "the number of combinations", MAX_COMBINATIONS,
                    &combinations, error))
        return false;
    for (uint64_t i = 0; i < combinations; i++) {
        if (!read_combination(reader, error))
            return false;
    }
    if (orr_starpu_text_next(&reader->text))
        return orr_starpu_text_fail(&reader->text, ORR_ERROR_SYNTAX, error,
                                    "more than the %" G_GUINT64_FORMAT
                                    " combinations that the file announces",
                                    combinations);
    return true;
}

bool orr_starpu_read_codelet(struct orr_platform_kernel *kernel, unsigned gpus,
                             const struct orr_starpu_codelet *codelet,
                             const char *path, unsigned *skipped,
                             GError **error)
{
    struct reader reader = {
        .kernel = kernel,
        .codelet = codelet,
        .gpus = gpus,
    };
    bool success = orr_starpu_text_open(&reader.text, path, error) &&
                   read_file(&reader, error);

    orr_starpu_text_close(&reader.text);
    *skipped = reader.skipped;
    return success;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the file of a codelet: durations by device and shape of the operands,
 * and formulas for durations by device.
 * Versions 44 and 45 differ by one line (StarPU,
 * src/core/perfmodel/perfmodel_history.c).
 */
#include <string.h>

#include "models/starpu/starpu_private.h"
#include "models/starpu/starpu_shape.h"
#include "models/starpu/starpu_symbols.h"

enum { MIN_VERSION = 44, MAX_VERSION = 45 };

/* Far beyond any machine, and within the limits of platform files. */
#define MAX_COMBINATIONS 10000
#define MAX_DEVICES 1000
#define MAX_IMPLEMENTATIONS 1000
#define MAX_ENTRIES 100000
#define MAX_COEFFICIENTS 10000
#define MAX_SAMPLES 1000000000
#define MAX_SIZE (INT64_MAX / 16)
#define MAX_MEAN (86400 * ORR_S)

enum { CPU = 0, CUDA = 1 }; /* StarPU's numbers of the known device types */

/* A file being read. */
struct reader {
    struct orr_starpu_text text;
    GArray *entries;
    GPtrArray *regressions;
    unsigned gpus;
    uint64_t version;
    unsigned device; /* of the current entries; DROP: not in the platform */
};

#define DROP UINT32_MAX

/* Reads a line that is one whole number. */
static bool read_count(struct reader *reader, const char *what, uint64_t max,
                       uint64_t *value, GError **error)
{
    return orr_starpu_text_expect(&reader->text, what, 1, error) &&
           orr_starpu_text_count(&reader->text, 0, what, max, value, error);
}

static bool get_hash(const struct reader *reader, uint32_t *hash,
                     GError **error)
{
    const char *word = reader->text.words[0];
    size_t length = strlen(word);
    g_autofree char *quoted = orr_quote(word);

    /* StarPU writes 8 digits; files that a script has made may lack zeros. */
    if (length > 8 || strspn(word, "0123456789abcdefABCDEF") != length)
        return orr_starpu_text_fail(
            &reader->text, ORR_ERROR_VALUE, error,
            "hash: %s: expected at most 8 hexadecimal digits", quoted);
    *hash = (uint32_t)g_ascii_strtoull(word, NULL, 16);
    return true;
}

static bool fail_time(const struct reader *reader, const char *what,
                      const char *word, GError **error)
{
    g_autofree char *quoted = orr_quote(word);

    return orr_starpu_text_fail(&reader->text, ORR_ERROR_VALUE, error,
                                "%s: %s: expected a time of at most a day, "
                                "in us",
                                what, quoted);
}

/* Parses @word, in us, as in platform files, so that both give the same ns. */
static bool parse_us(const char *word, orr_time *time)
{
    g_autofree char *text = g_strconcat(word, "us", NULL);

    return *word != '-' && orr_parse_time(text, time, NULL) &&
           *time <= MAX_MEAN;
}

/* Reads a duration in us. */
static bool get_time(const struct reader *reader, unsigned index,
                     const char *what, struct orr_starpu_mean *mean,
                     GError **error)
{
    const char *word = reader->text.words[index];
    double us;

    if (!orr_starpu_text_number(&reader->text, index, what, &us, error))
        return false;
    mean->seconds = us / 1e6;
    return (us >= 0 && parse_us(word, &mean->time)) ||
           fail_time(reader, what, word, error);
}

/*
 * Half of the duration in word @index, rounded to the seven digits that StarPU
 * writes, so that it equals a duration that StarPU has halved itself.
 */
static void halve(const struct reader *reader, unsigned index,
                  struct orr_starpu_mean *half)
{
    double us = g_ascii_strtod(reader->text.words[index], NULL) / 2;
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_formatd(digits, sizeof(digits), "%.6e", us);
    half->seconds = g_ascii_strtod(digits, NULL) / 1e6;
    if (!parse_us(digits, &half->time) || half->time == 0)
        half->time = 1;
}

/* Reads an entry: "hash size [flops] mean deviation sum sum2 samples". */
static bool take_entry(struct reader *reader, GError **error)
{
    struct orr_starpu_entry entry = {
        .device = reader->device,
        .line = reader->text.line,
    };
    struct orr_starpu_mean deviation;
    unsigned count = reader->text.count;
    uint64_t samples;

    if (count != 7 && count != 8)
        return orr_starpu_text_fail(&reader->text, ORR_ERROR_SYNTAX, error,
                                    "an entry of %u words, not 8 or 7", count);
    if (!get_hash(reader, &entry.hash, error) ||
        !orr_starpu_text_count(&reader->text, 1, "size", INT64_MAX,
                               &entry.bytes, error) ||
        !get_time(reader, count - 5, "mean", &entry.mean, error) ||
        !get_time(reader, count - 4, "deviation", &deviation, error) ||
        !orr_starpu_text_count(&reader->text, count - 1, "samples", MAX_SAMPLES,
                               &samples, error))
        return false;
    if (reader->device == DROP || samples == 0)
        return true;
    halve(reader, count - 5, &entry.half);
    if (entry.mean.time == 0)
        return orr_starpu_text_fail(&reader->text, ORR_ERROR_VALUE, error,
                                    "a mean of less than half a ns");
    entry.deviation = deviation.time;
    entry.samples = (unsigned)samples;
    g_array_append_val(reader->entries, entry);
    return true;
}

/* Reads @count numbers from word @first on. They may be NaN. */
static bool get_numbers(const struct reader *reader, unsigned first,
                        const char *what, double *const *values, unsigned count,
                        GError **error)
{
    for (unsigned i = 0; i < count; i++) {
        if (!orr_starpu_text_number(&reader->text, first + i, what, values[i],
                                    error))
            return false;
    }
    return true;
}

/* Reads "sumlnx sumlnx2 sumlny sumlnxlny alpha beta n minx maxx". */
static bool read_power(struct reader *reader, struct orr_regression *regression,
                       GError **error)
{
    struct orr_starpu_text *text = &reader->text;
    double *const values[] = {&regression->alpha, &regression->beta};
    uint64_t samples;

    if (!orr_starpu_text_expect(text, "sumlnx ... maxx", 9, error) ||
        !get_numbers(reader, 4, "alpha or beta", values, 2, error) ||
        !orr_starpu_text_count(text, 6, "n", UINT32_MAX, &samples, error) ||
        !orr_starpu_text_count(text, 7, "minx", MAX_SIZE, &regression->least,
                               error) ||
        !orr_starpu_text_count(text, 8, "maxx", MAX_SIZE, &regression->most,
                               error))
        return false;
    regression->samples = (unsigned)samples;
    return true;
}

/* Takes "a b c" from the current line. */
static bool take_offset(const struct reader *reader,
                        struct orr_regression *regression, GError **error)
{
    double *const values[] = {&regression->a, &regression->b, &regression->c};

    if (reader->text.count != 3)
        return orr_starpu_text_fail(&reader->text, ORR_ERROR_SYNTAX, error,
                                    "a b c should be 3 words, not %u",
                                    reader->text.count);
    return get_numbers(reader, 0, "a b c", values, 3, error);
}

/* Reads the coefficients, over any number of lines. */
static bool read_coefficients(struct reader *reader,
                              struct orr_regression *regression, GError **error)
{
    struct orr_starpu_text *text = &reader->text;
    uint64_t count;

    if (!read_count(reader, "the number of coefficients", MAX_COEFFICIENTS,
                    &count, error))
        return false;
    regression->coefficients = g_new(double, count);
    while (regression->count < count) {
        if (!orr_starpu_text_expect(text, "coefficients", 0, error))
            return false;
        for (unsigned i = 0; i < text->count && regression->count < count; i++)
            if (!orr_starpu_text_number(
                    text, i, "a coefficient",
                    &regression->coefficients[regression->count++], error))
                return false;
    }
    return true;
}

/*
 * Reads the results of regressions. The number of coefficients comes after
 * "a b c"; in a file that Debian ships, before, and is 0.
 */
static bool read_regression(struct reader *reader,
                            struct orr_regression *regression, GError **error)
{
    struct orr_starpu_text *text = &reader->text;
    uint64_t none;

    if (!read_power(reader, regression, error) ||
        !orr_starpu_text_expect(text, "a b c", 0, error))
        return false;
    if (reader->version < 45)
        return take_offset(reader, regression, error);
    if (text->count == 1)
        return orr_starpu_text_count(text, 0, "coefficients before a b c", 0,
                                     &none, error) &&
               orr_starpu_text_expect(text, "a b c", 3, error) &&
               take_offset(reader, regression, error);
    return take_offset(reader, regression, error) &&
           read_coefficients(reader, regression, error);
}

static bool take_regression(struct reader *reader, GError **error)
{
    struct orr_regression *regression = g_new0(struct orr_regression, 1);
    bool success = read_regression(reader, regression, error);

    regression->device = reader->device;
    if (success && reader->device != DROP &&
        orr_regression_is_known(regression))
        g_ptr_array_add(reader->regressions, regression);
    else
        orr_regression_free(regression);
    return success;
}

static bool read_implementation(struct reader *reader, GError **error)
{
    uint64_t entries;

    if (!read_count(reader, "the number of entries", MAX_ENTRIES, &entries,
                    error) ||
        !take_regression(reader, error))
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

struct orr_starpu_codelet *
orr_starpu_codelet_read(const char *path, unsigned gpus, GError **error)
{
    struct reader reader = {
        .entries = g_array_new(FALSE, FALSE, sizeof(struct orr_starpu_entry)),
        .regressions =
            g_ptr_array_new_with_free_func((GDestroyNotify)orr_regression_free),
        .gpus = gpus,
    };
    bool success = orr_starpu_text_open(&reader.text, path, error) &&
                   read_file(&reader, error);
    struct orr_starpu_codelet *codelet = g_new0(struct orr_starpu_codelet, 1);

    codelet->shown = g_strdup(reader.text.shown);
    codelet->count = reader.entries->len;
    codelet->entries = (void *)g_array_free(reader.entries, FALSE);
    codelet->regressions = reader.regressions;
    orr_starpu_text_close(&reader.text);
    if (success)
        return codelet;
    orr_starpu_codelet_free(codelet);
    return NULL;
}

void orr_starpu_codelet_free(struct orr_starpu_codelet *codelet)
{
    if (!codelet)
        return;
    g_free(codelet->shown);
    g_free(codelet->entries);
    g_ptr_array_unref(codelet->regressions);
    g_free(codelet);
}

/* Adds the duration of @entry to @kernel; returns false if it has one at @tile
 * on this device. */
static bool add_duration(const struct orr_starpu_entry *entry,
                         struct orr_platform_kernel *kernel, unsigned tile,
                         bool halved)
{
    const struct orr_starpu_mean *mean = halved ? &entry->half : &entry->mean;
    struct orr_platform_duration duration = {
        .tile = tile,
        .device = entry->device,
        .mean = mean->time,
        .mean_s = mean->seconds,
        .deviation = entry->deviation,
        .samples = entry->samples,
    };

    for (unsigned i = 0; i < kernel->count; i++) {
        if (kernel->durations[i].tile == tile &&
            kernel->durations[i].device == entry->device)
            return false;
    }
    kernel->durations = g_renew(struct orr_platform_duration, kernel->durations,
                                kernel->count + 1);
    kernel->durations[kernel->count++] = duration;
    return true;
}

bool orr_starpu_codelet_take_entry(struct orr_starpu_entry *entry,
                                   struct orr_platform_kernel *kernel)
{
    bool added = add_duration(entry, kernel, ORR_STARPU_FOOTPRINT_TILE, false);

    entry->taken |= added;
    orr_platform_kernel_sort(kernel);
    return added;
}

bool orr_starpu_codelet_take(struct orr_starpu_codelet *codelet,
                             struct orr_platform_kernel *kernel,
                             const char *operands, bool halved, GError **error)
{
    unsigned element_bytes = kernel->precision == ORR_SINGLE ? 4 : 8;

    for (unsigned i = 0; i < codelet->count; i++) {
        struct orr_starpu_entry *entry = &codelet->entries[i];
        struct orr_starpu_shape shape = orr_starpu_shape_find(
            operands, element_bytes, entry->bytes, entry->hash);

        if (shape.tile == 0 ||
            (kernel->inner != 0 && kernel->inner != shape.inner))
            continue;
        kernel->inner = shape.inner;
        entry->taken = true;
        if (!add_duration(entry, kernel, shape.tile, halved)) {
            g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                        "%s:%u: second entry of tiles of %u on this device",
                        codelet->shown, entry->line, shape.tile);
            return false;
        }
    }
    return true;
}

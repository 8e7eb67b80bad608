/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds measured durations from CSV to a platform. Rows of the same kernel,
 * device, tile and precision are pooled first: from counts, means and
 * deviations follow the sums of all measurements and of their squares, and
 * from these the pooled mean and deviation. The platform is changed only when
 * the whole file was read.
 */
#include "models/import/kernel_times.h"

#include <math.h>
#include <string.h>

#include "models/base/csv_line.h"
#include "models/xml/xml.h"

#define MAX_BYTES ((uint64_t)16 << 20)
#define MAX_SECONDS 86400.0
#define MAX_COUNT 1000000000u
#define MAX_TILE 1000000u
#define MAX_ENTRIES 10000u

/* A deviation of less than this share of the mean is rounding. */
#define ROUNDING 1e-6

enum column {
    KERNEL,
    DEVICE,
    TILE,
    PRECISION,
    SECONDS,
    FAMILY,
    DEVIATION,
    COUNT,
    COLUMNS,
};

#define REQUIRED FAMILY /* the columns before this one */

static const char *const titles[COLUMNS] = {
    "kernel",  "device", "tile",      "precision",
    "seconds", "family", "deviation", "count",
};

/* The pooled rows of one entry. */
struct entry {
    char *family;
    char *kernel;
    enum orr_precision precision;
    unsigned device;
    unsigned tile;
    double count;
    double sum;     /* of the measurements, s */
    double squares; /* sum of the squares of the measurements */
};

/* A file being read. */
struct reader {
    const struct orr_platform *platform;
    const char *family;
    struct orr_input *input;
    unsigned line;
    int columns[COLUMNS]; /* index in the file; -1: absent */
    GPtrArray *fields;
    GPtrArray *entries;
    GHashTable *by_key; /* of entries */
};

static void entry_free(gpointer data)
{
    struct entry *entry = data;

    g_free(entry->family);
    g_free(entry->kernel);
    g_free(entry);
}

static bool fail(const struct reader *reader, enum orr_error code,
                 GError **error, const char *format, ...) G_GNUC_PRINTF(4, 5);

static bool fail(const struct reader *reader, enum orr_error code,
                 GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, code, orr_input_path(reader->input), reader->line,
                     format, arguments);
    va_end(arguments);
    return false;
}

/* The field of @column in the current row; NULL if the file has none. */
static const char *get(const struct reader *reader, enum column column)
{
    int place = reader->columns[column];

    return place < 0
               ? NULL
               : g_strstrip(g_ptr_array_index(reader->fields, (guint)place));
}

static bool get_seconds(const struct reader *reader, enum column column,
                        double least, double *seconds, GError **error)
{
    const char *text = get(reader, column);
    g_autofree char *quoted = orr_quote(text ? text : "");
    char *end = NULL;

    *seconds = 0;
    if (!text)
        return true;
    /* strtod() would also accept hexadecimal numbers and "inf". */
    if (*text && text[strspn(text, "0123456789.eE+-")] == '\0')
        *seconds = g_ascii_strtod(text, &end);
    if (end && *end == '\0' && *seconds >= least && *seconds <= MAX_SECONDS)
        return true;
    return fail(reader, ORR_ERROR_VALUE, error,
                "%s: %s: expected seconds, %s and at most a day",
                titles[column], quoted,
                least > 0 ? "at least half a ns" : "not negative");
}

static bool get_count(const struct reader *reader, enum column column,
                      uint64_t max, uint64_t *count, GError **error)
{
    const char *text = get(reader, column);
    GError *reason = NULL;

    *count = 1;
    if (!text || orr_parse_count(text, 1, max, count, &reason))
        return true;
    fail(reader, ORR_ERROR_VALUE, error, "%s: %s", titles[column],
         reason->message);
    g_error_free(reason);
    return false;
}

static bool get_name(const struct reader *reader, enum column column,
                     const char **name, GError **error)
{
    const char *text = get(reader, column);
    g_autofree char *quoted = NULL;

    *name = text ? text : reader->family;
    if (orr_xml_is_name(*name))
        return true;
    quoted = orr_quote(*name);
    return fail(reader, ORR_ERROR_VALUE, error,
                "%s: %s: a name has letters, digits and . _ + - only",
                titles[column], quoted);
}

static bool get_precision(const struct reader *reader,
                          enum orr_precision *precision, GError **error)
{
    const char *text = get(reader, PRECISION);
    g_autofree char *quoted = orr_quote(text);

    *precision = strcmp(text, "double") == 0 ? ORR_DOUBLE : ORR_SINGLE;
    return *precision == ORR_DOUBLE || strcmp(text, "single") == 0 ||
           fail(reader, ORR_ERROR_VALUE, error,
                "precision: %s: expected single or double", quoted);
}

/* Sets the first device and their number. */
static bool get_devices(const struct reader *reader, unsigned *first,
                        unsigned *count, GError **error)
{
    const struct orr_platform *platform = reader->platform;
    const char *text = get(reader, DEVICE);
    g_autofree char *quoted = orr_quote(text);

    *first = 1;
    *count = platform->gpu_count;
    if (strcmp(text, "GPU") == 0 && platform->gpu_count > 0)
        return true;
    *count = 1;
    for (*first = 0; *first < platform->node_count; ++*first) {
        if (strcmp(text, orr_platform_device_name(platform, *first)) == 0)
            return true;
    }
    return fail(reader, ORR_ERROR_VALUE, error,
                "device: %s: expected CPU, GPU or the name of a GPU of %s",
                quoted, platform->name);
}

static struct entry *get_entry(struct reader *reader, const struct entry *like)
{
    char *key = g_strdup_printf("%s %s %d %u %u", like->family, like->kernel,
                                (int)like->precision, like->device, like->tile);
    struct entry *entry = g_hash_table_lookup(reader->by_key, key);

    if (entry) {
        g_free(key);
        return entry;
    }
    entry = g_new(struct entry, 1);
    *entry = *like;
    entry->family = g_strdup(like->family);
    entry->kernel = g_strdup(like->kernel);
    g_ptr_array_add(reader->entries, entry);
    g_hash_table_insert(reader->by_key, key, entry);
    return entry;
}

static bool take_row(struct reader *reader, GError **error)
{
    struct entry like = {.count = 0};
    const char *family;
    const char *kernel;
    uint64_t tile;
    uint64_t count;
    unsigned devices;
    double mean;
    double deviation;

    if (!get_name(reader, KERNEL, &kernel, error) ||
        !get_name(reader, FAMILY, &family, error) ||
        !get_devices(reader, &like.device, &devices, error) ||
        !get_count(reader, TILE, MAX_TILE, &tile, error) ||
        !get_precision(reader, &like.precision, error) ||
        !get_seconds(reader, SECONDS, 0.5e-9, &mean, error) ||
        !get_seconds(reader, DEVIATION, 0, &deviation, error) ||
        !get_count(reader, COUNT, MAX_COUNT, &count, error))
        return false;
    like.family = (char *)family;
    like.kernel = (char *)kernel;
    like.tile = (unsigned)tile;
    for (; devices > 0; devices--, like.device++) {
        struct entry *entry = get_entry(reader, &like);

        entry->count += (double)count;
        entry->sum += (double)count * mean;
        entry->squares += (double)count * (mean * mean + deviation * deviation);
    }
    return true;
}

static bool take_titles(struct reader *reader, GError **error)
{
    for (int c = 0; c < COLUMNS; c++)
        reader->columns[c] = -1;
    for (guint i = 0; i < reader->fields->len; i++) {
        const char *field = g_strstrip(reader->fields->pdata[i]);

        for (int c = 0; c < COLUMNS; c++) {
            if (reader->columns[c] < 0 && strcmp(field, titles[c]) == 0)
                reader->columns[c] = (int)i;
        }
    }
    for (int c = 0; c < REQUIRED; c++) {
        if (reader->columns[c] < 0)
            return fail(reader, ORR_ERROR_SYNTAX, error,
                        "no column %s; required are kernel, device, tile, "
                        "precision, seconds",
                        titles[c]);
    }
    return true;
}

static bool read_rows(struct reader *reader, GError **error)
{
    g_autoptr(GString) row = g_string_new(NULL);
    GError *reason = NULL;
    guint width = 0;
    unsigned lines;

    reader->line = 1;
    for (; orr_csv_read(reader->input, row, &lines, &reason);
         reader->line += lines) {
        if (row->len == 0)
            continue;
        g_ptr_array_set_size(reader->fields, 0);
        if (!g_utf8_validate(row->str, (gssize)row->len, NULL) ||
            !orr_csv_split(row->str, reader->fields))
            return fail(reader, ORR_ERROR_SYNTAX, error, "not a row of CSV");
        if (width == 0) {
            width = reader->fields->len;
            if (!take_titles(reader, error))
                return false;
            continue;
        }
        if (reader->fields->len != width)
            return fail(reader, ORR_ERROR_SYNTAX, error,
                        "%u fields, but %u titles", reader->fields->len, width);
        if (!take_row(reader, error))
            return false;
        if (reader->entries->len > MAX_ENTRIES)
            return fail(reader, ORR_ERROR_VALUE, error,
                        "more than %u different entries", MAX_ENTRIES);
    }
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    return reader->entries->len > 0 ||
           fail(reader, ORR_ERROR_SYNTAX, error, "no durations");
}

/* Removes the model of a kernel on a device where it is measured now. */
static void drop_model(struct orr_platform *platform,
                       struct orr_platform_kernel *kernel, unsigned device)
{
    for (unsigned i = 0; i < kernel->flops_count; i++) {
        if (kernel->flops[i].device != device)
            continue;
        g_ptr_array_add(
            platform->notes,
            g_strdup_printf("%s of %s (%s precision) on %s is no longer "
                            "modelled: it runs at the measured tile sizes only",
                            kernel->name, kernel->family,
                            orr_precision_name(kernel->precision),
                            orr_platform_device_name(platform, device)));
        g_free(kernel->flops[i].points);
        kernel->flops[i] = kernel->flops[--kernel->flops_count];
        return;
    }
}

static void set_duration(struct orr_platform *platform,
                         const struct entry *entry, const char *source)
{
    struct orr_platform_kernel *kernel = orr_platform_get_kernel(
        platform, entry->family, entry->kernel, entry->precision);
    double mean = entry->sum / entry->count;
    double variance = entry->squares / entry->count - mean * mean;
    double least = ROUNDING * mean;
    double deviation = variance > least * least ? sqrt(variance) : 0;
    struct orr_platform_duration duration = {
        .tile = entry->tile,
        .device = entry->device,
        .mean = MAX(orr_time_from_seconds(mean), 1),
        .mean_s = mean,
        .deviation = orr_time_from_seconds(deviation),
        .samples = (unsigned)MIN(entry->count, MAX_COUNT),
    };
    unsigned place = 0;

    if (!kernel) {
        g_ptr_array_add(platform->notes,
                        g_strdup_printf("left out %s of %s: there are %u "
                                        "kernels already",
                                        entry->kernel, entry->family,
                                        ORR_MAX_KERNELS));
        return;
    }
    drop_model(platform, kernel, entry->device);
    while (place < kernel->count &&
           (kernel->durations[place].tile != entry->tile ||
            kernel->durations[place].device != entry->device))
        place++;
    if (place == kernel->count)
        kernel->durations = g_renew(struct orr_platform_duration,
                                    kernel->durations, ++kernel->count);
    kernel->durations[place] = duration;
    orr_source_add(&kernel->source, source);
}

bool orr_kernel_times_add(struct orr_platform *platform, const char *path,
                          const char *family, const char *source,
                          GError **error)
{
    const struct orr_input_limits limits = orr_input_limits(MAX_BYTES);
    struct reader reader = {
        .platform = platform,
        .family = family,
        .input = orr_input_open(path, &limits, error),
        .fields = g_ptr_array_new(),
        .entries = g_ptr_array_new_with_free_func(entry_free),
        .by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    bool success = reader.input && read_rows(&reader, error);

    for (guint i = 0; success && i < reader.entries->len; i++)
        set_duration(platform, reader.entries->pdata[i], source);
    for (unsigned k = 0; success && k < platform->kernel_count; k++)
        orr_platform_kernel_sort(&platform->kernels[k]);
    if (success)
        platform->uncalibrated &= ~(unsigned)ORR_PLATFORM_KERNELS;
    orr_input_close(reader.input);
    g_hash_table_unref(reader.by_key);
    g_ptr_array_unref(reader.entries);
    g_ptr_array_unref(reader.fields);
    return success;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the kernels of a platform from the files of codelets: first the
 * kernels of the table starpu_symbols.h, then the user's other codelets on
 * tiles, then a kernel for each footprint that is left: vectors, matrices that
 * are no squares. A file is read once, however many kernels it may hold.
 */
#include <string.h>

#include "models/starpu/starpu_private.h"
#include "models/starpu/starpu_symbols.h"
#include "models/xml/xml.h"

/* The limit of platform files. */

static const char *const folders[] = {"codelets/45", "codelets/44", "codelets",
                                      NULL};

static const char *const precisions = "sd"; /* by enum orr_precision */

/* The most operands of a codelet that is not in the table: all are tiles. */
static const char tiles[] = "SSSSSSSS";

/* Kernels being read. */
struct reader {
    const char *dir;
    const char *host;
    struct orr_platform *platform;
    GHashTable *codelets; /* by file */
};

/* A kernel that a file may hold. */
struct wanted {
    const char *file; /* relative to the folder */
    const char *family;
    const char *name;
    enum orr_precision precision;
    const char *operands;
    bool halved;
};

/* The content of @file, read once; borrowed. NULL with @error. */
static struct orr_starpu_codelet *get_codelet(const struct reader *reader,
                                              const char *file, GError **error)
{
    struct orr_starpu_codelet *codelet =
        g_hash_table_lookup(reader->codelets, file);
    g_autofree char *path = g_build_filename(reader->dir, file, NULL);

    if (codelet)
        return codelet;
    codelet = orr_starpu_codelet_read(path, reader->platform->gpu_count, error);
    if (codelet)
        g_hash_table_insert(reader->codelets, g_strdup(file), codelet);
    return codelet;
}

static char *describe_source(const struct wanted *wanted, unsigned inner)
{
    if (inner > 0)
        return g_strdup_printf("StarPU, %s; inner blocks of %u columns",
                               wanted->file, inner);
    return g_strdup_printf("StarPU, %s%s", wanted->file,
                           wanted->halved ? ", halved" : "");
}

/* Adds the kernel to the platform, unless there are no durations of it. */
static bool add_kernel(const struct reader *reader, const struct wanted *wanted,
                       GError **error)
{
    struct orr_platform *platform = reader->platform;
    struct orr_starpu_codelet *codelet =
        get_codelet(reader, wanted->file, error);
    struct orr_platform_kernel kernel = {.precision = wanted->precision};

    if (!codelet)
        return false;
    if (!orr_starpu_codelet_take(codelet, &kernel, wanted->operands,
                                 wanted->halved, error)) {
        g_free(kernel.durations);
        return false;
    }
    if (kernel.count == 0 || platform->kernel_count >= ORR_MAX_KERNELS) {
        g_free(kernel.durations);
        return true;
    }
    kernel.family = g_strdup(wanted->family);
    kernel.name = g_strdup(wanted->name);
    kernel.source = describe_source(wanted, kernel.inner);
    orr_platform_kernel_sort(&kernel);
    platform->kernels = g_renew(struct orr_platform_kernel, platform->kernels,
                                platform->kernel_count + 1);
    platform->kernels[platform->kernel_count++] = kernel;
    return true;
}

/* Reads the kernel of a symbol, if the symbol has a file and the platform does
 * not have the kernel from an earlier symbol. */
static bool read_symbol(const struct reader *reader,
                        const struct orr_starpu_symbol *symbol,
                        enum orr_precision precision, GError **error)
{
    g_autofree char *name = orr_starpu_symbol_name(symbol, precision);
    g_autofree char *base =
        name ? g_strconcat(name, ".", reader->host, NULL) : NULL;
    g_autofree char *file =
        base ? orr_starpu_find_file(reader->dir, folders, base) : NULL;
    const struct wanted wanted = {
        .file = file,
        .family = symbol->family,
        .name = symbol->name,
        .precision = precision,
        .operands = symbol->operands,
        .halved = symbol->halved,
    };

    return !file ||
           orr_platform_kernel(reader->platform, symbol->family, symbol->name,
                               precision, NULL) ||
           add_kernel(reader, &wanted, error);
}

/* The kernels of each family come together, single precision first. */
static bool read_symbols(const struct reader *reader, GError **error)
{
    unsigned end;

    for (unsigned begin = 0; begin < orr_starpu_symbol_count; begin = end) {
        const char *family = orr_starpu_symbols[begin].family;

        end = begin;
        while (end < orr_starpu_symbol_count &&
               strcmp(orr_starpu_symbols[end].family, family) == 0)
            end++;
        for (unsigned i = 0; i < 2 * (end - begin); i++) {
            enum orr_precision precision =
                i < end - begin ? ORR_SINGLE : ORR_DOUBLE;

            if (!read_symbol(reader,
                             &orr_starpu_symbols[begin + i % (end - begin)],
                             precision, error))
                return false;
        }
    }
    return true;
}

/*
 * Reads a codelet that is not in the table: durations of tasks on up to 8
 * tiles. If it runs on different numbers of tiles, only the smallest has the
 * name of the symbol.
 */
static bool read_other(const struct reader *reader, const char *symbol,
                       const char *file, GError **error)
{
    for (size_t p = 0; p < strlen(precisions); p++) {
        for (size_t n = 1; n < sizeof(tiles); n++) {
            const struct wanted wanted = {
                .file = file,
                .family = ORR_STARPU_FAMILY,
                .name = symbol,
                .precision = (enum orr_precision)p,
                .operands = tiles + sizeof(tiles) - 1 - n,
            };
            unsigned count = reader->platform->kernel_count;

            if (!add_kernel(reader, &wanted, error))
                return false;
            if (reader->platform->kernel_count > count)
                break;
        }
    }
    return true;
}

static void note(const struct reader *reader, const char *what,
                 GHashTable *names)
{
    g_autofree char *list = orr_starpu_join_names(names);

    if (list)
        g_ptr_array_add(reader->platform->notes,
                        g_strdup_printf("%s: %s", what, list));
}

/* Leaves out the codelet of @file, which cannot be read for the reason @error:
 * the first one with its reason, the others by their names, in @broken. */
static void leave_out(const struct reader *reader, const char *symbol,
                      const char *file, const GError *error, bool *first,
                      GHashTable *broken)
{
    g_hash_table_remove(reader->codelets, file);
    if (*first)
        g_ptr_array_add(reader->platform->notes,
                        g_strdup_printf("left out: %s", error->message));
    else
        g_hash_table_add(broken, g_strdup(symbol));
    *first = false;
}

/*
 * Reads all codelets that are not in the table. Files that cannot be read are
 * left out, because programs may not need them.
 */
static void read_others(const struct reader *reader)
{
    g_autoptr(GHashTable) names = orr_starpu_names_new();
    g_autoptr(GHashTable) left_out = orr_starpu_names_new();
    g_autoptr(GHashTable) broken = orr_starpu_names_new();
    bool first = true;
    g_autofree char *suffix = g_strconcat(".", reader->host, NULL);
    g_autofree const char **sorted = NULL;

    for (size_t i = 0; folders[i]; i++)
        orr_starpu_list_names(names, reader->dir, folders[i], suffix);
    sorted = orr_starpu_sort_names(names);
    for (guint i = 0; sorted[i]; i++) {
        g_autofree char *base = g_strconcat(sorted[i], suffix, NULL);
        g_autofree char *file =
            orr_starpu_find_file(reader->dir, folders, base);
        g_autoptr(GError) error = NULL;

        if (orr_starpu_symbol_knows(sorted[i]))
            continue;
        if (!orr_xml_is_name(sorted[i]) || !file)
            g_hash_table_add(left_out, g_strdup(sorted[i]));
        else if (!read_other(reader, sorted[i], file, &error))
            leave_out(reader, sorted[i], file, error, &first, broken);
    }
    note(reader, "left out, because they cannot be read either", broken);
    note(reader, "left out, because their names are none for kernels",
         left_out);
}

/* The kernel of entries with the footprint @hash of a symbol, which is added if
 * there is none; NULL: its name is too long, or there are too many kernels. */
static struct orr_platform_kernel *get_footprint(const struct reader *reader,
                                                 const char *symbol,
                                                 uint32_t hash,
                                                 const char *file)
{
    g_autofree char *name = orr_starpu_footprint_name(symbol, hash);
    struct orr_platform_kernel *kernel;

    if (!orr_xml_is_name(name))
        return NULL;
    kernel = orr_platform_get_kernel(reader->platform, ORR_STARPU_FAMILY, name,
                                     ORR_SINGLE);
    if (kernel && !kernel->source)
        kernel->source = g_strdup_printf("StarPU, %s", file);
    return kernel;
}

/* Moves the regressions of @codelet, which is called @symbol, to the
 * platform. */
static void take_regressions(const struct reader *reader, const char *symbol,
                             struct orr_starpu_codelet *codelet)
{
    for (guint i = 0; i < codelet->regressions->len; i++) {
        struct orr_regression *regression = codelet->regressions->pdata[i];

        regression->symbol = g_strdup(symbol);
        g_ptr_array_add(reader->platform->regressions, regression);
    }
    g_ptr_array_set_free_func(codelet->regressions, NULL);
}

/* Takes the regressions of @file, and makes kernels of the entries that none
 * has used. Returns how many entries are left out: a footprint has one duration
 * on a device. */
static unsigned read_footprints(const struct reader *reader, const char *file,
                                struct orr_starpu_codelet *codelet)
{
    g_autofree char *base = g_path_get_basename(file);
    unsigned left = 0;

    base[strlen(base) - strlen(reader->host) - 1] = '\0'; /* the symbol */
    take_regressions(reader, base, codelet);
    for (unsigned i = 0; i < codelet->count; i++) {
        struct orr_starpu_entry *entry = &codelet->entries[i];
        struct orr_platform_kernel *kernel =
            entry->taken ? NULL
                         : get_footprint(reader, base, entry->hash, file);

        if (!entry->taken &&
            !(kernel && orr_starpu_codelet_take_entry(entry, kernel)))
            left++;
    }
    return left;
}

/* Makes kernels of all entries that are left, in the order of the files. */
static void read_rest(const struct reader *reader)
{
    g_autoptr(GHashTable) names = orr_starpu_names_new();
    g_autoptr(GList) files = g_list_sort(
        g_hash_table_get_keys(reader->codelets), (GCompareFunc)strcmp);

    for (GList *file = files; file; file = file->next) {
        unsigned left =
            read_footprints(reader, file->data,
                            g_hash_table_lookup(reader->codelets, file->data));

        if (left > 0)
            g_hash_table_add(
                names, g_strdup_printf("%s (%u)", (char *)file->data, left));
    }
    note(reader,
         "left out entries that have the footprint of another one, or too long "
         "a name",
         names);
}

bool orr_starpu_read_kernels(struct orr_platform *platform, const char *dir,
                             const char *host, GError **error)
{
    const struct reader reader = {
        .dir = dir,
        .host = host,
        .platform = platform,
        .codelets =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                  (GDestroyNotify)orr_starpu_codelet_free),
    };
    bool success = read_symbols(&reader, error);

    if (success) {
        read_others(&reader);
        read_rest(&reader);
    }
    g_hash_table_unref(reader.codelets);
    return success;
}

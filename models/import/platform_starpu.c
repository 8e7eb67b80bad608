/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/platform_starpu.h"

#include <stdlib.h>
#include <string.h>

#include "models/base/names.h"
#include "models/import/starpu_private.h"
#include "models/xml/xml.h"

/* A message lists at most so many names. */
enum { SHOWN = 40 };

/*
 * Kernels and their symbols in StarPU. If several symbols are the same kernel,
 * the first one that has a file is taken. Up to version 1.3, StarPU's Cholesky
 * had no syrk: it called gemm (chol_model_22) instead, with twice the
 * operations. When syrk got its own symbol, StarPU's calibrations derived it
 * from gemm by halving the means.
 */
static const struct symbol {
    const char *symbol;
    const char *family;
    const char *name;
    enum orr_precision precision;
    struct orr_starpu_codelet codelet;
} symbols[] = {
    {"chol_model_potrf", "cholesky", "potrf", ORR_SINGLE, {1, 4, false}},
    {"chol_model_11", "cholesky", "potrf", ORR_SINGLE, {1, 4, false}},
    {"chol_model_trsm", "cholesky", "trsm", ORR_SINGLE, {2, 4, false}},
    {"chol_model_21", "cholesky", "trsm", ORR_SINGLE, {2, 4, false}},
    {"chol_model_syrk", "cholesky", "syrk", ORR_SINGLE, {2, 4, false}},
    {"chol_model_22", "cholesky", "syrk", ORR_SINGLE, {3, 4, true}},
    {"chol_model_gemm", "cholesky", "gemm", ORR_SINGLE, {3, 4, false}},
    {"chol_model_22", "cholesky", "gemm", ORR_SINGLE, {3, 4, false}},
    {"dpotrf", "cholesky", "potrf", ORR_DOUBLE, {1, 8, false}},
    {"dtrsm", "cholesky", "trsm", ORR_DOUBLE, {2, 8, false}},
    {"dsyrk", "cholesky", "syrk", ORR_DOUBLE, {2, 8, false}},
    {"dgemm", "cholesky", "gemm", ORR_DOUBLE, {3, 8, false}},
    {"starpu_slu_lu_model_getrf", "lu", "getrf", ORR_SINGLE, {1, 4, false}},
    {"starpu_slu_lu_model_11", "lu", "getrf", ORR_SINGLE, {1, 4, false}},
    {"starpu_slu_lu_model_trsm_ll", "lu", "trsm_ll", ORR_SINGLE, {2, 4, false}},
    {"starpu_slu_lu_model_12", "lu", "trsm_ll", ORR_SINGLE, {2, 4, false}},
    {"starpu_slu_lu_model_trsm_ru", "lu", "trsm_ru", ORR_SINGLE, {2, 4, false}},
    {"starpu_slu_lu_model_21", "lu", "trsm_ru", ORR_SINGLE, {2, 4, false}},
    {"starpu_slu_lu_model_gemm", "lu", "gemm", ORR_SINGLE, {3, 4, false}},
    {"starpu_slu_lu_model_22", "lu", "gemm", ORR_SINGLE, {3, 4, false}},
    {"starpu_dlu_lu_model_getrf", "lu", "getrf", ORR_DOUBLE, {1, 8, false}},
    {"starpu_dlu_lu_model_11", "lu", "getrf", ORR_DOUBLE, {1, 8, false}},
    {"starpu_dlu_lu_model_trsm_ll", "lu", "trsm_ll", ORR_DOUBLE, {2, 8, false}},
    {"starpu_dlu_lu_model_12", "lu", "trsm_ll", ORR_DOUBLE, {2, 8, false}},
    {"starpu_dlu_lu_model_trsm_ru", "lu", "trsm_ru", ORR_DOUBLE, {2, 8, false}},
    {"starpu_dlu_lu_model_21", "lu", "trsm_ru", ORR_DOUBLE, {2, 8, false}},
    {"starpu_dlu_lu_model_gemm", "lu", "gemm", ORR_DOUBLE, {3, 8, false}},
    {"starpu_dlu_lu_model_22", "lu", "gemm", ORR_DOUBLE, {3, 8, false}},
};

bool orr_platform_starpu_knows(const char *symbol)
{
    for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++) {
        if (strcmp(symbols[i].symbol, symbol) == 0)
            return true;
    }
    return false;
}

bool orr_platform_starpu_is(const char *symbol,
                            const struct orr_platform_kernel *kernel)
{
    for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++) {
        if (strcmp(symbols[i].symbol, symbol) == 0 &&
            strcmp(symbols[i].name, kernel->name) == 0 &&
            strcmp(symbols[i].family, kernel->family) == 0 &&
            symbols[i].precision == kernel->precision)
            return true;
    }
    return false;
}

/* The folders of files; the first that has a file is taken. */
static const char *const bus_folders[] = {"bus", ".", NULL};
static const char *const codelet_folders[] = {"codelets/45", "codelets/44",
                                              "codelets", NULL};
static const char *const machine_suffixes[] = {".platform.v4.xml",
                                               ".platform.xml", NULL};

/* A calibration being read. */
struct reader {
    const char *dir;
    const char *host;
    struct orr_platform *platform;
    GPtrArray *notes; /* or NULL */
};

/*
 * Finds @name in the first of @folders that has it. Returns a path relative to
 * @dir, owned, or NULL.
 */
static char *find_file(const char *dir, const char *const *folders,
                       const char *name)
{
    for (; *folders; folders++) {
        g_autofree char *path = g_build_filename(dir, *folders, name, NULL);

        if (!g_file_test(path, G_FILE_TEST_EXISTS))
            continue;
        return strcmp(*folders, ".") == 0
                   ? g_strdup(name)
                   : g_build_filename(*folders, name, NULL);
    }
    return NULL;
}

/* Adds to @names the names of files in @folder, without @suffix. */
static void list_names(GHashTable *names, const char *dir, const char *folder,
                       const char *suffix)
{
    g_autofree char *path = g_build_filename(dir, folder, NULL);
    g_autoptr(GDir) entries = g_dir_open(path, 0, NULL);
    const char *entry;

    while (entries && (entry = g_dir_read_name(entries))) {
        if (g_str_has_suffix(entry, suffix) && entry[0] != '.')
            g_hash_table_add(names,
                             g_strndup(entry, strlen(entry) - strlen(suffix)));
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Joins sorted names: "a, b, c"; owned. NULL if there are none. */
static char *join_names(GHashTable *names)
{
    guint count;
    g_autofree char **sorted =
        (char **)g_hash_table_get_keys_as_array(names, &count);
    g_autoptr(GString) text = g_string_new(NULL);

    qsort(sorted, count, sizeof(*sorted), compare_names);
    for (guint i = 0; i < MIN(count, SHOWN); i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", sorted[i]);
    if (count > SHOWN)
        g_string_append(text, ", ...");
    if (count == 0)
        return NULL;
    return g_utf8_make_valid(text->str, -1);
}

static GHashTable *new_names(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void fail_unknown(const struct reader *reader, GError **error)
{
    g_autoptr(GHashTable) hosts = new_names();
    g_autofree const char **known = NULL;
    g_autofree char *list = NULL;
    g_autofree char *hint = NULL;
    g_autofree char *dir = g_filename_display_name(reader->dir);
    g_autofree char *host = orr_quote(reader->host);

    for (size_t f = 0; bus_folders[f]; f++) {
        for (size_t s = 0; machine_suffixes[s]; s++)
            list_names(hosts, reader->dir, bus_folders[f], machine_suffixes[s]);
    }
    list = join_names(hosts);
    known = (const char **)g_hash_table_get_keys_as_array(hosts, NULL);
    qsort(known, g_hash_table_size(hosts), sizeof(*known), compare_names);
    hint = orr_names_hint(known, reader->host, "");
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "no StarPU calibration of %s%s in %s; there are: %s", host,
                hint, dir, list ? list : "none");
}

/* The path of the file @host@suffix of bus/, owned, or NULL. */
static char *find_bus(const struct reader *reader, const char *suffix)
{
    g_autofree char *name = g_strconcat(reader->host, suffix, NULL);
    g_autofree char *file = find_file(reader->dir, bus_folders, name);

    return file ? g_build_filename(reader->dir, file, NULL) : NULL;
}

char *orr_platform_starpu_file(const char *dir, const char *host)
{
    for (size_t i = 0; machine_suffixes[i]; i++) {
        g_autofree char *name = g_strconcat(host, machine_suffixes[i], NULL);
        char *file = find_file(dir, bus_folders, name);

        if (file)
            return file;
    }
    return NULL;
}

static bool read_machine(const struct reader *reader, GError **error)
{
    g_autofree char *file = orr_platform_starpu_file(reader->dir, reader->host);
    g_autofree char *path = NULL;

    if (!file) {
        fail_unknown(reader, error);
        return false;
    }
    path = g_build_filename(reader->dir, file, NULL);
    return orr_starpu_read_machine(reader->platform, path, error);
}

static bool read_beliefs(const struct reader *reader, GError **error)
{
    g_autofree char *bandwidth = find_bus(reader, ".bandwidth");
    g_autofree char *latency = find_bus(reader, ".latency");
    g_autofree char *dir = g_filename_display_name(reader->dir);

    if (bandwidth && latency)
        return orr_starpu_read_beliefs(reader->platform, bandwidth, latency,
                                       error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "no file %s.%s in %s",
                reader->host, bandwidth ? "latency" : "bandwidth", dir);
    return false;
}

static void note(const struct reader *reader, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static void note(const struct reader *reader, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (reader->notes)
        g_ptr_array_add(reader->notes, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/* Whether the kernel of @symbol was read already, under another symbol. */
static bool is_known(const struct orr_platform *platform,
                     const struct symbol *symbol)
{
    return orr_platform_kernel(platform, symbol->family, symbol->name,
                               symbol->precision, NULL);
}

static bool read_kernel(const struct reader *reader,
                        const struct symbol *symbol, const char *file,
                        GError **error)
{
    struct orr_platform *platform = reader->platform;
    struct orr_platform_kernel *kernel =
        &platform->kernels[platform->kernel_count++];
    g_autofree char *path = g_build_filename(reader->dir, file, NULL);
    unsigned skipped;

    *kernel = (struct orr_platform_kernel){
        .family = g_strdup(symbol->family),
        .name = g_strdup(symbol->name),
        .precision = symbol->precision,
        .source = g_strdup_printf("StarPU, %s%s", file,
                                  symbol->codelet.halved ? ", halved" : ""),
    };
    if (!orr_starpu_read_codelet(kernel, platform->gpu_count, &symbol->codelet,
                                 path, &skipped, error))
        return false;
    orr_platform_kernel_sort(kernel);
    if (skipped > 0)
        note(reader, "%s: left out entries that are not of square tiles: %u",
             file, skipped);
    return true;
}

/* Removes the last kernel if it has no durations. */
static void drop_last_if_empty(struct orr_platform *platform)
{
    struct orr_platform_kernel *kernel =
        &platform->kernels[platform->kernel_count - 1];

    if (kernel->count > 0)
        return;
    g_free(kernel->family);
    g_free(kernel->name);
    g_free(kernel->source);
    g_free(kernel->durations);
    platform->kernel_count--;
}

static bool read_kernels(const struct reader *reader, GError **error)
{
    struct orr_platform *platform = reader->platform;

    platform->kernels =
        g_new0(struct orr_platform_kernel, G_N_ELEMENTS(symbols));
    for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++) {
        g_autofree char *name =
            g_strconcat(symbols[i].symbol, ".", reader->host, NULL);
        g_autofree char *file = find_file(reader->dir, codelet_folders, name);

        if (!file || is_known(platform, &symbols[i]))
            continue;
        if (!read_kernel(reader, &symbols[i], file, error))
            return false;
        drop_last_if_empty(platform);
    }
    return true;
}

/* Notes the files of codelets that are no known kernels. */
static void note_others(const struct reader *reader)
{
    g_autoptr(GHashTable) names = new_names();
    g_autofree char *suffix = g_strconcat(".", reader->host, NULL);
    g_autofree char *list = NULL;

    for (size_t i = 0; codelet_folders[i]; i++)
        list_names(names, reader->dir, codelet_folders[i], suffix);
    for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++)
        g_hash_table_remove(names, symbols[i].symbol);
    list = join_names(names);
    if (list)
        note(reader, "left out, because no application has such a kernel: %s",
             list);
}

static bool read_all(const struct reader *reader, GError **error)
{
    /* It becomes part of paths, so it must not lead to other folders. */
    if (!orr_xml_is_name(reader->host)) {
        fail_unknown(reader, error);
        return false;
    }
    return read_machine(reader, error) && read_beliefs(reader, error) &&
           read_kernels(reader, error);
}

struct orr_platform *orr_platform_starpu_read(const char *dir, const char *host,
                                              GPtrArray *notes, GError **error)
{
    struct reader reader = {
        .dir = dir,
        .host = host,
        .platform = orr_platform_new(),
        .notes = notes,
    };

    reader.platform->name = g_strdup(host);
    reader.platform->path =
        g_strconcat(ORR_PLATFORM_STARPU, dir, ":", host, NULL);
    if (read_all(&reader, error)) {
        note_others(&reader);
        return reader.platform;
    }
    orr_platform_free(reader.platform);
    return NULL;
}

struct orr_platform *orr_platform_starpu_load(const char *name, GError **error)
{
    const char *place = name + strlen(ORR_PLATFORM_STARPU);
    const char *colon = strrchr(place, ':');
    g_autofree char *dir = NULL;
    g_autofree char *quoted = orr_quote(name);

    if (colon && colon > place) {
        dir = g_strndup(place, (size_t)(colon - place));
        return orr_platform_starpu_read(dir, colon + 1, NULL, error);
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "platform %s: expected " ORR_PLATFORM_STARPU "DIR:HOST",
                quoted);
    return NULL;
}

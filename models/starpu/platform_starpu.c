/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/starpu/platform_starpu.h"

#include <string.h>

#include "models/base/names.h"
#include "models/platform/plausibility.h"
#include "models/starpu/starpu_private.h"
#include "models/starpu/starpu_symbols.h"
#include "models/xml/xml.h"

bool orr_platform_starpu_knows(const char *symbol)
{
    return orr_starpu_symbol_knows(symbol);
}

bool orr_platform_starpu_is(const char *symbol,
                            const struct orr_platform_kernel *kernel)
{
    for (unsigned i = 0; i < orr_starpu_symbol_count; i++) {
        const struct orr_starpu_symbol *known = &orr_starpu_symbols[i];
        g_autofree char *name =
            orr_starpu_symbol_name(known, kernel->precision);

        if (name && strcmp(name, symbol) == 0 &&
            strcmp(known->name, kernel->name) == 0 &&
            strcmp(known->family, kernel->family) == 0)
            return true;
    }
    return false;
}

/* The folders and names of files; the first that exists is read. */
static const char *const bus_folders[] = {"bus", ".", NULL};
static const char *const machine_suffixes[] = {".platform.v4.xml",
                                               ".platform.xml", NULL};

/* A calibration being read. */
struct reader {
    const char *dir;
    const char *host;
    struct orr_platform *platform;
};

static void fail_unknown(const struct reader *reader, GError **error)
{
    g_autoptr(GHashTable) hosts = orr_starpu_names_new();
    g_autofree const char **known = NULL;
    g_autofree char *list = NULL;
    g_autofree char *hint = NULL;
    g_autofree char *dir = g_filename_display_name(reader->dir);
    g_autofree char *host = orr_quote(reader->host);

    for (size_t f = 0; bus_folders[f]; f++) {
        for (size_t s = 0; machine_suffixes[s]; s++)
            orr_starpu_list_names(hosts, reader->dir, bus_folders[f],
                                  machine_suffixes[s]);
    }
    list = orr_starpu_join_names(hosts);
    known = orr_starpu_sort_names(hosts);
    hint = orr_names_hint(known, reader->host, "");
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "no StarPU calibration of %s%s in %s; there are: %s", host,
                hint, dir, list ? list : "none");
}

/* The path of the file @host@suffix of bus/, owned, or NULL. */
static char *find_bus(const struct reader *reader, const char *suffix)
{
    g_autofree char *name = g_strconcat(reader->host, suffix, NULL);
    g_autofree char *file =
        orr_starpu_find_file(reader->dir, bus_folders, name);

    return file ? g_build_filename(reader->dir, file, NULL) : NULL;
}

char *orr_platform_starpu_file(const char *dir, const char *host)
{
    for (size_t i = 0; machine_suffixes[i]; i++) {
        g_autofree char *name = g_strconcat(host, machine_suffixes[i], NULL);
        char *file = orr_starpu_find_file(dir, bus_folders, name);

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

static bool read_all(const struct reader *reader, GError **error)
{
    /* The host becomes part of paths, so it must not lead to other folders. */
    if (!orr_xml_is_name(reader->host)) {
        fail_unknown(reader, error);
        return false;
    }
    return read_machine(reader, error) && read_beliefs(reader, error) &&
           orr_starpu_read_kernels(reader->platform, reader->dir, reader->host,
                                   error);
}

struct orr_platform *orr_platform_starpu_read(const char *dir, const char *host,
                                              GError **error)
{
    struct reader reader = {
        .dir = dir,
        .host = host,
        .platform = orr_platform_new(),
    };

    reader.platform->name = g_strdup(host);
    reader.platform->path =
        g_strconcat(ORR_PLATFORM_STARPU, dir, ":", host, NULL);
    if (read_all(&reader, error)) {
        orr_platform_check_plausibility(reader.platform);
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
        return orr_platform_starpu_read(dir, colon + 1, error);
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "platform %s: expected " ORR_PLATFORM_STARPU "DIR:HOST",
                quoted);
    return NULL;
}

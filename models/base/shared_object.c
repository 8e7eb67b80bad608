/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/shared_object.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/base/error.h"

struct orr_shared_object {
    char *path;
    void *handle;
};

bool orr_shared_object_refuse(const struct orr_shared_object *object,
                              GError **error, const char *format, ...)
{
    g_autofree char *why = NULL;
    va_list arguments;

    va_start(arguments, format);
    why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: %s", object->path, why);
    return false;
}

/* Checks the file before dlopen(), which would wait for ever for a writer of a
 * pipe, and has messages of its own for missing files. */
static bool check_file(const struct orr_shared_object *object, GError **error)
{
    struct stat facts;

    if (g_stat(object->path, &facts) == 0 && g_access(object->path, R_OK) == 0)
        return S_ISREG(facts.st_mode) ||
               orr_shared_object_refuse(object, error, "not a regular file");
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", object->path,
                g_strerror(errno));
    return false;
}

/*
 * Has plug-ins find the functions of the library if the host has loaded it with
 * RTLD_LOCAL, as Python does: makes it global. If these functions are in a
 * program, there is nothing to do, and dlopen() finds no library.
 */
static void make_own_symbols_global(void)
{
    static const char here;
    Dl_info own;
    void *library = NULL;

    if (dladdr(&here, &own) != 0)
        library = dlopen(own.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    if (library)
        dlclose(library);
}

/*
 * A name without a slash is a file in the current folder; "./" keeps dlopen()
 * from searching the folders of libraries. RTLD_NOW finds missing
 * symbols now, not in the middle of a run. RTLD_NODELETE keeps the file loaded,
 * so that it is not loaded again if it changes.
 */
static bool load(struct orr_shared_object *object, GError **error)
{
    g_autofree char *here = strchr(object->path, '/')
                                ? NULL
                                : g_strconcat("./", object->path, NULL);
    const char *path = here ? here : object->path;
    const char *why;

    if (!check_file(object, error))
        return false;
    make_own_symbols_global();
    object->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (object->handle)
        return true;
    why = dlerror();
    if (g_str_has_prefix(why, path) && why[strlen(path)] == ':')
        why += strlen(path) + 1;
    return orr_shared_object_refuse(object, error, "cannot be loaded: %s",
                                    why + strspn(why, " "));
}

struct orr_shared_object *orr_shared_object_open(const char *path,
                                                 GError **error)
{
    struct orr_shared_object *object = g_new0(struct orr_shared_object, 1);

    object->path = g_strdup(path);
    if (load(object, error))
        return object;
    orr_shared_object_close(object);
    return NULL;
}

/* The folder of the program or library that this is in; g_free(). */
static char *own_folder(void)
{
    static const char here;
    g_autofree char *file = NULL;
    Dl_info own;

    /* A program that was found by PATH has no folder there, and it may be a
     * link. */
    if (dladdr(&here, &own) != 0 && strchr(own.dli_fname, '/'))
        file = realpath(own.dli_fname, NULL);
    if (!file)
        file = g_file_read_link("/proc/self/exe", NULL);
    return file ? g_path_get_dirname(file) : g_strdup(".");
}

struct orr_shared_object *orr_shared_object_open_library(const char *file,
                                                         GError **error)
{
    struct orr_shared_object *object = g_new0(struct orr_shared_object, 1);
    g_autofree char *folder = own_folder();
    g_autofree char *beside = g_build_filename(folder, file, NULL);
    g_autofree char *in_lib = g_build_filename(folder, "..", "lib", file, NULL);
    const char *const paths[] = {beside, in_lib, file};

    make_own_symbols_global();
    for (size_t i = 0; i < G_N_ELEMENTS(paths) && !object->handle; i++)
        object->handle =
            dlopen(paths[i], RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    object->path = g_strdup(file);
    if (object->handle)
        return object;
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s", dlerror());
    orr_shared_object_close(object);
    return NULL;
}

void orr_shared_object_close(struct orr_shared_object *object)
{
    if (!object)
        return;
    if (object->handle)
        dlclose(object->handle);
    g_free(object->path);
    g_free(object);
}

const void *orr_shared_object_find(const struct orr_shared_object *object,
                                   const char *symbol)
{
    return dlsym(object->handle, symbol);
}

const char *orr_shared_object_path(const struct orr_shared_object *object)
{
    return object->path;
}

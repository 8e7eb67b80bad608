/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "models/base/source_line.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef HAVE_LIBDW
#include <elfutils/libdwfl.h>
#endif

enum { MOST_FRAMES = 32 };

#ifdef HAVE_LIBDW
/* "FILE:LINE" of the address @at in @module; or NULL. Searches all compilation
 * units, as clang writes no table of their addresses. */
static char *line_in(Dwfl_Module *module, uintptr_t at)
{
    Dwarf_Addr bias;

    for (Dwarf_Die *unit = NULL;
         (unit = dwfl_module_nextcu(module, unit, &bias));) {
        Dwarf_Line *line = dwarf_haspc(unit, at - bias) > 0
                               ? dwarf_getsrc_die(unit, at - bias)
                               : NULL;
        const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
        int number;

        if (file && dwarf_lineno(line, &number) == 0) {
            g_autofree char *name = g_path_get_basename(file);

            return g_strdup_printf("%s:%d", name, number);
        }
    }
    return NULL;
}

/* The line of the address @at in the object @path, which is loaded at @base; or
 * NULL. */
static char *find_line(const char *path, uintptr_t base, uintptr_t at)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
    };
    Dwfl *dwfl = dwfl_begin(&callbacks);
    Dwfl_Module *module = dwfl_report_elf(dwfl, path, path, -1, base, false);
    char *line;

    dwfl_report_end(dwfl, NULL, NULL);
    line = module ? line_in(module, at) : NULL;
    dwfl_end(dwfl);
    return line;
}
#else
static char *find_line(const char *path, uintptr_t base, uintptr_t at)
{
    (void)path;
    (void)base;
    (void)at;
    return NULL;
}
#endif

char *orr_source_line(const void *code)
{
    uintptr_t at = (uintptr_t)code - 1; /* within the call */
    g_autofree char *name = NULL;
    uintptr_t base;
    char *line;
    Dl_info info;

    if (!dladdr((const void *)at, &info) || !info.dli_fname)
        return g_strdup("unknown code");
    base = (uintptr_t)info.dli_fbase;
    line = find_line(info.dli_fname, base, at);
    if (line)
        return line;
    name = g_path_get_basename(info.dli_fname);
    return g_strdup_printf("%s+0x%" G_GINTPTR_MODIFIER "x", name, at - base);
}

/* The object that holds @code; zero: not known. */
static Dl_info object_of(const void *code)
{
    Dl_info info;

    if (!dladdr(code, &info))
        memset(&info, 0, sizeof(info));
    return info;
}

/* Whether @object is a library of Orrery, such as the layer of a policy. */
static bool is_library(const Dl_info *object)
{
    g_autofree char *name =
        object->dli_fname ? g_path_get_basename(object->dli_fname) : NULL;

    return name && g_str_has_prefix(name, "liborrery");
}

const void *orr_calling_code(void)
{
    static const char here;
    const Dl_info own = object_of(&here);
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES);
    bool seen = false; /* a frame of this object; sanitizers' come before it */

    for (int i = 0; i < count; i++) {
        const Dl_info object = object_of((const char *)frames[i] - 1);

        if (object.dli_fbase == own.dli_fbase)
            seen = true;
        else if (seen && !is_library(&object))
            return frames[i];
    }
    return NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): for dladdr() */
#define _GNU_SOURCE

#include "models/base/source_line.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>

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
    Dwfl_Line *line = NULL;
    const char *file = NULL;
    char *text = NULL;
    int number = 0;

    dwfl_report_end(dwfl, NULL, NULL);
    if (module)
        line = dwfl_module_getsrc(module, at);
    if (line)
        file = dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
    if (file) {
        g_autofree char *name = g_path_get_basename(file);

        text = g_strdup_printf("%s:%d", name, number);
    }
    dwfl_end(dwfl);
    return text;
}

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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/graphviz.h"

#include <string.h>

#include "apps/picture/picture.h"
#include "models/base/error.h"
#include "models/base/file.h"
#include "models/base/units.h"

static const char *const svg_argv[] = {"dot", "-Tsvg", NULL};
static const char *const png_argv[] = {"dot", "-Tpng", "-Gdpi=144", NULL};

static const struct orr_child svg = {.argv = svg_argv, .package = "graphviz"};
static const struct orr_child png = {.argv = png_argv, .package = "graphviz"};

/* Returns NULL if the script itself is to be written. */
static const struct orr_child *child_for(const char *path)
{
    if (g_str_has_suffix(path, ".svg"))
        return &svg;
    return g_str_has_suffix(path, ".png") ? &png : NULL;
}

bool orr_graphviz_check(const char *path, bool scripts, GError **error)
{
    const struct orr_child *child = child_for(path);
    g_autofree char *quoted = NULL;

    if (child || (scripts && g_str_has_suffix(path, ".dot")))
        return (!child || orr_child_check(child, error)) &&
               orr_file_check(path, error);
    quoted = orr_quote(path);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                scripts ? "%s ends in none of .svg, .png, .dot"
                        : "%s ends neither in .svg nor in .png",
                quoted);
    return false;
}

bool orr_graphviz_save(const char *script, const char *path, GError **error)
{
    const struct orr_child *child = child_for(path);

    if (!child)
        return orr_file_replace(path, script, strlen(script), error);
    return orr_picture_draw(child, script, path, error);
}

/* dot itself escapes special characters of XML. */
void orr_graphviz_append(GString *script, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            g_string_append_c(script, '\\');
        g_string_append_c(script, *text);
    }
}

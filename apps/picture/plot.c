/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/plot.h"

#include <errno.h>
#include <string.h>

#include "apps/picture/picture.h"
#include "apps/picture/plot_layout.h"
#include "apps/picture/plot_script.h"
#include "models/base/error.h"
#include "models/base/file.h"
#include "models/base/units.h"

/* -d ignores ~/.gnuplot, which would change the plots. */
static const char *const argv[] = {"gnuplot", "-d", NULL};
static const struct orr_child gnuplot = {.argv = argv,
                                         .package = "gnuplot-nox"};

/* The format assumed if only data are written. */
#define DEFAULT_SUFFIX ".svg"

static const char *suffix_of(const char *path, GError **error)
{
    const char *suffix = orr_layout_suffix(path);
    g_autofree char *quoted = orr_quote(path);

    if (!suffix)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s does not end in .svg, .pdf or .png", quoted);
    return suffix;
}

bool orr_plot_check(const struct orr_plot_options *options, GError **error)
{
    return (!options->path || (suffix_of(options->path, error) &&
                               orr_child_check(&gnuplot, error) &&
                               orr_file_check(options->path, error))) &&
           (!options->data || orr_folder_check(options->data, error));
}

bool orr_plot_draw(const char *script, const char *path, GError **error)
{
    return orr_picture_draw(&gnuplot, script, path, error);
}

static bool draw(const struct orr_plot *plot, const char *path, double width_cm,
                 GError **error)
{
    const char *suffix = suffix_of(path, error);
    g_autofree char *script = NULL;

    if (!suffix)
        return false;
    script = orr_plot_script(plot, suffix, width_cm, true);
    return orr_plot_draw(script, path, error);
}

static bool write_text(const char *folder, const char *name, const char *suffix,
                       const char *text, GError **error)
{
    g_autofree char *file = g_strconcat(name, suffix, NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);

    return orr_file_replace(path, text, strlen(text), error);
}

static bool write_data(const struct orr_plot *plot,
                       const struct orr_plot_options *options, double width_cm,
                       GError **error)
{
    const char *suffix =
        options->path ? orr_layout_suffix(options->path) : DEFAULT_SUFFIX;
    g_autofree char *csv = orr_plot_csv(plot);
    g_autofree char *script = orr_plot_script(plot, suffix, width_cm, false);

    if (g_mkdir_with_parents(options->data, 0777) != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", options->data,
                    g_strerror(errno));
        return false;
    }
    return write_text(options->data, plot->name, ".csv", csv, error) &&
           write_text(options->data, plot->name, ".gp", script, error);
}

bool orr_plot_save(const struct orr_plot *plot,
                   const struct orr_plot_options *options, GError **error)
{
    double width_cm =
        options->width_cm > 0 ? options->width_cm : ORR_PLOT_PAGE_CM;
    struct orr_plot titled = *plot;

    g_assert(plot->count > 0);
    if (options->title)
        titled.title =
            strcmp(options->title, "none") == 0 ? NULL : options->title;
    return (!options->path || draw(&titled, options->path, width_cm, error)) &&
           (!options->data || write_data(&titled, options, width_cm, error));
}

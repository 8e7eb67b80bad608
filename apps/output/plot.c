/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/plot.h"

#include <math.h>
#include <string.h>

#include "apps/output/picture.h"
#include "models/base/error.h"
#include "models/base/units.h"

/* -d ignores ~/.gnuplot, which would change the plots. */
static const char *const argv[] = {"gnuplot", "-d", NULL};
static const struct orr_child gnuplot = {.argv = argv,
                                         .package = "gnuplot-nox"};

/* Okabe and Ito, Color Universal Design, 2008, without black, and without
   yellow, which is too light on white. Then darker ones for more curves. */
static const char *const colours[] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
    "#5e3c99", "#7f3b08", "#1b4332", "#880e4f", "#616161", "#0d47a1",
};

static const int shapes[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 1, 2};

static const char *const terminals[][2] = {
    {".svg", "svg size 900,500 dynamic background '#ffffff' "
             "font 'Helvetica,Arial,sans-serif,15' noenhanced linewidth 1.2"},
    {".png", "pngcairo size 1800,1000 noenhanced font 'Sans,13' "
             "fontscale 1.6 linewidth 2.4 pointscale 2"},
};

static const char *terminal_for(const char *path, GError **error)
{
    g_autofree char *quoted = NULL;

    for (size_t i = 0; i < G_N_ELEMENTS(terminals); i++) {
        if (g_str_has_suffix(path, terminals[i][0]))
            return terminals[i][1];
    }
    quoted = orr_quote(path);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s ends neither in .svg nor in .png", quoted);
    return NULL;
}

bool orr_plot_check(const char *path, GError **error)
{
    return terminal_for(path, error) && orr_child_check(&gnuplot, error);
}

/* gnuplot expands nothing inside single quotes; a quote is doubled. */
static void append_text(GString *script, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);

    g_string_append_c(script, '\'');
    for (const char *c = valid; *c; c++) {
        if (*c == '\'')
            g_string_append(script, "''");
        else
            g_string_append_c(script, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    g_string_append_c(script, '\'');
}

static void append_number(GString *script, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    /* gnuplot reads this as a missing value. */
    if (!isfinite(number))
        g_string_append(script, " NaN");
    else
        g_string_append_printf(
            script, " %s",
            g_ascii_formatd(text, sizeof(text), "%.12g", number));
}

/* Columns: x, y, low, high, from, to. */
static void append_data(GString *script, unsigned index,
                        const struct orr_curve *curve)
{
    const double half = 0.4;

    g_string_append_printf(script, "$data%u << END\n", index);
    for (unsigned i = 0; i < curve->count; i++) {
        double x = curve->x[i], y = curve->y[i];

        append_number(script, x);
        append_number(script, y);
        append_number(script, curve->low ? curve->low[i] : y);
        append_number(script, curve->high ? curve->high[i] : y);
        append_number(script, curve->from ? curve->from[i] : x - half);
        append_number(script, curve->to ? curve->to[i] : x + half);
        g_string_append_c(script, '\n');
    }
    g_string_append(script, "END\n");
}

static void append_axis(GString *script, char letter,
                        const struct orr_axis *axis)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    if (axis->label) {
        g_string_append_printf(script, "set %clabel ", letter);
        append_text(script, axis->label);
        g_string_append_c(script, '\n');
    }
    if (axis->logarithmic)
        g_string_append_printf(script, "set logscale %c\n", letter);
    else if (axis->from_zero)
        g_string_append_printf(script, "set %crange [0:*]\n", letter);
    if (axis->end > 0)
        g_string_append_printf(
            script, "set %crange [:%s]\n", letter,
            g_ascii_formatd(text, sizeof(text), "%.12g", axis->end));
    if (!axis->names)
        return;
    g_string_append_printf(script, "set %ctics () nomirror\n", letter);
    for (unsigned i = 0; axis->names[i]; i++) {
        g_string_append_printf(script, "set %ctics add (", letter);
        append_text(script, axis->names[i]);
        g_string_append_printf(script, " %u)\n", i);
    }
    g_string_append_printf(script, "set %crange [-0.6:%u.6]\n", letter,
                           MAX(g_strv_length((char **)axis->names), 1) - 1);
}

static void append_band(GString *script, unsigned index, const char *colour)
{
    g_string_append_printf(script,
                           "$data%u using 1:3:4 with filledcurves "
                           "fillstyle transparent solid 0.18 noborder "
                           "linecolor rgb '%s' notitle, \\\n",
                           index, colour);
}

static void append_strokes(GString *script, unsigned index)
{
    g_string_append_printf(script,
                           "$data%u using 1:3:(0):($4 - $3) with vectors "
                           "nohead linecolor rgb '#202020' notitle, \\\n",
                           index);
}

/* @nth: index among the curves of its kind. Bands are drawn below curves. */
static void append_curve(GString *script, unsigned index, unsigned nth,
                         const struct orr_curve *curve)
{
    const char *colour = colours[nth % G_N_ELEMENTS(colours)];
    int shape = shapes[nth % G_N_ELEMENTS(shapes)];

    if (curve->low && curve->style == ORR_CURVE_LINE)
        append_band(script, index, colour);
    g_string_append_printf(script, "$data%u using ", index);
    switch (curve->style) {
    case ORR_CURVE_LINE:
        g_string_append_printf(script,
                               "1:2 with linespoints linecolor rgb '%s' "
                               "linewidth 1.6 pointtype %d pointsize 0.7 ",
                               colour, shape);
        break;
    case ORR_CURVE_DASHED:
        g_string_append_printf(script,
                               "1:2 with lines linecolor rgb '#404040' "
                               "linewidth 1.4 dashtype %u ",
                               2 + nth % 4);
        break;
    case ORR_CURVE_POINTS:
        g_string_append_printf(script,
                               "1:2 with points linecolor rgb '%s' "
                               "pointtype %d pointsize 0.7 ",
                               colour, shape);
        break;
    case ORR_CURVE_BARS:
        g_string_append_printf(script,
                               "(($5 + $6) / 2):2:($6 - $5) with boxes "
                               "linecolor rgb '%s' fillstyle solid 0.55 "
                               "border linecolor rgb '%s' ",
                               colour, colour);
        break;
    }
    g_string_append(script, curve->title ? "title " : "notitle");
    if (curve->title)
        append_text(script, curve->title);
    g_string_append(script, ", \\\n");
    if (curve->low && curve->style != ORR_CURVE_LINE)
        append_strokes(script, index);
}

static bool is_bound(const struct orr_curve *curve)
{
    return curve->style == ORR_CURVE_DASHED;
}

/* On a logarithmic axis, leaves room below the lowest bar. */
static void append_floor(GString *script, const struct orr_plot *plot)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    double least = INFINITY;

    for (unsigned c = 0; c < plot->count; c++) {
        const struct orr_curve *curve = &plot->curves[c];

        for (unsigned i = 0; i < curve->count; i++) {
            if (curve->style == ORR_CURVE_BARS && curve->y[i] > 0)
                least = MIN(least, curve->y[i]);
        }
    }
    if (plot->y.logarithmic && isfinite(least))
        g_string_append_printf(
            script, "set yrange [%s:*]\n",
            g_ascii_formatd(text, sizeof(text), "%.12g", least / 2));
}

static void append_curves(GString *script, const struct orr_plot *plot)
{
    unsigned nth[2] = {0, 0}; /* curves with a colour, and bounds */

    for (unsigned i = 0; i < plot->count; i++)
        append_data(script, i, &plot->curves[i]);
    g_string_append(script, "plot ");
    for (unsigned i = 0; i < plot->count; i++)
        append_curve(script, i, nth[is_bound(&plot->curves[i])]++,
                     &plot->curves[i]);
    g_string_truncate(script, script->len - strlen(", \\\n"));
    g_string_append(script, "\n");
}

static char *write_script(const struct orr_plot *plot, const char *terminal)
{
    GString *script = g_string_new("set encoding utf8\n");

    g_string_append_printf(script, "set terminal %s\n", terminal);
    g_string_append(script,
                    "set grid back linecolor rgb '#c8c8c8'\n"
                    "set border 3 linecolor rgb '#404040'\n"
                    "set tics nomirror\n"
                    "set key outside right top Left reverse samplen 2.5\n"
                    "set bars small\n");
    if (plot->title) {
        g_string_append(script, "set title ");
        append_text(script, plot->title);
        g_string_append_c(script, '\n');
    }
    if (!plot->y.logarithmic)
        g_string_append(script, "set offsets 0, 0, graph 0.04, 0\n");
    append_axis(script, 'x', &plot->x);
    append_axis(script, 'y', &plot->y);
    append_floor(script, plot);
    append_curves(script, plot);
    return g_string_free(script, FALSE);
}

bool orr_plot_save(const struct orr_plot *plot, const char *path,
                   GError **error)
{
    const char *terminal = terminal_for(path, error);
    g_autofree char *script = NULL;

    g_assert(plot->count > 0);
    if (!terminal)
        return false;
    script = write_script(plot, terminal);
    return orr_picture_draw(&gnuplot, script, path, error);
}

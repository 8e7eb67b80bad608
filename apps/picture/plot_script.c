/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/plot_script.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "apps/picture/plot_layout.h"
#include "apps/picture/plot_look.h"
#include "apps/picture/plot_text.h"

static void append_value(GString *csv, double number)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append_c(csv, ',');
    if (isfinite(number))
        g_ascii_formatd(digits, sizeof(digits), "%.12g", number);
    g_string_append(csv, isfinite(number) ? digits : "NaN");
}

/* Appends the last field of a line. gnuplot does not read it. */
static void append_name(GString *csv, const char *name)
{
    g_autofree char *valid = g_utf8_make_valid(name, -1);

    g_string_append(csv, ",\"");
    for (const char *c = valid; *c; c++) {
        g_string_append_c(csv, g_ascii_iscntrl(*c) ? ' ' : *c);
        if (*c == '"')
            g_string_append_c(csv, *c);
    }
    g_string_append(csv, "\"\n");
}

static void append_element(GString *csv, const double *values, unsigned i)
{
    append_value(csv, values ? values[i] : NAN);
}

static void append_rows(GString *csv, const struct orr_plot *plot,
                        unsigned index)
{
    const struct orr_curve *curve = &plot->curves[index];

    for (unsigned i = 0; i < curve->count; i++) {
        const char *name = curve->title;

        if (!name)
            name = plot->rows ? plot->rows[(unsigned)curve->y[i]] : "";
        g_string_append_printf(csv, "%u", index);
        append_element(csv, curve->x, i);
        append_element(csv, curve->y, i);
        append_element(csv, curve->low, i);
        append_element(csv, curve->high, i);
        append_element(csv, curve->from, i);
        append_element(csv, curve->to, i);
        append_name(csv, name);
    }
}

char *orr_plot_csv(const struct orr_plot *plot)
{
    GString *csv = g_string_new(NULL);

    g_string_append_printf(csv, "curve,%s,%s,low,high,from,to,name\n",
                           plot->x.column, plot->y.column);
    for (unsigned i = 0; i < plot->count; i++)
        append_rows(csv, plot, i);
    return g_string_free(csv, FALSE);
}

/* A script under construction. */
struct script {
    const struct orr_plot *plot;
    GString *text;
    const char *data; /* gnuplot's name of the data */
};

/* Appends the label of the x axis, below it the note, and half a line that
 * keeps the legend away from both. */
static void append_label(GString *text, const struct orr_plot *plot,
                         unsigned characters)
{
    g_string_append(text, "set xlabel offset 0,0.6 ");
    orr_plot_text(text, plot->x.label);
    if (plot->note) {
        g_string_append(text, ".\"\\n\".");
        orr_plot_lines(text, plot->note, characters);
    }
    g_string_append(text, ".\"\\n \"\n");
}

static void append_ends(GString *text, char letter, const struct orr_axis *axis)
{
    g_string_append_printf(text, "set %crange [%s:", letter,
                           axis->from_zero ? "0" : "*");
    if (axis->end > 0)
        orr_plot_number(text, axis->end);
    else
        g_string_append_c(text, '*');
    g_string_append(text, "]\n");
}

/* Row 0 is at the top. */
static void append_names(GString *text, const char *const *rows)
{
    unsigned count = 0;

    g_string_append(text,
                    "set grid noytics\nset xtics out\nset ytics () scale 0\n");
    for (; rows[count]; count++) {
        g_string_append(text, "set ytics add ");
        orr_plot_tick(text, rows[count], count);
        g_string_append_c(text, '\n');
    }
    g_string_append_printf(text, "set yrange [%u.5:-0.5]\n", count - 1);
}

/* Appends the values of curve @index, to be drawn with the style @format:
 * @first is x or what is computed from it, @others the other columns. */
static void G_GNUC_PRINTF(5, 6)
    append_values(struct script *script, unsigned index, const char *first,
                  const char *others, const char *format, ...)
{
    va_list args;

    g_string_append_printf(script->text,
                           "%s skip 1 using ($1 == %u ? %s : NaN):%s with ",
                           script->data, index, first, others);
    va_start(args, format);
    g_string_append_vprintf(script->text, format, args);
    va_end(args);
}

static void append_line(struct script *script, unsigned index,
                        const struct orr_curve *curve)
{
    struct orr_look look = orr_look(curve->look);

    if (curve->low)
        append_values(script, index, "$2", "4:5",
                      "filledcurves fillstyle transparent solid 0.2 noborder "
                      "linecolor rgb '%s' notitle, \\\n",
                      look.colour);
    append_values(script, index, "$2", "3",
                  "linespoints linecolor rgb '%s' linewidth 1.5 dashtype %d "
                  "pointtype %d pointsize 0.6 ",
                  look.colour, look.dashes, look.shape);
}

/* Appends bars, and the strokes of their ranges. */
static void append_lying(struct script *script, unsigned index,
                         const struct orr_curve *curve)
{
    append_values(script, index, "$2 / 2", "3:(0):2:($3 - 0.36):($3 + 0.36)",
                  "boxxyerror linecolor rgb '#1b2a80' fillstyle solid 0.35 ");
    if (curve->low) {
        g_string_append(script->text, "notitle, \\\n");
        append_values(script, index, "$4", "3:($5 - $4):(0)",
                      "vectors heads size graph 0.006,90 linecolor rgb "
                      "'#000000' linewidth 1.2 ");
    }
}

/* Appends the values of bars in white boxes, over the lines of bounds. */
static void append_labels(struct script *script, unsigned index,
                          const struct orr_curve *curve)
{
    g_string_append(script->text, ", \\\n");
    append_values(script, index, curve->low ? "($5 > $2 ? $5 : $2)" : "$2",
                  "3:(sprintf($2 < 100 ? '%.3g' : '%.1f', $2))",
                  "labels left boxed offset char 0.8,0 notitle");
}

/* @bound: index among the bounds. */
static void append_curve(struct script *script, unsigned index, unsigned bound)
{
    const struct orr_curve *curve = &script->plot->curves[index];
    struct orr_look look = orr_look(curve->look);

    switch (curve->style) {
    case ORR_CURVE_LINE:
        append_line(script, index, curve);
        break;
    case ORR_CURVE_DASHED:
        append_values(
            script, index, "$2", "3",
            "lines linecolor rgb '#505050' linewidth 1.3 dashtype %u ",
            2 + bound % 4);
        break;
    case ORR_CURVE_PREDICTED:
        append_values(script, index, "$2", "3",
                      "lines linecolor rgb '%s' linewidth 1.5 dashtype '-' ",
                      look.colour);
        break;
    case ORR_CURVE_POINTS:
        append_values(script, index, "$2", "3",
                      "points linecolor rgb '#000000' linewidth 1.5 pointtype "
                      "%d pointsize 0.9 ",
                      look.shape);
        break;
    case ORR_CURVE_BARS:
        append_values(script, index, "($6 + $7) / 2", "3:($7 - $6)",
                      "boxes linecolor rgb '%s' fillstyle solid 0.35 ",
                      look.colour);
        break;
    case ORR_CURVE_ROWS:
        append_lying(script, index, curve);
        break;
    }
    g_string_append(script->text, curve->title ? "title " : "notitle");
    if (curve->title)
        orr_plot_text(script->text, curve->title);
}

static void append_curves(struct script *script)
{
    unsigned bounds = 0;

    g_string_append(script->text, "plot ");
    for (unsigned i = 0; i < script->plot->count; i++) {
        g_string_append(script->text, i > 0 ? ", \\\n" : "");
        append_curve(script, i, bounds);
        bounds += script->plot->curves[i].style == ORR_CURVE_DASHED;
    }
    for (unsigned i = 0; i < script->plot->count; i++) {
        if (script->plot->curves[i].style == ORR_CURVE_ROWS)
            append_labels(script, i, &script->plot->curves[i]);
    }
    g_string_append_c(script->text, '\n');
}

static void append_settings(GString *text, const struct orr_plot *plot,
                            const struct orr_layout *layout)
{
    g_string_append(text, "set encoding utf8\n"
                          "set datafile separator comma\n"
                          "set grid back linecolor rgb '#d0d0d0'\n"
                          "set border 3 linecolor rgb '#404040'\n"
                          "set tics nomirror\n"
                          "set style textbox opaque noborder margins 0.2,0.2\n"
                          "set offsets 0, 0, graph 0.04, 0\n");
    g_string_append_printf(text,
                           "set key bmargin center horizontal Left reverse "
                           "samplen 3 maxcols %u width ",
                           layout->legend_columns);
    orr_plot_number(text, layout->legend_width);
    g_string_append_c(text, '\n');
    if (plot->title) {
        g_string_append(text, "set title ");
        orr_plot_lines(text, plot->title, layout->characters);
        g_string_append_c(text, '\n');
    }
    append_label(text, plot, layout->characters);
    append_ends(text, 'x', &plot->x);
    if (layout->x_step > 0) {
        g_string_append(text, "set xtics ");
        orr_plot_number(text, layout->x_step);
        g_string_append_c(text, '\n');
    }
    append_ends(text, 'y', &plot->y);
    if (plot->y.label) {
        g_string_append(text, "set ylabel ");
        orr_plot_text(text, plot->y.label);
        g_string_append_c(text, '\n');
    }
    if (plot->rows)
        append_names(text, plot->rows);
}

/* The name of the plot is ours: letters. */
static void append_files(struct script *script, const char *suffix)
{
    const char *name = script->plot->name;

    g_string_append_printf(script->text,
                           "# Draws %s%s from %s.csv: gnuplot %s.gp\n"
                           "set output '%s%s'\n"
                           "data = '%s.csv'\n",
                           name, suffix, name, name, name, suffix, name);
}

char *orr_plot_script(const struct orr_plot *plot, const char *suffix,
                      double width_cm, bool alone)
{
    struct script script = {
        .plot = plot,
        .text = g_string_new(NULL),
        .data = alone ? "$data" : "data",
    };
    struct orr_layout layout;

    orr_layout_init(&layout, plot, width_cm);
    orr_layout_terminal(script.text, &layout, suffix);
    append_settings(script.text, plot, &layout);
    if (alone) {
        g_autofree char *csv = orr_plot_csv(plot);

        g_string_append_printf(script.text, "$data << END\n%sEND\n", csv);
    } else {
        append_files(&script, suffix);
    }
    append_curves(&script);
    return g_string_free(script.text, FALSE);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/plot_script.h"

#include <math.h>
#include <string.h>

#include "apps/picture/plot_commands.h"
#include "apps/picture/plot_layout.h"
#include "apps/picture/plot_panels.h"

static void append_value(GString *csv, double number)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append_c(csv, ',');
    if (isfinite(number))
        g_ascii_formatd(digits, sizeof(digits), "%.12g", number);
    g_string_append(csv, isfinite(number) ? digits : "NaN");
}

/* Appends a field at the end of a line. gnuplot does not read it. */
static void append_name(GString *csv, const char *name)
{
    g_autofree char *valid = g_utf8_make_valid(name, -1);

    g_string_append(csv, ",\"");
    for (const char *c = valid; *c; c++) {
        g_string_append_c(csv, g_ascii_iscntrl(*c) ? ' ' : *c);
        if (*c == '"')
            g_string_append_c(csv, *c);
    }
    g_string_append_c(csv, '"');
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
        if (plot->scale)
            append_element(csv, curve->value, i);
        append_name(csv, name);
        if (plot->panels)
            append_name(csv, plot->panels[curve->panel]);
        g_string_append_c(csv, '\n');
    }
}

char *orr_plot_csv(const struct orr_plot *plot)
{
    GString *csv = g_string_new(NULL);

    g_string_append_printf(csv, "curve,%s,%s,low,high,from,to%s,name%s\n",
                           plot->x.column, plot->y.column,
                           plot->scale ? ",value" : "",
                           plot->panels ? ",panel" : "");
    for (unsigned i = 0; i < plot->count; i++)
        append_rows(csv, plot, i);
    return g_string_free(csv, FALSE);
}

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

static const char common_settings[] = "set encoding utf8\n"
                                      "set datafile separator comma\n"
                                      "set grid back linecolor rgb '#d0d0d0'\n"
                                      "set border 3 linecolor rgb '#404040'\n"
                                      "set tics nomirror\n";

static void append_settings(GString *text, const struct orr_plot *plot,
                            const struct orr_layout *layout)
{
    g_string_append(text, "set style textbox opaque noborder margins 0.2,0.2\n"
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
static void append_files(struct orr_plot_commands *script, const char *suffix)
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
    struct orr_plot_commands script = {
        .plot = plot,
        .text = g_string_new(NULL),
        .data = alone ? "$data" : "data",
    };
    struct orr_layout layout;
    struct orr_panels panels;

    orr_layout_init(&layout, plot, width_cm);
    /* gnuplot knows the widths of texts in other pictures. */
    if (strcmp(suffix, ".svg") != 0)
        layout.legend_width = 0;
    if (orr_plot_has_panels(plot))
        orr_panels_init(&panels, &layout, plot);
    orr_layout_terminal(script.text, &layout, suffix);
    g_string_append(script.text, common_settings);
    if (!orr_plot_has_panels(plot))
        append_settings(script.text, plot, &layout);
    if (alone) {
        g_autofree char *csv = orr_plot_csv(plot);

        g_string_append_printf(script.text, "$data << END\n%sEND\n", csv);
    } else {
        append_files(&script, suffix);
    }
    if (orr_plot_has_panels(plot))
        orr_panels_append(&script, &panels, &layout);
    else
        orr_plot_curves(&script);
    return g_string_free(script.text, FALSE);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/plot_layout.h"

#include <math.h>
#include <string.h>

/* The height of a line of text, and the mean width of a character: shares of
   the font size. */
#define LINE_HEIGHT 1.3
#define CHARACTER_WIDTH 0.56
#define CM_PER_PT (2.54 / 72)

/* The width of a picture with a smaller font. */
#define NARROW_CM 12

/* gnuplot overestimates the width of titles in the legend by this share; and
 * the space that each title needs beside its text, in characters. */
#define EXCESS 0.18
enum { LEGEND_SAMPLE = 7 };

/* Height of the area of curves, as a share of the width of the picture, and at
   least. */
#define AREA_HEIGHT 0.46
#define LEAST_CM 4.8

/* Share of the width that is left beside the labels of the y axis. */
#define AREA_WIDTH 0.9

/* Heights in lines: a row with its distance to the next one, all rows, and the
   axis with
   its label and the margins. */
#define ROW_LINES 1.45
#define LEAST_LINES 3.5
#define AXIS_LINES 5.2

/* A label of the x axis with the distance to the next one, in characters. */
enum { TICK_WIDTH = 9 };

/* The kinds of pictures, and the units in which gnuplot takes sizes. */
struct terminal {
    const char *suffix;
    const char *name;
    const char *unit;
    double units_per_cm;
    const char *font;
    double font_per_pt;
    const char *options;
};

static const struct terminal terminals[] = {
    {".svg", "svg", "", 96 / 2.54, "Helvetica,Arial,sans-serif", 96.0 / 72,
     "fixed background '#ffffff'"},
    {".pdf", "pdfcairo", "cm", 1, "Sans", 1, "fontscale 0.75 linewidth 2"},
    {".png", "pngcairo", "", 300 / 2.54, "Sans", 300.0 / 88,
     "fontscale 1 linewidth 3 pointscale 3"},
};

const char *orr_layout_suffix(const char *path)
{
    for (size_t i = 0; i < G_N_ELEMENTS(terminals); i++) {
        if (g_str_has_suffix(path, terminals[i].suffix))
            return terminals[i].suffix;
    }
    return NULL;
}

gsize orr_layout_break(const char *text, unsigned characters)
{
    const char *blank = NULL;
    unsigned count = 0;

    for (const char *c = text; *c; c = g_utf8_next_char(c)) {
        if (*c == ' ')
            blank = c;
        if (++count > characters && blank)
            return (gsize)(blank - text);
    }
    return strlen(text);
}

unsigned orr_layout_count(const char *text, unsigned characters)
{
    unsigned count = 0;

    for (; *text; count++) {
        text += orr_layout_break(text, characters);
        text += *text == ' ';
    }
    return count;
}

static unsigned width_of(const char *text)
{
    return text ? (unsigned)g_utf8_strlen(text, -1) : 0;
}

bool orr_layout_is_new(const struct orr_plot *plot, unsigned index)
{
    const char *title = plot->curves[index].title;

    for (unsigned i = 0; title && i < index; i++) {
        if (g_strcmp0(plot->curves[i].title, title) == 0)
            return false;
    }
    return title;
}

static void arrange_legend(struct orr_layout *layout,
                           const struct orr_plot *plot)
{
    unsigned widest = 0;
    unsigned entries = 0;

    for (unsigned i = 0; i < plot->count; i++) {
        entries += orr_layout_is_new(plot, i);
        widest = MAX(widest, width_of(plot->curves[i].title));
    }
    layout->legend_columns = CLAMP((unsigned)(layout->characters / AREA_WIDTH) /
                                       (widest + LEGEND_SAMPLE),
                                   1, entries + 1);
    layout->legend_width = -EXCESS * widest;
    layout->legend_lines =
        (entries + layout->legend_columns - 1) / layout->legend_columns;
}

double orr_layout_step(double range, unsigned characters)
{
    unsigned labels = MAX(characters / TICK_WIDTH, 2);
    double least = range / labels;
    double step = pow(10, floor(log10(least)));

    if (5 * step < least)
        return 10 * step;
    if (2 * step < least)
        return 5 * step;
    return step < least ? 2 * step : step;
}

/* Returns the step of the x axis: of the speeds of rows, or of curves. */
static double step_of(const struct orr_plot *plot, unsigned characters)
{
    double least = plot->rows ? 0 : INFINITY;
    double most = plot->rows ? plot->x.end : -INFINITY;

    for (unsigned c = 0; !plot->rows && c < plot->count; c++) {
        for (unsigned i = 0; i < plot->curves[c].count; i++) {
            least = fmin(least, plot->curves[c].x[i]);
            most = fmax(most, plot->curves[c].x[i]);
        }
    }
    return isfinite(most - least) && most > least
               ? orr_layout_step(most - least, characters)
               : 0;
}

double orr_layout_line(const struct orr_layout *layout)
{
    return layout->font_pt * CM_PER_PT * LINE_HEIGHT;
}

double orr_layout_character(const struct orr_layout *layout)
{
    return layout->font_pt * CM_PER_PT * CHARACTER_WIDTH;
}

void orr_layout_init(struct orr_layout *layout, const struct orr_plot *plot,
                     double width_cm)
{
    double font_pt = width_cm < NARROW_CM ? 8 : 9;
    double lines = AXIS_LINES;

    *layout = (struct orr_layout){
        .width_cm = width_cm,
        .font_pt = font_pt,
    };
    layout->characters =
        (unsigned)(AREA_WIDTH * width_cm / orr_layout_character(layout));
    layout->x_step = step_of(plot, layout->characters);
    arrange_legend(layout, plot);
    lines += layout->legend_lines;
    if (plot->title)
        lines += orr_layout_count(plot->title, layout->characters);
    if (plot->note)
        lines += orr_layout_count(plot->note, layout->characters);
    if (plot->rows)
        lines +=
            fmax(ROW_LINES * g_strv_length((char **)plot->rows), LEAST_LINES);
    layout->height_cm = lines * orr_layout_line(layout);
    if (!plot->rows)
        layout->height_cm += fmax(width_cm * AREA_HEIGHT, LEAST_CM);
}

static void append_number(GString *script, double number)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append(script,
                    g_ascii_formatd(digits, sizeof(digits), "%.2f", number));
}

void orr_layout_terminal(GString *script, const struct orr_layout *layout,
                         const char *suffix)
{
    const struct terminal *terminal = terminals;

    while (strcmp(terminal->suffix, suffix) != 0)
        terminal++;
    g_string_append_printf(script, "set terminal %s size ", terminal->name);
    append_number(script, layout->width_cm * terminal->units_per_cm);
    g_string_append_printf(script, "%s,", terminal->unit);
    append_number(script, layout->height_cm * terminal->units_per_cm);
    g_string_append_printf(script, "%s font '%s,", terminal->unit,
                           terminal->font);
    append_number(script, layout->font_pt * terminal->font_per_pt);
    g_string_append_printf(script, "' noenhanced %s\n", terminal->options);
}

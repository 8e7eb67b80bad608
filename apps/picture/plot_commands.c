/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts of scripts of gnuplot: looks of curves, text and numbers as literals,
 * and the plot command with its curves. */
#include "apps/picture/plot_commands.h"

#include <stdarg.h>
#include <string.h>

#include "apps/picture/plot_layout.h"

/* Colours of each group of four go from dark to light, so that they differ in
   grey; groups differ in their dashes. Shapes alternate between filled ones and
   outlines. */
static const struct orr_look looks[ORR_LOOKS] = {
    {"#1b2a80", 1, 7},  {"#c8321e", 1, 4},  {"#35b08f", 1, 9},
    {"#e9a820", 1, 12}, {"#5b1a6b", 2, 5},  {"#1e7a3c", 2, 6},
    {"#4a90d9", 2, 13}, {"#e58fb0", 2, 8},  {"#5a3410", 4, 11},
    {"#3f5f7f", 4, 2},  {"#a468bd", 4, 15}, {"#80c8cc", 4, 10},
};

struct orr_look orr_look(unsigned index)
{
    static const int more[] = {1, 3, 5};
    struct orr_look look = looks[index % ORR_LOOKS];

    if (index >= ORR_LOOKS)
        look.dashes = more[index / ORR_LOOKS % 3];
    return look;
}

/* gnuplot expands nothing inside single quotes; a quote is doubled. */
static void append_part(GString *text, const char *part, gsize length)
{
    g_autofree char *valid = g_utf8_make_valid(part, (gssize)length);

    g_string_append_c(text, '\'');
    for (const char *c = valid; *c; c++) {
        if (*c == '\'')
            g_string_append(text, "''");
        else
            g_string_append_c(text, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    g_string_append_c(text, '\'');
}

void orr_plot_text(GString *text, const char *what)
{
    append_part(text, what, strlen(what));
}

/* gnuplot takes such labels for formats of numbers. */
void orr_plot_tick(GString *text, const char *what, double at)
{
    g_autoptr(GString) escaped = g_string_new(what);

    g_string_replace(escaped, "%", "%%", 0);
    g_string_append_c(text, '(');
    orr_plot_text(text, escaped->str);
    g_string_append_c(text, ' ');
    orr_plot_number(text, at);
    g_string_append_c(text, ')');
}

void orr_plot_number(GString *text, double number)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append(text,
                    g_ascii_formatd(digits, sizeof(digits), "%.12g", number));
}

void orr_plot_lines(GString *text, const char *what, unsigned characters)
{
    g_string_append(text, "''");
    while (*what) {
        gsize length = orr_layout_break(what, characters);

        g_string_append_c(text, '.');
        append_part(text, what, length);
        what += length;
        if (*what == ' ') {
            g_string_append(text, ".\"\\n\"");
            what++;
        }
    }
}

/* Appends the values of curve @index, to be drawn with the style @format:
 * @first is x or an expression with it, @others the other columns. */
static void G_GNUC_PRINTF(5, 6)
    append_values(struct orr_plot_commands *commands, unsigned index,
                  const char *first, const char *others, const char *format,
                  ...)
{
    va_list args;

    if (commands->legend)
        g_string_append(commands->text, "1/0 with ");
    else
        g_string_append_printf(commands->text,
                               "%s skip 1 using ($1 == %u ? %s : NaN):%s with ",
                               commands->data, index, first, others);
    va_start(args, format);
    g_string_append_vprintf(commands->text, format, args);
    va_end(args);
}

/* Appends the band of a curve, to be drawn below all lines. */
static void append_band(struct orr_plot_commands *commands, unsigned index,
                        const struct orr_curve *curve)
{
    append_values(commands, index, "$2", "4:5",
                  "filledcurves fillstyle transparent solid 0.2 noborder "
                  "linecolor rgb '%s' notitle, \\\n",
                  orr_look(curve->look).colour);
}

static void append_line(struct orr_plot_commands *commands, unsigned index,
                        const struct orr_curve *curve)
{
    struct orr_look look = orr_look(curve->look);

    append_values(commands, index, "$2", "3",
                  "linespoints linecolor rgb '%s' linewidth 1.5 dashtype %d "
                  "pointtype %d pointsize 0.6 ",
                  look.colour, look.dashes, look.shape);
}

/* Appends bars, and the strokes of their ranges. */
static void append_lying(struct orr_plot_commands *commands, unsigned index,
                         const struct orr_curve *curve)
{
    append_values(commands, index, "$2 / 2", "3:(0):2:($3 - 0.36):($3 + 0.36)",
                  "boxxyerror linecolor rgb '#1b2a80' fillstyle solid 0.35 ");
    if (curve->low) {
        g_string_append(commands->text, "notitle, \\\n");
        append_values(commands, index, "$4", "3:($5 - $4):(0)",
                      "vectors heads size graph 0.006,90 linecolor rgb "
                      "'#000000' linewidth 1.2 ");
    }
}

/* Appends the values of bars in white boxes, over the lines of bounds. */
static void append_labels(struct orr_plot_commands *commands, unsigned index,
                          const struct orr_curve *curve)
{
    g_string_append(commands->text, ", \\\n");
    append_values(commands, index, curve->low ? "($5 > $2 ? $5 : $2)" : "$2",
                  "3:(sprintf($2 < 100 ? '%.3g' : '%.1f', $2))",
                  "labels left boxed offset char 0.8,0 notitle");
}

/* Appends the texts in cells whose values are meant by @condition. */
static void append_cell_texts(struct orr_plot_commands *commands,
                              unsigned index, const char *condition,
                              const char *format, const char *look)
{
    g_autofree char *x = g_strdup_printf("(%s ? $2 : NaN)", condition);
    g_autofree char *text = g_strdup_printf("3:(sprintf(%s, $8))", format);

    g_string_append(commands->text, "notitle, \\\n");
    append_values(commands, index, x, text, "labels center %s ", look);
}

static const char *border_of(const struct orr_plot_commands *commands)
{
    return commands->cell_border ? "border linecolor rgb '#ffffff'"
                                 : "noborder";
}

/* Appends cells with a palette; their texts differ from the colour below. */
static void append_cells(struct orr_plot_commands *commands, unsigned index)
{
    static const char format[] =
        "abs($8) < 999.5 ? '%.3g' : abs($8) < 99999.5 ? '%.0f' : '%.2g'";
    g_autofree char *dark = NULL;
    g_autofree char *light = NULL;

    append_values(commands, index, "$2",
                  "3:($2 - 0.5):($2 + 0.5):($3 - 0.5):($3 + 0.5):8",
                  "boxxyerror fillstyle solid 1 %s fillcolor palette ",
                  border_of(commands));
    if (!commands->cell_text)
        return;
    dark = g_strdup_printf("$8 <= %.9g", commands->middle);
    light = g_strdup_printf("$8 > %.9g", commands->middle);
    append_cell_texts(commands, index, dark, format, "textcolor rgb '#ffffff'");
    append_cell_texts(commands, index, light, format,
                      "textcolor rgb '#000000'");
}

static void append_choices(struct orr_plot_commands *commands, unsigned index,
                           const struct orr_curve *curve)
{
    struct orr_look look = orr_look(curve->look);
    bool text = commands->cell_text && curve->value;

    if (!commands->legend) {
        append_values(commands, index, "$2",
                      "3:($2 - 0.5):($2 + 0.5):($3 - 0.5):($3 + 0.5)",
                      "boxxyerror fillstyle transparent solid 0.25 %s "
                      "fillcolor rgb '%s' ",
                      border_of(commands), look.colour);
        if (text)
            append_cell_texts(commands, index, "$8 >= 0", "'%.0f%%'",
                              "offset 0,-0.6");
        g_string_append(commands->text, "notitle, \\\n");
    }
    append_values(commands, index, "$2", text ? "($3 - 0.2)" : "3",
                  "points linecolor rgb '%s' pointtype %d pointsize 0.8 ",
                  look.colour, look.shape);
}

static void append_title(struct orr_plot_commands *commands, const char *title)
{
    bool shown = title && (commands->legend || !commands->untitled);

    g_string_append(commands->text, shown ? "title " : "notitle");
    if (shown)
        orr_plot_text(commands->text, title);
}

/* @bound: index among the bounds. */
static void append_curve(struct orr_plot_commands *commands, unsigned index,
                         unsigned bound)
{
    const struct orr_curve *curve = &commands->plot->curves[index];
    struct orr_look look = orr_look(curve->look);

    switch (curve->style) {
    case ORR_CURVE_LINE:
        append_line(commands, index, curve);
        break;
    case ORR_CURVE_DASHED:
        append_values(
            commands, index, "$2", "3",
            "lines linecolor rgb '#505050' linewidth 1.3 dashtype %u ",
            2 + bound % 4);
        break;
    case ORR_CURVE_PREDICTED:
        append_values(commands, index, "$2", "3",
                      "lines linecolor rgb '%s' linewidth 1.5 dashtype '-' ",
                      look.colour);
        break;
    case ORR_CURVE_POINTS:
        append_values(commands, index, "$2", "3",
                      "points linecolor rgb '#000000' linewidth 1.5 pointtype "
                      "%d pointsize 0.9 ",
                      look.shape);
        break;
    case ORR_CURVE_DOTS:
        append_values(commands, index, "$2", "3",
                      "points linecolor rgb '%s' linewidth 1.5 pointtype %d "
                      "pointsize 0.8 ",
                      look.colour, look.shape);
        break;
    case ORR_CURVE_PALE: /* the first byte is how transparent it is */
        append_values(commands, index, "$2", "3",
                      "points linecolor rgb '#b0%s' pointtype %d pointsize "
                      "0.6 ",
                      look.colour + strlen("#"), look.shape);
        break;
    case ORR_CURVE_STEPS:
        append_values(commands, index, "$2", "3",
                      "steps linecolor rgb '#505050' linewidth 1.3 ");
        break;
    case ORR_CURVE_BARS:
        append_values(commands, index, "($6 + $7) / 2", "3:($7 - $6)",
                      "boxes linecolor rgb '%s' fillstyle solid 0.35 ",
                      look.colour);
        break;
    case ORR_CURVE_ROWS:
        append_lying(commands, index, curve);
        break;
    case ORR_CURVE_CELLS:
        append_cells(commands, index);
        break;
    case ORR_CURVE_CHOICES:
        append_choices(commands, index, curve);
        break;
    }
    append_title(commands, curve->title);
}

/* Whether curve @index belongs into this command. */
static bool is_meant(const struct orr_plot_commands *commands, unsigned index)
{
    if (commands->legend)
        return orr_layout_is_new(commands->plot, index);
    return commands->plot->curves[index].panel == commands->panel;
}

static void append_curves(struct orr_plot_commands *commands)
{
    const struct orr_plot *plot = commands->plot;
    unsigned bounds = 0;
    unsigned count = 0;

    g_string_append(commands->text, "plot ");
    for (unsigned i = 0; i < plot->count && !commands->legend; i++) {
        const struct orr_curve *curve = &plot->curves[i];

        if (is_meant(commands, i) && curve->style == ORR_CURVE_LINE &&
            curve->low)
            append_band(commands, i, curve);
    }
    for (unsigned i = 0; i < plot->count; i++) {
        if (!is_meant(commands, i))
            continue;
        g_string_append(commands->text, count++ > 0 ? ", \\\n" : "");
        append_curve(commands, i, bounds);
        bounds += plot->curves[i].style == ORR_CURVE_DASHED;
    }
    for (unsigned i = 0; i < plot->count; i++) {
        if (is_meant(commands, i) && plot->curves[i].style == ORR_CURVE_ROWS)
            append_labels(commands, i, &plot->curves[i]);
    }
    g_string_append(commands->text, count > 0 ? "\n" : "1/0 notitle\n");
}

void orr_plot_curves(struct orr_plot_commands *commands)
{
    commands->legend = false;
    append_curves(commands);
}

void orr_plot_legend(struct orr_plot_commands *commands)
{
    commands->legend = true;
    append_curves(commands);
    commands->legend = false;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Panels side by side: first their geometry, computed from the widths of names
 * and numbers, as gnuplot does not align the axes of several plots; then the
 * script, which places each panel with explicit margins.
 */
#include "apps/picture/plot_panels.h"

#include <math.h>
#include <string.h>

#include "apps/picture/plot_commands.h"

/* ---- the geometry of panels ---- */

/* Panels in a row: by the width of the picture. */
#define NARROW_CM 12
#define WIDE_CM 24
enum { NARROW_PANELS = 2, PANELS = 3, WIDE_PANELS = 5 };

/* Height of panels: shares of their width, and limits in cm. */
#define ALONE_SHARE 0.55
#define PANEL_SHARE 0.8
#define LEAST_CM 2.6
#define MOST_CM 20.0

/* Heights of rows of a map in lines: with a value, and with shape and value. */
#define CELL_LINES 1.5
#define CHOICE_LINES 2.6

/* Text in cells, in characters. */
#define CELL_CHARACTERS 4.2

/* The least width and height of a cell with a border. */
#define BORDERED_CM 0.2

/* The width of a digit, as a multiple of the mean width of a character: fonts
   of PNG and PDF files are wider than in SVG files. */
#define DIGIT 1.2

/* Around the curves: shares of the range. */
#define ROOM_X 0.03
#define MOST_ROOM 0.25
#define ROOM_Y 0.06

static unsigned length_of(const char *const *names)
{
    return names ? g_strv_length((char **)(void *)names) : 0;
}

static unsigned widest_of(const char *const *names)
{
    unsigned widest = 0;

    for (; *names; names++)
        widest = MAX(widest, (unsigned)g_utf8_strlen(*names, -1));
    return widest;
}

static bool has_style(const struct orr_plot *plot, enum orr_curve_style style)
{
    for (unsigned i = 0; i < plot->count; i++) {
        if (plot->curves[i].style == style)
            return true;
    }
    return false;
}

static bool has_cells(const struct orr_plot *plot)
{
    return has_style(plot, ORR_CURVE_CELLS) ||
           has_style(plot, ORR_CURVE_CHOICES);
}

bool orr_plot_has_panels(const struct orr_plot *plot)
{
    return plot->panels || plot->x.names || has_cells(plot);
}

/* Extends a range by the finite ones of @values, which may be NULL. */
static void extend(double *low, double *high, const double *values,
                   unsigned count)
{
    for (unsigned i = 0; values && i < count; i++) {
        if (!isfinite(values[i]))
            continue;
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
}

/* Gives a range that is empty or a point a width. */
static void widen(double *low, double *high)
{
    if (!(*low <= *high)) {
        *low = 0;
        *high = 1;
    } else if (!(*low < *high)) {
        double room = *low != 0 ? fabs(*low) / 10 : 1;

        *low -= room;
        *high += room;
    }
}

static void find_x(struct orr_panels *panels, const struct orr_plot *plot)
{
    double low = INFINITY;
    double high = -INFINITY;

    if (plot->x.names) {
        double room = has_cells(plot) ? 0.5 : 0.3;

        panels->x_low = -room;
        panels->x_high = length_of(plot->x.names) - 1 + room;
        return;
    }
    for (unsigned i = 0; i < plot->count; i++)
        extend(&low, &high, plot->curves[i].x, plot->curves[i].count);
    widen(&low, &high);
    panels->x_low = plot->x.from_zero && low >= 0 ? 0 : low;
    panels->x_high = plot->x.end > 0 ? plot->x.end : high;
}

static void find_y(struct orr_panels *panels, const struct orr_plot *plot)
{
    double low = INFINITY;
    double high = -INFINITY;

    if (plot->rows) {
        panels->y_low = length_of(plot->rows) - 0.5;
        panels->y_high = -0.5;
        return;
    }
    for (unsigned i = 0; i < plot->count; i++) {
        const struct orr_curve *curve = &plot->curves[i];

        extend(&low, &high, curve->y, curve->count);
        extend(&low, &high, curve->low, curve->count);
        extend(&low, &high, curve->high, curve->count);
    }
    if (plot->y.from_zero && low > 0)
        low = 0;
    widen(&low, &high);
    panels->y_high =
        plot->y.end > 0 ? plot->y.end : high + ROOM_Y * (high - low);
    panels->y_low =
        plot->y.from_zero && low >= 0 ? 0 : low - ROOM_Y * (high - low);
}

static void find_values(struct orr_panels *panels, const struct orr_plot *plot)
{
    panels->low = INFINITY;
    panels->high = -INFINITY;
    for (unsigned i = 0; i < plot->count; i++)
        extend(&panels->low, &panels->high, plot->curves[i].value,
               plot->curves[i].count);
    widen(&panels->low, &panels->high);
}

static void arrange(struct orr_panels *panels, double width_cm)
{
    unsigned most = width_cm < NARROW_CM ? NARROW_PANELS
                    : width_cm < WIDE_CM ? PANELS
                                         : WIDE_PANELS;

    panels->rows = (panels->count + most - 1) / most;
    panels->columns = (panels->count + panels->rows - 1) / panels->rows;
}

/* Characters of the labels of the y axis. */
static unsigned y_characters(const struct orr_panels *panels,
                             const struct orr_plot *plot)
{
    g_autofree char *high = NULL;
    g_autofree char *step = NULL;

    if (plot->rows)
        return widest_of(plot->rows);
    high = g_strdup_printf("%g", floor(panels->y_high / panels->y_step) *
                                     panels->y_step);
    step = g_strdup_printf("%g", panels->y_low + panels->y_step);
    return (unsigned)MAX(strlen(high), strlen(step));
}

static double height_of(const struct orr_panels *panels,
                        const struct orr_plot *plot, double line)
{
    double lines =
        has_style(plot, ORR_CURVE_CHOICES) ? CHOICE_LINES : CELL_LINES;

    if (!plot->rows)
        return CLAMP(panels->area_width *
                         (panels->count > 1 ? PANEL_SHARE : ALONE_SHARE),
                     LEAST_CM, MOST_CM);
    return CLAMP(lines * line * length_of(plot->rows), LEAST_CM,
                 MAX(panels->area_width, LEAST_CM));
}

/* Chooses how the names of the x axis fit: lying, upright, or some of them. */
static void fit_names(struct orr_panels *panels, const struct orr_plot *plot,
                      double line, double character)
{
    unsigned count = length_of(plot->x.names);
    double widest = widest_of(plot->x.names) * character;
    double place = panels->area_width / count;

    panels->x_each = 1;
    if (widest + character <= place)
        return;
    if (place >= 0.8 * line) {
        panels->upright = true;
        panels->ticks = widest + 0.8 * line;
    } else {
        panels->x_each = (unsigned)ceil((widest + character) / place);
    }
}

/* Returns the characters of the labels of an axis from @low to @high. */
static unsigned characters_of(double low, double high)
{
    g_autofree char *first = g_strdup_printf("%g", low);
    g_autofree char *last = g_strdup_printf("%g", high);

    return (unsigned)MAX(strlen(first), strlen(last));
}

/* Chooses the labels of the x axis. The axis begins and ends with one if that
 * does not make the curves much narrower. */
static void fit_numbers(struct orr_panels *panels, const struct orr_plot *plot,
                        double character)
{
    double range = panels->x_high - panels->x_low;
    unsigned width = characters_of(round(panels->x_low), round(panels->x_high));
    double labels = panels->area_width / character / (width + 2);
    double step = orr_layout_step(range, (unsigned)(9 * labels));
    double first = floor(panels->x_low / step + ROOM_X) * step;
    double last = ceil(panels->x_high / step - ROOM_X) * step;

    panels->x_step = step;
    panels->x_low = panels->x_low - first <= MOST_ROOM * range
                        ? first
                        : panels->x_low - ROOM_X * range;
    if (plot->x.end <= 0)
        panels->x_high = last - panels->x_high <= MOST_ROOM * range
                             ? last
                             : panels->x_high + ROOM_X * range;
}

/* Sets whether each cell has room for a border, and for a text. */
static void fit_cells(struct orr_panels *panels, const struct orr_plot *plot,
                      double line, double character)
{
    double lines =
        has_style(plot, ORR_CURVE_CHOICES) ? CHOICE_LINES : CELL_LINES;

    double width, height;

    if (!plot->rows || !plot->x.names)
        return;
    width = panels->area_width / length_of(plot->x.names);
    height = panels->area_height / length_of(plot->rows);
    panels->cell_border = fmin(width, height) >= BORDERED_CM;
    panels->cell_text =
        width >= CELL_CHARACTERS * character && height >= 0.8 * lines * line;
}

static void fit_axes(struct orr_panels *panels, const struct orr_layout *layout,
                     const struct orr_plot *plot)
{
    double line = orr_layout_line(layout);
    double character = DIGIT * orr_layout_character(layout);

    panels->y_each = 1;
    if (plot->rows)
        panels->y_each = (unsigned)ceil(0.9 * line * length_of(plot->rows) /
                                        panels->area_height);
    if (plot->x.names)
        fit_names(panels, plot, line, character);
    else
        fit_numbers(panels, plot, character);
    fit_cells(panels, plot, line, character);
}

/* Sets the widths; heights of lines of curves depend on them. */
static void fit_width(struct orr_panels *panels,
                      const struct orr_layout *layout,
                      const struct orr_plot *plot)
{
    double line = orr_layout_line(layout);
    double character = DIGIT * orr_layout_character(layout);

    if (!plot->rows)
        panels->y_step = orr_layout_step(panels->y_high - panels->y_low, 45);
    panels->left = (y_characters(panels, plot) + 1) * character +
                   (plot->y.label ? 1.6 : 0.3) * line;
    panels->left = fmin(panels->left, layout->width_cm / 2);
    panels->right = (plot->x.names ? 1 : 3) * character;
    panels->gap = (plot->x.names ? 1.5 : 3.5) * character;
    panels->area_width = (layout->width_cm - panels->left - panels->right -
                          panels->gap * (panels->columns - 1)) /
                         panels->columns;
    panels->area_width =
        fmax(panels->area_width, 0.4 * layout->width_cm / panels->columns);
}

unsigned orr_panels_characters(const struct orr_layout *layout)
{
    return (unsigned)(0.9 * layout->characters);
}

void orr_panels_init(struct orr_panels *panels, struct orr_layout *layout,
                     const struct orr_plot *plot)
{
    double line = orr_layout_line(layout);

    *panels = (struct orr_panels){
        .count = plot->panels ? length_of(plot->panels) : 1,
        .above = (plot->panels ? 1.7 : 0.5) * line,
        .ticks = 1.5 * line,
        .label = 1.2 * line,
        .colours = has_style(plot, ORR_CURVE_CELLS) ? 3.6 * line : 0,
    };
    arrange(panels, layout->width_cm);
    find_x(panels, plot);
    find_y(panels, plot);
    find_values(panels, plot);
    fit_width(panels, layout, plot);
    panels->area_height = height_of(panels, plot, line);
    fit_axes(panels, layout, plot);
    if (plot->note)
        panels->note =
            (orr_layout_count(plot->note, orr_panels_characters(layout)) +
             0.2) *
            line;
    layout->height_cm = panels->rows * (panels->above + panels->area_height) +
                        panels->ticks + panels->label + panels->colours +
                        panels->note + (layout->legend_lines + 0.6) * line;
    if (plot->title)
        layout->height_cm +=
            orr_layout_count(plot->title, layout->characters) * line;
}

/* ---- the script that draws panels ---- */

/* Dark to light, even in grey: cividis (Nunez, Anderton, Renslow, PLOS ONE
 * 2018), which also suits colour-blind readers. */
static const char palette[] =
    "set palette defined (0 '#00224e', 1 '#35456c', 2 '#666970', 3 '#948e77', "
    "4 '#c8b866', 5 '#fee838')\n";

/* A script and where it draws. */
struct canvas {
    struct orr_plot_commands *commands;
    GString *text;
    const struct orr_plot *plot;
    const struct orr_panels *panels;
    const struct orr_layout *layout;
    double top; /* cm from the lower edge: where the panels begin */
};

static void append_screen(const struct canvas *canvas, const char *what,
                          double cm, double whole_cm)
{
    g_string_append(canvas->text, what);
    orr_plot_number(canvas->text, cm / whole_cm);
}

static void append_margins(const struct canvas *canvas, double left,
                           double right, double bottom, double top)
{
    double width = canvas->layout->width_cm;
    double height = canvas->layout->height_cm;

    append_screen(canvas, "set lmargin at screen ", left, width);
    append_screen(canvas, "\nset rmargin at screen ", right, width);
    append_screen(canvas, "\nset bmargin at screen ", bottom, height);
    append_screen(canvas, "\nset tmargin at screen ", top, height);
    g_string_append_c(canvas->text, '\n');
}

static void append_range(const struct canvas *canvas, const char *axis,
                         double low, double high)
{
    g_string_append_printf(canvas->text, "set %srange [", axis);
    orr_plot_number(canvas->text, low);
    g_string_append_c(canvas->text, ':');
    orr_plot_number(canvas->text, high);
    g_string_append(canvas->text, "]\n");
}

/* Appends the tick marks of an axis with names; every @each-th mark has its
 * name. */
static void append_names(const struct canvas *canvas, char letter,
                         const char *const *names, unsigned each, bool shown)
{
    unsigned count = g_strv_length((char **)(void *)names);

    g_string_append_printf(canvas->text, "set %ctics () scale 0 %s\n", letter,
                           letter == 'x' && canvas->panels->upright
                               ? "rotate by 90 right"
                               : "norotate");
    for (unsigned i = 0; i < count; i++) {
        /* Rows count from the top, but their names from the bottom. */
        unsigned place = letter == 'y' ? count - 1 - i : i;

        if (place % each != 0)
            continue;
        g_string_append_printf(canvas->text, "set %ctics add ", letter);
        orr_plot_tick(canvas->text, shown ? names[i] : "", i);
        g_string_append_c(canvas->text, '\n');
    }
}

static void append_numbers(const struct canvas *canvas, char letter,
                           double step, bool shown)
{
    g_string_append_printf(canvas->text, "set format %c '%s'\nset %ctics ",
                           letter, shown ? "%g" : "", letter);
    orr_plot_number(canvas->text, step);
    g_string_append_c(canvas->text, '\n');
}

static void append_axes(const struct canvas *canvas, unsigned index)
{
    const struct orr_panels *panels = canvas->panels;
    const struct orr_plot *plot = canvas->plot;
    bool lowest = index + panels->columns >= panels->count;
    bool leftmost = index % panels->columns == 0;

    append_range(canvas, "x", panels->x_low, panels->x_high);
    append_range(canvas, "y", panels->y_low, panels->y_high);
    if (plot->x.names)
        append_names(canvas, 'x', plot->x.names, panels->x_each, lowest);
    else
        append_numbers(canvas, 'x', panels->x_step, lowest);
    if (plot->rows)
        append_names(canvas, 'y', plot->rows, panels->y_each, leftmost);
    else
        append_numbers(canvas, 'y', panels->y_step, leftmost);
}

static void append_panel(const struct canvas *canvas, unsigned index)
{
    const struct orr_panels *panels = canvas->panels;
    unsigned column = index % panels->columns;
    unsigned row = index / panels->columns;
    double left = panels->left + column * (panels->area_width + panels->gap);
    double top = canvas->top - panels->above -
                 row * (panels->above + panels->area_height);

    append_margins(canvas, left, left + panels->area_width,
                   top - panels->area_height, top);
    if (canvas->plot->panels) {
        g_string_append(canvas->text, "set title offset 0,-0.6 ");
        orr_plot_text(canvas->text, canvas->plot->panels[index]);
        g_string_append_c(canvas->text, '\n');
    }
    append_axes(canvas, index);
    if (index == 1)
        g_string_append(canvas->text, "unset colorbox\n");
    canvas->commands->panel = index;
    orr_plot_curves(canvas->commands);
}

/* Appends the scale of colours, which the first panel draws. @bottom: of the
 * box, in cm. */
static void append_colours(const struct canvas *canvas, double bottom)
{
    const struct orr_panels *panels = canvas->panels;
    const struct orr_layout *layout = canvas->layout;
    double length = layout->width_cm - panels->left - panels->right;
    double step =
        orr_layout_step(panels->high - panels->low,
                        (unsigned)(length / orr_layout_character(layout)));

    g_string_append(canvas->text, palette);
    append_range(canvas, "cb", panels->low, panels->high);
    append_screen(canvas, "set colorbox horizontal user origin screen ",
                  panels->left, layout->width_cm);
    append_screen(canvas, ",", bottom, layout->height_cm);
    append_screen(canvas, " size screen ", length, layout->width_cm);
    append_screen(canvas, ",", 0.9 * orr_layout_line(layout),
                  layout->height_cm);
    g_string_append(canvas->text, "\nset cbtics scale 0.5 offset 0,0.5 ");
    orr_plot_number(canvas->text, step);
    g_string_append(canvas->text, "\nset cblabel offset 0,1.1 ");
    orr_plot_text(canvas->text, canvas->plot->scale);
    g_string_append_c(canvas->text, '\n');
}

static void append_label(const struct canvas *canvas, double x, double y,
                         const char *text, unsigned characters,
                         const char *look)
{
    g_string_append(canvas->text, "set label ");
    orr_plot_lines(canvas->text, text, characters);
    append_screen(canvas, " at screen ", x, canvas->layout->width_cm);
    append_screen(canvas, ", screen ", y, canvas->layout->height_cm);
    g_string_append_printf(canvas->text, " center %s\n", look);
}

/* Appends labels and the legend around the panels: a plot of the size of the
 * whole picture. */
static void append_around(const struct canvas *canvas, double bottom)
{
    const struct orr_panels *panels = canvas->panels;
    const struct orr_layout *layout = canvas->layout;
    const struct orr_plot *plot = canvas->plot;
    double line = orr_layout_line(layout);
    double middle = (panels->left + layout->width_cm - panels->right) / 2;
    double y = bottom - panels->ticks - 0.5 * panels->label;

    g_string_append(canvas->text, "unset title\nunset colorbox\n");
    if (plot->title)
        append_label(canvas, layout->width_cm / 2,
                     layout->height_cm - 0.7 * line, plot->title,
                     layout->characters, "");
    append_label(canvas, middle, y, plot->x.label, layout->characters, "");
    if (plot->y.label)
        append_label(canvas, 0.7 * line, (canvas->top + bottom) / 2,
                     plot->y.label, layout->characters, "rotate by 90");
    y -= 0.5 * panels->label + panels->colours;
    if (plot->note)
        append_label(canvas, layout->width_cm / 2, y - 0.6 * line, plot->note,
                     orr_panels_characters(layout), "");
    y -= panels->note;
    append_margins(canvas, 0, layout->width_cm, 0, layout->height_cm);
    g_string_append(canvas->text, "unset border\nunset tics\nunset grid\n");
    append_screen(canvas, "set key at screen 0.5, screen ", y,
                  layout->height_cm);
    g_string_append_printf(canvas->text,
                           " center top horizontal Left reverse samplen 3 "
                           "maxcols %u width ",
                           layout->legend_columns);
    orr_plot_number(canvas->text, layout->legend_width);
    g_string_append(canvas->text, "\nset xrange [0:1]\nset yrange [0:1]\n");
    orr_plot_legend(canvas->commands);
}

void orr_panels_append(struct orr_plot_commands *commands,
                       const struct orr_panels *panels,
                       const struct orr_layout *layout)
{
    double line = orr_layout_line(layout);
    const struct orr_plot *plot = commands->plot;
    unsigned lines =
        plot->title ? orr_layout_count(plot->title, layout->characters) : 0;
    struct canvas canvas = {
        .commands = commands,
        .text = commands->text,
        .plot = plot,
        .panels = panels,
        .layout = layout,
        .top = layout->height_cm - lines * line,
    };
    double bottom =
        canvas.top - panels->rows * (panels->above + panels->area_height);

    commands->untitled = true;
    commands->cell_text = panels->cell_text;
    commands->cell_border = panels->cell_border;
    commands->middle = (panels->low + panels->high) / 2;
    g_string_append(canvas.text, "set multiplot\nset key off\n");
    if (plot->rows)
        g_string_append(canvas.text, "unset grid\n");
    if (panels->colours > 0)
        append_colours(&canvas,
                       bottom - panels->ticks - panels->label - 1.3 * line);
    for (unsigned i = 0; i < panels->count; i++)
        append_panel(&canvas, i);
    append_around(&canvas, bottom);
    g_string_append(canvas.text, "unset multiplot\n");
}

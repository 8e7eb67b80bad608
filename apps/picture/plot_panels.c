/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The geometry of panels; plot_panels_script.c draws them. */
#include "apps/picture/plot_panels.h"

#include <math.h>
#include <string.h>

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
   of PNG and PDF files are wider than those of SVG. */
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

/* Makes a range that has a width of one that may be empty or a point. */
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The script that draws panels. */
#include "apps/picture/plot_panels.h"
#include "apps/picture/plot_text.h"

/* Dark to light, even in grey: cividis (Nunez, Anderton, Renslow, PLOS ONE
 * 2018), which people who are colour-blind see alike. */
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

/* Appends the places of an axis with names, each @each one with its name, or
 * none. */
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

/* Appends what is around the panels: a plot of the size of the picture, with
 * labels and the legend. */
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Draws a Gantt chart as one gnuplot plot: computes the heights of rows, the
 * legend and the margins in cm, merges bars that are too narrow to be seen, and
 * writes the bars of each kind as one data set of boxes.
 */
#include "apps/picture/gantt.h"

#include <math.h>
#include <string.h>

#include "apps/picture/plot_commands.h"
#include "apps/picture/plot_layout.h"

/* Height of all rows, at most, unless there are very many rows: then rows are
 * lower than a line of text, and only some have a name. */
#define ALL_ROWS_CM 24.0
#define LEAST_CM 0.06

/* Sizes in lines of text and in characters. */
#define AXIS_LINES 4.0
#define LEGEND_SAMPLE 8

/* A line of text, and the mean width of a character: shares of the font size.
 */
#define LINE_HEIGHT 1.15
#define CAIRO_SPACING                                                          \
    1.3 /* factor for lines of text outside the bars, in PDF and PNG */
#define SVG_SPACING 1.6
#define CHARACTER_WIDTH 0.56
#define CM_PER_PT (2.54 / 72)

/* Half the height of a bar, as a share of the height of its row. */
#define HALF 0.42

/* Where rows are, in cm from the top. */
struct places {
    double line;  /* height of a line of text, and of headings */
    double row;   /* height of all other rows */
    double *rows; /* middle of each row */
    double end;
};

/* ---- merging ---- */

/* Bars that become one. */
struct merged {
    struct orr_gantt_bar bar;
    double *times; /* by kind */
};

static void begin(struct merged *merged, const struct orr_gantt_bar *bar)
{
    merged->bar = *bar;
    merged->times[bar->kind] = bar->to - bar->from;
}

static void take(struct merged *merged, const struct orr_gantt_bar *bar)
{
    merged->bar.to = fmax(merged->bar.to, bar->to);
    merged->times[bar->kind] += bar->to - bar->from;
}

/* Returns the merged bar, with the kind that has the longest time, and resets
 * the times. */
static struct orr_gantt_bar end(struct merged *merged, unsigned kinds)
{
    struct orr_gantt_bar bar = merged->bar;

    for (unsigned i = 0; i < kinds; i++) {
        if (merged->times[i] > merged->times[bar.kind])
            bar.kind = i;
    }
    memset(merged->times, 0, kinds * sizeof(merged->times[0]));
    return bar;
}

/* Appends @bar to the @count @bars, or makes the last one longer if @bar
 * continues it: between narrow bars that are drawn one by one, the background
 * shines through. Returns the new number of bars. */
static unsigned put(struct orr_gantt_bar *bars, unsigned count,
                    struct orr_gantt_bar bar, double width)
{
    struct orr_gantt_bar *last = count > 0 ? &bars[count - 1] : NULL;

    if (last && last->kind == bar.kind && bar.to - bar.from <= 4 * width &&
        bar.from - last->to <= width / 8) {
        last->to = fmax(last->to, bar.to);
        return count;
    }
    bars[count] = bar;
    return count + 1;
}

unsigned orr_gantt_merge(struct orr_gantt_bar *bars, unsigned count,
                         unsigned kinds, double width)
{
    struct merged merged = {.times = g_new0(double, kinds)};
    unsigned left = 0;

    for (unsigned i = 0; i < count; i++) {
        bool fits = i > 0 && bars[i].to - merged.bar.from <= width &&
                    bars[i].from - merged.bar.to <= width;

        if (fits) {
            take(&merged, &bars[i]);
            continue;
        }
        if (i > 0)
            left = put(bars, left, end(&merged, kinds), width);
        begin(&merged, &bars[i]);
    }
    if (count > 0)
        left = put(bars, left, end(&merged, kinds), width);
    g_free(merged.times);
    return left;
}

/* ---- layout ---- */

static unsigned width_of(const char *text)
{
    return text ? (unsigned)g_utf8_strlen(text, -1) : 0;
}

/* Returns the number of entries of the legend, and their longest name. */
static unsigned count_entries(const struct orr_gantt *gantt, unsigned *widest)
{
    *widest = 0;
    for (unsigned i = 0; i < gantt->kind_count; i++)
        *widest = MAX(*widest, width_of(gantt->kinds[i].name));
    for (unsigned i = 0; i < gantt->line_count; i++)
        *widest = MAX(*widest, width_of(gantt->lines[i].name));
    return gantt->kind_count + gantt->line_count;
}

/* Characters beside the bars: the names and notes of rows. */
static unsigned count_margins(const struct orr_gantt *gantt)
{
    unsigned names = 0, notes = width_of(gantt->notes);

    for (unsigned i = 0; i < gantt->row_count; i++) {
        const struct orr_gantt_row *row = &gantt->rows[i];

        if (!row->name)
            continue;
        names = MAX(names, width_of(row->name));
        notes = MAX(notes, width_of(row->note));
    }
    return names + notes;
}

static void init_places(struct places *places, const struct orr_gantt *gantt,
                        double font_cm)
{
    unsigned headings = 0;
    double space;

    for (unsigned i = 0; i < gantt->row_count; i++)
        headings += !gantt->rows[i].name;
    *places = (struct places){
        .line = LINE_HEIGHT * font_cm,
        .rows = g_new(double, gantt->row_count),
    };
    space = ALL_ROWS_CM - headings * places->line;
    places->row =
        fmin(places->line,
             fmax(space / MAX(gantt->row_count - headings, 1), LEAST_CM));
    for (unsigned i = 0; i < gantt->row_count; i++) {
        double height = gantt->rows[i].name ? places->row : places->line;

        places->rows[i] = places->end + height / 2;
        places->end += height;
    }
}

static double font_of(double width_cm)
{
    return width_cm < 12 ? 7 : 8;
}

static void init_layout(struct orr_layout *layout,
                        const struct orr_gantt *gantt,
                        const struct places *places, const char *suffix,
                        double width_cm)
{
    double spacing = strcmp(suffix, ".svg") == 0 ? SVG_SPACING : CAIRO_SPACING;
    double font_pt = font_of(width_cm);
    double font_cm = font_pt * CM_PER_PT;
    double lines = AXIS_LINES + (gantt->title ? 1.5 : 0);
    unsigned widest;
    unsigned entries = count_entries(gantt, &widest);
    unsigned beside = count_margins(gantt), over_time, legend;

    *layout = (struct orr_layout){
        .width_cm = width_cm,
        .font_pt = font_pt,
        .characters = (unsigned)(width_cm / (font_cm * CHARACTER_WIDTH)),
    };
    /* gnuplot reduces the columns of the legend if they are wider than the area
     * of bars. */
    over_time = layout->characters - MIN(layout->characters, beside);
    layout->x_step = orr_layout_step(gantt->end, over_time);
    layout->legend_columns =
        CLAMP(over_time / (widest + LEGEND_SAMPLE), 1, entries + 1);
    legend = (entries + layout->legend_columns - 1) / layout->legend_columns;
    layout->height_cm = (lines + legend) * spacing * font_cm + places->end;
}

/* ---- script ---- */

static void append_settings(GString *text, const struct orr_gantt *gantt,
                            const struct places *places,
                            const struct orr_layout *layout)
{
    g_string_append(text, "set encoding utf8\n"
                          "set border 1 linecolor rgb '#404040'\n"
                          "set grid xtics back linecolor rgb '#d0d0d0'\n"
                          "set tics nomirror scale 0\n"
                          "set xtics out scale 0.5\n"
                          "set ytics () offset 0.5,0\n"
                          "set y2tics () offset -0.5,0\n"
                          "set xlabel offset 0,0.5 ");
    orr_plot_text(text, gantt->axis ? gantt->axis : "time (s)");
    g_string_append_printf(text,
                           "\nset key bmargin center horizontal Left reverse "
                           "samplen 3 maxcols %u\n",
                           layout->legend_columns);
    if (gantt->title) {
        g_string_append(text, "set title offset 0,-0.5 ");
        orr_plot_lines(text, gantt->title, layout->characters);
        g_string_append_c(text, '\n');
    }
    g_string_append(text, "set xtics ");
    orr_plot_number(text, layout->x_step);
    g_string_append(text, "\nset xrange [0:");
    orr_plot_number(text, gantt->end);
    g_string_append(text, "]\nset yrange [");
    orr_plot_number(text, places->end);
    g_string_append(text, ":0]\nset y2range [");
    orr_plot_number(text, places->end);
    g_string_append(text, ":0]\n");
}

static void append_name(GString *text, const char *axis, const char *name,
                        double at)
{
    g_string_append_printf(text, "set %s add ", axis);
    orr_plot_tick(text, name, at);
    g_string_append_c(text, '\n');
}

/* Appends a text in the line of a heading. */
static void append_label(GString *text, const char *what, const char *x,
                         double at)
{
    g_string_append(text, "set label ");
    orr_plot_text(text, what);
    g_string_append_printf(text, " at graph %s, first ", x);
    orr_plot_number(text, at);
    g_string_append(text, " left\n");
}

/* Appends the names of as many rows as there is space for. */
static void append_names(GString *text, const struct orr_gantt *gantt,
                         const struct places *places)
{
    double next = 0;

    for (unsigned i = 0; i < gantt->row_count; i++) {
        const struct orr_gantt_row *row = &gantt->rows[i];
        double at = places->rows[i];

        if (!row->name) {
            append_label(text, row->note ? row->note : "", "0", at);
            if (gantt->notes)
                append_label(text, gantt->notes, "1.01", at);
            next = at + 0.99 * places->line;
        } else if (at >= next) {
            append_name(text, "ytics", row->name, at);
            if (row->note)
                append_name(text, "y2tics", row->note, at);
            next = at + 0.99 * places->line;
        }
    }
}

/* Appends the bars of @kind as data: from, to, place. */
static void append_bars(GString *text, const struct orr_gantt *gantt,
                        const struct places *places, unsigned kind)
{
    bool any = false;

    g_string_append_printf(text, "$kind%u << END\n", kind);
    for (unsigned r = 0; r < gantt->row_count; r++) {
        const struct orr_gantt_row *row = &gantt->rows[r];

        for (unsigned i = 0; i < row->count; i++) {
            if (row->bars[i].kind != kind)
                continue;
            orr_plot_number(text, row->bars[i].from);
            g_string_append_c(text, ' ');
            orr_plot_number(text, row->bars[i].to);
            g_string_append_c(text, ' ');
            orr_plot_number(text, places->rows[r]);
            g_string_append_c(text, '\n');
            any = true;
        }
    }
    if (!any) /* gnuplot refuses data without a point */
        g_string_append(text, "NaN NaN NaN\n");
    g_string_append(text, "END\n");
}

static void append_point(GString *text, double x, double y)
{
    orr_plot_number(text, x);
    g_string_append_c(text, ' ');
    orr_plot_number(text, y);
    g_string_append_c(text, '\n');
}

/* Appends a vertical line in parts, with gaps at headings. */
static void append_line(GString *text, const struct orr_gantt *gantt,
                        const struct places *places, unsigned index)
{
    double at = gantt->lines[index].at, from = 0;

    g_string_append_printf(text, "$line%u << END\n", index);
    for (unsigned r = 0; r < gantt->row_count; r++) {
        double heading = places->rows[r] - places->line / 2;

        if (gantt->rows[r].name)
            continue;
        if (r > 0) {
            append_point(text, at, from);
            append_point(text, at, heading);
            g_string_append_c(text, '\n');
        }
        from = heading + places->line;
    }
    append_point(text, at, from);
    append_point(text, at, places->end);
    g_string_append(text, "END\n");
}

static void append_plot(GString *text, const struct orr_gantt *gantt,
                        const struct places *places)
{
    g_string_append(text, "half = ");
    orr_plot_number(text, HALF * places->row);
    g_string_append(text, "\nplot ");
    for (unsigned i = 0; i < gantt->kind_count; i++) {
        g_string_append_printf(
            text,
            "%s$kind%u using (($1 + $2) / 2):3:1:2:($3 - half):($3 + half) "
            "with boxxyerror fillstyle solid 1 noborder linecolor rgb '%s' "
            "title ",
            i > 0 ? ", \\\n" : "", i, gantt->kinds[i].colour);
        orr_plot_text(text, gantt->kinds[i].name);
    }
    for (unsigned i = 0; i < gantt->line_count; i++) {
        g_string_append_printf(text,
                               ", \\\n$line%u using 1:2 with lines linecolor "
                               "rgb '#000000' linewidth 1.2 dashtype %u title ",
                               i, 2 + gantt->lines[i].dashes % 4);
        orr_plot_text(text, gantt->lines[i].name);
    }
    g_string_append_c(text, '\n');
}

static char *make_script(const struct orr_gantt *gantt, const char *suffix,
                         double width_cm)
{
    GString *text = g_string_new(NULL);
    struct orr_layout layout;
    struct places places;

    init_places(&places, gantt, font_of(width_cm) * CM_PER_PT);
    init_layout(&layout, gantt, &places, suffix, width_cm);
    orr_layout_terminal(text, &layout, suffix);
    append_settings(text, gantt, &places, &layout);
    append_names(text, gantt, &places);
    for (unsigned i = 0; i < gantt->kind_count; i++)
        append_bars(text, gantt, &places, i);
    for (unsigned i = 0; i < gantt->line_count; i++)
        append_line(text, gantt, &places, i);
    append_plot(text, gantt, &places);
    g_free(places.rows);
    return g_string_free(text, FALSE);
}

bool orr_gantt_save(const struct orr_gantt *gantt,
                    const struct orr_plot_options *options, GError **error)
{
    double width_cm =
        options->width_cm > 0 ? options->width_cm : ORR_PLOT_PAGE_CM;
    g_autofree char *script =
        make_script(gantt, orr_layout_suffix(options->path), width_cm);

    g_assert(gantt->row_count > 0 && gantt->kind_count > 0);
    return orr_plot_draw(script, options->path, error);
}

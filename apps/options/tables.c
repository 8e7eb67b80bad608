/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/tables.h"

#include <string.h>

#include "apps/options/values.h"
#include "apps/picture/plot.h"
#include "models/base/error.h"
#include "models/base/units.h"

/* Parses "column", "page" or "12cm" into a double: cm. */
static bool parse_width(const struct orr_option *option, const char *text,
                        void *member, GError **error)
{
    double width_cm = 0;
    char *end = NULL;

    (void)option;
    if (strcmp(text, "column") == 0)
        width_cm = ORR_PLOT_COLUMN_CM;
    else if (strcmp(text, "page") == 0)
        width_cm = ORR_PLOT_PAGE_CM;
    else if (g_ascii_isdigit(*text))
        width_cm = g_ascii_strtod(text, &end);
    if (end && strcmp(g_strchug(end), "cm") != 0)
        width_cm = 0;
    if (!(width_cm >= ORR_PLOT_MIN_CM && width_cm <= ORR_PLOT_MAX_CM)) {
        g_autofree char *quoted = orr_quote(text);

        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s is neither column nor page nor a width from 5cm to "
                    "100cm",
                    quoted);
        return false;
    }
    *(double *)member = width_cm;
    return true;
}

#define MEMBER(name) offsetof(struct orr_plot_options, name)

const struct orr_option orr_format_option_table[] = {
    {"format", "FORMAT", "text, json or csv (default text)",
     .parse = orr_value_format, .choices = ORR_CHOICES("text", "json", "csv"),
     .manual = "`text`, for humans (the default), `json` or `csv`, for "
               "programs, with the same contents."},
};

const struct orr_option orr_plot_option_table[] = {
    {"plot", "FILE", "draw the result (FILE.svg, FILE.pdf or FILE.png)",
     .parse = orr_value_text, .member = MEMBER(path),
     .manual =
         "Draws the result into *FILE*, whose name ends in .svg, .pdf or .png. "
         "`compare` draws the speeds and their upper bounds: curves over the "
         "sizes, with bands from the 5 to the 95 % quantile of the replicas, "
         "or bars for a single size; `ablate` the speed over the size, with a "
         "curve for each model that changes it; `histogram show` the "
         "histogram. It needs `gnuplot`(1)."},
    {"plot-data", "DIR", "write the data and a script for gnuplot",
     .parse = orr_value_text, .member = MEMBER(data),
     .manual = "Writes the data of the plot into the folder *DIR*, as CSV, and "
               "a script that draws the same picture from them: *speed.csv* "
               "and *speed.gp*, for `gnuplot speed.gp` in that folder; "
               "*changes* or *histogram* in place of *speed* for other plots. "
               "This does not need gnuplot."},
    {"plot-title", "TEXT", "the title; none: no title", .parse = orr_value_text,
     .member = MEMBER(title), .choices = ORR_CHOICES("none"),
     .manual = "The title of the plot; `none` for no title."},
    {"plot-width", "W", "column, page (default) or a width in cm, e.g. 12cm",
     .parse = parse_width, .member = MEMBER(width_cm),
     .choices = ORR_CHOICES("column", "page"),
     .manual = "`column` (8.5 cm), `page` (17 cm, the default) or a width like "
               "`12cm`, from 5cm to 100cm."},
};

const struct orr_option orr_gantt_option_table[] = {
    {"gantt", "FILE", "draw workers and links over time (.svg, .pdf or .png)",
     .parse = orr_value_text, .member = MEMBER(path),
     .manual = "Draws workers and their kernels, and links and their copies, "
               "over time into *FILE*, whose name ends in .svg, .pdf or .png; "
               "for `compare`, the first replica of each policy, of one size, "
               "one above the other. On the right is the share of the makespan "
               "that each worker did not compute. Dashed are lower bounds. It "
               "needs `gnuplot`(1)."},
    {"gantt-width", "W", "column, page (default) or a width in cm, e.g. 12cm",
     .parse = parse_width, .member = MEMBER(width_cm),
     .choices = ORR_CHOICES("column", "page"),
     .manual = "Its width, as of `--plot-width`."},
};

const struct orr_option orr_chart_option_table[] = {
    {"output", "FILE", "the picture (FILE.svg, FILE.pdf or FILE.png)",
     .parse = orr_value_text, .member = MEMBER(path),
     .manual = "The picture: FILE.svg, FILE.pdf or FILE.png."},
    {"data", "DIR", "write the data of the picture and a script for gnuplot",
     .parse = orr_value_text, .member = MEMBER(data),
     .manual = "Writes the data of the picture into the folder *DIR*, as "
               "*chart.csv*, and *chart.gp*, which draws it. This does not "
               "need gnuplot."},
    {"title", "TEXT", "a title above the picture", .parse = orr_value_text,
     .member = MEMBER(title),
     .manual = "A title above the picture; there is none otherwise."},
    {"width", "W", "column (default), page or a width in cm, e.g. 12cm",
     .parse = parse_width, .member = MEMBER(width_cm),
     .choices = ORR_CHOICES("column", "page"),
     .manual = "`column` (8.5 cm, the default), `page` (17 cm) or a width like "
               "`12cm`, from 5cm to 100cm."},
};

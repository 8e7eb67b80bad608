/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/plot_options.h"

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

const struct orr_option orr_plot_option_table[] = {
    {"plot", "FILE", "draw the result (FILE.svg, FILE.pdf or FILE.png)",
     orr_value_text, MEMBER(path), 0, 0},
    {"plot-data", "DIR", "write the data and a script for gnuplot",
     orr_value_text, MEMBER(data), 0, 0},
    {"plot-title", "TEXT", "the title; none: no title", orr_value_text,
     MEMBER(title), 0, 0},
    {"plot-width", "W", "column, page (default) or a width in cm, e.g. 12cm",
     parse_width, MEMBER(width_cm), 0, 0},
};

const struct orr_option orr_gantt_option_table[] = {
    {"gantt", "FILE", "draw workers and links over time (.svg, .pdf or .png)",
     orr_value_text, MEMBER(path), 0, 0},
    {"gantt-width", "W", "column, page (default) or a width in cm, e.g. 12cm",
     parse_width, MEMBER(width_cm), 0, 0},
};

const struct orr_option orr_chart_option_table[] = {
    {"output", "FILE", "the picture (FILE.svg, FILE.pdf or FILE.png)",
     orr_value_text, MEMBER(path), 0, 0},
    {"data", "DIR", "write the data of the picture and a script for gnuplot",
     orr_value_text, MEMBER(data), 0, 0},
    {"title", "TEXT", "a title above the picture", orr_value_text,
     MEMBER(title), 0, 0},
    {"width", "W", "column (default), page or a width in cm, e.g. 12cm",
     parse_width, MEMBER(width_cm), 0, 0},
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/qr_tree.h"

bool orr_qr_needs_triangles(enum orr_qr_tree tree)
{
    return tree != ORR_QR_FLAT && tree != ORR_QR_PLASMA;
}

unsigned orr_qr_panels(const struct orr_qr_plan *plan)
{
    return MIN(plan->rows, plan->columns);
}

static void kill_row(GArray *kills, unsigned row, unsigned pivot,
                     bool triangles)
{
    struct orr_qr_kill kill = {row, pivot, triangles};

    g_array_append_val(kills, kill);
}

/* Kills the rows of the domain from @first to @end - 1 with its first row. */
static void kill_domain(GArray *kills, unsigned first, unsigned end,
                        bool triangles)
{
    for (unsigned row = first + 1; row < end; row++)
        kill_row(kills, row, first, triangles);
}

/* Binary tree over each @stride-th row from @first on. */
static void kill_binary(GArray *kills, unsigned first, unsigned end,
                        unsigned stride)
{
    for (guint64 gap = stride; gap < end - first; gap *= 2) {
        for (guint64 row = first + gap; row < end; row += 2 * gap)
            kill_row(kills, (unsigned)row, (unsigned)(row - gap), true);
    }
}

static void kill_plasma(const struct orr_qr_plan *plan, GArray *kills,
                        unsigned first)
{
    for (unsigned head = first; head < plan->rows;) {
        unsigned length = MIN(plan->domain, plan->rows - head);

        kill_domain(kills, head, head + length, plan->triangles);
        head += length;
    }
    kill_binary(kills, first, plan->rows, plan->domain);
}

/*
 * Groups of rows, counted from the diagonal: 1, 2-3, 4-6, ...: each has @size
 * rows from @begin on, the last one fewer. A group is killed at once by the
 * same number of rows directly above it; the last group first.
 */
static void kill_fibonacci(const struct orr_qr_plan *plan, GArray *kills,
                           unsigned first)
{
    guint64 height = plan->rows - first;
    guint64 size = 0, begin = 1;

    while (begin < height)
        begin += ++size;
    for (guint64 end = height; size > 0; size--) {
        begin -= size;
        for (guint64 row = begin; row < end; row++)
            kill_row(kills, first + (unsigned)row,
                     first + (unsigned)(row - (end - begin)), true);
        end = begin;
    }
}

/* Progress of a column of the greedy tree, counted from the bottom. */
struct column {
    unsigned triangles;
    unsigned zeros;
};

/* A step in panel @panel: half of the triangles kill the half below. */
static void kill_half(const struct orr_qr_plan *plan, struct column *column,
                      GArray *kills)
{
    unsigned count = (column->triangles - column->zeros) / 2;

    for (unsigned i = 0; i < count; i++) {
        unsigned row = plan->rows - 1 - column->zeros - i;

        kill_row(kills, row, row - count, true);
    }
    column->zeros += count;
}

/*
 * In each step, rows that were zero in the panel to the left become triangles
 * in a panel, and older triangles are combined. Panels are visited from right
 * to left, so that each uses the state before the step.
 */
static void kill_greedy(const struct orr_qr_plan *plan, GPtrArray *panels)
{
    unsigned count = panels->len;
    struct column *columns = g_new0(struct column, count);

    while (columns[count - 1].triangles < plan->rows - count + 1 ||
           columns[count - 1].zeros < plan->rows - count) {
        for (unsigned k = count; k-- > 0;) {
            unsigned ready = k > 0 ? columns[k - 1].zeros : plan->rows;

            kill_half(plan, &columns[k], panels->pdata[k]);
            columns[k].triangles = ready;
        }
    }
    g_free(columns);
}

static void kill_panel(const struct orr_qr_plan *plan, GArray *kills,
                       unsigned panel)
{
    switch (plan->tree) {
    case ORR_QR_FLAT:
        kill_domain(kills, panel, plan->rows, plan->triangles);
        break;
    case ORR_QR_BINARY:
        kill_binary(kills, panel, plan->rows, 1);
        break;
    case ORR_QR_FIBONACCI:
        kill_fibonacci(plan, kills, panel);
        break;
    case ORR_QR_PLASMA:
        kill_plasma(plan, kills, panel);
        break;
    case ORR_QR_GREEDY: /* all panels at once */
        break;
    }
}

GPtrArray *orr_qr_kills(const struct orr_qr_plan *plan)
{
    GPtrArray *panels =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

    for (unsigned k = 0; k < orr_qr_panels(plan); k++) {
        GArray *kills = g_array_new(FALSE, FALSE, sizeof(struct orr_qr_kill));

        g_ptr_array_add(panels, kills);
        kill_panel(plan, kills, k);
    }
    if (plan->tree == ORR_QR_GREEDY)
        kill_greedy(plan, panels);
    return panels;
}

bool orr_qr_is_head(const struct orr_qr_plan *plan, unsigned panel,
                    unsigned row)
{
    if (row < panel)
        return false;
    if (plan->triangles || row == panel)
        return true;
    return plan->tree == ORR_QR_PLASMA && (row - panel) % plan->domain == 0;
}

static unsigned count_heads(const struct orr_qr_plan *plan, unsigned height)
{
    if (plan->triangles)
        return height;
    if (plan->tree == ORR_QR_PLASMA)
        return (height - 1) / plan->domain + 1;
    return 1;
}

/*
 * Each head and each kill is a task, with an update in each column to the
 * right. With more than MAX_PANELS panels there are more than 2^53 tasks, so
 * that the sum over the first panels is enough.
 */
#define MAX_PANELS 400000

double orr_qr_tasks(const struct orr_qr_plan *plan)
{
    unsigned panels = MIN(orr_qr_panels(plan), MAX_PANELS);
    double sum = 0;

    for (unsigned k = 0; k < panels; k++) {
        unsigned height = plan->rows - k;
        double tasks = (double)count_heads(plan, height) + height - 1;

        sum += tasks * (plan->columns - k);
    }
    return sum;
}

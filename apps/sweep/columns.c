/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/columns.h"

#include "models/base/error.h"
#include "models/base/units.h"

struct fact {
    const char *name;
    enum orr_column_type type;
};

/* Scalar members of facts, before and after the options of the application. */
static const struct fact first[] = {
    {"app", ORR_COLUMN_TEXT},
    {"app_file", ORR_COLUMN_TEXT},
};
static const struct fact others[] = {
    {"platform", ORR_COLUMN_TEXT},
    {"cpus", ORR_COLUMN_INTEGER},
    {"gpus", ORR_COLUMN_INTEGER},
    {"gpu_memory_bytes", ORR_COLUMN_INTEGER},
    {"sched", ORR_COLUMN_TEXT},
    {"sched_file", ORR_COLUMN_TEXT},
    {"evict", ORR_COLUMN_TEXT},
    {"window", ORR_COLUMN_INTEGER},
    {"window_min", ORR_COLUMN_INTEGER},
    {"models", ORR_COLUMN_TEXT},
    {"perturb", ORR_COLUMN_REAL},
    {"perturb_by", ORR_COLUMN_TEXT},
    {"seed", ORR_COLUMN_INTEGER},
    {"alpha", ORR_COLUMN_REAL},
    {"beta", ORR_COLUMN_REAL},
    {"gamma", ORR_COLUMN_REAL},
    {"idle_power_w", ORR_COLUMN_REAL},
    {"kernel_times", ORR_COLUMN_TEXT},
    {"kernel_spread", ORR_COLUMN_TEXT},
    {"version", ORR_COLUMN_TEXT},
    {"makespan_s", ORR_COLUMN_REAL},
    {"gflops", ORR_COLUMN_REAL},
    {"tasks", ORR_COLUMN_INTEGER},
    {"copies", ORR_COLUMN_INTEGER},
    {"bytes_host_to_device", ORR_COLUMN_INTEGER},
    {"bytes_device_to_host", ORR_COLUMN_INTEGER},
    {"bytes_device_to_device", ORR_COLUMN_INTEGER},
    {"evictions", ORR_COLUMN_INTEGER},
    {"copies_by_segment", ORR_COLUMN_INTEGER},
    {"energy_j", ORR_COLUMN_REAL},
    {"average_power_w", ORR_COLUMN_REAL},
    {"peak_power_w", ORR_COLUMN_REAL},
    {"edp_js", ORR_COLUMN_REAL},
    {"gflops_per_w", ORR_COLUMN_REAL},
    {"events", ORR_COLUMN_INTEGER},
    {ORR_COLUMN_WALL, ORR_COLUMN_REAL},
};

static void clear_column(gpointer column)
{
    g_free(((struct orr_column *)column)->name);
}

GArray *orr_columns_empty(void)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(struct orr_column));

    g_array_set_clear_func(columns, clear_column);
    return columns;
}

/* SQL does not distinguish the case of letters. */
static const struct orr_column *find(const GArray *columns, const char *name)
{
    for (guint i = 0; i < columns->len; i++) {
        const struct orr_column *column =
            &g_array_index(columns, struct orr_column, i);

        if (g_ascii_strcasecmp(column->name, name) == 0)
            return column;
    }
    return NULL;
}

/* Adds a column unless the table has one called @name. */
static void add(GArray *columns, const char *name, enum orr_column_type type,
                enum orr_column_source source)
{
    struct orr_column column = {g_strdup(name), type, source};

    if (find(columns, name))
        g_free(column.name);
    else
        g_array_append_val(columns, column);
}

static bool add_keys(GArray *columns, const struct orr_campaign *campaign,
                     GError **error)
{
    for (guint i = 0; i < campaign->keys->len; i++) {
        const struct orr_key *key = campaign->keys->pdata[i];
        g_autofree char *quoted = orr_quote(key->name);

        if (find(columns, key->name) ||
            g_ascii_strcasecmp(key->name, "error") == 0) {
            g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                        "--vary: results have a column %s of their own",
                        quoted);
            return false;
        }
        add(columns, key->name, key->type, ORR_COLUMN_KEY);
    }
    return true;
}

static enum orr_column_type type_of(enum orr_app_kind kind)
{
    if (kind == ORR_APP_COUNT || kind == ORR_APP_FLAG)
        return ORR_COLUMN_INTEGER;
    return kind == ORR_APP_NUMBER ? ORR_COLUMN_REAL : ORR_COLUMN_TEXT;
}

/* Adds the options of @app. If applications disagree on the type of an option,
 * its column is text. */
static void add_options(GArray *columns, const struct orr_app *app)
{
    for (size_t i = 0; app->options && app->options[i].name; i++) {
        enum orr_column_type type = type_of(app->options[i].kind);
        struct orr_column *known =
            (struct orr_column *)find(columns, app->options[i].name);

        if (known && known->source == ORR_COLUMN_FACT && known->type != type)
            known->type = ORR_COLUMN_TEXT;
        add(columns, app->options[i].name, type, ORR_COLUMN_FACT);
    }
}

static void add_facts(GArray *columns, const struct fact *facts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(columns, facts[i].name, facts[i].type, ORR_COLUMN_FACT);
}

GArray *orr_columns_new(const struct orr_campaign *campaign,
                        const GPtrArray *apps, GError **error)
{
    GArray *columns = orr_columns_empty();

    add(columns, "point", ORR_COLUMN_INTEGER, ORR_COLUMN_POINT);
    add(columns, "replica", ORR_COLUMN_INTEGER, ORR_COLUMN_REPLICA);
    add(columns, "state", ORR_COLUMN_TEXT, ORR_COLUMN_STATE);
    if (!add_keys(columns, campaign, error)) {
        g_array_unref(columns);
        return NULL;
    }
    add_facts(columns, first, G_N_ELEMENTS(first));
    for (guint i = 0; i < apps->len; i++)
        add_options(columns, apps->pdata[i]);
    add_facts(columns, others, G_N_ELEMENTS(others));
    add(columns, "error", ORR_COLUMN_TEXT, ORR_COLUMN_ERROR);
    return columns;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/columns.h"

#include "models/base/error.h"
#include "models/base/units.h"

struct fact {
    const char *name;
    enum orr_column_type type;
};

/* Scalar members of facts, after those of options. */
static const struct fact others[] = {
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

/* Adds the members of facts for option @i of a run that are text or numbers. */
static bool add_setting(GArray *columns, size_t i)
{
    static const enum orr_column_type types[] = {
        [ORR_FACT_TEXT] = ORR_COLUMN_TEXT,
        [ORR_FACT_COUNT] = ORR_COLUMN_INTEGER,
        [ORR_FACT_NUMBER] = ORR_COLUMN_REAL,
    };
    const struct orr_option *option = orr_settings_option(i);

    for (const struct orr_fact *fact = option ? option->facts : NULL;
         fact && fact->name; fact++) {
        if (fact->kind <= ORR_FACT_NUMBER)
            add(columns, fact->name, types[fact->kind], ORR_COLUMN_FACT);
    }
    return option;
}

GArray *orr_columns_new(const struct orr_campaign *campaign,
                        const GPtrArray *apps, GError **error)
{
    GArray *columns = orr_columns_empty();
    size_t option = 0;

    add(columns, "point", ORR_COLUMN_INTEGER, ORR_COLUMN_POINT);
    add(columns, "replica", ORR_COLUMN_INTEGER, ORR_COLUMN_REPLICA);
    add(columns, "state", ORR_COLUMN_TEXT, ORR_COLUMN_STATE);
    if (!add_keys(columns, campaign, error)) {
        g_array_unref(columns);
        return NULL;
    }
    add_setting(columns,
                option++); /* --app, before the options of applications */
    for (guint i = 0; i < apps->len; i++)
        add_options(columns, apps->pdata[i]);
    while (add_setting(columns, option))
        option++;
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
        add(columns, others[i].name, others[i].type, ORR_COLUMN_FACT);
    add(columns, "error", ORR_COLUMN_TEXT, ORR_COLUMN_ERROR);
    return columns;
}

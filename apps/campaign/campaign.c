/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A campaign is made from settings, parsed from its text form, or converted
 * from a file to arguments of a command line. The text form is canonical:
 * settings are sorted by name and ranges written out, so that equal campaigns
 * have equal texts, and digests.
 */
#include "apps/campaign/campaign.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/input.h"
#include "models/base/units.h"
#include "runtime/programs/app_find.h"

static void free_key(gpointer key)
{
    orr_key_free(key);
}

/* Whether @text, "name=value" or "name", sets the setting @name. */
static bool is_named(const char *text, const char *name)
{
    size_t length = strlen(name);

    return strncmp(text, name, length) == 0 &&
           (text[length] == '=' || text[length] == '\0');
}

static bool is_fixed(const struct orr_campaign *campaign, const char *name)
{
    for (guint i = 0; i < campaign->fixed->len; i++) {
        if (is_named(campaign->fixed->pdata[i], name))
            return true;
    }
    return false;
}

static bool refuse_key(const char *name, const char *why, GError **error)
{
    g_autofree char *quoted = orr_quote(name);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s %s", quoted, why);
    return false;
}

/* Whether @name is neither varied already nor fixed. */
static bool check_once(const struct orr_campaign *campaign, const char *name,
                       GError **error)
{
    for (guint i = 0; i < campaign->keys->len; i++) {
        const struct orr_key *key = campaign->keys->pdata[i];

        if (g_ascii_strcasecmp(key->name, name) == 0)
            return refuse_key(name, "is varied twice", error);
    }
    /* Each "set=NAME=VALUE" changes another figure of the machine: it may be
     * repeated. */
    return strcmp(name, "set") == 0 || !is_fixed(campaign, name) ||
           refuse_key(name, "is also given as an option", error);
}

static bool parse_key(struct orr_campaign *campaign, const char *text,
                      GError **error)
{
    struct orr_key *key = orr_key_parse(text, error);

    if (!key)
        return false;
    if (campaign->keys->len >= ORR_CAMPAIGN_MAX_KEYS) {
        orr_key_free(key);
        return refuse_key(text, "is one key too many", error);
    }
    if (!check_once(campaign, key->name, error)) {
        orr_key_free(key);
        return false;
    }
    g_ptr_array_add(campaign->keys, key);
    return true;
}

/* Adds the key "NAME=LIST". */
static bool add_key(struct orr_campaign *campaign, const char *text,
                    GError **error)
{
    if (parse_key(campaign, text, error))
        return true;
    g_prefix_error(error, "%s: ", campaign->option);
    return false;
}

/* Counts points and runs, without overflow. */
static bool count_points(struct orr_campaign *campaign, GError **error)
{
    double size = (double)campaign->replicas;
    uint64_t runs = campaign->replicas;
    bool fits = true;

    campaign->points = 1;
    for (guint i = 0; i < campaign->keys->len; i++) {
        const struct orr_key *key = campaign->keys->pdata[i];

        size *= (double)key->count;
        fits = fits && !__builtin_mul_overflow(runs, key->count, &runs);
        campaign->points *= key->count;
    }
    if (fits && runs <= ORR_CAMPAIGN_MAX_RUNS)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "the campaign has %s%.*g runs; at most %" G_GUINT64_FORMAT
                " are possible",
                fits && size < 1e15 ? "" : "about ",
                fits && size < 1e15 ? 15 : 4, size, ORR_CAMPAIGN_MAX_RUNS);
    return false;
}

static bool make_filter(struct orr_campaign *campaign, GError **error)
{
    if (!campaign->where)
        return true;
    campaign->filter =
        orr_where_filter_new(campaign->where, campaign->keys, error);
    if (campaign->filter)
        return true;
    g_prefix_error(error, "--where: ");
    return false;
}

static int by_name(gconstpointer a, gconstpointer b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    size_t m = strcspn(x, "="), n = strcspn(y, "=");
    int order = strncmp(x, y, MIN(m, n));

    return order ? order : (m > n) - (m < n);
}

static void init(struct orr_campaign *campaign)
{
    *campaign = (struct orr_campaign){
        .fixed = g_ptr_array_new_with_free_func(g_free),
        .asked = g_ptr_array_new_with_free_func(g_free),
        .keys = g_ptr_array_new_with_free_func(free_key),
        .option = "--vary",
        .replicas = 1,
    };
}

static bool finish(struct orr_campaign *campaign, GError **error)
{
    /* g_ptr_array_sort() keeps the order of equals. */
    g_ptr_array_sort(campaign->fixed, by_name);
    g_ptr_array_sort(campaign->asked, by_name);
    return count_points(campaign, error) && make_filter(campaign, error);
}

/* Whether the option @text sets what a "NAME=LIST" of @vary varies. */
static bool is_varied(const char *text, const GPtrArray *vary)
{
    for (guint i = 0; vary && vary->pdata[i]; i++) {
        const char *list = vary->pdata[i];
        g_autofree char *name = g_strndup(list, strcspn(list, "="));

        if (is_named(text, g_strstrip(name)))
            return true;
    }
    return false;
}

/* Whether all points have the option @text, which the application asks for.
 * With other arguments it asks for others; but the platform is of its
 * environment. */
static bool stays(const char *text, const GPtrArray *vary)
{
    return !is_varied(text, vary) &&
           (!is_varied("arguments", vary) || is_named(text, "platform"));
}

bool orr_campaign_init(struct orr_campaign *campaign,
                       const struct orr_settings *settings, const char *app,
                       GError **error)
{
    const GPtrArray *given = settings->scenario.given;
    const GPtrArray *vary = settings->campaign.over ? settings->campaign.over
                                                    : settings->campaign.vary;

    init(campaign);
    campaign->app = g_strdup(app);
    campaign->where = g_strdup(settings->campaign.filter);
    campaign->option = settings->campaign.over ? "--over" : "--vary";
    campaign->replicas = settings->scenario.run.replicas;
    for (guint i = 0; given && i < given->len; i++) {
        if (i >= settings->scenario.asked)
            g_ptr_array_add(campaign->fixed, g_strdup(given->pdata[i]));
        else if (stays(given->pdata[i], vary))
            g_ptr_array_add(campaign->asked, g_strdup(given->pdata[i]));
    }
    for (guint i = 0; vary && vary->pdata[i]; i++) {
        if (!add_key(campaign, vary->pdata[i], error))
            return false;
    }
    return finish(campaign, error);
}

void orr_campaign_clear(struct orr_campaign *campaign)
{
    orr_where_filter_free(campaign->filter);
    g_clear_pointer(&campaign->fixed, g_ptr_array_unref);
    g_clear_pointer(&campaign->asked, g_ptr_array_unref);
    g_clear_pointer(&campaign->keys, g_ptr_array_unref);
    g_free(campaign->where);
    g_free(campaign->app);
}

#define CAMPAIGN "campaign"
#define VARY "vary"

/* Adds @text, "name=value" or "name", to the values stored under its name. */
static void format_fixed(GKeyFile *file, const char *text)
{
    g_autofree char *name = g_strndup(text, strcspn(text, "="));
    const char *value = text[strlen(name)] ? text + strlen(name) + 1 : "yes";
    g_autoptr(GPtrArray) values = g_ptr_array_new();
    gsize count = 0;
    g_auto(GStrv) before =
        g_key_file_get_string_list(file, CAMPAIGN, name, &count, NULL);

    for (gsize i = 0; i < count; i++)
        g_ptr_array_add(values, before[i]);
    g_ptr_array_add(values, (gpointer)value);
    g_key_file_set_string_list(file, CAMPAIGN, name,
                               (const char *const *)values->pdata, values->len);
}

char *orr_campaign_format(const struct orr_campaign *campaign)
{
    g_autoptr(GKeyFile) file = g_key_file_new();

    g_key_file_set_string(file, CAMPAIGN, "app", campaign->app);
    for (guint i = 0; i < campaign->asked->len; i++) {
        const char *text = campaign->asked->pdata[i];
        g_autofree char *name = g_strndup(text, strcspn(text, "="));

        if (!is_fixed(campaign, name))
            format_fixed(file, text);
    }
    for (guint i = 0; i < campaign->fixed->len; i++)
        format_fixed(file, campaign->fixed->pdata[i]);
    if (campaign->where)
        g_key_file_set_string(file, CAMPAIGN, "where", campaign->where);
    g_key_file_set_uint64(file, CAMPAIGN, "replicas", campaign->replicas);
    for (guint i = 0; i < campaign->keys->len; i++) {
        const struct orr_key *key = campaign->keys->pdata[i];
        g_autofree char *list = orr_key_format(key);

        g_key_file_set_string(file, VARY, key->name, list);
    }
    return g_key_file_to_data(file, NULL, NULL);
}

/* Reads the keys of the group [vary] of @file. */
static bool parse_keys(struct orr_campaign *campaign, GKeyFile *file,
                       GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(file, VARY, NULL, NULL);

    for (char **name = names; name && *name; name++) {
        g_autofree char *list = g_key_file_get_string(file, VARY, *name, error);
        g_autofree char *text = NULL;

        if (!list)
            return false;
        text = g_strconcat(*name, "=", list, NULL);
        if (!add_key(campaign, text, error))
            return false;
    }
    return true;
}

bool orr_campaign_parse(struct orr_campaign *campaign, const char *text,
                        GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();

    init(campaign);
    if (!g_key_file_load_from_data(file, text, (gsize)-1, G_KEY_FILE_NONE,
                                   error))
        return false;
    campaign->app = g_key_file_get_string(file, CAMPAIGN, "app", NULL);
    campaign->where = g_key_file_get_string(file, CAMPAIGN, "where", NULL);
    campaign->replicas =
        g_key_file_get_uint64(file, CAMPAIGN, "replicas", NULL);
    if (!campaign->app || campaign->replicas == 0) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "no application or no replicas");
        return false;
    }
    return parse_keys(campaign, file, error) && finish(campaign, error);
}

void orr_campaign_values(const struct orr_campaign *campaign, uint64_t point,
                         uint64_t *values)
{
    for (guint i = campaign->keys->len; i-- > 0;) {
        const struct orr_key *key = campaign->keys->pdata[i];

        values[i] = point % key->count;
        point /= key->count;
    }
}

char **orr_campaign_texts(const struct orr_campaign *campaign, uint64_t point)
{
    char **texts = g_new0(char *, campaign->keys->len + 1);
    uint64_t values[ORR_CAMPAIGN_MAX_KEYS];

    orr_campaign_values(campaign, point, values);
    for (guint i = 0; i < campaign->keys->len; i++)
        texts[i] = orr_key_value(campaign->keys->pdata[i], values[i]);
    return texts;
}

bool orr_campaign_has(const struct orr_campaign *campaign, uint64_t point)
{
    uint64_t values[ORR_CAMPAIGN_MAX_KEYS];

    if (!campaign->filter)
        return true;
    orr_campaign_values(campaign, point, values);
    return orr_where_filter_has(campaign->filter, values);
}

char *orr_campaign_describe(const struct orr_campaign *campaign, uint64_t point)
{
    uint64_t values[ORR_CAMPAIGN_MAX_KEYS];
    GString *text = g_string_new(NULL);

    orr_campaign_values(campaign, point, values);
    for (guint i = 0; i < campaign->keys->len; i++) {
        const struct orr_key *key = campaign->keys->pdata[i];
        g_autofree char *value = orr_key_value(key, values[i]);

        g_string_append_printf(text, "%s%s=%s", i > 0 ? ", " : "", key->name,
                               value);
    }
    return g_string_free(text, FALSE);
}

char *orr_campaign_complain(const struct orr_campaign *campaign, uint64_t point,
                            const char *why)
{
    g_autofree char *which = orr_campaign_describe(campaign, point);

    return g_strdup_printf("point %" G_GUINT64_FORMAT "%s%s%s: %s", point,
                           *which ? " (" : "", which, *which ? ")" : "", why);
}

/* Campaign files, as arguments of a command line. */

#define MAX_BYTES ((uint64_t)1 << 20)

/* Adds the name of the option @argument to @names. If @is_list, @argument
 * follows --vary, "KEY=LIST": adds KEY. */
static void add_name(GHashTable *names, const char *argument, bool is_list)
{
    const char *text = is_list ? argument : orr_option_long(argument);
    size_t dashes = is_list ? 0 : strspn(text, "-");

    g_hash_table_add(names,
                     g_strndup(text + dashes, strcspn(text + dashes, "=")));
}

/* Returns the names of the settings that the arguments @given set. */
static GHashTable *names_in(char *const *given)
{
    GHashTable *names =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (; *given; given++) {
        if (strcmp(*given, "--vary") == 0 && given[1])
            add_name(names, *++given, true);
        else if (g_str_has_prefix(*given, "--vary="))
            add_name(names, *given + strlen("--vary="), true);
        else if (**given == '-')
            add_name(names, *given, false);
    }
    return names;
}

/* Adds the option @name, once for each of its values. */
static void add_option(GPtrArray *arguments, const char *name, char **values)
{
    for (; *values; values++) {
        if (strcmp(*values, "yes") == 0)
            g_ptr_array_add(arguments, g_strconcat("--", name, NULL));
        else if (strcmp(*values, "no") != 0)
            g_ptr_array_add(arguments,
                            g_strconcat("--", name, "=", *values, NULL));
    }
}

static bool add_options(GPtrArray *arguments, GKeyFile *file,
                        GHashTable *overridden, GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(file, "campaign", NULL, NULL);

    for (char **name = names; name && *name; name++) {
        g_auto(GStrv) values = NULL;

        if (strcmp(*name, "app") == 0 ||
            g_hash_table_contains(overridden, *name))
            continue;
        values =
            g_key_file_get_string_list(file, "campaign", *name, NULL, error);
        if (!values)
            return false;
        add_option(arguments, *name, values);
    }
    return true;
}

static bool add_keys(GPtrArray *arguments, GKeyFile *file,
                     GHashTable *overridden, GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(file, "vary", NULL, NULL);

    for (char **name = names; name && *name; name++) {
        g_autofree char *list =
            g_key_file_get_string(file, "vary", *name, error);

        if (!list)
            return false;
        if (g_hash_table_contains(overridden, *name))
            continue;
        g_ptr_array_add(arguments, g_strdup("--vary"));
        g_ptr_array_add(arguments, g_strconcat(*name, "=", list, NULL));
    }
    return true;
}

static bool check_groups(GKeyFile *file, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);

    for (char **group = groups; *group; group++) {
        g_autofree char *quoted = orr_quote(*group);

        if (strcmp(*group, "campaign") == 0 || strcmp(*group, "vary") == 0)
            continue;
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "unknown group %s; there are: campaign, vary", quoted);
        return false;
    }
    return true;
}

static bool load(GKeyFile *file, const char *path, GError **error)
{
    GByteArray *bytes = orr_input_read_file(path, MAX_BYTES, error);
    g_autofree char *shown = orr_input_show_path(path);
    bool loaded;

    if (!bytes)
        return false;
    loaded = g_key_file_load_from_data(file, (char *)bytes->data, bytes->len,
                                       G_KEY_FILE_NONE, error) &&
             check_groups(file, error);
    g_byte_array_unref(bytes);
    if (!loaded)
        g_prefix_error(error, "%s: ", shown);
    return loaded;
}

char **orr_campaign_arguments(const char *path, char *const *given,
                              GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GHashTable) overridden = names_in(given);
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *shown = orr_input_show_path(path);
    char *app;

    if (!load(file, path, error))
        return NULL;
    app = g_key_file_get_string(file, "campaign", "app", NULL);
    /* A program, "-- ./chol", would be an option. */
    if (app && !g_hash_table_contains(overridden, "app") &&
        !g_key_file_has_key(file, "vary", "app", NULL))
        g_ptr_array_add(arguments, orr_app_name_is_program(app)
                                       ? g_strconcat("--app=", app, NULL)
                                       : g_strdup(app));
    g_free(app);
    if (!add_options(arguments, file, overridden, error) ||
        !add_keys(arguments, file, overridden, error)) {
        g_prefix_error(error, "%s: ", shown);
        return NULL;
    }
    g_ptr_array_add(arguments, NULL);
    return g_strdupv((char **)arguments->pdata);
}

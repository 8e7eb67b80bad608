/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the parameters that a path names. */
#include <string.h>

#include "models/base/glob.h"
#include "models/base/names.h"
#include "models/platform/parameters.h"

/* A message lists at most so many names. */
enum { SHOWN = 40 };

static bool matches(const struct orr_platform *platform,
                    const struct orr_parameter *parameter, const char *pattern)
{
    for (unsigned variant = 0;; variant++) {
        g_autofree char *path =
            orr_parameter_path(platform, parameter, variant);

        if (!path)
            return false;
        if (orr_glob_matches(pattern, path))
            return true;
    }
}

static bool is_on_other_route(const struct orr_platform *platform,
                              unsigned link, unsigned pair)
{
    unsigned pairs = platform->node_count * platform->node_count;

    for (unsigned p = 0; p < pairs; p++) {
        for (unsigned i = 0; p != pair && i < platform->routes[p].count; i++) {
            if (platform->routes[p].links[i] == link)
                return true;
        }
    }
    return false;
}

/* Finds the only link of a route, or its only link that is on no other route.
 * False if there is no such link. */
static bool own_link(const struct orr_platform *platform, unsigned pair,
                     unsigned *link)
{
    const struct orr_platform_route *route = &platform->routes[pair];
    unsigned own = 0;

    for (unsigned i = 0; i < route->count; i++) {
        if (route->count > 1 &&
            is_on_other_route(platform, route->links[i], pair))
            continue;
        *link = route->links[i];
        own++;
    }
    return own == 1;
}

static bool is_ambiguous(const struct orr_platform *platform, unsigned pair,
                         const char *path, GError **error)
{
    const struct orr_platform_route *route = &platform->routes[pair];
    g_autoptr(GString) links = g_string_new(NULL);
    g_autofree char *quoted = orr_quote(path);

    for (unsigned i = 0; i < MIN(route->count, SHOWN); i++)
        g_string_append_printf(links, "%s%s", i > 0 ? ", " : "",
                               platform->links[route->links[i]].name);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: that route has several links; choose one of: %s", quoted,
                links->str);
    return false;
}

/* Appends the parameters of links that are named by the ends of their route. */
static bool match_routes(const struct orr_platform *platform, const char *path,
                         enum orr_parameter_kind kind, GArray *parameters,
                         GError **error)
{
    unsigned nodes = platform->node_count;
    const char *parameter = strrchr(path, '.') + 1;

    for (unsigned p = 0; p < nodes * nodes; p++) {
        struct orr_parameter found = {.kind = kind};
        g_autofree char *called = g_strdup_printf(
            "link.%s-%s.%s", orr_platform_node_name(platform, p / nodes),
            orr_platform_node_name(platform, p % nodes), parameter);

        if (platform->routes[p].count == 0 || !orr_glob_matches(path, called))
            continue;
        if (!own_link(platform, p, &found.index))
            return is_ambiguous(platform, p, called, error);
        g_array_append_val(parameters, found);
    }
    return true;
}

/* The middle of a path, such as LINK in "link.LINK.bandwidth". */
static char *middle(const char *path, bool has_parameter)
{
    const char *dot = strchr(path, '.');
    const char *start = dot ? dot + 1 : path;
    const char *end = has_parameter ? strrchr(start, '.') : NULL;

    return end ? g_strndup(start, (gsize)(end - start)) : g_strdup(start);
}

/* The shortest names of @parameters, each once, NULL-terminated. */
static GPtrArray *find_names(const struct orr_platform *platform,
                             const GArray *parameters)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

    for (unsigned i = 0; i < parameters->len; i++) {
        const struct orr_parameter *parameter =
            &g_array_index(parameters, struct orr_parameter, i);
        g_autofree char *path =
            orr_parameter_path(platform, parameter,
                               parameter->kind >= ORR_PARAMETER_SCALE ? 1 : 0);
        g_autofree char *name =
            middle(path, parameter->kind != ORR_PARAMETER_OVERHEAD);

        if (g_hash_table_contains(seen, name))
            continue;
        g_hash_table_add(seen, name);
        g_ptr_array_add(names, g_steal_pointer(&name));
    }
    g_ptr_array_add(names, NULL);
    return names;
}

static char *join_names(const GPtrArray *names)
{
    GString *list = g_string_new(NULL);

    for (unsigned i = 0; names->pdata[i] && i < SHOWN; i++)
        g_string_append_printf(list, "%s%s", i > 0 ? ", " : "",
                               (const char *)names->pdata[i]);
    if (names->len > SHOWN + 1)
        g_string_append(list, ", ...");
    return g_string_free(list, FALSE);
}

static void fail_unmatched(const struct orr_platform *platform,
                           const char *path, const GArray *all, GError **error)
{
    g_autoptr(GPtrArray) names = find_names(platform, all);
    g_autofree char *list = join_names(names);
    g_autofree char *wrong = middle(path, !g_str_has_prefix(path, "overhead."));
    g_autofree char *quoted = orr_quote(wrong);
    g_autofree char *hint =
        orr_names_hint((const char *const *)names->pdata, wrong, "");

    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "platform %s has no figure with that path; instead of %s%s, it "
                "has: %s",
                platform->name, quoted, hint, all->len > 0 ? list : "none");
}

GArray *orr_parameters_match(const struct orr_platform *platform,
                             const char *path, enum orr_parameter_kind kind,
                             GError **error)
{
    g_autoptr(GArray) all = orr_parameters_list(platform, kind);
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct orr_parameter));
    bool links =
        kind == ORR_PARAMETER_BANDWIDTH || kind == ORR_PARAMETER_LATENCY;
    bool clear = true;

    for (unsigned i = 0; i < all->len; i++) {
        struct orr_parameter *parameter =
            &g_array_index(all, struct orr_parameter, i);

        if (matches(platform, parameter, path))
            g_array_append_val(found, *parameter);
    }
    if (found->len == 0 && links)
        clear = match_routes(platform, path, kind, found, error);
    if (clear && found->len > 0)
        return found;
    if (clear)
        fail_unmatched(platform, path, all, error);
    g_array_unref(found);
    return NULL;
}

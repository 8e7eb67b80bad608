/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CAMPAIGN_H
#define ORR_CAMPAIGN_H

#include "apps/campaign/key.h"
#include "apps/campaign/where_filter.h"
#include "apps/settings/settings.h"

/*
 * A campaign: runs of an application with settings that are fixed, and others,
 * the keys, that vary. A point is one combination of their values. Points are
 * numbered from 0 through the cross product in the order given, the last key
 * first: for gpus=1,2 and sched=a,b, point 1 is gpus=1 sched=b. The number
 * identifies a point everywhere; a filter does not change it.
 *
 * A point has replicas, with the seed of its settings plus 0, 1, ...
 *
 * As text, a campaign is a file that GLib's GKeyFile reads:
 *
 *   [campaign]
 *   app=cholesky
 *   platform=attila
 *   where=gpus<=4 or sched=dmdas
 *   replicas=2
 *   [vary]
 *   gpus=1:8
 *   sched=dmda,dmdas
 *
 * Options of the command line are in [campaign] under their names. An option
 * that may be repeated has a list ("set=a=1;b=2").
 */
struct orr_campaign {
    char *app;        /* the name or file of the application; owned */
    GPtrArray *fixed; /* settings, "name=value" or "name", sorted by name; equal
                         names keep their order; owned */
    GPtrArray *asked; /* settings that the application asks for and that no key
                         varies; @fixed come first; owned */
    GPtrArray *keys;  /* struct orr_key, owned, in the order given */
    char *where;      /* expression; NULL: all points; owned */
    struct orr_where_filter
        *filter;        /* the parsed expression @where; NULL: all points */
    const char *option; /* the option that listed the keys: "--vary" */
    uint64_t replicas;  /* of each point */
    uint64_t points;    /* number of points of the cross product */
};

/* Limits on runs (and points), and on keys; a larger campaign is refused. */
#define ORR_CAMPAIGN_MAX_RUNS UINT64_C(100000000)
#define ORR_CAMPAIGN_MAX_KEYS 64u

/*
 * Makes @campaign from @settings, as read from a command line, and the
 * application called @app. Fails with ORR_ERROR_VALUE or ORR_ERROR_UNKNOWN if a
 * value, a key or the number of points is not valid. Clear @campaign in any
 * case.
 */
bool orr_campaign_init(struct orr_campaign *campaign,
                       const struct orr_settings *settings, const char *app,
                       GError **error);
void orr_campaign_clear(struct orr_campaign *campaign);

/* Returns the text of @campaign: the same for the same settings, however they
 * were written. Free with g_free(). */
char *orr_campaign_format(const struct orr_campaign *campaign);

/* Parses @text, as written by orr_campaign_format(), into @campaign. It does
 * not accept everything that a campaign file may contain. Fails as
 * orr_campaign_init(). */
bool orr_campaign_parse(struct orr_campaign *campaign, const char *text,
                        GError **error);

/* Sets @values[k], for each key k, to the index of its value in @point. */
void orr_campaign_values(const struct orr_campaign *campaign, uint64_t point,
                         uint64_t *values);

/* Returns the values of the keys in @point as text, NULL-terminated; free with
 * g_strfreev(). */
char **orr_campaign_texts(const struct orr_campaign *campaign, uint64_t point);

/* Whether the filter selects @point. */
bool orr_campaign_has(const struct orr_campaign *campaign, uint64_t point);

/* Returns "gpus=1, sched=dmda" of @point. Free with g_free(). */
char *orr_campaign_describe(const struct orr_campaign *campaign,
                            uint64_t point);

/* Returns "point 3 (gpus=2, sched=dmda): WHY". Free with g_free(). */
char *orr_campaign_complain(const struct orr_campaign *campaign, uint64_t point,
                            const char *why);

/*
 * Converts the campaign file @path to arguments of a command line: the
 * application first, then the options. Leaves out each option that @given
 * (NULL-terminated arguments) sets or varies. NULL-terminated; free with
 * g_strfreev(). NULL with @error, which begins with the path.
 */
char **orr_campaign_arguments(const char *path, char *const *given,
                              GError **error);

#endif

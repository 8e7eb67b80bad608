/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/campaign/run_set.h"

/* Ranges that orr_run_set_list() names at most. */
enum { MOST_LISTED = 20 };

struct orr_run_set {
    const struct orr_campaign *campaign;
    guint8 *bits; /* bit number: point * replicas + replica */
    uint64_t count;
};

struct orr_run_set *orr_run_set_new(const struct orr_campaign *campaign)
{
    struct orr_run_set *set = g_new0(struct orr_run_set, 1);

    set->campaign = campaign;
    set->bits = g_malloc0(campaign->points * campaign->replicas / 8 + 1);
    return set;
}

void orr_run_set_free(struct orr_run_set *set)
{
    if (set)
        g_free(set->bits);
    g_free(set);
}

bool orr_run_set_wants(const struct orr_run_set *set, uint64_t point,
                       uint64_t replica)
{
    return point < set->campaign->points && replica < set->campaign->replicas &&
           orr_campaign_has(set->campaign, point);
}

static uint64_t number_of(const struct orr_run_set *set, uint64_t point,
                          uint64_t replica)
{
    return point * set->campaign->replicas + replica;
}

bool orr_run_set_has(const struct orr_run_set *set, uint64_t point,
                     uint64_t replica)
{
    uint64_t run = number_of(set, point, replica);

    return set->bits[run / 8] >> run % 8 & 1;
}

void orr_run_set_add(struct orr_run_set *set, uint64_t point, uint64_t replica)
{
    uint64_t run = number_of(set, point, replica);

    set->count += !orr_run_set_has(set, point, replica);
    set->bits[run / 8] |= (guint8)(1 << run % 8);
}

uint64_t orr_run_set_count(const struct orr_run_set *set)
{
    return set->count;
}

uint64_t orr_run_set_wanted(const struct orr_run_set *set)
{
    uint64_t wanted = 0;

    for (uint64_t p = 0; p < set->campaign->points; p++) {
        if (orr_campaign_has(set->campaign, p))
            wanted += set->campaign->replicas;
    }
    return wanted;
}

/* Whether some run of @point is in the set, or, unless @present, is not. */
static bool is_listed(const struct orr_run_set *set, uint64_t point,
                      bool present)
{
    if (!orr_campaign_has(set->campaign, point))
        return false;
    for (uint64_t r = 0; r < set->campaign->replicas; r++) {
        if (orr_run_set_has(set, point, r) == present)
            return true;
    }
    return false;
}

char *orr_run_set_list(const struct orr_run_set *set, bool present)
{
    GString *text = g_string_new(NULL);
    unsigned listed = 0;

    for (uint64_t p = 0; p < set->campaign->points; p++) {
        uint64_t first = p;

        if (!is_listed(set, p, present))
            continue;
        if (listed++ == MOST_LISTED) {
            g_string_append(text, ", ...");
            break;
        }
        while (p + 1 < set->campaign->points && is_listed(set, p + 1, present))
            p++;
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT,
                               listed > 1 ? ", " : "", first);
        if (p > first)
            g_string_append_printf(text, "-%" G_GUINT64_FORMAT, p);
    }
    return g_string_free(text, text->len == 0);
}

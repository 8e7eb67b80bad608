/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/dfs.h"

#include <glib.h>

struct choice {
    unsigned count;  /* of options */
    unsigned option; /* that is taken */
};

struct orr_dfs {
    struct orr_decider decider; /* first */
    GArray *way;                /* struct choice: the decisions of a run */
    guint asked;                /* decisions in this run */
    bool begun;                 /* there was a run */
    bool ended;                 /* there is no other */
    bool in_doubt;              /* some schedules may be missing */
};

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_dfs *dfs = (struct orr_dfs *)decider;
    struct choice choice = {.count = decision->count};

    if (decision->kind == ORR_DECIDE_DURATION)
        return 0;
    if (decision->count >= ORR_MOST_OPTIONS)
        dfs->in_doubt = true;
    if (dfs->asked < dfs->way->len) {
        choice = g_array_index(dfs->way, struct choice, dfs->asked);
        if (choice.count != decision->count) {
            dfs->in_doubt = true;
            choice.option = MIN(choice.option, decision->count - 1);
        }
    } else {
        g_array_append_val(dfs->way, choice);
    }
    dfs->asked++;
    return choice.option;
}

struct orr_dfs *orr_dfs_new(void)
{
    struct orr_dfs *dfs = g_new0(struct orr_dfs, 1);

    dfs->decider.decide = decide;
    dfs->way = g_array_new(FALSE, FALSE, sizeof(struct choice));
    return dfs;
}

void orr_dfs_free(struct orr_dfs *dfs)
{
    if (!dfs)
        return;
    g_array_unref(dfs->way);
    g_free(dfs);
}

/* Turns at the last decision that has an option left; false if none has. */
static bool turn(struct orr_dfs *dfs)
{
    for (guint last = dfs->way->len; last-- > 0;) {
        struct choice *choice = &g_array_index(dfs->way, struct choice, last);

        if (++choice->option < choice->count)
            return true;
        g_array_set_size(dfs->way, last);
    }
    return false;
}

struct orr_decider *orr_dfs_begin(struct orr_dfs *dfs)
{
    /* The run may have ended before it got to where it was to turn. */
    if (dfs->asked < dfs->way->len)
        dfs->in_doubt = true;
    if (dfs->begun && !dfs->ended)
        dfs->ended = !turn(dfs);
    dfs->begun = true;
    dfs->asked = 0;
    return dfs->ended ? NULL : &dfs->decider;
}

bool orr_dfs_is_complete(const struct orr_dfs *dfs)
{
    return dfs->ended && !dfs->in_doubt;
}

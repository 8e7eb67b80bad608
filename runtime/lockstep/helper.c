/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/helper.h"

#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

static void free_helper(gpointer data)
{
    struct orr_actor *actor = data;

    orr_actor_clear(actor);
    g_free(actor);
}

/* One that has nothing to do. */
static struct orr_actor *get_helper(struct orr_run *run)
{
    GPtrArray **helpers = &orr_lockstep_run(&run->engine)->helpers;
    struct orr_actor *helper;

    if (!*helpers)
        *helpers = g_ptr_array_new_with_free_func(free_helper);
    for (unsigned i = 0; i < (*helpers)->len; i++) {
        helper = (*helpers)->pdata[i];
        if (orr_actor_idle(helper))
            return helper;
    }
    helper = g_new0(struct orr_actor, 1);
    orr_actor_init(helper, &run->engine);
    g_ptr_array_add(*helpers, helper);
    return helper;
}

void orr_helper_call(struct orr_worker *worker)
{
    struct orr_run *run = worker->run;
    struct orr_actor *helper = get_helper(run);

    orr_waking_call(helper, NULL, worker,
                    &orr_lockstep_run(&run->engine)->helped);
    orr_actor_resume(helper);
}

void orr_helpers_clear(struct orr_run *run)
{
    if (orr_lockstep_run(&run->engine)->helpers)
        g_ptr_array_unref(orr_lockstep_run(&run->engine)->helpers);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* StarPU's policies that Orrery has, as structs without functions. */
#include "apps/starpu/session/policies.h"

#include <starpu_scheduler.h>

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"

enum { MOST = 32 };

static struct starpu_sched_policy policies[MOST];
static struct starpu_sched_policy *list[MOST + 1]; /* ends with NULL */

/* Not "darts", which StarPU does not have without a choice at its build, nor
 * what is none of StarPU's. */
static bool is_predefined(const char *name)
{
    return strcmp(name, "darts") != 0 && !strchr(name, ':');
}

static void fill(void)
{
    unsigned count = 0;
    const char *name;
    if (list[0])
        return;
    for (unsigned i = 0; (name = orr_sched_name(i)); i++) {
        if (!is_predefined(name) || count == MOST)
            continue;
        policies[count] = (struct starpu_sched_policy){
            .policy_name = name, .policy_description = name};
        list[count] = &policies[count];
        count++;
    }
}

const char *sp_policy_name(const struct starpu_sched_policy *policy)
{
    return policy >= policies && policy < policies + MOST ? policy->policy_name
                                                          : NULL;
}

struct starpu_sched_policy **starpu_sched_get_predefined_policies(void)
{
    fill();
    return list;
}

/* None needs a choice at the build. */
struct starpu_sched_policy **
starpu_sched_get_predefined_policies_non_default(void)
{
    static struct starpu_sched_policy *none[1];
    return none;
}

struct starpu_sched_policy *starpu_sched_get_sched_policy(void)
{
    static const char call[] = "starpu_sched_get_sched_policy()";
    static struct starpu_sched_policy other;
    sp_need_session(call);
    const char *name = sp_calls->run_report(sp_session.run)->sched;
    fill();
    for (struct starpu_sched_policy **policy = list; *policy; policy++)
        if (strcmp((*policy)->policy_name, name) == 0)
            return *policy;
    other.policy_name = other.policy_description = g_intern_string(name);
    return &other;
}

struct starpu_sched_policy *
starpu_sched_get_sched_policy_in_ctx(unsigned context)
{
    (void)context;
    return starpu_sched_get_sched_policy();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* StarPU's policies that Orrery has, as structs without functions. */
#include "apps/starpu/session/policies.h"

#include <dlfcn.h>
#include <starpu_scheduler.h>
#include <stdlib.h>
#include <string.h>

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/memory/memory.h"

enum { MOST = 64 };

static struct starpu_sched_policy policies[MOST];
static struct starpu_sched_policy *list[MOST + 1]; /* ends with NULL */

/* Not "darts", which StarPU does not have without a choice at its build, nor
 * what is none of StarPU's. */
static bool is_predefined(const char *name)
{
    return strcmp(name, "darts") != 0 && !strchr(name, ':');
}

/* Whether the first @count of the list have one of that name: Orrery's own
 * ones, which are faster. */
static bool is_listed(unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(list[i]->policy_name, name) == 0)
            return true;
    return false;
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
    struct starpu_sched_policy *own;
    for (unsigned i = 0; (own = sp_own_policy(i)) && count < MOST; i++)
        if (!is_listed(count, own->policy_name))
            list[count++] = own;
}

const char *sp_policy_name(const struct starpu_sched_policy *policy)
{
    return policy >= policies && policy < policies + MOST ? policy->policy_name
                                                          : NULL;
}

/* The library stays loaded. */
static const struct starpu_sched_policy *find_in_library(const char *path,
                                                         const char *name)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct starpu_sched_policy *(*find)(const char *);
    if (!library) {
        sp_warn("STARPU_SCHED_LIB: %s", dlerror());
        return NULL;
    }
    *(void **)&find = dlsym(library, "starpu_get_sched_lib_policy");
    if (find)
        return find(name);
    sp_warn("STARPU_SCHED_LIB: %s has no starpu_get_sched_lib_policy()", path);
    return NULL;
}

const struct starpu_sched_policy *
sp_policy_of_program(const struct starpu_conf *conf, const char *name)
{
    const char *path = getenv("STARPU_SCHED_LIB");
    if (conf && conf->sched_policy)
        return sp_policy_name(conf->sched_policy) ? NULL : conf->sched_policy;
    return path && *path && name && *name ? find_in_library(path, name) : NULL;
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
    if (sp_policy.policy)
        return (struct starpu_sched_policy *)sp_policy.policy;
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The buckets of the policy heteroprio. In the callback of its configuration a
 * program says, by single calls, how many buckets each class of workers visits,
 * and which ones. As in StarPU these are checked when it returns. Then they
 * become the text of the option buckets.
 */
#include "apps/starpu/session/buckets.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/session/settings.h"

#include <schedulers/starpu_heteroprio.h>

#include <string.h>

enum { BUCKETS = STARPU_HETEROPRIO_MAX_PRIO, CLASSES = 2 };

static const char init[] = "starpu_init()";

/* Of a class of workers. */
struct visits {
    unsigned count;
    unsigned buckets[BUCKETS]; /* by priority */
    bool mapped[BUCKETS];      /* by bucket */
    float slowdowns[BUCKETS];  /* by bucket */
};

struct buckets {
    bool open;
    struct visits visits[STARPU_NARCH];
    enum starpu_worker_archtype fastest[BUCKETS]; /* 0, CPUs: none is */
};

static struct buckets buckets;

static void check_call(const char *call, enum starpu_worker_archtype type,
                       unsigned bucket)
{
    if (!buckets.open)
        sp_fail(call, "heteroprio takes buckets only while "
                      "starpu_conf.sched_policy_callback is called");
    if ((int)type < 0 || type >= STARPU_NARCH)
        sp_fail(call, "there is no class %d of workers", (int)type);
    if (bucket >= BUCKETS)
        sp_fail(call, "bucket %u: they are 0 to %d", bucket, BUCKETS - 1);
}

void starpu_heteroprio_set_use_locality(unsigned context, unsigned use)
{
    static const char call[] = "starpu_heteroprio_set_use_locality()";
    (void)context;
    check_call(call, STARPU_CPU_WORKER, 0);
    if (use)
        sp_fail(call, "heteroprio with groups of workers is not simulated");
}

void starpu_heteroprio_set_nb_prios(unsigned context,
                                    enum starpu_worker_archtype type,
                                    unsigned count)
{
    static const char call[] = "starpu_heteroprio_set_nb_prios()";
    (void)context;
    check_call(call, type, 0);
    if (count > BUCKETS)
        sp_fail(call, "%u priorities: there are %d at most", count, BUCKETS);
    buckets.visits[type].count = count;
}

void starpu_heteroprio_set_mapping(unsigned context,
                                   enum starpu_worker_archtype type,
                                   unsigned priority, unsigned bucket)
{
    static const char call[] = "starpu_heteroprio_set_mapping()";
    (void)context;
    check_call(call, type, bucket);
    if (priority >= BUCKETS)
        sp_fail(call, "priority %u: they are 0 to %d", priority, BUCKETS - 1);
    buckets.visits[type].buckets[priority] = bucket;
    buckets.visits[type].mapped[bucket] = true;
}

void starpu_heteroprio_set_faster_arch(unsigned context,
                                       enum starpu_worker_archtype type,
                                       unsigned bucket)
{
    (void)context;
    check_call("starpu_heteroprio_set_faster_arch()", type, bucket);
    buckets.fastest[bucket] = type;
    buckets.visits[type].slowdowns[bucket] = 0;
}

void starpu_heteroprio_set_arch_slow_factor(unsigned context,
                                            enum starpu_worker_archtype type,
                                            unsigned bucket, float factor)
{
    static const char call[] = "starpu_heteroprio_set_arch_slow_factor()";
    (void)context;
    check_call(call, type, bucket);
    if (!(factor >= 0))
        sp_fail(call, "bucket %u: the factor %g is below 0", bucket, factor);
    buckets.visits[type].slowdowns[bucket] = factor;
}

/* Without a callback, each class that has workers visits all buckets. */
static void visit_all(void)
{
    unsigned counts[] = {[STARPU_CPU_WORKER] = sp_session.cpus,
                         [STARPU_CUDA_WORKER] = sp_session.gpus};
    for (unsigned type = 0; type < G_N_ELEMENTS(counts); type++) {
        struct visits *visits = &buckets.visits[type];
        if (counts[type] == 0)
            continue;
        visits->count = BUCKETS;
        for (unsigned i = 0; i < BUCKETS; i++) {
            visits->buckets[i] = i;
            visits->mapped[i] = true;
        }
    }
}

/* A class has one bucket for each of its priorities, and no other. */
static void check_visits(unsigned type)
{
    const struct visits *visits = &buckets.visits[type];
    const char *name = starpu_worker_get_type_as_string(type);
    bool visited[BUCKETS] = {false};
    for (unsigned i = 0; i < visits->count; i++) {
        unsigned bucket = visits->buckets[i];
        if (!visits->mapped[bucket])
            sp_fail(init, "%s workers: no bucket is mapped to priority %u",
                    name, i);
        if (visited[bucket])
            sp_fail(init, "%s workers: bucket %u is mapped to two priorities",
                    name, bucket);
        visited[bucket] = true;
    }
    for (unsigned b = 0; b < BUCKETS; b++)
        if (visits->mapped[b] && !visited[b])
            sp_fail(init,
                    "%s workers: bucket %u is mapped to none of %u priorities",
                    name, b, visits->count);
}

/* CPUs are held back where GPUs are faster; none where CPUs are. */
static void add_visits(GString *text, const char *class, unsigned type)
{
    const struct visits *visits = &buckets.visits[type];
    if (visits->count == 0)
        return;
    g_string_append_printf(text, "%s%s:", text->len ? ";" : "", class);
    for (unsigned i = 0; i < visits->count; i++) {
        unsigned bucket = visits->buckets[i];
        float slowdown = visits->slowdowns[bucket];
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_printf(text, "%s%u", i ? "," : "", bucket);
        if (type != STARPU_CPU_WORKER || !(slowdown > 0) ||
            buckets.fastest[bucket] != STARPU_CUDA_WORKER)
            continue;
        g_ascii_formatd(number, sizeof(number), "%.9g", slowdown);
        g_string_append_printf(text, "*%s", number);
    }
}

static void hand_over(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    GError *error = NULL;
    add_visits(text, "cpu", STARPU_CPU_WORKER);
    add_visits(text, "gpu", STARPU_CUDA_WORKER);
    if (!sp_calls->run_set_buckets(sp_session.run, text->str, &error))
        sp_fail_error(init, error);
}

void sp_buckets_begin(const struct starpu_conf *conf)
{
    void (*callback)(unsigned) = conf ? conf->sched_policy_callback : NULL;
    bool learns = sp_number_of("STARPU_HETEROPRIO_USE_AUTO_CALIBRATION") != 0;
    const char *policy = sp_calls->run_report(sp_session.run)->sched;
    if (strcmp(policy, "heteroprio") != 0 || (learns && !callback))
        return;
    if (learns)
        sp_warn("heteroprio learns its buckets, and ignores those of the "
                "program: set STARPU_HETEROPRIO_USE_AUTO_CALIBRATION=0");
    buckets = (struct buckets){.open = true};
    if (callback)
        callback(0);
    else
        visit_all();
    buckets.open = false;
    for (unsigned type = 0; type < STARPU_NARCH; type++)
        check_visits(type);
    if (!learns)
        hand_over();
}

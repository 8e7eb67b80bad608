/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

#include <starpu_perf_steering.h>
#include <starpu_scheduler.h>
#include <string.h>

/* Sessions, one after the other, with different configurations. */
enum { THREADS = 5, LENGTH = 1024, PARTS = 4 };

static void run_without_workers_of_program(void)
{
    struct starpu_conf conf;
    unsigned all, rest;
    CHECK(starpu_init(NULL));
    all = starpu_cpu_worker_get_count();
    starpu_shutdown();
    CHECK(starpu_conf_init(&conf));
    conf.reserve_ncpus = 2;
    CHECK(starpu_init(&conf));
    rest = starpu_cpu_worker_get_count();
    unsigned active = starpu_get_next_bindid(STARPU_THREAD_ACTIVE, NULL, 0);
    unsigned one = starpu_get_next_bindid(0, NULL, 0);
    unsigned other = starpu_get_next_bindid(0, NULL, 0);
    printf("%u CPUs reserved, cores %s\n", all - rest,
           one == other && one != active ? "shared" : "not shared");
    starpu_shutdown();
}

static void run_with_policy(const char *name)
{
    struct starpu_conf conf;
    CHECK(starpu_conf_init(&conf));
    for (struct starpu_sched_policy **policy =
             starpu_sched_get_predefined_policies();
         *policy; policy++)
        if (strcmp((*policy)->policy_name, name) == 0)
            conf.sched_policy = *policy;
    CHECK(starpu_init(&conf));
    printf("policy %s\n", starpu_sched_get_sched_policy()->policy_name);
    starpu_shutdown();
}

static void *init(void *argument)
{
    (void)argument;
    CHECK(starpu_init(NULL));
    return NULL;
}

static void run_by_threads(void)
{
    starpu_pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(starpu_pthread_create(&threads[i], NULL, init, NULL));
    for (int i = 0; i < THREADS; i++)
        CHECK(starpu_pthread_join(threads[i], NULL));
    for (int i = 0; i < THREADS; i++)
        starpu_shutdown();
    printf("%d threads\n", THREADS);
}

/* The parts are where the whole is, once that has memory. */
static void run_parts_without_memory(void)
{
    starpu_data_handle_t whole, parts[PARTS];
    struct starpu_data_filter filter = {
        .filter_func = starpu_vector_filter_block, .nchildren = PARTS};
    CHECK(starpu_init(NULL));
    starpu_vector_data_register(&whole, -1, 0, LENGTH, 1);
    starpu_data_partition_plan(whole, &filter, parts);
    for (int i = 0; i < PARTS; i++)
        CHECK(starpu_data_acquire(parts[i], STARPU_W));
    for (int i = 0; i < PARTS; i++)
        starpu_data_release(parts[i]);
    CHECK(starpu_data_acquire(whole, STARPU_R));
    const char *begin = (char *)starpu_vector_get_local_ptr(whole);
    starpu_data_release(whole);
    CHECK(starpu_data_acquire(parts[1], STARPU_R));
    const char *part = (char *)starpu_vector_get_local_ptr(parts[1]);
    starpu_data_release(parts[1]);
    printf("part 1 begins at %d\n", (int)(part - begin));
    starpu_data_partition_clean(whole, PARTS, parts);
    starpu_data_unregister(whole);
    starpu_shutdown();
}

int main(void)
{
    run_without_workers_of_program();
    run_with_policy("eager");
    run_with_policy("dmdas");
    run_by_threads();
    run_parts_without_memory();
    printf("scope %s\n", starpu_perf_knob_scope_id_to_name(
                             starpu_perf_knob_scope_per_worker));
    return 0;
}

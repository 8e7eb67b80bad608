/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Room that nobody tells of. */
#include "runtime/config/run_config.h"
#include "tests/support/unit_run.h"

#define MIB ((uint64_t)1 << 20)
#define BYTES (12 * MIB)

static void submit(struct unit_run *unit, const char *kernel,
                   struct orr_task_spec spec)
{
    spec.kernel = orr_kernel_find(unit->run, "test", kernel,
                                  ORR_SINGLE_PRECISION, 960, NULL);
    orr_task_submit(unit->run, &spec);
}

/* The GPU has room for two data. One buffer is that of a datum which a core
 * writes meanwhile, so it cannot go before the core has ended; then nothing
 * happens any more. */
static void a_fetch_is_tried_again_once_others_gave_up_a_buffer(void **state)
{
    struct orr_config config;
    struct unit_run *unit;
    struct orr_data *written, *first, *second;

    (void)state;
    orr_config_init(&config);
    config.sched = "eager";
    config.cpus = 1;
    config.gpus = 1;
    config.gpu_memory_bytes = 32 * MIB;
    unit = unit_run_new("three-gpus.xml", &config);
    written = orr_data_register(unit->run, BYTES);
    first = orr_data_register(unit->run, BYTES);
    second = orr_data_register(unit->run, BYTES);
    submit(unit, "on-cuda0",
           (struct orr_task_spec){
               ORR_TASK_SPEC_INIT, .count = 1,
               .accesses = (const struct orr_access[]){{written, ORR_R}}});
    unit_wait(unit);
    for (unsigned i = 0; i < 3; i++) /* for longer than a copy takes */
        submit(unit, "on-cpu",
               (struct orr_task_spec){
                   ORR_TASK_SPEC_INIT, .count = 1,
                   .accesses = (const struct orr_access[]){{written, ORR_RW}}});
    submit(unit, "on-cuda0",
           (struct orr_task_spec){ORR_TASK_SPEC_INIT, .count = 2,
                                  .accesses = (const struct orr_access[]){
                                      {first, ORR_R}, {second, ORR_R}}});
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 5);
    unit_run_free(unit);
}

ORR_TESTS(stall_retry)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fetch_is_tried_again_once_others_gave_up_a_buffer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

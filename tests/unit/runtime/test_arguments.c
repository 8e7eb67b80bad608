/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wrong values, given to each function of orrery.h: errors, not nonsense. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

/* Fails unless @error is one of a value, and contains @message. */
static void assert_refused(GError *error, const char *message)
{
    assert_non_null(error);
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    if (!strstr(error->message, message))
        fail_msg("'%s' is not in '%s'", message, error->message);
}

static const uint64_t descending[] = {3, 2};
static const uint64_t twice[] = {3, 3};
static const char *const no_class[] = {"gemm", NULL};

static struct orr_task *pop_nothing(struct orr_sched *sched, unsigned worker)
{
    (void)sched;
    (void)worker;
    return NULL;
}

static const struct orr_sched_ops no_push = {.name = "mute",
                                             .pop = pop_nothing};
static const struct orr_sched_ops no_name = {.pop = pop_nothing};

static struct orr_config right(void)
{
    struct orr_config config = unit_config(NULL, -1, -1);

    config.platform = "right";
    return config;
}

struct wrong_config {
    struct orr_config config; /* all right but for one member */
    const char *message;      /* the beginning of the error */
};

static GArray *wrong_configs(void)
{
    GArray *configs = g_array_new(FALSE, FALSE, sizeof(struct wrong_config));
    struct wrong_config wrong;

#define WRONG(member, value, text)                                             \
    wrong = (struct wrong_config){right(), text};                              \
    wrong.config.member = (value);                                             \
    g_array_append_val(configs, wrong)

    WRONG(platform, NULL, "platform is NULL");
    WRONG(cpus, -2, "cpus is -2");
    WRONG(cpus, INT_MIN, "cpus is -2147483648");
    WRONG(gpus, -2, "gpus is -2");
    WRONG(gpu_memory_bytes, 1, "gpu_memory_bytes is 1:");
    WRONG(gpu_memory_bytes, (1 << 20) - 1, "gpu_memory_bytes is 1048575:");
    WRONG(pipeline, -1, "pipeline is -1: expected a number from 0 to 4");
    WRONG(pipeline, 5, "pipeline is 5:");
    WRONG(perturb.share, 2, "perturb is 2:");
    WRONG(perturb.share, 1, "perturb is 1:");
    WRONG(perturb.share, -0.1, "perturb is -0.1:");
    WRONG(perturb.share, (double)NAN, "perturb is nan:");
    WRONG(perturb.share, (double)INFINITY, "perturb is inf:");
    WRONG(spread, -7, "spread is -7:");
    WRONG(spread, -0.5, "spread is -0.5:");
    WRONG(spread, (double)NAN, "spread is nan:");
    WRONG(spread, (double)INFINITY, "spread is inf:");
    WRONG(window.least, -2, "window: MIN is -2:");
    WRONG(window.least, 1, "window: MIN is 1, above MAX, which is 0");
    WRONG(left_out_count, 2, "left_out is NULL");
    WRONG(where, no_class, "where: 'gemm' is not KERNEL=cpu, KERNEL=gpu");
    WRONG(policy, &no_push, "policy: policy mute lacks the function push");
    WRONG(policy, &no_name, "policy: the name of its policy");
#undef WRONG
    return configs;
}

static void assert_begins(GError *error, const char *message)
{
    assert_refused(error, message);
    assert_true(g_str_has_prefix(error->message, message));
}

static void each_wrong_member_of_the_config_is_named(void **state)
{
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");
    g_autoptr(GArray) configs = wrong_configs();

    (void)state;
    for (unsigned i = 0; i < configs->len; i++) {
        struct wrong_config *wrong =
            &g_array_index(configs, struct wrong_config, i);
        g_autoptr(GError) of_run = NULL;
        g_autoptr(GError) of_machine = NULL;

        if (wrong->config.platform)
            wrong->config.platform = path;
        assert_null(orr_run_new(&wrong->config, &of_run));
        assert_begins(of_run, wrong->message);
        assert_null(orr_machine_new(&wrong->config, &of_machine));
        assert_begins(of_machine, wrong->message);
    }
}

static void tasks_to_skip_ascend(void **state)
{
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");
    const uint64_t *const lists[] = {descending, twice};
    struct orr_config config = right();

    (void)state;
    config.platform = path;
    config.left_out_count = 2;
    for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_autoptr(GError) error = NULL;

        config.left_out = lists[i];
        assert_null(orr_run_new(&config, &error));
        assert_refused(error, "left_out has task");
    }
}

static void extreme_values_that_are_allowed_are_accepted(void **state)
{
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");
    struct orr_config config = right();
    struct orr_run *run;

    (void)state;
    config.platform = path;
    config.perturb.share = 0.999;
    config.spread = 1e300;
    config.models = "durations=sampled";
    config.gpu_memory_bytes = UINT64_MAX;
    config.window.most = UINT64_MAX;
    config.seed = UINT64_MAX;
    run = orr_run_new(&config, NULL);
    assert_non_null(run);
    orr_run_free(run);
    config.gpu_memory_bytes = 1 << 20;
    run = orr_run_new(&config, NULL);
    assert_non_null(run);
    orr_run_free(run);
}

static void a_shared_machine_has_the_gpus_of_its_runs(void **state)
{
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");
    struct orr_config config = right();
    g_autoptr(GError) error = NULL;
    struct orr_machine *machine;

    (void)state;
    config.platform = path;
    machine = orr_machine_new(&config, NULL);
    config.machine = machine;
    config.gpus = 4;
    assert_null(orr_run_new(&config, &error));
    assert_refused(error, "gpus is 4, but the machine was read with 3 GPUs");
    orr_machine_free(machine);
}

static void a_kernel_is_looked_up_by_names_that_exist(void **state)
{
    static const struct {
        const char *family, *name;
        int precision;
        unsigned tile;
        const char *message;
    } wrong[] = {
        {NULL, "unit", ORR_SINGLE_PRECISION, 960, "family of the kernel"},
        {"test", NULL, ORR_SINGLE_PRECISION, 960, "name of the kernel"},
        {"test", "unit", 2, 960, "precision"},
        {"test", "unit", ORR_SINGLE_PRECISION, 0, "tile of the kernel is 0"},
    };
    struct unit_run *unit = unit_run_on("eager", 1, 1);

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(
            orr_kernel_find(unit->run, wrong[i].family, wrong[i].name,
                            (enum orr_kernel_precision)wrong[i].precision,
                            wrong[i].tile, &error));
        assert_refused(error, wrong[i].message);
    }
    orr_kernel_set_synchronous(NULL);
    unit_run_free(unit);
}

static void assert_where_refused(struct unit_run *unit,
                                 struct orr_kernel *kernel, int where,
                                 const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(
        orr_kernel_set_where(unit->run, kernel, (enum orr_where)where, &error));
    assert_refused(error, message);
}

static void a_restriction_names_kernel_and_class(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct unit_run *other = unit_run_on("eager", 1, 1);

    (void)state;
    assert_where_refused(unit, NULL, ORR_WHERE_CPU, "the kernel is NULL");
    assert_where_refused(unit, other->unit, ORR_WHERE_CPU, "another run");
    assert_where_refused(unit, unit->unit, 3, "class of workers");
    unit_submit_bare(unit);
    assert_where_refused(unit, unit->unit, ORR_WHERE_CPU, "has tasks");
    unit_wait(unit);
    assert_true(
        orr_kernel_set_where(unit->run, unit->unit, ORR_WHERE_CPU, NULL));
    unit_run_free(other);
    unit_run_free(unit);
}

/* The run of @unit has the error @message, and keeps failing with it, whatever
 * comes later. Frees it. */
static void assert_failed(struct unit_run *unit, const char *message)
{
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) later = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_refused(error, message);
    orr_task_submit(unit->run, &spec);
    assert_null(orr_data_register(unit->run, 0));
    assert_false(orr_run_wait_tag(unit->run, 1, &later));
    assert_string_equal(later->message, error->message);
    assert_int_equal(orr_run_report(unit->run)->tasks, 0);
    unit_run_free(unit);
}

static void data_have_a_size(void **state)
{
    static const struct {
        uint64_t column, count, pitch;
        const char *message;
    } wrong[] = {
        {0, 1, 1, "1 columns of 0 bytes"},
        {1, 0, 1, "0 columns of 1 bytes"},
        {8, 2, 7, "the pitch 7 is below the 8 bytes"},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, UINT64_C(1) << 32,
         "4294967296 columns of 4294967296 bytes"}, /* 2^64 wraps to 0 */
        {(UINT64_C(1) << 63) + 1, 2, UINT64_MAX, "2 columns of"}, /* to 2 */
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        struct unit_run *unit = unit_run_on("eager", 1, 1);

        assert_null(orr_data_register_matrix(unit->run, wrong[i].column,
                                             wrong[i].count, wrong[i].pitch));
        orr_data_set_coordinates(NULL, 0, 0);
        orr_data_set_name(NULL, "none");
        assert_failed(unit, wrong[i].message);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct unit_run *unit = unit_run_on("eager", 1, 1);

        assert_null(orr_data_register(unit->run, i ? UINT64_MAX : 0));
        assert_failed(unit, i ? "18446744073709551615 bytes" : "of 0 bytes");
    }
}

static void a_hint_names_a_datum_of_the_run(void **state)
{
    struct unit_run *other = unit_run_on("eager", 1, 1);
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register(other->run, 1000);

    (void)state;
    orr_data_wont_use(unit->run, NULL);
    assert_failed(unit, "the datum is NULL");
    unit = unit_run_on("eager", 1, 1);
    orr_data_wont_use(unit->run, data);
    assert_failed(unit, "a datum of another run");
    unit_run_free(other);
}

static void a_task_accesses_data_of_the_run_in_a_mode(void **state)
{
    static const int modes[] = {0,  ORR_COMMUTE, ORR_R | ORR_COMMUTE, 6, 9, 32,
                                33, -1};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(modes) + 2; i++) {
        struct unit_run *other = unit_run_on("eager", 1, 1);
        struct unit_run *unit = unit_run_on("eager", 1, 1);
        struct orr_data *own = orr_data_register(unit->run, 1000);
        struct orr_data *foreign = orr_data_register(other->run, 1000);
        bool wrong_mode = i < G_N_ELEMENTS(modes);
        int mode = wrong_mode ? modes[i] : ORR_R;
        struct orr_access accesses[] = {{own, ORR_R},
                                        {own, (enum orr_access_mode)mode}};
        struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT, .kernel = unit->unit, .name = "probe",
            .count = 2,         .accesses = accesses,
        };

        if (!wrong_mode)
            accesses[1].data = i == G_N_ELEMENTS(modes) ? NULL : foreign;
        orr_task_submit(unit->run, &spec);
        assert_failed(unit, wrong_mode ? "task 0 (probe): access 1: mode is"
                            : i == G_N_ELEMENTS(modes)
                                ? "task 0 (probe): access 1: data is NULL"
                                : "access 1: data is of another run");
        unit_run_free(other);
    }
}

/* Submits @spec to a run that has a task, and expects @message. */
static void assert_task_refused(struct orr_task_spec spec, bool has_kernel,
                                const char *message)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);

    if (has_kernel)
        spec.kernel = unit->unit;
    orr_task_submit(unit->run, &spec);
    assert_failed(unit, message);
}

static void the_rest_of_a_task_is_checked(void **state)
{
    static const uint64_t tags[] = {5, 0};
    struct unit_run *other = unit_run_on("eager", 1, 1);

    (void)state;
    assert_task_refused(
        (struct orr_task_spec){ORR_TASK_SPEC_INIT, .name = "lost"}, false,
        "task 0 (lost): kernel is NULL");
    assert_task_refused(
        (struct orr_task_spec){ORR_TASK_SPEC_INIT, .kernel = other->unit},
        false, "task 0 (unnamed): kernel is of another run");
    assert_task_refused((struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                               .count = ORR_MAX_ACCESSES + 1},
                        true, "task 0 (unit): count is above ORR_MAX_ACCESSES");
    assert_task_refused(
        (struct orr_task_spec){ORR_TASK_SPEC_INIT, .count = UINT_MAX}, true,
        "count is above ORR_MAX_ACCESSES");
    assert_task_refused((struct orr_task_spec){ORR_TASK_SPEC_INIT, .count = 1},
                        true, "accesses is NULL, but count is not 0");
    assert_task_refused(
        (struct orr_task_spec){ORR_TASK_SPEC_INIT, .wait_count = 1}, true,
        "wait_tags is NULL");
    assert_task_refused(
        (struct orr_task_spec){ORR_TASK_SPEC_INIT,
                               .coordinate_count = ORR_MAX_COORDINATES + 1},
        true, "coordinate_count is above ORR_MAX_COORDINATES");
    assert_task_refused(
        (struct orr_task_spec){ORR_TASK_SPEC_INIT, .coordinate_count = 2,
                               .coordinates = {0, ORR_MAX_COORDINATE + 1}},
        true, "a coordinate is above ORR_MAX_COORDINATE");
    assert_task_refused((struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                               .wait_count = 2,
                                               .wait_tags = tags},
                        true, "it waits for tag 0");
    unit_run_free(other);
}

static void tag_0_is_not_awaited(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_false(orr_run_wait_tag(unit->run, 0, &error));
    assert_refused(error, "tag 0");
    assert_failed(unit, "tag 0");
}

ORR_TESTS(arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wrong_member_of_the_config_is_named),
        cmocka_unit_test(tasks_to_skip_ascend),
        cmocka_unit_test(extreme_values_that_are_allowed_are_accepted),
        cmocka_unit_test(a_shared_machine_has_the_gpus_of_its_runs),
        cmocka_unit_test(a_kernel_is_looked_up_by_names_that_exist),
        cmocka_unit_test(a_restriction_names_kernel_and_class),
        cmocka_unit_test(data_have_a_size),
        cmocka_unit_test(a_hint_names_a_datum_of_the_run),
        cmocka_unit_test(a_task_accesses_data_of_the_run_in_a_mode),
        cmocka_unit_test(the_rest_of_a_task_is_checked),
        cmocka_unit_test(tag_0_is_not_awaited),
    };

    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}

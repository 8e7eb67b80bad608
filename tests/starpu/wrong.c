/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

#include <pthread.h>
#include <schedulers/starpu_heteroprio.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * Programs that make a mistake, by its name: the message is in
 * tests/shell/starpu-wrong.sh. The functions return if it has none.
 */
enum { LENGTH = 1024 };

static void nothing_cpu(void *buffers[], void *arguments)
{
    (void)buffers;
    (void)arguments;
}

static double work_us(struct starpu_task *task, unsigned implementation)
{
    (void)task;
    (void)implementation;
    return 10;
}

static struct starpu_perfmodel work_model = {
    .type = STARPU_COMMON, .symbol = "work", .cost_function = work_us};
static struct starpu_codelet work = {.cpu_funcs = {nothing_cpu},
                                     .nbuffers = 1,
                                     .modes = {STARPU_RW},
                                     .model = &work_model,
                                     .name = "work"};
static struct starpu_codelet idle = {
    .cpu_funcs = {nothing_cpu}, .model = &work_model, .name = "idle"};
static struct starpu_codelet any = {.cpu_funcs = {nothing_cpu},
                                    .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                    .model = &work_model,
                                    .name = "any"};
static struct starpu_data_filter halves = {
    .filter_func = starpu_vector_filter_block, .nchildren = 2};
static float elements[LENGTH];
static starpu_data_handle_t vector, parts[2];

static void use(starpu_data_handle_t handle)
{
    CHECK(starpu_task_insert(&work, STARPU_RW, handle, 0));
    CHECK(starpu_task_wait_for_all());
}

static void plan(void)
{
    starpu_data_partition_plan(vector, &halves, parts);
}

static void register_many(size_t count, size_t size)
{
    starpu_vector_data_register(&vector, 0, (uintptr_t)elements, count, size);
}

static struct starpu_task *create(void)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &idle;
    return task;
}

/* ---- handles ---- */

static void unregister_twice(void)
{
    starpu_data_handle_t first = vector;
    starpu_data_unregister(first);
    register_many(LENGTH, 4);
    starpu_data_unregister(first);
}

static void use_unregistered(void)
{
    starpu_data_unregister(vector);
    use(vector);
}

static void use_of_last_session(void)
{
    starpu_shutdown();
    CHECK(starpu_init(NULL));
    use(vector);
}

static void use_after_shutdown(void)
{
    starpu_data_unregister(vector);
    starpu_shutdown();
    CHECK(starpu_task_insert(&idle, 0));
}

static void shut_down_twice(void)
{
    starpu_data_unregister(vector);
    starpu_shutdown();
    starpu_shutdown();
}

static void use_what_is_no_handle(void)
{
    static char bytes[4096];
    use((starpu_data_handle_t)(void *)bytes);
}

static void name_null(void)
{
    starpu_data_set_name(NULL, "null");
}

static void release_twice(void)
{
    printf("printed before\n");
    CHECK(starpu_data_acquire(vector, STARPU_R));
    starpu_data_release(vector);
    starpu_data_release(vector);
}

static void acquire_twice(void)
{
    CHECK(starpu_data_acquire(vector, STARPU_W));
    CHECK(starpu_data_acquire(vector, STARPU_W));
}

static void register_nowhere(void)
{
    starpu_vector_data_register(NULL, 0, (uintptr_t)elements, 1, 1);
}

static void register_too_much(void)
{
    register_many(SIZE_MAX / 2, 1);
}

static void register_overflow(void)
{
    register_many(SIZE_MAX / 2, 4);
}

static void copy_to_smaller(void)
{
    starpu_data_handle_t large = vector;
    register_many(LENGTH / 2, 4);
    CHECK(starpu_data_cpy(vector, large, 0, NULL, NULL));
}

/* ---- parts ---- */

static void split_into_too_many(void)
{
    struct starpu_data_filter filter = halves;
    filter.nchildren = (unsigned)-1;
    starpu_data_partition(vector, &filter);
}

static void unregister_part(void)
{
    starpu_data_partition(vector, &halves);
    starpu_data_unregister(starpu_data_get_sub_data(vector, 1, 1));
}

static void use_joined_part(void)
{
    starpu_data_partition(vector, &halves);
    starpu_data_handle_t part = starpu_data_get_sub_data(vector, 1, 1);
    starpu_data_unpartition(vector, 0);
    use(part);
}

static void use_cleaned_part(void)
{
    plan();
    starpu_data_partition_clean(vector, 2, parts);
    use(parts[1]);
}

static void clean_twice(void)
{
    plan();
    starpu_data_partition_clean(vector, 2, parts);
    starpu_data_partition_clean(vector, 2, parts);
}

static void split_twice(void)
{
    plan();
    starpu_data_partition_submit(vector, 2, parts);
    starpu_data_partition_submit(vector, 2, parts);
}

static void join_whole(void)
{
    plan();
    starpu_data_unpartition_submit(vector, 2, parts, 0);
}

static struct starpu_data_interface_ops *
no_kind(struct starpu_data_filter *filter, unsigned child)
{
    (void)filter;
    (void)child;
    return NULL;
}

static void split_into_no_kind(void)
{
    struct starpu_data_filter filter = halves;
    filter.get_child_ops = no_kind;
    starpu_data_partition(vector, &filter);
}

static void register_large_interface(void)
{
    struct starpu_data_interface_ops *ops =
        starpu_data_get_interface_ops(vector);
    static struct starpu_data_interface_ops own;
    own = *ops;
    own.interface_size = SIZE_MAX;
    own.name = (char *)"own";
    starpu_data_register(&vector, 0, elements, &own);
}

static void free_twice(void)
{
    void *block;
    CHECK(starpu_malloc(&block, 64));
    CHECK(starpu_free_noflag(block, 64));
    CHECK(starpu_free_noflag(block, 64));
}

static void free_large_twice(void)
{
    void *block;
    CHECK(starpu_malloc(&block, 1 << 20));
    CHECK(starpu_free_noflag(block, 1 << 20));
    CHECK(starpu_free_noflag(block, 1 << 20));
}

static void allocate_too_much(void)
{
    void *block;
    if (starpu_malloc(&block, SIZE_MAX) == 0)
        return;
    starpu_free_noflag(elements, 1);
}

/* ---- tasks ---- */

static void destroy_twice(void)
{
    struct starpu_task *task = create();
    starpu_task_destroy(task);
    starpu_task_destroy(task);
}

static void wait_twice(void)
{
    struct starpu_task *task = create();
    task->detach = 0;
    CHECK(starpu_task_submit(task));
    CHECK(starpu_task_wait(task));
    CHECK(starpu_task_wait(task));
}

static void depend_on_null(void)
{
    starpu_task_declare_deps_array(create(), 2, NULL);
}

static void depend_on_many(void)
{
    starpu_tag_declare_deps(1, (unsigned)-1);
}

static void name_no_workers(void)
{
    struct starpu_task *task = create();
    task->workerids_len = 1;
    CHECK(starpu_task_submit(task));
}

/* ---- arguments of starpu_task_insert() ---- */

static void insert_without_end(void)
{
    CHECK(starpu_task_insert(&work, STARPU_RW, vector, 0x7777777, vector, 0));
}

static void insert_too_many(void)
{
    CHECK(starpu_task_insert(&work, STARPU_RW, vector, STARPU_R, vector, 0));
}

static void insert_wrong_array(void)
{
    CHECK(starpu_task_insert(&any, STARPU_DATA_ARRAY, &vector, -1, 0));
}

static void insert_wrong_size(void)
{
    int value = 0;
    CHECK(starpu_task_insert(&idle, STARPU_VALUE, &value, SIZE_MAX, 0));
}

/* ---- processes ---- */

static void poll_for_ever(void)
{
    CHECK(starpu_task_insert(&idle, 0));
    while (starpu_task_nsubmitted() > 0)
        ;
}

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

/* A child that would stay; the program itself ends. */
static void leave_child(void)
{
    if (fork() == 0)
        sleep_for_ever();
    use(vector);
    starpu_data_unregister(vector);
    starpu_shutdown();
    exit(0);
}

static void *wait_for_ever(void *argument)
{
    (void)argument;
    sleep_for_ever();
    return NULL;
}

static void join_sleeper(void)
{
    starpu_pthread_t thread;
    starpu_pthread_create(&thread, NULL, wait_for_ever, NULL);
    starpu_pthread_join(thread, NULL);
}

static void replace_socket(void)
{
    CHECK(dup2(0, 3) != 3);
    use(vector);
}

/* ---- before starpu_init() ---- */

static void init_by_two(void)
{
    fork();
    CHECK(starpu_init(NULL));
    sleep_for_ever();
}

static void init_without_socket(void)
{
    setenv("ORRERY_REMOTE", "99", 1);
    CHECK(starpu_init(NULL));
}

static void init_with_many_workers(void)
{
    struct starpu_conf conf;
    CHECK(starpu_conf_init(&conf));
    conf.ncpus = INT32_MAX;
    CHECK(starpu_init(&conf));
}

static void init_with_buckets(void (*callback)(unsigned context))
{
    struct starpu_conf conf;
    CHECK(starpu_conf_init(&conf));
    conf.sched_policy_name = "heteroprio";
    conf.sched_policy_callback = callback;
    setenv("STARPU_HETEROPRIO_USE_AUTO_CALIBRATION", "0", 1);
    CHECK(starpu_init(&conf));
}

static void map_one(unsigned context)
{
    starpu_heteroprio_set_nb_prios(context, STARPU_CPU_WORKER, 1);
    starpu_heteroprio_set_mapping(context, STARPU_CPU_WORKER, 0, 3);
}

static void map_two_to_three(unsigned context)
{
    map_one(context);
    starpu_heteroprio_set_nb_prios(context, STARPU_CPU_WORKER, 3);
    starpu_heteroprio_set_mapping(context, STARPU_CPU_WORKER, 1, 2);
}

static void map_bucket_to_both(unsigned context)
{
    starpu_heteroprio_set_nb_prios(context, STARPU_CUDA_WORKER, 2);
    starpu_heteroprio_set_mapping(context, STARPU_CUDA_WORKER, 0, 3);
    starpu_heteroprio_set_mapping(context, STARPU_CUDA_WORKER, 1, 3);
}

static void map_two_to_one(unsigned context)
{
    map_one(context);
    starpu_heteroprio_set_mapping(context, STARPU_CPU_WORKER, 1, 4);
}

static void map_far_bucket(unsigned context)
{
    starpu_heteroprio_set_mapping(context, STARPU_CPU_WORKER, 0, 100);
}

static void choose_locality(unsigned context)
{
    starpu_heteroprio_set_use_locality(context, 1);
}

static void map_too_few(void)
{
    init_with_buckets(map_two_to_three);
}

static void map_bucket_twice(void)
{
    init_with_buckets(map_bucket_to_both);
}

static void map_too_many(void)
{
    init_with_buckets(map_two_to_one);
}

static void map_beyond(void)
{
    init_with_buckets(map_far_bucket);
}

static void use_locality(void)
{
    init_with_buckets(choose_locality);
}

static void map_later(void)
{
    init_with_buckets(map_one);
    map_one(0);
}

/* The task has priority 0. */
static void push_to_no_bucket(void)
{
    init_with_buckets(map_one);
    CHECK(starpu_task_insert(&idle, 0));
    CHECK(starpu_task_wait_for_all());
}

static const struct {
    const char *name;
    void (*function)(void);
    int without_session;
} mistakes[] = {
    {"unregister_twice", unregister_twice, 0},
    {"use_unregistered", use_unregistered, 0},
    {"use_of_last_session", use_of_last_session, 0},
    {"use_after_shutdown", use_after_shutdown, 0},
    {"shut_down_twice", shut_down_twice, 0},
    {"use_what_is_no_handle", use_what_is_no_handle, 0},
    {"name_null", name_null, 0},
    {"release_twice", release_twice, 0},
    {"acquire_twice", acquire_twice, 0},
    {"register_nowhere", register_nowhere, 0},
    {"register_too_much", register_too_much, 0},
    {"register_overflow", register_overflow, 0},
    {"copy_to_smaller", copy_to_smaller, 0},
    {"split_into_too_many", split_into_too_many, 0},
    {"unregister_part", unregister_part, 0},
    {"use_joined_part", use_joined_part, 0},
    {"use_cleaned_part", use_cleaned_part, 0},
    {"clean_twice", clean_twice, 0},
    {"split_twice", split_twice, 0},
    {"join_whole", join_whole, 0},
    {"split_into_no_kind", split_into_no_kind, 0},
    {"register_large_interface", register_large_interface, 0},
    {"free_twice", free_twice, 0},
    {"free_large_twice", free_large_twice, 0},
    {"allocate_too_much", allocate_too_much, 0},
    {"destroy_twice", destroy_twice, 0},
    {"wait_twice", wait_twice, 0},
    {"depend_on_null", depend_on_null, 0},
    {"depend_on_many", depend_on_many, 0},
    {"name_no_workers", name_no_workers, 0},
    {"insert_without_end", insert_without_end, 0},
    {"insert_too_many", insert_too_many, 0},
    {"insert_wrong_array", insert_wrong_array, 0},
    {"insert_wrong_size", insert_wrong_size, 0},
    {"poll_for_ever", poll_for_ever, 0},
    {"sleep_for_ever", sleep_for_ever, 1},
    {"leave_child", leave_child, 0},
    {"join_sleeper", join_sleeper, 0},
    {"replace_socket", replace_socket, 0},
    {"init_by_two", init_by_two, 1},
    {"init_without_socket", init_without_socket, 1},
    {"init_with_many_workers", init_with_many_workers, 1},
    {"map_too_few", map_too_few, 1},
    {"map_bucket_twice", map_bucket_twice, 1},
    {"map_too_many", map_too_many, 1},
    {"map_beyond", map_beyond, 1},
    {"map_later", map_later, 1},
    {"use_locality", use_locality, 1},
    {"push_to_no_bucket", push_to_no_bucket, 1},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
        if (argc < 2 || strcmp(mistakes[i].name, argv[1]) != 0)
            continue;
        if (!mistakes[i].without_session) {
            CHECK(starpu_init(NULL));
            register_many(LENGTH, sizeof(float));
        }
        mistakes[i].function();
    }
    fprintf(stderr, "no mistake is noticed\n");
    return 2;
}

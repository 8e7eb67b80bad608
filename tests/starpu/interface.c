/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

#include <string.h>

/* A data interface of the program: the real and the imaginary parts of
 * complex numbers, in two arrays. */
struct complex_interface {
    enum starpu_data_interface_id id;
    uintptr_t real, imaginary;
    unsigned count;
};

static size_t half(const struct complex_interface *interface)
{
    return interface->count * sizeof(double);
}

static void register_handle(starpu_data_handle_t handle, int home,
                            void *data_interface)
{
    const struct complex_interface *given =
        (const struct complex_interface *)data_interface;
    for (int node = 0; node < STARPU_MAXNODES; node++) {
        struct complex_interface *local =
            (struct complex_interface *)starpu_data_get_interface_on_node(
                handle, (unsigned)node);
        local->id = given->id;
        local->count = given->count;
        local->real = node == home ? given->real : 0;
        local->imaginary = node == home ? given->imaginary : 0;
    }
}

static starpu_ssize_t allocate(void *data_interface, unsigned node)
{
    struct complex_interface *interface =
        (struct complex_interface *)data_interface;
    interface->real = starpu_malloc_on_node(node, half(interface));
    if (interface->real == 0)
        return -1;
    interface->imaginary = starpu_malloc_on_node(node, half(interface));
    if (interface->imaginary == 0) {
        starpu_free_on_node(node, interface->real, half(interface));
        return -1;
    }
    return (starpu_ssize_t)(2 * half(interface));
}

static void deallocate(void *data_interface, unsigned node)
{
    struct complex_interface *interface =
        (struct complex_interface *)data_interface;
    starpu_free_on_node(node, interface->real, half(interface));
    starpu_free_on_node(node, interface->imaginary, half(interface));
}

static size_t size_of(starpu_data_handle_t handle)
{
    return 2 *
           half((struct complex_interface *)starpu_data_get_interface_on_node(
               handle, 0));
}

static uint32_t footprint(starpu_data_handle_t handle)
{
    return starpu_hash_crc32c_be((uint32_t)size_of(handle), 0);
}

static int copy(void *from_interface, unsigned from_node, void *to_interface,
                unsigned to_node, void *request)
{
    struct complex_interface *from = (struct complex_interface *)from_interface;
    struct complex_interface *to = (struct complex_interface *)to_interface;
    int later = starpu_interface_copy(from->real, 0, from_node, to->real, 0,
                                      to_node, half(from), request);
    if (starpu_interface_copy(from->imaginary, 0, from_node, to->imaginary, 0,
                              to_node, half(from), request) != 0)
        later = -EAGAIN;
    return later;
}

static const struct starpu_data_copy_methods copy_methods = {.any_to_any =
                                                                 copy};

static struct starpu_data_interface_ops complex_ops = {
    .register_data_handle = register_handle,
    .allocate_data_on_node = allocate,
    .free_data_on_node = deallocate,
    .copy_methods = &copy_methods,
    .get_size = size_of,
    .footprint = footprint,
    .interfaceid = STARPU_UNKNOWN_INTERFACE_ID,
    .interface_size = sizeof(struct complex_interface),
    .name = (char *)"complex",
};

static void conjugate_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    struct complex_interface *numbers = (struct complex_interface *)buffers[0];
    for (unsigned i = 0; i < numbers->count; i++)
        ((double *)numbers->imaginary)[i] *= -1;
}

static double conjugate_us(struct starpu_task *task,
                           struct starpu_perfmodel_arch *arch,
                           unsigned implementation)
{
    (void)task;
    (void)implementation;
    return arch->devices[0].type == STARPU_CUDA_WORKER ? 40 : 4000;
}

static struct starpu_perfmodel conjugate_model = {
    .type = STARPU_PER_ARCH,
    .symbol = "conjugate",
    .arch_cost_function = conjugate_us,
};
static struct starpu_codelet conjugate = {
    .cpu_funcs = {conjugate_cpu},
    .cuda_funcs = {conjugate_cpu},
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .model = &conjugate_model,
    .name = "conjugate",
};

int main(void)
{
    enum { COUNT = 100000 };
    static double real[COUNT], imaginary[COUNT];
    imaginary[COUNT - 1] = 3;
    CHECK(starpu_init(NULL));
    complex_ops.interfaceid =
        (enum starpu_data_interface_id)starpu_data_interface_get_next_id();
    struct complex_interface numbers = {
        .id = complex_ops.interfaceid,
        .real = (uintptr_t)real,
        .imaginary = (uintptr_t)imaginary,
        .count = COUNT,
    };
    starpu_data_handle_t handle;
    starpu_data_register(&handle, STARPU_MAIN_RAM, &numbers, &complex_ops);
    say("registered");
    printf("%zu bytes\n", starpu_data_get_size(handle));
    for (int i = 0; i < 3; i++)
        CHECK(starpu_task_insert(&conjugate, STARPU_RW, handle, 0));
    CHECK(starpu_task_wait_for_all());
    say("conjugated three times");
    starpu_data_unregister(handle);
    say("unregistered");
    if (getenv("EXECUTED"))
        printf("last imaginary part %g\n", imaginary[COUNT - 1]);
    starpu_shutdown();
    return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of known CPUs and GPUs. */
#include "models/platform/devices.h"
#include "tests/support/cmocka_all.h"

/* A machine of a part has the model of that part: it must find the same one. */
static void test_models_find_their_part(void **state)
{
    const struct orr_device *device;

    (void)state;
    for (unsigned i = 0; (device = orr_device_at(i)); i++) {
        assert_ptr_equal(orr_device_find(device->part), device);
        assert_ptr_equal(orr_device_of_model(device->model), device);
    }
}

static void test_figures_are_plausible(void **state)
{
    const struct orr_device *device;

    (void)state;
    for (unsigned i = 0; (device = orr_device_at(i)); i++) {
        bool is_gpu = device->cores == 0;

        assert_true(device->peak[ORR_SINGLE] >= device->peak[ORR_DOUBLE]);
        assert_true(device->peak[ORR_DOUBLE] >= 50e9);
        assert_true(device->peak[ORR_SINGLE] <= 1e15);
        assert_true(device->bandwidth >= 50e9 && device->bandwidth <= 1e13);
        assert_true(device->year >= 2008 && device->source[0] != '\0');
        assert_true(is_gpu == (device->memory_gib > 0));
        assert_true(is_gpu == (device->curves != NULL));
    }
}

/* Names that nvidia-smi and hwloc show. */
static void test_names_of_drivers(void **state)
{
    static const struct {
        const char *model;
        const char *part; /* NULL: another card */
    } names[] = {
        {"Tesla V100-PCIE-16GB", "v100"},
        {"Tesla V100-SXM2-16GB", "v100-sxm2"},
        {"Tesla V100-SXM2-32GB", "v100-sxm2-32"},
        {"Tesla P100-SXM2-16GB", "p100-sxm2"},
        {"NVIDIA A100-SXM4-80GB", "a100-80"},
        {"NVIDIA A100 80GB PCIe", "a100-80"},
        {"NVIDIA H100 80GB HBM3", "h100"},
        {"NVIDIA H100 PCIe", "h100-pcie"},
        {"NVIDIA H200", "h200"},
        {"NVIDIA H200 NVL", "h200-nvl"},
        {"NVIDIA GH200 480GB", "gh200"},
        {"NVIDIA B200", "b200"},
        {"NVIDIA GB200", NULL},
        {"NVIDIA GeForce RTX 3090", "rtx3090"},
        {"NVIDIA GeForce RTX 3090 Ti", NULL},
        {"NVIDIA GeForce RTX 4090 Laptop GPU", NULL},
        {"NVIDIA GeForce RTX 4090 D", NULL},
        {"NVIDIA TITAN X (Pascal)", NULL},
        {"GeForce GTX TITAN X", "titan-x"},
        {"AMD EPYC 7742 64-Core Processor", "epyc-7742"},
        {"Intel(R) Xeon(R) Platinum 8480+", "xeon-8480"},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const struct orr_device *device = orr_device_of_model(names[i].model);

        if (names[i].part)
            assert_string_equal(device ? device->part : "", names[i].part);
        else
            assert_null(device);
    }
    assert_null(orr_device_of_model(NULL));
}

ORR_TESTS(devices)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_find_their_part),
        cmocka_unit_test(test_figures_are_plausible),
        cmocka_unit_test(test_names_of_drivers),
    };

    return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}

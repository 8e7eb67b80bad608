/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <starpu.h>

#include <cstdio>
#include <vector>

namespace
{
void twice_cpu(void *buffers[], void *)
{
    auto *values = reinterpret_cast<float *>(STARPU_VECTOR_GET_PTR(buffers[0]));
    for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
        values[i] *= 2;
}

double twice_us(struct starpu_task *, unsigned)
{
    return 30;
}
} // namespace

int main()
{
    if (starpu_init(nullptr) != 0)
        return 77;
    starpu_perfmodel model;
    starpu_perfmodel_init(&model);
    model.type = STARPU_COMMON;
    model.symbol = "twice";
    model.cost_function = twice_us;
    starpu_codelet twice;
    starpu_codelet_init(&twice);
    twice.cpu_funcs[0] = twice_cpu;
    twice.nbuffers = 1;
    twice.modes[0] = STARPU_RW;
    twice.model = &model;
    twice.name = "twice";
    std::vector<float> values(1000, 1.0f);
    starpu_data_handle_t handle;
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM,
                                reinterpret_cast<uintptr_t>(values.data()),
                                values.size(), sizeof(float));
    double start = starpu_timing_now();
    for (int i = 0; i < 3; i++)
        starpu_task_insert(&twice, STARPU_RW, handle, 0);
    starpu_task_wait_for_all();
    std::printf("%.3f us\n", starpu_timing_now() - start);
    starpu_data_unregister(handle);
    starpu_shutdown();
    return 0;
}

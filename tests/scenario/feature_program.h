/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FEATURE_PROGRAM_H
#define ORR_FEATURE_PROGRAM_H

#include "runtime/orrery.h"
#include "tests/support/cmocka_all.h"

/*
 * Programs of test_features.c: data of 3,686,400 bytes, and a kernel of 1 ms on
 * a GPU and 4 ms on a CPU.
 */
enum { DATA = 40, FIRST = 12 };

struct program {
    struct orr_run *run;
    struct orr_kernel *kernel;
    struct orr_data *data[DATA];
    unsigned count; /* of these */
    unsigned gpus;
    unsigned left; /* tasks that callbacks submit */
};

static inline unsigned add_sized(struct program *program, uint64_t bytes)
{
    program->data[program->count] = orr_data_register(program->run, bytes);
    return program->count++;
}

static inline unsigned add_datum(struct program *program)
{
    return add_sized(program, 3686400);
}

/* ---- tasks ---- */

static inline void submit(struct program *program, struct orr_task_spec spec)
{
    static const struct orr_task_times times = {
        ORR_TASK_TIMES_INIT, .cpu_ns = 4000000, .gpu_ns = 1000000};

    spec.kernel = program->kernel;
    spec.times = &times;
    orr_task_submit(program->run, &spec);
}

static inline void one(struct program *program, unsigned datum,
                       struct orr_task_spec spec)
{
    const struct orr_access access = {program->data[datum], ORR_RW};

    spec.count = 1;
    spec.accesses = &access;
    submit(program, spec);
}

static inline void update(struct program *program, unsigned datum)
{
    one(program, datum, (struct orr_task_spec){ORR_TASK_SPEC_INIT});
}

static inline void two(struct program *program, unsigned a,
                       enum orr_access_mode a_mode, unsigned b,
                       enum orr_access_mode b_mode, struct orr_task_spec spec)
{
    const struct orr_access accesses[] = {{program->data[a], a_mode},
                                          {program->data[b], b_mode}};

    spec.count = 2;
    spec.accesses = accesses;
    submit(program, spec);
}

static inline void combine(struct program *program, unsigned read,
                           unsigned updated)
{
    two(program, read, ORR_R, updated, ORR_RW,
        (struct orr_task_spec){ORR_TASK_SPEC_INIT});
}

static inline void acquire(struct program *program, unsigned datum,
                           enum orr_access_mode mode)
{
    assert_true(
        orr_data_acquire(program->run, program->data[datum], mode, NULL));
}

static inline void release(struct program *program, unsigned datum)
{
    orr_data_release(program->run, program->data[datum]);
}

static inline void unregister(struct program *program, unsigned datum)
{
    assert_true(orr_data_unregister(program->run, program->data[datum], NULL));
}

#endif

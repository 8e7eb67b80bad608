/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PROGRAM_H
#define ORR_STARPU_PROGRAM_H

#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * The test programs are written for StarPU, and run under it unchanged. They
 * print simulated dates, so their output is the same with each of both, as far
 * as the dates are.
 */

/* A call that must succeed. */
#define CHECK(call)                                                            \
    do {                                                                       \
        int status = (call);                                                   \
        if (status != 0) {                                                     \
            fprintf(stderr, "%s: %d\n", #call, status);                        \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

/* The time since the first call, in us. */
static inline double elapsed(void)
{
    static double start = -1;
    double now = starpu_timing_now();
    if (start < 0)
        start = now;
    return now - start;
}

static inline void say(const char *text)
{
    printf("%12.3f us: %s\n", elapsed(), text);
}

#endif

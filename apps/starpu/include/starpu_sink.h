/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SINK_H
#define ORR_STARPU_SINK_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_sink_common_worker(int argc, char **argv);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

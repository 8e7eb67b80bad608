/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CLIENT_DATA_H
#define ORR_CLIENT_DATA_H

#include <orrery.h>

/* The calls about data, each name without orr_. */
#define SP_REMOTE_DATA_CALLS(CALL)                                             \
    CALL(data_acquire)                                                         \
    CALL(data_acquire_as)                                                      \
    CALL(data_acquire_later)                                                   \
    CALL(data_deinitialize)                                                    \
    CALL(data_deinitialize_submit)                                             \
    CALL(data_evict)                                                           \
    CALL(data_expected_transfer_ns)                                            \
    CALL(data_idle_prefetch)                                                   \
    CALL(data_invalidate)                                                      \
    CALL(data_invalidate_submit)                                               \
    CALL(data_prefetch)                                                        \
    CALL(data_register)                                                        \
    CALL(data_register_matrix)                                                 \
    CALL(data_register_temporary)                                              \
    CALL(data_release)                                                         \
    CALL(data_release_on)                                                      \
    CALL(data_set_arbiter)                                                     \
    CALL(data_set_coordinates)                                                 \
    CALL(data_set_name)                                                        \
    CALL(data_set_reduction)                                                   \
    CALL(data_set_unordered)                                                   \
    CALL(data_state)                                                           \
    CALL(data_unregister)                                                      \
    CALL(data_unregister_no_coherency)                                         \
    CALL(data_unregister_submit)                                               \
    CALL(data_wont_use)

#define SP_REMOTE_DECLARE(name) __typeof__(orr_##name) sp_remote_##name;
SP_REMOTE_DATA_CALLS(SP_REMOTE_DECLARE)
#undef SP_REMOTE_DECLARE

/* Numbers @count data, which this or the other process registers. Returns the
 * first number. */
uint64_t sp_number_data(unsigned count);

#endif

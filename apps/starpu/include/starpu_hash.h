/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_HASH_H
#define ORR_STARPU_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* CRC-32C of bytes, of a pointer, of a number and of a string, most significant
 * bit first, continued from @inputcrc. */
uint32_t starpu_hash_crc32c_be_n(const void *input, size_t n,
                                 uint32_t inputcrc);
uint32_t starpu_hash_crc32c_be_ptr(void *input, uint32_t inputcrc);
uint32_t starpu_hash_crc32c_be(uint32_t input, uint32_t inputcrc);
uint32_t starpu_hash_crc32c_string(const char *str, uint32_t inputcrc);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FUZZ_H
#define ORR_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer calls it with texts that it makes up. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

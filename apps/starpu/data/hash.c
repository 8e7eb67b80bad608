/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <starpu_hash.h>
#include <string.h>

/* The remainder of the polynomial of CRC-32C, most significant bit first: of
 * each half of a byte. */
static const uint32_t remainders[16] = {
    0x00000000, 0x1edc6f41, 0x3db8de82, 0x2364b1c3, 0x7b71bd04, 0x65add245,
    0x46c96386, 0x58150cc7, 0xf6e37a08, 0xe83f1549, 0xcb5ba48a, 0xd587cbcb,
    0x8d92c70c, 0x934ea84d, 0xb02a198e, 0xaef676cf};

static uint32_t add_half(uint32_t crc)
{
    return (crc << 4) ^ remainders[crc >> 28];
}

uint32_t starpu_hash_crc32c_be_n(const void *input, size_t n, uint32_t inputcrc)
{
    const uint8_t *bytes = input;
    uint32_t crc = inputcrc;

    for (size_t i = 0; i < n; i++)
        crc = add_half(add_half(crc ^ (uint32_t)bytes[i] << 24));
    return crc;
}

uint32_t starpu_hash_crc32c_be(uint32_t input, uint32_t inputcrc)
{
    return starpu_hash_crc32c_be_n(&input, sizeof(input), inputcrc);
}

uint32_t starpu_hash_crc32c_be_ptr(void *input, uint32_t inputcrc)
{
    return starpu_hash_crc32c_be_n(&input, sizeof(input), inputcrc);
}

uint32_t starpu_hash_crc32c_string(const char *str, uint32_t inputcrc)
{
    return starpu_hash_crc32c_be_n(str, strlen(str), inputcrc);
}

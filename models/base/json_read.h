/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_JSON_READ_H
#define ORR_JSON_READ_H

#include "models/base/input.h"

/*
 * Reads JSON (RFC 8259) piece by piece, and calls a handler for each item.
 * Nothing is kept, unless the handler asks for it, and then up to
 * ORR_JSON_MAX_KEPT bytes of the file. Texts, keys and numbers have up to 1 MiB
 * and no 0, and there are up to ORR_JSON_DEPTH levels. *line is the line of the
 * current item.
 */
#define ORR_JSON_DEPTH 100
#define ORR_JSON_MAX_KEPT ((size_t)256 << 20)

/*
 * No function may be NULL. Each returns true to continue; or it sets the error
 * and returns false. Texts are not ended by a 0, and are valid until the
 * function returns. But start() may set *keeps, which is false at first: then
 * the values in the object or array are valid until its end() returns, and
 * end(), of this or of an inner one, may write a 0 behind earlier values.
 */
struct orr_json_handler {
    bool (*start)(void *data, bool is_array, bool *keeps);
    bool (*end)(void *data, bool is_array); /* of an object or an array */
    bool (*key)(void *data, const char *text, size_t length);
    /* A text or a number; not called for true, false and null. */
    bool (*value)(void *data, char *text, size_t length);
};

/* Reads one value, which must fill the whole @input. Returns false with @error,
 * set here for a fault of the file, or by the handler. */
bool orr_json_read(struct orr_input *input, unsigned *line,
                   const struct orr_json_handler *handler, void *data,
                   GError **error);

#endif

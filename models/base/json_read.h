/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_JSON_READ_H
#define ORR_JSON_READ_H

#include "models/base/input.h"

/*
 * Reads JSON (RFC 8259) piece by piece, and tells what comes. Nothing is kept,
 * unless it is asked for, and then up to ORR_JSON_MAX_KEPT bytes of the file.
 * Texts, keys and numbers have up to 1 MiB and no 0, and there are up to
 * ORR_JSON_DEPTH levels. *line is the line of what is told.
 */
#define ORR_JSON_DEPTH 100
#define ORR_JSON_MAX_KEPT ((size_t)256 << 20)

/*
 * All must be there. Each returns whether to go on; if not, it sets the error.
 * Texts are not ended by a 0, and valid until it returns. But start() may set
 * *keeps: then values in the object or array stay until its end was told, and
 * end(), of that or of what is in it, may write a 0 behind those that came
 * before. *keeps is false at first.
 */
struct orr_json_handler {
    bool (*start)(void *data, bool is_array, bool *keeps);
    bool (*end)(void *data, bool is_array); /* of an object or an array */
    bool (*key)(void *data, const char *text, size_t length);
    /* A text or a number; true, false and null are not told. */
    bool (*value)(void *data, char *text, size_t length);
};

/* Reads one value, which must be all that is in @input. Returns false with
 * @error, of the file or of a handler, which sets the same one. */
bool orr_json_read(struct orr_input *input, unsigned *line,
                   const struct orr_json_handler *handler, void *data,
                   GError **error);

#endif

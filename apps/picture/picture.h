/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PICTURE_H
#define ORR_PICTURE_H

#include "apps/picture/child.h"

/*
 * Runs @child to make a picture from @script, and writes it to @path, whose
 * suffix is the format: .svg, .png or .pdf. The file is replaced as a whole,
 * and only by a complete picture of that format; on failure it is unchanged.
 *
 * Returns false with the errors of orr_child_feed() and orr_file_replace(), or
 * with ORR_ERROR_IO if the output of the program is not such a picture.
 */
bool orr_picture_draw(const struct orr_child *child, const char *script,
                      const char *path, GError **error);

#endif

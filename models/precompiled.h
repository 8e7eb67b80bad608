/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The headers that most files include, for compilers to read once (precompiled
   in the build folder). No file includes this header, and each includes what it
   uses: a build without a precompiled header sees that. */
#ifndef ORR_PRECOMPILED_H
#define ORR_PRECOMPILED_H

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gio/gio.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#endif

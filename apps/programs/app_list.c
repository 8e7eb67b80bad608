/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which applications there are, by name: a program may be linked with another
 * list. */
#include "apps/programs/app.h"

const struct orr_app *const orr_apps[] = {
    &orr_app_cholesky,
    &orr_app_lu,
    NULL,
};

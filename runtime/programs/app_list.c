/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of applications. In a file of its own, so that a program may be
 * linked with another list. */
#include "runtime/programs/programs.h"

const struct orr_app *const orr_apps[] = {
    &orr_app_cholesky, &orr_app_gemm, &orr_app_lu, &orr_app_qr, NULL,
};

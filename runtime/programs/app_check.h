/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_CHECK_H
#define ORR_APP_CHECK_H

#include "runtime/orrery_app.h"

/*
 * Returns whether the table @app, which is not trusted, satisfies the contract
 * of orrery_app.h; otherwise fails with ORR_ERROR_VALUE, which names the
 * member. Follows the pointers of the table, which may crash.
 */
bool orr_app_check(const struct orr_app *app, GError **error);

#endif

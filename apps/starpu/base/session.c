/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/session.h"

#include "apps/starpu/base/error.h"

struct sp_session sp_session;

void sp_need_session(const char *call)
{
    if (!sp_session.run)
        sp_fail(call, "starpu_init() was not called, or failed");
}

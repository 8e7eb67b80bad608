/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/session.h"

#include "apps/starpu/base/error.h"

struct sp_session sp_session;

void sp_need_session(const char *call)
{
    if (G_UNLIKELY(!sp_session.run))
        sp_fail(call, "starpu_init() was not called, or failed");
    if (G_UNLIKELY(!pthread_equal(sp_session.thread, pthread_self())))
        sp_fail(call, "called in a second thread, which is not simulated "
                      "(docs/STARPU.md#threads)");
}

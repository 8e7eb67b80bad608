/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/calls.h"

const struct sp_calls sp_direct_calls = {
#define SP_CALL_DIRECT(name) .name = orr_##name,
    SP_CALLS(SP_CALL_DIRECT)
#undef SP_CALL_DIRECT
};

const struct sp_calls *sp_calls = &sp_direct_calls;

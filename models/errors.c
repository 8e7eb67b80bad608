/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/errors.h"

GQuark orr_error_quark(void)
{
    return g_quark_from_static_string("orr-error-quark");
}

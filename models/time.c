/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/time.h"

orr_time orr_time_from_seconds(double seconds)
{
    return orr_time_nearest(seconds * 1e9);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_HPBASIC_H
#define ORR_STARPU_HPBASIC_H

#include <starpu.h>

#define STARPU_HPBASIC_MAXTYPESOFTASKS 100

#endif

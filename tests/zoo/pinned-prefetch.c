/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pinned-prefetch: a runtime that pins the destination of a prefetch and, when
 * there is no room for it and it is put off, forgets to let go of it.
 *
 * Once such a datum has come by itself, its buffer stays for ever. With memory
 * to spare nothing is noticed; otherwise, attempt by attempt, prefetches pin
 * all of it. Reports of deadlocks with prefetching policies and matrices a
 * little larger than the memory of a GPU end here.
 */
#include "runtime/data/data.h"

#define orr_replicate_release(store, copy) ((void)(store), (void)(copy))
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "runtime/worker/request_issue.c"

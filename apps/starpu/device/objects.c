/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects of StarPU's interface; the functions that use them are refused. */
#include <starpu_disk.h>
#include <starpu_worker.h>

#include <schedulers/starpu_heteroprio.h>

struct starpu_disk_ops starpu_disk_hdf5_ops, starpu_disk_leveldb_ops,
    starpu_disk_stdio_ops, starpu_disk_unistd_o_direct_ops,
    starpu_disk_unistd_ops;
int starpu_disk_swap_node = -1;

struct starpu_worker_collection starpu_worker_list, starpu_worker_tree;

#define NAME_OF(policy) [policy] = #policy
const char starpu_autoheteroprio_priority_ordering_policy_names
    [STARPU_AUTOHETEROPRIO_PRIORITY_ORDERING_POLICY_COUNT][64] = {
        NAME_OF(STARPU_HETEROPRIO_NOD_TIME_COMBINATION),
        NAME_OF(STARPU_HETEROPRIO_BEST_NODS_SCORE),
        NAME_OF(STARPU_HETEROPRIO_BEST_NODS),
        NAME_OF(STARPU_HETEROPRIO_URT_PURE),
        NAME_OF(STARPU_HETEROPRIO_URT),
        NAME_OF(STARPU_HETEROPRIO_URT_2),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_PURE),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_PURE_2),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_REL_DIFF_PURE),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_REL_DIFF_PURE_2),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_2),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_3),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_4),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_5),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_6),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_7),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_8),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_9),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_10),
        NAME_OF(STARPU_HETEROPRIO_URT_DOT_DIFF_11),
        NAME_OF(STARPU_HETEROPRIO_URTS_PER_SECONDS),
        NAME_OF(STARPU_HETEROPRIO_URTS_PER_SECONDS_2),
        NAME_OF(STARPU_HETEROPRIO_URTS_PER_SECONDS_DIFF),
        NAME_OF(STARPU_HETEROPRIO_URTS_TIME_RELEASED_DIFF),
        NAME_OF(STARPU_HETEROPRIO_URTS_TIME_COMBINATION),
        NAME_OF(STARPU_HETEROPRIO_NODS_PER_SECOND),
        NAME_OF(STARPU_HETEROPRIO_NODS_TIME_RELEASED),
        NAME_OF(STARPU_HETEROPRIO_NODS_TIME_RELEASED_DIFF),
};

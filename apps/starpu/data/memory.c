/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/base/threads.h"
#include "apps/starpu/data/handle_state.h"

#include <errno.h>
#include <starpu_stdlib.h>
#include <sys/mman.h>

/*
 * Memory of programs. Large blocks are mapped, and take no room until they are
 * touched, so that matrices may be larger than the memory of this machine:
 * kernels do not run.
 */
static struct {
    GMutex lock;
    GHashTable *sizes; /* bytes that are mapped, 0 for blocks of malloc(), by
                          the address of each block; NULL: there was none yet */
} blocks;

static struct {
    starpu_malloc_hook allocate;
    starpu_free_hook free;
} hooks;

/* StarPU over SimGrid takes 650 us to pin a MiB for GPUs. It computes in floats
 * and sleeps in float seconds. */
static void take_time_to_pin(size_t bytes)
{
    float seconds = (float)((float)bytes * 0.000650 / 1048576.0);

    starpu_sleep(seconds);
}

#define SMALL (256 << 10)

static void *map(size_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return block == MAP_FAILED ? NULL : block;
}

/* Small blocks come from malloc(): there may be many. */
static int allocate(void **block, size_t bytes)
{
    if (bytes >= SMALL)
        *block = map(bytes);
    else if (posix_memalign(block, 64, bytes) != 0)
        *block = NULL;
    if (!*block)
        return -ENOMEM;
    g_mutex_lock(&blocks.lock);
    if (!blocks.sizes)
        blocks.sizes = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(blocks.sizes, *block,
                        GSIZE_TO_POINTER(bytes < SMALL ? 0 : bytes));
    g_mutex_unlock(&blocks.lock);
    return 0;
}

static void free_block(void *block, const char *call)
{
    void *bytes = NULL;
    bool known;

    g_mutex_lock(&blocks.lock);
    known = blocks.sizes &&
            g_hash_table_steal_extended(blocks.sizes, block, NULL, &bytes);
    g_mutex_unlock(&blocks.lock);
    if (!known)
        sp_fail(call, "%p is no block of starpu_malloc(), or was freed before",
                block);
    if (bytes)
        munmap(block, GPOINTER_TO_SIZE(bytes));
    else
        free(block);
}

int starpu_malloc_flags(void **A, size_t dim, int flags)
{
    int status;

    if (!A)
        sp_fail("starpu_malloc()", "the address of the pointer is NULL");
    if (dim == 0)
        dim = 1;
    if (hooks.allocate)
        return hooks.allocate(0, A, dim, flags);
    *A = NULL;
    status = allocate(A, dim);
    if (status == 0 && (flags & STARPU_MALLOC_PINNED) && sp_session.gpus > 0 &&
        sp_thread_self())
        take_time_to_pin(dim);
    return status;
}

int starpu_malloc(void **A, size_t dim)
{
    return starpu_malloc_flags(A, dim, STARPU_MALLOC_PINNED);
}

int starpu_free_flags(void *A, size_t dim, int flags)
{
    if (!A)
        return 0;
    if (hooks.free)
        return hooks.free(0, A, dim, flags);
    free_block(A, "starpu_free()");
    return 0;
}

int starpu_free_noflag(void *A, size_t dim)
{
    return starpu_free_flags(A, dim, STARPU_MALLOC_PINNED);
}

int starpu_free(void *A)
{
    return starpu_free_flags(A, 0, STARPU_MALLOC_PINNED);
}

void starpu_malloc_set_align(size_t align)
{
    if (align > 64)
        sp_fail("starpu_malloc_set_align()",
                "%zu: blocks are aligned to 64 bytes", align);
}

void starpu_malloc_set_hooks(starpu_malloc_hook malloc_hook,
                             starpu_free_hook free_hook)
{
    hooks.allocate = malloc_hook;
    hooks.free = free_hook;
}

/* In RAM; on GPUs there are no real copies. */
uintptr_t starpu_malloc_on_node_flags(unsigned dst_node, size_t size, int flags)
{
    void *block = NULL;

    (void)flags;
    if (dst_node != 0 || allocate(&block, MAX(size, 1)) != 0)
        return 0;
    return (uintptr_t)block;
}

uintptr_t starpu_malloc_on_node(unsigned dst_node, size_t size)
{
    return starpu_malloc_on_node_flags(dst_node, size, 0);
}

void starpu_free_on_node_flags(unsigned dst_node, uintptr_t addr, size_t size,
                               int flags)
{
    (void)size;
    (void)flags;
    if (dst_node == 0 && addr)
        free_block((void *)addr, "starpu_free_on_node()");
}

void starpu_free_on_node(unsigned dst_node, uintptr_t addr, size_t size)
{
    starpu_free_on_node_flags(dst_node, addr, size, 0);
}

void starpu_check_on_node(unsigned node, uintptr_t addr, size_t size)
{
    (void)node;
    (void)addr;
    (void)size;
}

void starpu_malloc_on_node_set_default_flags(unsigned node, int flags)
{
    (void)node;
    (void)flags;
}

/* Host memory that the program has allocated itself. */
int starpu_memory_pin(void *addr, size_t size)
{
    (void)addr;
    (void)size;
    return 0;
}

int starpu_memory_unpin(void *addr, size_t size)
{
    (void)addr;
    (void)size;
    return 0;
}

static double used_joules; /* by starpu_energy_use() */

void starpu_energy_use(float joules)
{
    used_joules += (double)joules;
}

double starpu_energy_used(void)
{
    static const char call[] = "starpu_energy_used()";
    sp_need_session(call);
    const struct orr_report *report = sp_calls->run_report(sp_session.run);
    const char *idle = getenv("STARPU_IDLE_POWER");
    double seconds = (double)sp_calls->run_now(sp_session.run) / 1e9;
    return used_joules + (idle ? g_ascii_strtod(idle, NULL) * seconds : 0) +
           (report->energy ? (double)report->energy->dynamic_nj / 1e9 : 0);
}

/* StarPU's policies sleep for 1 us when they do not get a lock. More is a
 * mistake: the worker does nothing else. */
static void sleep_in_policy(int64_t ns)
{
    static const int64_t most_ns = 10000;

    if (ns > most_ns)
        sp_fail("starpu_sleep()",
                "a worker that waits in a policy holds up its GPU, and all "
                "tasks that it has");
    if (ns > 0)
        orr_sched_sleep(sp_policy.sched, ns);
}

void starpu_sleep(float nb_sec)
{
    int64_t ns = (int64_t)((double)nb_sec * 1e9 + 0.5);
    GError *error = NULL;

    sp_need_session("starpu_sleep()");
    if (sp_policy_calls()) {
        sleep_in_policy(ns);
        return;
    }
    if (sp_kernel.runs)
        sp_kernel.ns += ns;
    else if (!sp_calls->run_sleep(sp_session.run, ns, &error))
        sp_fail_error("starpu_sleep()", error);
}

void starpu_usleep(float nb_micro_sec)
{
    starpu_sleep(nb_micro_sec / 1000000);
}

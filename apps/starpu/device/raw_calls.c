/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The dynamic linker has bound each symbol that an object uses in a slot of its
 * tables of relocations (System V ABI, "Dynamic Linking"). The slots of the
 * symbols below are overwritten.
 */
#include "apps/starpu/device/raw_calls.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/device/policy_locks.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* ---- the functions ---- */

/* Names @object, unless the macro that initialises it has done so. */
static void is_initialised(const void *object, const char *what)
{
    if (sp_policy_calls())
        sp_policy_name_by_line(object, what);
}

static int mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
    is_initialised(mutex, "mutex");
    return pthread_mutex_init(mutex, attr);
}

static int cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr)
{
    is_initialised(cond, "cond");
    return pthread_cond_init(cond, attr);
}

static int spin_init(pthread_spinlock_t *lock, int shared)
{
    is_initialised((const void *)lock, "spinlock");
    return pthread_spin_init(lock, shared);
}

static int rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr)
{
    is_initialised(lock, "rwlock");
    return pthread_rwlock_init(lock, attr);
}

static int mutex_lock(pthread_mutex_t *mutex)
{
    return sp_policy_calls() ? sp_policy_mutex_lock(mutex, NULL)
                             : pthread_mutex_lock(mutex);
}

static int mutex_trylock(pthread_mutex_t *mutex)
{
    return sp_policy_calls() ? sp_policy_trylock(mutex, NULL)
                             : pthread_mutex_trylock(mutex);
}

static int mutex_unlock(pthread_mutex_t *mutex)
{
    return sp_policy_calls() ? sp_policy_unlock(mutex)
                             : pthread_mutex_unlock(mutex);
}

static int cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    return sp_policy_calls() ? sp_policy_cond_wait(cond, mutex)
                             : pthread_cond_wait(cond, mutex);
}

static int cond_signal(pthread_cond_t *cond)
{
    return sp_policy_calls() ? sp_policy_cond_signal(cond)
                             : pthread_cond_signal(cond);
}

static int cond_broadcast(pthread_cond_t *cond)
{
    return sp_policy_calls() ? sp_policy_cond_broadcast(cond)
                             : pthread_cond_broadcast(cond);
}

static int spin_lock(pthread_spinlock_t *lock)
{
    return sp_policy_calls() ? sp_policy_lock((const void *)lock, NULL)
                             : pthread_spin_lock(lock);
}

static int spin_trylock(pthread_spinlock_t *lock)
{
    return sp_policy_calls() ? sp_policy_trylock((const void *)lock, NULL)
                             : pthread_spin_trylock(lock);
}

static int spin_unlock(pthread_spinlock_t *lock)
{
    return sp_policy_calls() ? sp_policy_unlock((const void *)lock)
                             : pthread_spin_unlock(lock);
}

static int rwlock_rdlock(pthread_rwlock_t *lock)
{
    return sp_policy_calls() ? sp_policy_rwlock_lock(lock, false)
                             : pthread_rwlock_rdlock(lock);
}

static int rwlock_wrlock(pthread_rwlock_t *lock)
{
    return sp_policy_calls() ? sp_policy_rwlock_lock(lock, true)
                             : pthread_rwlock_wrlock(lock);
}

static int rwlock_unlock(pthread_rwlock_t *lock)
{
    return sp_policy_calls() ? sp_policy_rwlock_unlock(lock)
                             : pthread_rwlock_unlock(lock);
}

static void refuse(const char *call)
{
    if (sp_policy_calls())
        sp_fail(call, "a worker that waits in a policy holds up its GPU, and "
                      "all tasks that it has");
}

static unsigned catch_sleep(unsigned seconds)
{
    refuse("sleep()");
    return sleep(seconds);
}

static int catch_usleep(useconds_t us)
{
    refuse("usleep()");
    return usleep(us);
}

static int catch_nanosleep(const struct timespec *time, struct timespec *left)
{
    refuse("nanosleep()");
    return nanosleep(time, left);
}

static void catch_free(void *memory)
{
    if (memory && sp_policy_asks(memory))
        sp_fail("free()", "a policy cannot free a task that it was given");
    free(memory);
}

#define FUNCTION(function) (void (*)(void))(function)
static const struct {
    const char *symbol;
    void (*function)(void);
} caught[] = {
    {"pthread_mutex_init", FUNCTION(mutex_init)},
    {"pthread_cond_init", FUNCTION(cond_init)},
    {"pthread_spin_init", FUNCTION(spin_init)},
    {"pthread_rwlock_init", FUNCTION(rwlock_init)},
    {"pthread_mutex_lock", FUNCTION(mutex_lock)},
    {"pthread_mutex_trylock", FUNCTION(mutex_trylock)},
    {"pthread_mutex_unlock", FUNCTION(mutex_unlock)},
    {"pthread_cond_wait", FUNCTION(cond_wait)},
    {"pthread_cond_signal", FUNCTION(cond_signal)},
    {"pthread_cond_broadcast", FUNCTION(cond_broadcast)},
    {"pthread_spin_lock", FUNCTION(spin_lock)},
    {"pthread_spin_trylock", FUNCTION(spin_trylock)},
    {"pthread_spin_unlock", FUNCTION(spin_unlock)},
    {"pthread_rwlock_rdlock", FUNCTION(rwlock_rdlock)},
    {"pthread_rwlock_wrlock", FUNCTION(rwlock_wrlock)},
    {"pthread_rwlock_unlock", FUNCTION(rwlock_unlock)},
    {"sleep", FUNCTION(catch_sleep)},
    {"usleep", FUNCTION(catch_usleep)},
    {"nanosleep", FUNCTION(catch_nanosleep)},
    {"free", FUNCTION(catch_free)},
};

/* ---- the slots ---- */

#if defined(__x86_64__)
#define IS_SLOT(type)                                                          \
    ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type)                                                          \
    ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#define IS_SLOT(type) ((void)(type), 0)
#endif

/* A loaded object. */
struct object {
    const void *code; /* that it contains */
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2];
    size_t counts[2];
};

/* A page of slots may be read-only once they are bound. */
static void overwrite(void (**slot)(void), void (*function)(void))
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)slot & ~(page - 1);

    if (*slot == function ||
        mprotect((void *)begin, page, PROT_READ | PROT_WRITE) != 0)
        return;
    *slot = function;
}

static void bind_slot(const struct object *object, const ElfW(Rela) * entry)
{
    const char *name =
        object->names + object->symbols[ELF64_R_SYM(entry->r_info)].st_name;

    for (size_t i = 0; i < G_N_ELEMENTS(caught); i++)
        if (IS_SLOT(ELF64_R_TYPE(entry->r_info)) &&
            strcmp(name, caught[i].symbol) == 0)
            overwrite((void (**)(void))(object->base + entry->r_offset),
                      caught[i].function);
}

/* The linker has made most addresses absolute. */
static const void *at(const struct object *object, const ElfW(Dyn) * entry)
{
    ElfW(Addr) address = entry->d_un.d_ptr;

    return (const void *)(address < object->base ? object->base + address
                                                 : address);
}

static void read_tables(struct object *object, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            object->symbols = at(object, entry);
            break;
        case DT_STRTAB:
            object->names = at(object, entry);
            break;
        case DT_RELA:
            object->tables[0] = at(object, entry);
            break;
        case DT_RELASZ:
            object->counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_JMPREL:
            object->tables[1] = at(object, entry);
            break;
        case DT_PLTRELSZ:
            object->counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        default:
            break;
        }
    }
}

static bool contains(const struct dl_phdr_info *info, const void *code)
{
    ElfW(Addr) address = (ElfW(Addr))code;

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        ElfW(Addr) begin = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_LOAD && address >= begin &&
            address - begin < segment->p_memsz)
            return true;
    }
    return false;
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct object *object = data;

    (void)size;
    if (!contains(info, object->code))
        return 0;
    if (contains(info, caught)) /* this library: it has the calls themselves */
        return 1;
    object->base = info->dlpi_addr;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_tables(object,
                        (const ElfW(Dyn) *)(info->dlpi_addr +
                                            info->dlpi_phdr[i].p_vaddr));
    return 1;
}

void sp_raw_calls_catch(const void *code)
{
    struct object object = {.code = code};

    if (!dl_iterate_phdr(visit, &object) || !object.symbols || !object.names)
        return;
    for (unsigned t = 0; t < 2; t++)
        for (size_t i = 0; object.tables[t] && i < object.counts[t]; i++)
            bind_slot(&object, &object.tables[t][i]);
}

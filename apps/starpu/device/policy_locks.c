/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/device/policy_locks.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"

/* What stands for the object at an address. */
struct object {
    char *name;            /* of its initialisation, or NULL */
    struct orr_lock *lock; /* NULL: it is a condition */
    struct orr_cond *cond; /* of a lock: some wait for readers or a writer */
    int owner;             /* holder of a recursive mutex: a worker, or -1 */
    unsigned depth;
    unsigned readers;
    bool written; /* a writer has it */
};

static GHashTable *objects; /* struct object by address; NULL: none yet */
static GHashTable *names;   /* how many locks have a name, by name */
static starpu_pthread_mutex_t worker_mutexes[STARPU_NMAXWORKERS];

void sp_policy_locks_end(void)
{
    g_clear_pointer(&objects, g_hash_table_unref);
    g_clear_pointer(&names, g_hash_table_unref);
}

starpu_pthread_mutex_t *sp_policy_worker_mutex(unsigned worker)
{
    return &worker_mutexes[worker];
}

/* The worker with the lock for which a mutex stands; -1: none. */
static int worker_of(const void *address)
{
    const starpu_pthread_mutex_t *mutex = address;

    return mutex >= worker_mutexes &&
                   mutex < worker_mutexes + STARPU_NMAXWORKERS
               ? (int)(mutex - worker_mutexes)
               : -1;
}

/* "data->mutex" and "of mine.c:45" of the text "&data->mutex (src/mine.c:45)";
 * the second is empty if @text has no place. */
static void split_name(const char *text, char **what, char **where)
{
    const char *place = strstr(text, " (");
    g_autofree char *path = place ? g_path_get_basename(place + 2) : NULL;

    text += *text == '&';
    *what = place ? g_strndup(text, (gsize)(place - text)) : g_strdup(text);
    *where = path ? g_strdup_printf(" of %.*s", (int)strlen(path) - 1, path)
                  : g_strdup("");
}

/* "data->mutex of mine.c:45"; a further one is "data->mutex 2 of mine.c:45". */
static char *unique_name(const char *text)
{
    guint count = GPOINTER_TO_UINT(g_hash_table_lookup(names, text)) + 1;
    g_autofree char *number = count > 1 ? g_strdup_printf(" %u", count) : NULL;
    g_autofree char *what = NULL;
    g_autofree char *where = NULL;

    g_hash_table_insert(names, g_strdup(text), GUINT_TO_POINTER(count));
    split_name(text, &what, &where);
    return g_strconcat(what, number ? number : "", where, NULL);
}

static void free_object(gpointer data)
{
    struct object *object = data;

    g_free(object->name);
    g_free(object);
}

static struct object *get(const void *address)
{
    struct object *object;

    if (!objects) {
        objects = g_hash_table_new_full(NULL, NULL, NULL, free_object);
        names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    }
    object = g_hash_table_lookup(objects, address);
    if (!object) {
        object = g_new0(struct object, 1);
        g_hash_table_insert(objects, (gpointer)address, object);
    }
    return object;
}

/* By the initialisation rather than of the first lock, as the schedule decides
 * which of several is the first. */
static const char *name_object(struct object *object, const char *otherwise)
{
    if (!object->name)
        object->name = unique_name(otherwise);
    return object->name;
}

void sp_policy_name_object(const void *address, const char *name)
{
    if (objects)
        g_hash_table_remove(objects, address); /* the memory is used again */
    name_object(get(address), name);
}

/* The line of the policy that calls, "mine.c:45". Looking one up takes long. */
static const char *calling_line(void)
{
    static GHashTable *lines; /* by address of the code */
    const void *code = orr_sched_calling_code();
    const char *line;

    if (!code)
        return "unknown code";
    if (!lines)
        lines = g_hash_table_new(NULL, NULL);
    line = g_hash_table_lookup(lines, code);
    if (!line) {
        line = orr_sched_source_line(code);
        g_hash_table_insert(lines, (gpointer)code, (gpointer)line);
    }
    return line;
}

/* "mutex of mine.c:45" */
static const char *name_by_line(struct object *object, const char *what)
{
    g_autofree char *text = NULL;

    if (object->name)
        return object->name;
    text = g_strdup_printf("%s (%s)", what, calling_line());
    return name_object(object, text);
}

void sp_policy_name_by_line(const void *address, const char *what)
{
    const struct object *before = get(address);

    if (before->lock || before->cond)
        g_hash_table_remove(objects, address);
    name_by_line(get(address), what);
}

static struct object *get_lock(const void *address, const char *name)
{
    struct object *object = get(address);

    if (!object->lock)
        object->lock =
            orr_lock_new(sp_policy.sched, name ? name_object(object, name)
                                               : name_by_line(object, "mutex"));
    return object;
}

static struct orr_cond *get_cond(struct object *object)
{
    if (!object->cond)
        object->cond =
            orr_cond_new(sp_policy.sched, name_by_line(object, "cond"));
    return object->cond;
}

int sp_policy_lock(const void *address, const char *name)
{
    int worker = worker_of(address);

    if (worker >= 0)
        orr_sched_lock_worker(sp_policy.sched, (unsigned)worker);
    else
        orr_lock_acquire(get_lock(address, name)->lock);
    return 0;
}

int sp_policy_trylock(const void *address, const char *name)
{
    int worker = worker_of(address);
    bool taken = worker >= 0 ? orr_sched_try_lock_worker(sp_policy.sched,
                                                         (unsigned)worker)
                             : orr_lock_try(get_lock(address, name)->lock);

    return taken ? 0 : EBUSY;
}

int sp_policy_unlock(const void *address)
{
    int worker = worker_of(address);
    struct object *object;

    if (worker >= 0) {
        orr_sched_unlock_worker(sp_policy.sched, (unsigned)worker);
        return 0;
    }
    object = get_lock(address, NULL);
    if (object->depth > 0 && --object->depth > 0)
        return 0;
    orr_lock_release(object->lock);
    return 0;
}

/* The kind of a mutex of glibc. */
static bool is_recursive(const pthread_mutex_t *mutex)
{
    return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
}

int sp_policy_mutex_lock(const pthread_mutex_t *mutex, const char *name)
{
    struct object *object;

    if (worker_of(mutex) >= 0 || !is_recursive(mutex))
        return sp_policy_lock(mutex, name);
    object = get_lock(mutex, name);
    if (object->depth == 0 || object->owner != sp_policy_caller())
        orr_lock_acquire(object->lock);
    object->owner = sp_policy_caller();
    object->depth++;
    return 0;
}

int sp_policy_cond_wait(const void *address, const void *lock)
{
    int worker = worker_of(lock);

    if (worker >= 0)
        sp_fail("starpu_pthread_cond_wait()",
                "waits with the lock of worker %d, which is not simulated",
                worker);
    orr_cond_wait(get_cond(get(address)), get_lock(lock, NULL)->lock);
    return 0;
}

int sp_policy_cond_signal(const void *address)
{
    orr_cond_signal(get_cond(get(address)));
    return 0;
}

int sp_policy_cond_broadcast(const void *address)
{
    orr_cond_broadcast(get_cond(get(address)));
    return 0;
}

int sp_policy_rwlock_lock(const void *address, bool writes)
{
    struct object *object = get_lock(address, NULL);

    orr_lock_acquire(object->lock);
    while (object->written || (writes && object->readers > 0))
        orr_cond_wait(get_cond(object), object->lock);
    object->written = writes;
    object->readers += !writes;
    orr_lock_release(object->lock);
    return 0;
}

int sp_policy_rwlock_unlock(const void *address)
{
    struct object *object = get_lock(address, NULL);

    orr_lock_acquire(object->lock);
    if (object->written)
        object->written = false;
    else if (object->readers > 0)
        object->readers--;
    orr_cond_broadcast(get_cond(object));
    orr_lock_release(object->lock);
    return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/threads.h"

#include "apps/starpu/base/error.h"

/* Protects has_control. */
static pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;

static GPtrArray *threads; /* struct sp_thread, by number; NULL: no session */
static struct sp_thread first;
static __thread struct sp_thread *self;

struct sp_thread *sp_thread_self(void)
{
    return self;
}

static void wait_for_control(struct sp_thread *thread)
{
    pthread_mutex_lock(&control);
    while (!thread->has_control)
        pthread_cond_wait(&thread->control, &control);
    pthread_mutex_unlock(&control);
}

void sp_threads_begin(void)
{
    first = (struct sp_thread){.system = pthread_self(), .has_control = true};
    pthread_cond_init(&first.control, NULL);
    self = &first;
    threads = g_ptr_array_new();
    g_ptr_array_add(threads, &first);
}

void sp_threads_adopt(void)
{
    if (!self)
        self = &first;
}

void sp_threads_end(const char *call)
{
    for (guint i = 1; i < threads->len; i++) {
        struct sp_thread *thread = threads->pdata[i];
        if (thread && !thread->ended)
            sp_fail(call,
                    "thread %u, of starpu_pthread_create(), has not ended", i);
    }
    g_clear_pointer(&threads, g_ptr_array_unref);
    self = NULL;
}

int sp_thread_new(unsigned number, const pthread_attr_t *attr,
                  void *(*body)(void *thread), struct sp_thread *thread)
{
    thread->number = number;
    pthread_cond_init(&thread->control, NULL);
    if (threads->len <= number)
        g_ptr_array_set_size(threads, (gint)number + 1);
    threads->pdata[number] = thread;
    return pthread_create(&thread->system, attr, body, thread);
}

void sp_thread_enter(struct sp_thread *thread)
{
    self = thread;
    wait_for_control(thread);
}

void sp_give_control(void *data, unsigned number)
{
    struct sp_thread *from = self;
    (void)data;
    if (number >= threads->len || !threads->pdata[number])
        sp_fail("starpu_init()", "`orrery` gives control to no thread");
    struct sp_thread *to = threads->pdata[number];
    bool ended = from->ended; /* then @from may be freed from here on */
    if (ended)
        threads->pdata[from->number] = NULL;
    pthread_mutex_lock(&control);
    from->has_control = false;
    to->has_control = true;
    pthread_cond_signal(&to->control);
    pthread_mutex_unlock(&control);
    if (!ended)
        wait_for_control(from);
}

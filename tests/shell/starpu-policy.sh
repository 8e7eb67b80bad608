#!/bin/sh
# Policies in StarPU's interface, as plug-ins and of programs: with quirks=exact those of
# tests/starpu/policies.c have the makespans of the built-in eager, ws and dmda to the
# nanosecond; all functions of the table are called; errors name the policy.
set -u
[ -e "$abs_top_builddir/liborrery-starpu.so" ] ||
    { echo "SKIP: starpu-policy: no shared library"; exit 77; }
[ -z "$sanitizers" ] ||
    { echo "SKIP: starpu-policy: a program that loads a library with sanitizers"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
sources=$abs_top_srcdir/tests/starpu
orrery=$abs_top_builddir/orrery
unset STARPU_PERF_MODEL_DIR STARPU_SCHED STARPU_NCPU STARPU_NCUDA STARPU_SCHED_LIB
bad=0

complain() {
    echo "FAIL: starpu-policy: $*"
    bad=1
}

compile() { # output, source, options
    output=$1
    source=$2
    shift 2
    ${CC:-cc} -std=gnu17 -g -O1 -Wall -Wextra -Werror -I"$abs_top_srcdir/apps/starpu/include" \
        -o "$output" "$source" "$@" || { complain "$source does not compile"; exit 1; }
}

makespan() { # arguments
    "$orrery" run cholesky --format json "$@" 2>errors | sed -n 's/^ *"makespan_s": *//p'
}

compile policies.so "$sources/policies.c" -shared -fPIC
compile program "$sources/policy_program.c" -L"$abs_top_builddir" \
    -Wl,-rpath,"$abs_top_builddir" -lorrery-starpu

if [ "${lockstep:-yes}" != no ]; then
    for machine in '--platform attila --tiles 6' \
        '--platform mirage --cpus 9 --gpus 3 --tiles 7' '--platform sirocco --gpus 2 --tiles 6'; do
        for policy in eager ws dmda; do
            # shellcheck disable=SC2086 # a list of words
            built_in=$(makespan $machine --model quirks=exact --sched $policy)
            # shellcheck disable=SC2086
            own=$(makespan $machine --model quirks=exact --sched starpu:./policies.so:own-$policy)
            [ -n "$own" ] && [ "$own" = "$built_in" ] ||
                complain "$policy, $machine: $own for $built_in $(cat errors)"
        done
    done
fi

# The first policy of the list, without a name.
[ "$(makespan --tiles 5 --platform mirage --sched starpu:./policies.so)" = \
    "$(makespan --tiles 5 --platform mirage --sched starpu:./policies.so:own-eager)" ] ||
    complain 'the first policy is not own-eager'

# Programs: a policy of the program, and one of a library.
printed=$(STARPU_HOSTNAME=mirage ./program 2>&1)
[ "$printed" = 'collector: submitted 12, notified 3, begun 12, ended 12, scheduled yes
merges yes, all begun yes
in a window 12' ] ||
    complain "the program prints: $printed"

# Errors.
says() { # status, line, arguments
    expected=$1
    line=$2
    shift 2
    "$orrery" run cholesky --tiles 4 --platform mirage "$@" >/dev/null 2>errors
    status=$?
    [ "$status" = "$expected" ] || complain "status $status for $expected: $*"
    [ "$(head -n 1 errors)" = "$line" ] || complain "'$(head -n 1 errors)' for '$line'"
}

error() { # name, body of push, body of pop
    {
        echo '#include <starpu.h>'
        echo '#include <starpu_scheduler.h>'
        echo '#include <unistd.h>'
        echo 'static struct starpu_task_list list;'
        echo 'static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;'
        echo 'static void init(unsigned c) { (void)c; (void)lock; starpu_task_list_init(&list); }'
        echo "static int push(struct starpu_task *task) { $2 starpu_task_list_push_back(&list, task);"
        echo 'for (int w = 0; w < (int)starpu_worker_get_count(); w++)'
        echo '    starpu_wake_worker_relax_light(w);'
        echo 'return 0; }'
        echo "static struct starpu_task *pop(unsigned c) { (void)c; $3 return NULL; }"
        echo 'static struct starpu_sched_policy policy = {.init_sched = init, .push_task = push,'
        echo '.pop_task = pop, .policy_name = "Wrong_One"};'
        echo 'struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)'
        echo '{ (void)name; (void)push; (void)pop; return &policy; }'
    } >"$1.c"
    compile "$1.so" "$1.c" -shared -fPIC
}

error twice 'STARPU_PTHREAD_MUTEX_LOCK(&lock); STARPU_PTHREAD_MUTEX_LOCK(&lock);' ''
says 1 'orrery run: policy wrong-one (starpu:./twice.so): push(), called by the application, acquires lock lock of twice.c:7, which it holds already' \
    --sched starpu:./twice.so
error wait 'starpu_task_wait_for_all();' ''
says 1 'orrery run: policy wrong-one (starpu:./wait.so): push(), called by the application, calls starpu_task_wait_for_all(): a function of a policy cannot call it' \
    --sched starpu:./wait.so
error sleep '' 'usleep(1);'
says 1 'orrery run: policy wrong-one (starpu:./sleep.so): init(), called by the application, calls usleep(): a worker that waits in a policy holds up its GPU, and all tasks that it has' \
    --sched starpu:./sleep.so
error foreign '' 'static struct starpu_task other; return &other;'
says 1 'orrery run: policy wrong-one (starpu:./foreign.so): init(), called by the application, calls pop_task before there are tasks, which returns one' \
    --sched starpu:./foreign.so
error popped '' 'static struct starpu_task other; if (!starpu_task_list_empty(&list)) return &other;'
says 1 'orrery run: policy wrong-one (starpu:./popped.so): pop(), called by CPU8, returns a pointer that is not a ready task' \
    --sched starpu:./popped.so
error check 'STARPU_ASSERT(task->priority > 7);' ''
says 1 'orrery run: policy wrong-one (starpu:./check.so): push(), called by the application, finds at check.c:7 that task->priority > 7 does not hold' \
    --sched starpu:./check.so
says 2 'orrery run: ./policies.so: has no policy none' --sched starpu:./policies.so:none

# A report of explore is as good as its first token, and knows the files.
"$orrery" explore cholesky --tiles 4 --platform mirage --sched starpu:./twice.so --budget 2 \
    --ci found >/dev/null 2>&1
for file in found found.json; do
    "$orrery" replay @$file >/dev/null 2>errors
    grep -q 'acquires lock lock of twice.c:7, which it holds already' errors ||
        complain "replay @$file: $(cat errors)"
done
echo '{"cases": [{"hangs": []}]}' >none.json
"$orrery" replay @none 2>errors
[ "$(cat errors)" = 'orrery replay: none.json: contains no token: no schedule failed' ] ||
    complain "a report without a token: $(cat errors)"
exit $bad

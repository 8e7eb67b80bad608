#!/bin/sh
# Policies in StarPU's interface that do what no policy may: the run ends with status 1
# and one line that names policy, file, function and caller. test_seed chooses a third
# of them; at full length (test_length), all.
set -u
. "$abs_top_srcdir/tests/shell/plugin_test.sh"
. "$abs_top_srcdir/tests/shell/drawn.sh"
[ -e "$abs_top_builddir/liborrery-starpu.so" ] ||
    { echo "SKIP: starpu-rogue: no shared library"; exit 77; }
PKG_CONFIG_PATH=$abs_top_builddir/apps/starpu:$PKG_CONFIG_PATH
# What a call has allocated when it is ended is lost: no leak of ours.
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
number=0

# shellcheck disable=SC2046 # a list of words
$CC -g -Wall -Wextra -Werror -O1 -fPIC -shared -o rogue.so \
    "$abs_top_srcdir/tests/plugins/starpu_rogue.c" \
    $(pkg-config --cflags orrery-starpu-uninstalled) || exit 1

fails() { # what, where, message
    ROGUE_WHAT=$1
    ROGUE_WHERE=$2
    export ROGUE_WHAT ROGUE_WHERE
    "$orrery" run cholesky --tiles 4 --cpus 1 --gpus 1 --where potrf=gpu \
        --plugin-timeout 0.2 --sched starpu:./rogue.so >stdout 2>stderr
    status=$?
    [ $status -eq 1 ] || complain "$1 in $2: status $status"
    [ ! -s stdout ] || complain "$1 in $2: there is a report"
    sed 's/starpu_rogue\.c:[0-9]*/LINE/g' stderr >message
    [ "$(cat message)" = "orrery run: policy rogue $3" ] ||
        complain "$1 in $2: expected: $3; there is: $(cat message)"
}

late='does not return within 0.2 s'
null='segmentation fault, at a null pointer'
idle='a worker that waits in a policy holds up its GPU, and all tasks that it has'
mine='a function of a policy cannot call it'
while IFS='|' read -r what where message; do
    number=$((number + 1))
    sampled $number 3 || continue
    fails "$what" "$where" "(starpu:./rogue.so): $message"
done <<CRIMES
LOCK_TWICE|POP|pop(), called by CUDA0, acquires lock data->other of LINE, which it holds already
LOCK_TWICE|INIT|init(), called by the application, acquires lock data->other of LINE, which it holds already
UNLOCK_FREE|POP|pop(), called by CUDA0, releases lock data->other of LINE, which nobody holds
KEEP|POP|pop(), called by CUDA0, returns while it holds lock data->other of LINE
RAW_KEEP|PUSH|push(), called by the application, returns while it holds lock mutex of LINE
KEEP_WORKER|PUSH|push(), called by the application, returns while it holds lock of worker CUDA0
UNLOCK_WORKER|POP|pop(), called by CPU0, releases lock of worker CUDA0, which nobody holds
RELAX|POP|pop(), called by CUDA0, returns relaxed
UNRELAX|POP|pop(), called by CUDA0, ends to be relaxed without having begun
WAIT_FREE|POP|pop(), called by CUDA0, waits on condition data->cond of LINE without holding lock data->other of LINE
WAIT_FREE|INIT|init(), called by the application, waits on condition data->cond of LINE with lock data->other of LINE: nobody could wake it
SLEEP|POP|pop(), called by CUDA0, calls sleep(): $idle
USLEEP|PUSH|push(), called by the application, calls usleep(): $idle
LOOP|POP|pop(), called by CUDA0, $late
SPIN|POST_EXEC|done() of task 0 (potrf), called by CUDA0, $late
READ|POP|pop(), called by CUDA0, $late
READ|INIT|init(), called by the application, $late
WAIT|PUSH|push(), called by the application, calls starpu_task_wait_for_all(): $mine
TASK_WAIT|PRE_EXEC|started(), called by CUDA0, calls starpu_task_wait(): $mine
TASK_WAIT|POST_EXEC|done(), called by CUDA0, calls starpu_task_wait(): $mine
TASK_WAIT|POP|pop(), called by CUDA0, calls starpu_task_wait(): $mine
SUBMIT|POP|pop(), called by CUDA0, calls starpu_task_submit(): $mine
WAKE_NOBODY|POP|pop(), called by CUDA0, calls starpu_wake_worker_relax_light(): there is no worker 99: the last one is 1
NO_CONTEXT|POP|pop(), called by CUDA0, calls starpu_sched_ctx_get_policy_data(): there is no scheduling context 3: only 0 is simulated
ABORT|PUSH|push(), called by the application, ends itself at LINE: had enough
ASSERT|POP|pop(), called by CUDA0, finds at LINE that flag == 1 does not hold
ASSERT|INIT|init(), called by the application, finds at LINE that flag == 1 does not hold
CRASH|INIT|init(), called by the application, crashes: $null
CRASH|PUSH|push() of task 0 (potrf), called by the application, crashes: $null
CRASH|DEINIT|fini(), called by the application, crashes: $null
EXIT|POP|pop(), called by CUDA0, calls exit()
FREE_PUSHED|-|push(), called by the application, calls starpu_task_destroy(): a policy cannot destroy a task that it was given
FREE_RAW|-|push(), called by the application, calls free(): a policy cannot free a task that it was given
FREE_POPPED|-|pop(), called by CUDA0, calls starpu_task_destroy(): a policy cannot destroy a task that it was given
FREE_ENDED|-|done(), called by CUDA0, calls starpu_task_destroy(): a policy cannot destroy a task that it was given
PUSH_FAILS|-|push(), called by the application, returns -19 for task 0 (potrf)
TWICE|-|pop(), called by CPU0, returns task 0, which CUDA0 was given already
WILD|-|pop(), called by CUDA0, returns a pointer that is not a ready task
OWN|-|pop(), called by CUDA0, returns a pointer that is not a ready task
UNABLE|-|pop(), called by CPU0, returns task 0 (potrf), which it cannot run
PREFETCH_POPPED|-|pop(), called by CPU0, calls starpu_prefetch_task_input_on_node(): the task was destroyed before
PUSH_POPPED|-|pop(), called by CPU0, calls starpu_push_local_task(): the task is not ready, or no policy calls it
CRIMES
fails NO_PUSH - 'lacks the function push_task'
fails NO_POP - 'lacks the function pop_task'

# A finding of explore, with a token that repeats it.
export ROGUE_WHAT=LOCK_TWICE ROGUE_WHERE=POST_EXEC
"$orrery" explore cholesky --tiles 2 --cpus 1 --gpus 0 --sched starpu:./rogue.so \
    --ci found >stdout 2>stderr
[ $? -eq 1 ] || complain "explore finds nothing: $(cat stdout stderr)"
sed -n 's/^orrery replay \(orr1-[^ ]*\) .*/\1/p' found.xml | head -n 1 >token
"$orrery" replay @token --sched starpu:./rogue.so >stdout 2>stderr
grep -q 'done(), called by CPU0, acquires lock data->other of .*, which it holds already' \
    stderr || complain "replay: $(cat stdout stderr)"
exit $bad

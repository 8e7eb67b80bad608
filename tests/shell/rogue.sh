#!/bin/sh
# Policies from files that do what no policy may, in each of their functions:
# the run ends with status 1 and one line that names policy, file, function,
# task and who called it; and so where runs are in several threads.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

# One file does all of it: its environment says what, and where.
# shellcheck disable=SC2046 # a list of words
$CC -Wall -Wextra -Werror -O1 -fPIC -shared -o rogue.so \
    "$abs_top_srcdir/tests/plugins/rogue.c" \
    $(pkg-config --cflags orrery) || exit 1

be() { # what, where, then other words: CONCURRENT, SILENT, ALL, STATE
    unset ROGUE_CONCURRENT ROGUE_SILENT ROGUE_ALL ROGUE_STATE
    ROGUE_WHAT=$1
    ROGUE_WHERE=$2
    export ROGUE_WHAT ROGUE_WHERE
    shift 2
    for word; do
        export "ROGUE_$word=yes"
    done
}

# A loop costs the whole limit of processor time: unless at full length, most
# of them are tried with one of the two ways to call a policy.
# shellcheck disable=SC2154 # automake sets it
is_left_out() { # what, where, nothing or CONCURRENT
    [ "${test_length:-short}" = short ] || return 1
    case $1-$2-$3 in
    LOOP-POP-*) return 1 ;;
    LOOP-*-CONCURRENT | LOOP_ALLOCATING-*-) return 0 ;;
    esac
    return 1
}

# One GPU and one core, so that it is known who comes first.
simulate() { # options
    "$orrery" run cholesky --tiles 4 --cpus 1 --gpus 1 --where potrf=gpu \
        --sched ./rogue.so "$@" >stdout 2>stderr
}

# What a call has allocated when it is ended is lost: no leak of ours.
simulate_late() {
    (
        export ASAN_OPTIONS=detect_leaks=0
        simulate --plugin-timeout 0.2
    )
}

fails() { # message, and what is before it
    case $1 in *"$late") simulate_late ;; *) simulate ;; esac
    status=$?
    [ $status -eq 1 ] || complain "status $status: $1"
    [ ! -s stdout ] || complain "there is a report: $1"
    [ "$(cat stderr)" = "orrery run: ${2-policy rogue (./rogue.so): }$1" ] ||
        complain "expected: $1; there is: $(cat stderr)"
}

# Functions that are called once for each of many tasks, and other crimes.
late='does not return within 0.2 s'
null='segmentation fault, at a null pointer'
while IFS='|' read -r what where message; do
    # A thread that ends on another stack is an error for sanitizers.
    # shellcheck disable=SC2154 # automake sets it
    [ "$what" != END_THREAD ] || [ -z "$sanitizers" ] || continue
    for concurrent in '' CONCURRENT; do
        ! is_left_out "$what" "$where" "$concurrent" || continue
        be "$what" "$where" $concurrent
        fails "$message"
    done
done <<CRIMES
CRASH|INIT|init(), called by the application, crashes: $null
CRASH|PUSH|push() of task 0 (potrf), called by the application, crashes: $null
CRASH|POP|pop(), called by CPU0, crashes: $null
CRASH|STARTED|started() of task 0 (potrf), called by CUDA0, crashes: $null
CRASH|DONE|done() of task 0 (potrf), called by CUDA0, crashes: $null
CRASH|FINI|fini(), called by the application, crashes: $null
LIBRARY|POP|pop(), called by CPU0, crashes: $null
ABORT|POP|pop(), called by CPU0, crashes: it aborts
DIVIDE|POP|pop(), called by CPU0, crashes: arithmetic error, such as a division by zero
RECURSE|POP|pop(), called by CPU0, crashes: stack overflow; endless recursion?
EXIT|INIT|init(), called by the application, calls exit()
EXIT|DONE|done() of task 0 (potrf), called by CUDA0, calls exit()
EXIT_AT_ONCE|POP|pop(), called by CPU0, calls exit()
EXIT_QUICKLY|POP|pop(), called by CPU0, calls exit()
LOOP|INIT|init(), called by the application, $late
LOOP|POP|pop(), called by CPU0, $late
LOOP|FINI|fini(), called by the application, $late
LOOP_ALLOCATING|DONE|done() of task 0 (potrf), called by CUDA0, $late
SLEEP|PUSH|push() of task 0 (potrf), called by the application, $late
END_THREAD|POP|pop(), called by CPU0, $late
WAIT|INIT|init(), called by the application, waits on condition never with lock rogue: nobody could wake it
WILD|POP|pop(), called by CUDA0, returns a pointer that is not a task
OWN|POP|pop(), called by CUDA0, returns a pointer that is not a task
UNABLE|POP|pop(), called by CPU0, returns task 0 (potrf), which it cannot run
TWICE|POP|pop(), called by CPU0, returns task 0, which CUDA0 was given already
NO_WORKER|POP|pop(), called by CUDA0, calls orr_sched_wake() for worker 2; there are 2
NO_NODE|POP|pop(), called by CUDA0, calls orr_sched_transfer() for memory node 7, which is no worker's
NO_TASK|POP|pop(), called by CUDA0, calls orr_sched_prefetch() for a task that it does not hold
POPPED|POP|pop(), called by CPU0, calls orr_sched_prefetch() for a task that it does not hold
CRIMES
# A policy that wakes nobody hangs, and then fails when it is asked once more.
# (With one GPU, the end of the prefetch at the push would wake it.)
for concurrent in '' CONCURRENT; do
    be CRASH POP $concurrent SILENT
    simulate --gpus 2
    [ $? -eq 3 ] && grep -qF "sleep; one more pop fails: policy rogue (./rogue.so): \
pop(), called by CUDA0, crashes: $null" stderr || complain "silent: $(cat stderr)"
done
be TRAP POP
simulate && complain "a trap is no error"
grep -qF 'the policy has had enough' stderr && grep -qxF "orrery run: policy rogue \
(./rogue.so): pop(), called by CPU0, crashes: it aborts, by g_error() or a \
breakpoint" stderr || complain "trap: $(cat stderr)"

# What it does outside of calls of the policy.
file='policy file ./rogue.so: its constructor or table '
program='the program, outside of policy rogue (./rogue.so), '
while IFS='|' read -r what where subject message; do
    be "$what" "$where"
    fails "$message" "$subject"
done <<CRIMES
CRASH|LOAD|$file|crashes: $null
EXIT|LOAD|$file|calls exit()
EXIT_AT_ONCE|LOAD|$file|calls _exit()
LOOP|LOAD|$file|$late
THREAD_CRASH|POP|$program|crashes: $null; a plug-in may have overwritten memory
THREAD_EXIT|POP|$program|calls exit()
CRIMES
while IFS='|' read -r what message; do
    be "$what" UNLOAD
    simulate --plugin-timeout 0.2
    status=$?
    [ $status -eq 1 ] || complain "status $status: its destructor $message"
    [ "$(cat stderr)" = "orrery run: policy rogue (./rogue.so): its destructor \
$message" ] || complain "its destructor $message: $(cat stderr)"
done <<CRIMES
CRASH|crashes: $null
LOOP|$late
CRIMES

be KEEP PUSH CONCURRENT
fails 'push(), called by the application, returns while it holds lock rogue'
be CRASH PLACE ALL
fails "place() of task 0 (potrf), called by the application, crashes: $null"
be CRASH PUSHED ALL
fails "pushed() of task 0 (potrf), called by the application, crashes: $null"
be CRASH TOUCHED ALL
simulate && complain "nobody touched"
grep -qE "^orrery run: policy rogue \(./rogue.so\): touched\(\) of task [0-9]+ \
\([a-z]+\), called by (CUDA0|CPU0|the application), crashes: $null\$" stderr ||
    complain "touched: $(cat stderr)"

be NONE PUSH ALL CONCURRENT
fails 'policy rogue (./rogue.so) is concurrent, and so cannot have place()' ''
be NONE PUSH STATE
fails './rogue.so: policy rogue asks for too much memory: state_size is '"\
18446744073709551615, lane_size 0, and the limits are 67108864 and 1048576 bytes" ''

# Runs in several threads: the first of them, in order, is the one named.
be RECURSE DONE
for policies in ./rogue.so ./rogue.so,eager,dmda; do
    "$orrery" compare cholesky --tiles 4 --cpus 1 --gpus 1 --replicas 20 \
        --perturb 0.1 --sched $policies >stdout 2>stderr
    status=$?
    [ $status -eq 1 ] && [ ! -s stdout ] || complain "compare: status $status"
    grep -q '^orrery compare: policy rogue (./rogue.so): done() of task 0 (potrf)' \
        stderr && [ "$(wc -l <stderr)" -eq 1 ] || complain "compare: $(cat stderr)"
done

# To explore schedules goes on after one in which the policy fails.
for where in INIT POP DONE FINI; do
    for concurrent in '' CONCURRENT; do
        be CRASH $where $concurrent
        "$orrery" explore cholesky --tiles 3 --cpus 1 --gpus 1 --budget 100 \
            --strategy random --all --sched ./rogue.so --format json >stdout 2>stderr
        status=$?
        [ $status -eq 1 ] || complain "explore, $where: status $status"
        grep -q '"schedules": 100,' stdout && grep -q '"kind": "crash"' stdout ||
            complain "explore, $where: $(cat stdout stderr)"
    done
done

# And after one in which it ends the program, or does not return: each has a
# token with which that happens again.
for what in EXIT LOOP; do
    for concurrent in '' CONCURRENT; do
        ! is_left_out $what DONE "$concurrent" || continue
        be $what DONE $concurrent
        "$orrery" explore cholesky --tiles 3 --cpus 1 --gpus 1 --budget 4 \
            --strategy random --all --sched ./rogue.so --plugin-timeout 0.2 \
            --threads 2 --format json >stdout 2>stderr
        status=$?
        [ $status -eq 1 ] || complain "explore, $what: status $status"
        grep -q '"schedules": 4,' stdout && grep -q '"repeats": true' stdout ||
            complain "explore, $what: $(cat stdout stderr)"
        sed -n 's/.*"token": "\(.*\)".*/\1/p' stdout >token
        sed -n 's/.*"message": "\(.*\)".*/orrery replay: \1/p' stdout >message
        "$orrery" replay @token --sched ./rogue.so --plugin-timeout 0.2 2>stderr &&
            complain "replay, $what: status 0"
        [ -s message ] && diff message stderr || complain "replay, $what"
    done
done

# A call may last, if the limit allows it.
be NAP POP
for limit in 0 1000; do
    simulate --plugin-timeout $limit || complain "a nap: $(cat stderr)"
done

# A policy that does nothing wrong does the same from a file, where built-in
# ones are not played operation by operation: that is, without CPU workers.
# shellcheck disable=SC2046
echo '#include "sched/policy/eager.c"
ORR_SCHED_PLUGIN(&orr_policy_eager);' |
    $CC -O1 -fPIC -shared -x c -I "$abs_top_srcdir" -o eager.so - \
        $(pkg-config --cflags orrery) || exit 1
for sched in eager ./eager.so; do
    "$orrery" run lu --tiles 6 --sched $sched --cpus 0 \
        --gpu-memory 60MiB --format json |
        grep -vE '"(sched_file|simulation_wall_s)"'
done >both
lines=$(($(wc -l <both) / 2))
[ $lines -gt 20 ] && [ "$(head -n $lines both)" = "$(tail -n $lines both)" ] ||
    complain "from a file eager is another policy"
exit $bad

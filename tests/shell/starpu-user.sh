#!/bin/sh
# What users of StarPU do beyond the examples: plans that nobody cleans, data that the
# program writes, kernels of no calibration. Messages say what to do next.
set -u
[ -e "$abs_top_builddir/liborrery-starpu.so" ] ||
    { echo "SKIP: starpu-user: no shared library"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
ORRERY_PLATFORMS=$abs_top_srcdir/platforms
export ORRERY_PLATFORMS
unset STARPU_HOSTNAME STARPU_PERF_MODEL_DIR STARPU_SCHED STARPU_NCPU STARPU_NCUDA
bad=0

complain() {
    echo "FAIL: starpu-user: $*"
    bad=1
}

# shellcheck disable=SC2086 # a list of words
${CC:-cc} -std=gnu17 ${sanitizers:+-fsanitize=$sanitizers} -Wall -Wextra -Werror \
    -I"$abs_top_srcdir" -I"$abs_top_srcdir/apps/starpu/include" -o "$folder/user" \
    "$abs_top_srcdir/tests/starpu/user.c" \
    -L"$abs_top_builddir" -Wl,-rpath,"$abs_top_builddir" -lorrery-starpu ||
    exit 1
cd "$folder" || exit 1

orrery() { # arguments
    "$abs_top_builddir/orrery" "$@" >report 2>errors
}
runs() { # arguments of orrery
    orrery "$@" || complain "$*: $(cat errors)"
}
says() { # text of the report or the errors of the last command
    grep -qF -e "$1" report errors || complain "no '$1': $(cat report errors)"
}
refuses() { # message, arguments of orrery
    message=$1
    shift
    orrery "$@" && complain "$*: no error"
    says "$message"
}

# Speeds are for all kernels with flops; parts of a plan are freed once.
speed=CPU=1GFlop/s
runs run --assume-speed $speed -- ./user plan
says 'user: tasks without a calibration: 2 took times of --assume-speed'

# Limits of submitted tasks: an option replaces the variables, and has an effect.
makespan_with() { # arguments of orrery
    runs run --assume-speed $speed --sched eager "$@" -- ./user many
    sed -n 's/^makespan *//p' report
}
free=$(makespan_with)
one=$(makespan_with --window 0:0)
export STARPU_LIMIT_MAX_SUBMITTED_TASKS=0 STARPU_LIMIT_MIN_SUBMITTED_TASKS=0
[ "$(makespan_with)" = "$one" ] || complain "limits: $(cat report)"
says 'window       0:0 tasks'
[ "$(makespan_with --window 100)" = "$free" ] || complain "window: $(cat report)"
unset STARPU_LIMIT_MAX_SUBMITTED_TASKS STARPU_LIMIT_MIN_SUBMITTED_TASKS
[ "$free" != "$one" ] || complain "limits have no effect: $one"

# How many tasks a GPU worker holds: not more than in StarPU.
export STARPU_CUDA_PIPELINE=1
runs run --assume-speed $speed -- ./user
says 'pipeline     1 task per GPU worker'
runs run --assume-speed $speed --pipeline 3 -- ./user
says 'pipeline     3 tasks per GPU worker'
STARPU_CUDA_PIPELINE=7
runs run --assume-speed $speed -- ./user
says 'STARPU_CUDA_PIPELINE is 7, but the most is 4'
says 'pipeline     4 tasks per GPU worker'
STARPU_CUDA_PIPELINE=two
refuses 'STARPU_CUDA_PIPELINE=two is not a whole number' run -- ./user
unset STARPU_CUDA_PIPELINE

# Assumed times do not vary.
runs run --assume-speed $speed --durations sampled -- ./user
says 'durations=sampled was never used: no task has times of the machine, which vary'

# A graph is saved though the program has written its data before the first task.
runs graph save --assume-speed $speed -o graph.rec -- ./user write

# What is measured is found again: under the name of the codelet, as one word, and
# the codelet of a reduction, which is not called otherwise.
runs run --execute --measure add.txt -- ./user
says 'user: --measure: tasks without times took 1 ns'
grep -q '^add_one___more 256 cpu [1-9]' add.txt || complain "$(cat add.txt)"
runs run --times add.txt -- ./user
says 'user: tasks without a calibration: 1 took times of --times'
runs run --execute --measure sum.txt -- ./user reduce
grep -q '^join 8+8 cpu [1-9]' sum.txt || complain "$(cat sum.txt)"
runs run --execute --times sum.txt -- ./user reduce
says 'sum 0'
refuses '--measure: nowhere/x: No such file or directory' \
    run --execute --measure nowhere/x -- ./user

# The status of a program counts if its kernels are called.
runs run --times add.txt -- ./user fail
refuses './user: it exits with status 3, which counts with --execute' \
    run --execute --times add.txt -- ./user fail

# A codelet that no worker can run.
runs run --execute -- ./user nowhere
says 'its codelet is for neither CPUs nor GPUs, and there are 9 CPUs and 3 GPUs'

# Messages about missing times.
refuses 'measure it by --execute --measure FILE, then run with --times FILE (docs/' \
    run -- ./user
says 'for its STARPU_FLOPS give --assume-speed CPU=20GFlop/s,CUDA=1TFlop/s;'
refuses "--times has no line 'add_one___more 256 CLASS NS'" run --times sum.txt -- ./user
refuses 'codelet join has no times: it has no model' run -- ./user reduce
refuses 'it has no STARPU_FLOPS for --assume-speed' \
    run --assume-speed $speed -- ./user reduce
refuses '--assume-speed has no speed of its workers' \
    run --assume-speed CUDA=1GFlop/s -- ./user

# A machine that is modelled has a speed for flops, unless one is given.
runs run --platform dgx-h100 -- ./user
says 'took times of GEMM on this machine for their STARPU_FLOPS'
runs run --platform dgx-h100 --assume-speed $speed -- ./user
says 'took times of --assume-speed'

# Alone, a program is told its variables.
STARPU_HOSTNAME=mirage ./user >report 2>errors && complain 'alone: no error'
says 'ORRERY_STARPU_MEASURE=FILE, then run with ORRERY_STARPU_TIMES=FILE (docs/'
STARPU_HOSTNAME=mirage ORRERY_STARPU_TIMES=add.txt ./user >report 2>errors ||
    complain "alone: $(cat errors)"
says 'took times of ORRERY_STARPU_TIMES'
if ! [ -e "$ORRERY_PLATFORMS/$(hostname).xml" ]; then
    ./user >report 2>errors && complain 'alone, on this machine: no error'
    says '(STARPU_HOSTNAME chooses the machine)'
fi
exit $bad

#!/bin/sh
# What users of StarPU do beyond the examples.
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

# A graph is saved though the program has written its data before the first task.
runs graph save --assume-speed $speed -o graph.rec -- ./user write
exit $bad

#!/bin/sh
# Runs under valgrind: no invalid access, no uninitialised value, no leak. A
# comparison and an error; at full length (test_length), more of each.
set -u
command -v valgrind >/dev/null || { echo "no valgrind here"; exit 77; }
[ -z "$sanitizers" ] || { echo "not on top of sanitizers"; exit 77; }
messages=$(mktemp) || exit 1
trap 'rm -f "$messages"' EXIT
# Valgrind 3.19 does not read the DWARF 5 of clang 14.
case $CC in
*clang*)
    valgrind --quiet "$abs_top_builddir/orrery" --version >"$messages" 2>&1 ||
        { cat "$messages"; exit 77; }
    ;;
esac
bad=0
full=false
[ "${test_length:-short}" != full ] || full=true

check() { # arguments of orrery
    G_SLICE=always-malloc valgrind --quiet --error-exitcode=99 \
        --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect \
        "$abs_top_builddir/orrery" "$@" >/dev/null 2>"$messages"
    status=$?
    [ $status -eq "$expected" ] || {
        cat "$messages"
        echo "=> $status from: orrery $*"
        bad=1
    }
}

expected=0
if $full; then
    check run cholesky --tiles 6 --platform attila --cpus 0 --gpus 3 --sched dmdas
    check run cholesky --tiles 8 --platform attila --cpus 0 --gpus 1 \
        --gpu-memory 100MiB --sched dmda --format csv
    check run lu --tiles 4 --platform mirage --sched dmdar --format json
    check compare cholesky --tiles 3 --platform attila --sched eager,prio,dm
    check run cholesky --tiles 4 --platform attila --cpus 0 --gpus 4 --pcie 0.5x \
        --nvlink 50GBps --set 'kernel.gemm.*.scale=2'
fi
check compare lu --sizes 1920 --sched random,dmda --replicas 2 --perturb 0.1 \
    --format csv
expected=1
check run cholesky --tiles 4 --platform attila --trace /dev/null/trace.csv
expected=2
if $full; then
    check run cholesky --tiles 4 --platform nowhere
    check run cholesky --tiles 0
fi
exit $bad

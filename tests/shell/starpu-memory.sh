#!/bin/sh
# Policies for short memories: the products of tests/starpu/products.c take as long, with
# quirks=exact, as under StarPU over SimGrid (tests/starpu/memory.figures), within 0.01 %.
# Programs that do not pause the workers hang, as there.
set -u
[ -e "$abs_top_builddir/liborrery-starpu.so" ] ||
    { echo "SKIP: starpu-memory: no shared library"; exit 77; }
[ -z "$sanitizers" ] ||
    { echo "SKIP: starpu-memory: a program that loads a library with sanitizers"; exit 77; }
[ "${lockstep:-yes}" != no ] || exit 77
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset STARPU_PERF_MODEL_DIR STARPU_SCHED STARPU_SCHED_LIB STARPU_NTASKS_THRESHOLD REVERSE HMETIS ORDER_U
orrery=$abs_top_builddir/orrery
bad=0

complain() {
    echo "FAIL: starpu-memory: $*"
    bad=1
}

${CC:-cc} -std=gnu17 -g -O1 -Wall -Wextra -Werror -I"$abs_top_srcdir/apps/starpu/include" \
    -o products "$abs_top_srcdir/tests/starpu/products.c" \
    -L"$abs_top_builddir" -Wl,-rpath,"$abs_top_builddir" -lorrery-starpu ||
    { complain 'products.c does not compile'; exit 1; }

while read -r platform policy cpus gpus memory arguments expected; do
    limit=
    [ "$memory" = 0 ] || limit="--gpu-memory ${memory}MiB"
    # shellcheck disable=SC2086 # lists of words
    "$orrery" run --platform "$platform" --cpus "$cpus" --gpus "$gpus" $limit \
        --model quirks=exact --sched "$policy" --format json -- ./products \
        $(echo "$arguments" | tr , ' ') >output 2>&1
    grep -E '^[0-9]+\.[0-9]{3}$' output | tr '\n' ',' | awk -v expected="$expected" '
        function far(a, b) { return a < b * 0.9999 || a > b * 1.0001 }
        {
            count = split($0, us, ",") - 1
            wrong = count != split(expected, reference, ",")
            for (i = 1; i <= count && !wrong; i++)
                wrong = far(us[i], reference[i])
        }
        END { exit NR == 0 || wrong }' ||
        complain "$policy, $platform, $arguments: not $expected us: $(head -n 3 output)"
done <<TABLE
$(sed -e '/^#/d' -e 's/ | /|/g' "$abs_top_srcdir/tests/starpu/memory.figures" |
    awk -F'|' '{ gsub(" ", ",", $2); gsub(" ", ",", $3); print $1, $2, $3 }')
TABLE

for policy in mst cuthillmckee; do
    "$orrery" run cholesky --platform attila --tiles 3 --sched $policy >output 2>&1
    [ $? -eq 3 ] && grep -q 'lost-wakeup' output ||
        complain "$policy does not hang: $(head -n 3 output)"
done

HMETIS=1 ORDER_U=1 "$orrery" run cholesky --platform attila --tiles 3 --sched HFP >output 2>&1
[ "$(grep -c 'is not heeded' output)" -eq 1 ] &&
    grep -q 'policy HFP: HMETIS=1 is not heeded; dates are as with 0$' output ||
    complain "HMETIS=1: $(head -n 3 output)"
exit $bad

#!/bin/sh
# Policies of scheduling components (tests/starpu/components.c): with quirks=exact they
# have the makespans that StarPU over SimGrid has with its own ones of the same parts,
# in ms. A tree with a cycle is an error of the policy.
set -u
[ -e "$abs_top_builddir/liborrery-starpu.so" ] ||
    { echo "SKIP: starpu-components: no shared library"; exit 77; }
[ -z "$sanitizers" ] ||
    { echo "SKIP: starpu-components: a program that loads a library with sanitizers"; exit 77; }
[ "${lockstep:-yes}" != no ] || exit 77
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset STARPU_PERF_MODEL_DIR STARPU_SCHED STARPU_SCHED_LIB STARPU_NTASKS_THRESHOLD
orrery=$abs_top_builddir/orrery
bad=0

complain() {
    echo "FAIL: starpu-components: $*"
    bad=1
}

${CC:-cc} -std=gnu17 -g -O1 -Wall -Wextra -Werror -I"$abs_top_srcdir/apps/starpu/include" \
    -o components.so "$abs_top_srcdir/tests/starpu/components.c" -shared -fPIC ||
    { complain 'components.c does not compile'; exit 1; }

run() { # policy, arguments
    policy=$1
    shift
    "$orrery" run cholesky --model quirks=exact --cpus 9 --gpus 3 --format json \
        --sched "starpu:./components.so:$policy" "$@" 2>errors
}

while read -r platform tiles policy expected weights; do
    # The reference prints four digits.
    # shellcheck disable=SC2086 # a list of words
    run "$policy" --platform "$platform" --tiles "$tiles" $weights | awk -v expected="$expected" '
        /^ *"makespan_s":/ { ms = $2 * 1000 }
        END { exit ms < expected - 0.0001 || ms > expected + 0.0001 }' ||
        complain "$policy, $platform, $tiles tiles: not $expected ms $(cat errors)"
done <<'TABLE'
attila 6 eager 883.9328
attila 6 eager-prio 384.7991
attila 6 random 440.2239
attila 6 ws 657.9654
attila 6 heft2 343.8376
attila 6 heft-prio 343.8376
attila 6 heteroprio 349.5383
attila 6 heft2 898.6535 --beta 50
mirage 8 heft-prio 506.8167 --alpha 0.1 --gamma 10 --idle-power 1000
mirage 12 eager-prio 662.2242
mirage 12 ws 1330.3988
mirage 12 heft2 455.5188
mirage 12 heteroprio 460.3631
TABLE

run cycle --platform attila --tiles 4 >/dev/null
[ $? -eq 1 ] || complain 'a cycle has another status than 1'
line='orrery run: policy cycle (starpu:./components.so:cycle): init(), called by the application, calls starpu_sched_component_connect(): a cycle: eager > fifo > eager'
[ "$(head -n 1 errors)" = "$line" ] || complain "a cycle: $(cat errors)"

# As in StarPU, a program's priorities are cut to those of the policy.
${CC:-cc} -std=gnu17 -g -O1 -Wall -Wextra -Werror -DPROGRAM \
    -I"$abs_top_srcdir/apps/starpu/include" -o program "$abs_top_srcdir/tests/starpu/components.c" \
    -L"$abs_top_builddir" -Wl,-rpath,"$abs_top_builddir" -lorrery-starpu ||
    { complain 'components.c does not compile as a program'; exit 1; }
printed=$(STARPU_HOSTNAME=mirage ./program 2>&1)
[ "$printed" = 'priority 0' ] || complain "the program prints: $printed"
exit $bad

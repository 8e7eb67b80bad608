#!/bin/sh
# Programs that are written for StarPU are compiled, unchanged, with Orrery's own
# headers, and run. tests/starpu/expected/ holds what they print under StarPU over
# SimGrid, with its calibration of the machine mirage. Dates may differ by 0.5 % and
# 5 us; all else is equal.
#
# Usage: starpu.sh [PROGRAM...]     all by default
set -u
[ -e "$abs_top_builddir/liborrery-starpu.so" ] ||
    { echo "SKIP: starpu: no shared library"; exit 77; }
[ "${lockstep:-yes}" != no ] || exit 77
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
sources=$abs_top_srcdir/tests/starpu
STARPU_HOSTNAME=mirage
export STARPU_HOSTNAME
unset STARPU_PERF_MODEL_DIR STARPU_SCHED STARPU_NCPU STARPU_NCUDA \
    STARPU_HETEROPRIO_USE_AUTO_CALIBRATION
bad=0

complain() {
    echo "FAIL: starpu: $*"
    bad=1
}

# Two files with the same lines, but for dates ("12.5 us") that are close.
alike() {
    awk '
        NR == FNR { wanted[FNR] = $0; lines = FNR; next }
        {
            count = split(wanted[FNR], words)
            if (count != NF)
                bad = 1
            for (i = 1; i <= count; i++) {
                if (words[i] == $i)
                    continue
                difference = words[i] - $i
                if (difference < 0)
                    difference = -difference
                if ($(i + 1) !~ /^us/ || difference > 5 + 0.005 * words[i])
                    bad = 1
            }
        }
        END { exit bad || FNR != lines }' "$1" "$2"
}

build() { # program
    source=$sources/$1.c
    compiler="${CC:-cc} -std=gnu17"
    if [ -e "$sources/$1.cpp" ]; then
        # The sanitizers are of the C compiler, and there may be no other.
        [ -z "$sanitizers" ] && command -v "${CXX:-c++}" >/dev/null || return 1
        source=$sources/$1.cpp
        compiler="${CXX:-c++} -std=c++17"
    fi
    # shellcheck disable=SC2086 # lists of words
    $compiler ${sanitizers:+-fsanitize=$sanitizers} -Wall -Wextra -Werror \
        -I"$abs_top_srcdir" -I"$abs_top_srcdir/apps/starpu/include" -o "$folder/$1" "$source" \
        -L"$abs_top_builddir" -Wl,-rpath,"$abs_top_builddir" -lorrery-starpu -lm ||
        { complain "$1 does not compile"; return 1; }
}

[ $# -gt 0 ] || set -- stencil reduction partition callbacks tags interface threads locks kernels session twice buckets begin
for program in "$@"; do
    build "$program" || continue
    "$folder/$program" >"$folder/actual" 2>"$folder/errors" ||
        complain "$program ends with $?: $(cat "$folder/errors")"
    alike "$sources/expected/$program" "$folder/actual" || {
        complain "$program prints something else"
        diff "$sources/expected/$program" "$folder/actual"
    }
    [ ! -s "$folder/errors" ] || complain "$program: $(cat "$folder/errors")"
done

# Kernels are called for their results where that is asked for.
executed() { # program, line of the output
    EXECUTED=1 ORRERY_STARPU_EXECUTE=1 "$folder/$1" 2>&1 | grep -qx "$2" ||
        complain "$1 with kernels called: no '$2'"
}
executed reduction 'sum 81920'
executed partition 'element 8'
executed callbacks 'value 8'
executed locks '4 times the last at the barrier'
executed interface 'last imaginary part -3'

# Without buckets of its own, heteroprio has one for each priority: 93,798 us under StarPU.
ALL_BUCKETS=1 "$folder/buckets" >"$folder/actual"
grep -q '^ *93798\.271 us' "$folder/actual" || complain "all buckets: $(cat "$folder/actual")"

# A factorisation checks its result; its speed belongs to the simulated machine.
sources=$abs_top_srcdir/docs/example
build chol
ORRERY_STARPU_EXECUTE=1 ORRERY_STARPU_ASSUME_SPEED=CPU=1GFlop/s,CUDA=10GFlop/s \
    "$folder/chol" 4 32 check >"$folder/actual" 2>"$folder/errors"
[ "$(tail -n 1 "$folder/actual")" = right ] ||
    complain "chol: $(cat "$folder/actual" "$folder/errors")"
STARPU_SCHED=dmdas "$folder/chol" >"$folder/actual" || complain "chol does not run"
grep -q '^6 tiles: 140\.91' "$folder/actual" ||
    complain "chol with dmdas: $(cat "$folder/actual"), 140.910 ms under StarPU"
sources=$abs_top_srcdir/tests/starpu

# Below a command they print the same, to the standard error.
for program in stencil reduction partition callbacks tags interface threads locks kernels buckets begin chol; do
    [ -x "$folder/$program" ] || build "$program" || continue
    "$folder/$program" >"$folder/wanted"
    ORRERY_PLATFORMS="$abs_top_srcdir/platforms" "$abs_top_builddir/orrery" run \
        --platform mirage -- "$folder/$program" 2>"$folder/actual" >"$folder/report" ||
        complain "orrery run -- $program fails"
    diff "$folder/wanted" "$folder/actual" ||
        complain "$program prints something else below orrery run"
done

# Buckets of the user come before those of the program; another policy has none.
ORRERY_PLATFORMS="$abs_top_srcdir/platforms" "$abs_top_builddir/orrery" run --platform mirage \
    --buckets 'cpu:2;gpu:0,1' -- "$folder/buckets" 2>"$folder/actual" >"$folder/report"
grep -q '^CPU0-3  *5 ' "$folder/report" || complain "buckets of the user: $(cat "$folder/report")"
ORRERY_PLATFORMS="$abs_top_srcdir/platforms" "$abs_top_builddir/orrery" run --platform mirage \
    --sched dmda -- "$folder/buckets" 2>"$folder/actual" >"$folder/report"
grep -q '^buckets' "$folder/actual" && complain "buckets under dmda: $(cat "$folder/actual")"

# An old name of a policy.
STARPU_SCHED=heft "$folder/stencil" >"$folder/actual" 2>"$folder/errors"
grep -qx 'stencil: policy heft is now called dmda' "$folder/errors" ||
    complain "heft: $(cat "$folder/errors")"
STARPU_SCHED=dmda "$folder/stencil" | diff - "$folder/actual" || complain "heft is not dmda"

# StarPU learns by default, and says so.
sed '/setenv/d' "$sources/buckets.c" >"$folder/learns.c"
(sources=$folder && build learns) || bad=1
"$folder/learns" >"$folder/actual" 2>"$folder/errors"
grep -q '^learns: heteroprio learns its buckets, and ignores those of the program' "$folder/errors" ||
    complain "learns: $(cat "$folder/errors")"

build hang
# Options of the commands. What is measured is read again.
orrery() { # arguments
    ORRERY_PLATFORMS="$abs_top_srcdir/platforms" "$abs_top_builddir/orrery" "$@" \
        >"$folder/report" 2>"$folder/errors"
}
reports() { # line of the report, arguments of orrery run
    line=$1
    shift
    orrery run --platform mirage "$@" || complain "run $*: $(cat "$folder/errors")"
    grep -q "$line" "$folder/report" "$folder/errors" ||
        complain "run $*: no '$line': $(cat "$folder/report")"
}
cd "$folder" || exit 1
reports '^right$' --execute --measure times.txt -- ./chol 4 64 check
[ "$(grep -c '^[a-z]* 16384[+0-9]* cpu [1-9][0-9]* # [46] calls$' times.txt)" -eq 4 ] ||
    complain "--measure: $(cat times.txt)"
reports '^times  *20 from recorded durations (--times times\.txt)$' --times times.txt -- ./chol 4 64
refused() { # message, arguments of orrery
    message=$1
    shift
    orrery "$@" && complain "$*: no error"
    grep -qF -e "$message" errors || complain "$*: $(cat errors)"
}
refused '--measure: only with --execute' run --measure x -- ./chol 4 64
[ ! -e x ] || complain "--measure without --execute writes a file"
refused '--measure: none/x: No such file or directory' \
    run --platform mirage --execute --measure none/x -- ./chol 4 64
refused '--measure: /dev/null: not a regular file' \
    run --platform mirage --execute --measure /dev/null -- ./chol 4 64
ln -s times.txt link.txt
orrery run --platform mirage --execute --measure link.txt -- ./chol 4 64
[ -L link.txt ] || complain "--measure replaces a link"
ORRERY_STARPU_MEASURE=x ./chol 4 64 >report 2>errors && complain "measures without calls"
if [ -s report ] || ! grep -q 'with ORRERY_STARPU_EXECUTE=1$' errors; then
    complain "measures without calls: $(cat report errors)"
fi
refused "--time-limit: '0s' is not" run --time-limit 0s -- ./chol 4 64
refused './chol: --times: none: No such file' run --platform mirage --times none -- ./chol 4 64
refused "--time-limit: '1e15' is not" run --time-limit 1e15 -- ./chol 4 64
refused 'attila.xml has only tiles of 320, 640, 960; its data are datum 0 (10000 bytes)' \
    run --platform attila -- ./chol 4 50
echo 'potrf 16384 fpga 1' >wrong.txt
refused "wrong.txt:1: 'fpga' is no class" \
    run --platform mirage --times wrong.txt -- ./chol 4 64
refused "'CPU=fast' is not CPU=SPEED" \
    run --platform mirage --assume-speed CPU=fast -- ./chol 4 64

# A hang of a program is found, replayed, and shrunk by one of its arguments.
orrery explore --budget 2 --platform mirage -- ./hang ring 9
token=$(grep -o 'orr1-[^ ]*' report | head -n 1)
refused 'dependency-cycle' replay "$token" --app '-- ./hang ring 9'
orrery shrink "$token" --shrink-by ring --app '-- ./hang ring 9' ||
    complain "shrink: $(cat errors)"
grep -q '^argument  *9  *2$' report || complain "shrink: $(cat report)"
grep -q '^tasks  *9  *1$' report || complain "shrink to no task: $(cat report)"
refused "--shrink-by: the arguments have no 'size' with another behind" \
    shrink "$token" --shrink-by size --app '-- ./hang ring 9'
refused "--shrink-by: 'x' behind ring is not a number" \
    run --shrink-by ring --platform mirage -- ./hang ring x
refused 'does hang depend on the time of day' \
    run --twice --platform mirage -- ./hang clock

# Errors end the program: status 1, and a line that names the call.
fails() { # program, pattern of the message, arguments...
    program=$1
    pattern=$2
    shift 2
    "$folder/$program" "$@" >/dev/null 2>"$folder/errors"
    status=$?
    [ $status -eq 1 ] || complain "$program ends with $status, not 1"
    grep -q "^$program: $pattern" "$folder/errors" ||
        complain "$program: $(cat "$folder/errors"), not '$pattern'"
}
fails hang 'starpu_task_wait_for_all(): .*dependency-cycle.*chicken.*egg'
fails threads 'starpu_data_register(): called in a thread that starpu_pthread_create()' raw
fails locks 'starpu_pthread_[a-z_]*(): .*(lock-cycle): thread 0 .* thread 1 .* thread 2' cycle
fails locks 'starpu_pthread_cond_wait(): .*(lost-wakeup): .* waits for a condition' forgotten
STARPU_HOSTNAME=nowhere fails stencil "starpu_init(): no platform 'nowhere'"
STARPU_SCHED=nothing fails stencil "starpu_init(): .*nothing"
fails chol 'starpu_task_insert(): codelet potrf has no times' 4 31

exit $bad

#!/bin/sh
# Policies that hang now and then: a schedule is replayed, shrunk to what
# matters, and stopped before the critical decision.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

member() { # name, file
    sed -n 's/^ *"'"$1"'": "\{0,1\}\([^",]*\)"\{0,1\},*$/\1/p' "$2"
}

for plugin in hasty lossy; do
    # shellcheck disable=SC2046 # a list of words
    $CC -O1 -fPIC -shared -o $plugin.so \
        "$abs_top_srcdir/tests/plugins/$plugin.c" \
        $(pkg-config --cflags orrery) || exit 1
done
"$orrery" explore cholesky --tiles 6 --platform attila --cpus 2 --gpus 2 \
    --sched ./hasty.so --strategy random --budget 400 --format json >found.json
token=$(member token found.json)

# What explore found is had again, twice the same, and the default finishes.
for trace in one two; do
    "$orrery" replay "$token" --sched ./hasty.so --trace $trace.csv \
        --format json >$trace.json 2>$trace.err
    [ $? -eq 3 ] || complain "the replay does not hang"
    [ "$(sed -n 's/^ *"kind": "\(.*\)",/\1/p' $trace.json)" = never-offered ] ||
        complain "the replay hangs otherwise"
done
cmp one.csv two.csv && cmp one.copies.csv two.copies.csv && cmp one.err two.err ||
    complain "two replays differ"

# One task and the two workers that it takes to ask in the wrong order.
"$orrery" shrink "$token" --sched ./hasty.so --format json >shrunk.json || complain "no shrinking"
"$orrery" shrink "$token" --sched ./hasty.so --format json >again.json
cmp shrunk.json again.json || complain "shrinking is another each time"
[ "$(member tiles shrunk.json)" = "6
1" ] || complain "tiles: $(member tiles shrunk.json)"
[ "$(member tasks shrunk.json)" = "56
1" ] || complain "tasks: $(member tasks shrunk.json)"
[ "$(($(member gpus shrunk.json | tail -n 1) +
    $(member cpus shrunk.json | tail -n 1)))" -eq 2 ] ||
    complain "workers: $(cat shrunk.json)"
[ "$(member decisions shrunk.json | tail -n 1)" -eq 1 ] ||
    complain "decisions: $(member decisions shrunk.json)"
[ "$(member complete shrunk.json)" = true ] || complain "something is untried"
small=$(member token shrunk.json)
"$orrery" replay "$small" --sched ./hasty.so >out 2>err
[ $? -eq 3 ] || complain "the shrunk run does not hang"
grep -q '(never-offered)$' err || complain "the shrunk run hangs otherwise"
"$orrery" shrink "$small" --sched ./hasty.so --format json >small.json
[ "$(member token small.json)" = "$small" ] ||
    complain "the shrunk run can be shrunk further"

# The critical decision is the last that saves the run.
[ -n "$(member finishes shrunk.json)" ] || complain "no decision is critical"
"$orrery" shrink "$small" --sched ./hasty.so >out
grep -q '^The critical decision is number [0-9]* of [0-9]* (event)' out ||
    complain "text without the critical decision"

# An application in a file, whose scale goes down to 3 and not further.
WALL_MIN=3
export WALL_MIN
# shellcheck disable=SC2046 # a list of words
$CC -O1 -fPIC -shared -o wall.so "$abs_top_srcdir/tests/plugins/wall.c" \
    $(pkg-config --cflags orrery) || exit 1
"$orrery" explore ./wall.so --width 6 --height 5 --cpus 2 --gpus 2 \
    --sched ./hasty.so --strategy random --budget 400 --format json >wall.json
"$orrery" shrink "$(member token wall.json)" --app ./wall.so \
    --sched ./hasty.so --format json >low.json ||
    complain "no shrinking of an application in a file"
[ "$(member height low.json)" = "5
3" ] || complain "height: $(member height low.json)"

# A shape shrinks in proportion: the largest count is what is reported.
# shellcheck disable=SC2046 # a list of words
$CC -O1 -fPIC -shared -o grid.so "$abs_top_srcdir/tests/plugins/grid.c" \
    $(pkg-config --cflags orrery) || exit 1
"$orrery" explore ./grid.so --tiles 3x6 --cpus 2 --gpus 2 \
    --sched ./hasty.so --strategy random --budget 400 --format json >grid.json
"$orrery" shrink "$(member token grid.json)" --app ./grid.so \
    --sched ./hasty.so --format json >low.json || complain "no shrinking of a shape"
[ "$(member tiles low.json)" = "6
1" ] || complain "tiles: $(member tiles low.json)"
"$orrery" replay "$(member token low.json)" --app ./grid.so \
    --sched ./hasty.so --format json >out 2>err
[ "$(member tiles out)" = 1x1 ] || complain "another shape: $(member tiles out)"

# The applications whose tiles are shapes, too; replayed, they hang alike. This
# policy gives tasks to any worker, and GPUs have no geqrt.
while read -r largest smallest options; do
    # shellcheck disable=SC2086 # several words
    "$orrery" explore $options --sched ./hasty.so --strategy \
        random --budget 400 --format json >found.json
    [ $? -eq 3 ] || complain "$options: no hang"
    "$orrery" shrink "$(member token found.json)" --sched ./hasty.so \
        --format json >low.json || complain "$options: no shrinking"
    [ "$(member tiles low.json | tr '\n' ' ')" = "$largest 1 " ] ||
        complain "$options: tiles: $(member tiles low.json)"
    [ "$(member tasks low.json | tail -n 1)" = 1 ] ||
        complain "$options: tasks: $(member tasks low.json)"
    "$orrery" replay "$(member token low.json)" --sched ./hasty.so \
        --format json >out 2>err
    [ $? -eq 3 ] || complain "$options: the shrunk run does not hang"
    [ "$(member tiles out)" = "$smallest" ] ||
        complain "$options: another shape: $(member tiles out)"
done <<APPS
6 1x1 gemm --cpus 2 --gpus 2 --tiles 3x6
5 1x1x1 gemm --cpus 2 --gpus 2 --variant k --tiles 2x3x5
6 1x1 qr --platform sirocco-k40m --cpus 3 --gpus 0 --tiles 6x3
6 1x1 qr --platform sirocco-p100 --cpus 3 --gpus 0 --tiles 6x2 --halves whole
APPS

# A wake-up is lost with one worker, too, at an operation of a lock, whatever
# decisions that takes there.
"$orrery" explore cholesky --tiles 5 --platform attila --cpus 2 --gpus 2 \
    --sched ./lossy.so --budget 2000 --format json >found.json
[ $? -eq 3 ] || complain "no wake-up is lost"
"$orrery" shrink "$(member token found.json)" --sched ./lossy.so >out || complain "no shrinking"
grep -q '^lost-wakeup, shrunk in [0-9]* runs$' out || complain "another hang"
for line in '^tiles  *5  *1$' '^tasks  *35  *1$' '^GPU workers  *2  *0$' \
    '^CPU workers  *2  *1$' '^non-default decisions  *[0-9]*  *1$' \
    '^The critical decision is number [0-9]* of [0-9]* (\(step\|order\))' \
    '^With that, CPU0, in pop, before it acquires lock queue (lossy.so+0x[0-9a-f]*), waits$' \
    '^until another caller has done so.$'; do
    grep -q "$line" out || complain "no line $line: $(cat out)"
done

# The story tells both sides, with the lines of a policy that has them; and how
# it looked.
# shellcheck disable=SC2046 # a list of words
$CC -g -O1 -fPIC -shared -o waker.so "$abs_top_srcdir/tests/zoo/lost-wakeup.c" \
    $(pkg-config --cflags orrery) || exit 1
"$orrery" explore cholesky --tiles 6 --cpus 1 --gpus 1 --where potrf=cpu \
    --window 1 --sched ./waker.so --budget 2000 --format json |
    sed -n 's/.*"token": "\(.*\)".*/\1/p' >found
"$orrery" shrink @found --sched ./waker.so --format json >story.json || complain "no story"
[ "$(grep -c '"step": ".*"' story.json)" -ge 10 ] || complain "a short story"
line_of() { # text: the first line of the policy with it
    grep -nF "$1" "$abs_top_srcdir/tests/zoo/lost-wakeup.c" | head -n 1 | cut -d: -f1
}
if grep -q 'HAVE_LIBDW 1' "$abs_top_builddir/config.h"; then
    queue=lost-wakeup.c:$(line_of 'orr_lock_acquire(state->queue_lock)')
    idle=lost-wakeup.c:$(line_of 'orr_lock_acquire(state->idle_lock)')
    any='lost-wakeup.c:[0-9]*'
else # addresses
    any='waker.so+0x[0-9a-f]*'
    queue=$any
    idle=$any
fi
for step in "the application, in push, before it acquires lock queue ($queue), waits .*" \
    "the application, in push, acquires lock idle ($idle)" \
    'the application returns from push' "CPU0, in pop, releases lock queue ($any)" \
    'CPU0, in pop, goes on' 'CPU0 gets nothing from pop'; do
    grep -q "\"step\": \"$step\"" story.json || complain "no step $step"
done
if command -v gnuplot >/dev/null; then
    "$orrery" replay @found --sched ./waker.so --hang-steps steps.svg >/dev/null 2>&1
    for text in 'holds lock queue' 'held back by the schedule' CPU0 application sleeps \
        'the last 60 steps'; do
        grep -q "$text" steps.svg || complain "the picture has no $text"
    done
    "$orrery" run cholesky --tiles 2 --hang-steps none.svg >/dev/null 2>err
    [ ! -e none.svg ] || complain "a picture without a hang"
    grep -q 'does not hang: none.svg is not written' err || complain "$(cat err)"
fi

# --gdb becomes a debugger that stops there.
mkdir bin
cat >bin/gdb <<'GDB'
#!/bin/sh
for argument; do
    printf '%s\n' "$argument"
done >arguments
while [ "$1" != --args ]; do
    shift
done
shift
exec "$@"
GDB
chmod +x bin/gdb
for word in "$token" "$small"; do
    PATH=$folder/bin:$PATH "$orrery" replay --gdb "$word" \
        --sched ./hasty.so >out 2>err
    [ $? -eq 3 ] || complain "what --gdb runs does not hang: $(cat err)"
    [ "$(sed -n 3p arguments)" = 'break orr_replay_stop' ] ||
        complain "--gdb sets no breakpoint: $(cat arguments)"
    grep -A2 -x -e --args arguments | grep -qx replay ||
        complain "--gdb replays nothing"
done
grep -qxF "$small" arguments ||
    complain "--gdb replays another token than one that is shrunk"
# A sanitizer and a debugger want the same from the system.
# shellcheck disable=SC2154 # automake sets it
if [ -z "$sanitizers" ] && command -v gdb >/dev/null; then
    printf '%s\n' 'frame 0' 'print decision->count' | timeout 100 "$orrery" replay --gdb "$small" \
        --sched ./hasty.so >out 2>&1
    grep -q 'ptrace: Operation not permitted' out ||
        grep -q '^(gdb) \$1 = [1-9]' out ||
        complain "gdb does not stop before the decision: $(cat out)"
    # A decision inside of a policy: gdb shows the policy.
    timeout 100 "$orrery" replay --gdb @found --sched ./waker.so >shown 2>&1 \
        </dev/null
    grep -q 'ptrace: Operation not permitted' shown ||
        { grep -qE '(^ +| )at .*lost-wakeup.c:[0-9]' shown &&
            grep -q '^The critical decision comes next' shown; } ||
        complain "gdb does not show the policy: $(cat shown)"
    grep -q 'No frame' out && complain "gdb looks for a policy: $(cat out)"
fi
mkdir none
PATH=$folder/none "$orrery" replay --gdb "$small" --sched ./hasty.so >out 2>err
[ $? -eq 1 ] || complain "--gdb without gdb"
[ "$(cat err)" = "orrery replay: gdb is needed, but is not in the PATH (Debian package: gdb)" ] ||
    complain "--gdb without gdb says: $(cat err)"
exit $bad

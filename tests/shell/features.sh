#!/bin/sh
# What programs do beside submitting tasks in order: all commands that simulate
# take them, explorations too; `graph save` refuses tasks that its files cannot represent.
. "$abs_top_srcdir/tests/shell/plugin_test.sh"

# shellcheck disable=SC2046 # a list of words
$CC -Wall -Wextra -Werror -O1 -fPIC -shared -o features.so \
    "$abs_top_srcdir/tests/plugins/features.c" \
    $(pkg-config --cflags orrery) || exit 1

modes=quirks=off
[ "${lockstep:-yes}" = no ] || modes="$modes quirks=exact"

simulates() { # feature, tasks
    for models in $modes; do
        "$orrery" run ./features.so --feature "$1" --format json --sched dmdas \
            --model $models >stdout 2>stderr &&
            grep -q "\"tasks\": $2," stdout ||
            complain "$1, $models: $(cat stdout stderr)"
    done
    "$orrery" explore ./features.so --feature "$1" --cpus 1 --gpus 1 \
        --sched eager --budget 50 >stdout 2>stderr ||
        complain "explore $1: $(cat stdout stderr)"
}

saves() { # feature
    "$orrery" graph save ./features.so --feature "$1" --output "$1-saved.rec" \
        >stdout 2>stderr || complain "graph save $1: $(cat stderr)"
    [ "$(grep -c '^Name: ' "$1-saved.rec")" = 2 ] || complain "$1: not two tasks"
}

refuses() { # feature, message
    "$orrery" graph save ./features.so --feature "$1" --output "$1-saved.rec" \
        >stdout 2>stderr
    status=$?
    [ $status -eq 1 ] || complain "graph save $1: status $status"
    [ "$(cat stderr)" = "orrery graph save: features: $2" ] ||
        complain "graph save $1: $(cat stderr)"
    [ ! -e "$1-saved.rec" ] || complain "graph save $1: left a file"
}

for feature in none unordered-data unordered-task workers acquire unregister \
    tag scratch last costs blocks-driver sleep end; do
    simulates $feature 2
done
simulates callback 3
simulates redux 3
simulates partition 4

# Buffers of CPUs beside GPUs are pinned.
"$orrery" run ./features.so --feature scratch --sched lws --cpus 3 --gpus 1 \
    --set overhead.host-pin=1us --stale-calibration >stdout 2>stderr && ! grep -q 'never used' stdout stderr ||
    complain "host-pin: $(cat stdout stderr)"

saves none
saves last
saves sleep
saves blocks-driver
grep -q '^Synchronous: 1' blocks-driver-saved.rec ||
    complain "a task that blocks its driver is saved as another one"
told='which files of graphs cannot represent'
refuses unordered-data "task 0 (gemm) has an unordered access, $told"
refuses unordered-task "task 0 (gemm) has unordered accesses, $told"
refuses workers "task 0 (gemm) names its workers, $told"
refuses scratch "task 0 (gemm) needs buffers of its worker, $told"
refuses costs "task 0 (gemm) brings costs, $told"
refuses redux "task 0 (gemm) adds to a datum that is reduced, $told"
refuses callback "task 0 (gemm) has a callback, $told"
refuses end "task 0 (gemm) has end dependencies, $told"
"$orrery" graph save ./features.so --feature partition --output p.rec \
    >stdout 2>stderr
[ $? -eq 1 ] && [ ! -e p.rec ] && [ "$(cat stderr)" = \
    "orrery graph save: files of graphs have no place for partitions" ] ||
    complain "graph save partition: $(cat stderr)"
for feature in acquire unregister tag; do
    refuses $feature \
        "task 1 (gemm) is submitted after the application has waited, $told"
done

# The application waits for a datum from its call, 2 us after the submission that
# counts as 0, until the copy to the host and its own progress after that.
traces() { # feature, name of its second bar
    "$orrery" run ./features.so --feature "$1" --gpus 1 --cpus 0 \
        --trace u.json --trace u.trace --trace u.pftrace >stdout 2>stderr ||
        complain "trace $1: $(cat stderr)"
    [ "$(sed -n 's/.*"\(wait for data\|'"$2"'\)".*"tid":\([0-9]*\),"ts":\([0-9.]*\),"dur":\([0-9.]*\),.*/\1 \2 \3 \4/p' u.json)" = \
        "wait for data 1 2.000 4208.0619
$2 1 4210.062 0.0000" ] || complain "trace $1: $(cat u.json)"
    [ "$(grep ' w1 ' u.trace)" = '3 0.000000 w1 W run "application"
11 0.002000 K w1 "wait for data" 0 3686400
11 4.210062 K w1 "'"$2"'" 0 3686400
12 4.210062 K w1 "Idle"' ] || complain "trace $1: $(cat u.trace)"
    for name in application 'wait for data' "$2"; do
        [ "$(grep -ac "$name" u.pftrace)" -ge 1 ] ||
            complain "trace $1: no $name in u.pftrace"
    done
}
traces acquire 'use data'
traces unregister 'unregister data'

# Names of the application may hold anything: they are one line in each file.
"$orrery" run ./features.so --feature names --trace n.rec >stdout 2>stderr &&
    "$orrery" run ./features.so --feature names --trace starpu/ \
        --trace-format starpu >stdout 2>stderr &&
    "$orrery" run ./features.so --feature names --trace starvz/ \
        --trace-format starvz >stdout 2>stderr &&
    gunzip starvz/*.gz 2>stderr || complain "names: $(cat stderr)"
for file in n.rec starpu/tasks.rec; do
    "$orrery" graph check $file >stdout 2>stderr &&
        [ "$(grep -c '^JobId:' $file)" -eq 1 ] ||
        complain "names: $file: $(cat $file stderr)"
done
[ "$(wc -l <starvz/rec.tasks.csv)" -eq 2 ] ||
    complain "names: $(cat starvz/rec.tasks.csv)"
for file in n.rec n.data.rec starpu/* starvz/*; do
    iconv -f utf-8 -t utf-8 "$file" >stdout 2>stderr ||
        complain "names: $file: $(cat stderr)"
    ! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$file" ||
        complain "names: $file has control characters"
done
exit "$bad"

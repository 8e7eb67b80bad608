#!/bin/sh
# Programs with StarPU's interface that make mistakes (tests/starpu/wrong.c): each ends
# with status 1 and a message that names its call, alone and below a command, within a
# time limit, and leaves no process.
set -u
[ -e "$abs_top_builddir/liborrery-starpu.so" ] ||
    { echo "SKIP: starpu-wrong: no shared library"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
ORRERY_PLATFORMS=$abs_top_srcdir/platforms
export ORRERY_PLATFORMS
unset STARPU_PERF_MODEL_DIR STARPU_SCHED STARPU_NCPU STARPU_NCUDA STARPU_HOSTNAME
bad=0

complain() {
    echo "FAIL: starpu-wrong: $*"
    bad=1
}

# shellcheck disable=SC2086 # lists of words
${CC:-cc} -std=gnu17 ${sanitizers:+-fsanitize=$sanitizers} -Wall -Wextra -Werror \
    -I"$abs_top_srcdir" -I"$abs_top_srcdir/apps/starpu/include" -o wrong \
    "$abs_top_srcdir/tests/starpu/wrong.c" -L"$abs_top_builddir" \
    -Wl,-rpath,"$abs_top_builddir" -lorrery-starpu || exit 1

check() { # mistake, message, status, prefix
    [ "$3" -eq 1 ] || complain "$1 ends with $3, not 1: $(cat errors)"
    grep -qF -e "$2" errors && grep -qF -e "$4" errors || complain "$1: $(cat errors), not '$4$2'"
}

alone() { # mistake, message
    STARPU_HOSTNAME=mirage ./wrong "$1" >output 2>errors
    check "$1" "$2" $? 'wrong: '
}

below() { # mistake, message
    "$abs_top_builddir/orrery" run --platform mirage --time-limit 0.5 -- ./wrong "$1" \
        >output 2>errors
    check "$1" "$2" $? 'orrery run: ./wrong: '
    [ ! -s output ] || complain "$1: a report in spite of the error"
}

while IFS='|' read -r mistake message; do
    alone "$mistake" "$message"
    below "$mistake" "$message"
done <<'END'
unregister_twice|starpu_data_unregister(): datum 0 was unregistered before
use_unregistered|starpu_task_insert(): datum 0 was unregistered before
use_after_shutdown|starpu_task_insert(): starpu_init() was not called
shut_down_twice|starpu_shutdown(): starpu_init() was not called as often
use_what_is_no_handle|starpu_task_insert(): the data handle is not one of starpu_data_register()
name_null|starpu_data_set_name(): the data handle is NULL
release_twice|starpu_data_release(): datum 0 is not acquired
acquire_twice|starpu_data_acquire(): datum 0, which is acquired already: the application
register_nowhere|starpu_data_register(): the address of the data handle is NULL
register_too_much|starpu_data_register(): datum 1 has 9223372036854775807 bytes: expected at most 2^50
register_overflow|starpu_vector_data_register(): 9223372036854775807 elements of dimension 0, each of 4 bytes
copy_to_smaller|starpu_data_cpy(): datum 0 has 4096 bytes, but datum 1 2048
split_into_too_many|starpu_data_partition(): datum 0: the filter makes 4294967295 parts
unregister_part|starpu_data_unregister(): datum 0.1 is a part
use_joined_part|starpu_task_insert(): datum 2 was unregistered before
use_cleaned_part|starpu_task_insert(): datum 0.1 was unregistered before
clean_twice|starpu_data_partition_clean(): datum 0.0 was unregistered before
split_twice|starpu_data_partition_submit(): datum 0 is split into these 2 parts already
join_whole|starpu_data_unpartition_submit(): datum 0 is not split into these 2 parts
split_into_no_kind|starpu_data_partition(): the kind of data is NULL
register_large_interface|starpu_data_register(): the kind "own" has interface_size 18446744073709551615
destroy_twice|starpu_task_destroy(): the task was destroyed before
wait_twice|starpu_task_wait(): the task was destroyed before
depend_on_null|starpu_task_declare_deps(): the array of 2 tasks is NULL
depend_on_many|starpu_tag_declare_deps(): 4294967295 tags as arguments
name_no_workers|starpu_task_submit(): task idle has workerids_len = 1 and no workerids
insert_without_end|starpu_task_insert(): 0x7777777 is no key of starpu_task_insert(): does 0 end
insert_too_many|starpu_task_insert(): more data than the 1 of codelet work, by key 0x1: does 0 end
insert_wrong_array|starpu_task_insert(): key 0x100000 has an array
insert_wrong_size|starpu_task_insert(): STARPU_VALUE: argument 1 has 18446744073709551615 bytes
free_large_twice|is no block of starpu_malloc(), or was freed before
allocate_too_much|is no block of starpu_malloc(), or was freed before
init_with_many_workers|starpu_init(): cpus: '2147483647': expected a whole number
map_too_few|starpu_init(): CPU workers: no bucket is mapped to priority 2
map_bucket_twice|starpu_init(): CUDA workers: bucket 3 is mapped to two priorities
map_too_many|starpu_init(): CPU workers: bucket 4 is mapped to none of 1 priorities
map_beyond|starpu_heteroprio_set_mapping(): bucket 100: they are 0 to 99
map_later|starpu_heteroprio_set_nb_prios(): heteroprio takes buckets only while starpu_conf.sched_policy_callback is called
use_locality|starpu_heteroprio_set_use_locality(): heteroprio with groups of workers is not simulated
push_to_no_bucket|policy heteroprio: task 0 (idle) of priority 0 is in no bucket that workers visit
END

# Variables and files.
refused() { # variable, value, message
    export "$1=$2"
    alone shut_down_twice "$3"
    below shut_down_twice "$3"
    unset "$1"
}
refused STARPU_NCPU 4x 'starpu_init(): STARPU_NCPU=4x is not a whole number'
refused STARPU_NCUDA 99999999999999999999 'STARPU_NCUDA=99999999999999999999 is not'
refused ORRERY_STARPU_TIMES /dev/zero '/dev/zero: expected text of less than 64 MiB'
if [ -c /dev/full ]; then
    ORRERY_STARPU_EXECUTE=1
    export ORRERY_STARPU_EXECUTE
    refused ORRERY_STARPU_MEASURE /dev/full '/dev/full: not a regular file'
    unset ORRERY_STARPU_EXECUTE
fi

below release_twice 'is not acquired'
grep -q '^printed before$' errors || complain 'what a program prints is lost'

# A second session: alone it may be.
alone use_of_last_session 'starpu_task_insert(): datum 0 was unregistered before'
below use_of_last_session \
    'starpu_init(): below a command of orrery, a program has one session'

# What the sanitizers notice themselves.
[ -n "$sanitizers" ] || alone free_twice 'is no block of starpu_malloc(), or was freed'

# What only a command can notice.
while IFS='|' read -r mistake message; do
    below "$mistake" "$message"
done <<'END'
poll_for_ever|it asks, and lets no simulated time pass, for 0.5 s
sleep_for_ever|it makes no call for 0.5 s; it has not called starpu_init()
join_sleeper|it makes no call for 0.5 s
init_by_two|two of its processes call starpu_init()
END
below replace_socket 'it exits with status 1'
grep -q '^wrong: it has closed its socket to `orrery`' errors ||
    complain "replace_socket: $(cat errors)"
alone init_without_socket 'starpu_init(): ORRERY_REMOTE=99 is not the socket'

# A limit of a campaign.
printf '[campaign]\napp = -- ./wrong sleep_for_ever\nplatform = mirage\ntime-limit = 0.5\n' \
    >campaign.ini
timeout 20 "$abs_top_builddir/orrery" sweep campaign.ini >output 2>errors
[ $? -eq 1 ] && grep -q 'it makes no call for 0.5 s' errors ||
    complain "sweep: $(cat errors)"

# The processes that a program leaves end with it.
"$abs_top_builddir/orrery" run --platform mirage -- ./wrong leave_child >output 2>errors ||
    complain "leave_child: $(cat errors)"
for process in /proc/[0-9]*; do
    [ "$(readlink "$process/exe")" != "$folder/wrong" ] ||
        { complain "a process is left"; kill -s KILL "${process#/proc/}"; }
done

exit $bad

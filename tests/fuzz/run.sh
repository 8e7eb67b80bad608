#!/bin/sh
# Feeds made-up texts to every reader of what strangers may give: platform files,
# files of hwloc, of StarPU and of nvbandwidth, task records, graphs and mappings,
# traces, tokens, and the values of options, with clang's libFuzzer and
# sanitizers. Starts from the corpus in tests/fuzz/ and from the files of the
# tests; what crashes is left in the current folder, as crash-*. Needs a build
# (./bootstrap build) for config.h.
#
# Usage: run.sh [RUNS [SEED [FUZZER...]]]
#   RUNS    texts for each fuzzer (default 20000), or a time, as in 60s
#   FUZZER  one of the names below (default: all)
# NEW=FOLDER keeps the new texts in FOLDER/FUZZER. OBJECTS=FOLDER has the archives
# liborrery_*.a of a build by clang with --enable-sanitizers=address,undefined,fuzzer-no-link;
# otherwise all is compiled here.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir/build}"
runs=${1:-20000}
seed=${2:-1}
[ $# -lt 2 ] && shift $# || shift 2
fuzz=$abs_top_srcdir/tests/fuzz
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
command -v clang >/dev/null || { echo "no clang here"; exit 77; }
packages='glib-2.0 gmodule-2.0 libxml-2.0 hwloc json-glib-1.0 gio-2.0 sqlite3'
! grep -q '^#define HAVE_LIBDW' "$abs_top_builddir/config.h" || packages="$packages libdw"
sanitizers='address,undefined'
wanted=${*:-platform hwloc set token record starpu option trace graph bandwidth mapping}
case $runs in
*s) limit=-max_total_time=${runs%s} ;;
*) limit=-runs=$runs ;;
esac

# Everything below the commands, once, and the harnesses.
flags="-g -O1 -D_GNU_SOURCE -std=gnu11 -fno-sanitize-recover=all -I$abs_top_srcdir
    -I$abs_top_srcdir/runtime -I$abs_top_builddir -DORR_PLATFORMS_DIR=\"\" -DORR_SOURCE_DIR=\"\"
    -fsanitize=fuzzer-no-link,$sanitizers $(pkg-config --cflags $packages)"
export flags work
sh "$abs_top_srcdir/tests/shell/sources.sh" fuzz >"$work/names" || exit 1
if [ -n "${OBJECTS-}" ]; then
    grep '^tests/fuzz/' "$work/names" >"$work/harnesses" &&
        mv "$work/harnesses" "$work/names" || exit 1
fi
sed "s|[^/]*\$||; s|^|$work/objects/|" "$work/names" | sort -u | xargs mkdir -p && (
    cd "$abs_top_srcdir" && xargs -P 2 -n 1 sh -c '
        # shellcheck disable=SC2086 # several words
        clang $flags -c "$1" -o "$work/objects/$1.o"' - <"$work/names"
) || exit 1
if [ -n "${OBJECTS-}" ]; then
    objects="$OBJECTS/liborrery_apps.a $OBJECTS/liborrery_core.a"
else
    # shellcheck disable=SC2086 # several words
    clang $flags -c "$abs_top_builddir/apps/html_texts.c" \
        -o "$work/objects/texts.o" || exit 1
    objects=$(find "$work/objects" -name '*.o' ! -path '*/tests/fuzz/*')
fi

link() { # fuzzer
    # shellcheck disable=SC2046,SC2086 # several words each
    clang -fsanitize=fuzzer,$sanitizers -o "$work/$1" \
        "$work/objects/tests/fuzz/fuzz_$1.c.o" $objects \
        $(pkg-config --libs $packages) -lglpk -lm
}

# The same seed, the same texts.
try() { # harness, longest text, folders of texts to begin with
    fuzzer=${1#fuzz_}
    longest=$2
    shift 2
    case " $wanted " in *" $fuzzer "*) ;; *) return ;; esac
    new=${NEW:-$work/new}/$fuzzer
    mkdir -p "$new" && link "$fuzzer" || { failed=1; return; }
    "$work/$fuzzer" "$limit" -seed="$seed" -max_len="$longest" \
        -timeout=20 -rss_limit_mb=2048 -dict="$fuzz/fuzz_$fuzzer.dict" \
        -verbosity=0 -print_final_stats=1 "$new" "$fuzz/$fuzzer" "$@" \
        >"$work/$fuzzer.log" 2>&1 || { cat "$work/$fuzzer.log"; failed=1; }
    sed -n "s/^stat::number_of_executed_units: */$fuzzer: texts tried: /p" \
        "$work/$fuzzer.log"
}

tests=$abs_top_srcdir/tests
ORR_FUZZ_PLATFORM=$tests/platforms/everything.xml
export ORR_FUZZ_PLATFORM

# Two halves at a time, which take about as long.
first_half() {
    failed=0
    try fuzz_platform 6000 "$tests/platforms" "$tests/bad-platforms"
    try fuzz_hwloc 12000 "$tests/hwloc"
    try fuzz_set 300
    try fuzz_token 400
    try fuzz_record 3000 "$tests/records"
    try fuzz_starpu 6000
    return $failed
}

second_half() {
    failed=0
    try fuzz_option 300
    try fuzz_trace 400
    try fuzz_graph 2000
    try fuzz_bandwidth 6000
    try fuzz_mapping 1000 "$tests/records"
    return $failed
}

first_half &
child=$!
second_half
status=$?
wait $child && exit $status
exit 1

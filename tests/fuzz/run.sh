#!/bin/sh
# Feeds made-up texts to the readers of platform files, of hwloc's and of tokens
# and to the parser of changes, with clang's libFuzzer and sanitizers. Starts from the
# corpus in tests/fuzz/ and from the machines of the tests; what crashes is left
# in the current folder, as crash-*.
#
# Usage: run.sh [RUNS [SEED]]
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
runs=${1:-20000}
seed=${2:-1}
fuzz=$abs_top_srcdir/tests/fuzz
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
command -v clang >/dev/null || { echo "no clang here"; exit 77; }
packages='glib-2.0 libxml-2.0 hwloc json-glib-1.0 gio-2.0'

# Names relative to the root become absolute ones.
sources() { # what to ask tests/shell/sources.sh for
    sh "$abs_top_srcdir/tests/shell/sources.sh" "$@" >"$work/names" &&
        sed "s|^|$abs_top_srcdir/|" "$work/names"
}

build() { # harness, what it needs beside models/
    harness=$1
    shift
    models=$(sources fuzz) || exit 1
    # shellcheck disable=SC2046,SC2086 # several words each
    clang -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=all -I"$abs_top_srcdir" \
        -DORR_PLATFORMS_DIR='""' -DORR_SOURCE_DIR='""' \
        $(pkg-config --cflags $packages) -o "$work/$harness" \
        "$fuzz/$harness.c" $models "$@" \
        $(pkg-config --libs $packages) -lglpk -lm
}

# Keeps its new texts to itself; the same seed, the same texts.
try() { # harness, longest text, folders of texts to begin with
    harness=$1
    longest=$2
    shift 2
    mkdir "$work/new-$harness"
    "$work/$harness" -runs="$runs" -seed="$seed" -max_len="$longest" \
        -timeout=20 -rss_limit_mb=2048 -dict="$fuzz/$harness.dict" \
        -verbosity=0 -print_final_stats=1 "$work/new-$harness" "$@" \
        >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    sed -n "s/^stat::number_of_executed_units: */$harness: texts tried: /p" \
        "$work/log"
}

token=$(sources app token.c token_codec.c) || exit 1
# shellcheck disable=SC2086 # several words
build fuzz_platform && build fuzz_hwloc && build fuzz_set &&
    build fuzz_token $token || exit 1
ORR_FUZZ_PLATFORM=$abs_top_srcdir/tests/platforms/everything.xml
export ORR_FUZZ_PLATFORM
try fuzz_platform 6000 "$fuzz/platform" "$abs_top_srcdir/tests/platforms" \
    "$abs_top_srcdir/tests/bad-platforms"
try fuzz_hwloc 12000 "$fuzz/hwloc" "$abs_top_srcdir/tests/hwloc"
try fuzz_set 300 "$fuzz/set"
try fuzz_token 400 "$fuzz/token"

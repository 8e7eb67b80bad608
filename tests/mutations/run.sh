#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Sees that the tests find the mutations of the list: faults that a programmer
# could make, one at a time, in a copy of the source tree.
#
#   run.sh --check SOURCE
#       sees that the list fits the sources: each old text occurs exactly once,
#       each test exists
#   run.sh SOURCE BUILD [NAME...]
#       builds SOURCE, which this program changes and restores, in the new
#       folder BUILD; then applies each mutation, or those named, builds again
#       and runs its test, which has to fail. CC and CFLAGS are for configure;
#       MAKE is the make to use.
set -u
LC_ALL=C
export LC_ALL

die() {
    echo "run.sh: $*" >&2
    exit 1
}

mutation() { # options and files of mutation.awk
    awk -v list="$here/list" -f "$here/mutation.awk" "$@"
}

# Prints "NAME FILE TEST" for each mutation, or says what is wrong with them.
look_up() {
    tests=$(find tests -name 'test_*.c' -o -name '*.sh')
    export tests
    # shellcheck disable=SC2046 # no blanks in names of files
    mutation $(find models sched runtime apps -name '*.[ch]')
}

# The program that has the unit test @1, a group of tests (tests/local.mk).
program_of() {
    awk -v file="/$1.c" '
        $1 ~ /^%C%_.*_SOURCES$/ {
            program = substr($1, 5, length($1) - 12)
            sub(/_/, "/", program)
        }
        index($0 " ", file " ") { print "tests/" program; exit }' \
        tests/local.mk
}

# Builds all that test @1 needs.
build() {
    case $1 in
    *.sh) "$make" -C "$build" -s -j2 all ;;
    *) "$make" -C "$build" -s -j2 "$(program_of "$1")" ;;
    esac >"$log" 2>&1
}

# Runs test @1, which is built, in the environment of make check.
run_test() {
    case $1 in
    *.sh)
        "$make" -C "$build" -s check check_PROGRAMS= \
            TESTS="$(find tests -name "$1")"
        ;;
    *)
        program=$(program_of "$1")
        (cd "$build" && env -u ORRERY_PLATFORMS abs_top_srcdir="$source" \
            abs_top_builddir="$build" lockstep=yes sanitizers= \
            test_length=short \
            sh "$source/tests/bounded.sh" "./$program" "${1#test_}")
        ;;
    esac >>"$log" 2>&1
}

# Tries mutation @1 of file @2, which test @3 has to find.
try() {
    cp "$2" "$build/original" &&
        mutation -v name="$1" "$build/original" >"$2" || return 1
    if ! build "$3"; then
        result="does not compile, see $log.$1"
        cp "$log" "$log.$1"
    elif run_test "$3"; then
        result="NOT FOUND by $3"
    else
        result="found by $3"
        found=$((found + 1))
    fi
    cp "$build/original" "$2" || return 1
    count=$((count + 1))
    echo "$1: $result"
}

make=${MAKE-make}
here=$(cd "$(dirname "$0")" && pwd) || exit 1
if [ "${1-}" = --check ]; then
    cd "$2" || exit 1
    look_up >/dev/null
    exit
fi
[ $# -ge 2 ] || die "SOURCE and BUILD are missing"
mkdir -p "$2" || exit 1
source=$(cd "$1" && pwd) || exit 1
build=$(cd "$2" && pwd) || exit 1
log=$build/log
shift 2
cd "$source" || exit 1

table=$(look_up) || exit 1
if [ $# -gt 0 ]; then
    for name in "$@"; do
        echo "$table" | grep -q "^$name " || die "$name is not in the list"
    done
    table=$(echo "$table" | grep "^\($(echo "$*" | sed 's/ /\\|/g')\) ")
fi

echo "configures and builds, which takes minutes"
(cd "$build" && "$source/configure" CC="${CC-cc}" \
    CFLAGS="${CFLAGS--O0}") >"$log" 2>&1 || die "no configure, see $log"
# A test that fails anyhow finds nothing.
for test in $(echo "$table" | cut -d ' ' -f 3 | sort -u); do
    build "$test" || die "$test does not build, see $log"
    run_test "$test" || die "$test fails without a mutation, see $log"
done

found=0
count=0
while read -r name file test; do
    try "$name" "$file" "$test" </dev/null || die "cannot change $file"
done <<END
$table
END
echo "$found of $count found"
[ "$found" -eq "$count" ]

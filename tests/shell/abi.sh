#!/bin/sh
# Programs that were compiled with the headers of an earlier or a later release run
# with the library of the build tree; policies in files are refused. These headers
# are today's, less the last member, or with one more, of each struct that begins
# with its size, and of the table of a policy (tests/abi/release.awk).
set -u
[ -z "$sanitizers" ] || { echo "SKIP: abi: sanitizers"; exit 77; }
[ -e "$abs_top_builddir/liborrery.so" ] || { echo "SKIP: abi: no shared library"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
script=$abs_top_srcdir/tests/abi/release.awk
platform=$abs_top_srcdir/tests/platforms/three-gpus.xml
bad=0

complain() {
    echo "FAIL: abi: $*"
    bad=1
}

cd "$abs_top_srcdir" || exit 1
headers=$(sed -n '/^[a-z_]*include_HEADERS = /,/[^\\]$/p' Makefile.am |
    grep -oE '[a-z]+/[a-z_]+\.h')

# Each struct that begins with its size, with all its members, is in the test that
# says where they lie: it fails when a member is put in the middle.
# shellcheck disable=SC2086 # a list of words
awk -v change=members -f "$script" $headers >"$folder/members"
[ "$(cut -d ' ' -f 1 "$folder/members" | sort -u | wc -l)" -ge 4 ] ||
    complain "not all structs are found"
while read -r tag member; do
    grep -q "MEMBER($tag, $member, " tests/unit/runtime/test_interface.c ||
        complain "tests/unit/runtime/test_interface.c does not have $tag.$member"
done <"$folder/members"

# A program for the headers of a release.
build() { # release, compiler options...
    release=$1
    shift
    for header in $headers; do
        case $header in
        runtime/*) target=$folder/$release/${header#runtime/} ;;
        *) target=$folder/$release/$header ;;
        esac
        mkdir -p "${target%/*}"
        awk -v change="$release" -f "$script" "$header" >"$target"
    done
    # shellcheck disable=SC2046 # a list of words
    $CC "$@" -I"$folder/$release" -o "$folder/$release/program" tests/abi/program.c \
        $(pkg-config --cflags glib-2.0) -L"$abs_top_builddir" -lorrery \
        -Wl,-rpath,"$abs_top_builddir" $(pkg-config --libs glib-2.0) &&
        $CC -I"$folder/$release" -fPIC -shared -o "$folder/$release/fifo.so" \
            tests/plugins/fifo.c $(pkg-config --cflags glib-2.0) ||
        complain "$release: does not compile"
}

# Fails unless the program of a release has the results of all releases.
succeeds() { # release, policy
    "$folder/$1/program" "$platform" "$2" >"$folder/out" 2>&1
    diff - "$folder/out" <<'EOF' || complain "$1, $2: other results"
busy 4000 ns
at least 4.0 us
traced 4
EOF
}

# Fails unless the program of the later release prints this error.
refuses() { # text, policy, then the struct with a member that is not known
    text=$1
    shift
    "$folder/later/program" "$platform" "$@" >"$folder/out" 2>&1
    grep -q "$text" "$folder/out" || complain "$*: $(cat "$folder/out")"
}

build today
build earlier
build later -DLATER
for release in today earlier later; do
    succeeds $release eager
    succeeds $release "$folder/today/fifo.so"
done
for tag in trace task_spec task_times bounds_report; do
    refuses "the size of struct orr_$tag is .*: it sets members that this version" \
        eager $tag
done
for release in earlier later; do
    refuses 'compiled with another sched/sched.h than this program: recompile it' \
        "$folder/$release/fifo.so"
done
exit $bad

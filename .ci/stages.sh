# shellcheck shell=sh
# The stages of .ci/run, each a function in a shell of its own. A line "note: ..."
# in its log goes into the table. $length is quick, short or full; $work is a
# folder for all stages of a run, $top the source.

# A number that the commit decides, below a limit.
drawn_below() { # limit
    echo $((0x$(git rev-parse --short=7 HEAD | cut -c 1-7) % $1))
}

# The commit since which files count as changed.
base() {
    if [ "$length" = quick ]; then
        if [ -n "$clean" ]; then echo HEAD; else echo HEAD~1; fi
        return
    fi
    [ -z "${CI_BASE-}" ] || { echo "$CI_BASE"; return; }
    found=$(git describe --tags --abbrev=0 2>/dev/null ||
        git merge-base HEAD origin/main 2>/dev/null)
    [ -n "$found" ] && [ "$(git rev-parse "$found^{commit}")" != "$commit" ] ||
        found=$(git rev-list --first-parent --max-count=20 HEAD | tail -n 1)
    echo "$found"
}

changed() { # patterns of paths...
    { git diff --name-only --diff-filter=d "$(base)" -- "$@"
        git ls-files --others --exclude-standard -- "$@"; } | sort -u
}

install_packages() {
    [ "$(id -u)" -eq 0 ] && command -v apt-get || return 0
    DEBIAN_FRONTEND=noninteractive apt-get install -y \
        --no-install-recommends "$@"
}

configure() { # folder, then options; makes $work/folder
    mkdir -p "$work/$1" && cd "$work/$1" && shift &&
        MAKE='make -j2' "$top/configure" -q "$@"
}

# The program alone. One job more than processors would not help here.
product() { # folder, then options
    (configure "$@" && make -s -j2 orrery tests/zoo/orrery-tags)
}

# One job more than processors: some tests wait.
suite_with() { # folder, then options
    (configure "$@" && make -s -j3 check)
}

# All that tests use is installed, so none may be skipped, but those in a browser,
# which is large, and that of Slurm, whose daemons may not start everywhere.
none_skipped() { # test-suite.log
    ! grep '^SKIP' "$1" | grep -v -e report-browser -e speedscope -e slurm
}

stage_packages() {
    [ "$(id -u)" -ne 0 ] || apt-get update
    install_packages \
        abigail-tools clang clang-format clang-tidy fish gdb gnuplot-nox graphviz \
        hwloc-nox munge pajeng parallel protobuf-compiler python3-distributed \
        python3-jsonschema recutils slurm-wlm snakemake sqlite3 starpu-examples strace valgrind vite \
        xz-utils zsh
}

stage_format() {
    if [ "$length" = quick ]; then
        changed '*.c' '*.h'
    else
        sh tests/shell/sources.sh format
    fi | xargs -r clang-format --dry-run -Werror
}

# Rules that need no build.
stage_rules() {
    for test in style layers words mutations; do
        [ ! -f "tests/shell/$test.sh" ] ||
            abs_top_srcdir=$top abs_top_builddir=$top/build \
                sh "tests/shell/$test.sh" || exit 1
    done
}

stage_suite() {
    test_length=$length
    export test_length
    [ "$length" = full ] || test_length=short
    ./bootstrap check && none_skipped build/test-suite.log
}

stage_clang_suite() {
    test_length=full
    export test_length
    # DWARF 4, because Debian's valgrind does not read what clang writes otherwise.
    suite_with clang --enable-werror CC=clang CFLAGS='-gdwarf-4 -O3' &&
        none_skipped "$work/clang/test-suite.log"
}

stage_gcc_sanitizers() {
    test_length=full
    export test_length
    suite_with gcc-sanitizers --enable-werror --enable-sanitizers
}

stage_no_lockstep_suite() {
    suite_with no-lockstep-suite --disable-lockstep
}

stage_installation() {
    make -s -C build install DESTDIR="$work/root" >/dev/null &&
        make -s -C build installcheck DESTDIR="$work/root"
}

# The library against the library of the last tag: functions that are gone, or that
# programs which were compiled with it can no longer call. Changes that such
# programs survive, as members at the end of a struct, are only reported.
stage_interface() {
    command -v abidiff >/dev/null || { echo "note: skipped, no abidiff"; exit 0; }
    tag=$(git describe --tags --abbrev=0 2>/dev/null) || { echo "note: skipped, no tag"; exit 0; }
    folder=$work/interface
    mkdir -p "$folder/source/build" &&
        git archive "$tag" | tar -x -C "$folder/source" &&
        (cd "$folder/source" && autoreconf --install && cd build && ../configure -q &&
            make -s -j3 install DESTDIR="$folder/tag") >/dev/null &&
        make -s -C build install DESTDIR="$folder/now" >/dev/null || exit 1
    compare_libraries "$folder/tag/usr/local" "$folder/now/usr/local"
}

# Fails if abidiff does, if it finds functions that are gone (8), members that are gone
# or have moved, or functions with other types.
compare_libraries() { # prefix, prefix of the later one
    status=0
    abidiff --headers-dir1 "$1/include" --headers-dir2 "$2/include" \
        "$1/lib/liborrery.so" "$2/lib/liborrery.so" >"$work/abidiff" || status=$?
    cat "$work/abidiff"
    [ $((status & (1 | 2 | 8))) -eq 0 ] &&
        ! grep -q 'offset changed from\|member deletion\|type name changed' "$work/abidiff"
}

# The suite again, with clang and its sanitizers, from the tarball. Its program and
# its objects stay in $work/sanitized for the stages below.
stage_distribution() {
    mkdir -p "$work/sanitized" &&
        printf '%s\n' 'CC=clang' 'CFLAGS="-gdwarf-4"' 'ORR_OPTIMISE=-O1' \
            'ORR_TEST_OPTIMISE=-O0' >"$work/site" &&
        CONFIG_SITE=$work/site make -s -C build -j3 distcheck \
            ORR_KEEP="$work/sanitized" DISTCHECK_CONFIGURE_FLAGS="--enable-werror \
            --enable-sanitizers=address,undefined,fuzzer-no-link"
}

# With link-time optimisation; at full length, without optimisation as well.
stage_products() {
    product gcc-lto CC=gcc CFLAGS=-O3 --enable-lto || exit 1
    [ "$length" != full ] || {
        product gcc-O0 CC=gcc CFLAGS=-O0 &&
            product clang-O0 CC=clang CFLAGS=-O0 &&
            product clang-lto CC=clang CFLAGS=-O3
    }
}

stage_same_bytes() {
    programs=
    for folder in sanitized gcc-O0 gcc-lto clang-O0 clang-lto; do
        [ ! -x "$work/$folder/orrery" ] || programs="$programs $work/$folder/orrery"
    done
    [ -n "$programs" ] || { echo "the stages distribution and products come first"; exit 1; }
    make -s -C build orrery tests/zoo/orrery-tags || exit 1
    all=
    [ "$length" != full ] || all=--all
    # shellcheck disable=SC2086 # several words
    ORRERY_PLATFORMS=$top/platforms timeout 3600 \
        sh tests/shell/same-bytes.sh $all build/orrery $programs
}

# A build without lock-step gives other results: they are the same in each of its runs.
# It has no precompiled header either, which hides what a file forgets to include.
stage_no_lockstep() {
    product no-lockstep --disable-lockstep --disable-precompiled-header \
        --enable-werror CFLAGS=-O0 || exit 1
    lockstep=no sh tests/shell/same-bytes.sh "$work/no-lockstep/orrery" \
        "$work/no-lockstep/orrery" || exit 1
    make -s -C "$work/no-lockstep" check-TESTS TESTS=tests/shell/lockstep.sh
}

stage_policies() {
    schedules=1000
    [ "$length" != full ] || schedules=100000
    seed=$(drawn_below 1000000)
    echo "note: seed $seed"
    abs_top_builddir=build timeout 14400 \
        sh tests/bench/explore-policies.sh $schedules "$seed"
}

stage_fuzzers() {
    texts=2000
    [ "$length" != full ] || texts=200000
    seed=$(($(drawn_below 1000000) + 1))
    echo "note: seed $seed"
    OBJECTS=
    [ ! -f "$work/sanitized/liborrery_core.a" ] || OBJECTS=$work/sanitized
    export OBJECTS
    timeout 14400 sh tests/fuzz/run.sh $texts "$seed"
}

# Each tenth of the list in turn.
stage_mutations() {
    names=$(sed -n 's/^\([a-z][a-z0-9-]*\): .*/\1/p' tests/mutations/list)
    if [ "$length" != full ]; then
        tenth=$(drawn_below 10)
        names=$(echo "$names" | awk -v tenth="$tenth" 'NR % 10 == tenth')
        echo "note: number $tenth of every ten"
    fi
    git archive --prefix=source/ HEAD | tar -x -C "$work" &&
        (cd "$work/source" && autoreconf --install) || exit 1
    # shellcheck disable=SC2086 # names are words
    sh tests/mutations/run.sh "$work/source" "$work/mutations" $names
}

# Files that changed, those that include a header that changed, and a tenth of the
# rest. After a change of more than 45 files, 45 of them: the whole takes 17 minutes.
stage_analysis() {
    sh tests/shell/sources.sh tidy >"$work/all"
    changed '*.c' '*.h' | sed 's,^\./,,' >"$work/changed"
    awk '/\.h$/ { print "\"" $0 "\"" }' "$work/changed" >"$work/headers"
    { grep '\.c$' "$work/changed"
        [ ! -s "$work/headers" ] || xargs grep -lFf "$work/headers" <"$work/all"; } |
        sort -u | grep -xFf "$work/all" >"$work/chosen"
    case $length in
    full) cp "$work/all" "$work/chosen" ;;
    quick) head -n 25 "$work/chosen" >"$work/some" && mv "$work/some" "$work/chosen" ;;
    short)
        count=$(wc -l <"$work/chosen")
        if [ "$count" -gt 45 ]; then
            every=$(((count + 44) / 45))
            awk -v first="$(drawn_below $every)" -v every=$every \
                'NR % every == first' "$work/chosen" >"$work/some"
            mv "$work/some" "$work/chosen"
        else
            grep -vxFf "$work/chosen" "$work/all" |
                awk -v tenth="$(drawn_below 10)" 'NR % 10 == tenth' >"$work/rest"
            cat "$work/rest" >>"$work/chosen"
        fi
        echo "note: $(wc -l <"$work/chosen") files, $count changed"
        ;;
    esac
    make -s -C build check-tidy TIDY_FILES="$work/chosen"
}

# Both commands of the README in a new Debian, when what they use has changed.
stage_bare() {
    if [ "$length" != full ] && [ "$stages" = "$all" ] &&
        [ -z "$(changed bootstrap configure.ac README.md docs)" ]; then
        echo "note: nothing changed"
        exit 0
    fi
    status=0
    LIMIT=1800 sh tests/bench/bare-machine.sh || status=$?
    [ $status -ne 77 ] || { echo "note: skipped"; exit 0; }
    exit $status
}

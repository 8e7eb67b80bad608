#!/bin/sh
# An installed liborrery serves an application outside the tree: docs/example/
# is copied away, compiled with what pkg-config says, and run. Called by
# `make installcheck`, which sets the variables; DESTDIR may be set.
set -u
[ -z "$sanitizers" ] || { echo "SKIP: installcheck: sanitizers"; exit 0; }
root=${DESTDIR-}
library=$root$libdir/liborrery.so
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0

complain() {
    echo "FAIL: installcheck: $*"
    bad=1
}

# A file under DESTDIR is not where orrery.pc says until it is moved there.
for name in orrery orrery-starpu; do
    sed "s|^prefix=|&$root|" "$root$pkgconfigdir/$name.pc" >"$folder/$name.pc" ||
        exit 1
done
PKG_CONFIG_PATH=$folder
LD_LIBRARY_PATH=$root$libdir
export PKG_CONFIG_PATH LD_LIBRARY_PATH

for file in chol.c hello.c follow.c policies.c Makefile; do
    cp "$abs_top_srcdir/docs/example/$file" "$folder" || exit 1
done
(cd "$folder" && ${MAKE:-make} chol hello follow policies CC="$CC" CFLAGS='-Wall -Wextra -Werror') ||
    exit 1

platform=$root$pkgdatadir/platforms/attila.xml
"$folder/hello" "$platform" >"$folder/first" || complain "hello failed"
"$folder/hello" "$platform" >"$folder/second"
cat "$folder/first"
cmp "$folder/first" "$folder/second" || complain "hello is not repeatable"
grep -q '^512 tasks in [1-9]' "$folder/first" || complain "not 512 tasks"
[ "$(grep -c '^CUDA' "$folder/first")" -eq 3 ] || complain "not 3 GPUs"
if [ -z "$root" ]; then
    "$folder/hello" | cmp - "$folder/first" ||
        complain "attila is not found by its name"
fi
"$folder/hello" nowhere 2>"$folder/errors" &&
    complain "an unknown platform is no error"
grep -q "^hello: .*nowhere" "$folder/errors" ||
    complain "the unknown platform is not named: $(cat "$folder/errors")"

ORRERY_PLATFORMS=$root$pkgdatadir/platforms "$folder/policies" lu tiles 2 \
    >"$folder/both" && [ "$(cut -d : -f 1 "$folder/both" | tr '\n' ' ')" = "dmda eager " ] ||
    complain "policies: $(cat "$folder/both")"

# So does a program for StarPU, alone and below a command.
STARPU_HOSTNAME=attila ORRERY_PLATFORMS=$root$pkgdatadir/platforms "$folder/chol" 4 |
    grep -q '^4 tiles: [0-9]' || complain "chol failed"
"$root$bindir/orrery" run --platform "$platform" --format json -- "$folder/chol" 4 \
    2>"$folder/errors" | grep -q '"app": "chol"' ||
    complain "chol below a command: $(cat "$folder/errors")"

# A policy outside the tree serves both the program and the application.
# shellcheck disable=SC2046 # a list of words
$CC -Wall -Wextra -Werror -fPIC -shared -o "$folder/fifo.so" \
    "$abs_top_srcdir/tests/plugins/fifo.c" $(pkg-config --cflags orrery) ||
    complain "a policy does not compile"
"$root$bindir/orrery" run cholesky --tiles 4 --platform "$platform" \
    --sched "$folder/fifo.so" --format json | grep -q '"sched": "fifo"' ||
    complain "the installed orrery does not take a policy"
sed 's|if (orr_config_set|& (config, "sched", "./fifo.so", \&error) \&\& orr_config_set|' \
    "$folder/hello.c" >"$folder/own.c"
grep -qF ./fifo.so "$folder/own.c" || complain "hello.c sets no option"
# shellcheck disable=SC2046
(cd "$folder" && $CC -o own own.c $(pkg-config --cflags --libs orrery) &&
    ./own "$platform") | grep -q '^512 tasks in [1-9]' ||
    complain "the library does not take a policy"

# So does what `orrery sched new` writes.
for style in '' --concurrent; do
    # shellcheck disable=SC2086 # no option, or one
    (cd "$folder" && rm -rf mine && "$root$bindir/orrery" sched new mine $style &&
        PLATFORM=$platform ${MAKE:-make} -C mine check CC="$CC" \
            CFLAGS='-Wall -Wextra -Werror') >"$folder/log" 2>&1 &&
        grep -qx 'PASS: mine' "$folder/log" ||
        complain "sched new $style: $(cat "$folder/log")"
done

# So does what `orrery app new` writes.
(cd "$folder" && rm -rf mine && "$root$bindir/orrery" app new mine &&
    PLATFORM=$platform ${MAKE:-make} -C mine check CC="$CC" \
        CFLAGS='-Wall -Wextra -Werror') >"$folder/log" 2>&1 &&
    grep -qx 'PASS: mine' "$folder/log" ||
    complain "app new: $(cat "$folder/log")"

# Each header by itself, in C from C99 on and in C++ from C++11 on.
flags=$(pkg-config --cflags orrery)
compiles() { # compiler, language, standard, program
    # shellcheck disable=SC2086 # flags are words
    printf '%s\n' "$4" | $1 -x "$2" -std="$3" -Wall -Wextra -Werror -pedantic \
        -fsyntax-only $flags - >"$folder/log" 2>&1 || complain "$1 -std=$3: $(cat "$folder/log")"
}
for version in gcc=c99 gcc=c2x clang=c17 g++=c++11 clang++=c++20; do
    compiler=${version%%=*}
    standard=${version#*=}
    command -v "$compiler" >/dev/null || continue
    case $compiler in
    *++) language=c++ ;;
    *) language=c ;;
    esac
    for header in orrery orrery_app orrery_data orrery_decide orrery_report orrery_trace models/api \
        models/errors models/heap models/rng models/time sched/evict sched/sched; do
        compiles "$compiler" $language "$standard" "#include <$header.h>
extern int nothing;"
    done
    # An access with the bits of two enumerators.
    compiles "$compiler" $language "$standard" '#include <orrery.h>
enum orr_access_mode mode(void);
enum orr_access_mode mode(void) { return ORR_RW | ORR_COMMUTE; }'
done

# A program in C++ calls the library.
if command -v g++ >/dev/null; then
    echo '#include <orrery.h>
#include <cstdio>
int main() { return ORR_RW == (ORR_R | ORR_W) && std::puts(orr_version()) >= 0 ? 0 : 1; }' >"$folder/program.cc"
    # shellcheck disable=SC2046 # a list of words
    (cd "$folder" && g++ -o program program.cc $(pkg-config --cflags --libs orrery) &&
        ./program) | grep -qF "$VERSION" || complain "a program in C++"
fi

# What is exported is what the headers declare, no more and no less, each with the
# version of the interface.
declared=$({
    echo '#include <orrery.h>'
    for header in orrery_app.h orrery_trace.h models/heap.h models/rng.h sched/evict.h \
        sched/sched.h; do
        echo "#include <$header>"
    done
} | $CC -E $(pkg-config --cflags orrery) - |
    tr '\n' ' ' | grep -oE 'visibility\("default"\)+ [^;(]*\(' |
    grep -oE 'orr_[a-z_]+\($' | tr -d '(' | sort)
exported=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' |
    sed 's/@@ORRERY_0\.1$//' | sort)
[ -n "$declared" ] || complain "orrery.h declares nothing"
[ "$declared" = "$exported" ] || {
    complain "declared, then exported:"
    echo "$declared"
    echo "--"
    echo "$exported"
}

[ "$(pkg-config --modversion orrery)" = "$VERSION" ] ||
    complain "orrery.pc is of another version"
"$root$bindir/orrery" --version | grep -qF "$VERSION" ||
    complain "the installed orrery is of another version"
"$root$bindir/orrery" run cholesky --tiles 2 --platform "$platform" >/dev/null ||
    complain "the installed orrery does not run"
[ -s "$root$mandir/man1/orrery.1" ] || complain "no manual page"
for page in $(grep -oE '\(docs/[A-Za-z/]+\.md' "$root$docdir/README.md" | sort -u); do
    [ -s "$root$docdir/${page#(}" ] || complain "no ${page#(}, a link of README.md"
done
for page in $(grep -ohE '\(example/[a-z]+\.c' "$root$docdir"/docs/*.md | sort -u); do
    [ -s "$root$docdir/docs/${page#(}" ] || complain "no ${page#(}, a link of the documents"
done

[ $bad -ne 0 ] || echo "PASS: installcheck"
exit $bad

#!/bin/sh
# The library of the build tree, loaded by a program in another folder with
# dlopen() and RTLD_LOCAL, as Python does, finds platforms (of its tree, and where
# ORRERY_PLATFORMS says), and policies in files find its functions.
set -u
[ -z "$sanitizers" ] || { echo "SKIP: loaded: sanitizers"; exit 77; }
library=$abs_top_builddir/liborrery.so
[ -e "$library" ] || { echo "SKIP: loaded: no shared library"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0

cat >"$folder/load.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>

#include "runtime/orrery.h"

int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    struct orr_config *(*new_config)(void);
    bool (*set)(struct orr_config *, const char *, const char *, GError **);
    struct orr_run *(*begin)(const struct orr_config *, GError **);
    struct orr_config *config;
    GError *error = NULL;

    if (argc != 4 || !library) {
        puts(dlerror());
        return 2;
    }
    *(void **)&new_config = dlsym(library, "orr_config_new");
    *(void **)&set = dlsym(library, "orr_config_set");
    *(void **)&begin = dlsym(library, "orr_run_new");
    config = new_config();
    puts(set(config, "platform", argv[2], &error) &&
                 set(config, "sched", argv[3], &error) && begin(config, &error)
             ? "found" : error->message);
    return error != NULL;
}
C
# shellcheck disable=SC2046,SC2086 # lists of words
$CC -I"$abs_top_srcdir" -I"$abs_top_srcdir/runtime" -o "$folder/load" "$folder/load.c" \
    $(pkg-config --cflags glib-2.0) -ldl || exit 1
# shellcheck disable=SC2046 # a list of words
$CC -I"$abs_top_srcdir" -I"$abs_top_srcdir/runtime" -fPIC -shared -o "$folder/fastest.so" \
    "$abs_top_srcdir/tests/plugins/fastest.c" $(pkg-config --cflags glib-2.0) || exit 1
cd "$folder" || exit 1

expect() { # platform, policy, text that it prints
    ./load "$library" "$1" "$2" >out 2>&1
    grep -q "$3" out || {
        echo "FAIL: loaded: $1, $2: '$(cat out)' instead of '$3'"
        bad=1
    }
}

expect attila eager '^found$'
expect three-gpus eager 'no platform'
ORRERY_PLATFORMS=/nowhere:$abs_top_srcdir/tests/platforms
export ORRERY_PLATFORMS
expect three-gpus eager '^found$'
expect attila eager '^found$'
expect attila ./fastest.so '^found$'
exit "$bad"

#!/bin/sh
# The library of the build tree, loaded by a program in another folder with
# dlopen(), finds platforms: those of its tree, and where ORRERY_PLATFORMS says.
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
    void *library = dlopen(argv[1], RTLD_NOW);
    struct orr_config *(*new_config)(void);
    bool (*set)(struct orr_config *, const char *, const char *, GError **);
    struct orr_machine *(*load)(const struct orr_config *, GError **);
    struct orr_config *config;
    GError *error = NULL;

    if (argc != 3 || !library) {
        puts(dlerror());
        return 2;
    }
    *(void **)&new_config = dlsym(library, "orr_config_new");
    *(void **)&set = dlsym(library, "orr_config_set");
    *(void **)&load = dlsym(library, "orr_machine_new");
    config = new_config();
    puts(set(config, "platform", argv[2], &error) && load(config, &error)
             ? "found" : error->message);
    return error != NULL;
}
C
# shellcheck disable=SC2046,SC2086 # lists of words
$CC -I"$abs_top_srcdir" -I"$abs_top_srcdir/runtime" -o "$folder/load" "$folder/load.c" \
    $(pkg-config --cflags glib-2.0) -ldl || exit 1
cd "$folder" || exit 1

expect() { # name, what it prints
    ./load "$library" "$1" >out 2>&1
    grep -q "$2" out || {
        echo "FAIL: loaded: $1: '$(cat out)' instead of '$2'"
        bad=1
    }
}

expect attila '^found$'
expect three-gpus 'no platform'
ORRERY_PLATFORMS=/nowhere:$abs_top_srcdir/tests/platforms
export ORRERY_PLATFORMS
expect three-gpus '^found$'
expect attila '^found$'
exit "$bad"

#!/bin/sh
# make install-starpu-prefix: a program whose build searches for StarPU 1.3 or 1.4 finds it,
# and is one of Orrery when it runs.
set -u
[ -z "$sanitizers" ] || { echo "SKIP: starpu-prefix: sanitizers"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}

sh "$abs_top_srcdir/apps/starpu/install-prefix.sh" "$folder/starpu" \
    "$abs_top_srcdir/apps/starpu/include" "$abs_top_builddir" 0 || exit 1
cd "$folder" || exit 1
cat >version.c <<'END'
#include <starpu.h>
#include <starpu_heteroprio.h>
#include <schedulers/starpu_heteroprio.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int major, minor, release;
    (void)argv;
    starpu_get_version(&major, &minor, &release);
    printf("%d.%d.%d\n", major, minor, release);
    if (argc > 1)
        starpu_omp_init();
    return 0;
}
END
PKG_CONFIG_PATH=$folder/starpu/lib/pkgconfig
export PKG_CONFIG_PATH
for version in 1.3 1.4; do
    # shellcheck disable=SC2046 # flags are words
    gcc -o version version.c $(pkg-config --cflags --libs starpu-$version) \
        -Wl,-rpath,"$folder/starpu/lib" || exit 1
    [ "$(./version)" = "$(pkg-config --modversion starpu-$version)" ] ||
        complain "starpu-$version: not its version"
    [ -f "$folder/starpu/include/starpu/$version/starpu.h" ] ||
        complain "starpu/$version/starpu.h is missing"
done
./version more >out 2>err && complain 'starpu_omp_init() is no error'
[ "$(cat err)" = 'version: starpu_omp_init() is not simulated (docs/STARPU.md#openmp)' ] ||
    complain "starpu_omp_init(): $(cat err)"
# StarPU over SimGrid has main(), and calls starpu_main() of the program.
sed 's/^int main/int starpu_main/' version.c >wrapped.c
# shellcheck disable=SC2046 # flags are words
gcc -o wrapped wrapped.c $(pkg-config --cflags --libs starpu-1.4) \
    -Wl,-rpath,"$folder/starpu/lib" || exit 1
[ "$(./wrapped)" = "$(./version)" ] || complain 'starpu_main() is not called'
readelf -d version | grep -q 'NEEDED.*liborrery-starpu.so.0' ||
    complain 'the program needs another library'
exit $failed

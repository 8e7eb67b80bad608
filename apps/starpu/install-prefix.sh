#!/bin/sh
# install-prefix.sh PREFIX HEADERS LIBRARIES MAJOR: a folder that looks like StarPU's
# installation, for builds that search for StarPU. HEADERS: the folder of starpu.h;
# LIBRARIES: the folder of liborrery-starpu.so.MAJOR. `make install-starpu-prefix` calls it.
set -eu
prefix=$1
headers=$2
libraries=$3
major=$4
include=$prefix/include/starpu/1.4
mkdir -p "$include/schedulers" "$prefix/lib/pkgconfig"
prefix=$(cd "$prefix" && pwd)

cp "$headers"/*.h "$include"
# Builds that know StarPU 1.3 alone look for starpu/1.3/starpu.h.
ln -sfn 1.4 "$prefix/include/starpu/1.3"
# StarPU installs them beside starpu.h, and keeps them in a folder in its tree.
cp "$headers"/schedulers/*.h "$include"
cp "$headers"/schedulers/*.h "$include/schedulers"
for library in liborrery liborrery-starpu; do
    cp "$libraries/$library.so.$major" "$prefix/lib"
done
for name in libstarpu-1.3.so libstarpu-1.4.so; do
    ln -sf "liborrery-starpu.so.$major" "$prefix/lib/$name"
done

version() {
    sed -n "s/^#define STARPU_$1_VERSION //p" "$headers/starpu_config.h"
}
for name in starpu-1.3 starpu-1.4 libstarpu; do
    cat >"$prefix/lib/pkgconfig/$name.pc" <<END
prefix=$prefix
exec_prefix=\${prefix}
libdir=\${exec_prefix}/lib
includedir=\${prefix}/include
starpu_includedir=\${includedir}/starpu/1.4

Name: starpu
Description: StarPU's interface on a simulated machine
Version: $(version MAJOR).$(version MINOR).$(version RELEASE)
Libs: -L\${libdir} -lstarpu-1.4
Cflags: -I\${starpu_includedir}
END
done

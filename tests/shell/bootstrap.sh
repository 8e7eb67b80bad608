#!/bin/sh
# ./bootstrap names what is missing, configures where the source folder has been
# configured itself, which keeps every other folder from being configured, and
# shows how many files are compiled. The steps are stubs.
set -u
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
cp "$abs_top_srcdir/bootstrap" "$top" && : >"$top/Makefile.in" || exit 1
cd "$top" || exit 1
bad=0

complain() {
    echo "FAIL: $*"
    cat messages
    bad=1
}

# As automake's: it refuses if the sources are configured.
cat >configure <<'STUB'
#!/bin/sh
top=$(dirname "$0")
if [ "$PWD" != "$(cd "$top" && pwd)" ] && [ -f "$top/config.status" ]; then
    echo "source directory already configured" >&2
    exit 1
fi
: >config.status
{
    printf 'abs_top_srcdir = %s\nall: orrery\n' "$(cd "$top" && pwd)"
    printf '%s:\n\t@echo "  CC      " $@;if [ $@ = broken.o ]; then exit 1; fi;touch $@\n' 'a.o b.o broken.o'
    printf 'orrery: a.o b.o $(more)\n\t@echo "  CCLD    " $@;touch $@\n'
    printf 'distclean:\n\trm -f config.status Makefile\n'
} >Makefile
STUB
chmod +x configure

# All that is needed to build is here, but for the library $absent. The user is
# not root, so nothing is installed.
mkdir bin
for tool in autoreconf automake cc; do
    printf '#!/bin/sh\ncat >/dev/null\nexit 0\n' >bin/$tool
done
printf '#!/bin/sh\n[ "$2" != "${absent-}" ]\n' >bin/pkg-config
printf '#!/bin/sh\necho 1000\n' >bin/id
chmod +x bin/*
PATH=$top/bin:$PATH
CC=$top/bin/cc
absent=
export PATH CC absent

./configure || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS
build() { # the environment of make
    env "$@" sh ./bootstrap build </dev/null 2>messages
}

absent=sqlite3
build && complain "builds without SQLite"
grep -q libsqlite3-dev messages || complain "does not name SQLite"
absent=
build || complain "does not build"
[ -f build/orrery ] || complain "nothing was built"
[ ! -f config.status ] || complain "the sources are still configured"
grep -qx 'removing the build in the source folder' messages || complain "is silent about it"
grep -qE '^compiling with [0-9]+ jobs: 3 files$' messages || complain "says not how many files"

# A second time, nothing is done. libdw is optional.
build || complain "does not build again"
[ ! -s messages ] || complain "does something again"
absent=libdw
build || complain "does not build without libdw"
grep -q '^without libdw-dev: ' messages || complain "is silent about libdw"
absent=

# On a terminal, it counts.
if script -qc true /dev/null >/dev/null 2>&1 </dev/null; then
    rm build/a.o build/orrery
    script -qec 'sh ./bootstrap build </dev/null' messages >/dev/null 2>&1 </dev/null ||
        complain "does not build on a terminal"
    for count in 1 2; do
        tr '\r' '\n' <messages | grep -qE "^compiling with [0-9]+ jobs: $count of 2 files" ||
            complain "does not count to $count"
    done
fi

# What fails is shown.
rm build/orrery
build MAKEFLAGS='more=broken.o' && complain "a file that fails is no error"
grep -q '^  CC       broken.o' messages || complain "does not show what failed"
grep -q 'bootstrap: failed: ' messages || complain "does not say that it failed"

# It looks for each library that configure looks for; gio comes with GLib.
sed -n 's/.*PKG_CHECK_MODULES(\[[A-Z]*\], *\[\([^]]*\)\].*/\1/p' "$abs_top_srcdir/configure.ac" |
    sed 's/>= *[0-9.]*//g' | tr ' ' '\n' | grep . | grep -v -x gio-2.0 | sort -u >modules
[ "$(wc -l <modules)" -ge 7 ] || complain "libraries of configure.ac: $(cat modules)"
while read -r module; do
    grep -q "has_library $module " bootstrap || complain "bootstrap does not look for $module"
done <modules
exit $bad

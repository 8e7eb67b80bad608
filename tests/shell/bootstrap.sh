#!/bin/sh
# ./bootstrap build works where the source folder has been configured itself,
# which keeps every other folder from being configured. The steps are stubs.
set -u
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
cp "$abs_top_srcdir/bootstrap" "$top" && : >"$top/Makefile.in" || exit 1

# As automake's: it refuses if the sources are configured.
cat >"$top/configure" <<'STUB'
#!/bin/sh
top=$(dirname "$0")
if [ "$PWD" != "$(cd "$top" && pwd)" ] && [ -f "$top/config.status" ]; then
    echo "source directory already configured" >&2
    exit 1
fi
: >config.status
printf 'abs_top_srcdir = %s\nall:\n\t@: --mode=link; touch orrery\n' \
    "$(cd "$top" && pwd)" >Makefile
printf 'distclean:\n\trm -f config.status Makefile\n' >>Makefile
STUB
chmod +x "$top/configure"

# What is needed to build is assumed to be here.
mkdir "$top/bin"
for tool in autoreconf automake libtoolize pkg-config cc; do
    printf '#!/bin/sh\ncat >/dev/null\nexit 0\n' >"$top/bin/$tool"
    chmod +x "$top/bin/$tool"
done
PATH=$top/bin:$PATH
CC=$top/bin/cc
export PATH CC

(cd "$top" && ./configure) || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS
sh "$top/bootstrap" build </dev/null 2>"$top/messages" || {
    cat "$top/messages"
    exit 1
}
[ -f "$top/build/orrery" ] || { echo "nothing was built"; exit 1; }
[ ! -f "$top/config.status" ] || { echo "the sources are still configured"; exit 1; }
grep -qx 'removing the build in the source folder' "$top/messages" || {
    echo "not a word of it: $(cat "$top/messages")"
    exit 1
}

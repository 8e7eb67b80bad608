#!/bin/sh
# No C file is forgotten, wherever it is: each is formatted and analysed, all but
# the commands and StarPU's interface are fuzzed, and each is built, or is compiled by what is named
# below. Programs that write down their arguments take the place of the tools,
# so that what counts is what the tools would really read.
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS
PATH=$folder:$PATH
cd "$abs_top_srcdir" || exit 1
bad=0

complain() {
    echo "FAIL: $*"
    bad=1
}

# A build generates *_texts.c and config.h, and may be in this tree.
files() { # pattern of names, then folders
    pattern=$1
    shift
    find "$@" \( -path './build*' -o -path './_build' -o -path './orrery-*' -o -path './.?*' \) \
        -prune -o -type f -name "$pattern" ! -name '*_texts.c' \
        ! -name config.h -print | sed 's|^\./||' | LC_ALL=C sort
}

# All files of the tree that a tool has been given, when $folder/wanted has
# those that it should be given.
seen() { # tool, what it does
    tr ' ' '\n' <"$folder/$1.log" | sed "s|^$abs_top_srcdir/||" |
        grep '^[a-z].*\.[ch]$' | grep -v '_texts\.c$' |
        LC_ALL=C sort -u >"$folder/seen"
    [ -s "$folder/wanted" ] || complain "$2: there are no files to look for"
    for file in $(LC_ALL=C comm -23 "$folder/wanted" "$folder/seen"); do
        complain "$file: $2 does not see it"
    done
    for file in $(LC_ALL=C comm -13 "$folder/wanted" "$folder/seen"); do
        complain "$file: $2 sees it, but should not"
    done
}

for tool in clang clang-format clang-tidy; do
    printf '#!/bin/sh\necho "$*" >>"%s"\n' "$folder/$tool.log" >"$folder/$tool"
    : >"$folder/$tool.log"
    chmod +x "$folder/$tool"
done

for target in check-format check-tidy; do
    make -C "$abs_top_builddir" $target >"$folder/log" 2>&1 ||
        complain "make $target: $(cat "$folder/log")"
done
files '*.[ch]' . >"$folder/wanted"
seen clang-format "make check-format"
files '*.c' . >"$folder/wanted"
seen clang-tidy "make check-tidy"

# It compiles all fuzzers, and then has none to run.
sh tests/fuzz/run.sh 1 >"$folder/log" 2>&1
{
    files '*.c' models sched runtime tests/fuzz
    files '*.c' apps | grep -v -e '^apps/cli/' -e '^apps/starpu/'
} | grep -v '/lockstep_absent.c$' | LC_ALL=C sort >"$folder/wanted"
seen clang tests/fuzz/run.sh

# The files that compile a source which is in no *_SOURCES, and name it.
makefiles=$(files local.mk apps)
scripts=$(files '*.sh' tests)
users() { # file
    case $1 in
    apps/*/skeleton/*.c | apps/skeleton/*.c) echo "$makefiles" ;;
    docs/example/*.c) echo docs/example/Makefile ;;
    tests/fuzz/*.c) echo tests/fuzz/run.sh ;;
    tests/abi/*.c) echo tests/shell/abi.sh ;;
    tests/plugins/*.c) echo "$scripts" ;;
    tests/starpu/*.c) echo tests/shell/starpu*.sh ;;
    tests/zoo/*.c) echo tests/shell/zoo*.sh ;;
    esac
}

# What automake makes of all *_SOURCES, with tests that need not say theirs.
printf 'include Makefile\nsources-of-all:\n\t@echo $(DIST_SOURCES)\n' |
    make -s -C "$abs_top_builddir" -f - sources-of-all >"$folder/log" ||
    complain "make does not tell its sources"
tr ' ' '\n' <"$folder/log" | sed "s|^$abs_top_srcdir/||" | grep '\.c$' |
    LC_ALL=C sort -u >"$folder/built"
[ -s "$folder/built" ] || complain "nothing is built"
files '*.c' . | LC_ALL=C comm -23 - "$folder/built" >"$folder/others"
while read -r file; do
    users=$(users "$file")
    # shellcheck disable=SC2086 # a list of words
    if [ -z "$users" ]; then
        complain "$file: in no *_SOURCES of any local.mk"
    elif ! grep -qw -e "$(basename "$file" .c)" $users; then
        complain "$file: in no *_SOURCES, and nothing else compiles it"
    fi
done <"$folder/others"
exit $bad

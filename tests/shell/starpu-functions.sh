#!/bin/sh
# apps/starpu/functions.tsv: it lists the functions that the headers declare, and
# liborrery-starpu exports all of them and no other but main(). A function is weak if it is
# refused.
set -u
list=$abs_top_srcdir/apps/starpu/functions.tsv
headers=$abs_top_srcdir/apps/starpu/include
library=$abs_top_builddir/liborrery-starpu.so
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
# same A B MESSAGE: the files A and B have the same lines.
same() {
    diff -u "$1" "$2" >difference && return
    echo "$3"
    cat difference
    failed=1
}

awk -F '\t' '
    NF != 4 || $2 !~ /^(direct|ignored|refused)$/ || $3 !~ /^[a-z-]+$/ {
        print "functions.tsv:" FNR ": " $0
        bad = 1
    }
    END { exit bad }' "$list" || failed=1
cut -f 1 "$list" >names
LC_ALL=C sort -u names >sorted
same sorted names 'functions.tsv is not in order'

nm -D --defined-only "$library" | awk '$2 ~ /[TW]/ { sub(/@.*/, "", $3); print $3 }' |
    grep -vx main | LC_ALL=C sort >exported
same names exported 'liborrery-starpu exports (+) not as functions.tsv lists (-)'

nm -D --defined-only "$library" | awk '$2 == "W" { sub(/@.*/, "", $3); print $3 }' |
    LC_ALL=C sort >weak
awk -F '\t' '$2 == "refused" { print $1 }' "$list" >refused
same refused weak 'functions.tsv refuses (-) not as the library does (+)'
: >none

for header in "$headers"/*.h "$headers"/schedulers/*.h; do
    echo "#include \"$header\""
done >all.c
gcc -std=gnu17 -I"$headers" -fsyntax-only -aux-info declared.txt all.c || failed=1
sed -n "s@^/\* $headers.* extern [^(]*\((\*\)\{0,1\}\<\(starpu_[A-Za-z0-9_]*\) (.*@\2@p" declared.txt |
    LC_ALL=C sort -u >declared
grep -v -e '^fstarpu_' -e '^starpu_mpi_' names >c_names
grep -v -e '^starpu_mpi_' declared >c_declared
same c_names c_declared 'headers declare (+) not as functions.tsv lists (-)'

# docs/STARPU.md ends with the lists of variables and functions, and has a section for each
# section of functions.
document=$abs_top_srcdir/docs/STARPU.md
table() { # kind, list
    echo "## All $1" | tr FV fv
    LC_ALL=C awk -f "$abs_top_srcdir/apps/starpu/table.awk" -v kind="$1" "$2"
}
{
    table Variables "$abs_top_srcdir/apps/starpu/variables.tsv"
    echo
    table Functions "$list"
} >table
sed -n '/^## All variables/,$p' "$document" >documented
same table documented 'docs/STARPU.md is not up to date: make update-starpu-document'
cut -f 3 "$list" | LC_ALL=C sort -u >sections
sed -n 's/^## //p' "$document" | tr 'A-Z ' 'a-z-' | LC_ALL=C sort >headings
LC_ALL=C comm -23 sections headings >missing
same none missing 'docs/STARPU.md has no section'

awk -F '\t' '$2 == "direct" || $2 == "warned" { print $1 }' \
    "$abs_top_srcdir/apps/starpu/variables.tsv" |
    while read -r name; do
        grep -rqF --include='*.[ch]' "\"$name\"" "$abs_top_srcdir/apps/starpu" ||
            echo "variables.tsv: $name is not read"
    done >missing
same none missing 'variables.tsv is not up to date'
exit $failed

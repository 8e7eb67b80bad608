#!/bin/sh
# StarPU's headers without a warning: each one alone, and all of them in the languages
# that programs use.
set -u
headers=$abs_top_srcdir/apps/starpu/include
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0
# compile COMPILER LANGUAGE STANDARD FILE [MACRO]
compile() {
    "$1" -x "$2" -std="$3" -pedantic -Wall -Wextra -Werror -fsyntax-only \
        -I"$headers" -I"$headers/schedulers" ${5:+-D"$5"} "$4" || failed=1
}
cd "$headers" || exit 1
for header in *.h schedulers/*.h; do
    file=$folder/$(basename "$header").c
    printf '#include <%s>\nextern int none;\n' "$header" >"$file"
    echo "#include <$header>" >>"$folder/all.c"
    compile gcc c c99 "$file"
done
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for standard in c99 c11 c17 gnu17 c2x; do
        compile $compiler c $standard "$folder/all.c"
        # Needs no CUDA to be installed.
        compile $compiler c $standard "$folder/all.c" STARPU_USE_CUDA
    done
    # A compiler of C may come without that of C++.
    echo 'int one;' | $compiler -x c++ -fsyntax-only - 2>/dev/null || continue
    for standard in c++17 c++20; do
        compile $compiler c++ $standard "$folder/all.c"
    done
done
exit $failed

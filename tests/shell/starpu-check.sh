#!/bin/sh
# orrery starpu check: how the functions of StarPU that a program uses are simulated.
set -u
orrery=$abs_top_builddir/orrery
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
expect() { # the exit status; the command prints what is in the file expected
    "$orrery" starpu check "$2" >output 2>&1
    [ $? -eq "$1" ] && diff -u expected output || failed=1
}

cat >good.c <<'END'
void starpu_task_submit(void), starpu_cublas_init(void);
void use(void);
void use(void) { starpu_task_submit(); starpu_cublas_init(); }
END
cat >bad.c <<'END'
void starpu_omp_init(void), starpu_make_coffee(void), starpu_task_submit(void), other(void);
void use(void);
void use(void) { starpu_omp_init(); starpu_make_coffee(); starpu_task_submit(); other(); }
END
gcc -c good.c && gcc -fPIC -shared -o bad.so bad.c || exit 1

cat >expected <<'END'
good.o: 2 functions of StarPU's interface, 1 of them direct
  ignored  starpu_cublas_init (devices: kernels do not run)
END
expect 0 good.o
cat >expected <<'END'
bad.so: 3 functions of StarPU's interface, 1 of them direct
  unknown  starpu_make_coffee (-: -)
  refused  starpu_omp_init (openmp: OpenMP on top of StarPU)
END
expect 1 bad.so
echo 'orrery starpu check: nowhere: No such file or directory' >expected
expect 1 nowhere
echo 'orrery starpu check: bad.c: no program or library of this machine with names of functions' \
    >expected
expect 1 bad.c

"$orrery" starpu check --format csv good.o bad.so >output
cat >expected <<'END'
file,function,simulated,section,note
good.o,starpu_cublas_init,ignored,devices,kernels do not run
good.o,starpu_task_submit,direct,tasks,
bad.so,starpu_make_coffee,unknown,,
bad.so,starpu_omp_init,refused,openmp,OpenMP on top of StarPU
bad.so,starpu_task_submit,direct,tasks,
END
diff -u expected output || failed=1
exit $failed

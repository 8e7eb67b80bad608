# Which workers can run which kernels, and those that can run none.
orrery platform check $abs_top_srcdir/tests/platforms/two-of-four.xml
orrery platform check $abs_top_srcdir/tests/platforms/two-of-four.xml --format json
orrery platform check $abs_top_srcdir/tests/platforms/two-of-four.xml --format csv 2>/dev/null
orrery platform check $abs_top_srcdir/platforms/hannibal.xml $abs_top_srcdir/platforms/dgx-h100.xml
# Each command that simulates says it once.
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/two-of-four.xml --tiles 2 --tile 100 | sed -n 1,3p
orrery compare cholesky --platform $abs_top_srcdir/tests/platforms/two-of-four.xml --tiles 2 --tile 200 --sched dm,eager --replicas 2 --perturb 0.1 >compared
orrery ablate cholesky --platform $abs_top_srcdir/tests/platforms/two-of-four.xml --sizes 200,400 --tile 100 --cpus 0 --gpus 3 --degrade memory >ablated
orrery explore cholesky --platform $abs_top_srcdir/tests/platforms/two-of-four.xml --tiles 2 --tile 200 --gpus 2 --cpus 1 --budget 2 --threads 1 >explored
# Nothing to say: those workers are not in the run, or nothing can run.
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/two-of-four.xml --tiles 2 --tile 100 --gpus 2 | sed -n 1,3p
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/two-of-four.xml --tiles 2 --tile 200 --gpus 2 --cpus 0 | sed -n 1,3p
orrery run lu --platform $abs_top_srcdir/tests/platforms/two-of-four.xml --tiles 2 --tile 100 --precision double

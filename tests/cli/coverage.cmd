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
# Figures that cannot all be right: kernels above the peak of their GPU, and
# rates of policies that are not those of the links.
sed 's/\(tile="960" device="CUDA0" mean="\)[0-9.]*us/\11us/' $abs_top_srcdir/platforms/sirocco-k40m.xml >fast.xml; orrery platform check fast.xml >table
sed 's/\(<pair from="CUDA1" to="RAM" bandwidth="\)[^"]*/\19GBps/' $abs_top_srcdir/platforms/sirocco-v100.xml >rates.xml; orrery platform check rates.xml >table
orrery platform show rates.xml >facts
orrery platform check sirocco-a100 nowhere >table

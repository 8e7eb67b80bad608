# Kernels with a histogram, with a deviation, with neither; policies plan alike.
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/varied.xml --tiles 3 --tile 320 --durations sampled --seed 1 --sched dmdas | grep -v simulated
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/varied.xml --tiles 3 --tile 320 --durations sampled --seed 2 --sched dmdas | grep makespan
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/varied.xml --tiles 3 --tile 320 --durations sampled --seed 1 --format json | grep -A 6 durations_from
# What a record says: of StarPU, and of another simulation.
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/varied.xml --tiles 2 --tile 320 --durations replayed --record $abs_top_srcdir/tests/records/cholesky-2.rec | grep -E 'makespan|durations|recorded'
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/varied.xml --tiles 3 --tile 320 --durations replayed --record $abs_top_srcdir/tests/records/cholesky-2.rec
orrery run lu --durations replayed --record $abs_top_srcdir/tests/records/cholesky-2.rec
orrery run cholesky --tiles 1 --durations replayed
orrery run cholesky --tiles 1 --durations replayed --record absent.rec
orrery run cholesky --tiles 1 --durations gauss
orrery run cholesky --tiles 1 --durations mean,sampled
orrery run cholesky --tiles 1 --record absent.rec --seed 3 | sed -n 1p

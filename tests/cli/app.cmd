orrery app show lu
orrery app show lu --format json
orrery app show lu --format csv
orrery app show lu --tiles 3
orrery app show $abs_top_srcdir/tests/graphs/fork.json | tail -n +3
orrery app show
orrery app show qrs
orrery app show ./absent.so
orrery app show lu cholesky

orrery graph show $abs_top_srcdir/tests/graphs/cholesky-2.rec
orrery graph show $abs_top_srcdir/tests/graphs/cholesky-2.rec --format json
orrery graph show $abs_top_srcdir/tests/graphs/cholesky-2.rec --format csv
# Gzip by name; no data beside it.
gzip -c $abs_top_srcdir/tests/graphs/cholesky-2.rec >c.rec.gz; orrery graph check c.rec.gz
head -c 200 c.rec.gz >short.rec.gz; orrery graph check short.rec.gz
cp $abs_top_srcdir/tests/graphs/cholesky-2.rec plain.rec.gz; orrery graph check plain.rec.gz
# Several files; some are wrong.
printf 'Name: a\nJobId: 1\nDependsOn: 2\n\nName: b\nJobId: 2\nDependsOn: 1\n' >cycle.rec; printf 'Name: a\nJobId: 1\nDependsOn: 7\n' >orphan.rec; orrery graph check c.rec.gz cycle.rec orphan.rec --format csv
orrery graph show cycle.rec
orrery graph show absent.rec
orrery graph show .
echo nonsense >n; orrery graph show n
orrery graph show
orrery graph check
orrery graph draw
orrery graph show cycle.rec --runtime-is minutes
orrery graph show $abs_top_srcdir/tests/graphs/fork.json
orrery graph show $abs_top_srcdir/tests/graphs/fork.json --runtime-is flops

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
# Converted, and read again.
orrery graph convert $abs_top_srcdir/tests/graphs/fork.json f.csv; cat f.csv; orrery graph convert f.csv f.rec; cat f.rec f.data.rec | head -n 30; orrery graph convert f.rec f.dot; cat f.dot
orrery graph convert f.csv f.json; cat f.json
# What was there stays.
echo old >old.json; orrery graph convert cycle.rec old.json; cat old.json
orrery graph convert f.csv f.dax
orrery graph convert f.csv /nowhere/f.dot
orrery graph convert f.csv
# What is read is not overwritten, nor are the data of another graph.
orrery graph convert f.rec f.rec
gzip -c f.rec >g.rec.gz; cp f.data.rec g.data.rec; orrery graph convert g.rec.gz g.rec; cmp f.data.rec g.data.rec
orrery graph convert f.csv f.data.rec
# Parents of before the recording.
printf 'Name: a\nJobId: 6\nDependsOn: 3 0\n' >late.rec; orrery graph check late.rec; orrery graph show late.rec
# The same seed, the same bytes.
orrery graph generate --tasks 6 --fat 0.5 --density 0.9 --ccr 0.3 --seed 7 --output g.csv; cat g.csv
orrery graph generate --tasks 6 --fat 0.5 --density 0.9 --ccr 0.3 --seed 8 --output h.csv; cmp g.csv h.csv
orrery graph generate
orrery graph generate --tasks 6 -o h.csv && orrery graph check h.csv; orrery graph show -o h.csv; orrery graph show -x
orrery graph generate --output g.txt
orrery graph generate --fat 2 --output g.rec
orrery graph generate --ccr nan --output g.rec
orrery graph generate --tasks 1000000000 --output g.rec
# Without operations there is no speed.
orrery run $abs_top_srcdir/tests/graphs/fork-1.4.json --platform attila --format json | grep '"gflops"'
orrery compare $abs_top_srcdir/tests/graphs/fork-1.4.json --platform attila --sched eager,dmda --raw raw.csv --format json | grep -A5 '"gflops"'; cut -d, -f9- raw.csv
orrery compare $abs_top_srcdir/tests/graphs/fork-1.4.json --platform attila --sched eager,dmda | grep -A3 makespan
# Where the times of tasks come from.
orrery run $abs_top_srcdir/tests/graphs/cholesky-2.rec --platform attila | grep times; orrery run $abs_top_srcdir/tests/graphs/cholesky-2.rec --platform attila --format json | grep -A6 times_from
orrery run $abs_top_srcdir/tests/graphs/plain.csv --platform attila | grep times
printf 'id,kernel,duration_us,gflop,handles,deps\na,k,5,,A:W:8,\nb,k,,2,A:R:8,\n' >mixed.csv; sed 's|</kernels>|<kernel family="any" name="any" precision="double" source="test"><flops device="CPU" peak="1GFlop/s" operations="2"><efficiency tile="960" share="1"/></flops></kernel>&|' $abs_top_srcdir/platforms/hannibal.xml >any.xml; orrery run mixed.csv --platform ./any.xml | grep times
orrery graph save cholesky --tiles 2 --output chol.rec; orrery run chol.rec --platform attila --format json | grep -A1 times_from; orrery run chol.rec --platform attila | grep -c times
# Flops, on a machine without a speed for them.
orrery graph generate --tasks 20 --ccr 0.01 -o made.json; orrery compare made.json --platform attila --sched dmda; orrery compare made.json --platform attila --sched dmda,dmdas --assume-flops CPU=20GFlop/s,CUDA=400GFlop/s | sed -n '/^policy  /,/^$/p'; orrery run made.json --platform attila --assume-flops CPU=20GFlop/s --format json | grep -A4 times_from; orrery run made.json --assume-flops CPU=20

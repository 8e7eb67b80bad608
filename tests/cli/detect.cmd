# What hwloc says of a machine, as a platform file that says what is missing.
orrery platform detect --hwloc $abs_top_srcdir/tests/hwloc/two-sockets.xml
orrery platform detect --hwloc $abs_top_srcdir/tests/hwloc/unknown-cards.xml --output cards.xml
orrery platform detect --hwloc $abs_top_srcdir/tests/hwloc/two-switches.xml --output quad.xml; orrery platform check quad.xml; orrery platform show quad.xml | sed -n 1,32p
orrery platform detect --hwloc $abs_top_srcdir/tests/hwloc/two-switches.xml --output quad.xml; orrery run cholesky --platform quad.xml
# Filled in, it is used.
orrery platform detect --hwloc $abs_top_srcdir/tests/hwloc/two-sockets.xml --output a.xml; sed -e 's/ *uncalibrated="links kernels"//' -e '/<\/platform>/d' a.xml >mine.xml; sed -n '/<kernels/,$p' $abs_top_srcdir/tests/platforms/modelled.xml >>mine.xml; orrery platform check mine.xml; orrery run cholesky --platform mine.xml --tiles 2 --tile 100 --cpus 0 --gpus 1 | sed -n '/^machine/,/^models/p'
# What is not hwloc's.
echo 'not XML' >bad.xml; orrery platform detect --hwloc bad.xml 2>&1 | sed 's/formed: .*/formed/'
orrery platform detect --hwloc $abs_top_srcdir/platforms/attila.xml
orrery platform detect --hwloc $abs_top_srcdir/tests/bad-platforms/billion-laughs.xml
orrery platform detect --hwloc nowhere.xml
head -n 20 $abs_top_srcdir/tests/hwloc/no-gpu.xml >cut.xml; orrery platform detect --hwloc cut.xml 2>&1 | sed 's/formed: .*/formed/'
echo '<topology/>' >empty.xml; orrery platform detect --hwloc empty.xml
orrery platform detect --hwloc $abs_top_srcdir/tests/hwloc/no-gpu.xml --output /nowhere/mine.xml
orrery platform detect --hwloc ''
orrery platform detect mine.xml

# What was not measured can be looked at, but not used.
orrery platform check $abs_top_srcdir/tests/platforms/uncalibrated.xml
orrery platform show $abs_top_srcdir/tests/platforms/uncalibrated.xml --format csv | head -n 1 | cut -d, -f 1-8
orrery platform show $abs_top_srcdir/tests/platforms/uncalibrated.xml | grep figures
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/uncalibrated.xml
orrery compare lu --platform $abs_top_srcdir/tests/platforms/uncalibrated.xml --sched dmda,dmdas
sed 's/uncalibrated="links kernels"/uncalibrated="memory"/' $abs_top_srcdir/tests/platforms/uncalibrated.xml >machine.xml; orrery run cholesky --platform machine.xml
# Without the mark, what is missing is missing.
sed 's/ uncalibrated="links kernels"//' $abs_top_srcdir/tests/platforms/uncalibrated.xml >machine.xml; orrery run cholesky --platform machine.xml
sed 's/ uncalibrated="links kernels"//' $abs_top_srcdir/tests/platforms/uncalibrated.xml >machine.xml; orrery platform check machine.xml

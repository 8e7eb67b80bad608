orrery histogram build $abs_top_srcdir/tests/records/samples.csv --platform mirage --app cholesky --output m.xml
orrery platform check m.xml
orrery histogram show --platform m.xml
orrery histogram show --platform m.xml --kernel gemm
# Of samples, without a file; each format has the same facts.
orrery histogram show $abs_top_srcdir/tests/records/samples.csv --platform mirage --app cholesky --kernel gemm --bins 4 2>/dev/null
orrery histogram show $abs_top_srcdir/tests/records/samples.csv --platform mirage --app cholesky --kernel gemm --bins 4 --format csv 2>/dev/null
orrery histogram show $abs_top_srcdir/tests/records/samples.csv --platform mirage --app cholesky --kernel potrf --format json 2>/dev/null
# The options of its plot.
orrery histogram show $abs_top_srcdir/tests/records/samples.csv --platform mirage --app cholesky --kernel gemm --plot-data plots --plot-width column --plot-title Mine >/dev/null 2>&1; grep -e title -e '^set terminal' plots/histogram.gp; cut -d, -f8 plots/histogram.csv | sort -u; rm -r plots
# What is built is drawn from; what policies plan with stays.
orrery histogram build $abs_top_srcdir/tests/records/samples.csv --platform mirage --app cholesky --output m.xml >/dev/null 2>&1; orrery run cholesky --platform m.xml --tiles 3 --cpus 1 --gpus 1 --durations sampled --format json | grep -A 3 durations_from
# Units that are mixed up; a device by the worker's number.
orrery histogram build $abs_top_srcdir/tests/records/seconds.csv --platform mirage --app cholesky --output m.xml --gpus 1 --format csv
# A name that stands for several kernels.
orrery histogram build $abs_top_srcdir/tests/records/samples.csv --platform mirage --output m.xml
orrery histogram build $abs_top_srcdir/tests/records/cholesky-2.rec --platform attila --output m.xml --format csv
# An old file stays whole.
echo old >m.xml; orrery histogram build absent.rec --platform mirage --output m.xml; cat m.xml
echo old >m.xml; printf 'name,device,duration_us\ngemm,CPU,5\ngemm,CPU,nan\n' >bad.csv; orrery histogram build bad.csv --app cholesky --platform mirage --output m.xml; cat m.xml
printf 'name,duration_us\ngemm,5\n' >bad.csv; orrery histogram build bad.csv --app cholesky --platform mirage --output m.xml; cat m.xml
printf 'name,device,duration_us\nx,CPU,5\n' >bad.csv; orrery histogram build bad.csv --platform mirage --output m.xml; cat m.xml
printf 'name,device,duration_us\ngemm,CPU,5\n' >good.csv; orrery histogram build good.csv --app cholesky --platform mirage --output /nowhere/m.xml
# What is missing.
orrery histogram build good.csv --platform mirage
orrery histogram build good.csv --output m.xml
orrery histogram build --platform mirage --output m.xml
orrery histogram show --platform mirage
orrery histogram show --platform mercury
orrery histogram show --platform mirage --plot picture.gif
orrery histogram show --platform mirage --precision half
orrery histogram
# Kernels that the machine lacks: added on request, to an application.
printf 'name,device,duration_us,tile\nfold,CPU,5,100\nfold,CPU,7,100\nfold,CUDA0,1,100\ngemm,CPU,60000,960\n' >own.csv; orrery histogram build own.csv --platform mirage --app cholesky --add-kernels --output m.xml --format csv
orrery histogram show --platform m.xml --kernel fold --device CPU; grep -A1 'name="fold"' m.xml; grep '<links' m.xml
printf 'name,device,duration_us,tile\nfold it,CPU,5,100\nfold,CPU,5,100\n' >own.csv; orrery histogram build own.csv --platform mirage --app fmm --add-kernels --output m.xml --format csv
printf 'name,device,duration_us,tile\nfold,CPU,5,100\nfold,CUDA7,5,100\n' >own.csv; orrery histogram build own.csv --platform mirage --app fmm --add-kernels --output m.xml
orrery histogram build own.csv --platform mirage --add-kernels --output m.xml

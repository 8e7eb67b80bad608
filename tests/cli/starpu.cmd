orrery platform import --help
# A calibration, the file that is made of it and an older calibration of the
# same machine are one machine.
orrery run cholesky --tiles 6 --platform starpu:$abs_top_srcdir/tests/starpu-sampling:tiny --format json | grep makespan_s >tiny; wc -l <tiny
orrery platform import $abs_top_srcdir/tests/starpu-sampling tiny --output tiny.xml; orrery run cholesky --tiles 6 --platform ./tiny.xml --format json | grep makespan_s | cmp - tiny
orrery run cholesky --tiles 6 --platform starpu:$abs_top_srcdir/tests/starpu-sampling:older --format json | grep makespan_s | cmp - tiny
# Peers or none, NUMA nodes, double precision, no folders.
orrery platform import $abs_top_srcdir/tests/starpu-sampling/flat flat --description 'one "toy"' --source 'shop -- <second hand>'
orrery run cholesky --tiles 4 --precision double --platform starpu:$abs_top_srcdir/tests/starpu-sampling/flat:flat --format json | grep -c makespan_s
orrery platform show starpu:$abs_top_srcdir/tests/starpu-sampling/flat:flat | head -5
# What is not understood.
orrery platform import
orrery platform import $abs_top_srcdir/tests/starpu-sampling
orrery platform import $abs_top_srcdir/tests/starpu-sampling tini
orrery platform import nowhere tiny
orrery platform import $abs_top_srcdir/tests/starpu-sampling tiny --output
orrery platform import $abs_top_srcdir/tests/starpu-sampling tiny --output ''
orrery platform import $abs_top_srcdir/tests/starpu-sampling tiny --format json
orrery run cholesky --platform starpu:
orrery run cholesky --platform starpu:$abs_top_srcdir/tests/starpu-sampling:../tiny
# What cannot be done; nothing is left of it.
orrery platform import $abs_top_srcdir/tests/starpu-sampling older --output no/such/folder.xml
mkfifo pipe.xml; orrery platform import $abs_top_srcdir/tests/starpu-sampling older --output pipe.xml; rm pipe.xml; ls
echo old >old.xml; orrery platform import $abs_top_srcdir/tests/starpu-sampling older --output old.xml; orrery platform check old.xml; ls
orrery platform import $abs_top_srcdir/tests/starpu-sampling older >/dev/full
# Of files that cannot be read, the first is named with the reason.
cp -r $abs_top_srcdir/tests/starpu-sampling broken; chmod -R u+w broken; for name in ka kb kc; do echo x >broken/codelets/45/$name.tiny; done; orrery run cholesky --tiles 2 --platform starpu:broken:tiny 2>&1 >report | grep 'left out'

# A machine with kernels that nobody measured says so.
orrery platform show $abs_top_srcdir/tests/platforms/modelled.xml
orrery platform show $abs_top_srcdir/tests/platforms/modelled.xml --format json | grep -A 20 modelled_kernels
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/modelled.xml --tiles 1 --tile 100 --cpus 0 --gpus 1 --model overheads=off
# At sizes that are not in the file, too: 300^3 / 3 at 0.75 TFlop/s is 12 us.
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/modelled.xml --tiles 1 --tile 300 --cpus 0 --gpus 1 --model overheads=off --format json | grep -E 'kernel_times|busy_s'
# On the core, it is as measured.
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/modelled.xml --tiles 1 --tile 100 --cpus 1 --gpus 0 --format json | grep kernel_times
orrery run cholesky --platform $abs_top_srcdir/tests/platforms/modelled.xml --tiles 1 --tile 300 --cpus 1 --gpus 0
# In lock-step:
orrery compare cholesky --platform $abs_top_srcdir/tests/platforms/modelled.xml --tiles 2 --tile 100 --sched eager,dmda
# The file says how the runtime is to be modelled; the user says the last word.
orrery run lu --tiles 4 --tile 1920 --platform dgx-h100 --cpus 8 --sched dmdas
orrery run lu --tiles 4 --tile 1920 --platform workstation-4090 --cpus 0 --model reference
orrery run lu --tiles 2 --tile 960 --platform workstation-4090 --model quirks=on --format json | grep '"models"'

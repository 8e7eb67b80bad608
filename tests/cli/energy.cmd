# What devices draw, states and caps, and policies by joules.
orrery run cholesky --tiles 6 --platform sirocco --gpus 2 --cpus 4 --sched dmdas
orrery run cholesky --tiles 3 --platform $abs_top_srcdir/tests/platforms/metered.xml --format json | sed -n '/"energy_j": [0-9.]*,$/,/"gflops_per_w"/p'
orrery run cholesky --tiles 3 --platform $abs_top_srcdir/tests/platforms/metered.xml --polling --gamma 10000 --power /dev/stdout --format csv
orrery run cholesky --tiles 4 --platform $abs_top_srcdir/tests/platforms/metered.xml --power-cap 60% | sed -n '/^changes/p;/^energy/,/^$/p'
orrery run cholesky --tiles 4 --platform $abs_top_srcdir/tests/platforms/metered.xml --pstate cpu=1,CUDA0=cap-90 | sed -n '/^changes/p;/^energy/,/^$/p'
orrery compare cholesky --tiles 4 --platform $abs_top_srcdir/tests/platforms/metered.xml --sched eager,dmda,dmdas --gamma 10000 --by energy | sed -n '/^Time/,/^Lower/p'
orrery compare cholesky --tiles 4 --platform idcin-2 --precision double --sched eager,dmda --by energy | grep -A 2 ^policy
orrery compare cholesky --tiles 4 --platform attila --sched eager,dmda --by power
orrery run cholesky --tiles 3 --platform mirage --power-cap all=60% | sed -n '/^changes/p;/^energy/,/^$/p'
orrery run cholesky --tiles 3 --platform hannibal --power-cap all=60%
orrery run cholesky --tiles 4 --platform $abs_top_srcdir/tests/platforms/metered.xml --pstate CUDA0=off | sed -n '/^changes/p;/^energy/,/^$/p;/^CUDA0/p'
orrery run cholesky --tiles 4 --platform mirage --pstate CUDA1=off --power-cap all=60% --format json | sed -n '/"by_device"/,/]/p;/"changes"/,/]/p'
orrery run cholesky --tiles 4 --platform mirage --pstate cpu=off
orrery run cholesky --tiles 4 --platform mirage --pstate CUDA1=off --pstate CUDA1=1
orrery platform save mirage --pstate CUDA2=off --output off.xml; grep -c 'device="[^"]*CUDA2' off.xml; sed -n '/<power/,/<\/power/{/<device/p}' off.xml; orrery run cholesky --tiles 4 --platform ./off.xml | sed -n '/^energy/,/^$/p;/^CUDA2/p'; rm off.xml
orrery run cholesky --tiles 3 --platform $abs_top_srcdir/tests/platforms/metered.xml --power-cap CUDA0=40W
orrery run cholesky --tiles 3 --platform $abs_top_srcdir/tests/platforms/metered.xml --power-cap CUDA0=200
orrery run cholesky --tiles 3 --platform $abs_top_srcdir/tests/platforms/metered.xml --power-cap gpu=60%
orrery run cholesky --tiles 3 --platform $abs_top_srcdir/tests/platforms/metered.xml --pstate cpu=2
orrery run cholesky --tiles 3 --platform $abs_top_srcdir/tests/platforms/metered.xml --pstate cpu=0
orrery compare lu --tiles 30 --sched dmda,dmdas --power-cap all=60% --by energy --format json | sed -n '/"by"/p;/^          "sched"/p;/^          "energy_j"/p;/^          "pareto"/p;/"least_j"/p'
orrery compare cholesky --tiles 4 --sched dmda,dmdas | grep -c '^Time and energy'
orrery compare cholesky --tiles 4 --sched dmda,dmdas --gamma 1e4 | grep -c '^Time and energy'
orrery run cholesky --tiles 4 --platform $abs_top_srcdir/tests/platforms/metered.xml --bounds | sed -n '/^energy/,/^$/p'
orrery run cholesky --tiles 4 --platform $abs_top_srcdir/tests/platforms/metered.xml --bounds --format json | sed -n '/"bounds"/,$p'
orrery run cholesky --tiles 4 --platform hannibal --bounds | sed -n '/^energy/,/^$/p'

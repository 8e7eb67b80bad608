# In lock-step:
orrery compare cholesky --platform attila --cpus 1 --gpus 3 --tiles 6 --sched dmdas,eager,dmda
orrery compare cholesky --platform attila --cpus 0 --gpus 1 --tiles 2 --sched prio,dm --format json
orrery compare lu --platform mirage --cpus 0 --gpus 2 --tiles 4 --sched dmdar,dmda --format csv
# All policies when none is named; one is enough; in the order asked.
orrery compare lu --tiles 2 --format csv | cut -d, -f 1
orrery compare lu --tiles 2 --sched dmdas --format csv | cut -d, -f 1
orrery compare lu --tiles 2 --sched prio,dmdas,eager,prio --format csv | cut -d, -f 1
# Each is what it would have been alone.
for s in eager prio dm dmda dmdar dmdas; do orrery run lu --tiles 6 --sched $s --format json; done | sed '/[{}]$/d; /wall/d; s/^ *//' >alone; orrery compare lu --tiles 6 --sched eager,prio,dm,dmda,dmdar,dmdas --format json | sed -n '/"first_run"/,/^          }/p' | sed '/[{}]$/d; /wall/d; s/^ *//' | diff - alone && grep -c makespan_s alone

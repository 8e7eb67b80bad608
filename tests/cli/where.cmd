# A kernel on one class of workers; the last word counts.
orrery run cholesky --platform mirage --tiles 4 --cpus 2 --where potrf=cpu --where gemm=cpu --where trsm=gpu --where gemm=gpu | grep -v simulated
orrery run cholesky --platform mirage --tiles 4 --cpus 2 --where potrf=cpu --where potrf=any --where trsm=gpu --format json | grep -A 2 '"where"'
orrery run cholesky --platform mirage --tiles 4 --cpus 2 --gpus 1 --where potrf=cpu --where gemm=gpu --where trsm=gpu --where syrk=gpu --trace t.csv >/dev/null; sed 1d t.csv | cut -d, -f 2,3 | sort | uniq -c
orrery compare lu --platform mirage --tiles 3 --cpus 2 --where getrf=cpu --sched dmda,lws --format csv | cut -d, -f 1-24 | sed 1d
# Nobody is left to run it; no such kernel; no such class.
orrery run cholesky --platform idcin-2 --precision double --tiles 2 --where potrf=gpu
orrery run cholesky --platform mirage --tiles 2 --cpus 0 --where trsm=cpu
orrery run cholesky --where getrf=cpu
orrery run lu --where getrf=tpu
orrery run lu --where getrf
orrery run lu --where =cpu

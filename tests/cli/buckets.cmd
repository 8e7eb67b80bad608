# Buckets of heteroprio that are kernels, and numbers: 0 and 99 are the priorities of Cholesky.
orrery run cholesky --platform mirage --tiles 6 --cpus 3 --sched heteroprio --buckets 'cpu:potrf,trsm,syrk*9,gemm*20;gpu:gemm,syrk,trsm,potrf' | grep -v simulated
orrery run cholesky --platform mirage --tiles 6 --cpus 3 --sched heteroprio --buckets 'cpu:0,99*8;gpu:99,0' --format json | grep -E '"(buckets|makespan_s)"'
# The GPUs alone have the update; only CPUs the panel.
orrery run cholesky --platform mirage --tiles 5 --cpus 2 --gpus 1 --sched heteroprio --where potrf=cpu --where gemm=gpu --buckets 'cpu:potrf,trsm,syrk;gpu:gemm,syrk,trsm' --trace t.csv >/dev/null; sed 1d t.csv | cut -d, -f 2,3 | sort | uniq -c
# Where CPUs are slower by 1000, they get nothing.
orrery run cholesky --platform mirage --tiles 5 --cpus 2 --gpus 1 --sched heteroprio --buckets 'cpu:0-99*1000;gpu:99-0' --trace t.csv >/dev/null; sed 1d t.csv | cut -d, -f 3 | sort | uniq -c
# It is repeated, and compared; other policies have no buckets.
orrery compare cholesky --platform mirage --tiles 4 --cpus 2 --sched heteroprio,dmda --buckets 'cpu:0-99;gpu:0-99' | grep -E '^(buckets|heteroprio|dmda)'
orrery run cholesky --platform mirage --tiles 4 --sched dmda --buckets 'cpu:0;gpu:0' 2>&1 | grep buckets
orrery sweep cholesky --platform mirage --tiles 4 --cpus 2 --sched heteroprio --vary "buckets='cpu:99,0;gpu:99,0','cpu:0,99;gpu:0,99'" --output c.db 2>/dev/null; orrery results c.db --format csv | sed 1d | cut -d '"' -f 2
# Tasks in no bucket; in one of a class that cannot run them.
orrery run cholesky --platform mirage --tiles 4 --sched heteroprio --buckets 'cpu:0-5'
orrery run cholesky --platform mirage --tiles 4 --sched heteroprio --where potrf=cpu --buckets 'cpu:0,99;gpu:0,99'
# Where StarPU hangs, too: the GPU that a push wakes does not visit the bucket, and no CPU is woken.
orrery run cholesky --platform mirage --tiles 4 --cpus 1 --gpus 1 --sched heteroprio --buckets 'cpu:potrf,trsm,syrk,gemm;gpu:gemm' 2>t.err; sed -n 1,2p t.err
orrery replay "$(sed -n 's/.*orrery replay //p' t.err)" 2>&1 | sed -n 1,2p
# Wrong values.
orrery run cholesky --buckets 'cpu:0,1;gpus:1'
orrery run cholesky --buckets 'cpu:0-3,2'
orrery run cholesky --buckets 'cpu:potrf,1'
orrery run cholesky --buckets 'gpu:potrf*2'
orrery run cholesky --buckets 'cpu:100'
orrery run cholesky --buckets cpu
orrery run cholesky --buckets ''

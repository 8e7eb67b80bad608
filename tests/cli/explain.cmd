# In lock-step:
orrery explain cholesky --tiles 12 --platform attila --gpu-memory 200MB
# In lock-step:
orrery explain lu --tiles 4 --platform attila --gpus 0 --cpus 2 --sched eager
# In lock-step:
orrery explain cholesky --tiles 3 --platform attila --cpus 1 --gpus 1 --format csv
# In lock-step:
orrery explain cholesky --tiles 2 --platform attila --cpus 1 --gpus 1 --format json | sed -n '/"critical_path"/,$p'
orrery explain cholesky --tiles 16 --gpus 2 --cpus 0 --gpu-memory 32MiB --sched dm 2>&1 | sed -n '1,3p;/repeat/p'
orrery explain
orrery explain cholesky --token t
orrery explain cholesky --tiles 2 --platform attila --gpus 31 --cpus 1 | grep -A1 "GPUs 10"
# In lock-step:
orrery explain cholesky --tiles 24 --platform sirocco --gpus 8 | grep ^In

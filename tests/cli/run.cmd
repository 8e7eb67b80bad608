orrery run cholesky --platform attila --cpus 0 --gpus 3 --tiles 4 --sched dmdas
orrery run cholesky --platform attila --cpus 0 --gpus 3 --tiles 4 --sched dmdas --format json
orrery run cholesky --platform attila --cpus 0 --gpus 3 --tiles 4 --sched dmdas --format csv
# A size is so many tiles; --name=value is --name value; the last one counts.
# In lock-step:
orrery run lu --platform attila --size=1920 --tile 960 --gpus 2 --gpus 1 --cpus 1 --sched eager --precision double --format csv
orrery run --platform attila --tiles 3 --cpus 0 --gpus 1 --pipeline 1 cholesky
orrery run --platform attila --tiles 3 --cpus 0 --gpus 1 --pipeline 0 --format json cholesky
orrery run --platform attila --tiles 3 --cpus 1 --gpus 1 --gpu-memory 512MiB --model clean --model overheads=off --window 2 --perturb 0.01 --seed 3 lu
# No GPU, no memory of one.
orrery run cholesky --platform attila --tiles 2 --cpus 1 --gpus 0 --format csv
# The defaults.
orrery run cholesky --format csv | cut -d, -f 1-11
# By rounds, as the reference to the ns: where requests are posted to lists that
# a driver is about to look at; where locks of data are taken one after another.
# In lock-step:
orrery run cholesky --platform attila --tiles 13 --tile 320 --sched eager --format json | grep makespan_s
# In lock-step:
orrery run lu --platform sirocco --cpus 10 --tiles 9 --tile 640 --sched prio --format json | grep makespan_s
# In lock-step:
orrery run cholesky --platform sirocco --tiles 14 --tile 640 --sched lws --format json | grep makespan_s
# 2D copies are slower beyond a pitch, and only there.
# Not with sanitizers:
orrery run lu --platform hannibal --cpus 0 --tiles 69 --layout matrix --sched eager | grep -v simulated
orrery run lu --platform hannibal --cpus 0 --tiles 2 --layout matrix | sed -n 2p
# quirks=exact where it is the same as quirks=on, then where it is not.
# In lock-step:
orrery run cholesky --tiles 2 --cpus 0 --sched darts --model quirks=exact --format csv | wc -l
# In lock-step:
orrery run cholesky --tiles 2 --cpus 0 --sched eager --model quirks=exact,overheads=off --format csv | wc -l
# In lock-step:
orrery run cholesky --tiles 2 --cpus 0 --sched eager --model quirks=exact --format csv | wc -l

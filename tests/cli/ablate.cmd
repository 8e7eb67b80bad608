# What each model is worth, size by size and over all sizes.
# Not with sanitizers:
orrery ablate lu --platform hannibal --cpus 0 --sched dmdas --layout matrix --sizes 960,66240 --degrade pitch
orrery ablate cholesky --platform attila --sizes 1920:4000:1920 --degrade overheads
orrery ablate lu --platform attila --tiles 1:3:2 --degrade overheads --format csv | cut -d, -f 1-2
# Without --sizes, one size; --model says what there is to begin with.
orrery ablate cholesky --platform attila --tiles 3 --sched eager --model clean,network=crude
# In lock-step:
orrery ablate cholesky --platform attila --tiles 3 --sched eager --degrade quirks --format csv | cut -d, -f 1-4
# In lock-step:
orrery ablate cholesky --platform attila --tiles 3 --sched eager --degrade quirks,network --format json | grep -v wall
# With other luck each time, brackets around what may be chance.
orrery ablate lu --platform attila --tiles 10 --perturb 0.001 --replicas 6
orrery ablate lu --platform attila --tiles 3 --replicas 6 --degrade quirks --format csv
# What a platform asks for is not degraded once more.
orrery ablate cholesky --platform dgx-h100 --tiles 2 | grep -v '^\(machine\|kernels\)'
orrery ablate cholesky --platform attila --tiles 4 --durations sampled --replicas 3 --degrade durations
# The size that failed is named; nothing is printed.
orrery ablate cholesky --platform attila --sizes 960,960000000
# What is not understood.
orrery ablate
orrery ablate cholesky --sizes 1000
orrery ablate cholesky --sizes 960:1920
orrery ablate cholesky --sizes 960 --tiles 2
orrery ablate cholesky --degrade durations
orrery ablate cholesky --platform nowhere --tiles 2
orrery ablate cholesky --degrade pitch --model pitch=off
orrery ablate cholesky --model overheads=off,memory=off,network=crude,pitch=off,sharing=fair,belief=route,quirks=off
orrery ablate cholesky --sched dmda,dmdas
orrery ablate cholesky --tiles 2 --plot speed.gif
# The data of both plots.
orrery ablate cholesky --tiles 2 --degrade memory --plot-data . >/dev/null; cat speed.csv changes.csv; rm speed.* changes.*

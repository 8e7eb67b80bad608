# What is not understood: one line that names the culprit, status 2.
orrery
orrery frobnicate
orrery rum cholesky
orrery abc
orrery --frobnicate
orrery ''
orrery platform
orrery platform sho
orrery platform save
orrery platform show attila mirage
orrery platform check
orrery sched
orrery sched list dmda
orrery sched new
orrery sched new dmda
orrery sched new Mine
orrery run
orrery run choleski
orrery run cholesky lu
orrery run -- --tiles
orrery run cholesky --frobnicate
orrery run cholesky --tils 4
orrery run cholesky --gpu_memory=1GiB
orrery run cholesky -t 4
orrery run cholesky --tiles
orrery run cholesky --tiles ''
orrery run cholesky --tiles=
orrery run cholesky --tiles 0
orrery run cholesky --tiles -4
orrery run cholesky --tiles 4.5
orrery run cholesky --tiles 0x10
orrery run cholesky --tiles ' 4'
orrery run cholesky --tiles 99999999999999999999
orrery run cholesky --tile 0
orrery run cholesky --tile 4000000000
orrery run cholesky --size 0
orrery run cholesky --size 1000
orrery run cholesky --size 99999999999999999999
orrery run cholesky --tiles 4 --size 3840
orrery run cholesky --precision half
orrery run cholesky --layout rows
orrery run cholesky --platform ''
orrery run cholesky --platform nowhere
orrery platform show nowhere
orrery run cholesky --cpus -1
orrery run cholesky --gpus two
orrery run cholesky --gpu-memory 512
orrery run cholesky --gpu-memory 0GiB
orrery run cholesky --gpu-memory 1.5
orrery run cholesky --gpu-memory 1B
orrery run cholesky --gpu-memory 99999999999TB
orrery run cholesky --sched ''
orrery run cholesky --sched fastest
orrery run cholesky --sched dmda,dmdas
orrery compare cholesky --sched dmda,fastest
orrery compare cholesky --sched dmda,,dmdas
orrery compare cholesky --trace a.csv
orrery run cholesky --seed -1
orrery run cholesky --seed 18446744073709551616
orrery run cholesky --perturb 1
orrery run cholesky --perturb -0.1
orrery run cholesky --perturb nan
orrery run cholesky --plugin-timeout 0.05
orrery run cholesky --plugin-timeout 1e9
orrery run cholesky --perturb 0x1p-3
orrery run cholesky --perturb 1e-4x
orrery run cholesky --window -1
orrery run cholesky --window 20:5
orrery run cholesky --window 5:
orrery run cholesky --pipeline 5
orrery run cholesky --pipeline -1
orrery run cholesky --tiles 2 --gpus 0 --cpus 1 --pipeline 3 --format csv
orrery run cholesky --model frobnicate=on
orrery run cholesky --model memory=maybe
orrery run cholesky --model memory
orrery run cholesky --format xml
orrery sched list --format 'JS ON'
# Whatever is quoted, it is one line.
orrery run "$(printf 'a\nb\033[1m')"
orrery run cholesky --sched "$(head -c 100000 /dev/zero | tr '\0' x)"

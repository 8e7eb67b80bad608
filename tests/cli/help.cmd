# The synopsis of each command. Its options are the tables of the program;
# cli-agree.sh tests them.
orrery --version
orrery --help
orrery help
orrery -h | head -3; orrery graph -h | head -3
orrery platform --help
for c in run compare sweep merge results plot explain ablate explore replay shrink predict; do orrery $c --help | sed '/^$/,$d'; done
for c in graph histogram evict sched app; do orrery help $c | sed '/^$/,$d'; done
for c in list show save check import detect new add-bandwidth add-kernels; do orrery platform $c --help | sed '/^$/,$d'; done
for c in build show; do orrery histogram $c --help | sed '/^$/,$d'; done
for c in save show check convert generate; do orrery graph $c --help | sed '/^$/,$d'; done
for c in 'sched list' 'evict list' 'app list' 'app show'; do orrery $c --help | sed '/^$/,$d'; done
# The lists of options: with and without values, of several tables, of none.
orrery help sched new
orrery platform show --help | sed -n '/^Drawing:/,$p'
orrery help app new
# Help wins over what comes after it, not over mistakes before it.
orrery run --help --frobnicate | sed -n 1p
orrery run --frobnicate --help
